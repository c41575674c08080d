"""Syntax errors: several in one run, and what is parsed beside them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec import IdlError, compile_idl
from lakecodec.generator import syntax
from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.parse import parse

IDL = Path(__file__).parent / "idl"
GOOD = sorted(IDL.glob("*.*"))


def errors(text: str) -> tuple[syntax.File, list[str]]:
    diagnostics = Diagnostics()
    file = parse(text, "test.idl", diagnostics)
    return file, [f"{found.location.line}:{found.location.column} {found.message}" for found in diagnostics.found]


def test_several_syntax_errors_in_one_run() -> None:
    file, found = errors(
        "struct A {\n  1: i32 x\n\n"
        "struct B { 1: i32 x }\n"
        "enum C { RED GREEN = }\n"
        "struct D {}\n"
        "const i32 = 5\n"
        "/** Good. */\nstruct E { 1: i32 y }\n"
    )
    assert found == [
        "4:1 found 'struct', expected a field, '=' or '}'",
        "5:22 found '}', expected a number",
        "7:11 found '=', expected a name",
    ]
    assert [item.name for item in file.definitions] == ["B", "D", "E"]
    assert file.definitions[-1].doc == "Good."
    assert file.definitions[-1].location.line == 9


def test_definitions_before_an_error_are_kept() -> None:
    file, found = errors("struct A {}\nstruct B {}\nstruct C { 1: }\n")
    assert [item.name for item in file.definitions] == ["A", "B"]
    assert found == ["3:15 found '}', expected a type, 'optional' or 'required'"]


def test_endless_errors_end() -> None:
    _, found = errors("struct { }\n" * 100)
    assert len(found) == 20


def test_empty_files() -> None:
    for text in ("", "\n\n", "// only a comment", "/** Only a doc comment. */"):
        assert errors(text) == (syntax.File("test.idl"), [])


_PIECES = st.sampled_from(
    ["{", "}", "(", ")", "struct ", ";", "=", '"', "/*", "1", "..", "<", "if ", "@", "é", "\n", "[", ":"]
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_broken_text_gives_diagnostics_inside_the_text(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(GOOD)).read_text()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        text = text[:start] + data.draw(_PIECES) + text[start + data.draw(st.integers(0, 12)) :]
    diagnostics = Diagnostics()
    file = parse(text, "test.idl", diagnostics)
    lines = [*text.split("\n"), ""]
    for found in diagnostics.found:
        assert 1 <= found.location.line <= len(lines)
        assert 1 <= found.location.column <= len(lines[found.location.line - 1]) + 1
    assert all(dataclasses.is_dataclass(item) for item in file.definitions)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "record File { L l; } record L { u8 n; let k = n + ; } record M { L l; }",
            "found ';', expected an expression",
        ),
        ("message File { 1: M m; }\nmessage M { 1: required int32; }\n", "found ';', expected a name"),
    ],
)
def test_uses_of_a_broken_definition_are_no_mistakes(text: str, found: str) -> None:
    with pytest.raises(IdlError) as caught:
        compile_idl(text)
    assert [each.message for each in caught.value.diagnostics] == [found]
