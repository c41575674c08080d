"""Attributes of many records at once, and what is known of records that are equal."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from . import backend as record_backend


def attributes(records: list[Any], path: str) -> list[Any]:
    """What ``path``, names joined by points, leads to from each record.

    Raises:
        AttributeError: a record has no such attribute.
    """
    return _attributes(records, path)


def pure_attributes(records: list[Any], path: str) -> list[Any]:
    """As `attributes`, without the native backend."""
    return list(map(attrgetter(path), records))


def likeness(record: Any) -> Any:
    """What a record has in common with those that are equal to it, and with no others: a key of dicts.

    None for records that have more than numbers, texts and bytes.
    """
    cls = type(record)
    values = [getattr(record, name, record) for name in cls._given]
    if len(values) > _MOST_FIELDS or not all(value is None or type(value) in _PLAIN for value in values):
        return None
    return (cls, *values) if values else cls


def of_alike(records: list[Any], known: dict[Any, Any]) -> list[Any]:
    """What ``known`` has for the `likeness` of each record, None where it has nothing."""
    return _of_alike(records, known)


def pure_of_alike(records: list[Any], known: dict[Any, Any]) -> list[Any]:
    """As `of_alike`, without the native backend."""
    return [known.get(likeness(record)) for record in records]


_MOST_FIELDS = 8
_PLAIN = {bool, bytes, float, int, str}
_of_alike = pure_of_alike if record_backend.native is None else record_backend.native.of_alike
_attributes = pure_attributes if record_backend.native is None else record_backend.native.attributes
