"""Variants: tags of all kinds, parameters, alternatives as classes, values that contain others, Arrow types."""

from __future__ import annotations

import pickle
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError, EncodeError
from lakecodec.runtime.records.read import MAX_DEPTH

v: Any = compile_idl(
    """
    const string TEXT = "TEXT"
    enum Kind { EMPTY = 0, SMALL = 1, LARGE = 2 }

    /** A literal a case, one with two, and the rest. */
    variant Shape(i32 kind, i32 width) on kind : big {
      0:    POINT;
      1:    CIRCLE { u16 radius where radius > 0 else "no radius"; };
      2, 3: BOX    { u8 sides[width]; };
      else: OTHER  { bytes raw[..]; };
    }
    record Drawing { u8 kind = tag(shape);  u8 width;  Shape(kind, width) shape; }

    /** By the members of an enum, computed. */
    fn kind_of(i64 size) -> Kind = size == 0 ? EMPTY : (size < 10 ? SMALL : LARGE);
    variant Part(i64 size) on kind_of(size) {
      EMPTY: EMPTY;
      SMALL: SMALL { bytes data[size]; };
      LARGE: LARGE { u8 first; bytes data[size - 1]; };
    }
    record Parts { u8 size; Part(size) part; }

    /** By bytes, as chunks of many formats are. */
    variant Chunk(bytes name) on name : big {
      b"HEAD": HEAD { u32 width; u32 height; };
      TEXT:    TEXT { utf8 text[..]; };
      else:    ANY  { bytes data[..]; };
    }
    record Chunks : big { Named chunks[until last(chunks).name == b"DONE"]; }
    record Named : big {
      u32 size = size(body);
      bytes name[4] = tag(body);
      Chunk(name) body size size;
    }

    /** Trees. */
    record Tree { u8 kind = tag(node);  Node(kind) node; }
    variant Node(u8 kind) on kind {
      0: LEAF   { u8 value; };
      1: BRANCH { Tree left; Tree right; };
    }
    record Choice(bool wide) { Number(wide) number; bool8 first = number is NARROW; u8 doubled if number is WIDE; }
    variant Number(bool wide) on wide { true: WIDE { u32 value; }; false: NARROW { u8 value; }; }
    """,
    name="variants",
)


def test_alternatives_are_classes() -> None:
    circle = v.Shape.CIRCLE(radius=3)
    assert isinstance(circle, v.Shape)
    assert isinstance(circle, v.Shape.CIRCLE)
    assert not isinstance(circle, v.Shape.POINT)
    assert (circle.kind, circle.tag, circle.radius) == ("CIRCLE", 1, 3)
    assert circle == v.Shape.CIRCLE(radius=3) != v.Shape.CIRCLE(radius=4)
    assert v.Shape.POINT() == v.Shape.POINT() != circle
    assert repr(circle) == "Shape.CIRCLE(radius=3)"
    assert v.Shape.__spec__.kind == "variant"
    assert [field.name for field in v.Shape.__spec__.fields] == ["POINT", "CIRCLE", "BOX", "OTHER"]


@pytest.mark.parametrize(
    ("shape", "width", "data"),
    [
        ("POINT()", 0, b"\0\0"),
        ("CIRCLE(radius=258)", 9, b"\1\x09\1\2"),
        ("BOX(sides=[1, 2])", 2, b"\2\2\1\2"),
        ("BOX(sides=[7], tag=3)", 1, b"\3\1\7"),
        ("OTHER(raw=b'xyz', tag=77)", 0, b"\x4d\0xyz"),
    ],
)
def test_tags_both_ways(shape: str, width: int, data: bytes) -> None:
    made = v.Drawing(width=width, shape=eval(f"v.Shape.{shape}", {"v": v}))
    assert made.to_bytes() == data
    found = v.Drawing.from_bytes(data)
    assert (found, found.kind, found.shape.tag) == (made, data[0], made.shape.tag)
    assert found.to_bytes() == data
    assert found.shape.to_bytes() == data[2:]


tagged: Any = compile_idl(
    """
    record Open { u8 k = tag(c); V(k) c; }
    variant V(u8 k) on k { 1, 2: A { u8 v; }; else: C { u8 w; }; }
    record Closed { u8 k = tag(c); W(k) c; }
    variant W(u8 k) on k { 1, 2: A { u8 v; }; 3: C { u8 w; }; }
    record Computed { u8 m; u8 k = tag(c); X(k, m) c; }
    variant X(u8 k, u8 m) on k { m: A { u8 v; }; 3: B { u8 w; u8 x; }; else: C { u8 w; }; }
    record Peeked { Y c; }
    variant Y on peek(1) { b"a", b"b": A { bytes v[1]; }; else: C { bytes v[2]; }; }
    """,
    name="tagged",
)


