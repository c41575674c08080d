"""Eager reading of placed fields of records inside of a value, to the depth that records may be nested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import CodecError, format_name, join_path
from ..memo import kept_with
from .coverage import origin_of
from .held import fields_with, held_classes
from .rows import RecordRow
from .values import Fields


def read_placed(value: Any, *, is_new: bool = True) -> None:
    """Reads all fields that records in a value place, up to the nesting limit; each place is read once.

    Args:
        is_new: whether nobody can have changed it, so that places need not be found from a copy that is read again.

    Raises:
        DecodeError: bytes break a rule; its path begins at the value.
    """
    pending: list[tuple[Any, str]] = [(value, "")]
    seen: set[tuple[Any, ...]] = set()
    while pending:
        record, path = pending.pop()
        is_placing = hasattr(record, "_placed")
        if is_placing:
            # Places can form cycles, which are followed once.
            key = type(record), id(origin_of(record._source)), record._begin, record._size
            if key in seen:
                continue
            seen.add(key)
            if is_new:
                record._original = record
        try:
            for name in _placing_fields(type(record)):
                pending += _records(getattr(record, name, None), join_path(path, name))
        except CodecError as error:
            error.path, error.format = join_path(path, error.path), format_name(type(value))
            raise
        finally:
            if is_placing and is_new:
                record._original = None


def holds_places(cls: Any) -> bool:
    """Returns whether instances of a class can contain placed fields."""
    found = cls._placeless is not cls and bool(_placing_fields(cls))
    if not found:
        cls._placeless = cls
    return found


def _records(found: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(found, Fields):
        yield found, path
    elif isinstance(found, list) and isinstance(next((item for item in found if item is not None), None), Fields):
        yield from ((item, f"{path}[{number}]") for number, item in enumerate(found) if item is not None)


@kept_with
def _placing_fields(cls: Any) -> Sequence[str]:
    """Returns the fields of a class that can contain placed fields."""
    if hasattr(cls, "_placed"):
        return tuple(cls._given)
    return fields_with(cls, _places)


@kept_with
def is_flat(cls: Any) -> bool:
    """Returns whether it is known of the values inside of a record that they place nothing, and that messages are none of them,
    which have other forms.
    """
    return not _has_other_forms(cls) and not fields_with(cls, lambda each: _places(each) or _has_other_forms(each))


def _has_other_forms(cls: Any) -> bool:
    """Returns whether messages are among the fields of a class itself, or may be, since no table has these fields."""
    steps = [row.step for row in cls.__rows__.values() if isinstance(row, RecordRow)]
    return any(
        not step or step.get("type") == "struct" or (cls._body is None and "target" not in step) for step in steps
    )


@kept_with
def computes_fields(cls: Any) -> bool:
    """Returns whether writing computes fields of the values that instances of a class can contain, or their places."""
    return any(_places(each) or any(map(_is_computed, each.__rows__.values())) for each in held_classes(cls))


@kept_with
def computes_given(cls: Any) -> bool:
    """Returns whether writing computes fields of such values that callers can set: settled ones, and those with offsets."""
    return any(_is_settable(row) for each in held_classes(cls) for row in each.__rows__.values())


def _is_settable(row: Any) -> bool:
    return isinstance(row, RecordRow) and bool(row.settled or getattr(row, "offset", None))


def _is_computed(row: Any) -> bool:
    return isinstance(row, RecordRow) and (row.hidden or row.settled)


def _places(cls: Any) -> bool:
    return hasattr(cls, "_placed")
