"""Text to syntax tree: Thrift's constructs, the extensions, doc comments, locations."""

from __future__ import annotations

import ast
import importlib.resources
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec.generator import syntax
from lakecodec.generator.comments import doc_text
from lakecodec.generator.diagnostics import Diagnostics, Location
from lakecodec.generator.parse import parse
from lakecodec.language.formatter import format_idl

IDL = Path(__file__).parent / "idl"
GOOD = sorted(IDL.glob("*.*"))


def parsed(text: str) -> syntax.File:
    diagnostics = Diagnostics()
    file = parse(text, "test.idl", diagnostics)
    diagnostics.raise_errors()
    return file


def definition(text: str) -> Any:
    (only,) = parsed(text).definitions
    return only


def named(file: syntax.File, name: str) -> Any:
    return next(item for item in file.definitions if item.name == name)


def expression(text: str) -> syntax.Expr:
    """An expression, as the value of a constant function."""
    value = definition(f"fn f() -> i32 = {text};").value
    assert not isinstance(value, syntax.Extern)
    return value  # type: ignore[no-any-return]


def shown(node: syntax.Expr) -> str:
    """The expression with all its parentheses."""
    match node:
        case syntax.Literal_():
            return repr(node.value)
        case syntax.Name():
            return node.name
        case syntax.Member():
            return f"{shown(node.base)}.{node.name}"
        case syntax.Index():
            return f"{shown(node.base)}[{shown(node.index)}]"
        case syntax.Slice():
            low, high = ("" if part is None else shown(part) for part in (node.low, node.high))
            return f"{shown(node.base)}[{low}:{high}]"
        case syntax.Call():
            return f"{shown(node.function)}({', '.join(map(shown, node.arguments))})"
        case syntax.Unary():
            return f"({node.operator} {shown(node.operand)})"
        case syntax.Binary():
            return f"({shown(node.left)} {node.operator} {shown(node.right)})"
        case syntax.Compare():
            rest = zip(node.operators, node.operands[1:], strict=True)
            return f"({shown(node.operands[0])}{''.join(f' {op} {shown(part)}' for op, part in rest)})"
        case syntax.IsCase():
            return f"({shown(node.value)} is {node.case})"
        case syntax.Ternary():
            return f"({shown(node.condition)} ? {shown(node.then)} : {shown(node.otherwise)})"


# ---- files that must parse ----


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.name)
def test_good_files_have_no_syntax_errors(path: Path) -> None:
    assert parsed(path.read_text()).definitions


def test_official_parquet_thrift_parses_unchanged() -> None:
    """The file that fastparquet ships, compared with a count of its words that needs no parser."""
    text = (importlib.resources.files("fastparquet") / "parquet.thrift").read_text()
    file = parsed(text)
    code = re.sub(r"/\*[\s\S]*?\*/|//[^\n]*", "", text)
    structs = [item for item in file.definitions if isinstance(item, syntax.StructDef)]
    for kind in ("struct", "union"):
        assert sum(item.kind == kind for item in structs) == len(re.findall(rf"\b{kind}\s+\w+\s*{{", code))
    enums = [item for item in file.definitions if isinstance(item, syntax.EnumDef)]
    assert len(enums) == len(re.findall(r"\benum\s+\w+\s*{", code))
    assert sum(len(item.fields) for item in structs) == len(re.findall(r"\d+\s*:", code))
    assert sum(field.requiredness == "optional" for item in structs for field in item.fields) == code.count("optional ")
    assert {space.scope: space.name for space in file.namespaces} == {
        "cpp": "parquet",
        "java": "org.apache.parquet.format",
    }


