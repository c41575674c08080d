"""Fields at places of their own, beside fields that follow each other: elements, records inside of records, whole sources."""

from __future__ import annotations

import random
import struct
from functools import reduce
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

p: Any = compile_idl(
    """
    /** Cells anywhere in a page, as in b-trees; pages in a row, the first one behind a header. */
    record Page : big, gaps { u16 n = count(cells); u16 pointers[n]; Cell cells[i < n] at pointers[i]; }
    record Cell { u8 n = count(v); bytes v[n]; }
    record Book { u8 n = count(pages); Page pages[i < n] size 32; }

    /** A directory at the end, and members whose headers it finds, as in archives. */
    record Archive : little {
      Member  members[i < tail.count] at entries[i].member_at;
      Entry   entries[tail.count] at tail.entries_at size tail.entries_size;
      Tail    tail at end - 9;
    }
    record Member : little { bytes mark[2] = b"M!"; u16 n = count(data); bytes data[n]; }
    record Entry : little { u32 member_at; u8 n = count(name); utf8 name[n]; }
    record Tail : little, size(9) { u8 mark = 0xEE; u32 entries_at; u16 entries_size; u16 count; }

    /** Tables of (length, offset) beside each other, and texts that may be shared. */
    record Texts : little, overlaps {
      u32   n = count(keys);
      Slice slices[n];
      utf8  keys[i < n] at slices[i].at_ size slices[i].size_;
    }
    record Slice : little { u32 size_; u32 at_; }

    /** Offsets from the start of the source, whatever holds them. */
    record Image : little, gaps { u8 mark = 7; u8 n = count(sections); Section sections[n]; }
    record Section : little { u16 body_at; u16 body_size; bytes body[body_size] at body_at from source if body_at != 0; }

    /** Trees of records that point to others, counted from themselves. */
    record Node : little, gaps {
      i8   value;
      u8   left_at;
      u8   right_at;
      Node left  at left_at  if left_at != 0;
      Node right at right_at if right_at != 0;
    }

    /** Offsets that are derived, and a checksum of what stands elsewhere. */
    record Derived : little {
      u32  at_  = offset(body);
      u16  size_of = size(body);
      u16  n    = count(body.v) else "not as many";
      Cell body at at_;
      u8   xs[i < 2] at at_ + size_of + i where xs[i] < 200 else "too large";
    }
    /** A table of flatbuffers: slots say where its fields are, and stand before it. */
    record Message : little, gaps { u32 root_at; Table root at root_at; }
    record Table : little, gaps {
      i32   slots_back;
      Slots slots at offset(slots_back) - slots_back from source;
      i32   number at slots.places[0] if count(slots.places) > 0 and slots.places[0] != 0;
      u32   name_at at slots.places[1] if count(slots.places) > 1 and slots.places[1] != 0;
      Text  name at slots.places[1] + name_at if present(name_at);
    }
    record Slots : little { u16 size_; u16 table_size; u16 places[(size_ - 4) / 2]; }
    record Text : little { u32 n = count(text); utf8 text[n]; bytes end_[1] = 0; }
    record Shifted(u8 base) { u8 at_; u8 pad; Cell cell at at_ + base; }
    """,
    name="placed",
)


def page(*cells: bytes, pointers: Any = None) -> Any:
    return p.Page(pointers=pointers, cells=[p.Cell(v=v) for v in cells])


def test_errors_of_a_measured_field_have_its_path() -> None:
    idl = "record File { u8 n = size(body); u8 at_; Body body at at_ size n; } record Body { u8 v where v < 9; }"
    value: Any = compile_idl(idl).File.from_bytes(b"\1\2\7")
    value.body.v = 10
    with pytest.raises(EncodeError, match="v < 9 does not hold") as caught:
        value.to_bytes()
    assert caught.value.path == "body.v"


def test_elements_have_their_own_places() -> None:
    data = page(b"abc", b"xyz", pointers=[20, 28]).to_bytes()
    assert data == struct.pack(">HHH", 2, 20, 28).ljust(20, b"\0") + b"\3abc".ljust(8, b"\0") + b"\3xyz"
    found = p.Page.from_bytes(data)
    assert (found.n, [cell.v for cell in found.cells]) == (2, [b"abc", b"xyz"])
    assert [found.span("cells", i) for i in (0, 1)] == [(20, 4), (28, 4)]
    assert p.Page.open(p._lazy.Bytes(data)).span("cells", 0) == (20, 12)
    assert found.to_bytes() == data


