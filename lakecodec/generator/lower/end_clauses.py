"""Clauses of fields that ask for the end of the span, and those among them that every written value fulfils."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from ..builtin_names import FIXED_WIDTHS
from ..check.contradictions import takes_bytes
from ..check.wire_forms import is_message
from ..model import Module
from ..syntax import Binary, Expr, Literal_, Name, RecordField, Unary
from ..syntax.walk import span_words
from .idl_text import text_of
from .shapes import constant_of, fixed_size

#: What is written does not say what follows it; peeking is looked for apart.
_OF_END = frozenset(("end", "rest", "at_end"))


def asks_for_end(field: RecordField, own: Collection[str]) -> bool:
    """Returns whether a clause depends on the end of the span around a field, or the field takes all up to there.

    Args:
        own: names that stand for values of the record itself.
    """
    takes_all = field.at is None and _takes_all(field)
    return takes_all or any(_asks(each, own) for each in (*_around(field), *_inside(field, own)))


def _takes_all(field: RecordField) -> bool:
    """Returns whether a field takes all bytes up to the end of the span around it, or around its place."""
    return field.size is None and (is_message(field) or any(each.kind == "rest" for each in field.dimensions))


def is_unsettled(
    field: RecordField, behind: Sequence[RecordField], own: Collection[str], module: Module, *, normalizes: bool
) -> bool:
    """Returns whether a value may be written that is read otherwise, since a clause asks for the end of the span.

    The bytes of `[..]` and `size rest` are all that are left if nothing follows, whatever the value is.

    Args:
        behind: the fields that follow it in its record.
        normalizes: whether its record does: an empty list at the end may be read as None.
    """
    if field.at is not None and _takes_all(field):
        return True
    if not asks_for_end(field, own) and field.size is None:
        return False
    if field.at is not None and not any(_asks(each.expression, own) for each in field.dimensions):
        # What else asks for the end is compared with it.
        others = [*_around(field), *(field.type.arguments or ())]
        return any({"rest", "at_end"} & span_words(each, own) for each in others if each is not None)
    behind = [each for each in behind if not _exclude_each_other(each.present, field.present)]
    if _asks(field.present, own) and not _is_settled_presence(field, behind, normalizes=normalizes):
        return True
    if any(
        _asks(each, own)
        for each in (*field.via, *(each.expression for each in field.dimensions if each.kind == "index"))
    ):
        return True
    if _asks(field.size, own) and field.at is None:
        return not _is_left(field.size, behind, module, 1)
    if field.size is not None and not field.dimensions:
        # The size is compared, and what is inside depends on nothing else.
        return False
    inside = behind if field.size is None else ()
    return any(_asks(each, own) for each in field.type.arguments or ()) or not _is_length_settled(
        field, inside, own, module
    )


def _is_length_settled(field: RecordField, behind: Sequence[RecordField], own: Collection[str], module: Module) -> bool:
    """Returns whether the number of elements, or of bytes, is what the rest of the span gives for every value."""
    if field.at is None and _takes_all(field):
        return _bytes_of(behind, module) == 0
    counts = [each.expression for each in field.dimensions if each.kind == "count"]
    if not any(_asks(each, own) for each in counts):
        return True
    width = {"bytes": 1, "utf8": 1, "bool8": 1, **FIXED_WIDTHS}.get(field.type.name)
    is_plain = field.until is None and len(field.dimensions) == 1 and not (field.via and width != 1)
    return is_plain and width is not None and _is_left(counts[0], behind, module, width)


def _around(field: RecordField) -> Iterator[Expr | None]:
    """Yields the clauses that are about the span around a field."""
    yield field.present
    yield field.size if field.at is None else None
    yield from (each.expression for each in field.dimensions if each.kind == "index")
    yield from field.via


def _inside(field: RecordField, own: Collection[str]) -> Iterator[Expr | None]:
    """Yields the clauses that are about the field's own span, if it is that around it."""
    if field.size is not None and field.at is None:
        return
    yield from (each.expression for each in field.dimensions if each.kind == "count")
    for each in field.type.arguments or ():
        # Where all is laid out, the end is known.
        if field.at is None or {"rest", "at_end"} & span_words(each, own):
            yield each


def _asks(expression: Expr | None, own: Collection[str]) -> bool:
    return expression is not None and not _OF_END.isdisjoint(span_words(expression, own))


def _is_settled_presence(field: RecordField, behind: Sequence[RecordField], *, normalizes: bool) -> bool:
    """Returns whether a field is there if bytes are left, and nothing else can be among these: writers refuse fields behind
    one that is absent.
    """
    if not _is_at_end(field):
        return False
    is_known = all(follows_none(*pair) for pair in pairwise((field, *behind)))
    return is_known and (normalizes or takes_bytes(replace(field, present=None)))


def _is_at_end(field: RecordField) -> bool:
    """Returns whether a field is there if bytes are left."""
    match field.present:
        case Unary(operator="not", operand=Name(name="at_end")):
            return True
    return False


def follows_none(field: RecordField, behind: RecordField) -> bool:
    """Returns whether a field is there if bytes are left, and its value and the next one's tell whether these have bytes."""
    are_plain = all(each.at is None and each.bits is None and each.derived is None for each in (field, behind))
    if not (are_plain and _is_at_end(field)) or any(each.kind == "index" for each in field.dimensions):
        return False
    if behind.present is not None:
        return _is_at_end(behind) and takes_bytes(replace(behind, present=None))
    is_bare = behind.size is None and behind.until is None and not behind.via
    return is_bare and [each.kind for each in behind.dimensions] == ["rest"]


def _is_left(expression: Expr | None, behind: Sequence[RecordField], module: Module, width: int) -> bool:
    """Returns whether a clause takes all bytes up to the fields behind, which have a fixed size, in elements of a width."""
    tail = _bytes_of(behind, module)
    if width != 1:
        match expression:
            case Binary(operator="/", left=left, right=Literal_(value=value)) if value == width:
                expression = left
            case _:
                return False
    match expression:
        case Name(name="rest"):
            return tail == 0
        case Binary(operator="-", left=Name(name="rest"), right=right):
            return tail is not None and _constant(right, module) == tail
    return False


def _bytes_of(fields: Sequence[RecordField], module: Module) -> int | None:
    """Returns the fixed size of fields that follow each other; None if it varies."""
    sizes = [_size(each, module) for each in fields]
    return None if None in sizes else sum(each for each in sizes if each is not None)


def _size(field: RecordField, module: Module) -> int | None:
    """Returns the fixed size of a field, whose length may be a constant with a name."""
    counts = tuple(
        each
        if each.expression is None or (count := _constant(each.expression, module)) is None
        else replace(each, expression=Literal_(count, each.expression.location))
        for each in field.dimensions
    )
    return fixed_size(replace(field, dimensions=counts))


def _constant(expression: Expr | None, module: Module) -> int | None:
    found = module.constant(expression.name) if isinstance(expression, Name) else None
    value = constant_of(expression) if found is None else found.value
    return value if isinstance(value, int) else None


def _exclude_each_other(one: Expr | None, other: Expr | None) -> bool:
    """Returns whether a condition is the negation of another."""
    if one is None or other is None:
        return False
    return f"not {text_of(one)}" == text_of(other) or f"not {text_of(other)}" == text_of(one)
