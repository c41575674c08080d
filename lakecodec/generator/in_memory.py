"""Compilation at run time: generated modules that exist in memory only."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..runtime.compiled import Bundle, CompiledModule, reduce_member
from .kept import KeptIdl, Printed
from .module_names import is_module_name, is_text

if TYPE_CHECKING:
    from .diagnostics import Diagnostics
    from .model import Module

#: The package that modules compiled at run time live in.
PACKAGE = "lakecodec.compiled"
_numbers = itertools.count(1)


def compile_idl(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
) -> CompiledModule:
    """Returns a generated module, made in memory, for an IDL file or text; it runs the code that a generated file has.

    What a file becomes is kept in the user's cache folder (``LAKECODEC_CACHE``), so that only the first process has to
    compile it.

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
    folders = [Path(each) for each in include_paths]
    if is_text(source):
        return _compiled(source, name, folders, None)
    kept = KeptIdl(Path(source), name, folders)
    printed = kept.read()
    return _compiled(source, name, folders, kept) if printed is None else execute(printed)


def _compiled(
    source: str | os.PathLike[str], name: str | None, include_paths: list[Path], kept: KeptIdl | None
) -> CompiledModule:
    # The compiler takes longer to import than most IDL files to run.
    from .compile import load_checked, print_model
    from .diagnostics import Diagnostics
    from .graph import in_order

    diagnostics = Diagnostics()
    model = load_checked(source, name=name, include_paths=include_paths, diagnostics=diagnostics)
    printed = print_model(model, diagnostics)
    if kept is not None:
        kept.write(in_order(model), printed)
    return execute(printed)


@cache
def restored(bundle: Bundle) -> str:
    """Returns the package of the modules of a bundle, which are compiled once in a process.

    Raises:
        IdlError: the bundle's texts have errors.
    """
    from .bundle import load_bundle
    from .check.module import check
    from .diagnostics import Diagnostics
    from .graph import in_order

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
    from .compile import print_model

    return execute(print_model(module, diagnostics))


def execute(printed: Printed) -> CompiledModule:
    """Returns the last of some generated modules, all of which run in a new package."""
    package = _make_package()
    made: CompiledModule | None = None
    for name, texts in printed.modules:
        made = _run(package, name, texts[f"{name}.py"])
        made.__bundle__ = printed.bundle
        for spec in made.__spec__.values():
            if spec.kind == "enum":
                spec.cls.__reduce_ex__ = reduce_member  # type: ignore[method-assign,assignment]
        for file, text in texts.items():
            if file != f"{name}.py":
                _run(package, Path(file).stem, text)
    assert made is not None
    return made


def _make_package() -> ModuleType:
    parent = sys.modules.setdefault(PACKAGE, ModuleType(PACKAGE, "Modules compiled at run time."))
    parent.__path__ = []
    package = ModuleType(f"{PACKAGE}.n{next(_numbers)}")
    package.__path__ = []
    sys.modules[package.__name__] = package
    return package


def _run(package: ModuleType, name: str, text: str) -> CompiledModule:
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
