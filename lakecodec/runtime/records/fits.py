"""Checks of values against their types, with the errors."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from operator import index as as_integer
from typing import Any

from ..errors import EncodeError

#: The exceptions of the struct module for values that do not fit.
NOT_PACKED = (struct.error, OverflowError, TypeError)
#: Per format of a float the bits of integers that it always holds.
REALS = {"e": 11, "f": 24, "d": 53}


def mistyped(needed: str, value: Any) -> EncodeError:
    """Returns the error for a value of the wrong type; ``needed`` is a text such as `an int is` or `bytes are`."""
    found = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    return EncodeError(f"the value does not fit its type: {needed} needed, not {found}")


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
    """Returns the broken rule (type or range) for a value that the struct module's ``code`` refuses, or that `rounds`."""
    bits = 8 * struct.calcsize("<" + code)
    if code not in REALS:
        return integer_error(value, bits, code.islower())
    if not hasattr(value, "__float__"):
        return mistyped("a float is", value).rule
    try:
        is_rounded = rounds(code, value)
    except NOT_PACKED:
        is_rounded = False
    wrong = f"is beyond {bits} bits"
    if is_rounded:
        wrong = f"would be rounded by a float of {bits} bits: the nearest is {int(_stored(code, as_integer(value)))}"
    return f"the value does not fit its type: {value!r} {wrong}"


def rounds(code: str, value: Any) -> bool:
    """Returns whether a float of the struct module's ``code`` holds another number than an integer that is given for it."""
    if code not in REALS or isinstance(value, float) or not hasattr(value, "__index__"):
        return False
    number = as_integer(value)
    if abs(number) >> REALS[code] == 0:
        return False
    return bool(_stored(code, number) != number)


def round_some(code: str, values: Sequence[Any]) -> bool:
    """Returns whether `rounds` says so of a value."""
    may_round = any(hasattr(each, "__index__") for each in {*map(type, values)})
    return may_round and any(rounds(code, value) for value in values)


def _stored(code: str, number: int) -> Any:
    return struct.unpack(f"<{code}", struct.pack(f"<{code}", number))[0]


def integer_error(value: Any, bits: int, signed: bool) -> str:
    """Returns the broken rule (type or range) for a value that is not an integer of a number of bits."""
    if not hasattr(value, "__index__"):
        return mistyped("an int is", value).rule
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return f"the value does not fit its type: {value} is not from {low} to {high}"
