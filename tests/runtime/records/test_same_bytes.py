"""Reading and writing without an edit gives the same bytes, unless the declaration says `: normalizes`."""

from __future__ import annotations

import copy
import math
import pickle
import struct
import zlib
from typing import Any

import pytest

from lakecodec import CodecError, DecodeError, EncodeError, IdlError, breaking, compile_idl
from lakecodec.runtime.codecs import Zlib
from lakecodec.workbench import verify

from ...oracle.backends import BACKENDS, running

#: A type of variable length, the shortest bytes of a number, and longer ones.
PADDED = [
    ("uvarint16", b"\x05", b"\x85\x00"),
    ("uvarint32", b"\x80\x01", b"\x80\x81\x00"),
    ("uvarint64", b"\x00", b"\x80\x80\x80\x80\x00"),
    ("svarint32", b"\x03", b"\x83\x00"),
    ("svarint64", b"\x81\x01", b"\x81\x81\x00"),
    ("ivarint32", b"\x7f", b"\xff\x7f"),
    ("ivarint32", b"\x3f", b"\xbf\x00"),
    ("ivarint64", b"\xff\x00", b"\xff\x80\x00"),
    ("ivarint64", b"\x80\x7f", b"\x80\xff\x7f"),
    ("vlq32", b"\x05", b"\x80\x05"),
    ("vlq64", b"\x81\x00", b"\x80\x81\x00"),
    ("vlq9", b"\x05", b"\x80\x05"),
    ("vlq9", b"\x81\x00", b"\x80\x80\x80\x80\x80\x80\x80\x80\x80"),
    ("ivlq9", b"\x05", b"\x80\x80\x05"),
]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


@pytest.mark.parametrize(("type_", "shortest", "padded"), PADDED)
def test_a_number_with_more_bytes_than_it_needs_is_refused(
    type_: str, shortest: bytes, padded: bytes, backend: str
) -> None:
    module = compile_idl(f"record R {{ {type_} x; }} record L {{ u8 n = count(x); {type_} x[n]; u64 z; }}")
    for cls, head, tail in ((module.R, b"", b""), (module.L, b"\1", bytes(8))):
        for _ in range(20):
            assert cls.from_bytes(head + shortest + tail).to_bytes() == head + shortest + tail
            if padded == b"\x80" * 9:
                continue
            with pytest.raises(DecodeError, match=r"has more bytes than it needs.*only `: normalizes`") as caught:
                cls.from_bytes(head + padded + tail)
            assert caught.value.offset == len(head)


@pytest.mark.parametrize(("type_", "shortest", "padded"), [each for each in PADDED if each[2] != b"\x80" * 9])
def test_normalizing_records_read_it_and_write_the_shortest(
    type_: str, shortest: bytes, padded: bytes, backend: str
) -> None:
    module = compile_idl(
        f"record R : normalizes {{ {type_} x; }} record L : normalizes {{ u8 n = count(x); {type_} x[n]; }}"
        f"variant V(u8 k) on k : normalizes {{ 1: ONE {{ {type_} x; }}; }}"
        f"codec c -> i64 : normalizes {{ {type_} n = value; }} value = n; record C {{ i64 x via c; }}"
    )
    for _ in range(20):
        assert module.R.from_bytes(padded).to_bytes() == module.R.from_bytes(shortest).to_bytes() == shortest
        assert module.L.from_bytes(b"\1" + padded).to_bytes() == b"\1" + shortest
        assert module.V.from_bytes(padded, 1).to_bytes() == shortest
        assert module.C.from_bytes(padded).to_bytes() == shortest