def test_everything_in_a_struct() -> None:
    struct = named(parsed((IDL / "every_construct.thrift").read_text()), "Everything")
    fields = {field.name: field for field in struct.fields}
    assert struct.annotations == {"final": "1", "cpp.virtual": "0"}
    assert fields["with_id"].id == 1
    assert fields["without_id"].id is None
    assert fields["also_without"].default == syntax.Literal_("x", fields["also_without"].default.location)
    assert [fields[name].requiredness for name in ("needed", "color", "words")] == ["required", "optional", "default"]
    assert fields["color"].annotations == {"a": "1", "b": "2", "c": "1"}
    assert syntax.type_text(fields["deep"].type) == "map<string, map<i32, list<set<i64>>>>"
    assert fields["annotated"].type.annotations == {"z": "w"}
    assert fields["annotated"].type.value.annotations == {"x": "y"}
    assert fields["itself"].by_reference
    assert {"struct", "required", "optional", "list"} <= set(fields)


def test_services() -> None:
    service = named(parsed((IDL / "every_construct.thrift").read_text()), "Everything_")
    functions = {function.name: function for function in service.functions}
    assert service.extends == "Nothing"
    assert functions["nothing"].result is None
    assert functions["nothing"].doc == "A function."
    assert functions["forget"].oneway
    assert functions["also_forget"].oneway
    assert [argument.name for argument in functions["names"].arguments] == ["a", "b"]
    assert [field.name for field in functions["names"].throws] == ["f", "g"]


def test_enums_and_constants() -> None:
    file = parsed((IDL / "every_construct.thrift").read_text())
    members = {member.name: member.number for member in named(file, "Color").members}
    assert members == {"RED": None, "GREEN": 10, "BLUE": None, "BLACK": -5, "GREY": None}
    assert named(file, "HEX").value.value == 255
    assert named(file, "NEGATIVE_HEX").value.value == -16
    assert (named(file, "SMALL").value.value, named(file, "PLUS").value.value) == (0.5, 1.5)
    assert named(file, "Season").members == ("spring", "summer", "autumn", "winter")


def test_record_clauses() -> None:
    file = parsed((IDL / "extensions.idl").read_text())
    fields = {field.name: field for field in named(file, "File").fields}
    assert shown(fields["tail"].at) == "(end - TAIL_SIZE)"
    assert shown(fields["index"].size) == "((end - TAIL_SIZE) - tail.start)"
    assert [shown(codec) for codec in fields["index"].via] == ["compact"]
    assert fields["head"].derived_message == "not such a file"
    tail = named(file, "Tail")
    assert tail.attributes.keys() == {"big", "size"}
    assert [shown(argument) for argument in tail.attributes["size"]] == ["12"]
    cells = named(file, "Cells")
    kinds = {field.name: [each.kind for each in field.dimensions] for field in cells.fields}
    assert kinds["widths"] == ["index"]
    assert kinds["names"] == ["until"]
    assert kinds["rest_of_it"] == ["rest"]
    assert [check.message for check in cells.checks] == ["negative", None]
    assert [(param.name, syntax.type_text(param.type)) for param in cells.params] == [
        ("rows", "i32"),
        ("kind", "Kind"),
        ("blocks", "list<Block>"),
    ]


def test_variants_encodings_codecs_and_functions() -> None:
    file = parsed((IDL / "extensions.idl").read_text())
    cell = named(file, "Cell")
    assert [(case.name, [shown(tag) for tag in case.tags]) for case in cell.cases] == [
        ("PLAIN", ["0"]),
        ("WIDE", ["1"]),
        ("NARROW", ["2", "3"]),
        ("OTHER", []),
    ]
    assert cell.cases[0].fields is None
    narrow = cell.cases[2]
    assert narrow.doc == "Two tags."
    assert [name for name, _ in narrow.arrow[1].assignments] == ["precision", "zone"]
    value = named(file, "Value")
    assert [[pattern.name for pattern in shape.patterns] for shape in value.shapes] == [
        ["PLAIN", "OTHER"],
        ["WIDE"],
        ["struct", "list", "map"],
    ]
    assert value.shapes[1].null_fields is not None
    coded = named(file, "front_coded")
    assert (coded.state.name, coded.state.initial.value) == ("prev", b"\0")
    assert shown(coded.value) == "(prev[:shared] + suffix)"
    assert named(file, "packed").value.target == "somewhere:Packed"
    assert [param.default is None for param in named(file, "bucket_of").params] == [True, True, False]


