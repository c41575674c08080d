"""Externs of the tests of `breaking`."""

from __future__ import annotations

from lakecodec import extern_function


@extern_function
def small(number: int) -> int:
    """Returns the number; large ones are a foreign error."""
    if number > 7:
        raise KeyError("foreign")
    return number
