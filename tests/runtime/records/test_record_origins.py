"""Places that count from the start of a record around the one that holds them: `at offset from Message`."""

from __future__ import annotations

import copy
import pickle
import zlib
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, IdlError, compile_idl
from lakecodec.workbench import explore, verify
from lakecodec.workbench.sampling.sampler import sample_list

from ...oracle.backends import BACKENDS, running

#: DNS over TCP, RFC 1035: a length in front of each message, in which names point to others by their offset in it.
DNS = """
record Stream { Frame frames[..]; }
record Frame : big { u16 length = size(message); Message message size length; }
record Message : big, overlaps {
  u16 id; u16 flags; u16 questions; u16 answers; u16 authorities; u16 additional;
  Question question[questions];
  Answer   answer[answers];
}
record Question : big { Labels name; u16 type; u16 class; }
record Answer   : big { Labels name; u16 type; u16 class; u32 ttl; u16 n = count(data); bytes data[n]; }
record Labels { Label labels[until last(labels).n == 0 or last(labels).n >= 0xC0]; }
record Label : big {
  u8     n;
  bytes  text[n]                                  if n < 0xC0;
  u8     low                                      if n >= 0xC0;
  Labels rest at ((n & 0x3F) << 8) + low from Message  if n >= 0xC0;
}
"""
QUESTION = b"\x07example\x03com\0" + b"\0\1\0\1"
ANSWER = b"\xc0\x0c" + b"\0\1\0\1" + b"\0\0\x0e\x10" + b"\0\4" + b"\x5d\xb8\xd8\x22"
MESSAGE = bytes.fromhex("1a2b81800001000200000000") + QUESTION + ANSWER + b"\3www" + ANSWER
STREAM = 2 * (len(MESSAGE).to_bytes(2, "big") + MESSAGE)

BOXES = """
codec z -> bytes = extern "runtime.codecs:Zlib";
record File { u8 pad[3]; u16 n = size(box); Box box size n via z; Box plain; }
record Box { u8 k; Item items[i < k]; bytes data[2]; }
record Item { u8 at; u8 len; bytes v[len] at at from Box; }
"""
BOX = bytes((2, 7, 2, 9, 1)) + b"xy" + b"VW" + b"U"


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def _file() -> bytes:
    packed = zlib.compress(BOX, 1)
    return b"abc" + len(packed).to_bytes(2, "little") + packed + BOX


def test_names_of_dns_over_tcp_point_into_their_message(backend: str) -> None:
    module = compile_idl(DNS)
    for _ in range(3):
        stream = module.Stream.from_bytes(STREAM)
        first, second = (frame.message.answer for frame in stream.frames)
        for answers in (first, second):
            assert [each.text for each in answers[0].name.labels[0].rest.labels] == [b"example", b"com", b""]
            assert answers[1].name.labels[0].text == b"www"
        assert stream.to_bytes() == STREAM
        assert module.Message.from_bytes(MESSAGE).to_bytes() == MESSAGE
        assert pickle.loads(pickle.dumps(stream)).to_bytes() == STREAM
        assert copy.deepcopy(stream).to_bytes() == STREAM


