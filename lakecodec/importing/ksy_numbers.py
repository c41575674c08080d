"""The names of Kaitai Struct's numbers."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"([usf])([1248])(le|be)?")
_BITS = re.compile(r"b(\d+)(le|be)?")


def number_of(name: str) -> tuple[str, str] | None:
    """Returns (type of the IDL; `le`, `be` or empty) of a number's type; None for others."""
    match = _NUMBER.fullmatch(name)
    if match is None or (match[1] == "f" and match[2] not in "48"):
        return None
    return f"{'i' if match[1] == 's' else match[1]}{8 * int(match[2])}", match[3] or ""


def bits_of(name: str) -> tuple[int, str] | None:
    """Returns (width; `le`, `be` or empty) of a type of bits; None for others."""
    match = _BITS.fullmatch(name)
    return None if match is None else (int(match[1]), match[2] or "")
