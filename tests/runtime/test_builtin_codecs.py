"""Codecs and checksums that IDLs name, beside other implementations and published check values."""

from __future__ import annotations

import base64
import bz2
import gzip
import hashlib
import lzma
import random
import zlib
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl
from lakecodec.runtime import checksums, codecs, texts
from lakecodec.runtime.errors import CodecError

from ..oracle.backends import BACKENDS, running

TEXT = b"to be or not to be, to be or not to be" * 9
CHECK = b"123456789"


@pytest.mark.parametrize(
    ("cls", "stored"),
    [
        (codecs.Zlib, zlib.compress(TEXT, 1)),
        (codecs.Gzip, gzip.compress(TEXT, mtime=0)),
        (codecs.RawDeflate, zlib.compress(TEXT)[2:-4]),
        (codecs.Bzip2, bz2.compress(TEXT)),
        (codecs.Xz, lzma.compress(TEXT)),
        (codecs.Xz, lzma.compress(TEXT, lzma.FORMAT_ALONE)),
    ],
)
def test_streams_of_the_standard_library(cls: Any, stored: bytes) -> None:
    for arguments in ((), (len(TEXT),), (len(TEXT), 3)):
        assert cls(*arguments).decode(stored) == TEXT
        assert cls().decode(cls(*arguments).encode(TEXT)) == TEXT
    with pytest.raises(DecodeError, match=f"does not hold {len(TEXT) - 1} bytes"):
        cls(len(TEXT) - 1).decode(stored)
    for broken in (stored[:-1], stored + b"x", b"", b"nonsense"):
        with pytest.raises(DecodeError, match=cls.__name__):
            cls().decode(broken)
    with pytest.raises(EncodeError, match="1 bytes, not the 2"):
        cls(2).encode(b"x")


@pytest.mark.parametrize("cls", [codecs.Snappy, codecs.Lz4Block, codecs.Lz4Frame, codecs.Brotli, codecs.Lzf])
@pytest.mark.parametrize("value", [TEXT, b"x", bytes(range(256))])
def test_blocks_of_a_known_size(cls: Any, value: bytes) -> None:
    stored = cls(len(value)).encode(value)
    assert cls(len(value)).decode(stored) == value
    for size, data in ((len(value) + 1, stored), (len(value), stored[:-1]), (len(value), b"")):
        with pytest.raises(DecodeError):
            cls(size).decode(data)
    with pytest.raises(EncodeError):
        cls(len(value) + 1).encode(value)


@pytest.mark.parametrize("cls", [codecs.Snappy, codecs.Lz4Block, codecs.Lz4Frame, codecs.Brotli])
def test_blocks_that_say_themselves_how_much_they_hold(cls: Any) -> None:
    for value in (TEXT, b"x", b"ab" * 5000):
        stored = cls().encode(value)
        assert cls().decode(stored) == value
        with pytest.raises(DecodeError):
            cls().decode(stored[:-1])
    bomb = cls().encode(bytes(3 << 20))
    if len(bomb) < 3 << 10:
        with pytest.raises(DecodeError, match="does not hold"):
            cls().decode(bomb)


def test_a_block_cannot_ask_for_more_than_it_may_hold() -> None:
    with pytest.raises(DecodeError, match="it holds 4294967295"):
        codecs.Snappy().decode(b"\xff\xff\xff\xff\x0f\0a")


def test_back_references_of_lzf() -> None:
    assert codecs.Lzf(12).decode(b"\x01ab\xe0\x01\x01") == b"ab" * 5 + b"ab"[:2]
    assert codecs.Lzf(5).decode(b"\x00a\x40\x00") == b"aaaaa"
    with pytest.raises(DecodeError, match="before its first"):
        codecs.Lzf(5).decode(b"\x00a\x40\x05")


@pytest.mark.parametrize(
    ("codec", "stored", "value"),
    [
        (codecs.Xor(0x20), b"abc", b"ABC"),
        (codecs.Xor(b"\x20\x00"), b"abc", b"AbC"),
        (codecs.Xor(b""), b"abc", b"abc"),
        (codecs.RotateLeft(1), b"\x81\x40", b"\x03\x80"),
        (codecs.RotateLeft(8), b"\x81", b"\x81"),
        (codecs.Base64(), base64.b64encode(TEXT), TEXT),
        (codecs.Text("utf-16-le"), "é€".encode("utf-16-le"), "é€".encode()),
        (codecs.Filled(8, b"\0", False, 0x20), b"ab\0     ", b"ab"),
        (codecs.Filled(8, b"\0\0", True, -1), b"a\0\0b\0\0\0\0", b"a\0\0b\0\0"),
        (codecs.Filled(4, b" ", False, 0x20), b"ab  ", b"ab"),
        (codecs.Filled(-1, b"|", False, -1), b"ab|", b"ab"),
        (codecs.Hex(), TEXT.hex().encode(), TEXT),
    ],
)
def test_transformations(codec: Any, stored: bytes, value: bytes) -> None:
    assert codec.decode(stored) == value
    assert codec.encode(value) == stored


@pytest.mark.parametrize("data", [b"a", b"ab=c", b"YR==", b"\xff\xff\xff\xff"])
def test_what_is_no_base64(data: bytes) -> None:
    with pytest.raises(DecodeError, match="not base64"):
        codecs.Base64().decode(data)


