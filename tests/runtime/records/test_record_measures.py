"""Sizes of fields and of single elements, before and behind their codecs, and spans that are told to what stands in them."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from lakecodec import IdlError, compile_idl, extern_codec
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.lazy import Bytes

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

m: Any = compile_idl(
    f"""
    codec deflate(i32 inflated) -> bytes = extern "{__name__}:Deflate";

    record Pages {{
      u8  n = count(pages);
      u16 inflated[i < n] = raw_size(pages[i]);
      u16 stored[i < n] = size(pages[i]);
      Page pages[i < n] size stored[i] via deflate(inflated[i]) if stored[i] > 0;
    }}
    record Page {{ u8 n = count(rows); u8 rows[n]; }}
    record Trailed {{
      u8 n = count(texts);
      u8 sizes[i < n] = size(texts[i]);
      utf8 texts[i < n] size sizes[i] via deflate(-1);
      u8 inflated[i < n] = raw_size(texts[i]);
    }}

    record Archive {{ Blocks blocks at foot.place size end - 4 - foot.place; Foot foot at end - 4; }}
    record Foot : size(4) {{ u32 place; }}
    record Blocks {{
      u16 k; u8 stored = size(one); About(offset(k), offset(stored), encoded(k)) one size stored via deflate(-1);
      u8 m = size(both); About(offset(k), offset(m), encoded(k)) both[2] size m via deflate(-1);
      u8 e = size(each[0]); About(offset(k), offset(one), encoded(k)) each[i < 1] size e via deflate(-1);
      u8 n = size(nested); Nested nested size n via deflate(-1);
    }}
    record Nested {{ u8 k; u8 n = size(one); About(offset(k), offset(n), encoded(k)) one size n via deflate(-1); }}
    record About(i32 first, i32 second, bytes data) {{
      u8 a = first; u8 b = second; u8 own = offset(a); bytes c[count(data)] = data;
    }}
    record CodedLists {{
      u8 n = size(items); Page items[2] size n via deflate(-1); u8 at where at == offset(items);
      u8 m = size(numbers); u16 numbers[2] size m via deflate(-1);
    }}

    record Plain {{ u8 whole = raw_size(items); u8 n; u8 items[n]; }}
    record Sized {{ u8 whole = raw_size(inside); u8 stored; Page inside size stored; u8 after; }}
    record Numbered {{ u8 n; u16 numbers[n]; u8 third where third == size(numbers[2]); }}
    record Padded {{ u8 n; utf8 name until "\\0"; bytes pad[-(offset(name) + size(name)) % 4] = 0; u8 ints[n]; }}
    record Given {{ u8 n; u16 xs[n]; Ended(offset(xs) + size(xs)) ended; }}
    record Ended(i32 place) {{ u8 at_place where at_place == place; }}
    record Chain {{ u8 n; Link(i == 0 ? 0 : links[i - 1].v) links[i < n] size i == 0 ? 1 : links[i - 1].v; }}
    record Link(i32 before) {{ u8 v where v != before; bytes more[..]; }}
    record List {{ u8 n; u16 numbers[n] size 2 * n; }}

    record Told(i32 left, i32 whole) {{ u8 a where a == left; u8 b where b == whole; bytes others[..]; }}
    record Telling {{ u8 n; Told(rest, end) told size n; Told(rest - i, n) each[i < 2] size n; u8 after; }}
    variant Address on end {{ 4: V4 {{ u8 parts[4]; }}; 16: V6 {{ u16 parts[8]; }}; else: OTHER {{ bytes raw[..]; }}; }}
    record Host {{ u8 n = size(address); Address address size n; }}

    record Named {{ u8 rest; u8 end where end > rest; u8 values[rest]; }}
    record Fixed : normalizes {{
      u8 n = count(name); bytes name[n] = "abc"; u8 step[i < n] = i; bytes filled[rest - 1] = 0; u8 mark = 7;
    }}
    record Counting {{ u8 n where n <= rest; bytes body[..]; }}
    record Holding {{ u8 n; Counting inside size n; u8 after; }}
    record Ending {{ u8 before; Counting inside; }}
    """,
    name="measures",
    allow_extern=[__name__],
)


@extern_codec
class Deflate:
    """Bytes that inflate to so many, any number where it is negative."""

    def __init__(self, inflated: int) -> None:
        self.inflated = inflated

    def decode(self, data: bytes) -> bytes:
        try:
            found = zlib.decompress(data)
        except zlib.error as error:
            raise DecodeError(str(error)) from None
        if self.inflated not in (-1, len(found)):
            raise DecodeError("another size than declared")
        return found

    def encode(self, value: bytes) -> bytes:
        assert self.inflated in (-1, len(value))
        return zlib.compress(value)


def test_elements_before_and_behind_their_codecs() -> None:
    rows = [[7] * 200, [1, 2], []]
    made = m.Pages(pages=[m.Page(rows=each) for each in rows])
    data = made.to_bytes()
    assert made.inflated == [201, 3, 1]
    assert made.stored[0] < 201
    found = m.Pages.from_bytes(data)
    assert found == made
    assert (found.inflated, found.stored) == (made.inflated, made.stored)
    damaged = bytearray(data)
    damaged[3] += 1
    with pytest.raises(DecodeError, match="another size than declared") as caught:
        m.Pages.from_bytes(bytes(damaged))
    assert (caught.value.path, caught.value.offset) == ("pages[1]", 13 + made.stored[0])


def test_measures_in_the_arguments_of_coded_fields_count_outside_of_the_codec() -> None:
    def about() -> Any:
        return m.About()

    blocks = m.Blocks(k=7, one=about(), both=[about(), about()], each=[about()], nested=m.Nested(k=9, one=about()))
    data = m.Archive(blocks=blocks, foot=m.Foot()).to_bytes(start=10)
    read = m.Archive.open(Bytes(b"0123456789" + data)).blocks
    assert (read.one.a, read.one.b, read.one.own, read.one.c) == (10, 12, 0, b"\7\0")
    behind = 13 + read.stored
    assert [(each.a, each.b, each.own, each.c) for each in read.both] == [
        (10, behind, 0, b"\7\0"),
        (10, behind, 5, b"\7\0"),
    ]
    assert (read.each[0].a, read.each[0].b, read.each[0].c) == (10, 13, b"\7\0")
    assert (read.nested.one.a, read.nested.one.b, read.nested.one.c) == (0, 1, b"\x09")


def test_lists_behind_codecs_are_measured_as_they_are_stored() -> None:
    made = m.CodedLists(items=[m.Page(rows=[7] * 9), m.Page(rows=[])], at=1, numbers=[1, 2])
    found = m.CodedLists.from_bytes(made.to_bytes())
    assert found == made
    assert (found.n, found.m) == (made.n, made.m)


def test_absent_elements_have_no_size() -> None:
    made = m.Pages(pages=[m.Page(rows=[1]), None, m.Page(rows=[])])
    found = m.Pages.from_bytes(made.to_bytes())
    assert (found.inflated, found.stored[1], found.pages[1]) == ([2, 0, 1], 0, None)


def test_a_wrong_element_is_named() -> None:
    with pytest.raises(EncodeError) as caught:
        m.Pages(pages=[m.Page(rows=[]), m.Page(rows=[256])]).to_bytes()
    assert caught.value.path == "pages[1].rows[0]"


def test_sizes_behind_the_list() -> None:
    made = m.Trailed(texts=["é" * 30, "", "a"])
    data = made.to_bytes()
    found = m.Trailed.from_bytes(data)
    assert found.texts == ["é" * 30, "", "a"]
    assert found.inflated == [60, 0, 1]
    with pytest.raises(DecodeError) as caught:
        m.Trailed.from_bytes(data[:-1] + b"\2")
    assert caught.value.path == "inflated[2]"


def test_without_codecs_it_is_the_size() -> None:
    assert m.Plain(n=2, items=[1, 2]).to_bytes() == b"\2\2\1\2"
    assert m.Plain.from_bytes(b"\2\2\1\2").whole == 2
    made = m.Sized(stored=3, inside=m.Page(rows=[8, 9]), after=0)
    assert made.to_bytes() == b"\3\3\2\x08\x09\0"
    assert m.Sized.from_bytes(made.to_bytes()) == made


def test_one_element_of_a_list_of_numbers() -> None:
    made = m.Numbered(n=3, numbers=[1, 2, 3], third=2)
    assert m.Numbered.from_bytes(b"\3\1\0\2\0\3\0\2") == made
    with pytest.raises(DecodeError, match="index 2 is outside the 1 elements") as caught:
        m.Numbered.from_bytes(b"\1\1\0\2")
    assert caught.value.path == "third"


def test_a_whole_list_has_one_size() -> None:
    assert m.List(n=2, numbers=[1, 2]).to_bytes() == b"\2\1\0\2\0"
    assert m.List.from_bytes(b"\2\1\0\2\0").numbers == [1, 2]
    with pytest.raises(EncodeError, match="2 elements are needed") as caught:
        m.List(n=2, numbers=[1]).to_bytes()
    assert caught.value.path == "numbers"


def test_arguments_tell_of_the_span_that_a_size_makes() -> None:
    data = b"\3" + b"\3\3." + b"\3\3." + b"\2\3." + b"!"
    found = m.Telling.from_bytes(data)
    assert found.to_bytes() == data
    assert [(each.left, each.whole) for each in (found.told, *found.each)] == [(3, 3), (3, 3), (2, 3)]
    found.told.a = 2
    with pytest.raises(EncodeError, match="a == left does not hold"):
        found.to_bytes()


def test_alternatives_by_the_size_of_the_span() -> None:
    for data, kind in ((b"\4\1\2\3\4", "V4"), (bytes([16, *range(16)]), "V6"), (b"\2ab", "OTHER")):
        found = m.Host.from_bytes(data)
        assert (found.address.kind, found.address.tag) == (kind, data[0])
        assert found.to_bytes() == data


def test_fields_can_be_called_as_what_tells_of_the_span() -> None:
    assert m.Named.from_bytes(b"\2\3ab").to_bytes() == b"\2\3ab"
    with pytest.raises(EncodeError, match="2 elements are needed"):
        m.Named(rest=2, end=3, values=[1]).to_bytes()
    with pytest.raises(EncodeError, match="end > rest does not hold"):
        m.Named(rest=2, end=1, values=[1, 2]).to_bytes()


def test_everything_derived() -> None:
    """What fills the rest of the span is empty where nothing says how much that is."""
    assert m.Fixed().to_bytes() == b"\3abc\0\1\2\7"
    assert m.Fixed.from_bytes(b"\3abc\0\1\2\0\0\7").filled == b"\0\0"


def test_rest_is_the_same_in_both_directions() -> None:
    for cls, before, after in ((m.Holding, b"\3", b"!"), (m.Ending, b"\0", b"")):
        data = before + b"\2ab" + after
        found = cls.from_bytes(data)
        assert found.to_bytes() == data
        found.inside.n = 3
        with pytest.raises(EncodeError) as caught:
            found.to_bytes()
        assert (caught.value.path, caught.value.rule) == ("inside.n", "n <= rest does not hold")
        with pytest.raises(DecodeError) as refused:
            cls.from_bytes(data.replace(b"\2a", b"\3a"))
        assert (refused.value.path, refused.value.rule) == ("inside.n", "n <= rest does not hold")


def test_measures_that_only_lengths_and_arguments_name() -> None:
    padded = m.Padded.from_bytes(b"\1abcd\0\0\0\7")
    assert (padded.name, padded.pad, padded.ints) == ("abcd", b"\0\0", [7])
    assert m.Padded(n=1, name="ab", ints=[7]).to_bytes() == b"\1ab\0\7"
    given = m.Given.from_bytes(b"\2aabb\5")
    assert given.ended.at_place == 5
    assert m.Given(n=1, xs=[0], ended=m.Ended(at_place=3)).to_bytes() == b"\1\0\0\3"


def test_elements_before_decide_about_the_next() -> None:
    chain = m.Chain.from_bytes(b"\3\2\1a\5")
    assert [(each.v, each.before, each.more) for each in chain.links] == [(2, 0, b""), (1, 2, b"a"), (5, 1, b"")]
    assert chain.to_bytes() == b"\3\2\1a\5"
    with pytest.raises(DecodeError, match="v != before"):
        m.Chain.from_bytes(b"\2\2\2a")
    chain.links[0].v = 3
    with pytest.raises(EncodeError, match="size"):
        chain.to_bytes()


CODECS = 'codec hex -> bytes = extern "runtime.codecs:Hex"; codec base64 -> bytes = extern "runtime.codecs:Base64";'


def test_raw_size_that_is_the_length_itself() -> None:
    made = compile_idl(
        CODECS + "record R { u8 s = size(x); u8 n = raw_size(x); bytes x[n] size s via hex via base64; u8 q; }"
    )
    data = b"\x08\2NjE2Mg==\1"
    assert made.R(x=b"ab", q=1).to_bytes() == data == made.R.from_bytes(data).to_bytes()
    less = compile_idl(CODECS + "record R { u8 s = size(x); u8 n = raw_size(x) - 1; bytes x[n + 1] size s via hex; }")
    assert less.R(x=b"ab").to_bytes() == b"\4\x016162" == less.R.from_bytes(b"\4\x016162").to_bytes()
    with pytest.raises(IdlError, match="what 'n' is derived from depends on it: n -> n"):
        compile_idl(CODECS + "record R { u8 s = size(x); u8 n = raw_size(x) / 2; bytes x[n * 2] size s via hex; }")


PADDED = """
record R { FIELDS } record A { u8 k; bytes pad[padding(8)] = 0; u8 z; }
record W { u16 f; u8 n = size(a); A a size n; }
"""


@pytest.mark.parametrize(
    ("fields", "data"),
    [
        ("u8 n = size(a); A a size n;", "08 01 000000000000 02"),
        ("u16 m; u8 n = size(a); u24 g; A a size n; u8 t;", "0700 03 030000 01 00 02 09"),
        ("u8 n = size(w); W w size n;", "08 0500 05 01 000000 02"),
        ("u8 n = size(a); u8 k; bytes t[k]; A a size n;", "06 01 58 01 00000000 02"),
    ],
)
def test_measured_records_that_depend_on_their_place(fields: str, data: str) -> None:
    """Their place is known where no field before them depends on their size."""
    made, bytes_ = compile_idl(PADDED.replace("FIELDS", fields)), bytes.fromhex(data)
    found = made.R.from_bytes(bytes_)
    assert found.to_bytes() == bytes_ == made.R.from_json(found.to_json()).to_bytes()


def test_measured_records_whose_place_is_not_known() -> None:
    made = compile_idl(PADDED.replace("FIELDS", "uvarint32 n = size(a); A a size n;"))
    with pytest.raises(EncodeError, match=r"a\.pad: the offset is not known"):
        made.R(a=made.A(k=1, z=2)).to_bytes()


def test_wrong_types_for_numbers_with_codecs() -> None:
    made = compile_idl(
        """
        codec short -> i64 { u8 n = (bit_length(value) + 7) / 8; bytes b[n] = little_bytes(value, n); }
          value = little_number(b);
        record R { i64 a via short; }
        """
    )
    for wrong in (1.5, "x", None):
        with pytest.raises(EncodeError, match=rf"R: a: .* an int is needed, not {type(wrong).__name__}"):
            made.R(a=wrong).to_bytes()


def test_an_index_of_aligned_elements_behind_it() -> None:
    """Offsets of elements whose padding depends on where they stand, in a list that stands before them."""
    aligned = "record V : little { bytes pad[padding(2)] = 0; u16 v; }"
    data = bytes([2, 4, 6, 0, 7, 0, 8, 0])
    for index in (
        "u8 index[i < n] = offset(x[i]) + count(x[i].pad);",
        "E index[i < n] with at_ = offset(x[i]) + count(x[i].pad);",
    ):
        module: Any = compile_idl(
            f"record File {{ u8 n = count(x); {index} V x[n]; }} {aligned} record E : size(1) {{ u8 at_; }}"
        )
        read = module.File.from_bytes(data)
        assert read.to_bytes() == data
        read.x.append(module.V(v=9))
        if index.startswith("E"):
            read.index.append(module.E())
        assert read.to_bytes() == bytes([3, 4, 6, 8, 7, 0, 8, 0, 9, 0])


def test_what_stands_before_aligned_elements_is_encoded_first() -> None:
    aligned = "record V : little { bytes pad[padding(2)] = 0; u16 v; }"
    module: Any = compile_idl(f'record File {{ u16 at_ = offset(x[1]); utf8 name until "\\0"; V x[2]; }} {aligned}')
    for name in ("", "a", "ab"):
        made = module.File(name=name, x=[module.V(v=1), module.V(v=2)])
        read = module.File.from_bytes(made.to_bytes())
        assert (read.name, [each.v for each in read.x], read.at_ % 2) == (name, [1, 2], 0)


@pytest.mark.parametrize("version", [2, 4])
@pytest.mark.parametrize(
    "at",
    [
        "u32 at_ = offset(x) if v > 3;",
        "u32 at_[1] = list_of(offset(x)) if v > 3;",
        "E at_ if v > 3;",
        "E at_ with at_ = offset(x) if v > 3;",
    ],
)
def test_an_offset_that_only_later_versions_have(at: str, version: int) -> None:
    fields = f"u8 v; u16 whole = offset(x) + count(x); {at} u8 n; bytes x[n];"
    module: Any = compile_idl(f"record R {{ {fields} }} record E {{ u32 at_; }}")
    given = {"at_": module.E(at_=5)} if at == "E at_ if v > 3;" and version > 3 else {}
    if at.startswith("E at_ with") and version > 3:
        given = {"at_": module.E()}
    made = module.R(v=version, n=2, x=b"ab", **given)
    data = made.to_bytes()
    assert len(data) == (6 if version == 2 else 10)
    read = module.R.from_bytes(data)
    assert read == made
    assert read.whole == len(data)
