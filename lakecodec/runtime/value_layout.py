"""Layouts of encoded values for the kernels: kind, width and bounds. The compiler chooses them by structure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

#: The largest length: length prefixes are unsigned varints of 32 bits.
MAX_LENGTH = 2**32 - 1
#: The largest size of an integer in bytes: integers are read into 128 bits.
MAX_INTEGER = 16


class Kind(IntEnum):
    """The kind of a value: its form in bytes."""

    NUMBER = 0  # `width` bytes
    BOOLEAN = 1  # a byte, 0 or 1
    PAIR = 2  # an i64 and an i32: a quotient, rounded down, and the remainder
    BYTES = 3  # a varint length, then bytes
    TEXT = 4  # as BYTES, in UTF-8
    INTEGER = 5  # a varint length, then a big-endian two's complement number


@dataclass(frozen=True, slots=True)
class ValueLayout:
    """The layout of values of one type: their kind, width and bounds.

    Attributes:
        kind: see ``Kind``.
        width: size of a value in bytes; 0 if sizes vary.
        big: whether numbers are big-endian.
        unit: the divisor of a PAIR.
        least, most: bounds of a prefixed value's length in bytes, without its prefix.
        rule: in words, the rule that a remainder or length out of bounds breaks.
        number: for a NUMBER, whether it is a signed ("i") or unsigned ("u") integer or a float ("f"); empty
            for any of them.
    """

    kind: Kind
    width: int
    big: bool = False
    unit: int = 0
    least: int = 0
    most: int = MAX_LENGTH
    rule: str = ""
    number: str = ""
