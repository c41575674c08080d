"""Checks of values against their types, with the errors."""

from __future__ import annotations

import struct
from operator import index as as_integer
from typing import Any

from ..errors import EncodeError

#: The exceptions of the struct module for values that do not fit.
NOT_PACKED = (struct.error, OverflowError, TypeError)


def mistyped(needed: str, value: Any) -> EncodeError:
    """Returns the error for a value of the wrong type; ``needed`` is a text such as `an int is` or `bytes are`."""
    return EncodeError(f"the value does not fit its type: {needed} needed, not {type(value).__name__}")


def of_other_class(cls: type, value: Any) -> EncodeError:
    """Returns the error for a value that is no instance of a generated class."""
    found = type(value)
    if found.__name__ != cls.__name__:
        return mistyped(f"{cls.__name__} is", value)
    where = f"{cls.__name__} of the module {cls.__module__} is needed, not that of {found.__module__}"
    return EncodeError(f"the value does not fit its type: {where}: make all objects with the classes of one module")


def other_length(needed: Any, noun: str, found: int) -> EncodeError:
    """Returns the error for a value of ``found`` bytes or elements, the ``noun``, of which exactly ``needed`` ones are."""
    if not isinstance(needed, int):
        return mistyped("an int is", needed)
    return EncodeError(
        f"{needed} {noun} is needed, not {found}" if needed == 1 else f"{needed} {noun}s are needed, not {found}"
    )


def within_bits(value: Any, bits: int, low: int = 0) -> int:
    """Returns a value as an int.

    Raises:
        EncodeError: ``value`` is not an int, is a bool, or is not in ``low`` <= value < ``low`` + 2 ** ``bits``.
    """
    try:
        number = as_integer(value)
    except TypeError:
        raise mistyped("an int is", value) from None
    if value.__class__ is bool or not low <= number < low + (1 << bits):
        raise EncodeError(f"{value!r} does not fit {bits} bits")
    return number


def number_error(code: str, value: Any) -> str:
    """Returns the broken rule (type or range) for a value that the struct module's ``code`` refuses."""
    bits = 8 * struct.calcsize("<" + code)
    found = type(value).__name__
    if code in "efd":
        wrong = (
            f"a float is needed, not {found}" if not hasattr(value, "__float__") else f"{value!r} is beyond {bits} bits"
        )
    else:
        return integer_error(value, bits, code.islower())
    return f"the value does not fit its type: {wrong}"


def integer_error(value: Any, bits: int, signed: bool) -> str:
    """Returns the broken rule (type or range) for a value that is not an integer of a number of bits."""
    if not hasattr(value, "__index__"):
        return mistyped("an int is", value).rule
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return f"the value does not fit its type: {value} is not from {low} to {high}"
