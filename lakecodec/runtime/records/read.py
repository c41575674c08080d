"""Functions and errors that readers of records share."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import Any

from ..declaration import Use
from ..errors import CodecError, DecodeError
from ..limits import MAX_EMPTY

#: Exceptions of a generated reader for invalid bytes or for values computed from them.
UNREADABLE = (
    CodecError,
    ArithmeticError,
    AttributeError,
    BufferError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)

#: The suffix of an error's rule if its offset counts bytes that a codec decoded.
OF_DECODED = " (the offset counts decoded bytes)"
#: The nesting limit of records and variants whose type can contain itself.
MAX_DEPTH = 192


def decoded(codecs: Sequence[Any], data: Any, pos: int) -> Any:
    """Returns ``data`` decoded by codecs (objects, or uses of declared ones), the last one first.

    Raises:
        DecodeError: a codec refuses the bytes; the offset is ``pos``.
    """
    try:
        for codec in reversed(codecs):
            data = (codec.decoder() if isinstance(codec, Use) else codec).decode(data)
    except DecodeError as error:
        error.offset = pos
        raise
    return data


def refused(rule: str, pos: int) -> DecodeError:
    """Returns a DecodeError with the broken rule and the offset ``pos``."""
    return DecodeError(rule, offset=pos)


def unequal(rule: str, one: Any, other: Any) -> str:
    """Returns a rule about two equal numbers with those that are not."""
    return f"{rule}: {one} is not {other}"


def short(buf: Any, pos: int, needed: int) -> DecodeError:
    """Returns the DecodeError for ``needed`` bytes at ``pos`` of which ``buf`` has fewer."""
    left = len(buf) - pos
    rule = f"unexpected end: {needed} {'byte' if needed == 1 else 'bytes'} needed"
    # Of a negative size no bytes are missing, however many are left.
    rule += f", {left} left" if needed >= 0 else ""
    return missing(DecodeError(rule, offset=pos), needed - left)


def missing(error: DecodeError, count: int) -> DecodeError:
    """Returns an error with the least number of bytes that are missing behind the span, for readers of streams."""
    if count > 0:
        error.missing = count  # type: ignore[attr-defined]
    return error


def reason(error: Exception) -> str:
    """Returns the reason why an expression has no value, in the declaration's words."""
    if isinstance(error, RecursionError):
        return "calls of functions are nested too deep"
    text = str(error)
    if isinstance(error, OverflowError):
        return "a number that it is made of is too large"
    if isinstance(error, IndexError) and text.endswith("out of range"):
        return "a list that it is made of has too few elements"
    if isinstance(error, TypeError | AttributeError) and "'NoneType'" in text:
        return "a value that it is made of is None; set that one, or ask for it with present()"
    if isinstance(error, AttributeError) and error.name in getattr(type(error.obj), "__rows__", ()):
        return f"a value that it is made of, {type(error.obj).__name__}, has no '{error.name}', which was deleted"
    for pattern, said in _PYTHONS:
        if (found := pattern.search(text)) is not None:
            return found.expand(said)
    return "a value that it is made of has the wrong type" if isinstance(error, TypeError) else text


#: Python's messages about values of wrong types, and the messages that replace them.
_PYTHONS = (
    (re.compile(r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'"), r"'\1' cannot compare \2 and \3"),
    (re.compile(r"operand type\(s\) for (\S+?)=?: '(\w+)' and '(\w+)'"), r"'\1' cannot take \2 and \3"),
    (re.compile(r"bad operand type for unary (\S+): '(\w+)'"), r"'\1' cannot take \2"),
    (
        re.compile(r"'(\w+)' (?:object )?has no attribute 'encode'"),
        r"a value that it is made of must be a text, which \1 is not",
    ),
    (
        re.compile(r"'(\w+)' (?:object )?has no attribute '(?:tag|kind)'"),
        r"a value that it is made of must be an alternative of a variant, which \1 is not",
    ),
    (
        re.compile(r"'(\w+)' (?:object )?has no attribute '(\w+)'"),
        r"a value that it is made of must be a record with '\2', which \1 is not",
    ),
    (re.compile(r"^'(\w+)' object|object of type '(\w+)'"), r"a value that it is made of has the wrong type: \1\2"),
)


def is_short(error: Exception) -> bool:
    """Returns whether an error is an access behind the end of bytes or a memoryview."""
    return isinstance(error, IndexError) and str(error) in ("index out of range", "index out of bounds on dimension 1")


def until(buf: Any, pos: int, terminator: bytes) -> int:
    """Returns the number of bytes between ``pos`` and the next terminator.

    Raises:
        DecodeError: there is no terminator.
    """
    found: int = buf.find(terminator, pos) if buf.__class__ is bytes else _found(buf, pos, terminator)
    if found < 0:
        raise missing(DecodeError(f"the terminator {terminator!r} does not follow", offset=pos), 1)
    return found - pos


def _found(buf: Any, pos: int, terminator: bytes) -> int:
    """Returns the position of the terminator in a memoryview; -1 if there is none.

    Copies and searches growing windows.
    """
    room = 64
    while pos < len(buf):
        found = bytes(buf[pos : pos + room + len(terminator) - 1]).find(terminator)
        if found >= 0:
            return pos + found
        pos += room
        room *= 2
    return -1


def as_text(data: Any, pos: int) -> str:
    """Returns UTF-8 bytes as a str.

    Raises:
        DecodeError: the bytes are not UTF-8; the offset is ``pos``.
    """
    try:
        return str(data, "utf-8")
    except UnicodeDecodeError:
        raise not_text(pos) from None


def not_text(pos: int) -> DecodeError:
    """Returns the error of bytes that are not UTF-8."""
    return DecodeError("the text is not valid UTF-8", offset=pos)


# ---- lists ----


def bounded(count: int, smallest: int, buf: Any, pos: int, most: int = MAX_EMPTY) -> int:
    """Returns ``count``, checked against the bytes left before memory is allocated for a list.

    Raises:
        DecodeError: ``count`` elements of at least ``smallest`` bytes do not fit. Elements without bytes may be at most
            ``most`` more than the bytes left.
    """
    left = len(buf) - pos
    if not 0 <= count <= (left // smallest if smallest else left + most):
        error = DecodeError(f"{count} elements do not fit the {left} bytes left", offset=pos)
        raise missing(error, count * smallest - left)
    return count
