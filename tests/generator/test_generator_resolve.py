"""The resolved model: types, ids, numbers, defaults, constants, includes."""

from __future__ import annotations

import hashlib
import importlib.resources
import math
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.generator.diagnostics import IdlError
from lakecodec.generator.model import (
    Const,
    Enum,
    EnumMember,
    Extension,
    ListOf,
    MapOf,
    Module,
    Record,
    Scalar,
    Service,
    SetOf,
    Table,
)

from ..paths import ROOT
from .resolved import loaded, struct

IDL = Path(__file__).parent / "idl"
PARQUET_THRIFT = Path(str(importlib.resources.files("fastparquet") / "parquet.thrift"))


def constant(module: Module, name: str) -> Any:
    found = module.find(name)
    assert isinstance(found, Const)
    return found.value


def field_default(type_: str, text: str, more: str = "") -> Any:
    module = loaded(f"{more}\nstruct S {{ 1: {type_} x = {text} }}")
    return struct(module, "S").fields[0].default


@pytest.fixture(scope="module")
def everything() -> Module:
    return loaded(IDL / "every_construct.thrift")


# ---- types, ids, numbers ----


def test_types_of_fields(everything: Module) -> None:
    fields = {field.name: field for field in struct(everything, "Everything").fields}
    i32, string = Scalar("i32"), Scalar("string")
    assert fields["needed"].type == i32
    assert fields["words"].type == string
    assert fields["season"].type == string
    assert fields["id"].type == Scalar("uuid")
    assert fields["list"].type == Scalar("i8")
    assert fields["numbers"].type == SetOf(i32)
    assert fields["deep"].type == MapOf(string, MapOf(i32, ListOf(SetOf(Scalar("i64")))))
    assert fields["color"].type is everything.find("Color")
    assert fields["itself"].type is everything.find("Everything")
    assert fields["itself"].by_reference
    assert fields["point"].type is everything.includes["shared"].find("Point")


def test_ids_left_out_count_down(everything: Module) -> None:
    fields = {field.name: field for field in struct(everything, "Everything").fields}
    assert (fields["without_id"].id, fields["without_id"].explicit_id) == (-1, False)
    assert (fields["also_without"].id, fields["also_without"].explicit_id) == (-2, False)
    assert (fields["with_id"].id, fields["with_id"].explicit_id) == (1, True)


def test_enum_numbers(everything: Module) -> None:
    color = everything.find("Color")
    assert isinstance(color, Enum)
    assert [(member.name, member.number) for member in color.members] == [
        ("RED", 0),
        ("GREEN", 10),
        ("BLUE", 11),
        ("BLACK", -5),
        ("GREY", -4),
    ]
    assert color.annotations == {"flags": "true"}
    assert color.members[1].annotations == {"deprecated": "1"}


def test_members_of_unions_have_no_requiredness() -> None:
    module = loaded("union U { 1: optional i32 a  2: i32 b }")
    assert [field.requiredness for field in struct(module, "U").fields] == ["default", "default"]


def test_annotations_of_a_type_join_those_of_the_field(everything: Module) -> None:
    fields = {field.name: field for field in struct(everything, "Everything").fields}
    assert fields["color"].annotations == {"a": "1", "b": "2", "c": "1"}
    assert fields["annotated"].annotations == {"z": "w"}


def test_typedefs_disappear_and_order_stays(everything: Module) -> None:
    names = [item.name for item in everything.definitions]
    assert "Number" not in names
    assert "Season" not in names
    assert names[:4] == ["Color", "Empty", "EmptyToo", "OnlyComment"]
    assert names.index("FORWARD") + 1 == names.index("LATER")
    assert isinstance(everything.find("Everything_"), Service)


# ---- defaults and constants ----


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ("bool", "true", True),
        ("bool", "false", False),
        ("bool", "1", True),
        ("bool", "0", False),
        ("i8", "-128", -128),
        ("byte", "127", 127),
        ("i16", "0x7FFF", 32767),
        ("i32", "-2147483648", -2147483648),
        ("i64", "9223372036854775807", 9223372036854775807),
        ("i64", "true", 1),
        ("double", "3", 3.0),
        ("double", "-1e-3", -0.001),
        ("string", "'x'", "x"),
        ("binary", "'é'", "é".encode()),
        ("binary", 'b"\\xff\\x00"', b"\xff\x00"),
        ("uuid", '"12345678-1234-5678-1234-567812345678"', uuid.UUID("12345678-1234-5678-1234-567812345678")),
        ("list<i32>", "[1, 2; 3]", [1, 2, 3]),
        ("list<double>", "[1]", [1.0]),
        ("set<i32>", "[3, 1, 3]", [3, 1]),
        ("set<byte>", '[0x00 .. 0x02, 0x7F, "ab"]', [0, 1, 2, 127, 97, 98]),
        ("map<string, bool>", '{"a": 1, "b": false}', {"a": True, "b": False}),
        ("map<list<i32>, i32>", "{[1]: 2}", [([1], 2)]),
        ("list<map<i32, i32>>", "[{1: 2}, {}]", [{1: 2}, {}]),
    ],
)
def test_defaults_have_the_type_of_their_field(type_: str, text: str, value: object) -> None:
    found = field_default(type_, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["Color.GREEN", "5", "NICE", "Alias.GREEN"])
