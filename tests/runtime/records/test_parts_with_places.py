"""Parts of files: what is written from an offset on, and bytes that two fields were read from."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import EncodeError, compile_idl

pytestmark = pytest.mark.usefixtures("each_backend")


@pytest.mark.parametrize("word", [": gaps", ": overlaps", ""])
@pytest.mark.parametrize("fields", ["u8 p; u8 x at p;", "u8 p; u8 x at 1;", "u8 p; I x at p;"])
def test_a_record_that_begins_at_its_start_is_written_whole(word: str, fields: str) -> None:
    m: Any = compile_idl(f"record File {word} {{ {fields} }} record I {{ u8 v; }}")
    file = m.File.from_bytes(b"\1\7")
    with pytest.raises(
        EncodeError, match=r"a part from 16 on was asked for, but .* is written whole: leave out `start`"
    ):
        file.to_bytes(start=16)
    assert file.to_bytes() == b"\1\7"


def test_parts_without_fields_in_order_and_in_the_source() -> None:
    m: Any = compile_idl(
        "record File { u8 p; u8 x at p from source; } record Tail { u8 a at t.at_; T t at end - 1; } record T { u8 at_; }"
    )
    assert m.File(x=7).to_bytes(start=16) == b"\x11\7"
    assert m.Tail(a=7, t=m.T()).to_bytes(start=16) == b"\7\x10"


@pytest.mark.parametrize("word", ["", ": gaps", ": overlaps"])
@pytest.mark.parametrize("size", ["", " = size(a)"])
def test_records_of_a_declared_size_share_no_bytes(word: str, size: str) -> None:
    m: Any = compile_idl(
        f"record File {{ u8 at_; u8 size{size}; D a at at_ size size; }} record D {word} {{ u8 w; u8 at_; B b at at_; }}"
        "record B { u8 n = count(v); bytes v[n]; }"
    )
    apart = bytes.fromhex("0204 0402 0161")
    assert m.File.from_bytes(bytes.fromhex("0204 0702 0161")).to_bytes() == bytes.fromhex("0204 0702 0161")
    file = m.File.from_bytes(bytes.fromhex("0104 0201 61"))
    with pytest.raises(EncodeError, match="1 bytes that it was read from, at 1, belong to two fields"):
        file.to_bytes()
    assert m.File.from_bytes(apart).to_bytes() == apart
