"""Layouts with the Arrow types that hold them, some values of each, and how a value is encoded."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

import pyarrow as pa

from lakecodec.runtime.columns import Bits, ColumnDecode, Kind, ValueLayout, Values

NANOS = 1_000_000
TEXT = ValueLayout(Kind.TEXT, 0)
BYTES = ValueLayout(Kind.BYTES, 0)
BOOLEAN = ValueLayout(Kind.BOOLEAN, 1)
PAIR = ValueLayout(Kind.PAIR, 12, True, NANOS, rule="the remainder is outside its range")
INTEGER = ValueLayout(Kind.INTEGER, 0, True, least=1, most=16, rule="1 to 16 bytes")
#: Bytes before and after the values, so that nothing is aligned and something follows.
BEFORE, AFTER = b"\xa5\xa5\xa5", b"\x5a" * 5


def number(width: int, big: bool = True) -> ValueLayout:
    return ValueLayout(Kind.NUMBER, width, big)


def varint(n: int) -> bytes:
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + varint(n >> 7)


def prefixed(data: bytes) -> bytes:
    return varint(len(data)) + data


def shortest(value: int) -> bytes:
    return prefixed(value.to_bytes((value if value >= 0 else ~value).bit_length() // 8 + 1, "big", signed=True))


def packed(format: str) -> Callable[[Any], bytes]:
    return lambda value: struct.pack(format, value)


@dataclass(frozen=True)
class Shape:
    """An Arrow type, the layout of its values, some of them as Arrow stores them, and how one is encoded."""

    type: Any
    layout: ValueLayout
    values: tuple[Any, ...]
    encode: Callable[[Any], bytes]

    def array(self, values: list[Any]) -> Any:
        if pa.types.is_decimal(self.type):
            exact = [
                None if value is None else Decimal(value).scaleb(-self.type.scale, Context(prec=40)) for value in values
            ]
            return pa.array(exact, self.type)
        if pa.types.is_timestamp(self.type) or pa.types.is_time(self.type) or pa.types.is_date(self.type):
            storage = pa.int32() if self.type.bit_width == 32 else pa.int64()
            return pa.array(values, storage).cast(self.type)
        return pa.array(values, self.type)

    def stored(self, values: list[Any]) -> Values:
        """The values, which are not None, with other bytes around them."""
        data = b"".join(map(self.encode, values))
        return Values(self.layout, BEFORE + data + AFTER, len(BEFORE), len(BEFORE) + len(data), len(values))


def _signed(width: int) -> tuple[int, ...]:
    top = 1 << 8 * width - 1
    return (0, 1, -1, 0x0102030405060708 % top, top - 1, -top)


FLOATS = (0.0, -0.0, 1.5, math.inf, -math.inf, 1e30)
SHAPES = {
    "bool": Shape(pa.bool_(), BOOLEAN, (False, True), lambda value: bytes([value])),
    "int8": Shape(pa.int8(), number(1), _signed(1), packed(">b")),
    "int16": Shape(pa.int16(), number(2), _signed(2), packed(">h")),
    "int32": Shape(pa.int32(), number(4), _signed(4), packed(">i")),
    "int64": Shape(pa.int64(), number(8), _signed(8), packed(">q")),
    "little": Shape(pa.int32(), number(4, big=False), _signed(4), packed("<i")),
    "float32": Shape(pa.float32(), number(4), FLOATS, packed(">f")),
    "float64": Shape(pa.float64(), number(8), FLOATS, packed(">d")),
    "date": Shape(pa.date32(), number(4), _signed(4), packed(">i")),
    "time": Shape(pa.time32("ms"), number(4), (0, 1, 86_399_999), packed(">i")),
    "millis": Shape(pa.timestamp("ms"), number(8), _signed(8), packed(">q")),
    "micros": Shape(pa.timestamp("us", "Asia/Shanghai"), number(8), _signed(8), packed(">q")),
    "nanos": Shape(
        pa.timestamp("ns", "UTC"),
        PAIR,
        (0, -1, NANOS, -NANOS, -NANOS - 1, 2**63 - 1, -(2**63)),
        lambda value: struct.pack(">qi", *divmod(value, NANOS)),
    ),
    "decimal18": Shape(pa.decimal128(18, 2), number(8), (0, 1, -1, 10**18 - 1, 1 - 10**18), packed(">q")),
    "decimal38": Shape(
        pa.decimal128(38, 3),
        INTEGER,
        (0, 1, -1, 127, 128, -128, -129, 2**63, -(2**63) - 1, 2**64, 10**38 - 1, 1 - 10**38),
        shortest,
    ),
    "string": Shape(
        pa.string(),
        TEXT,
        ("", "a", "é", "x" * 15, "y" * 16, "z" * 17, "€" * 11, "w" * 127, "𐍈" * 32, "v" * 300, "u" * 20_000),
        lambda value: prefixed(value.encode()),
    ),
    "binary": Shape(pa.binary(), BYTES, (b"", b"\xff", b"\x80" * 31, b"\0" * 32, b"q" * 33, b"r" * 129), prefixed),
}


def nulls_of(values: list[Any]) -> Bits | None:
    """The null bitmap of a column, with other bytes around it; None where it has no nulls."""
    bits = Bits.pack([value is None for value in values], 1)
    return Bits(BEFORE + bits.to_bytes() + AFTER, len(BEFORE), len(values), 1) if None in values else None


def codes_of(codes: list[int], entries: int) -> Bits:
    """Places in a dictionary, in as few bits as they need, with other bytes around them."""
    bits = Bits.pack(codes, max(entries - 1, 0).bit_length())
    return Bits(BEFORE + bits.to_bytes() + AFTER, len(BEFORE), len(codes), bits.width)


def plain(shape: Shape, values: list[Any]) -> ColumnDecode:
    live = [value for value in values if value is not None]
    return ColumnDecode(shape.layout, shape.type, len(values), nulls_of(values), shape.stored(live))


def dictionary(shape: Shape, values: list[Any]) -> ColumnDecode:
    live = [shape.encode(value) for value in values if value is not None]
    entries = list(dict.fromkeys(live))
    data = b"".join(entries)
    stored = Values(shape.layout, BEFORE + data + AFTER, len(BEFORE), len(BEFORE) + len(data), len(entries))
    codes = codes_of([entries.index(value) for value in live], len(entries))
    return ColumnDecode(shape.layout, shape.type, len(values), nulls_of(values), stored, codes)


def constant(shape: Shape, values: list[Any]) -> ColumnDecode:
    live = [value for value in values if value is not None]
    return ColumnDecode(shape.layout, shape.type, len(values), nulls_of(values), shape.stored(live[:1]), constant=True)