def test_new_things_are_placed_at_the_end() -> None:
    assert page(b"abc", b"x").to_bytes() == struct.pack(">HHH", 2, 6, 10) + b"\3abc\1x"
    found = p.Page.from_bytes(page(b"abc", b"xyz", pointers=[20, 28]).to_bytes())
    found.cells, found.pointers = [*found.cells, p.Cell(v=b"new")], [20, 24, None]
    data = found.to_bytes()
    assert data[24:] == b"\3xyz" + b"\3xyz" + b"\3new"
    assert found.pointers == [20, 24, None]
    assert [cell.v for cell in p.Page.from_bytes(data).cells] == [b"abc", b"xyz", b"new"]


def test_untouched_bytes_stay() -> None:
    data = bytearray(page(b"abc", b"xyz", pointers=[20, 28]).to_bytes())
    data[8:19], data[24:28] = b"in the gap!", b"too."
    found = p.Page.from_bytes(bytes(data))
    assert found.to_bytes() == data
    found.cells[0].v = b"ABC"
    data[21:24] = b"ABC"
    assert found.to_bytes() == data
    opened = p.Page.open(p._lazy.Bytes(bytes(data)))
    assert opened.to_bytes() == data


def test_offsets_that_were_changed_move_what_was_not_read() -> None:
    data = page(b"abc", b"xyz", pointers=[20, 28]).to_bytes()
    found = p.Page.open(p._lazy.Bytes(data))
    found.pointers[0] = 8
    moved = found.to_bytes()
    assert moved[:12] == struct.pack(">HHH", 2, 8, 28) + b"\0\0\3abc"
    assert [cell.v for cell in found.cells] == [b"abc", b"xyz"]


def test_things_do_not_stand_on_each_other() -> None:
    with pytest.raises(EncodeError, match=r"its 4 bytes at 22 begin before the end of 'cells\[0\]' at 24") as caught:
        page(b"abc", b"xyz", pointers=[20, 22]).to_bytes()
    assert caught.value.path == "cells[1]"
    with pytest.raises(EncodeError, match="begin before the end"):
        page(b"abc", pointers=[3]).to_bytes()


def test_pages_inside_of_a_book() -> None:
    book = p.Book(pages=[page(b"abc", b"xyz", pointers=[20, 28]), page(b"k", pointers=[30])])
    data = book.to_bytes()
    assert len(data) == 65
    found = p.Book.from_bytes(data)
    assert found == book
    assert found.pages[1].cells[0].v == b"k"
    assert found.pages[1].span("cells", 0) == (33 + 30, 2)
    found.pages[1].cells[0].v = b"K"
    assert found.to_bytes() == data[:-1] + b"K"
    found.pages[1].cells[0].v = b"KK"
    with pytest.raises(EncodeError, match=r"encoded size 33 is not its declared size 32") as caught:
        found.to_bytes()
    assert caught.value.path == "pages[1]"


def archive() -> Any:
    members = [p.Member(data=b"one"), p.Member(data=b"second")]
    entries = [p.Entry(name="a"), p.Entry(name="bé")]
    return p.Archive(members=members, entries=entries, tail=p.Tail(entries_size=14, count=2))


def test_directory_at_the_end() -> None:
    data = archive().to_bytes()
    assert data == (
        b"M!\3\0one" + b"M!\6\0second" + struct.pack("<IB", 0, 1) + b"a" + struct.pack("<IB", 7, 3) + "bé".encode()
        + struct.pack("<BIHH", 0xEE, 17, 14, 2)
    )  # fmt: skip
    found = p.Archive.from_bytes(data)
    assert [member.data for member in found.members] == [b"one", b"second"]
    opened = p.Archive.open(p._lazy.Bytes(data))
    opened.members[0].data = b"longer"
    again = p.Archive.from_bytes(opened.to_bytes())
    assert [entry.member_at for entry in again.entries] == [0, 10]
    assert [member.data for member in again.members] == [b"longer", b"second"]
    assert [entry.member_at for entry in opened.entries] == [0, 7]


def test_shared_texts() -> None:
    slices = [p.Slice(size_=3, at_=20), p.Slice(size_=2, at_=21)]
    texts = p.Texts(slices=slices, keys=["abc", "bc"])
    data = texts.to_bytes()
    assert data[20:] == b"abc"
    assert p.Texts.from_bytes(data).keys == ["abc", "bc"]
    with pytest.raises(EncodeError, match="shared with another field"):
        p.Texts(slices=slices, keys=["abc", "xx"]).to_bytes()
    with pytest.raises(EncodeError, match="takes 4 bytes at 20, but its place is 3 bytes at 20"):
        p.Texts(slices=slices, keys=["abcd", "bc"]).to_bytes()


