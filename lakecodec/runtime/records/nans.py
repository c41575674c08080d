"""Floats of two and four bytes that are no numbers: the struct module makes quiet ones of those that signal."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import isnan
from operator import ne
from typing import Any

#: By format: that of an integer of the same width, the bits of the fraction, and those that it has less than a double's.
_FORMS = {"e": ("H", 10, 42), "f": ("I", 23, 29)}
FLOATS = frozenset(_FORMS)


def unpacked(code: str, buf: Any, pos: int) -> float:
    """Returns the float at a position, a NaN with all of its bits; ``code`` is byte order and format."""
    value: float = struct.unpack_from(code, buf, pos)[0]
    if value == value:
        return value
    whole, fraction, missing = _FORMS[code[1]]
    bits = struct.unpack_from(code[0] + whole, buf, pos)[0]
    sign, kept = bits >> (struct.calcsize(whole) * 8 - 1), bits & (1 << fraction) - 1
    made: float = struct.unpack("<d", struct.pack("<Q", sign << 63 | 0x7FF << 52 | kept << missing))[0]
    return made


def packed(code: str, value: Any) -> bytes:
    """Returns the bytes of a float, of a NaN those that `unpacked` made it of; errors as of the struct module."""
    if not isinstance(value, float) or not isnan(value):
        return struct.pack(code, value)
    whole, fraction, missing = _FORMS[code[1]]
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    kept = bits >> missing & (1 << fraction) - 1 or 1 << (fraction - 1)
    exponent = (1 << (struct.calcsize(whole) * 8 - 1 - fraction)) - 1 << fraction
    return struct.pack(code[0] + whole, bits >> 63 << (struct.calcsize(whole) * 8 - 1) | exponent | kept)


def has_nan(values: Sequence[Any]) -> bool:
    """Returns whether floats among the values are no numbers: they are not equal to themselves."""
    return any(map(ne, values, values))
