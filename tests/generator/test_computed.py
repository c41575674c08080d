"""Computed attributes: read in objects, expressions, tables and trees; never set, stored or written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lakecodec
from lakecodec import DecodeError, EncodeError, IdlError, compile_idl
from lakecodec.workbench.specification.pages import sections_of

from ..bounds import within
from ..oracle.backends import BACKENDS, running

IDL = """
enum Kind { RAW = 0; DEEP = 1; }
const i32 UNIT = 2
record Header {
  u16 width;
  u16 height;
  u8  kind via enum(Kind);
  /** Pixels. */
  let area       = width * height;
  let deep       = kind == DEEP;
  let bytes_each = deep ? UNIT : 1;
}
record File {
  Header header;
  let total = header.area * header.bytes_each;
  bytes  pixels[total];
  u8     n         = count(marks);
  Mark(header.area) marks[n];
  u32    check     = all;
  let all          = sum(marks.double);
  let first_double = n > 0 ? marks[0].double : 0;
  let last_x       = last(marks).x;
  let name         = utf8_name + "!";
  Shape(n) shape   where shape.span < 100;
  let shape_size   = shape.span;
  let ratio        = header.area / n;
  utf8  utf8_name[..];
}
record Mark(i64 area) { u8 x; let double = x * 2; let far = x > area; }
variant Shape(u8 k) on k { 0: POINT { let span = 0; }; else: BOX { u8 w; let span = w + k; }; }
table marks from File { for m in marks  i64 double = m.double; bool far = m.far; i64 area = header.area; i64 total = total; }
"""
DATA = bytes([2, 0, 3, 0, 1, *range(12), 2, 5, 6, 22, 0, 0, 0, 7]) + b"ab"


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL, name="computed")


@pytest.mark.parametrize("backend", BACKENDS)
def test_values(module: Any, backend: str) -> None:
    with running(backend):
        found = module.File.from_bytes(DATA)
        assert (found.header.area, found.header.deep, found.header.bytes_each) == (6, True, 2)
        assert (found.total, found.all, found.first_double, found.last_x, found.name) == (12, 22, 10, 6, "ab!")
        assert (found.shape.span, found.shape_size, found.ratio) == (9, 9, 3)
        assert [mark.far for mark in found.marks] == [False, False]
        assert found.to_bytes() == DATA


@pytest.mark.parametrize("backend", BACKENDS)
def test_they_follow_what_they_are_computed_from(module: Any, backend: str) -> None:
    with running(backend):
        found = module.File.from_bytes(DATA)
        found.header.height, found.marks = 1, []
        assert found.total == 4
        with pytest.raises(EncodeError, match="pixels"):
            found.to_bytes()
        found.pixels, found.shape = b"abcd", module.Shape.POINT()
        assert found.to_bytes() == bytes([2, 0, 1, 0, 1, 97, 98, 99, 100, 0, 0, 0, 0, 0]) + b"ab"
        assert found.all == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_rules_that_name_them(module: Any, backend: str) -> None:
    with running(backend):
        with pytest.raises(DecodeError, match=r"shape\.span < 100"):
            module.File.from_bytes(DATA[:-3] + b"\x7fab")
        with pytest.raises(DecodeError, match="check must be sum"):
            module.File.from_bytes(DATA[:20] + b"\0" + DATA[21:])


def test_they_cannot_be_set(module: Any) -> None:
    header = module.Header(width=1, height=2, kind=0)
    with pytest.raises(AttributeError, match=r"area of Header is computed \(width \* height\) and cannot be set"):
        header.area = 3
    with pytest.raises(AttributeError, match="cannot be set or deleted"):
        del header.area
    with pytest.raises(TypeError, match="area"):
        module.Header(width=1, height=2, kind=0, area=2)
    with pytest.raises(TypeError, match="area"):
        header.replace(area=3)
    with pytest.raises(EncodeError, match="area"):
        module.Header.from_dict({**header.to_dict(), "area": 3})


def test_they_are_no_part_of_the_value(module: Any) -> None:
    header = module.Header(width=1, height=2, kind=0)
    assert header.to_dict() == {"width": 1, "height": 2, "kind": 0}
    assert module.Header.from_json(header.to_json()) == header
    assert "area" not in repr(header)
    assert module.Header.__match_args__ == ("width", "height", "kind")


def test_what_cannot_be_computed_is_an_error_with_a_path(module: Any) -> None:
    header = module.Header(width=1, height=2, kind=0)
    found = module.File(header=header, pixels=b"ab", marks=[], shape=module.Shape.POINT(), utf8_name="")
    found.to_bytes()
    with pytest.raises(DecodeError, match=r"ratio: cannot evaluate header.area / n .*zero") as caught:
        _ = found.ratio
    assert caught.value.path == "ratio"
    with pytest.raises(DecodeError, match="a value that it is made of is None"):
        _ = module.Header(width=1).area
    with pytest.raises(DecodeError, match="k is known only after reading or writing"):
        _ = module.Shape.BOX(w=1).span


def test_descriptions(module: Any) -> None:
    area, deep, each = module.__spec__["Header"].computed
    assert (area.name, area.type, area.doc) == ("area", "int", "Pixels.")
    assert (deep.type, each.type) == ("bool", "int")
    assert [each.type for each in module.__spec__["File"].computed] == [
        "int",
        "int",
        "int",
        "int",
        "utf8",
        "int",
        "int",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_tables(module: Any, backend: str) -> None:
    with running(backend):
        found, errors = module.marks.decode([DATA])
        rows = found.to_pylist()
    assert not errors
    assert rows == [{"double": double, "far": False, "area": 6, "total": 12} for double in (10, 12)]


def test_queries(tmp_path: Path) -> None:
    (tmp_path / "a.idl").write_text(IDL)
    (tmp_path / "a.bin").write_bytes(DATA)
    found = lakecodec.query(
        [str(tmp_path / "a.bin")], idl=str(tmp_path / "a.idl"), type="File", over="m in marks", select="m.double, t = total",
        where="m.double > header.area + 4",
    )  # fmt: skip
    assert found.to_pylist() == [{"double": 12, "t": 12}]


def test_trees(module: Any) -> None:
    tree = lakecodec.explore(DATA, module.File)
    node = tree.find("header.area")
    assert (node.kind, node.value, node.size, node.doc, list(node.rules)) == (
        "computed",
        6,
        0,
        "Pixels.",
        ["= width * height"],
    )
    assert tree.find("marks[1].double").value == 12
    assert not tree.errors()
    damaged = lakecodec.explore(bytes(5) + DATA[17:], module.File)
    assert damaged.find("ratio").value == 0


def test_what_has_no_value_is_no_damage() -> None:
    module = compile_idl("record R { u8 a; let b = 8 / a; }")
    tree = lakecodec.explore(b"\0", module.R)
    assert tree.find("b").value is None
    assert not tree.errors()


def test_specification(module: Any) -> None:
    from lakecodec.workbench.layouts import model_of

    parts = {part.name: part for _, parts in sections_of(model_of(module.__name__)) for part in parts}
    row = next(row for row in parts["Header"].groups[0][2] if row.name == "area")
    assert (row.size, str(row.type), row.notes, row.doc) == ("computed", "int", ["= width * height"], "Pixels.")
    assert any(row.name == "span" for _, _, rows in parts["Shape"].groups for row in rows)


PLACED = """
record File : big { u16 at_index; let twice = 2 * index.n; Index index at at_index; u8 xs[twice] at at_index + 1; }
record Index { u8 n; let more = n + 1; }
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_places(backend: str) -> None:
    module = compile_idl(PLACED)
    data = b"\0\4" + b"\1\2" + b""
    data = b"\0\2\1\7\x08"
    with running(backend):
        found = module.File.from_bytes(data)
        assert (found.twice, found.index.more, found.xs) == (2, 2, [7, 8])
        assert found.to_bytes() == data
    assert lakecodec.explore(data, module.File).find("twice").value == 2


