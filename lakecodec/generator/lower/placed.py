"""Errors of records that place their fields with `at`."""

from __future__ import annotations

from ..model import Record
from ..syntax import Call, RecordField
from ..syntax.walk import called_name, names, walk
from .expressions import UnsupportedExpression


def check_placed(record: Record) -> None:
    """Raises UnsupportedExpression for a record that cannot be read field by field."""
    for each in record.fields:
        conditional = (where.setting for where in each.invariants if where.setting is not None)
        if each.at is not None and (each.derived is not None or not all(any(found.path) for found in conditional)):
            raise UnsupportedExpression("a field placed with `at` cannot be derived: give it a `where`", each.location)
    _refuse_checks(record)
    _refuse_circles(record)
    _refuse_measures(record)


def _refuse_checks(record: Record) -> None:
    """What is placed is read when it is asked for: no check of the whole can wait for it."""
    placed = {each.name for each in record.fields if each.at is not None}
    for check in record.checks:
        found = next((name for name in names(check.condition) if name.name in placed), None)
        if found is not None or len(placed) == len(record.fields):
            message = "what is placed with `at` is read later: a `where` of the field itself says what it must be"
            raise UnsupportedExpression(message, check.condition if found is None else found)


def _refuse_circles(record: Record) -> None:
    """No field may need itself to be found, read or checked."""
    located = {each.name: each for each in record.fields if each.at is not None}

    def needed(each: RecordField) -> set[str]:
        rules = (where.condition for where in each.invariants if where.setting is None)
        clauses = (each.at, each.size, *(each.type.arguments or ()), *rules)
        used = {name.name for clause in clauses if clause is not None for name in names(clause)}
        return used & (set(located) - {each.name})

    for each in located.values():
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
    """A place cannot hang on the bytes that stand there, nor on those of fields that follow each other."""
    for each in record.fields:
        clauses = () if each.at is None else (each.at, each.size, each.present)
        for part in (part for expr in clauses if expr is not None for part in walk(expr)):
            if isinstance(part, Call) and called_name(part) in ("size", "raw_size"):
                raise UnsupportedExpression("fields placed with `at` have no measures: name what places them", part)