@pytest.mark.parametrize(
    "number", [0, 1, -1, 63, 64, -64, -65, 8191, 8192, -8192, -8193, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)]
)
def test_signed_leb128(number: int, backend: str) -> None:
    module = compile_idl(
        "record R { ivarint64 x; } record S { ivarint32 x; } record L { u8 n = count(x); ivarint64 x[n]; }"
    )
    expected, left = bytearray(), number
    while not -64 <= left < 64:
        expected.append(left & 127 | 128)
        left >>= 7
    expected.append(left & 127)
    for _ in range(20):
        assert module.R(x=number).to_bytes() == expected
        assert module.R.from_bytes(expected).x == number
        assert module.L.from_bytes(b"\2" + 2 * expected).x == [number, number]
        if -(2**31) <= number < 2**31:
            assert module.S.from_bytes(module.S(x=number).to_bytes()).x == number
        else:
            with pytest.raises(EncodeError, match="32 bits"):
                module.S(x=number).to_bytes()
            with pytest.raises(DecodeError, match="longer than 32 bits"):
                module.S.from_bytes(expected)


def test_signed_leb128_beyond_its_bits(backend: str) -> None:
    module = compile_idl("record R { ivarint64 x; } record S { ivarint16 x; }")
    for value in (2**63, -(2**63) - 1, True, "1", None):
        with pytest.raises(EncodeError):
            module.R(x=value).to_bytes()
    for data in (b"\xff" * 10, b"\x80" * 9 + b"\x01", b"\x80" * 10 + b"\0", b"\x80" * 9 + b"\x7e", b"\x80", b""):
        with pytest.raises(DecodeError):
            module.R.from_bytes(data)
    assert module.S.from_bytes(b"\x80\x80\x7e").x == -(2**15)
    with pytest.raises(DecodeError):
        module.S.from_bytes(b"\x80\x80\x02")


FLOATS = [
    ("f32", bytes.fromhex(each)) for each in ("7f800001", "ff800001", "7fc00000", "ffc12345", "7fbfffff", "7f800000")
]
FLOATS += [("f16", bytes.fromhex(each)) for each in ("7c01", "fc01", "7e00", "fe55", "7dff", "7c00")]
FLOATS += [("f64", bytes.fromhex(each)) for each in ("7ff0000000000001", "fff8000000000000", "7ff8123456789abc")]


@pytest.mark.parametrize(("type_", "data"), FLOATS, ids=lambda value: value if isinstance(value, str) else value.hex())
def test_floats_that_are_no_numbers_keep_their_bits(type_: str, data: bytes, backend: str) -> None:
    """A conversion between floats and doubles sets a bit of those that signal."""
    for order, own in (("big", data), ("little", data[::-1])):
        module = compile_idl(
            f"record R : {order} {{ {type_} x; }} record P : {order} {{ u8 a; {type_} x; u16 b; }}"
            f"record L : {order} {{ u8 n = count(x); {type_} x[n]; }}"
            f"record O(bool b) : big(b) {{ {type_} x; {type_} y[2]; }}"
        )
        for _ in range(20):
            assert module.R.from_bytes(own).to_bytes() == own
            assert module.P.from_bytes(b"\1" + own + b"ab").to_bytes() == b"\1" + own + b"ab"
            assert module.L.from_bytes(b"\2" + 2 * own).to_bytes() == b"\2" + 2 * own
            assert module.O.from_bytes(3 * own, order == "big").to_bytes() == 3 * own


def test_a_nan_whose_bits_do_not_fit_stays_a_nan(backend: str) -> None:
    (small,) = struct.unpack(">d", bytes.fromhex("7ff0000000000001"))
    module = compile_idl("record R : big { f32 x; f16 y; }")
    assert math.isnan(small)
    assert module.R(x=small, y=small).to_bytes() == bytes.fromhex("7fc000007e00")


def test_unused_bits_of_packed_numbers_are_kept(backend: str) -> None:
    module = compile_idl("record R { u8 n = count(x); bits<3> x[n]; u8 z[12]; }")
    data = b"\3\xff\xff" + bytes(12)
    for _ in range(20):
        value = module.R.from_bytes(data)
        assert value.to_bytes() == data
        assert list(value.x) == [7, 7, 7]
        value.x = [7, 7, 7]
        assert value.to_bytes() == b"\3\xff\1" + bytes(12)


