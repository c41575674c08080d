"""Located records that are opened, changed and written: nothing is lost, and nothing but the result changes."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError

c: Any = compile_idl(
    """
    record Blob { bytes v[..]; }

    record Pair {
      Blob    a at tail.a_at size tail.b_at - tail.a_at;
      Blob    b at tail.b_at size end - 8 - tail.b_at;
      Offsets tail at end - 8;
    }
    record Offsets : little, size(8) { u32 a_at; u32 b_at; }

    record Chain {
      Link first at 0 size 6;
      Link second at first.next size first.size_of_next;
      Link third at second.next size second.size_of_next;
    }
    record Link : little { u16 next; u16 size_of_next; bytes text[..]; }

    record Named(i32 end_of_names) {
      Names names at 0 size end_of_names;
      Blob  body at names.place.body_at size end - names.place.body_at;
    }
    record Names { u8 n = count(text); utf8 text[n]; Place place; }
    record Place { uvarint32 body_at; }

    record Elf {
      Header  header at 0;
      Segment segments at header.phoff size 8 * header.phnum;
      Blob    text at 16 + 8 * header.phnum size header.shoff - 16 - 8 * header.phnum;
      Section sections at header.shoff size 6 * header.shnum;
    }
    record Header : little, size(16) { bytes magic[4] = b"\x7fELF"; u32 phoff; u32 shoff; u16 phnum; u16 shnum; }
    record Segment : little { u64 entries[..]; }
    record Section { Entry entries[..]; }
    record Entry : little { u16 kind; u32 address; }
    """,
    name="edits",
)

PAIR = b"AAABBBBBB" + struct.pack("<II", 0, 3)


def opened(cls: Any, data: bytes, *parameters: Any) -> Any:
    return cls.open(c._lazy.Bytes(data), **dict(zip(cls._parameters, parameters, strict=True)))


@pytest.mark.parametrize("touched", [(), ("b",), ("b", "tail"), ("tail",)])
def test_untouched_fields_are_kept(touched: tuple[str, ...]) -> None:
    pair = opened(c.Pair, PAIR)
    for name in touched:
        getattr(pair, name)
    pair.a.v = b"AAAAAA"
    for _ in range(2):
        assert pair.to_bytes() == b"AAAAAABBBBBB" + struct.pack("<II", 0, 6)
    assert (pair.tail.a_at, pair.tail.b_at) == (0, 3)
    assert (pair.span("b"), pair.b.v) == ((3, 6), b"BBBBBB")


def test_all_moves_with_the_start() -> None:
    assert opened(c.Pair, PAIR).to_bytes(start=4) == b"AAABBBBBB" + struct.pack("<II", 4, 7)


def test_chain_of_sections() -> None:
    data = struct.pack("<HH2s", 6, 5, b"ab") + struct.pack("<HHs", 11, 7, b"c") + struct.pack("<HH3s", 0, 0, b"def")
    chain = opened(c.Chain, data)
    assert chain.to_bytes() == data
    chain = opened(c.Chain, data)
    chain.second.text, chain.first.size_of_next = b"cccc", 8
    expected = struct.pack("<HH2s", 6, 8, b"ab") + struct.pack("<HH4s", 14, 7, b"cccc") + data[11:]
    assert chain.to_bytes() == expected
    assert chain.second.next == 11
    chain.second.text = b"ccccc"
    with pytest.raises(EncodeError, match="it takes 9 bytes at 6, but its place is 8 bytes at 6"):
        chain.to_bytes()


def test_offsets_that_change_the_size_of_what_holds_them() -> None:
    """The varint takes two bytes where the body begins behind 127."""
    for size in (3, 125, 126, 127, 200):
        names = c.Names(text="x" * size, place=c.Place())
        begin = 1 + size + (1 if 1 + size + 1 < 128 else 2)
        data = c.Named(names=names, body=c.Blob(v=b"body")).to_bytes(begin)
        assert data[begin:] == b"body"
        assert c.Named.from_bytes(data, begin).to_bytes() == data
        assert opened(c.Named, data, begin).names.place.body_at == begin


@pytest.mark.parametrize("touched", [(), ("segments",), ("sections", "text")])
@pytest.mark.parametrize("phnum", [0, 2])
def test_elf(touched: tuple[str, ...], phnum: int) -> None:
    text, sections = b"\xc3" * 10, struct.pack("<HIHI", 1, 2, 3, 4)
    header = struct.pack("<4sIIHH", b"\x7fELF", 16 if phnum else 0, 26 + 8 * phnum, phnum, 2)
    data = header + struct.pack(f"<{phnum}Q", *range(phnum)) + text + sections
    elf = opened(c.Elf, data)
    for name in touched:
        getattr(elf, name)
    assert elf.to_bytes() == data
    elf.text.v += b"\x90" * 4
    expected = bytearray(data[:-12] + b"\x90" * 4 + sections)
    struct.pack_into("<I", expected, 8, 30 + 8 * phnum)
    assert elf.to_bytes() == expected
    assert elf.header.phoff == (16 if phnum else 0)


def test_broken_fields_are_not_written() -> None:
    data = bytearray(PAIR)
    struct.pack_into("<I", data, 13, 99)
    pair = opened(c.Pair, bytes(data))
    with pytest.raises(DecodeError, match="outside the 17 bytes of the source"):
        pair.to_bytes()


def test_replace_and_assignment_leave_the_original_alone() -> None:
    pair = opened(c.Pair, PAIR)
    changed = pair.replace(a=c.Blob(v=b"AAAA"))
    assert changed.to_bytes() == b"AAAABBBBBB" + struct.pack("<II", 0, 4)
    changed.b = c.Blob(v=b"")
    assert (pair.a.v, pair.b.v, changed.b.v) == (b"AAA", b"BBBBBB", b"")
    assert pair.to_bytes() == PAIR


def test_lists_beside_each_other_have_the_count_that_the_trailer_gets() -> None:
    listed: Any = compile_idl(
        """
        record F {
          V  x[i < t.n]  at offs[i];
          u8 offs[t.n]   at t.at_;
          T  t with n = count(x), at_ = offset(offs)  at end - 2;
        }
        record V { u8 one = 1; u8 v; }
        record T : size(2) { u8 n; u8 at_; }
        """,
        name="counted_by_a_trailer",
    )
    data = bytes([1, 3, 0, 1, 2])
    grown = listed.F.from_bytes(data)
    grown.x.append(listed.V(v=4))
    grown.offs.append(None)
    assert grown.to_bytes() == bytes([1, 3, 1, 4, 0, 2, 2, 4])
    shrunk = listed.F.from_bytes(data)
    shrunk.x.pop()
    with pytest.raises(EncodeError, match=r"offs: 0 elements are needed, not 1"):
        shrunk.to_bytes()
    shrunk.offs.pop()
    assert listed.F.from_bytes(shrunk.to_bytes()).x == []


@pytest.mark.parametrize("option", ["", ": gaps"])
@pytest.mark.usefixtures("each_backend")
def test_offsets_that_were_none_are_given_after_writing(option: str) -> None:
    text = f"record P {option} {{ u8 n = count(c); u8 p[n]; C c[i < n] at p[i]; u8 q; u8 z at q; }}"
    m = compile_idl(f"{text} record C {{ u8 k = count(v); u8 v[k]; }}")
    made = m.P(c=[m.C(v=[1]), m.C(v=[2])], z=9)
    assert made.to_bytes() == bytes.fromhex("02040608 0101 0102 09")
    assert (made.p, made.q) == ([4, 6], 8)
    made.c.pop()
    with pytest.raises(EncodeError, match="p: 1 element is needed, not 2"):
        made.to_bytes()
    made.p = made.q = None
    assert made.to_bytes() == bytes.fromhex("010305 0101 09")
