"""NaNs of two and four bytes, which keep all bits here; the struct module makes signaling ones quiet."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import isnan
from operator import ne
from typing import Any

#: Per format: the integer format of the same width, the bits of the fraction, and how many fewer these are than a
#: double's.
_FORMS = {"e": ("H", 10, 42), "f": ("I", 23, 29)}
FLOATS = frozenset(_FORMS)


def unpacked(code: str, buf: Any, pos: int) -> float:
    """Returns the float at a position, with all bits of a NaN; ``code`` is byte order and format."""
    value: float = struct.unpack_from(code, buf, pos)[0]
    if value == value:
        return value
    whole, fraction, missing = _FORMS[code[1]]
    bits = struct.unpack_from(code[0] + whole, buf, pos)[0]
    sign, kept = bits >> (struct.calcsize(whole) * 8 - 1), bits & (1 << fraction) - 1
    made: float = struct.unpack("<d", struct.pack("<Q", sign << 63 | 0x7FF << 52 | kept << missing))[0]
    return made


def packed(code: str, value: Any) -> bytes:
    """Returns the bytes of a float, for a NaN those that `unpacked` read; errors as in the struct module."""
    if code[1] not in FLOATS or not isinstance(value, float) or not isnan(value):
        return struct.pack(code, value)
    whole, fraction, missing = _FORMS[code[1]]
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    kept = bits >> missing & (1 << fraction) - 1 or 1 << (fraction - 1)
    exponent = (1 << (struct.calcsize(whole) * 8 - 1 - fraction)) - 1 << fraction
    return struct.pack(code[0] + whole, bits >> 63 << (struct.calcsize(whole) * 8 - 1) | exponent | kept)


def has_nan(values: Sequence[Any]) -> bool:
    """Returns whether a value is NaN, and so not equal to itself."""
    return any(map(ne, values, values))
