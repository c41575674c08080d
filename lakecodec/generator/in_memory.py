"""Compilation at run time: generated modules that exist only in memory."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from ..runtime.compiled import PACKAGE, Bundle, CompiledModule, bind_classes, enter, module_of, reduce_member, register
from ..runtime.exact import exact_list, exact_path, exact_text
from .kept import KeptIdl, Printed
from .module_names import is_module_name, is_text

if TYPE_CHECKING:
    from .diagnostics import Diagnostics
    from .model import Module

_numbers = itertools.count(1)


def compile_idl(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Iterable[str | os.PathLike[str]] = (),
    allow_extern: Iterable[str] = (),
) -> CompiledModule:
    """Returns a generated module, made in memory, for an IDL file or text; its code is that of a generated file.

    The same text returns the same module as long as anything refers to it. The code of a file is stored in the user's
    cache folder (``LAKECODEC_CACHE``), so that only the first process has to compile it.

    Args:
        source: a path, or the text itself (a str with a line break or a brace).
        name: the module's name; by default the file's stem as a Python name, or ``idl`` for text.
        include_paths: folders searched for included files after the including file's own.
        allow_extern: Python modules whose externs the IDL may name, besides those of lakecodec: their code runs.

    Raises:
        IdlError: the IDL has errors, or names a module that is not allowed; the exception lists them all.
        FileNotFoundError: there is no such file.
        TypeError: ``source`` or another argument is of another type.
        ValueError: ``name`` cannot be the name of a Python module.
    """
    if name is not None and not is_module_name(exact_text("name", name)):
        raise ValueError(f"name: {name!r} cannot be the name of a Python module")
    from .externs import allowed_modules

    exact_path("source", source)
    allowed = allowed_modules(allow_extern)
    folders = [
        Path(exact_path("include_paths", each)) for each in exact_list("include_paths", include_paths, "folders")
    ]
    if is_text(source):
        called = name or "idl"
        living = module_of(((called, f"<{called}>", str(source), ()),))
        if living is not None and living.__externs__ <= allowed:
            return living
        return _compiled(source, name, folders, None, allowed)
    kept = KeptIdl(Path(source), name, folders)
    printed = kept.read()
    if printed is None or not printed.externs <= allowed:
        return _compiled(source, name, folders, kept, allowed)
    return _existing_module(printed)


def _compiled(
    source: str | os.PathLike[str],
    name: str | None,
    include_paths: list[Path],
    kept: KeptIdl | None,
    allowed: frozenset[str],
) -> CompiledModule:
    # Importing the compiler takes longer than running most IDL files, so it is imported here.
    from .compile import load_checked, print_model
    from .diagnostics import Diagnostics
    from .graph import in_order

    diagnostics = Diagnostics()
    model = load_checked(source, name=name, include_paths=include_paths, allow_extern=allowed, diagnostics=diagnostics)
    printed = print_model(model, diagnostics)
    found = _existing_module(printed, model, diagnostics)
    if kept is not None:
        kept.write(in_order(model), printed)
    return found


def _existing_module(
    printed: Printed, model: Module | None = None, diagnostics: Diagnostics | None = None
) -> CompiledModule:
    """Returns the printed module: the existing one, or a new one."""
    return module_of(printed.bundle) or register(execute(printed, model, diagnostics))


def compile_bundle(bundle: Bundle, *, allow_extern: Iterable[str] | None = ()) -> CompiledModule:
    """Returns the module of a bundle: the existing one, or a new one.

    Args:
        allow_extern: as for `compile_idl`; None: any module.

    Raises:
        IdlError: the bundle's texts have errors, or name a module that is not allowed.
    """
    from .bundle import load_bundle
    from .check.module import check
    from .compile import print_model
    from .diagnostics import Diagnostics
    from .externs import allowed_modules, check_externs
    from .graph import in_order

    allowed = None if allow_extern is None else allowed_modules(allow_extern)
    living = module_of(bundle)
    if living is not None and (allowed is None or living.__externs__ <= allowed):
        return living
    diagnostics = Diagnostics()
    module = load_bundle(bundle, diagnostics)
    for each in in_order(module):
        check(each, diagnostics)
    if allowed is not None:
        check_externs(module, allowed, diagnostics)
    diagnostics.raise_errors()
    return _existing_module(print_model(module, diagnostics), module, diagnostics)


@lru_cache(maxsize=32)
def restored(bundle: Bundle) -> CompiledModule:
    """Returns the module of a pickle's bundle; some are cached for further pickles.

    Raises:
        IdlError: the bundle's texts have errors.
    """
    # A pickle can name any module even without an IDL.
    return compile_bundle(bundle, allow_extern=None)


def compile_model(module: Module, diagnostics: Diagnostics) -> CompiledModule:
    """Returns the generated module of a checked model, made in memory.

    Raises:
        IdlError: a definition cannot be lowered or printed.
    """
    from .compile import print_model

    return execute(print_model(module, diagnostics), module, diagnostics)


def execute(printed: Printed, model: Module | None = None, diagnostics: Diagnostics | None = None) -> CompiledModule:
    """Returns the last of some generated modules, all of which run in a new package.

    Args:
        model: the model from which they were printed, if Python has not compiled them before; ``diagnostics`` collects
            errors.

    Raises:
        IdlError: Python refuses the printed code.
    """
    from .graph import in_order

    models = {} if model is None else {each.name: each for each in in_order(model)}
    package = _make_package()
    made: CompiledModule | None = None
    for name, texts in printed.modules:
        origin = None if diagnostics is None else (models[name], diagnostics)
        made = _run(package, name, texts[f"{name}.py"], origin)
        made.__bundle__ = printed.bundle
        made.__externs__ = printed.externs
        for spec in made.__spec__.values():
            if spec.kind == "enum":
                spec.cls.__reduce_ex__ = reduce_member  # type: ignore[method-assign,assignment]
        for file, text in texts.items():
            if file != f"{name}.py":
                _run(package, Path(file).stem, text, origin)
    assert made is not None
    return made


def _make_package() -> CompiledModule:
    parent = sys.modules.setdefault(PACKAGE, ModuleType(PACKAGE, "Modules compiled at run time."))
    parent.__path__ = []
    package = CompiledModule(f"{PACKAGE}.n{next(_numbers)}")
    package.__path__ = []
    enter(package)
    return package


def _run(package: CompiledModule, name: str, text: str, origin: tuple[Module, Diagnostics] | None) -> CompiledModule:
    module = CompiledModule(f"{package.__name__}.{name}")
    module.__package__ = package.__name__
    file = f"<{module.__name__}>"
    module.__file__ = file
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    enter(module)
    # Each module of a package keeps all of them alive.
    module.__dict__["__compiled_package__"] = package
    setattr(package, name, module)
    exec(_code(text, file, origin), module.__dict__)
    bind_classes(module)
    return module


def _code(text: str, file: str, origin: tuple[Module, Diagnostics] | None) -> CodeType:
    if origin is None:
        return compile(text, file, "exec")
    from .compile import compiled

    model, diagnostics = origin
    code = compiled(model, text, file, diagnostics)
    diagnostics.raise_errors()
    assert code is not None
    return code
