"""Clauses of records: lists of every dimension, sizes, codecs, derived values, padding, checks in both directions."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from lakecodec import compile_idl, extern_codec, extern_function
from lakecodec.runtime.columns import Bits
from lakecodec.runtime.errors import DecodeError, EncodeError


@extern_codec
class Deflate:
    """A codec outside of the package, with a parameter."""

    def __init__(self, level: int) -> None:
        self.level = level

    def decode(self, data: bytes) -> bytes:
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise DecodeError(str(error)) from None

    def encode(self, value: bytes) -> bytes:
        return zlib.compress(value, self.level)


@extern_codec
class Reversed:
    def decode(self, data: bytes) -> bytes:
        return bytes(data)[::-1]

    encode = decode


@extern_function
def checksum(data: bytes) -> int:
    return zlib.crc32(data)


r: Any = compile_idl(
    f"""
    enum Color {{ RED = 1, GREEN = 2 }}
    codec deflate(i32 level) -> bytes = extern "{__name__}:Deflate";
    codec reversed -> bytes = extern "{__name__}:Reversed";
    codec either(bool packed) -> bytes = packed ? deflate(9) : identity;
    fn checksum(bytes data) -> u32 = extern "{__name__}:checksum";

    record Numbers(u8 n) : big {{
      u16 pairs[n];
      u24 wide;
      i24 narrow;
      f16 half;
      Color_ colors[n];
      u8 shades[n] via enum(Color);
      u16 last via enum(Color);
      bool8 flags[n];
      f64 floats[..];
    }}
    record Color_ {{ u8 value via enum(Color); }}

    record Sparse : little {{
      u8 count = count(values);
      bits<1> present_bits[i < count] = present(values[i]);
      u16 values[i < count] if present_bits[i] == 1;
      u32 sizes[i < count] = size(parts[i]);
      Part parts[i < count] size sizes[i] if sizes[i] > 0;
      i8 steps[count] where ascending(steps) else "steps go down";
      bits<12> codes[count] where max(codes) < 4000 and unique(codes);
    }}
    record Part {{ utf8 text[..]; }}

    record Lines {{
      utf8 lines[until last(lines).text == ""];
    }}
    """.replace("utf8 lines[until", "Line lines[until")
    + """
    record Line { u8 n = size(text); utf8 text[n]; }

    record Packed : little, normalizes {
      u16 stored = size(body);
      u16 inflated = raw_size(body);
      u8 packed;
      Body body size stored via reversed via either(packed == 1);
      u8 name_size = size(name);
      utf8 name size name_size via deflate(1);
      u32 crc = checksum(tail);
      bytes tail[3] via reversed;
      u8 rest_of_it = rest;
      bytes padding[rest] = 0x20;
    }
    record Body where at_end else "too much" { u8 n = count(items); svarint32 items[n] via delta; }
    codec delta -> i32 with i32 prev = 0 { svarint64 step = value - prev; } value = prev + step;

    record Grid(u8 rows, u8 columns) { bytes cells[rows * columns]; u8 check = sum_of(rows, columns) else "bad sum"; }
    fn sum_of(i32 a, i32 b = 2) -> i32 = (a + b) & 0xFF;

    record Offsets : little {
      u16 where_items = offset(items);
      u16 where_end = offset(end_mark);
      u8 n = count(items);
      Line items[n];
      u8 end_mark = 0xFF;
    }
    record Window { u8 low; u8 high where low <= high < 200 else "no window"; u8 inside where low <= inside and inside <= high; }
    record Slices : big {
      u16 n = count(data);
      bytes data[n];
      bytes first[2] = data[:2];
      u8 third = data[2];
      u8 common = common_prefix(data, first);
      u8 top = bit_length(n);
      u8 least = min(n, 7);
    }
    """,
    name="clauses",
    allow_extern=[__name__],
)


def test_lists_of_numbers() -> None:
    made = r.Numbers(
        pairs=[1, 258], wide=0x010203, narrow=-2, half=1.5, colors=[r.Color_(value=1), r.Color_(value=9)],
        shades=[2, 7], last=r.Color.GREEN, flags=[True, False], floats=[0.5],
    )  # fmt: skip
    data = made.to_bytes(2)
    assert data.hex(" ") == "00 01 01 02 01 02 03 ff ff fe 3e 00 01 09 02 07 00 02 01 00 3f e0 00 00 00 00 00 00"
    found = r.Numbers.from_bytes(data, 2)
    assert found == made
    assert found.shades == [r.Color.GREEN, 7]
    assert isinstance(found.last, r.Color)
    for wrong, path in [
        ({"pairs": [1, 65536]}, "pairs[1]"), ({"pairs": [1]}, "pairs"), ({"wide": 1 << 24}, "wide"), ({"half": "x"}, "half"),
        ({"narrow": 1 << 23}, "narrow"), ({"flags": [1, 0]}, "flags[0]"), ({"shades": [2, 256]}, "shades[1]"),
        ({"colors": [r.Color_(value=1), r.Color_(value="RED")]}, "colors[1].value"), ({"floats": None}, "floats"),
    ]:  # fmt: skip
        values = {name: getattr(made, name) for name in made._given} | wrong
        with pytest.raises(EncodeError) as caught:
            r.Numbers(**values).to_bytes(2)
        assert caught.value.path == path
    for cut in range(len(data) - 8):
        with pytest.raises(DecodeError):
            r.Numbers.from_bytes(data[:cut], 2)
    with pytest.raises(DecodeError, match="neither 0 nor 1") as caught_too:
        r.Numbers.from_bytes(data[:18] + b"\2" + data[19:], 2)
    assert (caught_too.value.path, caught_too.value.offset) == ("flags[0]", 18)


def sparse(**changes: Any) -> Any:
    values = {
        "values": [7, None, 300], "parts": [None, r.Part(text="né"), None], "steps": [-1, 0, 5],
        "codes": [1, 3999, 0],
    }  # fmt: skip
    return r.Sparse(**(values | changes))


def test_lists_with_holes() -> None:
    data = sparse().to_bytes()
    assert data.hex(" ") == ("03 05 07 00 2c 01 00 00 00 00 03 00 00 00 00 00 00 00 6e c3 a9 ff 00 05 01 f0 f9 00 00")
    found = r.Sparse.from_bytes(data)
    assert (found.values, found.sizes, found.parts[1].text) == ([7, None, 300], [0, 3, 0], "né")
    assert list(found.present_bits) == [1, 0, 1]
    assert found.codes == Bits.pack([1, 3999, 0], 12)
    assert found.to_bytes() == data


VALUES = "values is [7, None, 300]: change it or"
CODES = f"max(codes) < 4000 and unique(codes) does not hold ({VALUES} codes)"
PARTS = f"the field's condition does not agree with its value ({VALUES} parts[1])"


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"steps": [1, 0, 5]}, "steps", "steps go down (values is [7, None, 300]: change it or steps)"),
        ({"codes": [1, 4000, 0]}, "codes", CODES),
        ({"codes": [1, 1, 0]}, "codes", CODES),
        ({"codes": [1, 4096, 0]}, "codes", "a number does not fit 12 bits"),
        ({"parts": [None, r.Part(text=""), None]}, "parts[1]", PARTS),
        (
            {"values": [None] * 4},
            "parts",
            "4 elements are needed, not 3 (values is [None, None, None, None]: change it or parts)",
        ),
        (
            {"parts": [None] * 3 + [r.Part(text="x")]},
            "parts",
            "3 elements are needed, not 4 (values is [7, None, 300]: change it or parts)",
        ),
    ],
)
def test_bad_lists(changes: dict[str, Any], path: str, rule: str) -> None:
    with pytest.raises(EncodeError) as caught:
        sparse(**changes).to_bytes()
    assert (caught.value.path, caught.value.rule) == (path, rule)


def test_lists_until() -> None:
    data = b"\1a\2bc\0"
    found = r.Lines.from_bytes(data)
    assert [line.text for line in found.lines] == ["a", "bc", ""]
    assert found.to_bytes() == data
    with pytest.raises(DecodeError) as caught:
        r.Lines.from_bytes(b"\1a\2b")
    assert (caught.value.path, caught.value.rule) == ("lines[1].text", "unexpected end: 2 bytes needed, 1 left")


def packed(**changes: Any) -> Any:
    values = {"packed": 1, "body": r.Body(items=[5, 3, 3, -100]), "name": "né", "tail": b"abc"}
    return r.Packed(**(values | changes))


@pytest.mark.parametrize("flag", [0, 1])
def test_codecs_and_padding(flag: int) -> None:
    made = packed(packed=flag)
    data = made.to_bytes()
    found = r.Packed.from_bytes(data)
    assert found == made
    assert found.inflated == len(made.body.to_bytes()) == 6
    assert data[5 : 5 + found.stored] == (
        zlib.compress(found.body.to_bytes()[::-1], 9) if flag else found.body.to_bytes()[::-1]
    )
    assert (found.crc, found.tail, found.rest_of_it, found.padding) == (zlib.crc32(b"abc"), b"abc", 0, b"")
    padded = r.Packed.from_bytes(data[:-1] + b"\2  ")
    assert (padded.rest_of_it, padded.padding) == (2, b"  ")
    with pytest.raises(DecodeError, match="padding must be 32"):
        r.Packed.from_bytes(data[:-1] + b"\2 x")


def test_codecs_can_be_replaced() -> None:
    def fast(level: int) -> Deflate:
        return Deflate(0)

    data = packed().to_bytes(codecs={"deflate": fast})
    assert len(data) > len(packed().to_bytes())
    assert r.Packed.from_bytes(data) == packed()


def test_errors_in_decoded_blocks() -> None:
    data = packed(packed=0).to_bytes()
    broken = data[:5] + data[5:11][:-1] + b"\x05" + data[11:]
    with pytest.raises(DecodeError) as caught:
        r.Packed.from_bytes(broken)
    error = caught.value
    assert (error.path, error.offset) == ("body.items[4].step", 6)
    assert error.rule == "unexpected end: 1 byte needed, 0 left (the offset counts decoded bytes)"
    packed_data = packed().to_bytes()
    with pytest.raises(DecodeError, match="while decompressing") as caught:
        r.Packed.from_bytes(packed_data[:5] + b"\0\0" + packed_data[7:])
    assert (caught.value.path, caught.value.offset) == ("body", 5)
    more = r.Packed.from_bytes(data)
    extra = zlib.compress((more.body.to_bytes() + b"!")[::-1])
    bad = len(extra).to_bytes(2, "little") + b"\7\0\1" + extra + data[5 + more.stored :]
    with pytest.raises(DecodeError, match="too much") as caught:
        r.Packed.from_bytes(bad)
    assert caught.value.path == "body"


def test_numbers_of_codecs_are_bounded() -> None:
    """A codec's value must fit its type, whatever its fields say."""
    big = bytes.fromhex("02") + b"\xfe\xff\xff\xff\x0f" * 2
    with pytest.raises(DecodeError, match="is not from -2147483648 to 2147483647") as caught:
        r.Body.from_bytes(big)
    assert caught.value.path == "items[1]"


