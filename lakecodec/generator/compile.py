"""The stages of the compiler in order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from types import CodeType

from .bundle import bundle_of
from .check.module import check
from .diagnostics import Diagnostics, Location
from .emit import emit
from .externs import allowed_modules, check_externs, foreign_modules
from .graph import in_order
from .kept import Printed
from .lower.module import lower_module
from .model import Module
from .module_names import ModuleNames
from .print.module import print_module
from .resolve.loader import load


def load_checked(
    source: str | os.PathLike[str],
    *,
    name: str | None = None,
    include_paths: Sequence[str | os.PathLike[str]] = (),
    names: ModuleNames | None = None,
    allow_extern: Iterable[str] | None = (),
    diagnostics: Diagnostics | None = None,
) -> Module:
    """Returns the checked model of an IDL file (a path) or text.

    Args:
        allow_extern: the modules, besides lakecodec's, whose externs the IDL may name; None: any.
        diagnostics: collects errors and warnings; a new collector by default.

    Raises:
        IdlError: the IDL has errors; the exception lists them all.
        FileNotFoundError: there is no such file.
    """
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load(source, name=name, include_paths=include_paths, names=names, diagnostics=found)
    for each in in_order(module):
        check(each, found)
    if allow_extern is not None:
        check_externs(module, allowed_modules(allow_extern), found)
    found.raise_errors()
    return module


def load_compilable(
    source: str | os.PathLike[str],
    *,
    include_paths: Sequence[str | os.PathLike[str]] = (),
    allow_extern: Iterable[str] = (),
    diagnostics: Diagnostics | None = None,
) -> Module:
    """Returns the model of `load_checked` after a trial run of the stages behind it.

    Raises:
        IdlError: as in `load_checked`, or a definition cannot be lowered, printed, or compiled by Python.
        FileNotFoundError: there is no such file.
    """
    found = Diagnostics() if diagnostics is None else diagnostics
    module = load_checked(source, include_paths=include_paths, allow_extern=allow_extern, diagnostics=found)
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
    files = _texts(module, command, runtime, diagnostics)
    for name, text in files.items():
        compiled(module, text, name, diagnostics)
    diagnostics.raise_errors()
    return files


def _texts(module: Module, command: str, runtime: str, diagnostics: Diagnostics) -> dict[str, str]:
    layout = lower_module(module, diagnostics)
    files = emit(print_module(layout, command=command, runtime=runtime, diagnostics=diagnostics))
    diagnostics.raise_errors()
    return files


def compiled(module: Module, text: str, file: str, diagnostics: Diagnostics) -> CodeType | None:
    """Returns the code of a generated module. If Python refuses its text, reports an error at the definition and
    returns None."""
    try:
        return compile(text, file, "exec")
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        place = _definition_at(module, text, getattr(error, "lineno", None) or 1)
        reason = getattr(error, "msg", None) or "it is nested too deeply"
        message = f"Python cannot compile what this becomes ({reason}): use simpler expressions or other names"
        diagnostics.error(message, place)
        return None


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


def print_model(module: Module, diagnostics: Diagnostics) -> Printed:
    """Returns the texts of a checked model's generated modules in the form for running in memory.

    Raises:
        IdlError: a definition cannot be lowered or printed.
    """
    modules = in_order(module)
    command, runtime = "lakecodec.compile_idl", "lakecodec.runtime"
    texts = [(each.name, _texts(each, command, runtime, diagnostics)) for each in modules]
    return Printed(bundle_of(modules), texts, foreign_modules(module))
