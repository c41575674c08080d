"""Records whose expressions name floats that are stored with fewer bits than Python's have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ..graph import Body, computed_once
from ..model import Extension, Record
from ..paths import bodies_of, clauses_of, field_lists, fields_of
from ..syntax import Expr, Member, Name, RecordField
from ..syntax.walk import walk


@computed_once
def names_rounded(body: Body) -> bool:
    """Returns whether an expression of a body names a float of two or four bytes, or such a float is derived.

    A writer computes with the number that was given, a reader with the one that is stored.
    """
    inside = _rounded_inside(body)
    if not inside:
        return False
    checks = [each.condition for each in body.checks] if isinstance(body, Record) else []
    for fields in field_lists(body):
        own = {field.name for field in fields if _is_rounded(field)}
        own |= {one.name for _, found in bodies_of(body) for one in found if _names(one.value, own, inside)}
        if any(_is_rounded(field) and field.derived is not None for field in fields):
            return True
        if any(_names(each, own, inside) for each in (*checks, *_expressions(fields))):
            return True
    return False


def _rounded_inside(body: Body) -> set[str]:
    """Returns the names of such floats in a body and in all that it holds, and of what is computed from them."""
    found: set[str] = set()
    seen, pending = {body}, [body]
    while pending:
        current = pending.pop()
        for field in fields_of(current):
            found |= {field.name} if _is_rounded(field) else set()
            if isinstance(field.target, Record | Extension) and field.target not in seen:
                seen.add(field.target)
                pending.append(field.target)
    for each in seen if found else ():
        found |= {one.name for _, computed in bodies_of(each) for one in computed if _names(one.value, found, found)}
    return found


def _is_rounded(field: RecordField) -> bool:
    return field.target is None and field.type.name[:3] in ("f16", "f32")


def _expressions(fields: Sequence[RecordField]) -> Iterator[Expr]:
    for field in fields:
        yield from clauses_of(field)
        yield from () if field.align is None else (field.align,)
        yield from field.type.arguments or ()
        yield from (each.condition for each in field.invariants)


def _names(expression: Expr, own: Collection[str], inside: Collection[str]) -> bool:
    """Returns whether an expression names one of a body's own values, or a member of what is inside of it."""
    parts = list(walk(expression))
    return any(
        (isinstance(part, Name) and part.name in own) or (isinstance(part, Member) and part.name in inside)
        for part in parts
    )
