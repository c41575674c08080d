"""The values that a generated writer computes with before it writes them, found from a record's rows.

A writer of plain values stops at the first other value. Until then it has computed only with plain ones, except for
the fields found here, which are checked first.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import EnumType
from typing import Any

from .table import Expr, FieldTable, RecordTable, VariantTable, referenced_classes

#: Built-in types whose values are plain, as are members of enums.
LEFT = frozenset((int, bool, float, str, bytes, type(None)))


class NotPlainValueError(Exception):
    """Raised by a writer of plain values for a value that is not plain."""


def is_plain(value: Any) -> bool:
    """Returns whether a value is of a built-in type, or a member of an enum."""
    cls = type(value)
    return cls in LEFT or type(cls) is EnumType


def is_plain_list(values: Any) -> bool:
    """Returns whether a value is a list, or a tuple, of plain values."""
    if type(values) is not list and type(values) is not tuple:
        return False
    types = [*map(type, values)]
    # Elements of most lists have one type. Counting it takes two thirds of the time of checking each element.
    if types and types[0] in LEFT and types.count(types[0]) == len(types):
        return True
    return LEFT.issuperset(types) or all(map(is_plain, values))


def can_be_plain(cls: Any) -> bool:
    """Returns whether a class's writer can notice all values that are not plain; finds the fields to check first."""
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
    return all(_prepare(each, seen) for each in referenced_classes(table))


def _ahead(table: RecordTable) -> dict[str, bool]:
    """Returns a dict: field that the generated writer computes with first -> whether it uses the elements."""
    places = {field.name: number for number, field in enumerate(table.steps)}
    for number, field in enumerate(table.steps):
        for word, name in field.before:
            places[name] = min(places[name], number) if word == "derive" else places[name]
    found: dict[str, bool] = {}
    for field in table.steps:
        # Fixed-width fields may be written in one step with later fields, so they do not count as written yet.
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
    """Yields (name, whether more than its length is used) of a field's inputs that are not checked in time."""
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


def check_plain_fields(record: Any) -> None:
    """Raises NotPlainValueError unless the fields used first are plain, and their elements if those are used."""
    for name, by_element in record._ahead.items():
        value = getattr(record, name, None)
        if not is_plain(value) and not (is_plain_list(value) if by_element else type(value) in (list, tuple)):
            raise NotPlainValueError
