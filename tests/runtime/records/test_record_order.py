"""Byte order by a value: numbers of all widths, lists, runs, placed fields and alternatives."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.runtime.errors import DecodeError

o: Any = compile_idl(
    """
    record File { u8 mark where mark == 1 or mark == 2 else "no byte order"; Header(mark == 2) header; }
    record Header(bool swapped) : big(swapped) {
      u16 n = count(numbers);
      i24 odd;
      u32 numbers[n];
      f64 real;
      u64 wide where wide > 1;
      u8  kind = tag(body);
      Body(kind, swapped) body;
      Table(swapped) table;
    }
    variant Body(u8 kind, bool swapped) on kind : big(swapped) { 1: SMALL { u16 v; }; else: OTHER { bytes raw[2]; }; }
    record Table(bool swapped) : big(swapped), gaps { u16 at_; u16 v at at_; }
    """,
    name="orders",
)


@pytest.mark.parametrize(("mark", "sign", "word"), [(1, "<", "little"), (2, ">", "big")])
def test_orders(mark: int, sign: str, word: Any) -> None:
    header = o.Header(odd=-2, numbers=[1, 2], real=1.5, wide=7, body=o.Body.SMALL(v=3), table=o.Table(at_=4, v=9))
    made = o.File(mark=mark, header=header)
    data = made.to_bytes()
    assert data == (
        bytes([mark]) + struct.pack(f"{sign}H", 2) + (-2).to_bytes(3, word, signed=True)
        + struct.pack(f"{sign}IIdQBH", 1, 2, 1.5, 7, 1, 3) + struct.pack(f"{sign}HHH", 4, 0, 9)
    )  # fmt: skip
    found = o.File.from_bytes(data)
    assert found == made
    assert found.header.table.v == 9
    with pytest.raises(DecodeError):
        o.File.from_bytes(bytes([3 - mark]) + data[1:])


def test_what_chooses_is_known_before() -> None:
    with pytest.raises(IdlError, match="unknown name 'mark'"):
        compile_idl("record R : big(mark == 2) { u8 mark; u16 n; }")
    with pytest.raises(IdlError, match="one byte order"):
        compile_idl("codec c(u8 x) -> i32 { u16 n = value; } value = n; record R(bool b) : big(b) { i32 v via c(1); }")