def test_functions_with_defaults() -> None:
    assert r.sum_of(3) == 5
    made = r.Grid(cells=b"abcdef")
    assert made.to_bytes(2, 3) == b"abcdef\5"
    assert r.Grid.from_bytes(b"abcdef\5", 2, 3).to_bytes() == b"abcdef\5"
    with pytest.raises(DecodeError, match="bad sum"):
        r.Grid.from_bytes(b"abcdef\6", 2, 3)
    with pytest.raises(DecodeError, match="unexpected end: -6 bytes needed"):
        r.Grid.from_bytes(b"abcdef\5", -2, 3)


def test_offsets() -> None:
    made = r.Offsets(items=[r.Line(text="ab"), r.Line(text="")])
    data = made.to_bytes()
    assert data == b"\5\0\x09\0\2\2ab\0\xff"
    found = r.Offsets.from_bytes(data)
    assert (found.where_items, found.where_end) == (5, 9)
    with pytest.raises(DecodeError, match=r"where_end must be offset\(end_mark\)") as caught:
        r.Offsets.from_bytes(b"\5\0\x08\0" + data[4:])
    assert (caught.value.path, caught.value.offset) == ("where_end", 2)


def test_invariants() -> None:
    assert r.Window.from_bytes(b"\1\3\2").high == 3
    for data, path, offset in [(b"\4\3\2", "high", 1), (b"\1\xc8\2", "high", 1), (b"\1\3\4", "inside", 2)]:
        with pytest.raises(DecodeError) as caught:
            r.Window.from_bytes(data)
        assert (caught.value.path, caught.value.offset) == (path, offset)
        with pytest.raises(EncodeError) as refused:
            r.Window(low=data[0], high=data[1], inside=data[2]).to_bytes()
        low = (
            f"low is {data[0]}: change it or {path}"
            if path == "high"
            else f"low is {data[0]}, high is {data[1]}: change"
        )
        assert refused.value.path == path
        assert refused.value.rule.startswith(f"{caught.value.rule} ({low}")