@pytest.mark.parametrize(
    ("function", "wanted"),
    # The check values of the RevEng catalogue: of the nine digits.
    [
        (checksums.crc8, 0xF4),
        (checksums.crc16, 0xBB3D),
        (checksums.crc16_ccitt, 0x29B1),
        (checksums.crc32c, 0xE3069283),
        (checksums.crc64, 0x995DC9BBDF1939FA),
        (checksums.crc64_redis, 0xE9C6D914C4B8D9CA),
        (checksums.md5, hashlib.md5(CHECK).digest()),
        (checksums.sha1, hashlib.sha1(CHECK).digest()),
        (checksums.sha256, hashlib.sha256(CHECK).digest()),
        (checksums.xxh32, 0x937BAD67),
        (checksums.xxh64, 0x8CB841DB40E6AE83),
    ],
)
def test_check_values(function: Any, wanted: Any) -> None:
    assert function(CHECK) == wanted


def test_a_crc_by_its_parameters_is_zlibs() -> None:
    assert checksums.crc(TEXT, 32, 0x04C11DB7, 0xFFFFFFFF, 0xFFFFFFFF) == zlib.crc32(TEXT)


@pytest.mark.parametrize("width", [8, 12, 16, 24, 31, 32, 40, 63, 64])
@pytest.mark.parametrize("reflected", [False, True])
def test_native_code_computes_the_same_crcs(width: int, reflected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(width)
    numbers = [generator.getrandbits(width) for _ in range(3)]
    texts = [b"", b"a", generator.randbytes(1000)]
    found = [checksums.crc(text, width, *numbers, reflected) for text in texts]
    monkeypatch.setattr(checksums, "_record", None)
    assert found == [checksums.crc(text, width, *numbers, reflected) for text in texts]


def test_fletcher() -> None:
    assert [checksums.fletcher16(each) for each in (b"abcde", b"abcdef")] == [0xC8F0, 0x2057]
    assert [checksums.fletcher32(each) for each in (b"abcde", b"abcdef")] == [0xF04FC729, 0x56502D2A]


def test_crossed_sums() -> None:
    # The sums are 1 and 3, then 7 and 14.
    assert checksums.crossed_sums(bytes([1, 2, 3, 4]), 8, True) == 7 << 8 | 14
    data = bytes(range(200, 232))
    for width, is_big in ((8, True), (16, False), (32, True)):
        whole = checksums.crossed_sums(data, width, is_big)
        assert (
            checksums.crossed_sums(data[16:], width, is_big, checksums.crossed_sums(data[:16], width, is_big)) == whole
        )
    for given in ((b"abc", 8, True), (b"", 64, True), (b"", 8, True, 1 << 16)):
        with pytest.raises(CodecError, match="pairs of words"):
            checksums.crossed_sums(*given)


def test_padded_numbers() -> None:
    assert [texts.padded_number(each, 8) for each in ("17", " 17\0 ", "\0\0", "")] == [15, 15, 0, 0]
    for digits in ("1 7", "18"):
        with pytest.raises(ValueError, match=digits):
            texts.padded_number(digits, 8)


def test_siphash() -> None:
    # The vector of the paper, appendix A.
    assert checksums.siphash24(bytes(range(15)), bytes(range(16))) == 0xA129CA6149BE45E5


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_idl_names_them(backend: str) -> None:
    module = compile_idl("""
codec zlib -> bytes = extern "runtime.codecs:Zlib";
codec xz(i64 inflated) -> bytes = extern "runtime.codecs:Xz";
codec scrambled(binary key) -> bytes = extern "runtime.codecs:Xor";
fn crc64(binary data) -> i64 = extern "runtime.checksums:crc64";
fn sha1(binary data) -> binary = extern "runtime.checksums:sha1";
record R {
  u64 check = crc64(encoded(packed));
  bytes digest[20] = sha1(encoded(body));
  u32 n = size(packed);
  bytes packed size n via zlib;
  u32 raw = raw_size(body);
  u32 m = size(body);
  B body size m via xz(raw) via scrambled(b"key");
}
record B { bytes data[..]; }
""")
    with running(backend):
        made = module.R(packed=TEXT, body=module.B(data=TEXT))
        data = made.to_bytes()
        assert module.R.from_bytes(data) == made
        assert made.check == checksums.crc64(data[32 : 32 + made.n]) > 1 << 32
        for at in (0, 9, 40, len(data) - 9):
            with pytest.raises(DecodeError):
                module.R.from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def test_digits_of_numbers() -> None:
    assert (texts.digits_of(255, 16, 4), texts.digits_of(0, 2, 3), texts.digits_of(35, 36, 1)) == ("00FF", "000", "Z")
    assert texts.number_of(texts.digits_of(123456, 8, 10), 8) == 123456
    assert [texts.digits_of(number, 2, 0) for number in (0, 5, 2**63 - 1)] == ["0", "101", "1" * 63]
    with pytest.raises(ValueError, match="does not fit 64 digits"):
        texts.digits_of(-1, 10, 0)
    for number, base, count in ((16, 16, 1), (-1, 10, 3), (1, 37, 2), (1, 10, 65)):
        with pytest.raises(ValueError, match=str(base)):
            texts.digits_of(number, base, count)