FRONT = """
codec front -> bytes {words}with bytes prev = b"" {{
  uvarint32 shared = common_prefix(prev, value) where shared <= count(prev) else "shares too much";
  uvarint32 added = count(value) - shared;
  bytes suffix[added] = value[shared:];
}} value = prev[:shared] + suffix;
codec split(i64 unit) -> i64 {words}{{ i64 whole = value / unit; i32 part = value % unit; }} value = whole * unit + part;
record R {{ u8 n = count(x); bytes x[n] via front; }}
record S {{ i64 x via split(10); }}
"""


def test_a_codec_reads_what_it_would_write(backend: str) -> None:
    module = compile_idl(FRONT.format(words=""))
    shortest, longer = b"\2\0\3abc\2\1d", b"\2\0\3abc\1\2bd"
    for _ in range(20):
        assert module.R.from_bytes(shortest).to_bytes() == shortest
        with pytest.raises(DecodeError, match="this value would be written as other bytes") as caught:
            module.R.from_bytes(longer)
        assert (caught.value.path, caught.value.offset) == ("x[1].shared", 6)
        with pytest.raises(DecodeError, match="would be written as other bytes"):
            module.S.from_bytes(struct.pack("<qi", 1, 12))
        with pytest.raises(DecodeError, match="shares too much"):
            module.R.from_bytes(b"\2\0\3abc\7\2bd")
    assert module.S.from_bytes(struct.pack("<qi", 2, 2)).x == 22


def test_a_normalizing_codec_reads_all_that_gives_a_value(backend: str) -> None:
    module = compile_idl(FRONT.format(words=": normalizes "))
    for _ in range(20):
        assert module.R.from_bytes(b"\2\0\3abc\1\2bd").to_bytes() == b"\2\0\3abc\2\1d"
        assert module.S.from_bytes(struct.pack("<qi", 1, 12)).to_bytes() == struct.pack("<qi", 2, 2)


def test_offsets_in_elements_that_a_place_names_are_set(backend: str) -> None:
    module = compile_idl(
        "record R { u8 at[2]; u8 n = count(pad); bytes a[1] at at[0]; bytes b[1] at at[1]; bytes pad[n]; }"
        "record S { P p[2]; P q[2]; bytes a[1] at first(p).at; bytes b[1] at p[1].at + 1; bytes c[1] at q[0].at;"
        " bytes d[1] at last(q.at); }"
        "record P { u8 at; }"
    )
    value = module.R.from_bytes(b"\3\4\0AB")
    value.pad = b"zz"
    assert value.to_bytes() == b"\5\6\2zzAB"
    assert value.at == [3, 4]
    assert module.R.from_bytes(b"\5\6\2zzAB").b == b"B"
    given = module.S(p=[module.P(at=0)] * 2, q=[module.P(at=0)] * 2, a=b"a", b=b"b", c=b"c", d=b"d")
    given.p, given.q = [module.P(at=0), module.P(at=0)], [module.P(at=0), module.P(at=0)]
    assert given.to_bytes() == b"\4\4\6\7abcd"
    assert [each.at for each in given.p + given.q] == [0, 0, 0, 0]


def test_what_a_record_inside_places_is_read_with_it(backend: str) -> None:
    module = compile_idl(
        "record Outer { u8 n; Inner x[i < n] size 2; u8 z; } record Inner { u8 p; u8 v at p; }"
        "record File { u8 p; Outer o at p; }"
        "record Plain { u8 a; Far far[2]; } record Far { u8 p; u8 v at p from source; }"
    )
    for _ in range(20):
        assert module.Outer.from_bytes(b"\1\1\7\0").x[0].v == 7
        for cls, data, path in (
            (module.Outer, b"\2\1\7\5\7\0", "x[1].v"),
            (module.File, b"\1\2\1\7\5\7\0", "o.x[1].v"),
            (module.Plain, b"\0\1\x30", "far[1].v"),
        ):
            with pytest.raises(DecodeError, match="outside") as caught:
                cls.from_bytes(data)
            assert caught.value.path == path


