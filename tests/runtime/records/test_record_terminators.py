"""Texts that end with a terminator."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl, extern_codec
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.read import until
from tests.bounds import within

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

t: Any = compile_idl(
    f"""
    codec swapped -> bytes = extern "{__name__}:Swapped";

    record Text {{ utf8 name until "\\0"; u8 after; }}
    record Lines {{ u8 n = count(lines); bytes lines[n] until "\\r\\n"; u8 after; }}
    record Environment {{ utf8 entries[until last(entries) == ""] until "\\0"; }}
    record All {{ utf8 words[..] until " "; }}
    record Sized {{ u8 size_of_name = size(name); utf8 name until "\\0" size size_of_name; u8 after; }}
    record Entry {{ u8 n; utf8 each[i < n] until "\\0" if i != 1 where size(each[i]) < 5; }}
    record Magic {{ bytes magic until "\\n" = "P6"; }}
    record Coded {{ bytes name until "/" via swapped; }}
    record Spanned {{ u8 stored = size(name); u8 whole = raw_size(name); utf8 name until "/" size stored via swapped; }}
    record Measured {{ u8 whole = raw_size(name); utf8 name until "/" via swapped; }}
    record Holder {{ u8 n = size(text); Text text size n; u8 after; }}
    record Choice {{ u8 kind = tag(value); Value(kind) value; u8 after; }}
    variant Value(u8 kind) on kind {{ 0: NAMED {{ utf8 name until "\\0"; }}; 1: NUMBER {{ u8 n; }}; }}
    record Long {{ bytes text until "aab"; }}
    """,
    name="terminators",
    allow_extern=[__name__],
)


@extern_codec
class Swapped:
    """Letters for other letters, and a dash for a slash."""

    _TABLE = bytes.maketrans(b"ab-/", b"ba/-")

    def decode(self, data: bytes) -> bytes:
        return bytes(data).translate(self._TABLE)

    encode = decode


def same(name: str, data: bytes) -> Any:
    """What is read from bytes, and written as the same again."""
    found = getattr(t, name).from_bytes(data)
    assert found.to_bytes() == data
    return found


def refused(name: str, data: bytes, path: str, offset: int, rule: str) -> None:
    with pytest.raises(DecodeError) as caught:
        getattr(t, name).from_bytes(data)
    assert (caught.value.path, caught.value.offset, caught.value.rule) == (path, offset, rule)


def unwritten(value: Any, path: str, rule: str) -> None:
    with pytest.raises(EncodeError) as caught:
        value.to_bytes()
    assert (caught.value.path, caught.value.rule) == (path, rule)


def test_one_text() -> None:
    assert same("Text", "né\0!".encode()).name == "né"
    assert same("Text", b"\0!").name == ""
    refused("Text", b"name!", "name", 0, r"the terminator b'\x00' does not follow")
    refused("Text", b"\xff\0!", "name", 0, "the text is not valid UTF-8")
    unwritten(t.Text(name="a\0b", after=1), "name", r"the value contains its terminator b'\x00'")
    unwritten(t.Text(name=b"a", after=1), "name", "the value does not fit its type: a str is needed, not bytes")


def test_lists() -> None:
    assert same("Lines", b"\2a\r\n\r\r\n!").lines == [b"a", b"\r"]
    refused("Lines", b"\2a\r\nb\r!\n", "lines[1]", 4, r"the terminator b'\r\n' does not follow")
    refused("Lines", b"\x09a\r\n", "lines", 1, "9 elements do not fit the 3 bytes left")
    unwritten(t.Lines(lines=[b"a", b"\r\n"], after=1), "lines[1]", r"the value contains its terminator b'\r\n'")
    assert same("Environment", b"A=1\0B=2\0\0").entries == ["A=1", "B=2", ""]
    assert same("All", b"one two ").words == ["one", "two"]
    refused("All", b"one two", "words[1]", 4, "the terminator b' ' does not follow")
    assert same("Entry", b"\3a\0b\0").each == ["a", None, "b"]
    refused("Entry", b"\1abcd\0", "each[0]", 1, "size(each[i]) < 5 does not hold")


def test_sizes_count_the_terminator() -> None:
    assert same("Sized", b"\3ab\0!").name == "ab"
    refused("Sized", b"\4ab\0!", "name", 4, "1 bytes are left over")
    refused("Sized", b"\2ab\0!", "name", 1, r"the terminator b'\x00' does not follow")


def test_a_terminator_must_stand_in_the_span() -> None:
    assert same("Holder", b"\4ab\0!.").text.name == "ab"
    refused("Holder", b"\3abc\0!.", "text.name", 1, r"the terminator b'\x00' does not follow")


def test_alternatives() -> None:
    assert same("Choice", b"\0ab\0!").value == t.Value.NAMED(name="ab")
    assert same("Choice", b"\1\2!").value == t.Value.NUMBER(n=2)
    refused("Choice", b"\0ab", "value.name", 1, r"the terminator b'\x00' does not follow")


def test_derived_texts() -> None:
    assert t.Magic().to_bytes() == b"P6\n"
    refused("Magic", b"P5\n", "magic", 0, 'magic must be "P6"')


def test_codecs() -> None:
    """Without a `size`, the terminator follows what a codec made; with one, it stands in what a codec reads."""
    assert same("Coded", b"ab/").name == b"ba"
    assert same("Coded", b"a-b/").name == b"b/a"
    unwritten(t.Coded(name=b"-"), "name", "the value contains its terminator b'/'")
    found = same("Spanned", b"\3\3ab-")
    assert (found.name, found.whole) == ("ba", 3)
    unwritten(t.Spanned(name="a/"), "name", "the value contains its terminator b'/'")


def test_a_terminator_that_begins_in_the_value() -> None:
    assert same("Long", b"aaab").text == b"a"
    unwritten(t.Long(text=b"xaab"), "text", "the value contains its terminator b'aab'")
    assert same("Long", b"aabb"[:3]).text == b""


@pytest.mark.parametrize("size", [0, 1, 61, 62, 63, 64, 65, 190, 191, 192, 5000])
def test_search_in_other_buffers(size: int) -> None:
    data = b"." * size + b"<>" + b"." * 100
    for buf in (data, memoryview(data), memoryview(bytearray(data))):
        assert until(buf, 0, b"<>") == size
        assert until(buf, size // 2, b"<>") == size - size // 2
        with pytest.raises(DecodeError):
            until(buf, size + 1, b"<>")
        with pytest.raises(DecodeError):
            until(buf[: size + 1], 0, b"<>")


def test_many_texts_take_linear_time() -> None:
    data = memoryview(b"a " * 200_000)
    with within(5):
        assert len(t.All.read(data)[0].words) == 200_000


def test_the_size_before_codecs_is_that_without_the_terminator() -> None:
    """A text whose uncoded size is derived is encoded apart, and ends as others do."""
    found = same("Measured", b"\2ab/")
    assert (found.whole, found.name) == (2, "ba")
