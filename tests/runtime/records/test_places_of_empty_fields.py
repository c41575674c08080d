"""Offsets of fields without bytes: they stay as they were read or set, where they are not outside of the record."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

ONE = compile_idl("record R { u8 at_; u8 n = count(x); bytes x[n] at at_; }").R
EACH = compile_idl(
    "record R { u8 n = count(x); u8 base; u8 at_[n]; u8 s[i < n] = size(x[i]); E x[i < n] at at_[i] + base size s[i]; }"
    " record E { u8 v[..]; }"
).R

OWN = compile_idl("record R { u8 at_; bytes x[at_ % 4] at at_; }").R


@pytest.fixture(params=BACKENDS, autouse=True)
def _backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield


@pytest.mark.parametrize(
    ("cls", "data"),
    [
        (OWN, b"\0"),
        (OWN, b"\1a"),
        (ONE, b"\0\0"),
        (ONE, b"\1\0"),
        (ONE, b"\2\0"),
        (EACH, b"\1\0\0\0"),
        (EACH, b"\1\1\1\0"),
        (EACH, b"\2\0\1\6\0\1a"),
        (EACH, b"\2\2\4\0\1\0a"),
    ],
)
def test_bytes_that_were_read_stay(cls: Any, data: bytes) -> None:
    assert cls.from_bytes(data).to_bytes() == data


def test_an_offset_that_was_set_is_written_or_refused() -> None:
    value = EACH.from_bytes(b"\2\0\6\7\1\0a")
    value.at_[1] = 0
    assert value.to_bytes() == b"\2\0\6\0\1\0a"
    value.at_[1] = 8
    with pytest.raises(EncodeError, match=r"at_\[1\]: 8 was set, but x\[1\] is written at 7"):
        value.to_bytes()


def test_offsets_follow_where_they_would_be_outside() -> None:
    value = ONE.from_bytes(b"\2\1a")
    value.x = b""
    assert value.to_bytes() == b"\2\0"
    value = EACH.from_bytes(b"\2\0\6\7\1\0a")
    value.x[0].v = []
    assert value.to_bytes() == b"\2\0\6\6\0\0"


def test_a_size_by_the_own_offset() -> None:
    value = OWN.from_bytes(b"\0")
    value.x = b"a"
    assert value.to_bytes() == b"\1a"
    value = OWN.from_bytes(b"\1a")
    value.x = b""
    with pytest.raises(EncodeError, match="x: 1 byte is needed, not 0"):
        value.to_bytes()
    value.at_ = 0
    assert value.to_bytes() == b"\0"


def test_an_offset_that_asks_for_bytes() -> None:
    value = compile_idl("record R { u8 a; u8 b; u8 c; u8 at_; bytes x[at_ % 4] at at_; }").R.from_bytes(b"\0\0\0\0")
    value.at_ = 1
    with pytest.raises(EncodeError, match="at_: 1 was set, but x is written at 4"):
        value.to_bytes()
    value.at_ = 4
    assert value.to_bytes() == b"\0\0\0\4"


EMPTY = {
    "u8 o = offset(x); u8 p; u8 n = count(x); bytes x[n] at p;": "01 01 00",
    "u8 p; u8 n = count(x); bytes x[n] at p; u8 o = offset(x) + size(x);": "01 00 01",
    "u8 o = offset(x); u8 p; u8 n = count(x); u16 x[n] at p;": "01 01 00",
    "Head h with o = offset(x); u8 n = count(x); bytes x[n] at h.p;": "01 01 00",
    "u8 o = offset(y); u8 p; u8 n = count(x); u8 k = count(y); bytes x[n] at p; bytes y[k] at p + n;": "02 02 00 00",
    "u8 n = count(x); u8 o[i < n] = offset(x[i]); u8 p[n]; E x[i < n] at p[i] size 0;": "02 01 00 01 00",
}


@pytest.mark.parametrize("word", ["", ": gaps", ": overlaps"])
@pytest.mark.parametrize("fields", EMPTY)
def test_offsets_of_fields_without_bytes_are_those_that_stay(fields: str, word: str) -> None:
    module: Any = compile_idl(
        f"record File {word} {{ {fields} }} record Head {{ u8 o; u8 p; }} record E {{ bytes v[..]; }}"
    )
    data = bytes.fromhex(EMPTY[fields])
    for backend in BACKENDS:
        with running(backend):
            read = module.File.from_bytes(data)
            assert read.to_bytes() == data
            assert module.File.from_dict(read.to_dict()).to_bytes() == data


@pytest.mark.parametrize(
    ("fields", "wrong", "right"),
    [
        ("Head h with o = offset(x); Y x at h.p;", "07 02 61", "02 02 61"),
        ("Head h with o = offset(x); Head k; Y x at k.p;", "07 07 07 04 61", "04 07 07 04 61"),
        ("Head h[i < 2] with o = offset(x[i]); Y x[i < 2] at h[i].p;", "07 04 07 05 61 62", "04 04 05 05 61 62"),
        ("In h with h.o = offset(x); Y x at h.h.p;", "07 02 61", "02 02 61"),
        ("Head h with o = offset(x); Y x at h.p from source;", "07 02 61", "02 02 61"),
        ("Head h with o = size(x); X x at 2 size h.p;", "07 01 61", "01 01 61"),
        ("Head h with o = size(x); X x at 2 size h.o * 1;", "01 07 61", None),
    ],
)
def test_an_offset_in_a_record_is_compared_where_another_number_places_the_field(
    fields: str, wrong: str, right: str | None
) -> None:
    module: Any = compile_idl(
        f"record File {{ {fields} }} record In {{ Head h; }} record Head {{ u8 o; u8 p; }}"
        " record Y { u8 v; } record X { u8 v[..]; }"
    )
    if right is None:
        assert module.File.from_bytes(bytes.fromhex(wrong)).to_bytes() == bytes.fromhex(wrong)
        return
    with pytest.raises(DecodeError, match="must be"):
        module.File.from_bytes(bytes.fromhex(wrong))
    assert module.File.from_bytes(bytes.fromhex(right)).to_bytes() == bytes.fromhex(right)


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ("u8 o = offset(x); u8 n = count(x); bytes x[n] at 1;", "01 00"),
        ("u8 o = offset(x); u8 ps[2]; u8 n = count(x); bytes x[n] at max(ps[0], ps[1]);", "02 01 02 00"),
        ("u8 p = offset(x); u8 n = count(x); bytes x[n] at p;", "02 00"),
    ],
)
def test_offsets_of_fields_without_bytes_at_computed_places(fields: str, data: str) -> None:
    file = compile_idl(f"record File {{ {fields} }}").File
    read = file.from_bytes(bytes.fromhex(data))
    assert read.to_bytes() == bytes.fromhex(data)
    assert file.from_dict(read.to_dict()).to_bytes() == bytes.fromhex(data)
