"""Bytes of fields as a value: checksums over them; padding; the place of a value in a list."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.runtime.errors import DecodeError, EncodeError

c: Any = compile_idl(
    """
    record Chunk : big {
      u32   length = count(data);
      bytes kind[4];
      bytes data[length];
      u32   crc = crc32(encoded(kind, data)) else "the checksum differs";
    }
    record Headed : little {
      u32   sum = adler32(encoded(n, items));
      u8    n = count(items);
      Item  items[n];
      u8    after;
    }
    record Item { u8 n = count(v); utf8 v[n]; }
    record Padded : little {
      u8    n = count(text);
      utf8  text[n];
      bytes pad[padding(8)] = 0 else "the padding is not zero";
      u32   x;
      bytes free[padding(4)];
    }
    record Two : little { u8 head; Padded a; Padded b; }
    record Pairs { u8 n = count(keys); Item keys[n]; u8 values[n]; u8 wanted where wanted == values[position(keys.v, "x")]; }
    """,
    name="checksums",
)


def test_checksum_of_a_png_chunk() -> None:
    made = c.Chunk(kind=b"IEND", data=b"")
    assert made.to_bytes() == bytes.fromhex("0000000049454e44ae426082")
    assert made.crc == 0xAE426082
    found = c.Chunk.from_bytes(made.to_bytes())
    assert (found, found.crc) == (made, made.crc)
    for place in range(12):
        bad = bytearray(c.Chunk(kind=b"tEXt", data=b"ab").to_bytes())
        bad[place + 2] ^= 1
        with pytest.raises(DecodeError):
            c.Chunk.from_bytes(bytes(bad))


def test_checksum_in_front() -> None:
    made = c.Headed(items=[c.Item(v="é"), c.Item(v="")], after=9)
    data = made.to_bytes()
    assert data == struct.pack("<I", zlib.adler32(b"\2\2\xc3\xa9\0")) + b"\2\2\xc3\xa9\0\x09"
    assert c.Headed.from_bytes(data) == made
    with pytest.raises(DecodeError, match="sum must be"):
        c.Headed.from_bytes(data[:-2] + b"\1a\x09")


def test_padding() -> None:
    for size in range(10):
        made = c.Padded(text="x" * size, x=7, free=b"")
        data = made.to_bytes()
        assert data == bytes([size]) + b"x" * size + bytes(-(1 + size) % 8) + struct.pack("<I", 7)
        assert c.Padded.from_bytes(data) == made
        assert made.pad == bytes(-(1 + size) % 8)
    with pytest.raises(DecodeError, match="padding is not zero"):
        c.Padded.from_bytes(b"\1x\0\0\0\0\0\1\7\0\0\0")
    with pytest.raises(EncodeError, match="0 bytes are needed"):
        c.Padded(text="", x=7, free=b"a").to_bytes()


def test_padding_counts_from_the_start_of_the_source() -> None:
    made = c.Two(head=1, a=c.Padded(text="abc", x=2, free=b""), b=c.Padded(text="", x=3, free=b""))
    data = made.to_bytes()
    assert data == b"\1\3abc\0\0\0\2\0\0\0" + b"\0\0\0\0\3\0\0\0"
    assert c.Two.from_bytes(data) == made


def test_position() -> None:
    made = c.Pairs(keys=[c.Item(v="a"), c.Item(v="x")], values=[5, 6], wanted=6)
    assert c.Pairs.from_bytes(made.to_bytes()) == made
    with pytest.raises(EncodeError):
        c.Pairs(keys=made.keys, values=[5, 6], wanted=5).to_bytes()
    with pytest.raises(DecodeError, match="no element is 'x'"):
        c.Pairs.from_bytes(b"\1\1a\5\5")


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ("u8 a; u8 sum = crc32(encoded(a, sum));", "derived from itself"),
        ("u8 a; u8 b; u32 sum = crc32(encoded(b, a));", "comes after"),
        ("u32 n = size(pad); u8 a; bytes pad[padding(4)] = 0;", "known only when it is written"),
        ("u8 a where padding(4) == 0;", "can only be the length of a field"),
    ],
)
def test_refused(fields: str, rule: str) -> None:
    with pytest.raises(IdlError, match=rule):
        compile_idl(f"record R {{ {fields} }}")