def test_ways_to_write_an_enum_default(text: str) -> None:
    found = field_default("Color", text, "enum Color { RED, GREEN = 5 }\nconst Color NICE = 5\ntypedef Color Alias")
    assert isinstance(found, EnumMember)
    assert found.name == "GREEN"


def test_members_are_numbers_where_a_number_is_wanted() -> None:
    assert field_default("i64", "Color.GREEN", "enum Color { RED, GREEN = 5 }") == 5


def test_struct_values_are_dicts_by_field() -> None:
    more = "struct P { 1: double x  2: Color c }\nenum Color { RED }\nconst P ZERO = {'x': 0, 'c': Color.RED}"
    for text in ("{'x': 0, 'c': Color.RED}", "ZERO"):
        found = field_default("P", text, more)
        assert found["x"] == 0.0
        assert isinstance(found["x"], float)
        assert found["c"].name == "RED"


def test_absent_defaults_are_told_from_false_ones() -> None:
    module = loaded("struct S { 1: i32 a  2: i32 b = 0 }")
    assert [field.has_default for field in struct(module, "S").fields] == [False, True]


def test_constants_refer_to_others(everything: Module) -> None:
    assert constant(everything, "POINT") == {"x": 0, "y": 0}
    assert constant(everything, "FROM_ENUM") == 11
    assert constant(everything, "FROM_INCLUDED") == 100
    assert constant(everything, "FORWARD") == 3
    assert constant(everything, "SHORTER").name == "BLUE"
    assert [member.name for member in constant(everything, "COLORS")] == ["RED", "GREEN", "BLUE"]
    assert constant(everything, "BY_LIST") == [([1, 2], "a")]
    assert len(constant(everything, "SET_OF_COLORS")) == 1


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([8, 16, 32, 64]), st.integers(-(2**66), 2**66))
def test_integers_must_fit(bits: int, number: int) -> None:
    text = f"struct S {{ 1: i{bits} x = {number} }}"
    if -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        assert struct(loaded(text), "S").fields[0].default == number
    elif bits < 64 and 0 <= number < 2**bits:
        assert struct(loaded(text), "S").fields[0].default == number - 2**bits
    else:
        with pytest.raises(IdlError, match=f"does not fit i{bits}"):
            loaded(text)