def test_tables() -> None:
    table = named(parsed((IDL / "extensions.idl").read_text()), "blocks")
    assert table.source == "File"
    assert [(loop.variable, loop.index, shown(loop.iterable)) for loop in table.loops] == [
        ("group", "group_index", "index.groups"),
        ("block", None, "group.blocks"),
    ]
    columns = {column.name: column for column in table.columns}
    assert columns["kinds"].type_name == "list<string>"
    assert columns["name"].doc == "Absent where the group has none."
    assert columns["start"].annotations == {"unit": "bytes"}


# ---- expressions ----


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("1 << 2 + 3", "(1 << (2 + 3))"),
        ("a & 3 | b ^ c", "((a & 3) | (b ^ c))"),
        ("-a * b", "((- a) * b)"),
        ("a -1", "(a - 1)"),
        ("not a == 1 and b or c", "(((not (a == 1)) and b) or c)"),
        ("a or b and not c", "(a or (b and (not c)))"),
        ("0 <= a < b != c", "(0 <= a < b != c)"),
        ("data is FULL or x", "((data is FULL) or x)"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a.b.c[1 + i].d(x, y)[2:]", "a.b.c[(1 + i)].d(x, y)[2:]"),
        ("f()[:n]", "f()[:n]"),
        ("(1 + 2) * 3", "((1 + 2) * 3)"),
        ("'it' + b\"\\x00\"", "('it' + b'\\x00')"),
        ("a / b % c", "((a / b) % c)"),
    ],
)
def test_precedence(text: str, wanted: str) -> None:
    assert shown(expression(text)) == wanted


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]), min_size=1, max_size=6))
def test_precedence_is_pythons(operators: list[str]) -> None:
    names = "abcdefg"
    text = names[0] + "".join(f" {operator} {name}" for operator, name in zip(operators, names[1:], strict=False))
    wanted = ast.dump(ast.parse(text, mode="eval"))
    found = shown(expression(text.replace("//", "/"))).replace("/", "//")
    assert ast.dump(ast.parse(found, mode="eval")) == wanted


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("1 << 2 + 1", "1 << (2 + 1)"),
        ("1 + 7 & 3", "(1 + 7) & 3"),
        ("a | b + c ^ d", "a | (b + c ^ d)"),
        ("a - b << (c)", "(a - b) << (c)"),
        ("(a + 1) + b & f(c)", "((a + 1) + b) & f(c)"),
        ("a & b | c", None),
        ("a << 2 | b & 3", None),
        ("a * b + c >> 2", "(a * b + c) >> 2"),
        ("(1 + 7) & 3", None),
        ("a + b - c * d", None),
    ],
)
def test_what_was_read_in_another_order_is_a_warning(text: str, closed: str | None) -> None:
    diagnostics = Diagnostics()
    parse(f"fn f(i64 a, i64 b, i64 c, i64 d) -> i64 = {text};\n", "test.idl", diagnostics)
    found = [str(each) for each in diagnostics.found]
    assert bool(found) == (closed is not None)
    assert all("binds tighter, as in Python; older versions read it otherwise" in each for each in found)
    made = format_idl(f"fn f(i64 a, i64 b, i64 c, i64 d) -> i64 = {text};\n")
    assert made == f"fn f(i64 a, i64 b, i64 c, i64 d) -> i64 = {closed or text};\n"
    assert format_idl(made) == made


