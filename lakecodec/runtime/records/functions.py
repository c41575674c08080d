"""Functions of the IDL's expressions that are not a single Python operator."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from operator import eq
from typing import Any, Literal

from .nans import packed


def count(value: Any) -> int:
    """Returns the number of elements of a list or of bytes; for text, the number of bytes of its UTF-8 form."""
    return len(value.encode() if isinstance(value, str) else value)


def largest(values: Any) -> Any:
    """Returns the largest element, 0 for an empty list."""
    return values.max() if hasattr(values, "max") else max(values, default=0)


def smallest(values: Any) -> Any:
    """Returns the smallest element, 0 for an empty list."""
    return min(_without_repeats(values), default=0)


def total(values: Any) -> Any:
    """Returns the sum of the elements."""
    return values.sum() if hasattr(values, "sum") else sum(values)


def list_of(*values: Any) -> list[Any]:
    """Returns the values as a list."""
    return list(values)


def fold(step: Callable[[int, Any], int], values: Iterable[Any], initial: int) -> int:
    """Returns the accumulator after ``step(accumulator, element)`` for each element in order.

    Raises:
        ValueError: an intermediate result does not fit a signed 64-bit integer.
    """
    total = initial
    for value in values:
        total = step(total, value)
        if not -(1 << 63) <= total < 1 << 63:
            raise ValueError(f"{total} does not fit 64 bits")
    return total


def _without_repeats(values: Any) -> Any:
    """Returns the values; of packed numbers of no bits, which are all 0, only the first two."""
    return values[:2] if getattr(values, "width", None) == 0 else values


def unique(values: Iterable[Any]) -> bool:
    """Returns whether no two values are equal."""
    found = list(_without_repeats(values))
    return len(set(found)) == len(found)


def ascending(values: Sequence[Any]) -> bool:
    """Returns whether no value is smaller than the one before; text compares as its UTF-8 form does."""
    return all(a <= b for a, b in pairwise(_without_repeats(values)))


def is_permutation(values: Sequence[int]) -> bool:
    """Returns whether the values are 0 to count - 1 in any order."""
    found = _without_repeats(values)
    seen = bytearray(len(found))
    for value in found:
        if not 0 <= value < len(seen) or seen[value]:
            return False
        seen[value] = 1
    return True


def common_prefix(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Returns the length of the longest common prefix of two sequences, in elements."""
    most = min(len(a), len(b))
    if a[:most] == b[:most]:
        return most
    return next(place for place in range(most) if a[place] != b[place])


def item(values: Any, index: int) -> Any:
    """Returns ``values[index]``.

    Raises:
        ValueError: ``index`` is negative or not below the number of elements.
    """
    if not 0 <= index < len(values):
        there = (
            f"outside the {len(values)} elements" if len(values) else "of an element that an empty list does not have"
        )
        raise ValueError(f"index {index} is {there}")
    return values[index]


def position(values: Any, wanted: Any) -> int:
    """Returns the index of the first element that equals ``wanted``.

    Raises:
        ValueError: there is none.
    """
    for index, value in enumerate(_without_repeats(values)):
        if value == wanted:
            return index
    raise ValueError(f"no element is {wanted!r}")


def crc32(data: Any) -> int:
    """Returns the CRC-32 of bytes, as in ZIP and PNG."""
    return zlib.crc32(data)


def adler32(data: Any) -> int:
    """Returns the Adler-32 of bytes, as in zlib's format."""
    return zlib.adler32(data)


#: Largest size in bytes of a number made from bytes, since the time to compute with it grows faster than its size.
MAX_NUMBER_BYTES = 1024


def big_bytes(number: int, size: int) -> bytes:
    """Returns a number as big-endian bytes; a negative one in two's complement.

    Raises:
        ValueError: it does not fit, or ``size`` is not from 0 to `MAX_NUMBER_BYTES`.
    """
    return _bytes_of(number, size, "big")


def little_bytes(number: int, size: int) -> bytes:
    """Returns a number as little-endian bytes; errors as in `big_bytes`."""
    return _bytes_of(number, size, "little")


def big_number(data: Any) -> int:
    """Returns big-endian bytes as an unsigned number.

    Raises:
        ValueError: there are more than `MAX_NUMBER_BYTES`.
    """
    return _number_of(data, "big")


def little_number(data: Any) -> int:
    """Returns little-endian bytes as an unsigned number; errors as in `big_number`."""
    return _number_of(data, "little")


def _bytes_of(number: int, size: int, order: Literal["big", "little"]) -> bytes:
    if not 0 <= size <= MAX_NUMBER_BYTES:
        raise ValueError(f"a number has 0 to {MAX_NUMBER_BYTES} bytes, not {size}")
    try:
        return number.to_bytes(size, order, signed=number < 0)
    except OverflowError:
        raise ValueError(f"{number} does not fit {size} bytes") from None


def _number_of(data: Any, order: Literal["big", "little"]) -> int:
    if len(data) > MAX_NUMBER_BYTES:
        raise ValueError(f"a number has 0 to {MAX_NUMBER_BYTES} bytes, not {len(data)}")
    return int.from_bytes(data, order)


def same_float(code: str, found: Any, wanted: Any) -> bool:
    """Returns whether floats are equal and have the same bytes, also as NaN; ``code`` is byte order and format."""
    if hasattr(found, "__len__"):
        return len(found) == len(wanted) and all(same_float(code, *pair) for pair in zip(found, wanted, strict=True))
    is_equal = found == wanted or (found != found and wanted != wanted)
    return is_equal and packed(code, found) == packed(code, wanted)


def same_elements(one: Any, other: Any) -> bool:
    """Returns whether two lists have equal elements, also where one is a tuple or packed; absent lists are equal."""
    if one is None or other is None or (type(one) is list and type(other) is list):
        return bool(one == other)
    return len(one) == len(other) and all(map(eq, one, other))


def contains(values: Any, member: Any) -> bool:
    """Returns whether a collection contains a value; for a text, an int is a code point."""
    return (chr(member) if isinstance(values, str) and isinstance(member, int) else member) in _without_repeats(values)


def member_of(enum: Any, number: Any) -> Any:
    """Returns the enum member with a number; the number itself if there is none."""
    try:
        return enum(number)
    except ValueError:
        return number


def in_range(value: int, low: int, high: int) -> int:
    """Returns ``value``.

    Raises:
        ValueError: ``value`` is not from ``low`` to ``high``, both included.
    """
    if not low <= value <= high:
        raise ValueError(f"{value} is not from {low} to {high}")
    return value


def shift_left(value: int, bits: int) -> int:
    """Returns ``value << bits``.

    Raises:
        ValueError: ``bits`` is not from 0 to 64; a number from a file must not ask for unbounded memory.
    """
    if not 0 <= bits <= 64:
        raise ValueError(f"a shift by {bits} bits is not from 0 to 64")
    return value << bits