def test_places_in_the_source() -> None:
    sections = [p.Section(body_at=14, body_size=3, body=b"abc"), p.Section(body_at=0, body_size=0)]
    data = p.Image(sections=sections).to_bytes()
    assert data == struct.pack("<BBHHHH", 7, 2, 14, 3, 0, 0) + bytes(4) + b"abc"
    found = p.Image.from_bytes(data)
    assert [each.body for each in found.sections] == [b"abc", None]
    found.sections[0].body = b"ABC"
    assert found.to_bytes() == data[:14] + b"ABC"
    with pytest.raises(EncodeError, match="condition does not hold"):
        p.Image(sections=[p.Section(body_at=0, body_size=1, body=b"a")]).to_bytes()
    with pytest.raises(EncodeError, match="begin before the end"):
        p.Image(sections=[p.Section(body_at=2, body_size=1, body=b"a")]).to_bytes()


def test_records_point_to_their_own_kind() -> None:
    tree = p.Node(
        value=1, left_at=3, right_at=9, left=p.Node(value=2, left_at=0, right_at=3, right=leaf(3)), right=leaf(4)
    )
    data = tree.to_bytes()
    assert data == bytes([1, 3, 9, 2, 0, 3, 3, 0, 0, 4, 0, 0])
    found = p.Node.from_bytes(data)
    assert (found.left.right.value, found.right.value, found.left.left) == (3, 4, None)
    assert found == tree


def test_circles_of_places_end() -> None:
    circle = compile_idl("record N : gaps { u8 next; N child at next from source if next != 0; }").N
    found = circle.from_bytes(b"\1\1")
    with pytest.raises(DecodeError, match="nested more than 192 deep"):
        reduce(lambda node, _: node.child, range(200), found)
    with pytest.raises((DecodeError, EncodeError)):
        circle.from_bytes(b"\1\1").to_bytes()
    with pytest.raises(DecodeError, match="the offset 5 is outside the 2 bytes of the source"):
        _ = circle.from_bytes(b"\1\5").child.child


def test_as_many_elements_as_the_source_bounds() -> None:
    many = compile_idl("record F : gaps { u32 n; u8 xs[i < n] at 0; }").F
    with pytest.raises(DecodeError, match="do not fit"):
        many.from_bytes(b"\xff\xff\xff\xff")
    assert len(many.from_bytes(struct.pack("<I", 5)).xs) == 5


def leaf(value: int) -> Any:
    return p.Node(value=value, left_at=0, right_at=0)


def test_offsets_and_sizes_are_derived() -> None:
    made = p.Derived(body=p.Cell(v=b"abc"), xs=[1, 2])
    data = made.to_bytes()
    assert data == struct.pack("<IHH", 8, 4, 3) + b"\3abc\1\2"
    assert (made.at_, made.size_of, made.n) == (8, 4, 3)
    assert p.Derived.from_bytes(data) == made
    with pytest.raises(DecodeError, match="not as many"):
        p.Derived.from_bytes(data[:6] + b"\2\0" + data[8:])
    with pytest.raises(DecodeError, match="too large") as caught:
        p.Derived.from_bytes(data[:-1] + b"\xff")
    assert (caught.value.path, caught.value.offset) == ("xs[1]", 13)
    with pytest.raises(EncodeError, match="too large"):
        p.Derived(body=p.Cell(v=b""), xs=[1, 200]).to_bytes()


def flat() -> bytes:
    """A table at 12 whose slots stand at 4, with a number, and a name behind it."""
    return struct.pack("<IHHHHiiI", 12, 8, 12, 4, 8, 8, -5, 4) + struct.pack("<I", 2) + b"hi\0"


def test_offsets_counted_from_fields() -> None:
    found = p.Message.from_bytes(flat())
    root = found.root
    assert (root.slots.places, root.number, root.name.text) == ([4, 8], -5, "hi")
    assert root.span("slots") == (4, 8)
    assert found.to_bytes() == flat()
    root.number = 6
    assert found.to_bytes() == flat()[:16] + struct.pack("<i", 6) + flat()[20:]


def test_offsets_are_solved_for_what_holds_them() -> None:
    assert p.Shifted(cell=p.Cell(v=b"x"), pad=9).to_bytes(1) == b"\1\x09\1x"
    assert p.Shifted.from_bytes(b"\1\x09\1x", 1).cell.v == b"x"


@pytest.mark.parametrize(
    ("changes", "rule", "path"),
    [
        ({"pointers": [20]}, "its offset cannot be set", "cells[1]"),
        ({"cells": None}, "a value that it is made of is None", ""),
        ({"pointers": [20, 70000]}, "does not fit", ""),
    ],
)
def test_bad_values(changes: dict[str, Any], rule: str, path: str) -> None:
    made = page(b"abc", b"xyz", pointers=[20, 28])
    for name, value in changes.items():
        setattr(made, name, value)
    with pytest.raises(EncodeError, match=rule) as caught:
        made.to_bytes()
    assert caught.value.path.startswith(path)


