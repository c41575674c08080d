"""Comments that exempt a place from a lint rule, and categories of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from lakecodec.generator.diagnostics import Diagnostics
from lakecodec.generator.lint import ALL_RULES, CATEGORIES, RULES, LintRules, lint
from lakecodec.generator.manifest import load_manifest
from lakecodec.generator.resolve.loader import load


def warnings(text: str, rules: LintRules = ALL_RULES) -> list[str]:
    diagnostics = Diagnostics()
    lint(load(text, diagnostics=diagnostics), diagnostics, rules)
    return [f"{found.location.line}: {found.message} ({found.rule})" for found in diagnostics.found]


@pytest.mark.parametrize(
    "text",
    [
        "struct wrong { 1: i32 x } // lint: off type_names: the name is the wire's",
        "// lint: off type_names: the name is the wire's\n\n// of 1999\nstruct wrong { 1: i32 x }",
        "# lint: off type-names the name is the wire's\nstruct wrong { 1: i32 x }",
    ],
)
def test_a_place_is_exempt(text: str) -> None:
    assert warnings(text, LintRules()) == []
    assert warnings(text.replace("off", "of"), LintRules()) != []


def test_other_rules_and_lines_are_not() -> None:
    text = "struct wrong { // lint: off type_names: old\n  1: i32 X\n}\nstruct bad { 1: i32 y }"
    assert warnings(text, LintRules()) == [
        "2: 'X' is not snake_case (field_names)",
        "4: 'bad' is not CamelCase (type_names)",
    ]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("lint: off type_names", "say why the rule 'type_names' is off: // lint: off type_names: REASON"),
        ("lint: off type_name: old", "there is no lint rule 'type_name'; did you mean 'type_names'?"),
        ("lint: off docs: old", "nothing here breaks the rule 'docs': remove the comment"),
        ("lint: off", f"there is no lint rule ''; rules are {', '.join(RULES)}"),
    ],
)
def test_comments_that_are_wrong(comment: str, message: str) -> None:
    found = warnings(f"struct wrong {{ 1: i32 x }} // {comment}", LintRules())
    assert f"1: {message} (exemptions)" in found


def test_a_text_is_no_comment() -> None:
    assert warnings('\nconst string A = "// lint: off docs: no"\n', LintRules()) == []


def test_every_rule_has_a_category() -> None:
    assert sorted(RULES) == sorted(LintRules.__slots__)
    assert len(set(RULES)) == len(RULES)


def test_categories_in_a_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "lakecodec.yaml"
    text = "output: out\ntargets: []\nlint: {names: false, documentation: true, type_names: true}\n"
    manifest.write_text(text)
    found = load_manifest(manifest, Diagnostics()).lint
    assert found == LintRules(True, "any", False, False, docs=True)
    manifest.write_text("output: out\ntargets: []\nlint: {names: true, field_names: camelCase}\n")
    assert load_manifest(manifest, Diagnostics()).lint == LintRules(field_names="camelCase")
    assert set(CATEGORIES).isdisjoint(RULES)
