"""Rules that encoded columns can break, numbered as in ``native/columns/column.h``; both backends use the same messages."""

from __future__ import annotations

from enum import IntEnum

from ..errors import DecodeError


class Rule(IntEnum):
    NULLS = 1
    COUNT = 2
    CODES = 3
    TRUNCATED = 4
    LEFTOVER = 5
    PREFIX = 6
    BOUNDS = 7
    TEXT = 8
    BOOLEAN = 9
    OVERFLOW = 10
    CODE = 11
    LIMIT = 12
    OFFSETS = 13


TEXTS = {
    Rule.NULLS: "the null bitmap has another number of rows than the column",
    Rule.COUNT: "there are more or fewer values than rows that are not null",
    Rule.CODES: "there are more or fewer indexes than rows that are not null",
    Rule.TRUNCATED: "the bytes end within the values",
    Rule.LEFTOVER: "bytes are left over after the last value",
    Rule.PREFIX: "a length is longer than 32 bits",
    Rule.TEXT: "the text is not valid UTF-8",
    Rule.BOOLEAN: "a boolean is neither 0 nor 1",
    Rule.OVERFLOW: "a number is outside 64 bits",
    Rule.CODE: "an index is outside the dictionary",
    Rule.LIMIT: "the columns take more memory than the limit beyond the bytes that hold them",
    Rule.OFFSETS: "the column takes more bytes than 32-bit offsets hold",
}


class ColumnError(DecodeError):
    """The error for bytes of a column that break a rule.

    Attributes:
        request: index of the column among those that were decoded together.
    """

    request: int = 0


def broken(rule: int, offset: int | None, bounds: str = "", request: int = 0) -> ColumnError:
    """Returns the error for a rule; ``bounds`` is the text for Rule.BOUNDS, which depends on the layout."""
    error = ColumnError(bounds if rule == Rule.BOUNDS else TEXTS[Rule(rule)], offset=offset)
    error.request = request
    return error