def test_slices_and_functions() -> None:
    data = r.Slices(data=b"abcd").to_bytes()
    assert data == b"\0\4abcdabc\2\3\4"
    assert r.Slices.from_bytes(data).first == b"ab"
    with pytest.raises(EncodeError) as caught:
        r.Slices(data=b"ab").to_bytes()
    assert caught.value.path == "third"
    with pytest.raises(DecodeError) as broken:
        r.Slices.from_bytes(b"\0\2ab" + b"abc\2\2\2")
    assert broken.value.path == "third"


d: Any = compile_idl(
    """
    enum Kind { PLAIN = 0, WIDE = 1 }
    record Cells(u8 rows, Kind kind = PLAIN) { Cell(kind) cells[rows]; }
    variant Cell(Kind kind = PLAIN) on kind { PLAIN: PLAIN { u8 v; }; WIDE: WIDE { u16 v; }; }
    record Both(Kind second = WIDE) { Cells(1) first; Cells(1, second) last; Cell default_; }
    record Placed(Kind kind = WIDE) { Cells(1, kind) cells at 0 size end; }
    /** Names that the generated methods use themselves. */
    record Names(u8 pos, u8 data) {
      u8 at; u8 buf; u8 index = pos; u8 step = data; u8 start; u8 made; u8 self; u8 state; u8 item[i < at] if i > 0;
      u8 len = count(item); u8 read; u8 range; u8 out where out == at else "out";
    }
    """,
    name="defaults",
)


