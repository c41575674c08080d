"""Interface of the row kernels: the shape of one cell of a row, and the location of a column's values in memory.

A row is a sequence of cells. ``Cell`` is the shape of one of them and fixed for a converter; ``Source`` has the values
of one column and is made for every call. Both backends (``pure_write``/``pure_read`` and the compiled modules) take
nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Offsets: TypeAlias = NDArray[np.int64]


class Kind(IntEnum):
    """Framing of a cell: how its bytes are found and bounded."""

    FIXED = 0  # present byte, then a payload of `width` bytes
    BLOCKS = 1  # empty byte, or filled byte and blocks with trailers
    RAW = 2  # ready bytes, copied
    LIST = 3  # every item a filled BLOCKS value, then the empty byte
    SEQUENCE = 4  # every item a `more` byte and its ready bytes, then the `end` byte
    TERMINATED = 5  # every byte plus `shift`, then the `end` byte
    COUNTED = 6  # a length, then the bytes


class Payload(IntEnum):
    """Transform from a value of 1, 2, 4 or 8 bytes to the payload of a FIXED cell; COPY takes any width unchanged."""

    UNSIGNED = 0
    SIGNED = 1
    FLOAT = 2
    CANONICAL_FLOAT = 3  # -0.0 as 0.0, every NaN as the positive quiet one
    OUTSIDE_FLOAT = 4  # -0.0 as 0.0, every NaN next to the nulls
    COPY = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """The shape of one cell.

    Attributes:
        kind, payload: see ``Kind`` and ``Payload``.
        width: payload bytes of a FIXED cell, 0 for a bare present byte.
        present: byte before a FIXED payload, -1 where the payload's first byte tells nulls apart.
        null: byte of a null; -1 where a null has no bytes or cannot occur.
        invert: payload, marks, blocks and trailers are XORed with FF (never the null byte or the present byte).
        narrow: blocks of 8 bytes before the blocks of 32.
        empty, filled, more, end: marks, not yet inverted.
        shift: added to every byte of a TERMINATED value.
        nan_last: OUTSIDE_FLOAT puts NaN after the values instead of before them.
        text: values are checked as UTF-8 when they are read.
        wide: read values get 64-bit offsets.
    """

    kind: Kind
    payload: Payload = Payload.COPY
    width: int = 0
    present: int = -1
    null: int = -1
    invert: bool = False
    narrow: int = 0
    empty: int = 1
    filled: int = 2
    more: int = 0
    end: int = 0
    shift: int = 0
    nan_last: bool = True
    text: bool = False
    wide: bool = True


@dataclass(slots=True)
class Source:
    """Values of one column, ``n`` of them, as raw memory without copies where Arrow's layout allows it.

    Attributes:
        data: FIXED: n * width bytes. Others: the bytes that ``starts`` and ``ends`` (or ``items``) point into.
        starts, ends: n positions each, int32 or int64 alike; bytes in ``data`` or, for LIST and SEQUENCE, item numbers.
        items: LIST and SEQUENCE: int64 positions in ``data``, one more than there are items.
        valid: Arrow validity bitmap or None, ``bit`` the bit of the first value.
    """

    data: Bytes
    starts: NDArray[Any] | None = None
    ends: NDArray[Any] | None = None
    items: Offsets | None = None
    valid: Bytes | None = None
    bit: int = 0


@dataclass(slots=True)
class Column:
    """Values of one cell, read from every row.

    Attributes:
        data: FIXED: n * width bytes, zero under nulls. Others: the values or items, one after another.
        offsets: n + 1 positions in ``data`` (int32, or int64 when the cell is wide); of items for LIST.
        items: LIST: int64 positions in ``data``, one more than there are items.
        valid: Arrow validity bitmap, None when there is no null.
        nulls: number of nulls.
    """

    data: Bytes
    offsets: NDArray[Any] | None = None
    items: Offsets | None = None
    valid: Bytes | None = None
    nulls: int = 0


class CellError(Exception):
    """Raised for a row that breaks a rule: row number, byte offset in the row, and index of the rule in ``RULES``."""

    def __init__(self, row: int, offset: int, rule: int) -> None:
        super().__init__(row, offset, rule)
        self.row = row
        self.offset = offset
        self.rule = rule


RULES = (
    "no error",
    "the row ends inside a cell",
    "bytes are left after the last cell",
    "the byte before a value must be its present byte or the null byte",
    "a null fixed-width value is padded with zeros",
    "a variable-width value starts with its empty, filled or null byte",
    "a block's trailer is 1 to the block's size, or FF",
    "the last block is padded with zeros",
    "text is valid UTF-8",
    "a byte of the value is out of range",
    "a list's items follow each other up to the terminator",
    "a length is written in its shortest form",
    "a null value's children are null",
    "the length table of a list fits its bytes",
    "a list item takes all the bytes that are its own",
    "the key is not in the dictionary of this converter",
    "the type id is one of the union's",
    "a null is not allowed here",
)

(
    _,
    TRUNCATED,
    LEFTOVER,
    SENTINEL,
    NULL_PADDING,
    MARK,
    TRAILER,
    PADDING,
    UTF8,
    RANGE,
    LIST_ITEMS,
    SHORTEST,
    NULL_CHILD,
    LENGTH_TABLE,
    ITEM_LEFTOVER,
    UNKNOWN_KEY,
    TYPE_ID,
    NO_NULL,
) = range(len(RULES))
