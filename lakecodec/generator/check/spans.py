"""Rules for fields that count the bytes which follow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..diagnostics import Diagnostics
from ..model import Extension, Module, Record
from ..paths import own_codec
from ..syntax import Expr, RecordField, VariantDef
from ..syntax.walk import span_words


def check_rest(fields: Sequence[RecordField], module: Module, diagnostics: Diagnostics) -> None:
    """Reports what counts `rest` in a span that goes on behind its record.

    A record knows its own bytes when it is written, not those of whoever holds it. So the field that holds it has a
    `size`, or is the last one.
    """
    for place, field in enumerate(fields):
        is_list = bool(field.dimensions)
        has_span = field.at is not None or field.size is not None
        if is_list and field.dimensions[0].kind != "index":
            has_span = False
        is_last = place + 1 == len(fields) and not is_list
        if not (has_span or is_last) and (counting := _counting(field, module, ())) is not None:
            message = f"'{counting}' counts `rest`, so '{field.name}' needs a `size`, or must be the last"
            diagnostics.error(message, field.location)


def _counting(field: RecordField, module: Module, seen: tuple[str, ...]) -> str | None:
    """Returns the name of the type or codec by which a field counts the bytes behind it; None where none does."""
    codec = own_codec(field, module)
    if codec is not None and _body_counts(
        codec.syntax.fields, [p.name for p in codec.syntax.params], codec.module, seen
    ):
        return codec.name
    return field.type.name if codec is None and _type_counts(field.type.name, module, seen) else None


def _type_counts(name: str, module: Module, seen: tuple[str, ...]) -> bool:
    """Returns whether a record or variant, or what it ends with, counts the bytes behind it."""
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
    return any(_body_counts(fields, params, found.module, (*seen, name)) for fields in bodies)


def _body_counts(fields: Sequence[RecordField], params: Sequence[str], module: Module, seen: tuple[str, ...]) -> bool:
    own = frozenset((*params, *(field.name for field in fields)))
    if any("rest" in span_words(expr, own) for field in fields for expr in _written(field, own)):
        return True
    last = fields[-1:]
    return any(each.size is None and each.at is None and _counting(each, module, seen) is not None for each in last)


def _written(field: RecordField, own: frozenset[str]) -> Iterator[Expr]:
    """Yields the expressions of a field that are evaluated when it is written; ``own`` are the names of its body."""
    if field.derived is not None:
        yield field.derived
    for where in field.invariants:
        if not span_words(where.condition, own) & {"end", "at_end"}:
            yield where.condition
