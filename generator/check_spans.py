"""Rules for fields that are derived from the bytes which follow them."""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import Diagnostics
from .expressions import names
from .model import Extension, Module, Record
from .syntax import RecordField, VariantDef


def check_rest(fields: Sequence[RecordField], module: Module, diagnostics: Diagnostics) -> None:
    """Reports what is derived from `rest` in a span that goes on behind its record.

    A record knows its own bytes when it is written, not those of whoever holds it. So the field that holds it has a
    `size`, or is the last one.
    """
    for place, field in enumerate(fields):
        is_list = bool(field.dimensions)
        has_span = field.at is not None or field.size is not None
        if is_list and field.dimensions[0].kind != "index":
            has_span = False
        is_last = place + 1 == len(fields) and not is_list
        if not (has_span or is_last) and _derives_rest(field.type.name, module, ()):
            message = (
                f"'{field.type.name}' is derived from `rest`, so '{field.name}' needs a `size`, or must be the last"
            )
            diagnostics.error(message, field.location)


def _derives_rest(name: str, module: Module, seen: tuple[str, ...]) -> bool:
    """Whether a record or variant, or what it ends with, derives a field from the bytes behind it."""
    found = module.find(name)
    if name in seen:
        return False
    if isinstance(found, Record):
        bodies, params = [found.fields], [param.name for param in found.params]
    elif isinstance(found, Extension) and isinstance(found.syntax, VariantDef):
        bodies = [list(case.fields or ()) for case in found.syntax.cases]
        params = [param.name for param in found.syntax.params]
    else:
        return False
    return any(_body_derives_rest(fields, params, found.module, (*seen, name)) for fields in bodies)


def _body_derives_rest(
    fields: Sequence[RecordField], params: Sequence[str], module: Module, seen: tuple[str, ...]
) -> bool:
    shadowed = "rest" in {*params, *(field.name for field in fields)}
    derived = [] if shadowed else [field.derived for field in fields if field.derived is not None]
    if any(name.name == "rest" for expr in derived for name in names(expr)):
        return True
    last = fields[-1:]
    return any(each.size is None and each.at is None and _derives_rest(each.type.name, module, seen) for each in last)
