"""Values of codecs with fields: records, texts, and numbers that bytes stand for."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, IdlError, compile_idl
from lakecodec.workbench import explore

from ...oracle.backends import BACKENDS, running

FRAMED = """
record Point { u8 x; u8 n = count(name); utf8 name[n]; }
codec framed -> Point {
  uvarint32 n   = size(p);
  Point     p   = value;
  u32       crc = crc32(encoded(p))  else "the checksum is another";
} value = p;
record Both { Point a via framed; u8 m; Point more[i < m] via framed; Point all[m] via framed; }
"""


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def _framed(x: int, name: bytes) -> bytes:
    point = bytes((x, len(name))) + name
    return bytes((len(point),)) + point + struct.pack("<I", zlib.crc32(point))


def test_a_record_goes_through_a_codec_with_fields(backend: str) -> None:
    module = compile_idl(FRAMED)
    data = _framed(1, b"a") + b"\2" + _framed(2, "é".encode()) + _framed(3, b"") + _framed(4, b"x") + _framed(5, b"y")
    for _ in range(20):
        value = module.Both.from_bytes(data)
        assert (value.a, value.more[0].name, value.all[1].x) == (module.Point(x=1, name="a"), "é", 5)
        assert value.to_bytes() == data
        value.more[1].name = "longer"
        assert module.Both.from_bytes(value.to_bytes()) == value
        with pytest.raises(DecodeError) as caught:
            module.Both.from_bytes(data[:6] + b"\0" + data[7:])
        assert caught.value.path == "a.crc"
        with pytest.raises(EncodeError, match="Point is needed"):
            module.Both(a=3, m=0, more=[], all=[]).to_bytes()


def test_explore_shows_the_fields_of_the_codec() -> None:
    tree = explore(_framed(1, b"a") + b"\0", compile_idl(FRAMED).Both)
    assert tree.find("a").value is not None


def test_a_codec_of_another_record_is_refused() -> None:
    with pytest.raises(IdlError, match="'framed' has fields and decodes to Point, which is not a Other"):
        compile_idl(FRAMED + "record Other { u8 x; } record R { Other o via framed; }")


def test_a_codec_takes_and_gives_a_text(backend: str) -> None:
    module = compile_idl(
        "codec counted -> utf8 { u8 n = count(value); utf8 v[n] = value; } value = v;"
        "codec joined -> utf8 with utf8 prev = '' { uvarint32 n = count(value); utf8 v[n] = value; } value = v;"
        "record R { utf8 x via counted; utf8 y[2] via counted; utf8 z[2] via joined; }"
    )
    for _ in range(20):
        value = module.R(x="aé", y=["", "b"], z=["c", "d"])
        data = b"\3a\xc3\xa9\0\1b\1c\1d"
        assert value.to_bytes() == data
        assert module.R.from_bytes(data) == value
        with pytest.raises(DecodeError, match="UTF-8"):
            module.R.from_bytes(b"\1\xff\0\0\0\0")
        with pytest.raises(EncodeError):
            module.R(x=3, y=["", "b"], z=["c", "d"]).to_bytes()


def test_numbers_are_bytes_and_back(backend: str) -> None:
    module = compile_idl(
        "record R { bytes a[6]; i64 n where n == big_number(a) else 'another number'; bytes b[3] = little_bytes(n, 3);"
        " bytes c[2] = big_bytes(-1, 2); }"
        "codec six -> i64 { bytes v[6] = big_bytes(value, 6); } value = big_number(v); record S { i64 x via six; }"
        "codec five -> i64 { bytes v[5] = little_bytes(value, 5); } value = little_number(v); record L { i64 x[2] via five; }"
    )
    data = b"\0\0\0\1\2\3" + struct.pack("<q", 66051) + b"\3\2\1\xff\xff"
    for _ in range(20):
        assert module.R.from_bytes(data).to_bytes() == data
        assert module.S.from_bytes(b"\1\2\3\4\5\6").x == 0x010203040506
        assert module.L(x=[1, 2**40 - 1]).to_bytes() == b"\1\0\0\0\0" + b"\xff" * 5
        for number in (2**48, -(2**47) - 1):
            with pytest.raises(EncodeError, match="does not fit 6 bytes"):
                module.S(x=number).to_bytes()
        with pytest.raises(DecodeError, match="another number"):
            module.R.from_bytes(b"\1" + data[1:])


def test_numbers_of_bytes_are_bounded(backend: str) -> None:
    module = compile_idl(
        "record R { u16 n; bytes a[n] where big_number(a) >= 0; } record S { u16 n; bytes a[n] = big_bytes(1, n); }"
    )
    assert module.R.from_bytes(b"\0\4" + bytes(1024)).n == 1024
    with pytest.raises(DecodeError, match="0 to 1024 bytes, not 1025"):
        module.R.from_bytes(b"\1\4" + bytes(1025))
    with pytest.raises(EncodeError, match="0 to 1024 bytes, not 2000"):
        module.S(n=2000).to_bytes()
