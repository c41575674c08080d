"""The functions of the IDL's expressions, for what a Python operator does not say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any


def count(value: Any) -> int:
    """Elements, or bytes; text counts the bytes of its UTF-8 form."""
    return len(value.encode() if isinstance(value, str) else value)


def largest(values: Any) -> Any:
    """The largest of a list, 0 where it is empty."""
    return values.max() if hasattr(values, "max") else max(values, default=0)


def smallest(values: Any) -> Any:
    """The smallest of a list, 0 where it is empty."""
    return min(values, default=0)


def total(values: Any) -> Any:
    return values.sum() if hasattr(values, "sum") else sum(values)


def unique(values: Iterable[Any]) -> bool:
    found = list(values)
    return len(set(found)) == len(found)


def ascending(values: Sequence[Any]) -> bool:
    """Whether no value is smaller than the one before; text compares as its UTF-8 form does."""
    return all(a <= b for a, b in pairwise(values))


def is_permutation(values: Sequence[int]) -> bool:
    """Whether the values are 0 to count - 1 in any order."""
    seen = bytearray(len(values))
    for value in values:
        if not 0 <= value < len(seen) or seen[value]:
            return False
        seen[value] = 1
    return True


def common_prefix(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many elements two sequences have in common at their starts."""
    most = min(len(a), len(b))
    if a[:most] == b[:most]:
        return most
    return next(place for place in range(most) if a[place] != b[place])


def item(values: Any, index: int) -> Any:
    """An element; unlike Python's, an index never counts from the end."""
    if not 0 <= index < len(values):
        raise ValueError(f"index {index} is outside the {len(values)} elements")
    return values[index]


def contains(values: Any, member: Any) -> bool:
    """Whether a collection has the member; text and bytes are looked through by the number of a character."""
    return (chr(member) if isinstance(values, str) and isinstance(member, int) else member) in values


def in_range(value: int, low: int, high: int) -> int:
    """A number that a codec computed, which must fit its type."""
    if not low <= value <= high:
        raise ValueError(f"{value} is not from {low} to {high}")
    return value


def shift_left(value: int, bits: int) -> int:
    """``value << bits``; a number from a file must not ask for more memory than numbers of formats take."""
    if not 0 <= bits <= 64:
        raise ValueError(f"a shift by {bits} bits is not from 0 to 64")
    return value << bits