_OPERANDS = st.sampled_from(["a", "b.c", "7", "f(x)", "xs[0]"])
_OPERATORS = st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "and", "or", "==", "<"])
_EXPRESSIONS = st.recursive(
    _OPERANDS,
    lambda inner: st.one_of(
        st.tuples(inner, _OPERATORS, inner).map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"),
        inner.map(lambda part: f"(not {part})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_EXPRESSIONS)
def test_parenthesised_expressions_keep_their_structure(text: str) -> None:
    assert shown(expression(text)) == text


def test_expressions_carry_their_place() -> None:
    text = "record R {\n  u8 x = first.second + third[4];\n}\n"
    derived = definition(text).fields[0].derived
    assert derived.location == Location("test.idl", 2, 10, len("first.second + third[4]"))
    assert derived.left.location == Location("test.idl", 2, 10, len("first.second"))
    assert derived.left.base.location == Location("test.idl", 2, 10, len("first"))
    assert derived.right.location == Location("test.idl", 2, 25, len("third[4]"))
    assert derived.right.index.location == Location("test.idl", 2, 31, 1)


# ---- literals ----


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"a\\tb\\n\\"\\\\"', 'a\tb\n"\\'),
        ("'single \"double\"'", 'single "double"'),
        ('"\\x41\\u00e9"', "Aé"),
        ('"// no comment /* here */ # either"', "// no comment /* here */ # either"),
        ("0x7F", 127),
        ("-0x10", -16),
        ("+5", 5),
        ("007", 7),
        ("1.5e-3", 0.0015),
        ("1e3", 1000.0),
        ("0x1e3", 0x1E3),
        (".25", 0.25),
    ],
)
def test_literals(text: str, value: object) -> None:
    found = definition(f"const string X = {text}").value.value
    assert found == value
    assert type(found) is type(value)


# ---- doc comments ----


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("/** One line. */", "One line."),
        ("/** One line. **/", "One line."),
        ("/**\n * First.\n *\n *   Indented.\n */", "First.\n\n  Indented."),
        ("/** First.\n    Second.\n */", "First.\nSecond."),
        ("/**\n   Without stars.\n     More.\n*/", "Without stars.\n  More."),
        ("/***/", ""),
        ("/**\n * a * b\n * *bold*\n */", "a * b\n*bold*"),
    ],
)
def test_doc_text(comment: str, text: str) -> None:
    assert doc_text(comment) == text


def test_doc_comments_belong_to_what_follows() -> None:
    file = parsed((IDL / "every_construct.thrift").read_text())
    assert file.doc == "Every construct of Thrift's IDL.\n\n  Indented text stays indented."
    docs = {member.name: member.doc for member in named(file, "Color").members}
    assert docs == {"RED": "Like fire.", "GREEN": "", "BLUE": "", "BLACK": "", "GREY": ""}
    fields = {field.name: field.doc for field in named(file, "Everything").fields}
    assert (fields["with_id"], fields["without_id"], fields["needed"]) == ("Has an id.", "", "Required.")
    assert named(file, "Empty").doc == "An empty one."
    assert named(file, "EmptyToo").doc == ""


def test_the_first_comment_belongs_to_the_file_only_before_a_header() -> None:
    assert parsed("/** A struct. */\nstruct A {}").doc == ""
    assert parsed("/** A file. */\nnamespace py a\nstruct A {}").doc == "A file."


WORDS = [
    "record", "variant", "encoding", "codec", "fn", "table", "on", "over", "from", "where", "else", "extern", "when", "write",
    "case", "null", "with", "value", "for", "in", "is", "if", "at", "size", "until", "via", "arrow", "or", "and", "not",
]  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_words_of_extensions_are_names(word: str) -> None:
    """Wherever Thrift has names, and where the extensions declare fields, parameters and columns."""
    texts = [
        f"struct S {{ 1: list<i32> {word} = [1] 2: i32 (a = 'b') {word}2; {word} c = {word}.X {word} d }} typedef {word} y\n"
        f"enum {word} {{ {word}, X {word}3 = 1 {word}4 }} const {word} x = {word}.{word} const list<y> z = [{word}.X]",
        f"record T(u8 {word}) {{ u8 a; }} record R {{ u8 n; T(n) {word}; bits<3> {word}2[8]; }}\nfn f(i32 {word}) -> i32 = 1;",
        f"struct S {{ 1: list<i32> a }} table t from S {{ for x in a\n i32 {word} = x; list<string> y = a; }}",
    ]
    for text in texts:
        assert parsed(text).definitions