def test_parameters_that_an_attribute_of_an_element_names() -> None:
    module = compile_idl("record R { u8 k; M(k + 1) m; u8 total = m.sum; } record M(i64 p) { u8 x; let sum = x + p; }")
    value = module.R(k=2, m=module.M(x=5))
    assert value.to_bytes() == b"\2\5\x08"


@pytest.mark.parametrize(
    ("old", "new", "rule", "breaks"),
    [
        ("let b = a * 2;", "let b = a * 3;", "computed-changed", ["meaning"]),
        ("let b = a * 2;", "", "computed-removed", ["source"]),
        ("", "let b = a * 2;", "computed-added", []),
    ],
)
def test_breaking(tmp_path: Path, old: str, new: str, rule: str, breaks: list[str]) -> None:
    for name, text in (("old", old), ("new", new)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.idl").write_text(f"record R {{ u8 a; {text} u8 c; }}")
    changes = lakecodec.breaking(str(tmp_path / "old"), str(tmp_path / "new"))
    assert [(each.rule, each.where, each.breaks) for each in changes] == [(rule, "R.b", each) for each in breaks]


def test_names_that_python_reserves() -> None:
    module = compile_idl("record R { u8 a; let class = a + 1; let to_bytes = 2 * class; }")
    value = module.R(a=2)
    assert (value.class_, value.to_bytes_, value.to_bytes()) == (3, 6, b"\2")
    with pytest.raises(AttributeError, match=r"^class_ of R"):
        value.class_ = 2


def test_attributes_of_included_modules(tmp_path: Path) -> None:
    (tmp_path / "base.idl").write_text(
        "const i32 UNIT = 10\nenum E { A = 1 }\nrecord B { u8 x; let plain = x + 1; let scaled = x * UNIT; let is_a = x == E.A; }"
    )
    (tmp_path / "top.idl").write_text(
        'include "base.idl"\nconst i32 UNIT = 99\n'
        "record T { base.B b; u8 n = b.scaled; u8 m = b.plain; u8 xs[b.is_a ? 1 : 0]; base.B many[2]; u8 k = sum(many.scaled); }"
    )
    module = compile_idl(tmp_path / "top.idl")
    base = module.T.from_bytes(b"\1\x0a\2\7\1\2\x1e")
    assert (base.b.scaled, base.b.is_a, base.xs, base.k) == (10, True, [7], 30)
    assert base.to_bytes() == b"\1\x0a\2\7\1\2\x1e"


_DOUBLED = "u8 b0; " + " ".join(f"let b{i} = b{i - 1} + b{i - 1};" for i in range(1, 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "record R { u8 a0; " + "".join(f"let a{i} = a{i - 1} + 1;" for i in range(1, 500)) + "}",
            "over 60 in each other",
        ),
        (
            "record R { " + "".join(f"let b{i} = c{i}; let c{i} = b{i};" for i in range(300)) + "}",
            "computed from itself",
        ),
        (f"record R {{ {_DOUBLED} " + "".join(f"u8 x{i} if b9 > 1;" for i in range(500)) + "}", "over 200000 parts"),
        (
            f"record S {{ {_DOUBLED} }} record R {{ S s; " + "".join(f"u8 x{i} if s.b9 > 1;" for i in range(500)) + "}",
            "over 200000 parts",
        ),
        (
            f"record S0 {{ {_DOUBLED} }}"
            + "".join(f"record S{i} {{ S{i - 1} s; let b9 = s.b9 + s.b9; }}" for i in range(1, 60)),
            "over 200000 parts",
        ),
        (
            "".join(f"record S{i} {{ S{i - 1} s; let b = s.b; }}" for i in range(200, 0, -1)) + "record S0 { u8 b; }",
            "too long a chain",
        ),
    ],
)
def test_hostile_declarations(text: str, message: str) -> None:
    with within(30), pytest.raises(IdlError, match=message):
        compile_idl(text)


