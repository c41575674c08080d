"""Rules of protobuf's wire format, byte by byte, and those of the generated classes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.limits import Limits

from .backends import BACKENDS, kinds, running

Plain, Present, Lists, Maps, Needed, Tree = (
    kinds.Plain, kinds.Present, kinds.Lists, kinds.Maps, kinds.Needed, kinds.Tree
)  # fmt: skip


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Iterator[str]:
    with running(request.param):
        yield request.param


MINUS_ONE = b"\xff" * 9 + b"\x01"


@pytest.mark.parametrize(
    ("data", "name", "value"),
    [
        (b"\x08" + MINUS_ONE, "int32_", -1),
        (b"\x08\xff\xff\xff\xff\x0f", "int32_", -1),  # of five bytes, as some writers have it
        (b"\x08\x80\x80\x80\x80\x10", "int32_", 0),  # the lower 32 bits count
        (b"\x10" + MINUS_ONE, "int64_", -1),
        (b"\x20\xff\xff\xff\xff\x0f", "uint32_", 2**32 - 1),
        (b"\x28" + MINUS_ONE, "uint64_", 2**64 - 1),
        (b"\x30\x01", "sint32_", -1),
        (b"\x38\x02", "sint64_", 1),
        (b"\x45\x01\x00\x00\x00", "fixed32_", 1),
        (b"\x55\xff\xff\xff\xff", "sfixed32_", -1),
        (b"\x72\x00", "int32_", 0),  # another wire type than bool's: unknown
        (b"\x70\x80\x80\x01", "bool_", True),
        (b"\x70\x80\x80\x00", "bool_", False),  # longer than it need be
        (b"\x88\x80\x80\x80\x00\x05", "int32_", 5),  # so may a tag, of five bytes at most
        (b"\x88\x01" + MINUS_ONE, "kind", kinds.Kind.BELOW),
        (b"\x88\x01\x05", "kind", 5),
        (b"\x7a\x02\xc3\xa9", "string_", "é"),
        (b"\x08\x01\x08\x02", "int32_", 2),  # the last one wins
        (b"\xf8\xff\xff\xff\x0f\x07", "far", 7),
    ],
)
def test_values(data: bytes, name: str, value: Any) -> None:
    found = getattr(Plain.from_bytes(data), name)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("data", "rule", "path", "offset"),
    [
        (b"\x08", "the data ends inside a value", "int32_", 1),
        (b"\x08\x80", "the data ends inside a value", "int32_", 2),
        (b"\x80", "the data ends inside a value", "", 1),
        (b"\x08" + b"\xff" * 10 + b"\x01", "a varint is longer", "int32_", 1),
        (b"\x08" + b"\xff" * 9 + b"\x02", "a varint is longer", "int32_", 1),
        (b"\x45\x01\x00", "the data ends inside a value", "fixed32_", 3),
        (b"\x7a\x05abc", "a length runs past the end", "string_", 1),
        (b"\x7a\x01\xff", "a string is not valid UTF-8", "string_", 1),
        (b"\x92\x01\x02\x08\x80", "the data ends inside a value", "leaf.number", 5),
        (b"\x92\x01\x02\x08\x80\x00", "the data ends inside a value", "leaf.number", 5),
        (b"\xca\x02\x03\x12\x02a", "a length runs past the end", "choice.leaf.text", 4),
        (b"\x00", "a field number is outside", "", 0),
        (b"\x01", "a field number is outside", "", 0),
        (b"\x08\x01\x80\x80\x80\x80\x10", "a field number is outside", "", 2),
        (b"\x88\x80\x80\x80\x80\x00\x01", "a field number is outside", "", 0),
        (b"\x0b\x08\x01", "the data ends inside a value", "", 3),
        (b"\x0b\x14", "the end of a group", "", 1),
        (b"\x0c", "the end of a group", "", 0),
        (b"\x0b" * 65 + b"\x0c" * 65, "nested deeper", "", 64),
        (b"\x0e", "an undefined wire type", "", 0),
        (b"\x0f", "an undefined wire type", "", 0),
        (b"\x92\x03\x7f", "a length runs past the end", "", 2),
    ],
)
def test_broken(data: bytes, rule: str, path: str, offset: int) -> None:
    with pytest.raises(DecodeError) as raised:
        Plain.from_bytes(data)
    assert raised.value.rule.startswith(rule)
    assert (raised.value.path, raised.value.offset, raised.value.format) == (path, offset, "kinds.Plain")


def test_lists_packed_and_not() -> None:
    found = Lists.from_bytes(b"\x0a\x02\x01\x02\x08\x03\x0a\x00\x0a\x01\x04\x10\x05\x12\x02\x06\x07")
    assert (found.int32s, found.int64s) == ([1, 2, 3, 4], [5, 6, 7])
    assert found.to_bytes() == b"\x0a\x04\x01\x02\x03\x04\x10\x05\x10\x06\x10\x07"
    with pytest.raises(
        DecodeError, match=r"fixed32s\[1\]: a packed list does not end with its last element \(at byte 6"
    ):
        Lists.from_bytes(b"\x3d\x00\x00\x00\x00\x3a\x03\x00\x00\x00")
    with pytest.raises(DecodeError, match=r"int32s\[1\]: the data ends inside a value \(at byte 4"):
        Lists.from_bytes(b"\x0a\x02\x01\x80\x01")


def test_messages_merge() -> None:
    first, second = kinds.Leaf(number=1, text="a").to_bytes(), kinds.Leaf(number=2).to_bytes()
    data = b"".join(b"\x92\x01" + bytes([len(part)]) + part for part in (first, second))
    assert Plain.from_bytes(data).leaf == kinds.Leaf(number=2, text="a")
    in_oneof = b"".join(b"\xca\x02" + bytes([len(part)]) + part for part in (first, second))
    assert Plain.from_bytes(in_oneof).choice == kinds.Choice.leaf(kinds.Leaf(number=2, text="a"))
    between = in_oneof[:8] + b"\xd8\x02\x01" + in_oneof[8:]
    assert Plain.from_bytes(between).choice == kinds.Choice.leaf(kinds.Leaf(number=2))


def test_oneof() -> None:
    assert Plain().choice is None
    for choice in (kinds.Choice.text(""), kinds.Choice.number(0), kinds.Choice.flag(False), kinds.Choice.early(0.0)):
        assert Plain.from_bytes(Plain(choice=choice).to_bytes()).choice == choice
    assert Plain.from_bytes(b"\xd8\x02\x01\xd0\x02\x02").choice == kinds.Choice.number(1)
    with pytest.raises(EncodeError, match=r"choice\.leaf: the value must be Leaf, not int"):
        Plain(choice=kinds.Choice._make("leaf", 3, 41)).to_bytes()
    with pytest.raises(EncodeError, match="choice: the value must be Choice, not int"):
        Plain(choice=3).to_bytes()


def test_presence() -> None:
    assert Plain().to_bytes() == b""
    assert Plain(int32_=0, string_="", double_=-0.0).to_bytes() == b"\x69" + bytes(7) + b"\x80"
    assert Present.from_bytes(b"").int32_ is None
    assert Present.__spec__.fields[0].default == 7
    assert Present(int32_=0, bool_=False).to_bytes() == b"\x08\x00\x30\x00"
    assert repr(Plain.from_bytes(b"").string_) == "''"
    assert Plain(int32_=None, kind=None).to_bytes() == b""
    assert repr(kinds.Given.from_bytes(b"")) == "Given(number=7, text='x', kind=<Kind.DATA: 1>, zero=0.0)"
    assert kinds.Given(number=0, text="", kind=None).to_bytes() == b"\x08\x00\x12\x00"


def test_maps() -> None:
    odd = b"\x0a\x02\x10\x01"  # no key, and something else than its value: no entry
    assert (Maps.from_bytes(odd).leaves, Maps.from_bytes(odd).unknown_fields) == ({}, odd)
    assert Maps.from_bytes(b"\x0a\x00").leaves == {"": kinds.Leaf()}
    assert Maps.from_bytes(b"\x12\x05\x12\x01b\x08\x05").texts == {5: "b"}
    assert Maps.from_bytes(b"\x12\x03\x12\x01b\x12\x05\x12\x01c\x08\x00").texts == {0: "c"}
    assert Maps.from_bytes(b"\x1a\x00").kinds == {False: kinds.Kind.NONE}
    assert Maps(texts={0: ""}).to_bytes() == b"\x12\x04\x08\x00\x12\x00"
    with pytest.raises(DecodeError, match=r"texts\[1\]: a string is not valid UTF-8"):
        Maps.from_bytes(b"\x12\x02\x08\x05\x12\x03\x12\x01\xff")
    with pytest.raises(EncodeError, match=r"texts\[0\]: the value does not fit i32"):
        Maps(texts={2**31: ""}).to_bytes()


def test_required() -> None:
    whole = Needed(number=0, leaf=kinds.Leaf())
    assert Needed.from_bytes(whole.to_bytes()) == whole
    for data, path in [
        (b"", "number"),
        (b"\x08\x00", "leaf"),
        (whole.to_bytes() + b"\x1a\x02\x08\x00", "inner[0].leaf"),
        (whole.to_bytes() + b"\x22\x02\x12\x00", "by_number[0].number"),
    ]:
        with pytest.raises(DecodeError, match="a required field is missing") as raised:
            Needed.from_bytes(data)
        assert raised.value.path == path
    assert Tree.from_bytes(b"\x32\x02\x08\x00\x32\x02\x12\x00").needed == whole
    with pytest.raises(EncodeError, match=r"needed\.leaf: a required field is None"):
        Tree(needed=Needed(number=1, leaf=None)).to_bytes()


def test_unknown_fields() -> None:
    data = b"\x98\x06\x01\xa2\x06\x01a\xa9\x06" + bytes(8) + b"\xb5\x06" + bytes(4)
    found = Plain.from_bytes(b"\x08\x01" + data + b"\x0a\x01x")
    assert (found.int32_, found.unknown_fields) == (1, data + b"\x0a\x01x")
    assert found.to_bytes() == b"\x08\x01" + data + b"\x0a\x01x"
    assert found != Plain(int32_=1)
    for same in (copy.copy(found), copy.deepcopy(found), found.replace(), pickle.loads(pickle.dumps(found))):
        assert same == found
    assert "unknown_fields=" in repr(found)
    found.unknown_fields = b""
    assert found == Plain(int32_=1)
    merged = Tree.from_bytes(b"\x0a\x03\x98\x06\x01\x0a\x03\x98\x06\x02").plain
    assert merged.unknown_fields == b"\x98\x06\x01\x98\x06\x02"


@pytest.mark.parametrize(
    "data",
    [b"\x98", b"\x98\x06", b"\xa2\x06\x05a", b"\xb5\x06abc", b"\x9b\x06\x08\x01", b"\x9c\x06", b"\0\1", b"\x9e\x06"],
)
def test_unknown_fields_are_whole(data: bytes) -> None:
    made = Plain(int32_=1)
    with pytest.raises(ValueError, match=r"unknown_fields: whole fields, each with its tag, are needed: .* \(at byte"):
        made.unknown_fields = b"\x98\x06\x01" + data
    assert made.to_bytes() == b"\x08\x01"
    made.unknown_fields = bytearray(b"\x9b\x06\x08\x01\x9c\x06")
    assert Plain.from_bytes(made.to_bytes()) == made


def test_limits() -> None:
    nested: Any = Tree()
    for _ in range(40):
        nested = Tree(left=nested)
    data = nested.to_bytes()
    assert Tree.from_bytes(data).to_bytes() == data
    with pytest.raises(DecodeError, match="nested deeper than the limit max_depth allows"):
        Tree.from_bytes(data, limits=Limits(max_depth=40))
    Tree.from_bytes(data, limits=Limits(max_depth=41))
    several = Lists(int32s=[1] * 10, leaves=[kinds.Leaf()] * 10).to_bytes()
    Lists.from_bytes(several, limits=Limits(max_elements=20))
    with pytest.raises(DecodeError, match="more elements than the limit max_elements allows"):
        Lists.from_bytes(several, limits=Limits(max_elements=19))
    with pytest.raises(DecodeError, match="more elements"):
        Lists.from_bytes(b"\x3a\x50" + bytes(80), limits=Limits(max_elements=19))
    endless: Any = Tree()
    endless.left = endless
    with pytest.raises(EncodeError, match="nested deeper than 1000 levels"):
        endless.to_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"int32_": 2**31}, "int32_: the value does not fit i32"),
        ({"uint32_": -1}, "uint32_: the value does not fit uint32"),
        ({"uint64_": 2**64}, "uint64_: the value does not fit uint64"),
        ({"fixed64_": -1}, "fixed64_: the value does not fit fixed64"),
        ({"sfixed32_": 2**31}, "sfixed32_: the value does not fit sfixed32"),
        ({"int32_": True}, "int32_: the value must be an int, not bool"),
        ({"int32_": "1"}, "int32_: the value must be an int, not str"),
        ({"bool_": 1}, "bool_: the value must be a bool, not int"),
        ({"float_": 1e300}, "float_: the value does not fit float"),
        ({"double_": "x"}, "double_: the value must be a float, not str"),
        ({"string_": b"x"}, "string_: the value must be a str, not bytes"),
        ({"string_": "\ud800"}, "string_: the text cannot be written as UTF-8"),
        ({"bytes_": "x"}, "bytes_: the value must be bytes, not str"),
        ({"leaf": 3}, "leaf: the value must be Leaf, not int"),
        ({"kind": 2**31}, "kind: the value does not fit i32"),
    ],
)
def test_values_that_do_not_fit(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(EncodeError) as raised:
        Plain(**changes).to_bytes()
    assert message in str(raised.value)


def test_containers_that_do_not_fit() -> None:
    for changes, message in [
        ({"int32s": [1, "x"]}, r"int32s\[1\]: the value must be an int, not str"),
        ({"leaves": [None]}, r"leaves\[0\]: the value must be Leaf, not NoneType"),
        ({"strings": "ab"}, "strings: the value must be a list, not str"),
    ]:
        with pytest.raises(EncodeError, match=message):
            Lists(**changes).to_bytes()
    with pytest.raises(EncodeError, match="texts: the value must be a dict, not list"):
        Maps(texts=[(1, "a")]).to_bytes()


def test_buffers_and_policies() -> None:
    data = b"..\x82\x01\x02ab\x7a\x01\xff"
    for buffer in (data, bytearray(data), memoryview(data)):
        found, end = Plain.read(buffer, 2, text="bytes", views=True)
        assert (bytes(found.bytes_), found.string_, end) == (b"ab", b"\xff", len(data))
        assert isinstance(found.bytes_, memoryview)
    assert Plain.from_bytes(data[2:], text="replace").string_ == "�"
    assert (
        Plain.from_bytes(data[2:], text="surrogateescape").to_bytes(text="surrogateescape")
        == b"\x7a\x01\xff\x82\x01\x02ab"
    )
    with pytest.raises(ValueError, match="text: one of strict"):
        Plain.from_bytes(b"", text="loose")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pos: 3 is outside"):
        Plain.read(b"", 3)
    with pytest.raises(TypeError):
        Plain.from_bytes("text")


def test_subclasses_and_plain_forms() -> None:
    class Own(Plain):  # type: ignore[misc]
        __slots__ = ()

    found = Own.from_bytes(b"\x08\x01\x98\x06\x01")
    assert (type(found), found.int32_, found.unknown_fields) == (Own, 1, b"\x98\x06\x01")
    message = Plain(uint64_=2**64 - 1, float_=0.5, kind=kinds.Kind.DATA, choice=kinds.Choice.leaf(kinds.Leaf(number=1)))
    assert Plain.from_json(message.to_json()) == message
    assert Plain.from_dict(message.to_dict()) == message
    with pytest.raises(EncodeError, match="uint32_: -1 does not fit 32 bits"):
        Plain.from_dict({"uint32_": -1})


def test_in_records() -> None:
    module: Any = compile_idl(
        """
        message Item { 1: int32 n; 2: list<string> names; }
        record File : little {
          bytes     magic[2] = "PB";
          u8        count    = count(items);
          uvarint32 sizes[i < count] = size(items[i]);
          Item      items[i < count] size sizes[i] via protobuf;
          Item      last via protobuf;
        }
        record Tail : little {
          Item item   at end - 1 - end_.size size end_.size via protobuf;
          End  end_   at end - 1;
        }
        record End { u8 size; }
        """,
        name="messages_in_records",
    )
    items = [module.Item(n=1), module.Item(), module.Item(names=["a", "b"])]
    file = module.File(items=items, last=module.Item(n=-1))
    data = file.to_bytes()
    assert data == b"PB\x03\x02\x00\x06\x08\x01\x12\x01a\x12\x01b\x08" + MINUS_ONE
    found = module.File.from_bytes(data)
    assert (found.items, found.last) == (items, file.last)
    assert found.to_bytes() == data
    with pytest.raises(DecodeError, match=r"last\.n: the data ends inside a value \(at byte 24\)"):
        module.File.from_bytes(data[:-1])
    tail = module.Tail(item=items[2], end_=module.End(size=6))
    assert tail.to_bytes() == b"\x12\x01a\x12\x01b\x06"
    assert module.Tail.from_bytes(tail.to_bytes()).item == items[2]
