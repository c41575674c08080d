"""The native decoder: classes filled by slot, and what pure Python reads from the same bytes."""

from __future__ import annotations

import operator
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError

from .classes import (  # fmt: skip
    ALL,
    CODECS,
    NAMES,
    All,
    Blob,
    Choice,
    Color,
    Defaults,
    Empty,
    Far,
    Holder,
    Inner,
    Mark,
    Odd,
    Tree,
    Wide,
    decode,
    make,
    oracle,
)
from .results import outcome

ID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")


def header(field: str, wire: int) -> bytes:
    """The header of a field of All as the first of a struct."""
    number = [name for name, _ in ALL].index(field) + 1
    return bytes([number << 4 | wire]) if number < 16 else bytes([wire, number << 1])


def full() -> Any:
    inner = make(Inner, x=-1, s="é")
    return make(
        All, flag=False, i8=-8, i16=-(2**15), i32=2**31 - 1, i64=-(2**63), double=-0.5, binary=b"\0\xff", string="ab",
        uuid=ID, color=Color.BLUE, far=Far.LOW, inner=inner, choice=Choice._make("NUMBER", 9, 17), flags=[True, False],
        i16s=[1, -2], i64s=list(range(40)), inners=[inner, make(Inner, x=5)], i32_set={3, -3, 70000}, inner_set=[inner],
        mark_set={Mark.__singletons__[1], Mark.__singletons__[20]}, by_name={"a": 1, "b": -1}, by_inner=[(inner, True)],
        by_far={Far.NEAR: [b"x"], 77: []}, empty=Empty(), nested=[[1, -1], []], doubles=[1.5, -2.0], strings={"x", "yy"},
        uuids=[ID],
    )  # fmt: skip


def test_every_kind_comes_back() -> None:
    value = full()
    data = CODECS[All].encode(value, "strict")
    got = decode(All, data)
    assert got == value
    assert repr(got) == repr(oracle(All, data)[0])
    assert type(got.color) is Color
    assert type(got.far) is Far
    assert type(got.i32_set) is set
    assert type(got.inner_set) is list
    assert got.empty is Empty()


def test_apache_thrift_writes_what_is_read() -> None:
    transport = TMemoryBuffer()
    out = TCompactProtocol(transport)

    def field(name: str, type_: int, number: int, write: Callable[[], None]) -> None:
        out.writeFieldBegin(name, type_, number)
        write()
        out.writeFieldEnd()

    def numbers_by_name() -> None:
        out.writeMapBegin(TType.STRING, TType.I32, 2)
        for key, number in (("one", 1), ("minus", -70000)):
            out.writeString(key)
            out.writeI32(number)
        out.writeMapEnd()

    def doubles() -> None:
        out.writeListBegin(TType.DOUBLE, 17)
        for number in range(17):
            out.writeDouble(number / 4)
        out.writeListEnd()

    out.writeStructBegin("All")
    field("string", TType.STRING, 8, lambda: out.writeString("grüße"))
    field("flag", TType.BOOL, 1, lambda: out.writeBool(True))
    field("i64", TType.I64, 5, lambda: out.writeI64(-(2**62)))
    field("by_name", TType.MAP, 21, numbers_by_name)
    field("doubles", TType.LIST, 26, doubles)
    out.writeFieldStop()
    out.writeStructEnd()
    got = decode(All, transport.getvalue())
    assert (got.string, got.flag, got.i64) == ("grüße", True, -(2**62))
    assert got.by_name == {"one": 1, "minus": -70000}
    assert got.doubles == [number / 4 for number in range(17)]