def test_what_normalizes_says_so() -> None:
    module = compile_idl("record R : normalizes { uvarint32 x; } record S { uvarint32 x; }")
    assert "Normalizes: what was read in another form" in module.R.to_bytes.__doc__
    assert "Normalizes" not in module.S.to_bytes.__doc__
    (found,) = verify(b"\x81\x00", module.R, deep=True)
    assert (found.kind, found.offset) == ("note", 0)
    assert found.rule == "it would be written as other bytes: R normalizes"
    assert verify(b"\x01", module.R, deep=True) == []


def test_reading_fewer_forms_breaks_decoding() -> None:
    loose, strict = "record R : normalizes { uvarint32 x; }", "record R { uvarint32 x; }"
    assert [change.breaks for change in breaking(loose, strict)] == ["decode"]
    assert breaking(strict, loose) == []
    codec = "record R {{ i64 x via c; }} codec c -> i64 {}{{ u8 n = value; }} value = n;"
    assert [change.breaks for change in breaking(codec.format(": normalizes "), codec.format(""))] == ["decode"]


# ---- codecs ----

LEVELS = {level: zlib.compress(b"abcabcabc" * 30, level) for level in (1, 9)}
CODECS = """
codec z -> bytes = extern "runtime.codecs:Zlib";
codec loose -> bytes : normalizes = extern "runtime.codecs:Zlib";
codec maybe(bool on) -> bytes = on ? z : identity;
record Inner { bytes x[..]; }
record Bytes { u16 n = size(x); bytes x size n via z; u8 after; }
record Whole { u16 n = size(x); Inner x size n via z; u8 after; }
record Maybe { u8 on; u16 n = size(x); bytes x size n via maybe(on == 1); }
record Each { u8 n; u16 s[i < n] = size(x[i]); Inner x[i < n] size s[i] via z if s[i] > 0; }
record Texts { u8 n; u16 s[i < n] = size(x[i]); utf8 x[i < n] size s[i] via z; }
record Ended { bytes x until "END" via z; u8 after; }
record Many { u8 n = count(x); bytes x[n] until "END" via z; }
record List { u16 n = size(x); u8 x[..] size n via z; }
record Placed { u16 at; u16 n; bytes x at at size n via z; Bytes y at at + n; }
record Raw { u16 n = size(x); u16 raw = raw_size(x); Inner x size n via z; }
variant V(u8 k) on k { 1: ONE { u16 n = size(x); bytes x size n via z; }; }
record Loose { u16 n = size(x); bytes x size n via loose; }
record All : normalizes { u16 n = size(x); bytes x size n via z; }
"""


def _sized(data: bytes) -> bytes:
    return struct.pack("<H", len(data)) + data


def _kept(level: int) -> dict[str, tuple[bytes, tuple[Any, ...]]]:
    data = LEVELS[level]
    return {
        "Bytes": (_sized(data) + b"\7", ()),
        "Whole": (_sized(data) + b"\7", ()),
        "Maybe": (b"\1" + _sized(data), ()),
        "Each": (b"\3" + struct.pack("<3H", len(data), 0, len(data)) + data + data, ()),
        "Texts": (b"\2" + struct.pack("<2H", len(data), len(data)) + data + data, ()),
        "Ended": (data + b"END\7", ()),
        "Many": (b"\2" + data + b"END" + data + b"END", ()),
        "List": (_sized(data), ()),
        "Placed": (struct.pack("<2H", 4, len(data)) + data + _sized(data) + b"\7", ()),
        "Raw": (struct.pack("<2H", len(data), 270) + data, ()),
        "V": (_sized(data), (1,)),
    }


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", _kept(1))
def test_what_codecs_were_given_is_written_again(name: str, level: int, backend: str) -> None:
    """Bytes of a stream that another writer compressed at another level."""
    module = compile_idl(CODECS)
    data, parameters = _kept(level)[name]
    assert LEVELS[1] != LEVELS[9]
    for _ in range(20):
        value = getattr(module, name).from_bytes(data, *parameters)
        assert value.to_bytes() == data
        assert copy.deepcopy(value).to_bytes() == data
        assert pickle.loads(pickle.dumps(value)).to_bytes() == data
        assert value == getattr(module, name).from_bytes(data, *parameters)


