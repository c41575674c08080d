"""Attributes of many records at once, and look-ups by the value of records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from . import backend as record_backend


def attributes(records: list[Any], path: str, positions: Sequence[int] | None = None) -> list[Any]:
    """Returns the values of an attribute path (names joined by dots), one per record, or one per record at some
    positions.

    Raises:
        AttributeError: a record has no such attribute.
        IndexError: there is no record at a position.
    """
    return _attributes(records, path, positions)


def pure_attributes(records: list[Any], path: str, positions: Sequence[int] | None = None) -> list[Any]:
    """Returns the result of `attributes`, in pure Python."""
    return list(map(attrgetter(path), records if positions is None else map(records.__getitem__, positions)))


def structural_key(record: Any) -> Any:
    """Returns a dict key that is equal exactly for equal records.

    It is None for records with more than 8 fields, or with a field other than a number, text, bytes or None.
    """
    cls = type(record)
    values = [getattr(record, name, record) for name in cls._given]
    if len(values) > _MOST_FIELDS or not all(value is None or type(value) in _PLAIN for value in values):
        return None
    return (cls, *values) if values else cls


def by_structural_key(records: list[Any], known: dict[Any, Any], find: Callable[[Any], Any]) -> list[Any]:
    """Returns per record the item of ``known`` under its `structural_key`; if there is none, ``find(record)``."""
    return _by_structural_key(records, known, find)


def pure_by_structural_key(records: list[Any], known: dict[Any, Any], find: Callable[[Any], Any]) -> list[Any]:
    """Returns the result of `by_structural_key`, in pure Python."""
    found = (known.get(structural_key(record)) for record in records)
    return [find(record) if value is None else value for record, value in zip(records, found, strict=True)]


_MOST_FIELDS = 8
_PLAIN = {bool, bytes, float, int, str}
_by_structural_key = (
    pure_by_structural_key if record_backend.native is None else record_backend.native.by_structural_key
)
_attributes = pure_attributes if record_backend.native is None else record_backend.native.attributes
