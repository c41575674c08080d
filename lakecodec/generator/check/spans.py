"""Rules for fields that count the bytes which follow them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..diagnostics import Diagnostics
from ..graph import Body, always
from ..model import Extension, Record
from ..paths import field_lists, own_codec, parameter_names
from ..syntax import Expr, RecordField
from ..syntax.walk import span_words


def check_rest(fields: Sequence[RecordField], diagnostics: Diagnostics) -> None:
    """Reports uses of `rest` in a record that is not last in its span.

    A record knows its own bytes when it is written, not those of its container. So the field that holds it must have a
    `size` or be the last one.
    """
    for place, field in enumerate(fields):
        is_list = bool(field.dimensions)
        has_span = field.at is not None or field.size is not None
        if is_list and field.dimensions[0].kind != "index":
            has_span = False
        is_last = place + 1 == len(fields) and not is_list
        if not (has_span or is_last) and (counting := _counting(field)) is not None:
            message = f"'{counting}' counts `rest`, so '{field.name}' needs a `size`, or must be the last"
            diagnostics.error(message, field.location)


@always
def _body_counts(body: Body, holds: Callable[[Body], bool]) -> bool:
    """Returns whether a record, variant or codec, or its last field, uses the number of bytes behind it."""
    return any(_fields_count(fields, parameter_names(body), holds) for fields in field_lists(body))


def _fields_count(fields: Sequence[RecordField], params: Sequence[str], holds: Callable[[Body], bool]) -> bool:
    own = frozenset((*params, *(field.name for field in fields)))
    if any("rest" in span_words(expr, own) for field in fields for expr in _written(field, own)):
        return True
    last = fields[-1:]
    return any(each.size is None and each.at is None and _counting(each, holds) is not None for each in last)


def _counting(field: RecordField, holds: Callable[[Body], bool] = _body_counts) -> str | None:
    """Returns the name of the type or codec by which a field counts the bytes behind it; None if none does."""
    codec = own_codec(field)
    found = field.target if codec is None else codec
    if isinstance(found, Record | Extension) and holds(found):
        return field.type.name if codec is None else codec.name
    return None


def _written(field: RecordField, own: frozenset[str]) -> Iterator[Expr]:
    """Yields the expressions of a field that are evaluated when it is written; ``own`` are the names of its body."""
    if field.derived is not None:
        yield field.derived
    for where in field.invariants:
        if not span_words(where.condition, own) & {"end", "at_end"}:
            yield where.condition
