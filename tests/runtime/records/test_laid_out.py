"""Records with places are laid out by one program, however they were edited, and as generated code lays them out."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl
from lakecodec.runtime.records import backend

from ...compiled import compiled
from ...gallery.real_files import file_of, names
from ...oracle.backends import running
from ...paths import SPECS

pytestmark = pytest.mark.skipif(backend.native is None, reason="no native writer was built")

#: Formats of the gallery with places.
PLACED = ("arrow_ipc", "dex", "dns", "leveldb", "mo", "orc", "plist", "sqlite", "squashfs", "zip")

m: Any = compile_idl(
    """
record Gaps : gaps {
  u8    at;
  u8    size where size == end else "another size";
  u16   x    at at;
  bytes y[2] at end - 2;
}
record Part { u8 n = count(text); bytes text[n]; }
record Shared : overlaps { u8 at; u8 other; Part part at at from source; Part same at other from source if other != 0; }
record Summed : gaps {
  u32  sum = crc32(all_but(sum));
  u8   at[2];
  Part parts[i < 2] at at[i];
  Tail tail with sum = crc32(all_but(sum, tail.sum)) at 16;
}
record Tail : size(4) { u32 sum; }
record Twice {
  bytes body[4];
  Sums  sums with a = crc32(all_but(sums.a, sums.b)), b = crc32(all_but(sums.b)) at 4;
}
record Sums : size(8) { u32 a; u32 b; }
record Far : gaps { u64 at; Inner inner at at; }
record Farther : gaps { u64 at; Far far at at; }
record Inner { Counted counted; }
record Measured {
  u8   at = offset(body);
  u8   sizes[i < 2] = size(parts[i]);
  u8   more = offset(rest);
  Part body at at;
  Part parts[i < 2] at at + size_of(body) + (i == 0 ? 0 : sizes[0]);
  Part rest at more if flag == 1;
  u8   flag = present(rest) ? 1 : 0;
}
fn size_of(Part p) -> i64 = p.n + 1;
record Listed {
  Part  parts[i < count(list.entries)] at list.entries[i].at;
  List  list with entries[i].at = offset(parts[i]) when list.entries[i].at != 255 at tail.at size tail.size;
  End   tail with size = size(list), at = offset(list) when tail.at != 255 at end - 2;
}
record List { Entry entries[..]; }
record Entry { u8 at; }
record End : size(2) { u8 at; u8 size; }
record Counted { bytes body[head.n] at 0; Part head at end - 3 size 3; }
record Around { bytes before[3]; Near near; }
record Near { u8 at = offset(part); Part part at at - 3; }
record Peeked { u8 at[2]; Kind kinds[i < 2] at at[i]; }
variant Kind on peek(1)[0] { 1: ONE { u8 a = 1; u8 b; }; else: OTHER { u8 c; }; }
record Numbered { Table table; Part parts[i < 2] at first(table.rows).at[i]; }
record Table { Row rows[1]; }
record Row { u8 at[2]; }
record Told { Part parts[i < count(told.at)] at told.at[i]; Ends told at end - 3; }
record Ends : size(3) { u8 n; u8 at[2]; }
record Behind { u8 n; u16 at[n]; Part parts[i < n] at at[i] align 4; }
""",
    name="laid_out",
)


def by_program(value: Any) -> bytes | None:
    """Returns what one program writes; None if generated code must."""
    native: Any = backend.native
    found: bytes | None = native.write(value, {}, 0, 192, (), is_whole=True)
    return found


def by_both(make: Callable[[], Any]) -> Any:
    """Returns the bytes that both backends write, or the path and rule of the error that both raise."""
    outcomes: list[Any] = []
    for name in ("native", "pure"):
        with running(name):
            try:
                outcomes.append(make().to_bytes())
            except EncodeError as error:
                outcomes.append((error.path, error.rule))
    assert outcomes[0] == outcomes[1]
    return outcomes[0]


@pytest.mark.parametrize("name", [each for each in PLACED if each in set(names())])
def test_edited_files_are_laid_out(name: str) -> None:
    data = file_of(name)
    value = compiled(SPECS / "gallery" / f"{name}.idl").File.from_bytes(data)
    for field in value._given:
        setattr(value, field, getattr(value, field))
    assert by_program(value) == data


GAPS = b"\x03\x09K\x05\x00--yz"


def gaps(**fields: Any) -> Callable[[], Any]:
    def make() -> Any:
        found = m.Gaps.from_bytes(GAPS)
        for name, value in fields.items():
            setattr(found, name, value)
        return found

    return make


def test_bytes_between_places_stay() -> None:
    make = gaps(x=258, y=b"YZ")
    assert by_program(make()) == by_both(make) == b"\x03\x09K\x02\x01--YZ"


def test_a_rule_about_the_end_is_checked_on_writing() -> None:
    make = gaps(size=8)
    assert by_program(make()) is None
    assert by_both(make)[0] == "size"
    with pytest.raises(DecodeError, match="another size"):
        m.Gaps.from_bytes(GAPS + b"z")


def test_what_has_no_room_is_refused() -> None:
    make = gaps(at=1)
    assert by_program(make()) is None
    assert "its 2 bytes at 1 begin before the end of the fields that follow each other" in by_both(make)[1]


def test_what_counts_from_the_end_makes_room() -> None:
    make = gaps(at=6)
    assert by_program(make()) is None
    assert by_both(make)[0] == "size"
    assert "another size" in by_both(make)[1]
    assert by_both(gaps(at=6, size=10)) == b"\x06\x0aK\x05\x00-\x05\x00yz"


def test_shared_bytes_agree() -> None:
    data = b"\x02\x03\x03\x01bc"
    found = m.Shared.from_bytes(data)
    assert found.part.text == b"\x01bc"
    assert found.same.text == b"b"
    assert by_program(found) == data

    def differ() -> Any:
        found = m.Shared.from_bytes(data)
        found.same.text = b"c"
        return found

    assert by_program(differ()) is None
    assert "shared with another field" in by_both(differ)[1]


def summed(first: bytes) -> Any:
    parts = [m.Part(text=first), m.Part(text=b"xy")]
    return m.Summed(at=[6, 11], parts=parts, tail=m.Tail(sum=None))


def test_sums_of_all_bytes() -> None:
    data = by_both(lambda: summed(b"abc"))
    assert by_program(summed(b"abc")) == data
    tail = zlib.crc32(data[4:16])
    assert data[16:20] == struct.pack("<I", tail)
    assert data[:4] == struct.pack("<I", zlib.crc32(data[4:]))
    read = m.Summed.from_bytes(data)
    read.parts[0].text = b"abd"
    given = read.tail
    edited = by_program(read)
    assert edited == by_both(lambda: summed(b"abd"))
    assert given.sum == tail
    assert read.tail.sum == zlib.crc32(edited[4:16])


def test_sums_of_sums() -> None:
    def make() -> Any:
        return m.Twice(body=b"abcd", sums=m.Sums(a=None, b=None))

    data = by_both(make)
    assert by_program(make()) == data
    assert struct.unpack("<II", data[4:]) == (zlib.crc32(data[:4]), zlib.crc32(data[:8]))
    assert m.Twice.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("at", [1 << 61, (1 << 63) - 1, 1 << 63, (1 << 64) - 1])
def test_what_has_too_large_an_offset_is_refused(at: int) -> None:
    def far() -> Any:
        return m.Far(at=at, inner=m.Inner(counted=m.Counted(body=b"ab", head=m.Part(text=b"de"))))

    for make, path in ((far, "inner"), (lambda: m.Farther(at=at, far=far()), "far.inner")):
        found, rule = by_both(make)
        assert found == path
        assert rule.startswith(f"its offset {at} leaves more than")


def behind(*texts: bytes) -> Callable[[], Any]:
    return lambda: m.Behind(n=2, at=[8, 12], parts=[m.Part(text=text) for text in texts])


def test_fields_behind_each_other_are_aligned() -> None:
    make = behind(b"ab", b"c")
    data = b"\x02\x08\x00\x0c\x00\0\0\0\x02ab\0\x01c"
    assert by_program(make()) == by_both(make) == data


def test_fields_that_move_are_placed_by_one_program() -> None:
    make = behind(b"abcdef", b"c")
    data = b"\x02\x08\x00\x10\x00\0\0\0\x06abcdef\0\x01c"
    assert by_program(make()) == by_both(make) == data


def longer(cls: Any, data: bytes, **fields: Any) -> Callable[[], Any]:
    """Returns what makes a record of which the first part was made longer since it was read, and other fields set."""

    def make() -> Any:
        found = cls.from_bytes(data)
        found.parts[0].text = b"abcd"
        for name, value in fields.items():
            setattr(found, name, value)
        return found

    return make


@pytest.mark.parametrize(
    ("cls", "data", "written"),
    [
        (m.Behind, b"\x01\x04\x00\0\x01a", b"\x01\x04\x00\0\x04abcd"),
        (m.Numbered, b"\x02\x04\x01a\x01b", b"\x02\x07\x04abcd\x01b"),
        (m.Listed, b"\x01a\x01b\x00\x02\x04\x02", b"\x04abcd\x01b\x00\x05\x07\x02"),
        (m.Told, b"\x01a\x01b\x01\x00\x02", b"\x04abcd\x01b\x01\x00\x05"),
    ],
)
def test_edits_that_move_fields_are_written_by_one_program(cls: Any, data: bytes, written: bytes) -> None:
    make = longer(cls, data)
    assert by_program(make()) == by_both(make) == written
    read = make()
    before = repr(read)
    read.to_bytes()
    if cls is m.Listed:  # whose offsets are computed by `with`
        assert read == cls.from_bytes(written)
    else:
        assert repr(read) == before


def test_edited_offsets_of_fields_that_move_are_refused() -> None:
    data = b"\x02\x08\x00\x0c\x00\0\0\0\x01a\0\0\x01b"
    assert by_both(longer(m.Behind, data, at=[8, 12])) == b"\x02\x08\x00\x10\x00\0\0\0\x04abcd\0\0\0\x01b"
    path, rule = by_both(longer(m.Behind, data, at=[8, 13]))
    assert path == "at[1]"
    assert rule.startswith("13 was set, but parts[1] is written at 16: set that, or None")
    assert by_both(longer(m.Behind, data, at=[8, None]))[-2:] == b"\x01b"


def test_lists_have_as_many_elements_as_places() -> None:
    make = behind(b"ab")
    assert by_program(make()) is None
    assert by_both(make)[0] == "parts"


def test_what_keeps_its_derived_values_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written = list[bytes | None]()
    encoded = backend.encoded

    def noted(*arguments: Any) -> bytes | None:
        written.append(encoded(*arguments))
        return written[-1]

    monkeypatch.setattr(backend, "encoded", noted)
    read = m.Counted.from_bytes(b"ab\x02cd")
    read.head.text = b"xy"
    assert [read.to_bytes()] == written == [b"ab\x02xy"]
    read.body, read.head.text = b"a", b"cd"
    with pytest.raises(EncodeError, match="body"):
        read.to_bytes()


@pytest.mark.parametrize("name", ["native", "pure"])
def test_what_was_read_is_located_without_reading_it_again(name: str) -> None:
    with running(name):
        read = m.Listed.from_bytes(b"\x02ab\x00\x03\x01")
        read.parts[0].text = b"abc"
        assert read.to_bytes() == b"\x03abc\x00\x04\x01"
        assert read._original is None


def measured(*texts: bytes, rest: bytes | None = None) -> Callable[[], Any]:
    body, *parts = [m.Part(text=text) for text in texts]
    return lambda: m.Measured(body=body, parts=parts, rest=None if rest is None else m.Part(text=rest))


def test_numbers_before_the_fields_that_they_measure() -> None:
    for make in (measured(b"", b"", b""), measured(b"ab", b"cde", b"f"), measured(b"ab", b"cde", b"f", rest=b"g")):
        data = by_both(make)
        assert by_program(make()) == data
        read = m.Measured.from_bytes(data)
        assert (read.at, read.sizes, read.more) == (
            5,
            [1 + part.n for part in read.parts],
            len(data) - 2 if read.flag else 0,
        )
        read.body.text += b"xyz"
        edited = by_program(read)
        read.to_bytes()
        assert (read.at, edited) == (5, read.to_bytes())


LISTED = b"\2ab\1c\0\3\5\2"


def listed(*texts: bytes, known: int | None = None, at: int | None = None) -> Callable[[], Any]:
    def make() -> Any:
        found = m.Listed.from_bytes(LISTED)
        found.parts = [m.Part(text=text) for text in texts]
        found.list.entries = [m.Entry() for _ in texts]
        if at is not None:
            found.tail.at = at
        if known is not None:
            found.list.entries[known].at = 255
        return found

    return make


def test_numbers_in_the_elements_of_a_list() -> None:
    for make in (listed(b"ab", b"c"), listed(b"abcdef", b"c"), listed(b"a", b"b", b"cd"), listed()):
        data = by_both(make)
        assert by_program(make()) == data
        assert [part.text for part in m.Listed.from_bytes(data).parts] == [part.text for part in make().parts]
    for make in (listed(b"ab", b"c", known=1), listed(b"ab", b"c", at=255)):
        assert by_program(make()) is None
        assert "its place is" in by_both(make)[1]


def test_offsets_count_from_the_start_of_the_source() -> None:
    def make() -> Any:
        return m.Around(before=b"abc", near=m.Near(part=m.Part(text=b"de")))

    assert by_program(make()) == by_both(make) == b"abc\x04\x02de"


def test_first_bytes_decide_about_a_variant() -> None:
    def peeked(first: Any, second: Any) -> Callable[[], Any]:
        return lambda: m.Peeked(kinds=[first, second], at=[2, 4])

    make = peeked(m.Kind.ONE(b=2), m.Kind.OTHER(c=5))
    assert by_program(make()) == by_both(make) == b"\2\4\1\2\5"
    make = peeked(m.Kind.ONE(b=2), m.Kind.OTHER(c=1))
    assert by_program(make()) is None
    assert "cannot be read back" in by_both(make)[1]