def test_a_truth_that_is_not_there_is_null() -> None:
    module = compile_idl(
        "record R { u8 a; let b = a > 1 ? a == 2 : null; let c = a & 1 == 1 ? true : a > 4 ? false : null; }"
    )
    for backend in BACKENDS:
        with running(backend):
            found = [module.R.from_bytes(bytes([a])) for a in (0, 1, 2, 6)]
            assert [(each.b, each.c) for each in found] == [(None, None), (None, True), (True, None), (False, False)]


def test_parameters_that_are_about_bytes_are_those_of_objects() -> None:
    module = compile_idl(
        "record Size(i64 bytes) {}\n"
        "record A { Size(end) size at 0 size 0; let n = size.bytes / 2; u8 xs[n] at 0; }\n"
        "record B { u8 n; Tail(end) tail size n; let all = tail.bytes; }\n"
        "record Tail(i64 bytes) { u8 xs[..]; }\n"
    )
    found = module.A.from_bytes(b"abcd")
    assert (found.n, found.xs) == (2, [97, 98])
    assert module.B.from_bytes(b"\2ab").all == 2
    with pytest.raises(DecodeError, match=r"cannot evaluate tail\.bytes"):
        _ = module.B(n=1, tail=module.Tail(xs=[1])).all


@pytest.mark.parametrize("backend", BACKENDS)
def test_members_of_enums_choose_alternatives(backend: str) -> None:
    module = compile_idl(
        "enum Kind { A = 1; B = 2; }\n"
        "record R { u8 n; let kind = member(Kind, n); Body(kind) body; }\n"
        "variant Body(Kind which) on which { Kind.A: a { u8 x; }; Kind.B: b { u16 x; }; else: raw {}; }\n"
    )
    assert module.R._table() is not None
    with running(backend):
        one, other = module.R.from_bytes(b"\1\7"), module.R.from_bytes(b"\3")
        assert (one.kind, one.body.which, one.body.x) == (module.Kind.A, module.Kind.A, 7)
        assert (other.kind, other.body.which, other.to_bytes()) == (3, 3, b"\3")


def test_numbers_need_no_blanks_around_signs() -> None:
    """A sign behind a number adds or subtracts; in constants, where numbers follow each other, it is the number's."""
    module: Any = compile_idl(
        "const list<i32> EACH = [1 -2 +3]\n"
        "record R { u8 x; let a = 0.1+0.2; let b = 1-2+3; let c = x-1; let d = 2*-1-1--1; let e = -1-1; let f = (1)-1; }\n"
    )
    found = module.R(x=7)
    assert (found.a, found.b, found.c, found.d, found.e, found.f) == (0.1 + 0.2, 2, 6, -2, -2, 0)
    assert list(module.EACH) == [1, -2, 3]


def test_externs_that_fail_are_errors_of_the_field() -> None:
    module: Any = compile_idl(
        'fn number_of(string digits, i64 base) -> i64 = extern "runtime.texts:number_of";\n'
        "record R { utf8 text[2]; let number = number_of(text, 10); }\n"
    )
    assert module.R.from_bytes(b"42").number == 42
    with pytest.raises(DecodeError, match=r"the extern runtime\.texts:number_of failed: .*'xy'") as caught:
        _ = module.R.from_bytes(b"xy").number
    assert (caught.value.path, caught.value.format) == ("number", "idl.R")