@pytest.mark.usefixtures("each_backend")
@pytest.mark.parametrize(
    ("holder", "shape", "given", "said"),
    [
        ("Open", "V.A(v=7, tag=9)", {}, "9 is no tag of the alternative A, which has 1, 2: it selects C"),
        ("Open", "V.C(w=7, tag=1)", {}, "1 is no tag of the alternative C: it selects A"),
        ("Closed", "W.A(v=7, tag=9)", {}, "9 is no tag of the alternative A, which has 1, 2"),
        ("Closed", "W.A(v=7, tag=3)", {}, "3 is no tag of the alternative A, which has 1, 2: it selects C"),
        ("Computed", "X.A(v=7, tag=9)", {"m": 1}, "9 is no tag of the alternative A: it selects C"),
        ("Computed", "X.C(w=7, tag=3)", {"m": 1}, "3 is no tag of the alternative C: it selects B"),
        ("Computed", "X.B(w=7, x=1)", {"m": 3}, "3 is no tag of the alternative B: it selects A"),
        (
            "Peeked",
            "Y.A(v=b'a', tag=b'c')",
            {},
            "b'c' is no tag of the alternative A, which has b'a', b'b': it selects C",
        ),
    ],
)
def test_a_tag_that_selects_another_alternative_is_refused(holder: str, shape: str, given: Any, said: str) -> None:
    made = getattr(tagged, holder)(c=eval(f"tagged.{shape}", {"tagged": tagged}), **given)
    with pytest.raises(EncodeError) as caught:
        made.to_bytes()
    assert caught.value.path == "c"
    assert caught.value.rule.startswith(said)


@pytest.mark.usefixtures("each_backend")
def test_tags_that_select_their_alternative_are_written() -> None:
    for made, data in [
        (tagged.Open(c=tagged.V.A(v=7, tag=2)), b"\2\7"),
        (tagged.Open(c=tagged.V.C(w=7, tag=9)), b"\x09\7"),
        (tagged.Computed(m=1, c=tagged.X.A(v=7, tag=1)), b"\1\1\7"),
        (tagged.Computed(m=1, c=tagged.X.C(w=7, tag=4)), b"\1\4\7"),
        (tagged.Computed(m=1, c=tagged.X.B(w=7, x=8)), b"\1\3\7\x08"),
    ]:
        assert made.to_bytes() == data
        assert type(made).from_bytes(data) == made
    edited = tagged.Open.from_bytes(b"\1\7")
    edited.c.tag = 9
    with pytest.raises(EncodeError, match="9 is no tag of the alternative A"):
        edited.to_bytes()


def test_parameters_of_alternatives() -> None:
    assert v.Shape.from_bytes(b"\1\2", 2, 2) == v.Shape.BOX(sides=[1, 2])
    assert v.Shape.BOX(sides=[1, 2]).to_bytes(2, 2) == b"\1\2"
    with pytest.raises(TypeError, match="needs kind_, width"):
        v.Shape.BOX(sides=[1, 2]).to_bytes()
    with pytest.raises(EncodeError, match="the alternative CIRCLE has the tag 1, not 2"):
        v.Shape.CIRCLE(radius=1).to_bytes(2, 0)
    with pytest.raises(EncodeError, match="no radius"):
        v.Drawing(width=0, shape=v.Shape.CIRCLE(radius=0)).to_bytes()
    with pytest.raises(EncodeError) as caught:
        v.Drawing(width=3, shape=v.Shape.BOX(sides=[1])).to_bytes()
    assert (caught.value.path, caught.value.rule) == (
        "shape.sides",
        "3 elements are needed, not 1 (width is 3: change it or shape.sides)",
    )
    with pytest.raises(EncodeError) as caught:
        v.Drawing(width=3, shape=v.Tree(node=None)).to_bytes()
    assert caught.value.path == "shape" or caught.value.path == "kind"


@pytest.mark.parametrize("size", [0, 3, 9, 10, 200])
def test_computed_tags(size: int) -> None:
    data = bytes([size]) + bytes(range(size))
    found = v.Parts.from_bytes(data)
    assert found.part.kind == v.kind_of(size).name
    assert found.to_bytes() == data
    with pytest.raises(DecodeError, match="unexpected end"):
        v.Parts.from_bytes(data[:-1] if size else b"")


def test_chunks_by_name() -> None:
    chunks = [
        v.Named(body=v.Chunk.HEAD(width=4, height=5)),
        v.Named(body=v.Chunk.TEXT(text="né")),
        v.Named(body=v.Chunk.ANY(data=b"..", tag=b"abcd")),
        v.Named(body=v.Chunk.ANY(data=b"", tag=b"DONE")),
    ]
    data = v.Chunks(chunks=chunks).to_bytes()
    assert data == (b"\0\0\0\x08HEAD\0\0\0\4\0\0\0\5\0\0\0\3TEXTn\xc3\xa9\0\0\0\2abcd..\0\0\0\0DONE")
    found = v.Chunks.from_bytes(data)
    assert found.chunks == chunks
    assert [chunk.body.tag for chunk in found.chunks] == [b"HEAD", b"TEXT", b"abcd", b"DONE"]
    assert found.to_bytes() == data
    with pytest.raises(DecodeError) as caught:
        v.Chunks.from_bytes(data[:-1])
    assert caught.value.path == "chunks[3].name"
    with pytest.raises(DecodeError) as caught:
        v.Chunks.from_bytes(data.replace(b"\0\0\0\x08HEAD", b"\0\0\0\x07HEAD"))
    assert caught.value.path == "chunks[0].body.height"