def samples() -> list[tuple[Any, bytes]]:
    return [
        (p.Page, page(b"abc", b"xyz", pointers=[20, 28]).to_bytes()),
        (p.Book, p.Book(pages=[page(b"abc", b"xyz", pointers=[20, 28])]).to_bytes()),
        (p.Archive, archive().to_bytes()),
        (p.Texts, p.Texts(slices=[p.Slice(size_=3, at_=12)], keys=["abc"]).to_bytes()),
        (p.Image, p.Image(sections=[p.Section(body_at=14, body_size=3, body=b"abc")]).to_bytes()),
        (p.Message, flat()),
        (p.Node, bytes([1, 3, 9, 2, 0, 3, 3, 0, 0, 4, 0, 0])),
        (p.Derived, struct.pack("<IHH", 8, 4, 3) + b"\3abc\1\2"),
    ]


@pytest.mark.parametrize(("cls", "data"), samples(), ids=lambda value: getattr(value, "__name__", ""))
def test_damaged_bytes(cls: Any, data: bytes) -> None:
    """Whatever changes, reading raises DecodeError alone; what is read can be written, or EncodeError says why not."""
    rng = random.Random(cls.__name__)
    for _ in range(300):
        bad = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            bad[rng.randrange(len(bad))] = rng.choice((0, 1, 2, 127, 255, rng.randrange(256)))
        try:
            found = cls.from_bytes(bytes(bad[: rng.randint(0, len(bad))] if rng.random() < 0.2 else bad))
            repr(found)
        except DecodeError:
            continue
        try:
            again = found.to_bytes()
        except (EncodeError, DecodeError):
            continue
        assert cls.from_bytes(again).to_bytes() == again


@pytest.mark.parametrize("word", ["gaps", "overlaps"])
def test_records_without_a_size_claim_what_they_consist_of(word: str) -> None:
    """They have all bytes up to the end, where other things stand."""
    m: Any = compile_idl(
        "record File : little, overlaps { u16 page_at; Page page at page_at; u16 other_at; Other other at other_at; }\n"
        f"record Page : {word} {{ u8 n; bytes v[n]; u8 place; u8 x at place; }} record Other {{ u8 k; u8 j; }}"
    )
    data = bytes([4, 0, 10, 0, 1, 65, 5, 9, 9, 9, 7, 8])
    found = m.File.from_bytes(data)
    found.other.k = 6
    assert found.to_bytes() == data[:10] + b"\6\x08"
    found.page.x = 3
    found.other_at = 7
    assert found.to_bytes() == data[:2] + b"\7\0" + data[4:7] + b"\6\x08\3" + data[10:]
    # What is between its own bytes goes along when it is placed elsewhere.
    found.page_at, found.other_at = None, 10
    moved = m.File.from_bytes(found.to_bytes())
    assert (moved.page_at, moved.page.x, moved.other.k) == (12, 3, 6)
    found.page_at, found.other_at, found.other.k = 4, 9, 1
    with pytest.raises(EncodeError, match="other bytes there"):
        found.to_bytes()


PLACED_LISTS = """
record P : gaps { u8 n = count(xs); E xs[i < n] at 4 + i; utf8 t[i < 2] until "x" at 40 + 5 * i;
  u8 at_[2]; E es[i < 2] at at_[i]; }
record E { u8 v; }
"""


def test_mappings_and_sets_are_no_lists() -> None:
    m: Any = compile_idl(PLACED_LISTS)
    given: dict[str, Any] = {"xs": [m.E(v=8)], "t": ["q", "r"], "at_": [None, None], "es": [m.E(v=1), m.E(v=2)]}
    assert m.P(**given).to_bytes()
    for name, wrong in (("xs", {0: m.E(v=1)}), ("xs", {1}), ("t", {0: "a", 1: "b"}), ("xs", {"a": 1})):
        with pytest.raises(EncodeError, match=rf"P: {name}: .* a list is needed, not {type(wrong).__name__}"):
            m.P(**{**given, name: wrong}).to_bytes()
    with pytest.raises(EncodeError, match=r"xs.*: E is needed, not the class E"):
        m.P(**{**given, "xs": [m.E]}).to_bytes()


def test_offsets_that_are_none_in_json() -> None:
    m: Any = compile_idl(PLACED_LISTS)
    found = m.P(xs=[m.E(v=8)], t=["q", "r"], at_=[None, 20], es=[m.E(v=1), m.E(v=2)])
    again = m.P.from_json(found.to_json())
    assert again.at_ == [None, 20]
    assert again.to_bytes() == found.to_bytes()
