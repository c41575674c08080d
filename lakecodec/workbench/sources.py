"""Sources of the workbench: how they are opened, and which type a file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ..runtime.errors import DecodeError, path_in_file
from ..runtime.exact import exact_path
from ..runtime.magic import recognised
from ..runtime.ranges import RangeReader
from ..runtime.suggest import no_such
from ..verify.checks import FileChecks
from ..verify.regions import Region

#: The types of files by the names of `recognised`. No IDL is read for these.
_KNOWN = {"Parquet": ("parquet_file", "File"), "Mosaic": ("mosaic", "File")}

#: The formats of files whose magic is damaged, by suffix.
_SUFFIXES = {".parquet": "Parquet", ".mosaic": "Mosaic"}


@contextmanager
def named(reader: RangeReader) -> Iterator[None]:
    """Puts the name of a source before the paths of errors about its bytes."""
    try:
        yield
    except DecodeError as error:
        error.path = path_in_file(reader.name, error.path)
        raise


def type_of(
    reader: RangeReader,
    type: Any = None,
    idl: Any = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
) -> Any:
    """Returns the generated class that a source is read with.

    Args:
        type: the class, or its name (``module.Type`` for the project's own modules); by default what the file's magic tells.
        idl: an IDL file (or its text) that has ``type``; without one, `main_type` of its records.
        parameters: what will be given for those that the type declares.
        allow_extern: Python modules whose externs ``idl`` may name, besides those of lakecodec.

    Raises:
        ValueError: no type is given and the file is not recognised, the type is none that reads bytes, or it needs more
            parameters.
        KeyError: there is no such type.
        IdlError: the IDL has errors.
        TypeError: ``parameters`` are no list.
    """
    cls = _class_of(reader, type, idl, allow_extern)
    if isinstance(parameters, str) or not isinstance(parameters, Sequence):
        raise TypeError(f"parameters: a list of values is needed, not {parameters!r}")
    needed = [name for name in getattr(cls, "_parameters", ()) if name not in cls._defaults]
    if len(parameters) < len(needed):
        raise ValueError(f"parameters: {cls.__name__} needs {', '.join(needed)}")
    return cls


def _class_of(reader: RangeReader, type: Any, idl: Any, allow_extern: Iterable[str]) -> Any:
    if idl is not None:
        return _of_idl(idl, type, allow_extern)
    if type is None:
        return _recognised(reader)
    if isinstance(type, str):
        return _named(type)
    if not hasattr(type, "__spec__") or not hasattr(type, "from_bytes"):
        raise ValueError(f"type: a generated record, struct or union is needed, not {type!r}")
    return type


def checks_of(cls: Any) -> FileChecks | None:
    """Returns the checks of a format besides its declaration, by the class of its files; None if it has none."""
    package = __package__.rpartition(".")[0]
    if (cls.__module__, cls.__name__) == (f"{package}.generated.parquet_file", "File"):
        from ..parquet.verification import CHECKS
    elif (cls.__module__, cls.__name__) == (f"{package}.generated.mosaic", "File"):
        from ..mosaic.verification import CHECKS
    else:
        return None
    return CHECKS


def regions_of(record: Any) -> list[Region]:
    """Returns the parts of a file that its metadata points to, by their offsets; none for formats without such parts.

    Raises:
        DecodeError: the metadata cannot be read.
    """
    checks = checks_of(type(record))
    return [] if checks is None else checks.regions_of(record)


def _of_idl(idl: Any, type: Any, allow_extern: Iterable[str]) -> Any:
    from ..generator import compile_idl

    readable = readable_types(compile_idl(exact_path("idl", idl), allow_extern=allow_extern))
    if type is not None:
        if type not in readable:
            raise KeyError(f"type: {no_such(type, list(readable), 'type')}")
        return readable[type].cls
    return main_type(readable, str(idl))


def readable_types(module: Any) -> dict[str, Any]:
    """Returns the types of a module that read bytes, as their specs by name."""
    return {name: spec for name, spec in module.__spec__.items() if spec.kind != "enum"}


def main_type(readable: Mapping[str, Any], name: str) -> Any:
    """Returns the record of a whole file: the one called File, else the only one that no other record contains."""
    from ..generator.model import Extension, Record
    from ..generator.paths import fields_of
    from .layouts import model_of

    if "File" in readable:
        return readable["File"].cls
    records = {key: spec for key, spec in readable.items() if spec.kind == "record"}
    if not records:
        known = f"no record; name one of its types: {', '.join(readable)}" if readable else "no types that are read"
        raise ValueError(f"type: {name} has {known}")
    model = model_of(next(iter(records.values())).cls.__module__)
    items = [item for item in model.definitions if isinstance(item, Record)]
    bodies = (item for item in model.definitions if isinstance(item, Record | Extension))
    inside = {field.type.name for body in bodies for field in fields_of(body)}
    outer = [item.name for item in items if item.name not in inside and all(each.default for each in item.params)]
    if len(outer) != 1:
        raise ValueError(f"type: one of these is needed: {', '.join(outer or records)}")
    return records[outer[0]].cls


def _recognised(reader: RangeReader) -> Any:
    head = bytes(reader.read(0, min(16, reader.size)))
    tail = bytes(reader.read(max(0, reader.size - 16), min(16, reader.size)))
    format = recognised(head, tail)
    if format in _KNOWN:
        return _named(".".join(_KNOWN[format]))
    from ..formats import ROOT, recognise

    declared = recognise(reader)
    damaged = next((known for suffix, known in _SUFFIXES.items() if reader.name.endswith(suffix)), None)
    if declared is None and damaged is None and head.startswith(b"PAR1"):
        damaged = "Parquet"
    if declared is None and damaged is not None:
        return _named(".".join(_KNOWN[damaged]))
    if declared is None:
        if reader.size == 0:
            raise ValueError(
                f"{reader.name or 'source'}: no bytes to recognise a format by; pass idl= and type= (--idl FILE --type NAME)"
            )
        found = f"{format} has no IDL here" if format else "the format is not recognised by its magic"
        raise ValueError(f"{reader.name or 'source'}: {found}; pass idl= and type= (--idl FILE --type NAME)")
    return getattr(_own(declared.idl), ROOT)


@cache
def _own(idl: Path) -> ModuleType:
    """Returns the module of an IDL file of the package."""
    from ..generator import compile_idl

    return compile_idl(idl)


@cache
def _named(name: str) -> Any:
    from importlib import import_module

    module, _, last = name.rpartition(".")
    folder = Path(__file__).parent.parent / "generated"
    modules = [module] if module else sorted(each.stem for each in folder.glob("[a-z]*.py"))
    for each in modules:
        if not (folder / f"{each}.py").is_file():
            raise KeyError(f"type: there is no module {each!r} of types")
        spec: Any = import_module(f"..generated.{each}", __package__).__spec__
        if last in spec and spec[last].kind != "enum":
            return spec[last].cls
    raise KeyError(f"type: there is no type {name!r}; name its IDL, or write module.Type")