def test_edited_values_are_encoded_anew(backend: str) -> None:
    module = compile_idl(CODECS)
    for _ in range(20):
        value = module.Whole.from_bytes(_kept(1)["Whole"][0])
        value.x.x = b"other"
        assert module.Whole.from_bytes(value.to_bytes()).x.x == b"other"
        value.x.x = b"abcabcabc" * 30
        assert value.to_bytes() == _kept(1)["Whole"][0]
        value = module.Each.from_bytes(_kept(1)["Each"][0])
        value.x = [value.x[0], module.Inner(x=b"new"), None]
        again = module.Each.from_bytes(value.to_bytes())
        assert [each and each.x for each in again.x] == [b"abcabcabc" * 30, b"new", None]
        assert LEVELS[1] in value.to_bytes()


def test_a_level_that_the_caller_sets_is_that_of_the_bytes(backend: str) -> None:
    module = compile_idl(CODECS)
    value = module.Bytes.from_bytes(_kept(1)["Bytes"][0])
    assert value.to_bytes(codecs={"z": lambda: Zlib(level=9)}) == _kept(9)["Bytes"][0]


@pytest.mark.parametrize("name", ["Loose", "All"])
def test_normalizing_codecs_and_records_keep_nothing(name: str, backend: str) -> None:
    module = compile_idl(CODECS)
    for _ in range(20):
        value = getattr(module, name).from_bytes(_sized(LEVELS[1]))
        assert value.to_bytes() == _sized(zlib.compress(b"abcabcabc" * 30))
        assert not hasattr(value, "_stored")


def test_fields_of_a_codec_that_go_through_codecs_are_declared() -> None:
    text = 'codec z -> bytes = extern "runtime.codecs:Zlib";'
    text += " codec c -> bytes {}{{ u8 n = size(x); bytes x[n] = value via z; }} value = x;"
    uses = "record R { bytes x via c; }"
    with pytest.raises(IdlError, match="declared `: normalizes`"):
        compile_idl(text.format("") + uses)
    assert compile_idl(text.format(": normalizes ") + uses).R


def test_placed_fields_that_cannot_be_read_are_written_back(backend: str) -> None:
    """A field that breaks a rule, and that nobody asked for, keeps its bytes where it is, and is refused where it moves."""
    module = compile_idl("""
        record Font : gaps, overlaps { u8 n; Name names[n]; }
        record Name : overlaps {
          u8   size_of;
          u8   where_at;
          utf8 any[size_of] at where_at from Font;
          utf8 one size size_of at where_at from Font  where size_of == 1 else "too long";
        }
    """)
    data = b"\2\3\5\1\x08abcd"
    font = module.Font.read(data)[0]
    assert font.names[0].any == "abc"
    with pytest.raises(DecodeError, match="too long"):
        _ = font.names[0].one
    assert font.to_bytes() == data
    font.names[1].one = font.names[1].any = "e"
    assert font.to_bytes() == data[:-1] + b"e"
    font.names[0].where_at = 6
    with pytest.raises(CodecError, match=r"too long"):
        font.to_bytes()


