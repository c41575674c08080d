"""The externs that an IDL may name: those of lakecodec, and those of the modules that its user allows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..runtime.externs import built_in
from .diagnostics import Diagnostics
from .graph import in_order
from .lower.types import CODEC_ANNOTATION
from .model import Extension, Module, Struct
from .syntax import CodecDef, Extern, FnDef

_TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def allowed_modules(modules: Iterable[str]) -> frozenset[str]:
    """Returns the modules in an argument ``allow_extern``.

    Raises:
        TypeError: it is not an iterable of str.
    """
    is_one = isinstance(modules, str | bytes) or not hasattr(type(modules), "__iter__")
    found = None if is_one else frozenset(modules)
    if found is None or not all(isinstance(each, str) for each in found):
        raise TypeError(f"allow_extern: names of modules are needed, such as ('codecs',), not {modules!r}")
    return found


def foreign_modules(module: Module) -> frozenset[str]:
    """Returns the modules outside lakecodec whose externs a file, or one of its includes, names."""
    return frozenset(_module(extern) for each in in_order(module) for extern in _externs(each)) - {""}


def check_externs(module: Module, allowed: frozenset[str], diagnostics: Diagnostics) -> None:
    """Reports externs of forbidden modules in a file and its includes; imports nothing."""
    for each in in_order(module):
        for extern in _externs(each):
            if not _TARGET.fullmatch(extern.target):
                message = f'{extern.target!r} is not the name of an extern: write "module:name"'
                diagnostics.error(message, extern.location)
            elif (name := _module(extern)) and name not in allowed:
                message = (
                    f"the module {name!r} is not allowed: an extern runs its code. If you trust it, pass "
                    f"--allow-extern {name} or allow_extern=[{name!r}], or list it under allow_extern in lakecodec.yaml"
                )
                diagnostics.error(message, extern.location)


def _externs(module: Module) -> Iterator[Extern]:
    for item in module.definitions:
        if isinstance(item, Extension) and isinstance(item.syntax, CodecDef | FnDef):
            value = item.syntax.value
            if isinstance(value, Extern):
                yield value
        elif isinstance(item, Struct) and CODEC_ANNOTATION in item.annotations:
            yield Extern(item.annotations[CODEC_ANNOTATION], item.location)


def _module(extern: Extern) -> str:
    """Returns the module of an extern; "" for those of lakecodec."""
    name = extern.target.partition(":")[0]
    return "" if built_in(name) else name
