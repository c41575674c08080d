"""Errors of records that place their fields with `at`."""

from __future__ import annotations

from ..expressions import called_name, names, walk
from ..model import Record
from ..syntax import Call, RecordField
from .expressions import UnsupportedExpression
from .shapes import fixed_size


def check_placed(record: Record) -> None:
    """Raises UnsupportedExpression for a record that cannot be read field by field."""
    for each in record.fields:
        if each.at is None:
            raise UnsupportedExpression("a record that places fields with `at` must place all of them", each.location)
    for each in record.fields:
        if each.derived is not None:
            raise UnsupportedExpression("a field placed with `at` cannot be derived: give it a `where`", each.location)
    _refuse_circles(record)
    _refuse_measures(record)
    for each in record.fields:
        if each.size is None and fixed_size(each, record.module) is None:
            message = "a field placed with `at` needs a `size`, or a type of fixed size"
            raise UnsupportedExpression(message, each.location)


def _refuse_circles(record: Record) -> None:
    """No field may need itself to be found, read or checked."""
    located = {each.name: each for each in record.fields}

    def needed(each: RecordField) -> set[str]:
        clauses = (each.at, each.size, *(each.type.arguments or ()), *(where.condition for where in each.invariants))
        used = {name.name for clause in clauses if clause is not None for name in names(clause)}
        return used & (set(located) - {each.name})

    for each in record.fields:
        seen: set[str] = set()
        pending = list(needed(each))
        while pending:
            name = pending.pop()
            if name == each.name:
                raise UnsupportedExpression(f"'{each.name}' cannot be found without itself", each.location)
            if name not in seen:
                seen.add(name)
                pending += needed(located[name])


def _refuse_measures(record: Record) -> None:
    """Fields are read when they are asked for: what another one's bytes measure is not at hand."""
    for each in record.fields:
        conditions = [where.condition for where in each.invariants]
        for part in (part for expr in (each.at, each.size, *conditions) if expr is not None for part in walk(expr)):
            if isinstance(part, Call) and called_name(part) in ("size", "raw_size", "offset"):
                raise UnsupportedExpression("fields placed with `at` have no measures: name what places them", part)
