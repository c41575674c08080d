"""Decoding of encoded columns to Arrow arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import backend
from .layout import ValueLayout

if TYPE_CHECKING:
    from .bits import Bits
    from .values import Values

#: The largest size in bytes, per call, of results without value bytes in the input.
DEFAULT_LIMIT = 2**31


@dataclass(slots=True)
class ColumnDecode:
    """A column to decode.

    Attributes:
        layout: the layout of a value.
        arrow_type: bool, a number, date32, time32, timestamp, decimal128, string or binary that can hold it.
        rows: rows of the result.
        nulls: a bitmap with one bit per row, set for a null; None without nulls.
        values: the values of the rows that are not null; with ``codes`` the dictionary; with ``constant`` the only
            value; None where all rows are null.
        codes: a dictionary code (an index into ``values``) per row that is not null; None without a dictionary.
        constant: whether all rows that are not null have the same value.
    """

    layout: ValueLayout
    arrow_type: Any
    rows: int
    nulls: Bits | None = None
    values: Values | None = None
    codes: Bits | None = None
    constant: bool = False


def decode_columns(requests: Sequence[ColumnDecode], *, limit: int = DEFAULT_LIMIT) -> list[Any]:
    """Returns an Arrow array for each request, decoded in one call; native code releases the GIL meanwhile.

    A few bytes can stand for many rows of one value or of none. Such results must not take more than ``limit`` bytes
    together; values that lie in the input one by one do not count.

    Raises:
        ColumnError: bytes break a rule or the limit; the error has the number of the request.
        TypeError: an Arrow type cannot hold the values of its layout.
    """
    return backend.decode(requests, limit)