@pytest.mark.parametrize(
    "data",
    [
        header("flags", 9) + b"\x41\x00\x01\x02\x01\x00",  # element type 1, both words for false
        header("flags", 9) + b"\x22\x00\x01\x00",  # element type 2
        header("i16s", 9) + b"\x16\x02\x00",  # i64 elements that fit
        header("i64s", 9) + b"\xf5\x80\x00\x00",  # long form of a short count, overlong, in i32 elements
        header("i32", 5) + b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\x00",  # ten bytes of zero
        header("i32", 6) + b"\x02\x00",  # another wire type: skipped
        header("empty", 12) + b"\x15\x02\x1c\x00\x00\x00",  # unknown fields in a marker
        header("flags", 9) + b"\x00\x00",  # empty list without an element type
        b"\x15\x02\x05\x08\x02\x05\x08\x04\x10",  # i32 twice, and a stop byte with a high nibble
        header("color", 5) + b"\x0c\x00",  # a number without a member
        header("far", 5) + b"\x0c\x00",
        b"\x0f\x00",  # undefined wire type
        b"\x08\xfe\xff\x03\x00\x00",  # id 32767
        b"\x08\xff\xff\x01\x00\x00",  # id -16384
        b"\x05\x80\x80\x04\x00\x00",  # id 32768
        header("i16", 4) + b"\x80\x80\x04\x00",
        header("i32", 5) + b"\x80\x80\x80\x80\x10\x00",
        header("i32", 5) + b"\xff" * 12,
        header("i64", 6) + b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
        header("i64", 6) + b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00",
        header("flags", 9) + b"\x11\x03\x00",
        header("flags", 9) + b"\x15\x02\x00",
        header("string", 8) + b"\x02\xc3\x28\x00",
        header("string", 8) + b"\xff\xff\xff\xff\xff\xff\xff\xff\x3f",
        header("binary", 8) + b"\x05abc",
        header("inners", 9) + b"\xfc\xff\xff\xff\xff\x07",
        header("inners", 9) + b"\xfc\x80\x80\x80\x80\x20",
        header("inners", 9) + b"\x1c\x00\x00",
        header("inners", 9) + b"\x2c\x15\x02\x00\x28\x01a\x00",
        header("by_name", 11) + b"\x00\x00",
        header("by_name", 11) + b"\x02\x85\x01a\x02\x01\xff",
        header("by_name", 11) + b"\x01\x55\x02\x02\x00",
        header("by_name", 11) + b"\x7f\x85",
        header("choice", 12) + b"\x00\x00",
        header("choice", 12) + b"\x13\x00\x00",
        header("choice", 12) + b"\x31\x00\x00",
        header("choice", 12) + b"\x1c\x00\x1c\x00\x00\x00",
        header("choice", 12) + b"\x1c\x15\x02\x00\x00\x00",
        header("choice", 12) + b"\x2c\x00\x00\x00",
        header("choice", 12) + b"\x9c\x19\x25\x02\x04\x00\x00\x00",  # unknown member
        header("choice", 12) + b"\x91\x00\x00",  # unknown bool member
        header("choice", 12) + b"\x25\x02\x00\x00",  # known member of another wire type
        header("choice", 12) + b"\x9f\x00",
        header("choice", 12) + b"\x09\x09\x18\x01a\x00\x00",
        header("uuid", 13) + b"0123456789abcde",
        header("double", 7) + b"1234567",
        header("nested", 9) + b"\x29\x13\x01\x23\x01\x02\x00",
        b"\x49\x1f\x00",
        b"\x4b\x01\xff\x00",
        b"",
    ],
)
def test_odd_and_broken_bytes_mean_the_same_to_both(data: bytes) -> None:
    for text in ("strict", "replace", "surrogateescape", "bytes"):
        assert outcome(CODECS[All].decode, data, 0, 64, 100, False, text) == outcome(
            oracle, All, data, elements=100, text=text
        )


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_changed_bytes_mean_the_same_to_both(data: st.DataObject) -> None:
    good = CODECS[All].encode(full(), "strict")
    at = data.draw(st.integers(0, len(good) - 1))
    new = data.draw(st.binary(max_size=4))
    bad = good[:at] + new + good[at + data.draw(st.integers(0, 4)) :]
    depth, elements = data.draw(st.sampled_from([2, 3, 64])), data.draw(st.sampled_from([5, 60, 10**6]))
    assert outcome(CODECS[All].decode, bad, 0, depth, elements, False, "replace") == outcome(
        oracle, All, bad, depth=depth, elements=elements, text="replace"
    )


def test_every_prefix_is_truncated() -> None:
    data = CODECS[All].encode(full(), "strict")
    for end in range(len(data)):
        with pytest.raises(DecodeError) as caught:
            CODECS[All].decode(data[:end], 0, 64, 1000, False, "strict")
        assert outcome(CODECS[All].decode, data[:end], 0, 64, 1000, False, "strict") == outcome(oracle, All, data[:end])
        assert caught.value.rule in {
            "the data ends inside a value",
            "a length runs past the end of the data",
            "a container declares more elements than the data left can hold",
        }


def test_ids_of_all_sizes() -> None:
    value = make(Odd, negative=-1, high=b"h", low=True, middle="m", zero=3)
    data = CODECS[Odd].encode(value, "strict")
    assert decode(Odd, data) == value == oracle(Odd, data)[0]


def test_more_than_64_required_fields() -> None:
    value = make(Wide, **{f"f{n}": n for n in range(1, 101)})
    data = CODECS[Wide].encode(value, "strict")
    assert decode(Wide, data) == value
    for missing in (1, 64, 65, 100):
        gap = b"".join(b"\x05" + zigzag(n) + b"\x02" for n in range(1, 101) if n != missing) + b"\0"
        with pytest.raises(DecodeError, match=f"f{missing}: a required field is missing"):
            decode(Wide, gap)


def zigzag(number: int) -> bytes:
    number <<= 1
    return bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])


