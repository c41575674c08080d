"""The stages of the compiler in order, and compilation at run time into modules that exist in memory only."""

from __future__ import annotations

import itertools
import linecache
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType

from ..runtime.compiled import Bundle, CompiledModule, reduce_member
from .bundle import bundle_of, load_bundle
from .check.module import check
from .diagnostics import Diagnostics, Location
from .emit import emit
from .lower.module import lower_module
from .model import Enum, Module
from .module_names import ModuleNames, is_module_name
from .print.module import print_module
from .resolve.loader import load

#: The package that modules compiled at run time live in.
PACKAGE = "lakecodec.compiled"
_numbers = itertools.count(1)


def load_checked(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Sequence[str | os.PathLike[str]] = (),
    names: ModuleNames | None = None,
    diagnostics: Diagnostics | None = None,
) -> Module:
    """Returns the checked model of an IDL file (a path) or text.

    Args:
        diagnostics: collects errors and warnings; a new collector by default.

    Raises:
        IdlError: the IDL has errors; the exception lists them all.
        FileNotFoundError: there is no such file.
    """
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load(source, name=name, include_paths=include_paths, names=names, diagnostics=found)
    for each in in_order(module):
        check(each, found)
    found.raise_errors()
    return module


def load_compilable(
    source: str | os.PathLike[str],
    *,
    include_paths: Sequence[str | os.PathLike[str]] = (),
    diagnostics: Diagnostics | None = None,
) -> Module:
    """Returns the model of `load_checked` after a trial run of the stages behind it.

    Raises:
        IdlError: as in `load_checked`, or a definition cannot be lowered, printed, or compiled by Python.
        FileNotFoundError: there is no such file.
    """
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load_checked(source, include_paths=include_paths, diagnostics=found)
    for each in in_order(module):
        printed(each, command="lakecodec generate", runtime="lakecodec.runtime", diagnostics=found)
    return module


def printed(module: Module, *, command: str, runtime: str, diagnostics: Diagnostics) -> dict[str, str]:
    """Returns a dict of file name -> text of the Python modules of a checked IDL module; Python has compiled each text.

    Args:
        command: the command that the header of the files names.
        runtime: the package that they import their runtime from.

    Raises:
        IdlError: a definition cannot be lowered or printed, or Python refuses what was printed.
    """
    layout = lower_module(module, diagnostics)
    files = emit(print_module(layout, command=command, runtime=runtime, diagnostics=diagnostics))
    for name, text in files.items():
        try:
            compile(text, name, "exec")
        except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
            place = _definition_at(module, text, getattr(error, "lineno", None) or 1)
            reason = getattr(error, "msg", None) or "it is nested too deeply"
            message = f"Python cannot compile what this becomes ({reason}): use simpler expressions or other names"
            diagnostics.error(message, place)
    diagnostics.raise_errors()
    return files


def _definition_at(module: Module, text: str, line: int) -> Location:
    """Returns the place of the definition that a line of generated text belongs to."""
    found = Location(module.file, 1, 1)
    by_name = {item.name: item.location for item in module.definitions}
    for each in text.splitlines()[:line]:
        if each[:1].isalpha() or each[:1] == "_":
            words = re.findall(r"\w+", each)
            names = (words[1:2] if words[:1] in (["class"], ["def"]) else words[:1]) or [""]
            parts = names[0].split("_")
            found = next(
                (by_name[known] for size in range(len(parts), 0, -1) if (known := "_".join(parts[:size])) in by_name),
                found,
            )
    return found


def in_order(module: Module) -> list[Module]:
    """Returns the module and everything it includes, included ones first."""
    ordered: dict[int, Module] = {}

    def visit(each: Module) -> None:
        for included in each.includes.values():
            visit(included)
        ordered.setdefault(id(each), each)

    visit(module)
    return list(ordered.values())


def compile_idl(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
) -> CompiledModule:
    """Returns a generated module, made in memory, for an IDL file or text; it runs the code that a generated file has.

    Args:
        source: a path, or the text itself (a str with a line break or a brace).
        name: the module's name; by default the file's stem as a Python name, or ``idl`` for text.
        include_paths: folders searched for included files after the including file's own.

    Raises:
        IdlError: the IDL has errors; the exception lists them all.
        FileNotFoundError: there is no such file.
        ValueError: ``name`` cannot be the name of a Python module.
    """
    if name is not None and not is_module_name(name):
        raise ValueError(f"name: {name!r} cannot be the name of a Python module")
    diagnostics = Diagnostics()
    return compile_model(
        load_checked(source, name=name, include_paths=list(include_paths), diagnostics=diagnostics), diagnostics
    )


@cache
def restored(bundle: Bundle) -> str:
    """Returns the package of the modules of a bundle, which are compiled once in a process.

    Raises:
        IdlError: the bundle's texts have errors.
    """
    diagnostics = Diagnostics()
    module = load_bundle(bundle, diagnostics)
    for each in in_order(module):
        check(each, diagnostics)
    diagnostics.raise_errors()
    return compile_model(module, diagnostics).__package__ or ""


def compile_model(module: Module, diagnostics: Diagnostics) -> CompiledModule:
    """Returns the generated module of a checked model, made in memory.

    Raises:
        IdlError: a definition cannot be lowered or printed.
    """
    modules = in_order(module)
    bundle = bundle_of(modules)
    package = _make_package()
    made: CompiledModule | None = None
    for each in modules:
        files = printed(each, command="lakecodec.compile_idl", runtime="lakecodec.runtime", diagnostics=diagnostics)
        made = _execute(package, each.name, files[f"{each.name}.py"])
        made.__bundle__ = bundle
        for item in each.definitions:
            if isinstance(item, Enum):
                getattr(made, item.python).__reduce_ex__ = reduce_member
        for file, text in files.items():
            if file != f"{each.name}.py":
                _execute(package, Path(file).stem, text)
    assert made is not None
    return made


def _make_package() -> ModuleType:
    parent = sys.modules.setdefault(PACKAGE, ModuleType(PACKAGE, "Modules compiled at run time."))
    parent.__path__ = []
    package = ModuleType(f"{PACKAGE}.n{next(_numbers)}")
    package.__path__ = []
    sys.modules[package.__name__] = package
    return package


def _execute(package: ModuleType, name: str, text: str) -> CompiledModule:
    module = CompiledModule(f"{package.__name__}.{name}")
    module.__package__ = package.__name__
    file = f"<{module.__name__}>"
    module.__file__ = file
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[module.__name__] = module
    setattr(package, name, module)
    try:
        exec(compile(text, file, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module
