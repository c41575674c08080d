"""Values that generated writers compute with before they are written, by the rows of records.

A writer that takes plain values alone ends at the first other one. Until then it has computed with nothing else, but for
the fields that are found here: it looks at those first.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import EnumType
from typing import Any

from .table import Expr, FieldTable, RecordTable, VariantTable, held_by

#: Types of which nothing is asked: their own, or left to those who write them.
LEFT = frozenset((int, bool, float, str, bytes, type(None)))


class Unplain(Exception):
    """Raised by a writer that takes plain values alone, for another one."""


def is_plain(value: Any) -> bool:
    """Returns whether a value is of a built-in type, or a member of an enum."""
    cls = type(value)
    return cls in LEFT or type(cls) is EnumType


def is_plain_list(values: Any) -> bool:
    """Returns whether a value is a list, or a tuple, of plain values."""
    if type(values) is not list and type(values) is not tuple:
        return False
    types = [*map(type, values)]
    # Most are of one type, which is counted in two thirds of the time of a look at each.
    if types and types[0] in LEFT and types.count(types[0]) == len(types):
        return True
    return LEFT.issuperset(types) or all(map(is_plain, values))


def can_be_plain(cls: Any) -> bool:
    """Returns whether a writer of a class's instances can notice all values that are not plain; finds what it looks at first."""
    known = cls._can_be_plain
    if known is None or known[0] is not cls:
        known = cls._can_be_plain = cls, _prepare(cls, set())
    found: bool = known[1]
    return found


def _prepare(cls: Any, seen: set[Any]) -> bool:
    if cls in seen:
        return True
    seen.add(cls)
    table = cls._table()
    if table is None or hasattr(cls, "_placed"):
        return False
    if not isinstance(table, VariantTable):
        if any(field.type == "struct" or field.given or field.derived == ("unknown",) for field in table.steps):
            return False
        if ahead := _ahead(table):
            cls._ahead, cls._is_written_plainly = ahead, False
    return all(_prepare(each, seen) for each in held_by(table))


def _ahead(table: RecordTable) -> dict[str, bool]:
    """Returns a dict of what the generated writer computes with first -> whether it looks at elements."""
    places = {field.name: number for number, field in enumerate(table.steps)}
    for number, field in enumerate(table.steps):
        for word, name in field.before:
            places[name] = min(places[name], number) if word == "derive" else places[name]
    found: dict[str, bool] = {}
    for field in table.steps:
        # Fields of fixed width may be written in one step with those behind them.
        written = {each.name for each in table.steps[: places[field.name]] if not _can_be_in_run(each)}
        known = written | {each.name for each in table.steps if each.derived is not None}
        for name, by_element in _computed_of(field):
            if name not in known:
                found[name] = by_element or found.get(name, False)
    return found


def _can_be_in_run(field: FieldTable) -> bool:
    is_single = not field.dimension and field.present is None and field.terminator is None and field.type != "record"
    return is_single and (field.length is None or isinstance(field.length, int))


def _computed_of(field: FieldTable) -> Iterator[tuple[str, bool]]:
    """Yields (name, whether of more than its length) of what a field is computed of, without what is looked at in time."""
    for clause in field.open:
        yield from _names(getattr(field, clause))
    match field.derived:
        case ("get", str(), _):
            pass
        case ("count", str()) if field.present is None and not field.dimension:
            pass
        case derived:
            yield from _names(derived)


def _names(expr: Expr) -> Iterator[tuple[str, bool]]:
    match expr:
        case str():
            yield expr, True
        case ("count", str(name)):
            yield name, False
        case ("text" | "captured" | "encoded", *_):
            pass
        case ("get" | "each" | "call" as word, first, *inner):
            for each in inner if word == "call" else [first]:
                yield from _names(each)
        case (str(), *inner) | [*inner]:
            for each in inner:
                yield from _names(each)


def look_ahead(record: Any) -> None:
    """Raises Unplain unless the fields computed with first are plain, or lists, of plain values where they count."""
    for name, by_element in record._ahead.items():
        value = getattr(record, name, None)
        if not is_plain(value) and not (is_plain_list(value) if by_element else type(value) in (list, tuple)):
            raise Unplain
