"""Packed numbers and encoded values as fields of records."""

from __future__ import annotations

from typing import Any
from weakref import ref

from ..columns import Bits, Values, layout_of, read_values
from ..columns.bits import MAX_COUNT
from ..columns.rules import TEXTS, ColumnError, Rule
from ..errors import DecodeError, EncodeError
from .fits import mistyped
from .read import missing
from .span import Span
from .write import exactly

__all__ = ["each", "encoded", "layout_of", "packed", "read_bits", "read_encoded"]


def read_bits(span: Span, pos: int, count: int, width: int) -> tuple[Bits, int]:
    """Returns ``count`` numbers of ``width`` bits at ``pos`` of a span, and the position after them."""
    try:
        found = Bits(span.buf, pos, count, width)
    except DecodeError as error:
        if 0 <= count <= MAX_COUNT:
            raise missing(error, (count * width + 7) // 8 - (len(span.buf) - pos)) from None
        raise
    if not width:
        found.call = ref(span.whole or span)
    return found, pos + found.nbytes


def each(values: Bits) -> int:
    """Returns the count of packed numbers after counting one look at each; errors as in `Bits.look`."""
    values.look(values.count)
    return values.count


def read_encoded(buf: Any, pos: int, count: int, layout: Any) -> tuple[Values, int]:
    """Returns ``count`` encoded values at ``pos``, and the position after them."""
    if count < 0:
        raise DecodeError(f"the count {count} is negative", offset=pos)
    try:
        found = read_values(layout, buf, pos, len(buf), count)
    except ColumnError as error:
        raise missing(error, int(error.rule == TEXTS[Rule.TRUNCATED])) from None
    return found, found.end


def packed(values: Any, count: int, width: int) -> Bits:
    """Returns ``count`` numbers of ``width`` bits; a list is packed, and numbers of another width that fit are anew."""
    exactly(values, count)
    if not isinstance(values, Bits):
        return Bits.pack(values, width)
    if values.width == width:
        return values
    if values.max() >> width or values.stored() != values.to_bytes():
        raise EncodeError(f"numbers of {width} bits are needed, not of {values.width}")
    each(values)
    return Bits.pack(values.to_numpy(), width)


def encoded(values: Any, layout: Any, count: int) -> bytes:
    """Returns ``count`` encoded values of a layout."""
    if not isinstance(values, Values):
        raise mistyped("Values are", values)
    if values.layout != layout:
        raise EncodeError(f"the values are those of another type: {values.layout}, not {layout}")
    return exactly(values, count).to_bytes()  # type: ignore[no-any-return]
