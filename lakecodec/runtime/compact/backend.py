"""The choice between the native and the pure backend, and the registration of generated modules with it."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from ..errors import DecodeError
from ..limits import Limits
from ..native import load
from ..spec import Spec
from .values import empty_struct, is_marker
from .wire import STRUCT

native: ModuleType | None = None
if load("runtime.native._compact") is not None:
    from . import native


def backend() -> str:
    """Returns ``"native"``, or ``"pure"`` where no accelerator was built or LAKECODEC_PURE=1 is set."""
    return "pure" if native is None else "native"


def register(module: str, specs: Mapping[str, Spec]) -> None:
    """Gives the classes of a generated module their codecs; ``module`` is its ``__name__``."""
    wired = [spec for spec in specs.values() if spec.kind in ("struct", "union")]
    for spec in wired:
        if spec.kind == "union":
            _make_singletons(spec)
    format = module.rpartition(".")[2]
    if native is not None:
        for cls, codec in native.define(wired, format).items():
            cls.__codec__ = codec
    else:
        from . import pure

        pure.define(wired, format)


def skip(data: Any, pos: int, limits: Limits, format: str, wire: int = STRUCT) -> int:
    """Returns the position of the byte after the struct at ``pos``.

    Raises:
        DecodeError: the bytes break a rule of the protocol, or a limit.
    """
    if native is None:
        from . import pure

        return pure.skip(data, pos, wire, limits, format)
    try:
        return int(native.skip(data, pos, wire, limits))
    except DecodeError as error:
        error.format = format
        raise


def places(codec: Any, data: bytes, names: tuple[str, ...], at: array[int], limits: Limits) -> Any:
    """Returns an object that finds values in bytes by name; see `places.py`."""
    if native is not None:
        return native.Places(codec, data, names, at, limits.max_depth, limits.max_elements)
    from . import places as pure

    return pure.Places(codec, data, names, at, limits.max_depth, limits.max_elements)


def columns(program: Any, buffers: Any, limits: Limits, *, keep: Any = None, on_error: Any = "raise") -> Any:
    """Returns the `Columns` that ``program`` reads from each of ``buffers``; see `program.py`."""
    if native is None:
        from . import columns as pure

        return pure.columns(program, buffers, limits, keep=keep, on_error=on_error)
    return native.columns(program, buffers, limits, keep=keep, on_error=on_error)


def names(numbers: Any, width: int, texts: dict[int, str]) -> tuple[Any, Any]:
    """Returns the names of numbers as int32 offsets and UTF-8 bytes; see `columns.names`."""
    if native is None:
        from . import columns as pure

        return pure.names(numbers, width, texts)
    made: tuple[Any, Any] = native.names(numbers, width, texts)
    return made


def list_length(value: Any, name: str) -> int | None:
    """Returns the length of a field's list without making its elements; 0 for None, and None for anything else."""
    if native is not None and (length := native.list_length(value, name)) is not None:
        return int(length)
    found = getattr(value, name)
    return len(found) if isinstance(found, list | tuple) else 0 if found is None else None


def _make_singletons(spec: Spec) -> None:
    cls: Any = spec.cls
    cls.__singletons__ = {}
    for member in spec.fields:
        if is_marker(member.type):
            cls.__singletons__[member.id] = cls._make(member.name, empty_struct(member.type.cls), member.id)
