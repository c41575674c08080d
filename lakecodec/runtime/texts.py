"""Functions of texts, floats and bits that IDL files name as externs."""

from __future__ import annotations

import string
from typing import Literal

from .codecs import encoding_of
from .externs import Binary, extern_function

_DIGITS = string.digits + string.ascii_uppercase
#: The most digits of a text that is read as a number.
_MOST_DIGITS = 64


@extern_function
def text_of(n: int) -> str:
    """Returns a number in decimal digits."""
    return str(int(n))


@extern_function
def digits_of(n: int, base: int, count: int) -> str:
    """Returns a number from 0 on in ``count`` digits of a base (2 to 36), with capital letters and leading zeros; of count 0 in
    as many as it has.

    Raises:
        ValueError: the number is negative, or has more digits.
    """
    if not 2 <= base <= 36 or not 0 <= count <= _MOST_DIGITS:
        raise ValueError(f"a base from 2 to 36 and up to {_MOST_DIGITS} digits are needed, not {base} and {count}")
    most = count or _MOST_DIGITS
    if not 0 <= n < base**most:
        raise ValueError(f"{n} does not fit {most} digits of base {base}")
    found = ""
    while n or len(found) < max(count, 1):
        n, digit = divmod(n, base)
        found = _DIGITS[digit] + found
    return found


@extern_function
def number_of(digits: str, base: int) -> int:
    """Returns the number of a text of digits in a base (2 to 36).

    Raises:
        ValueError: the text is not a number.
    """
    if not 2 <= base <= 36:
        raise ValueError(f"base: a number from 2 to 36 is needed, not {base}")
    if len(digits) > _MOST_DIGITS or not digits.isascii() or "_" in digits or digits != digits.strip():
        raise ValueError(f"{digits[:_MOST_DIGITS]!r} is not a number in base {base}")
    return int(digits, base)


@extern_function
def padded_number(digits: str, base: int) -> int:
    """Returns the number of digits in a base (2 to 36) with blanks and NULs around them; 0 where there is no digit.

    Raises:
        ValueError: something else stands there.
    """
    found = digits.strip(" \0")
    return number_of(found, base) if found else 0


@extern_function
def length_of(text: str) -> int:
    """Returns the number of characters of a text."""
    return len(text)


@extern_function
def reversed_text(text: str) -> str:
    """Returns a text from its last character to its first."""
    return text[::-1]


@extern_function
def part_of(text: str, begin: int, stop: int) -> str:
    """Returns the characters of a text from one index up to another.

    Raises:
        ValueError: the text has no such part.
    """
    if not 0 <= begin <= stop <= len(text):
        raise ValueError(f"a text of {len(text)} characters has none from {begin} to {stop}")
    return text[begin:stop]


@extern_function
def decoded(data: Binary, encoding: str) -> str:
    """Returns bytes as a text in an encoding.

    Raises:
        ValueError: there is no such encoding, or the bytes are not valid in it.
    """
    return str(bytes(data), encoding_of(encoding))


@extern_function
def whole_of(x: float) -> int:
    """Returns a number without its fraction."""
    return int(x)


@extern_function
def quotient_of(a: float, b: float) -> float:
    """Returns a quotient with its fraction; the IDL's `/` rounds down.

    Raises:
        ZeroDivisionError: the divisor is 0.
    """
    return a / b


@extern_function
def bits_of(data: Binary, width: int, is_big: bool) -> list[int]:
    """Returns the consecutive numbers of ``width`` bits (1 to 64) in bytes; bits left over at the end are ignored.

    Args:
        is_big: whether the first number is in the highest bits of the first byte.

    Raises:
        ValueError: the width is not from 1 to 64.
    """
    if not 1 <= width <= 64:
        raise ValueError(f"width: a number from 1 to 64 is needed, not {width}")
    order: Literal["big", "little"] = "big" if is_big else "little"
    mask = (1 << width) - 1
    found: list[int] = []
    for start in range(0, len(data), width):  # eight numbers per step
        part = data[start : start + width]
        number, count = int.from_bytes(part, order), 8 * len(part) // width
        low = 8 * len(part) - width if is_big else 0
        step = -width if is_big else width
        found += [number >> (low + step * index) & mask for index in range(count)]
    return found
