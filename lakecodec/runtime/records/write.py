"""Checks and conversions of values that writers, packed columns and settings share."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any

from ..errors import EncodeError, join_path
from ..short import short
from .derived_lists import edit_of
from .fits import mistyped, other_length
from .plain_values import plain
from .rows import derived_slot, store


class _Laying(threading.local):
    """The state of the passes that find places.

    Attributes:
        is_begun: whether values are computed from places that are not all known yet.
        differs: whether a value differed from an edit in such a pass.
    """

    is_begun = False
    differs = False


_laying = _Laying()


@contextmanager
def laying_out() -> Iterator[bool]:
    """The passes that find the places of a record's fields; True for the outermost record.

    Edits are compared when all places are known: `differs_from_edits` tells whether the record must be encoded again.
    """
    is_outermost = not _laying.is_begun
    _laying.is_begun = True
    try:
        yield is_outermost
    finally:
        _laying.is_begun = not is_outermost


def differs_from_edits() -> bool:
    """Returns whether a computed value differed from an edit since the last call."""
    found, _laying.differs = _laying.differs, False
    return found


def assigned(value: Any, path: Sequence[str], new: Any) -> Any:
    """Returns a value with ``new`` at the end of an attribute path; objects on the path are copied unless nothing changes.

    Raises:
        EncodeError: the caller has set another value.
    """
    name, *behind = path
    old = getattr(value, name)
    if behind:
        try:
            made = assigned(old, behind, new)
        except EncodeError as error:
            error.path = join_path(name, error.path)
            raise
    else:
        made = new
        _compare_edited(value, name, new)
    if made is old or (not behind and type(old) is type(new) and _is_same(old, new)):
        return value
    changed = copy.copy(value)
    store(changed, name, made)
    return changed


def settled(record: Any, name: str, new: Any) -> Any:
    """Returns the new value of a field that is computed under a condition.

    Raises:
        EncodeError: the caller has set another value.
    """
    try:
        _compare_edited(record, name, new, "")
    except EncodeError:
        # Another one can be there since places were computed.
        store(record, derived_slot(name), edit_of(record, name))
        raise
    old = getattr(record, derived_slot(name))
    # A list that a caller has stays the field's, unless its values change.
    return old if _packs(old, new) or (type(new) is list is type(old) and _are_alike(old, new)) else new


def _packs(old: Any, new: Any) -> bool:
    """Returns whether packed numbers are those of a list, so that they stay with their unused bits."""
    if type(new) is not list or old is None or type(old) is list:
        return False
    from ..columns import Bits

    return isinstance(old, Bits) and list(old) == new


def _are_alike(old: list[Any], new: list[Any]) -> bool:
    """Returns whether lists of the same types are equal, other than 0.0 and -0.0."""
    return [*map(type, old)] == [*map(type, new)] and old == new and repr(old) == repr(new)


def _is_same(old: Any, new: Any) -> bool:
    """Returns whether values are equal, or both are NaN."""
    return bool(old == new or (old != old and new != new))


def _compare_edited(record: Any, name: str, new: Any, path: str | None = None) -> None:
    given = plain(edit_of(record, name))
    if given is None or _is_same(given, new):
        return
    if not _laying.is_begun:
        rule = f"{short(given)} was set, but it is computed as {short(new)}: set that, or None"
        raise EncodeError(rule, path=name if path is None else path)
    _laying.differs = True


def replaced(values: Any, index: int, item: Any) -> Any:
    """Returns a list with another element at an index: a copy unless the element is the same."""
    return values if values[index] is item else [*values[:index], item, *values[index + 1 :]]


def raw(value: Any, count: int | None = None) -> Any:
    """Returns a bytes-like value as bytes.

    Raises:
        EncodeError: it is not bytes-like, or does not have exactly ``count`` bytes if that is given.
    """
    data = value if value.__class__ is bytes else _copied(value)
    if count is not None and len(data) != count:
        raise other_length(count, "byte", len(data))
    return data


def _copied(value: Any) -> bytes:
    """Returns a copy of a bytes-like value; elements wider than a byte are refused."""
    try:
        view = memoryview(value)
    except TypeError:
        raise mistyped("bytes are", value) from None
    if view.itemsize != 1:
        raise mistyped("bytes are", value)
    return bytes(view)


def utf8(value: Any, count: int | None = None) -> bytes:
    """Returns a text as UTF-8.

    Raises:
        EncodeError: it is not a str, has a surrogate, or does not take exactly ``count`` bytes if that is given.
    """
    if not isinstance(value, str):
        raise mistyped("a str is", value)
    try:
        data = value.encode()
    except UnicodeEncodeError as error:
        rule = f"the value does not fit its type: UTF-8 has no bytes for {value[error.start]!r} at {error.start}"
        raise EncodeError(rule) from None
    if count is not None and len(data) != count:
        raise other_length(count, "byte", len(data))
    return data


def ended(data: bytes, terminator: bytes) -> bytes:
    """Returns ``data`` with its terminator appended.

    Raises:
        EncodeError: the terminator occurs earlier.
    """
    found = bytes(data) + terminator
    if found.find(terminator) != len(data):
        raise EncodeError(f"the value contains its terminator {terminator!r}")
    return found


def length(values: Any) -> int:
    """Returns the number of elements of a list or another sequence.

    Raises:
        EncodeError: it is none: a set has no order, and a mapping would lose its values.
    """
    if isinstance(values, Set | Mapping):
        raise mistyped("a list is", values)
    try:
        return len(values)
    except TypeError:
        raise mistyped("a list is", values) from None


def exactly(values: Any, count: int | None = None) -> Any:
    """Returns ``values``.

    Raises:
        EncodeError: it is not a list, or does not have exactly ``count`` elements if that is given.
    """
    found = length(values)
    if count is not None and found != count:
        raise other_length(count, "element", found)
    return values
