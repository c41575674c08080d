"""The stages in a row, and compilation at run time into modules that exist in memory only."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType

from .check import check
from .diagnostics import Diagnostics
from .emit import emit
from .model import Module
from .plan import plan_module
from .resolve import load

#: The package that modules compiled at run time live in.
PACKAGE = "lakecodec.compiled"
_numbers = itertools.count(1)


def load_checked(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Sequence[str | os.PathLike[str]] = (),
    diagnostics: Diagnostics | None = None,
) -> Module:
    """The checked model of an IDL file (a path) or text; raises IdlError with all errors found."""
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load(source, name=name, include_paths=include_paths, diagnostics=found)
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
    """As `load_checked`; raises IdlError also for what parses, but cannot be compiled."""
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load_checked(source, include_paths=include_paths, diagnostics=found)
    for each in in_order(module):
        plan_module(each, command="", runtime="", diagnostics=found)
    return module


def in_order(module: Module) -> list[Module]:
    """The module and everything it includes, included ones first."""
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
) -> ModuleType:
    """A generated module for an IDL file or text, as fast as a generated file.

    Args:
        source: a path, or the text itself (a str with a line break or a brace).
        name: the module's name; by default the file's stem, or ``idl`` for text.
        include_paths: folders searched for included files after the including file's own.

    Raises:
        IdlError: the IDL has errors; the exception lists them all.
        FileNotFoundError: there is no such file.
    """
    diagnostics = Diagnostics()
    module = load_checked(source, name=name, include_paths=list(include_paths), diagnostics=diagnostics)
    package = _make_package()
    made: ModuleType | None = None
    for each in in_order(module):
        plan = plan_module(each, command="lakecodec.compile_idl", runtime="lakecodec.runtime", diagnostics=diagnostics)
        files = emit(plan)
        made = _execute(package, each.name, files[f"{each.name}.py"])
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


def _execute(package: ModuleType, name: str, text: str) -> ModuleType:
    module = ModuleType(f"{package.__name__}.{name}")
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
