"""Lint rules: what each finds, and that it can be switched off."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.lint import ALL_RULES, LintRules, lint
from lakecodec.generator.resolve.loader import load
from lakecodec.generator.words import FOREIGN_KEYWORDS, THRIFT_KEYWORDS

from ..paths import SPECS

BAD = Path(__file__).parent / "bad_idl"

TEXT = """
include "shared.idl"

struct bad_type {
  3: i32 camelCase
  1: i32 class
}

enum E { lower }

struct Reused {
  1: i32 a
  3: i32 b
  2: i32 c
}
"""

#: What each rule finds in TEXT.
FINDINGS = {
    "type_names": ["'bad_type' is not CamelCase"],
    "field_names": ["'camelCase' is not snake_case"],
    "member_names": ["'lower' is not UPPER_CASE"],
    "portable_names": ["some implementations of Thrift refuse the name 'class'"],
    "docs": [
        "struct 'bad_type' has no doc comment",
        "field 'camelCase' has no doc comment",
        "field 'class' has no doc comment",
        "enum 'E' has no doc comment",
        "member 'lower' has no doc comment",
        "struct 'Reused' has no doc comment",
        "field 'a' has no doc comment",
        "field 'b' has no doc comment",
        "field 'c' has no doc comment",
    ],
    "id_order": ["id 1 comes after id 3"],
    "reused_ids": ["id 2 was left out between 1 and 3; old data may use it otherwise"],
    "unused_includes": ["the included file 'shared' is not used"],
}


def warnings(text: str, rules: LintRules = ALL_RULES) -> list[str]:
    diagnostics = Diagnostics()
    module = load(text, diagnostics=diagnostics, include_paths=[BAD / "included"])
    diagnostics.raise_errors()
    lint(module, diagnostics, rules)
    assert all(found.warning for found in diagnostics.found)
    return [found.message for found in diagnostics.found]


def only(rule: str) -> LintRules:
    off = {field.name: "any" if field.name == "field_names" else False for field in dataclasses.fields(LintRules)}
    return LintRules(**{**off, rule: getattr(ALL_RULES, rule)})  # type: ignore[arg-type]


def test_every_rule_is_tested() -> None:
    assert FINDINGS.keys() == {field.name for field in dataclasses.fields(LintRules)}


@pytest.mark.parametrize("rule", FINDINGS)
def test_a_rule_alone(rule: str) -> None:
    assert warnings(TEXT, only(rule)) == FINDINGS[rule]


@pytest.mark.parametrize("rule", FINDINGS)
def test_a_rule_switched_off(rule: str) -> None:
    off = dataclasses.replace(ALL_RULES, **{rule: "any" if rule == "field_names" else False})
    expected = [message for name, messages in FINDINGS.items() if name != rule for message in messages]
    assert sorted(warnings(TEXT, off)) == sorted(expected)


def test_field_styles() -> None:
    text = "struct S { 1: i32 snake_case  2: i32 camelCase  3: i32 Other }"
    styles = {
        style: warnings(text, dataclasses.replace(only("type_names"), field_names=style))
        for style in ("snake_case", "camelCase", "any")
    }
    assert styles == {
        "snake_case": ["'camelCase' is not snake_case", "'Other' is not snake_case"],
        "camelCase": ["'Other' is not camelCase"],
        "any": [],
    }


def test_members_of_unions_may_be_upper_case() -> None:
    assert warnings("union U { 1: i32 STRING  2: i32 int32 }", only("field_names")) == []
    assert warnings("struct S { 1: i32 STRING }", only("field_names")) == ["'STRING' is not snake_case"]


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        ("1 2 3", []),
        ("1 5 9", []),
        ("2 1", ["id_order"]),
        ("3 1 2", ["id_order", "reused_ids"]),
        ("1 4 2 3", ["reused_ids", "reused_ids"]),
    ],
)
def test_id_rules(ids: str, found: list[str]) -> None:
    text = "struct S {" + " ".join(f"{number}: i32 f{number}" for number in ids.split()) + "}"
    for rule in ("id_order", "reused_ids"):
        assert len(warnings(text, only(rule))) == found.count(rule)


@pytest.mark.parametrize(
    "use",
    [
        "struct S { 1: shared.Color c }",
        "typedef shared.Color C",
        "const i32 N = shared.LIMIT",
        "struct S { 1: i32 c = shared.Color.RED }",
        "record R { u8 n = shared.LIMIT; }",
        "record R(shared.Color c) { u8 n; }",
        "fn f() -> i32 = shared.LIMIT;",
        "service S { void f(1: shared.Color c) }",
    ],
)
def test_uses_of_includes(use: str) -> None:
    assert warnings(f'include "shared.idl"\n{use}\n', only("unused_includes")) == []


def test_words_that_others_refuse() -> None:
    """thriftpy2 refuses the words that Apache's compiler once refused; `union` is among them though it is a keyword."""
    lexer = pytest.importorskip("thriftpy2.parser.lexer")
    assert set(lexer.thrift_reserved_keywords) - {"union"} == FOREIGN_KEYWORDS
    assert set(lexer.keywords) <= THRIFT_KEYWORDS


@pytest.mark.parametrize("path", sorted(SPECS.glob("parquet*.idl")), ids=lambda path: path.stem)
def test_the_projects_own_idl_is_clean(path: Path) -> None:
    diagnostics = Diagnostics()
    lint(load(path, diagnostics=diagnostics), diagnostics, dataclasses.replace(ALL_RULES, field_names="camelCase"))
    assert [str(found) for found in diagnostics.found] == []
