"""Rules for `peek(n)` and `ahead(mark)`: only few bytes, and only in clauses that decide how a field is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..diagnostics import Diagnostics
from ..syntax import Call, Expr, Literal_, RecordField
from ..syntax.walk import called_name, walk

_MOST = 64


def check_peeks(fields: Sequence[RecordField], others: Sequence[Expr], diagnostics: Diagnostics) -> None:
    """Reports `peek` in clauses that decide nothing, and in ``others``, the clauses of a whole body."""
    for field in fields:
        deciding = [field.present, field.size, *(each.expression for each in field.dimensions)]
        for expression in deciding if field.at is None else ():
            for call in _peeks(expression):
                check_count(call, diagnostics)
        rules = [where.condition for where in field.invariants]
        inside = (*(field.type.arguments or ()), *field.type.type_arguments, *field.via)
        values = [field.derived, field.at, field.align, *inside, *rules]
        for expression in values if field.at is None else (*deciding, *values):
            _refuse(expression, diagnostics)
    for expression in others:
        _refuse(expression, diagnostics)


def check_count(call: Call, diagnostics: Diagnostics) -> None:
    """Reports a number of bytes that is not a small constant, and a mark that is not a constant of bytes."""
    count = call.arguments[0] if len(call.arguments) == 1 else None
    if called_name(call) == "ahead":
        if count is not None and not (
            isinstance(count, Literal_) and isinstance(count.value, str | bytes) and count.value
        ):
            diagnostics.error(
                "'ahead' takes a constant text or constant bytes, which must not be empty", count.location
            )
        return
    if count is not None and not (
        isinstance(count, Literal_) and isinstance(count.value, int) and 0 < count.value <= _MOST
    ):
        diagnostics.error(f"'peek' takes a number of bytes from 1 to {_MOST}", count.location)


def check_tag(tag: Expr, diagnostics: Diagnostics) -> None:
    """Reports wrong counts of `peek` in the `on` expression of a variant."""
    for call in _peeks(tag):
        check_count(call, diagnostics)


def _refuse(expression: Expr | None, diagnostics: Diagnostics) -> None:
    for call in _peeks(expression):
        message = f"'{called_name(call)}' is allowed only in `if`, `size`, counts, and what a variant is `on`"
        diagnostics.error(message, call.location)


def _peeks(expression: Expr | None) -> Iterator[Call]:
    for part in walk(expression) if expression is not None else ():
        if isinstance(part, Call) and called_name(part) in ("ahead", "peek"):
            yield part
