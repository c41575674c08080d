"""Columns of all layouts, and what a profile says of them, by encoding one value after the other."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.runtime.columns import Bits, Profile, ValueLayout
from tests.runtime.columns.shapes import BOOLEAN, BYTES, INTEGER, NANOS, PAIR, TEXT, number, prefixed, shortest

UNLIMITED = 1 << 30


def signed(width: int) -> Callable[[int], bytes]:
    return lambda value: value.to_bytes(width, "big", signed=True)


#: Arrow type, layout, values that storage may hold, what each is encoded as.
SHAPES: dict[str, tuple[Any, ValueLayout, list[Any], Callable[[Any], bytes]]] = {
    "bool": (pa.bool_(), BOOLEAN, [False, True], lambda v: bytes([v])),
    "int8": (pa.int8(), number(1), [-128, -1, 0, 1, 127], signed(1)),
    "int16": (pa.int16(), number(2), [-(2**15), -1, 0, 258, 2**15 - 1], signed(2)),
    "int32": (pa.int32(), number(4), [-(2**31), -1, 0, 0x01020304, 2**31 - 1], signed(4)),
    "int64": (pa.int64(), number(8), [-(2**63), -1, 0, 0x0102030405060708, 2**63 - 1], signed(8)),
    "int32 little": (pa.int32(), number(4, False), [-1, 0x01020304], lambda v: struct.pack("<i", v)),
    "float32": (pa.float32(), number(4), [0.0, -0.0, 1.5, math.nan, math.inf], lambda v: struct.pack(">f", v)),
    "float64": (pa.float64(), number(8), [0.0, -0.0, 0.1, math.nan, -math.inf], lambda v: struct.pack(">d", v)),
    "small decimal": (pa.decimal128(18, 0), number(8), [-(10**18) + 1, -1, 0, 10**18 - 1], signed(8)),
    "decimal": (
        pa.decimal128(38, 0),
        INTEGER,
        [0, -1, 127, 128, -128, -129, 255, 2**63 - 1, 2**63, -(2**63), 2**64, 10**38 - 1, 1 - 10**38],
        shortest,
    ),
    "nanoseconds": (
        pa.timestamp("ns", "UTC"),
        PAIR,
        [-(2**63), -NANOS, -1, 0, 1, NANOS - 1, NANOS, 2**63 - 1],
        lambda v: struct.pack(">qi", v // NANOS, v % NANOS),
    ),
    "text": (pa.string(), TEXT, ["", "a", "é" * 70, "x" * 16, "x" * 17, "y" * 130], lambda v: prefixed(v.encode())),
    "bytes": (pa.binary(), BYTES, [b"", b"\xff", b"\0" * 8, b"\0" * 9, b"z" * 127, b"z" * 20000], prefixed),
}
FRESH: dict[str, Callable[[random.Random], Any]] = {
    "int16": lambda r: r.randrange(-(2**15), 2**15),
    "int32": lambda r: r.randrange(-(2**31), 2**31),
    "int64": lambda r: r.randrange(-(2**63), 2**63),
    "int32 little": lambda r: r.randrange(-(2**31), 2**31),
    "float64": lambda r: r.random(),
    "small decimal": lambda r: r.randrange(-(10**17), 10**17),
    "decimal": lambda r: r.randrange(-(10 ** r.randrange(1, 38)), 10 ** r.randrange(1, 38)),
    "nanoseconds": lambda r: r.randrange(-(2**62), 2**62),
    "text": lambda r: "".join(r.choices("abö€", k=r.randrange(40))),
    "bytes": lambda r: r.randbytes(r.randrange(40)),
}


def to_array(values: list[Any], type: Any) -> pa.Array:
    if pa.types.is_decimal(type):
        return pa.array([None if v is None else Decimal(v) for v in values], type)
    if pa.types.is_timestamp(type):
        return pa.array(values, pa.int64()).cast(type)
    return pa.array(values, type)


def chunked(values: list[Any], type: Any, rng: random.Random) -> list[pa.Array]:
    """The values in chunks: some sliced out of longer arrays, some empty."""
    chunks, at = [], 0
    while at < len(values) or not chunks:
        step = rng.choice([0, 1, 7, 8, 9, 63, 64, 65, 300, len(values)])
        part = values[at : at + step]
        before, after = (rng.choice([[], [None], part[:3], part[:1] * 9]) for _ in range(2))
        chunks.append(to_array([*before, *part, *after], type).slice(len(before), len(part)))
        at += step
    return chunks


def check(found: Profile, values: list[Any], encode: Callable[[Any], bytes], entries: int, nbytes: int) -> None:
    """Everything that a profile says, against the encoded values one by one."""
    live = [encode(v) for v in values if v is not None]
    distinct = list(dict.fromkeys(live))
    assert (found.rows, found.live, found.nbytes) == (len(values), len(live), sum(map(len, live)))
    assert found.constant == (len(distinct) == 1)
    assert found.plain().to_bytes() == b"".join(live)
    assert len(found.plain()) == len(live)
    assert found.nulls() == (Bits.pack([v is None for v in values], 1) if None in values else None)
    if live:
        assert found.first().to_bytes() == live[0]
    limited = len(distinct) > entries or (found.layout.width in (0, 12) and sum(map(len, distinct)) > nbytes)
    assert found.entries == (None if limited else len(distinct))
    if limited:
        assert found.entries_nbytes == 0
        with pytest.raises(ValueError, match=r"^dictionary: there are more distinct values than the limits allow"):
            found.dictionary()
    else:
        table, codes = found.dictionary()
        assert (table.to_bytes(), len(table)) == (b"".join(distinct), len(distinct))
        assert found.entries_nbytes == len(table.to_bytes())
        number_of = {value: code for code, value in enumerate(distinct)}
        assert codes == Bits.pack([number_of[value] for value in live], max(0, len(distinct) - 1).bit_length())
