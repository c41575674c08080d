"""`with path = value`: what a record computes of the fields inside its fields, when it is written."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.generator.diagnostics import IdlError
from lakecodec.runtime.errors import DecodeError, EncodeError

from ...oracle.backends import BACKENDS, running
from .. import generated

IDL = """
codec zlib(i64 n) -> bytes = extern "runtime.compress:Deflate";
record Header : little { u32 stored; u16 crc; u8 kind; }
record Member { Header header with stored = size(data), crc = crc32(encoded(data)) & 0xFFFF; bytes data[header.stored]; }
record Entry : little { u16 start; u16 length; }
record Folder : little {
  u8    n = count(names);
  Entry entries[i < n] with start = offset(names[i]), length = size(names[i]);
  bytes names[i < n][entries[i].length];
}
record Entries { u8 n = count(entries); Entry entries[n]; }
record Inside {
  Entries inner with entries[i].length = count(names[i]);
  bytes   names[i < inner.n][inner.entries[i].length];
}
record Counts { u8 n; u8 sizes[n]; }
record Sized { Counts counts with sizes[i] = size(parts[i]); Body parts[i < counts.n] size counts.sizes[i]; }
record Directory { Lengths sizes with items[i].length = size(parts[i]); Body parts[i < sizes.n] size sizes.items[i].length; }
record Lengths { u8 n = count(items); Entry items[n]; }
record Deep { u8 flag; Inside inside if flag == 1 with inner.n2.stored = flag + 1; }
record Sparse : little {
  u8    n;
  Entry entries[i < n] if i % 2 == 0 with length = i;
}
record Sizes : little { u8 raw; u8 stored; }
record Packed {
  Sizes sizes with raw = raw_size(body) else "another raw size", stored = size(body);
  Body  body size sizes.stored via zlib(sizes.raw);
}
record Body { bytes v[..]; }
record Parts : big { u8 head { kind : 3; length : 5; } }
record Bits { Parts parts with length = count(text); utf8 text[parts.length]; }
record Names { bytes name[2]; u8 is_long; }
record Texts { Names names with name = "ab", is_long = n > 9; u8 n; }
record Tail : little, size(8) { u32 length; u32 start; }
record File {
  bytes first[..] at 1 size second_at - 1;
  bytes body[..] at tail.start size tail.length;
  Tail  tail with length = size(body), start = offset(body) at end - 8;
  u8    second_at = offset(body);
}
record Checked : gaps {
  u8    n = count(parts);
  Part  parts[i < n] with size_of_text = size(texts[i]), crc = crc32(texts[i]) & 0xFF at 1 + 2 * i;
  bytes texts[i < n][parts[i].size_of_text] at 1 + 2 * n + 8 * i;
}
record Part { u8 size_of_text; u8 crc; }
""".replace("inner.n2.stored = flag + 1", "inner.entries[i].start = flag + i")
s: Any = compile_idl(IDL, name="settings")
F, E = s.Folder, s.Entry


def both(value: Any) -> bytes:
    """The bytes by the generated writer, which are those of both backends; read again by each."""
    data: bytes = b""
    for backend in BACKENDS:
        with running(backend):
            data = value.to_bytes()
            # What places fields keeps its objects as they are; others have what was derived.
            assert type(value).from_bytes(data).to_bytes() == data
            assert hasattr(value, "open") or type(value).from_bytes(data) == value
    if not hasattr(value, "open"):
        assert generated.write(value) == data
        assert generated.read(type(value), data) == (value, len(data))
    return data


def test_field_of_a_record() -> None:
    header = s.Header(kind=7)
    made = s.Member(header=header, data=b"abc")
    assert both(made) == b"\3\0\0\0\xc2\x41\7abc"
    assert (made.header.stored, made.header.crc) == (3, 0x41C2)
    assert header.stored is None, "the object that was given stays as it is"
    same = made.header
    made.to_bytes()
    assert made.header is same


def test_elements() -> None:
    made = F(entries=[E()] * 3, names=[b"a", b"", b"ccc"])
    assert both(made) == b"\3\x0d\0\1\0\x0e\0\0\0\x0e\0\3\0accc"
    assert both(F(entries=[], names=[])) == b"\0"
    with pytest.raises(EncodeError, match="entries"):
        F(entries=[E()], names=[b"a", b"b"]).to_bytes()


def test_count_that_the_record_with_the_sizes_derives() -> None:
    made = s.Directory(sizes=s.Lengths(items=[E(start=5), E(start=6)]), parts=[s.Body(v=b"a"), s.Body(v=b"ccc")])
    assert both(made) == b"\2\5\0\1\0\6\0\3\0accc"
    made.sizes.items.append(E(start=7))
    made.parts.append(s.Body(v=b""))
    assert both(made) == b"\3\5\0\1\0\6\0\3\0\7\0\0\0accc"
    made.parts.pop()
    with pytest.raises(EncodeError, match="3 elements are needed, not 2"):
        made.to_bytes()


def test_list_inside() -> None:
    made = s.Inside(inner=s.Entries(entries=[E(start=5), E(start=6)]), names=[b"a", b"ccc"])
    assert both(made) == b"\2\5\0\1\0\6\0\3\0accc"
    assert both(s.Deep(flag=1, inside=s.Inside(inner=s.Entries(entries=[E(), E()]), names=[b"", b"x"]))) == (
        b"\1\2\1\0\0\0\2\0\1\0x"
    )
    assert both(s.Deep(flag=0, inside=None)) == b"\0"
    with pytest.raises(DecodeError, match="must be flag"):
        s.Deep.from_bytes(b"\1\2\1\0\0\0\3\0\1\0x")


def test_numbers_of_a_list_inside() -> None:
    made = s.Sized(counts=s.Counts(n=2, sizes=[0, 0]), parts=[s.Body(v=b"a"), s.Body(v=b"bc")])
    assert both(made) == b"\2\1\2abc"


def test_absent_elements() -> None:
    assert both(s.Sparse(n=3, entries=[E(start=1), None, E(start=2)])) == b"\3\1\0\0\0\2\0\2\0"


def test_sizes_around_a_codec() -> None:
    made = s.Packed(sizes=s.Sizes(), body=s.Body(v=bytes(100)))
    data = both(made)
    assert (made.sizes.raw, made.sizes.stored) == (100, len(data) - 2)
    with pytest.raises(DecodeError):
        s.Packed.from_bytes(b"\x63" + data[1:])


def test_bits_texts_and_truths() -> None:
    assert both(s.Bits(parts=s.Parts(kind=1), text="abc")) == b"\x23abc"
    assert both(s.Texts(names=s.Names(), n=10)) == b"ab\1\x0a"


def test_places() -> None:
    made = s.File(first=b"abc", body=b"hello", tail=s.Tail())
    data = both(made)
    assert data == b"\4abchello\5\0\0\0\4\0\0\0"
    found = s.File.from_bytes(data)
    assert (found.tail.length, found.tail.start, found.body) == (5, data.index(b"hello"), b"hello")
    found.body = b"longer!"
    again = s.File.from_bytes(found.to_bytes())
    assert (again.tail.length, again.body, found.tail.length) == (7, b"longer!", 7)


def test_elements_in_places() -> None:
    made = s.Checked(parts=[s.Part(), s.Part()], texts=[b"abc", b"d"])
    data = both(made)
    assert data[5:] == b"abc\0\0\0\0\0d"
    assert [each.size_of_text for each in s.Checked.from_bytes(data).parts] == [3, 1]
    with pytest.raises(DecodeError, match="crc must be"):
        s.Checked.from_bytes(data.replace(b"abc", b"abd"))


@pytest.mark.parametrize(
    ("record", "data", "rule"),
    [
        ("Member", b"\3\0\0\0\xc3\x41\7abc", r"header.crc must be crc32\(encoded\(data\)\) & 65535"),
        ("Folder", b"\1\6\0\1\0a", r"entries\[i\].start must be offset\(names\[i\]\)"),
        ("Inside", b"\1\0\0\1\0", None),
        ("Sparse", b"\1\1\0\1\0", r"entries\[i\].length must be i"),
        ("Packed", b"\1\x08\x78\x9c\x03\0\0\0\0\1", "not a deflate stream"),
        ("Texts", b"ab\1\1", "is_long must be"),
    ],
)
def test_bytes_that_say_something_else(record: str, data: bytes, rule: str | None) -> None:
    for backend in BACKENDS:
        with running(backend), pytest.raises(DecodeError, match=rule):
            getattr(s, record).from_bytes(data)


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ("H h with nothing = 1;", "no field 'nothing'"),
        ("H h with n = 1;", "'n' is derived in 'H' itself"),
        ("H h with p = 1;", "'p' is not a field of 'H'"),
        ('H h with x = "a";', "'x' must be an integer, not a text"),
        ("H h with x + 1 = 2;", "expected"),
        ("H h with b[2].x = 2;", "named by its path"),
        ("H hs[2] with x = 2;", "one by one"),
        ("u8 n with x = 2;", "has no field 'x'"),
        ("V(1) v with y = 2;", "only fields of records and structs"),
        ("H h with b[n].x = 2; u8 n;", "is already defined"),
        ("B b size h.x; H h with x = size(b), x2 = h.x;", "which is read later"),
        ("H h with x = h.y, y = h.x;", "depends on it"),
    ],
)
def test_refused(fields: str, rule: str) -> None:
    text = """
    record H(u8 p = 1) { u8 x; u8 x2; u8 y; u8 n = 1; B b[2]; }
    record B { u8 x; }
    variant V(u8 k) on k { 1: A { u8 y; }; }
    record R { %s }
    """
    with pytest.raises(IdlError, match=rule):
        compile_idl(text % fields)


SIZES = """
record A { u8 value; }
record B { u16 value; }
record S { u8 k; A a if k == 1; B b if k == 2; }
record C { bytes x[..]; }
"""
LENGTH = "present(s.a) ? s.a.value : s.b.value"


@pytest.mark.parametrize(("a", "b"), [("present(s.a)", "present(s.b)"), ("s.k == 1", "s.k == 2")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_settings_under_conditions_of_what_may_be_absent(backend: str, a: str, b: str) -> None:
    size = f"a.value = size(c) when {a}, b.value = size(c) when {b}"
    with running(backend):
        module = compile_idl(f"record R {{ S s with {size}; C c size {LENGTH}; }} {SIZES}")
        for data, grown in ((b"\1\2xy", b"\1\3xyz"), (b"\2\2\0xy", b"\2\3\0xyz")):
            found = module.R.from_bytes(data)
            assert found.to_bytes() == data
            found.c.x = b"xyz"
            assert found.to_bytes() == grown
        with pytest.raises(EncodeError, match="None"):
            module.R(s=module.S(k=1), c=module.C(x=b"xy")).to_bytes()


@pytest.mark.parametrize("backend", BACKENDS)
def test_settings_under_conditions_of_elements(backend: str) -> None:
    each = ", ".join(f"{{0}}{name}.value = 2 when present({{1}}.{name})" for name in "ab")
    with running(backend):
        for idl in (
            f"record R {{ S s[i < 2] with {each.format('', 's[i]')}; u8 z; }}",
            f"record R {{ L l with {each.format('s[i].', 'l.s[i]')}; u8 z; }} record L {{ S s[2]; }}",
        ):
            module = compile_idl(f"{idl} {SIZES}")
            for data in (b"\1\2\2\2\0z", b"\2\2\0\1\2z", b"\1\2\1\2z"):
                found = module.R.from_bytes(data)
                assert found.to_bytes() == data
                elements = found.l.s if "L l" in idl else found.s
                (elements[0].a or elements[0].b).value = 9
                with pytest.raises(EncodeError, match=r"s\[0\].[ab].value: 9 was set, but it is computed as 2"):
                    found.to_bytes()
                (elements[0].a or elements[0].b).value = None
                assert found.to_bytes() == data