def test_recursive_structs() -> None:
    leaf = make(Tree, value=1)
    value = make(Tree, value=2, left=make(Tree, value=3, right=leaf), others=[leaf, make(Tree, value=4, others=[leaf])])
    data = CODECS[Tree].encode(value, "strict")
    assert decode(Tree, data) == value
    with pytest.raises(DecodeError, match=r"left\.right: nested deeper") as caught:
        decode(Tree, data, depth=2)
    assert caught.value.path == "left.right"


def test_defaults_are_fresh_and_optional_ones_stay_absent() -> None:
    first, second = decode(Defaults, b"\0"), decode(Defaults, b"\0")
    assert (first.names, first.number, first.absent, first.chosen, first.pairs) == (
        NAMES,
        7,
        None,
        Color.BLUE,
        {"one": 1},
    )
    first.names[1].append("x")
    first.pairs.clear()
    assert second.names == NAMES == [["a"], ["b", "c"]]
    assert second.pairs == {"one": 1}


def test_members_without_content_are_shared() -> None:
    for data in (b"\x1c\x00\x00", b"\x1c\x15\x02\x00\x00"):
        assert decode(Choice, data) is Choice.__singletons__[1]


def test_an_unknown_member_keeps_its_bytes() -> None:
    got = decode(Choice, b"\x9c\x19\x25\x02\x04\x00\x00")
    assert (got.kind, got.value, got.id, got.raw, got.wire) == (None, None, 9, b"\x19\x25\x02\x04\x00", 12)
    assert CODECS[Choice].encode(got, "strict") == b"\x9c\x19\x25\x02\x04\x00\x00"
    flag = decode(Choice, b"\x92\x00")
    assert (flag.raw, flag.wire) == (b"", 2)
    assert CODECS[Choice].encode(flag, "strict") == b"\x92\x00"


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview, lambda b: memoryview(b).cast("c"), lambda b: b])
def test_views_are_slices_of_the_input(wrap: Any) -> None:
    data = wrap(CODECS[All].encode(make(All, binary=b"abc", by_far={3: [b"xy"]}), "strict"))
    got = decode(All, data, views=True)
    assert type(got.binary) is memoryview
    assert got.binary.format == "B"
    assert got.binary == b"abc"
    assert got.by_far[3][0].obj is memoryview(data).obj
    assert type(decode(All, data).binary) is bytes


def test_short_equal_texts_and_bytes_are_shared() -> None:
    text = "column name"
    item = make(Inner, x=1, s=text)
    got = decode(All, CODECS[All].encode(make(All, inners=[item] * 3), "strict"))
    assert got.inners[0].s is got.inners[2].s


def test_hand_written_codecs() -> None:
    blob = make(Blob)
    blob.data = b"hi"
    value = make(Holder, blob=blob, blobs=[blob, blob])
    data = CODECS[Holder].encode(value, "strict")
    assert data == b"\x1c\x02hi\x19\x2c\x02hi\x02hi\x00"
    assert [item.data for item in decode(Holder, data).blobs] == [b"hi", b"hi"]
    with pytest.raises(DecodeError, match=r"blob: blobs\[1\]\.size: a blob over 100 bytes \(at byte 9\)"):
        decode(Holder, data.replace(b"\x02hi\x00", b"\x65hi\x00"))
    with pytest.raises(DecodeError, match=r"classes\.Holder: blobs\[1\]: the data ends inside a value \(at byte 13\)"):
        decode(Holder, data.replace(b"\x02hi\x00", b"\x40hi\x00"))


def test_equal_values_are_one_object_however_many_there_are() -> None:
    cls: Any = compile_idl("struct Many { 1: list<string> texts; 2: list<binary> blobs; }").Many
    for count, least in ((10, 9), (3000, 1000)):
        texts = [f"text {number}" for number in range(count)]
        blobs = [text.encode() for text in texts]
        found = cls.from_bytes(cls(texts=texts * 2, blobs=blobs * 2).to_bytes())
        assert (found.texts, found.blobs) == (texts * 2, blobs * 2)
        for values in (found.texts, found.blobs):
            assert sum(map(operator.is_, values[:count], values[count:])) >= least


def test_positions_inside_and_outside_the_data() -> None:
    data = b"xx" + CODECS[Inner].encode(make(Inner, x=1), "strict") + b"yy"
    assert CODECS[Inner].decode(data, 2, 64, 10, False, "strict")[1] == 5
    for pos in (-1, 8):
        with pytest.raises(ValueError, match="pos"):
            CODECS[Inner].decode(data, pos, 64, 10, False, "strict")
    with pytest.raises(DecodeError, match="ends inside"):
        CODECS[Inner].decode(data, 7, 64, 10, False, "strict")