def test_defaults_of_parameters() -> None:
    made = d.Both(
        first=d.Cells(cells=[d.Cell.PLAIN(v=1)]), last=d.Cells(cells=[d.Cell.WIDE(v=2)]), default_=d.Cell.PLAIN(v=3)
    )
    assert made.to_bytes() == b"\1\2\0\3"
    assert d.Both.from_bytes(b"\1\2\0\3") == made
    assert d.Both.from_bytes(b"\1\2\3", d.Kind.PLAIN).last.cells == [d.Cell.PLAIN(v=2)]
    assert d.Placed.from_bytes(b"\2\0").cells.cells == [d.Cell.WIDE(v=2)]
    assert d.Placed.open(d._lazy.Bytes(b"\2"), kind=d.Kind.PLAIN).cells.cells == [d.Cell.PLAIN(v=2)]
    with pytest.raises(TypeError, match="Cells needs rows"):
        d.Cells(cells=[]).to_bytes()


def test_names_of_the_generated_methods() -> None:
    values = {
        "at": 2,
        "buf": 3,
        "start": 4,
        "made": 5,
        "self_": 6,
        "state": 7,
        "item": [None, 8],
        "read_": 9,
        "range": 1,
    }
    made = d.Names(**values, out=2)
    data = made.to_bytes(10, 11)
    assert list(data) == [2, 3, 10, 11, 4, 5, 6, 7, 8, 2, 9, 1, 2]
    assert d.Names.from_bytes(data, 10, 11) == made
    with pytest.raises(DecodeError, match="out"):
        d.Names.from_bytes(data[:-1] + b"\1", 10, 11)


def test_shifts_are_bounded() -> None:
    shifted: Any = compile_idl("record Shifted { u8 bits; u64 value where value < 1 << bits; }")
    assert shifted.Shifted.from_bytes(b"\x40" + b"\xff" * 8).value == 2**64 - 1
    with pytest.raises(DecodeError, match="a shift by 255 bits is not from 0 to 64") as caught:
        shifted.Shifted.from_bytes(b"\xff" + b"\xff" * 8)
    assert caught.value.path == "value"


@extern_codec
class Weird:
    def __init__(self, n: int) -> None:
        raise ValueError(f"no such codec: {n}")


def test_codecs_that_fail() -> None:
    """Whatever a codec raises for bad arguments or bad bytes is a data error with its place."""
    made: Any = compile_idl(
        f'codec weird(i32 n) -> bytes = extern "{__name__}:Weird";\n'
        'codec gone -> bytes = extern "nowhere_at_all:Gone";\n'
        "record R { u8 n; bytes data size rest via weird(n); }\n"
        "record G { bytes data[..] via gone; }",
        allow_extern=[__name__, "nowhere_at_all"],
    )
    with pytest.raises(DecodeError, match="no such codec: 7") as caught:
        made.R.from_bytes(b"\7abc")
    assert caught.value.path == "data"
    with pytest.raises(ImportError, match="nowhere_at_all"):
        made.G.from_bytes(b"abc")


def test_texts_of_either_branch_become_bytes_once() -> None:
    m: Any = compile_idl(
        'fn up(string t) -> string = extern "tests.oracle.turned:upper"; fn same(string t) -> string = t;\n'
        'record R { u8 k; bytes x[3] = k == 1 ? "abc" : up("def"); bytes y[3] = k == 1 ? b"abc" : same("def"); }',
        allow_extern=["tests.oracle.turned"],
    )
    for k, data in ((1, b"\1abcabc"), (2, b"\2DEFdef")):
        made = m.R(k=k)
        assert made.to_bytes() == data
        assert m.R.from_bytes(data) == made
