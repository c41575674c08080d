"""The least and the greatest of consecutive texts, each with its size in the four bytes before it."""

from __future__ import annotations

from typing import Any

from .native import load


def _ends(data: Any, count: int) -> tuple[int, int, int, int, int]:
    """Returns position and size of the least text, of the greatest text, and the size of all texts in bytes.

    Raises:
        ValueError: the data is not the given number of texts.
    """
    view, at, total = memoryview(data), 0, 0
    if count < 1:
        raise ValueError("count: a text is needed")
    least = greatest = (b"", 0)
    for number in range(count):
        size, at = int.from_bytes(view[at : at + 4], "little"), at + 4
        text = bytes(view[at : at + size])
        if at + size > len(view):
            raise ValueError("data: it does not have this number of texts")
        least = (text, at) if number == 0 else min(least, (text, at), key=lambda each: each[0])
        greatest = (text, at) if number == 0 else max(greatest, (text, at), key=lambda each: each[0])
        total, at = total + size, at + size
    if at != len(view):
        raise ValueError("data: it does not have this number of texts")
    return least[1], len(least[0]), greatest[1], len(greatest[0]), total


_native = load("runtime.native.text_ends")
ends = _ends if _native is None else _native.ends
