"""Attributes of many records at once."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from . import record_backend


def attributes(records: list[Any], path: str) -> list[Any]:
    """What ``path``, names joined by points, leads to from each record.

    Raises:
        AttributeError: a record has no such attribute.
    """
    return _attributes(records, path)


def pure_attributes(records: list[Any], path: str) -> list[Any]:
    """As `attributes`, without the native backend."""
    return list(map(attrgetter(path), records))


_attributes = pure_attributes if record_backend.native is None else record_backend.native.attributes