def test_is_and_booleans_as_tags() -> None:
    assert v.Choice.from_bytes(b"\5\1", False).number == v.Number.NARROW(value=5)
    wide = v.Choice(number=v.Number.WIDE(value=1), doubled=2)
    assert wide.to_bytes(True) == b"\1\0\0\0\0\2"
    assert v.Choice.from_bytes(wide.to_bytes(True), True) == wide
    with pytest.raises(DecodeError, match="first must be number is NARROW"):
        v.Choice.from_bytes(b"\5\0", False)


def tree(depth: int) -> Any:
    made = v.Tree(node=v.Node.LEAF(value=1))
    for _ in range(depth):
        made = v.Tree(node=v.Node.BRANCH(left=made, right=v.Tree(node=v.Node.LEAF(value=2))))
    return made


def test_nesting_is_bounded() -> None:
    deepest = MAX_DEPTH // 2 - 1
    data = tree(deepest).to_bytes()
    assert v.Tree.from_bytes(data) == tree(deepest)
    with pytest.raises(EncodeError, match="nested more than"):
        tree(deepest + 1).to_bytes()
    with pytest.raises(DecodeError, match="nested more than") as caught:
        v.Tree.from_bytes(b"\1" * 100_000)
    assert caught.value.path.startswith("node.left.node.left")
    with pytest.raises(DecodeError, match="no alternative for 9") as caught:
        v.Tree.from_bytes(b"\1\0\7\x09")
    assert (caught.value.path, caught.value.offset) == ("node.right.node", 4)
    loop = v.Tree(node=None)
    loop.node = v.Node.BRANCH(left=loop, right=loop)
    with pytest.raises(EncodeError, match="nested more than"):
        loop.to_bytes()


a: Any = compile_idl(
    """
    variant Type(i32 id) on id {
      0: ANY;
      1: FLAG                                  arrow bool();
      2: CHARS  { u8 length; }                 arrow utf8();
      3: TEXT                                  arrow utf8();
      4: NUMBER { u8 precision; i8 scale; }    arrow decimal128(precision, scale);
      5: CLOCK  { u8 unit; }
           arrow time64("us") when unit == 6 write unit = 6
           arrow time64("ns")                write unit = 9;
      6: INSTANT { u8 size = count(zone); utf8 zone[size]; }   arrow timestamp("us", zone);
      7: LOCAL                                 arrow timestamp("us");
      8: LIST { Item item; }                   arrow list(field(item.name, item.type, item.nullable));
      9: MAP  { utf8 entries[4]; Item key; Item value; }
           arrow map(field(key.name, key.type, false), field(value.name, value.type, value.nullable), entries);
      10: BLOCK { u16 width; }                 arrow fixed_size_binary(width);
    }
    record Item { u8 size = count(name); utf8 name[size]; u8 nullable; u8 id = tag(type); Type(id) type; }
    """,
    name="arrows",
)

TYPES = {
    "Type.FLAG()": pa.bool_(),
    "Type.TEXT()": pa.utf8(),
    "Type.NUMBER(precision=9, scale=-2)": pa.decimal128(9, -2),
    "Type.CLOCK(unit=6)": pa.time64("us"),
    "Type.CLOCK(unit=9)": pa.time64("ns"),
    "Type.INSTANT(zone='UTC')": pa.timestamp("us", "UTC"),
    "Type.LOCAL()": pa.timestamp("us"),
    "Type.BLOCK(width=16)": pa.binary(16),
    "Type.LIST(item=Item(name='x', nullable=0, type=Type.TEXT()))": pa.list_(pa.field("x", pa.utf8(), nullable=False)),
    "Type.MAP(entries='entries', key=Item(name='key', nullable=0, type=Type.TEXT()), "
    "value=Item(name='value', nullable=1, type=Type.FLAG()))": pa.map_(pa.utf8(), pa.bool_()),
}


@pytest.mark.parametrize("text", TYPES)
def test_arrow_types(text: str) -> None:
    type_ = TYPES[text]
    made = a.Type.from_arrow(type_)
    if not text.startswith("Type.MAP"):  # its constant argument binds no field
        assert repr(made) == text
        assert made.to_arrow() == type_


def test_types_without_a_value() -> None:
    for type_ in (pa.large_utf8(), pa.timestamp("us", None).__class__, pa.list_(pa.uint8()), pa.time64("us").__class__):
        if isinstance(type_, pa.DataType):
            assert a.Type.from_arrow(type_) is None
    assert a.Type.CHARS(length=3).to_arrow() == pa.utf8()
    with pytest.raises(TypeError, match="ANY has no Arrow type"):
        a.Type.ANY().to_arrow()


def test_pickles() -> None:
    from lakecodec.generated import mosaic

    value = mosaic.TypeParams.DECIMAL(precision=9, scale=2)
    assert pickle.loads(pickle.dumps(value)) == value
