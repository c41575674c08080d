"""The first difference between a record and what is read from its bytes."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Any

from ..errors import DecodeError, join_path
from .values import Fields

#: Where values below hold offsets, as in `PlacedRow`: names, and indexes of elements, None for each.
_Paths = list[tuple[str | int | None, ...]]

#: Formats of the floats that may be rounded, by the type of their field.
_ROUNDING = {"f16": "<e", "f32": "<f"}


def difference(found: Any, given: Any) -> str | None:
    """Returns the path of the first difference in fields and sizes between two values; None if there is none.

    Floats may be rounded. Offsets in records with placed fields are not compared: those in memory differ from the
    written ones, or are None.
    """
    waiting: list[tuple[str, Any, Any, bool, _Paths]] = [("", found, given, True, [])]
    while waiting:
        path, found, given, exact, offsets = waiting.pop()
        inside: list[tuple[str, Any, Any, bool, _Paths]] = []
        if isinstance(found, DecodeError) or isinstance(given, DecodeError):
            is_same = type(found) is type(given)
        elif found is None or given is None:
            is_same = found is given or (given is None and () in offsets)
        elif isinstance(found, Fields):
            is_same = type(found) is type(given)
            inside = list(_fields(path, found, given, exact, offsets))
        elif isinstance(found, list | tuple):
            is_same = len(found) == len(given)
            pairs = enumerate(zip(found, given, strict=is_same))
            inside = [(f"{path}[{at}]", *pair, exact, _below(offsets, None, at)) for at, pair in pairs]
        elif isinstance(getattr(found, "count", None), int):
            # Packed numbers and encoded values, which may be given as lists.
            is_same = found == given if exact and type(found) is type(given) else len(found) == len(given)
        elif isinstance(found, bytes | str):
            is_same = found == given if exact else len(found) == len(given)
        else:
            is_same = not exact or not isinstance(found, int) or found == given
        if not is_same:
            return path
        waiting += reversed(inside)
    return None


def _fields(
    path: str, found: Any, given: Any, exact: bool, offsets: _Paths
) -> Iterator[tuple[str, Any, Any, bool, _Paths]]:
    placed = getattr(type(found), "_placed", None)
    if placed is not None:
        exact = False
        offsets = [*offsets, *(row.offset for row in placed.values() if row.offset)]
    # What is derived, and arguments, follow from these: the reader has checked it, and an object can have several arguments.
    for name in found._settable():
        is_tag = name == "tag" and found.__kind__ == "variant"
        if is_tag and given.tag is None:
            continue  # The bytes say what it is.
        inside = _value_of(found, name), _value_of(given, name)
        if inside[1] is None and _is_always_there(type(found), name):
            continue  # It is derived: the writer takes no other None.
        yield join_path(path, name), *inside, exact or is_tag, _below(offsets, name)


def _is_always_there(cls: Any, name: str) -> bool:
    """Returns whether a field has no condition; its writer takes no None."""
    row = getattr(cls, "__rows__", {}).get(name)
    return row is not None and "present" not in getattr(row, "step", {}) and not getattr(row, "optional", False)


def _value_of(record: Any, name: str) -> Any:
    """Returns the value of a field, None where it has none; the error of a placed field that cannot be read: it is written
    as it was.
    """
    try:
        return getattr(record, name, None)
    except DecodeError as error:
        return error


def _below(offsets: _Paths, *steps: str | int | None) -> _Paths:
    return [each[1:] for each in offsets if each and each[0] in steps]


def reason_of(path: str, found: Any, given: Any) -> str:
    """Returns the description of a difference at a path."""
    owner, _, name = path.rpartition(".")
    here = _value_at(found, path)
    if here is None and _value_at(given, path) == []:
        return "an empty list is read as None: set None"
    if name == "tag" and _value_at(found, owner).__kind__ == "variant":
        return f"the tag is {here!r} then: set that, or None"
    return "other values are found"


def rounded_floats(value: Any, path: str) -> str:
    """Returns the words of an error for floats beside a field that are stored as other numbers than were given."""
    try:
        holder = _value_at(value, path.rpartition(".")[0])
    except (AttributeError, LookupError, TypeError):  # The bytes have other values.
        return ""
    said = ""
    for name, row in getattr(type(holder), "__rows__", {}).items():
        code, given = _ROUNDING.get(str(row.type)), _value_of(holder, name)
        if code is not None and type(given) is float and given == given:
            (stored,) = struct.unpack(code, struct.pack(code, given))
            said += f", {name} is stored as {stored!r}" if stored != given else ""
    return said


def _value_at(value: Any, path: str) -> Any:
    """Returns the value at a path."""
    for name, index in re.findall(r"(\w+)|\[(\d+)\]", path):
        value = getattr(value, name) if name else value[int(index)]
    return value
