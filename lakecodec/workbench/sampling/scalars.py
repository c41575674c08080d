"""Numbers, texts and bytes, with their bounds."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Hashable, Iterable

from .choices import Choices

#: The option that stands for any value between the bounds. Other options are values.
_ANY = "any"
#: A length whose varint takes two bytes.
_LONG = 130
_FLOAT_CODES = {2: "e", 4: "f", 8: "d"}
#: Bit patterns of floats at the edges, by size in bytes: largest, smallest normal, smallest subnormal, infinity.
_FLOAT_EDGES = {
    2: (0x7BFF, 0x0400, 0x0001, 0x7C00),
    4: (0x7F7FFFFF, 0x00800000, 0x00000001, 0x7F800000),
    8: (0x7FEFFFFFFFFFFFFF, 0x0010000000000000, 0x0000000000000001, 0x7FF0000000000000),
}
#: Characters of 1, 2, 3 and 4 bytes in UTF-8.
_CHARACTERS = ("a", "é", "€", "🙂")
#: A text of more than `_SHORT` bytes has letters, then `_MIXED` bytes of any characters.
_SHORT, _MIXED = 16, 8
#: One letter per byte value.
_LETTERS = bytes(ord("a") + byte % 26 for byte in range(256))


def bounds(bits: int, signed: bool) -> tuple[int, int]:
    """Returns the smallest and the largest integer of so many bits."""
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def integer(choices: Choices, key: Hashable, bits: int, signed: bool, wanted: Iterable[int] = ()) -> int:
    """Returns an integer: one that the declaration itself names (``wanted``), a bound, or any other."""
    low, high = bounds(bits, signed)
    named = [each for each in dict.fromkeys((*wanted, 0, 1, low, high)) if low <= each <= high]
    chosen = choices.pick(key, [*named, _ANY])
    if isinstance(chosen, int):
        return chosen
    # All magnitudes are equally likely, so that short forms occur as often as long ones.
    width = choices.integer(1, bits)
    return choices.integer(max(low, -(1 << width)), min(high, 1 << width))


def floating(choices: Choices, key: Hashable, size: int) -> float:
    """Returns a float of a number of bytes that a reader gives back as equal, so never NaN."""
    edges = [edge | sign << size * 8 - 1 for edge in (*_FLOAT_EDGES[size], 0) for sign in (0, 1)]
    pattern = choices.pick(key, [*edges, _ANY])
    if not isinstance(pattern, int):
        return choices.integer(-1000, 1000) / 8
    found: float = struct.unpack(f"<{_FLOAT_CODES[size]}", pattern.to_bytes(size, "little"))[0]
    return found


def text(choices: Choices, key: Hashable, size: int | None = None) -> str:
    """Returns a text; ``size`` is that of its UTF-8 form in bytes."""
    left = choices.pick(key, [3, 0, 1, 9, _LONG]) if size is None else size
    letters = left - _MIXED if left > _SHORT else 0
    found = choices.data(letters).translate(_LETTERS).decode() if letters else ""
    left -= letters
    while left > 0:
        size_of = choices.pick((key, "character"), range(1, min(left, len(_CHARACTERS)) + 1))
        found += _CHARACTERS[size_of - 1]
        left -= size_of
    return found


def raw(choices: Choices, key: Hashable, size: int | None = None) -> bytes:
    """Returns bytes."""
    return choices.data(choices.pick(key, [3, 0, 1, 17, _LONG]) if size is None else size)


def identifier(choices: Choices) -> uuid.UUID:
    return uuid.UUID(bytes=choices.data(16))
