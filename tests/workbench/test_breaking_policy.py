"""What a project lets pass: categories, patterns per file, a baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lakecodec.cli import run

OLD = """
struct A { 1: required i32 x  2: optional string name }
enum E { ONE = 1 }
"""
NEW = """
struct A { 1: required string x  2: optional string title }
enum E { FIRST = 1 }
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    (tmp_path / "new" / "drafts").mkdir(parents=True)
    (tmp_path / "old" / "drafts").mkdir()
    for name in ("a.idl", "drafts/b.idl"):
        (tmp_path / "old" / name).write_text(OLD)
        (tmp_path / "new" / name).write_text(NEW)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> set[tuple[str, str, str]]:
    code = run(["breaking", "old", "new", "--json", *arguments])
    changes = json.loads(capsys.readouterr().out)
    assert code == (1 if changes else 0)
    return {(each["file"], each["rule"], each["category"]) for each in changes}


EACH = {
    ("type-changed", "wire"),
    ("field-renamed", "json"),
    ("enum-member-renamed", "json"),
}


def test_categories(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = {(file, *each) for file in ("a.idl", "drafts/b.idl") for each in EACH}
    assert found(capsys) == both
    assert found(capsys, "--category", "wire") == {each for each in both if each[2] == "wire"}
    assert found(capsys, "--category", "wire", "--category", "json") == both
    assert run(["breaking", "old", "new", "--category", "wires"]) == 2
    assert "did you mean 'wire'?" in capsys.readouterr().err


def test_rules_of_a_manifest(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "idl").mkdir()
    manifest = files / "idl" / "lakecodec.yaml"
    manifest.write_text(
        "output: .\ntargets: []\nbreaking:\n  categories: [wire, json]\n  allow: [enum-*]\n"
        "  ignore:\n    drafts/*: ['*']\n    a.idl: [field-renamed A.name]\n"
    )
    assert found(capsys) == {("a.idl", "type-changed", "wire")}
    manifest.write_text("output: .\ntargets: []\nbreaking: {categories: [byte]}\n")
    assert run(["breaking", "old", "new"]) == 2
    assert "expected one of wire, json, source" in capsys.readouterr().err
    manifest.write_text("output: .\ntargets: []\nbreaking: {ignore: [a]}\n")
    assert run(["breaking", "old", "new"]) == 2
    assert "expected a mapping, found a list" in capsys.readouterr().err


def test_a_baseline(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["breaking", "old", "new", "--write-baseline", "known.json"]) == 0
    assert "8 findings" in capsys.readouterr().out
    assert found(capsys, "--baseline", "known.json") == set()
    (files / "new" / "a.idl").write_text(
        NEW.replace("FIRST = 1", "ONE = 1").replace("string x", "binary x  3: required i32 z")
    )
    assert run(["breaking", "old", "new", "--json", "--baseline", "known.json"]) == 1
    printed = capsys.readouterr()
    assert {each["rule"] for each in json.loads(printed.out)} == {"required-added"}
    assert "no longer found, remove it: enum-member-renamed E.ONE" in printed.err
    manifest = files / "idl" / "lakecodec.yaml"
    manifest.parent.mkdir()
    manifest.write_text("output: .\ntargets: []\nbreaking: {baseline: ../known.json}\n")
    assert len(found(capsys)) == 1
    (files / "known.json").write_text("[]")
    assert run(["breaking", "old", "new"]) == 2
    assert "--write-baseline FILE" in capsys.readouterr().err
