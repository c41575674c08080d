"""Terminators of texts without a length: `utf8 name until "\\0"`."""

from __future__ import annotations

from .diagnostics import Diagnostics
from .model import Const, Module
from .paths import own_codec
from .syntax import Expr, Literal_, Member, Name, RecordField


def terminator(field: RecordField, module: Module) -> bytes | None:
    """Returns the bytes behind a text that they end; None for other fields. The field was checked."""
    return None if field.until is None else _constant(field.until, module)


def check_terminator(field: RecordField, module: Module, diagnostics: Diagnostics) -> None:
    """Reports `until` where nothing can end, and what cannot end anything."""
    if field.until is None:
        return
    if field.type.name not in ("bytes", "utf8"):
        diagnostics.error(f"`until` ends bytes and utf8, not '{field.type.name}'", field.type.location)
    elif own_codec(field) is not None:
        diagnostics.error(f"a codec with fields reads '{field.name}', which ends it as well", field.until.location)
    if not _constant(field.until, module):
        diagnostics.error("a terminator is a constant text, or constant bytes, and not empty", field.until.location)


def _constant(expr: Expr, module: Module) -> bytes | None:
    value: object = None
    match expr:
        case Literal_():
            value = expr.value
        case Name(name=name) if isinstance(found := module.find(name), Const):
            value = found.value
        case Member(base=Name(name=prefix), name=name) if isinstance(found := module.find(f"{prefix}.{name}"), Const):
            value = found.value
    return value.encode() if isinstance(value, str) else value if isinstance(value, bytes) else None