@settings(max_examples=60, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_are_exact(number: float) -> None:
    found = field_default("double", repr(number))
    assert found == number
    assert math.copysign(1, found) == math.copysign(1, number)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n")))
def test_texts_survive_quoting(text: str) -> None:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert field_default("string", quoted) == text
    assert field_default("binary", quoted) == text.encode()


# ---- modules ----


def test_module_of_a_file() -> None:
    module = loaded(IDL / "common.thrift")
    assert module.name == "common"
    assert module.file == str(IDL / "common.thrift")
    assert module.digest == hashlib.sha256((IDL / "common.thrift").read_bytes()).hexdigest()
    assert module.namespaces == {"py": "common", "*": "common"}
    assert module.doc == "Constructs that all implementations of Thrift agree on."
    assert module.includes["shared"].find("LIMIT") is module.find("shared.LIMIT")
    assert loaded(IDL / "common.thrift", name="other").name == "other"


def test_module_of_text() -> None:
    module = loaded("struct A {}")
    assert (module.name, module.file) == ("idl", "<idl>")
    assert loaded("struct A {}", name="mine").file == "<mine>"
    with pytest.raises(FileNotFoundError):
        loaded("absent.idl")


def test_includes_are_searched_beside_the_file_then_in_include_paths(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "common.idl").write_text(f"const string FROM = '{folder}'")
    (tmp_path / "one" / "main.idl").write_text("include 'common.idl'\nconst string FROM = common.FROM")
    (tmp_path / "main.idl").write_text("include 'common.idl'\nconst string FROM = common.FROM")
    both = [tmp_path / "two", tmp_path / "one"]
    assert constant(loaded(tmp_path / "one" / "main.idl", include_paths=both), "FROM") == "one"
    assert constant(loaded(tmp_path / "main.idl", include_paths=both), "FROM") == "two"
    text = "include 'common.idl'\nconst string FROM = common.FROM\n"
    assert constant(loaded(text, include_paths=[str(tmp_path / "one")]), "FROM") == "one"


def test_a_file_included_twice_is_one_module(tmp_path: Path) -> None:
    (tmp_path / "base.idl").write_text("struct Base {}")
    (tmp_path / "left.idl").write_text("include 'base.idl'\nstruct Left { 1: base.Base b }")
    (tmp_path / "right.idl").write_text("include './base.idl'\nstruct Right { 1: base.Base b }")
    module = loaded(
        "include 'left.idl'\ninclude 'right.idl'\nstruct Both { 1: left.Left l }\n", include_paths=[tmp_path]
    )
    left, right = module.includes["left"], module.includes["right"]
    assert left.includes["base"] is right.includes["base"]
    assert struct(left, "Left").fields[0].type is struct(right, "Right").fields[0].type


def test_names_of_included_files_may_have_dots(tmp_path: Path) -> None:
    (tmp_path / "my.types.idl").write_text("enum E { A }\nconst i32 N = 1")
    module = loaded(
        "include 'my.types.idl'\nstruct S { 1: my.types.E e = my.types.E.A }\nconst i32 N = my.types.N\n",
        include_paths=[tmp_path],
    )
    assert struct(module, "S").fields[0].default.name == "A"
    assert constant(module, "N") == 1


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    """Comments may be Latin-1."""
    (tmp_path / "latin.idl").write_bytes(
        b"// \xe9t\xe9\n/** caf\xe9 */ struct A {} # \xff\n/* \xe9 */ const string S = 'a'"
    )
    assert loaded(tmp_path / "latin.idl").definitions[0].doc == "café"
    for text in (b"struct A {}\nconst string S = '\xe9'", b"struct A {}\nstruct \xe9 {} // \xe9"):
        (tmp_path / "latin.idl").write_bytes(text)
        with pytest.raises(IdlError) as raised:
            loaded(tmp_path / "latin.idl")
        assert (raised.value.line, raised.value.message) == (2, "an IDL file must be UTF-8 text, except in comments")


def test_extensions() -> None:
    module = loaded(IDL / "extensions.idl")
    kinds = {item.name: item.kind for item in module.definitions if isinstance(item, Extension)}
    assert kinds == {
        "Cell": "variant",
        "Value": "encoding",
        "Text": "encoding",
        "front_coded": "codec",
        "zigzag_delta": "codec",
        "packed": "codec",
        "block": "codec",
        "bucket_of": "fn",
        "columns_of": "fn",
    }
    cells = module.find("Cells")
    assert isinstance(cells, Record)
    assert [(param.name, param.type_name, param.default is None) for param in cells.params] == [
        ("rows", "i32", True),
        ("kind", "Kind", False),
        ("blocks", "list<Block>", False),
    ]
    blocks = module.find("blocks")
    assert isinstance(blocks, Table)
    assert blocks.source is module.find("File")
    assert constant(module, "ESCAPED") == [*range(32), 127, *b'"#%']


def test_typedefs_in_records_and_tables() -> None:
    text = """
    include "shared.thrift"
    typedef i32 Count
    typedef list<shared.Point> Points
    typedef shared.Timestamp Time
    struct Source { 1: Points points }
    record R(Count n, list<Count> counts, Points points) { Time at; u8 x[n]; }
    fn f(Count n, shared.Timestamp t) -> Points = extern "somewhere:f";
    table t from Source { for p in points  list<Count> xs = p.x;  Time at = 1; }
    """
    module = loaded(text, include_paths=[IDL])
    record, table = module.find("R"), module.find("t")
    assert isinstance(record, Record)
    assert isinstance(table, Table)
    assert [param.type_name for param in record.params] == ["i32", "list<i32>", "list<shared.Point>"]
    assert record.fields[0].type.name == "i64"
    assert [column.type_name for column in table.columns] == ["list<i32>", "i64"]


@pytest.mark.parametrize(
    "path",
    [
        "lakecodec/idl/mosaic.idl",
        "lakecodec/idl/row.idl",
        "tests/oracle/clauses.idl",
        "tests/generator/idl/extensions.idl",
    ],
)
def test_every_field_of_a_body_has_what_it_names(path: str) -> None:
    module = loaded(ROOT / path)
    bodies = [list(item.fields) for item in module.definitions if isinstance(item, Record)]
    for syntax in (item.syntax for item in module.definitions if isinstance(item, Extension)):
        groups = [*getattr(syntax, "cases", ()), *getattr(syntax, "shapes", ()), syntax]
        bodies += [
            fields for each in groups for name in ("fields", "null_fields") if (fields := getattr(each, name, None))
        ]
    fields = [field for body in bodies for field in body]
    assert fields
    for field in fields:
        assert field.kind is not None, field.name
        assert field.target is module.find(field.type.name), field.name
        assert len(field.called) == len(field.via), field.name