def test_an_edit_that_contradicts_what_a_place_names_is_refused(backend: str) -> None:
    module = compile_idl(DNS)
    stream = module.Stream.from_bytes(STREAM)
    message = stream.frames[1].message
    message.question[0].name.labels[0].text = b"example"[::-1]
    with pytest.raises(EncodeError, match="are shared with another field, which has other bytes there"):
        stream.to_bytes()
    for answer in message.answer:
        answer.name.labels[-1].rest.labels[0].text = b"example"[::-1]
    assert stream.to_bytes() == STREAM[: len(STREAM) // 2] + STREAM[len(STREAM) // 2 :].replace(b"example", b"elpmaxe")


def test_places_are_those_of_the_innermost_record_of_the_name_behind_codecs_too(backend: str) -> None:
    module = compile_idl(BOXES)
    data = _file()
    for _ in range(3):
        value = module.File.from_bytes(data)
        assert [item.v for item in value.box.items] == [item.v for item in value.plain.items] == [b"VW", b"U"]
        assert value.to_bytes() == data
        value.box.items[0].v, value.plain.items[1].v = b"Q!", b"?"
        again = module.File.from_bytes(value.to_bytes())
        assert (again.box.items[0].v, again.plain.items[1].v) == (b"Q!", b"?")
        assert again == value


def test_bytes_that_no_place_names_are_not_dropped(backend: str) -> None:
    module = compile_idl(BOXES)
    value = module.File.from_bytes(_file() + b"!")
    with pytest.raises(EncodeError, match="1 bytes that it was read from, at 33, belong to no field"):
        value.to_bytes()


def test_bad_places_are_errors_with_their_path(backend: str) -> None:
    module = compile_idl(BOXES)
    with pytest.raises(DecodeError) as caught:
        module.File.from_bytes(_file()[:-1])
    assert (caught.value.path, caught.value.offset) == ("plain.items[1].v", 32)
    with pytest.raises(DecodeError, match="no Box contains it, from which its offset counts"):
        module.Item.from_bytes(b"\0\1")
    with pytest.raises(EncodeError, match="no Box contains it, from which its offset counts"):
        module.Item(at=0, len=1, v=b"x").to_bytes()


def test_values_without_bytes_are_written(backend: str) -> None:
    module = compile_idl(BOXES)
    items = [module.Item(at=7, len=2, v=b"VW"), module.Item(at=9, len=1, v=b"U")]
    assert module.Box(k=2, items=items, data=b"xy").to_bytes() == BOX
    items[1].at = 11
    with pytest.raises(EncodeError, match="2 bytes before it, at 9, belong to no field"):
        module.Box(k=2, items=items, data=b"xy").to_bytes()


def test_tools_know_where_they_are() -> None:
    module = compile_idl(BOXES)
    tree = explore(_file(), module.File)
    found = tree.find("plain.items[1].v")
    assert (found.offset, found.size) == (32, 1)
    assert verify(_file(), module.File) == []
    assert len(sample_list(compile_idl(DNS).Message, 3, 1)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("record A { B b; } record B { u8 p; u8 v at p from Q; }", "not from 'Q'"),
        ("record A { B b; } record B { u8 p; u8 v at p from C; } record C { u8 x; }", "no 'C' can contain 'B'"),
        ("record A { B b; u8 z; } record B { D d; } record D { u8 p; u8 v at p from B; }", "leaves none for 'z'"),
    ],
)
def test_origins_are_records_around(text: str, message: str) -> None:
    with pytest.raises(IdlError, match=message):
        compile_idl(text)


HOLDERS = {
    "a row": ("record File%s { u8 a; I i; }", b"\7"),
    "a variant": ("record File%s { u8 k; V(k) v; } variant V(u8 k) on k { 1: A { I i; }; else: B; }", b"\1"),
    "a place": ("record File%s { u8 a; I i at a size 8; }", b"\1"),
    "a derived size": (
        "record File%s { T t with n = size(i); I i at t.p size t.n; } record T { u8 p; u8 n; }",
        b"\2\x08",
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("word", ["gaps", "overlaps"])
@pytest.mark.parametrize("outer", ["", " : gaps"])
@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("inside", ["P p;", "Q q;", "P p[1];"])
def test_bytes_between_fields_of_records_inside_are_kept(
    inside: str, holder: str, outer: str, word: str, backend: str
) -> None:
    text, begin = HOLDERS[holder]
    places = "record P { u8 p; u8 n; u8 x[n] at p from I; } record Q { P p; }"
    cls = compile_idl(f"{text % outer} record I : {word} {{ {inside} }} {places}").File
    data = begin + b"\4\2\1\1\7\x08\x09\x09"
    with running(backend):
        assert cls.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("word", ["", ": gaps", ": overlaps"])
def test_padding_of_records_that_count_from_an_enclosing_one(word: str) -> None:
    """Padding counts from the start of the source, wherever the enclosing record begins."""
    module: Any = compile_idl(
        f"record File {word} {{ u8 p; u8 n = size(o); Outer o at p size n; }} record Outer : gaps {{ Part part; }}"
        "record Part { u8 at_; u8 z; Curve c[2] at at_ from Outer; }"
        "record Curve { u8 n = count(v); bytes v[n]; bytes pad[padding(4)] = 0; }"
    )
    data = bytes([2, 14, 6, 0, 0, 0, 0, 0, 2, 1, 2, 0, 1, 1, 0, 0])
    read = module.File.from_bytes(data)
    assert read.to_bytes() == data
    read.o.part.c[1].v = b"abc"
    written = read.to_bytes()
    assert written == data[:12] + bytes([3, *b"abc"])
    assert module.File.from_bytes(written) == read
