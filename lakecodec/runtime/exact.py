"""Numbers, texts and bytes as what they hold, whatever their classes make of them."""

from __future__ import annotations

import operator
from typing import Any


def exact(value: Any) -> Any:
    """Returns the int, float, str or bytes that an instance of a subclass holds; whatever is none of them as it is."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, bytes):
        return bytes.__getitem__(value, slice(None))
    if isinstance(value, float):
        return float.__float__(value)
    return int.__index__(value) if isinstance(value, int) and not isinstance(value, bool) else value


def exact_text(argument: str, value: Any) -> str:
    """Returns the text that an argument holds.

    Raises:
        TypeError: it is no str.
    """
    if not isinstance(value, str):
        raise TypeError(f"{argument}: a str is needed, not {type(value).__name__}")
    return str.__str__(value)


def exact_int(argument: str, value: Any) -> int:
    """Returns the int that an argument holds, or stands for by its ``__index__``.

    Raises:
        TypeError: it is no integer.
    """
    if not hasattr(type(value), "__index__"):
        raise TypeError(f"{argument}: an int is needed, not {type(value).__name__}")
    return int.__index__(operator.index(value))