def test_fields_in_another_order_than_writers_lay_them_out() -> None:
    """They stay where they are while nothing is edited."""
    m: Any = compile_idl("record File { u8 p[2]; u8 v[2]; f32 xs[i < 2] at p[i]; }")
    data = bytes((8, 4, 5, 6)) + struct.pack("<ff", 1.0, 0.0)
    assert m.File.from_bytes(data).to_bytes() == data
    for edit, wanted in (
        ("r.v = [6, 5]", bytes((4, 8, 6, 5)) + struct.pack("<ff", 0.0, 1.0)),
        ("r.xs[0] = -0.0", bytes((4, 8, 5, 6)) + struct.pack("<ff", -0.0, 1.0)),
        ("r.p = [4, 8]", bytes((4, 8, 5, 6)) + struct.pack("<ff", 0.0, 1.0)),
        ("r.p = [None, None]", bytes((4, 8, 5, 6)) + struct.pack("<ff", 0.0, 1.0)),
    ):
        found = m.File.from_bytes(data)
        exec(edit, {"r": found})
        assert found.to_bytes() == wanted, edit


#: Records whose packed numbers are computed, a sample, and the same with unused bits set.
PACKED = [
    ("u8 n; bits<1> here[i < n] = present(values[i]); u8 values[i < n] if here[i] == 1;", b"\2\2\7", b"\2\xfe\7"),
    ("u8 n; bits<3> here[i < n] = size(v[i]); T v[i < n] size here[i];", b"\1\1\7", b"\1\x81\7"),
    ("bits<1> k[2]; bits<1> here[2] = k;", b"\1\1", b"\1\xf1"),
]


@pytest.mark.parametrize(("fields", "data", "unused"), PACKED)
def test_unused_bits_of_computed_numbers(fields: str, data: bytes, unused: bytes, backend: str) -> None:
    module = compile_idl(f"record T {{ u8 x[..]; }} record R {{ {fields} }} record N : normalizes {{ {fields} }}")
    for cls in (module.R, module.N):
        assert cls.from_bytes(data).to_bytes() == data
    assert module.N.from_bytes(unused).to_bytes() == data
    with pytest.raises(DecodeError, match="unused bits of the last byte are set: only records with `: norm") as caught:
        module.R.from_bytes(unused)
    assert (caught.value.path, caught.value.offset) == ("here", len(data) - 1 - data.endswith(b"\7"))


def test_unused_bits_are_not_computed_from_those_of_others(backend: str) -> None:
    cls = compile_idl("record R { bits<1> k[2]; bits<1> here[2] = k; }").R
    assert cls.from_bytes(b"\xf1\1").to_bytes() == b"\xf1\1"


def test_unused_bits_of_numbers_that_a_condition_computes(backend: str) -> None:
    cls = compile_idl("record R { u8 k[2]; bits<1> here[i < 2] = k[i] when k[0] > 0; }").R
    for data in (b"\1\0\xf1", b"\0\0\xf2"):
        assert cls.from_bytes(data).to_bytes() == data
    edited = cls.from_bytes(b"\1\0\xf1")
    edited.k = [1, 1]
    assert edited.to_bytes() == b"\1\1\3"


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ("u8 n at end - 1; u8 x[n] at end - 1 - n;", b"zz\0"),
        ("u8 x[n] at end - 1 - n; u8 n at end - 1;", b"zz\5\1"),
        ("u8 x[i < n] at places[i]; u8 places[n] at end - 1 - n; u8 n at end - 1;", b"zz\2\2\1"),
        ("u8 at_; u8 x at at_;", b"\3zz\7"),
    ],
)
def test_bytes_of_no_field_of_a_record_with_parameters(fields: str, data: bytes, backend: str) -> None:
    """Where its places are those of the parameters, it is a part of the source; where they count from the end, all of it."""
    module = compile_idl(f"record P(bool b) {{ {fields} }} record Q(u8 at_) {{ u8 x at at_; u8 y at at_ + 1; }}")
    read = module.P.from_bytes(data, True)
    with pytest.raises(EncodeError, match=r"2 bytes that it was read from, at [01], belong to no field"):
        read.to_bytes(True)
    assert module.Q.from_bytes(b"zz\5\6zz", 2).to_bytes(2, start=2) == b"\5\6"
