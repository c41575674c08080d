"""`lakecodec fmt`: what a text says is the same before and after, and formatting twice changes nothing more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lakecodec import IdlError
from lakecodec.cli.app import run
from lakecodec.generator.diagnostics import Diagnostics, Location
from lakecodec.generator.parse import parse
from lakecodec.language.formatter import format_idl

from ..generator.test_thrift_verdicts import ACCEPTED
from ..paths import ROOT, SPECS, TESTS
from ..random_idls import random_idl


def _files() -> Iterator[Path]:
    yield from sorted(SPECS.rglob("*.idl"))
    yield from sorted(
        path for kind in ("*.idl", "*.thrift") for path in TESTS.rglob(kind) if "bad_idl" not in path.parts
    )
    for package in ("thriftpy2", "pyarrow", "pyspark", "fastparquet"):
        found = find_spec(package)
        for folder in (found.submodule_search_locations or ()) if found else ():
            yield from sorted(Path(folder).rglob("*.thrift"))


def _said(node: Any) -> Any:
    """Returns what a syntax tree says, without the places of its nodes."""
    if isinstance(node, Location):
        return None
    if is_dataclass(node):
        return type(node).__name__, [_said(getattr(node, each.name)) for each in fields(node)]
    if isinstance(node, tuple | list):
        return [_said(each) for each in node]
    return {key: _said(value) for key, value in node.items()} if isinstance(node, dict) else node


def _tree(text: str) -> Any:
    diagnostics = Diagnostics()
    found = parse(text, "f.idl", diagnostics)
    diagnostics.raise_errors()
    return _said(found)


def _comments(text: str) -> list[str]:
    return [
        re.sub(r"\s+", " ", match[0])
        for match in re.finditer(r'/\*[\s\S]*?\*/|(?://|#)[^\n]*|b?"(?:[^"\\\n]|\\.)*"', text)
        if match[0][-1] != '"' or match[0][0] in "/#"
    ]


def _verify(text: str) -> str:
    formatted = format_idl(text)
    assert _tree(formatted) == _tree(text)
    assert _comments(formatted) == _comments(text)
    assert format_idl(formatted) == formatted
    return formatted


@pytest.mark.parametrize("path", list(_files()), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_file_says_the_same(path: Path) -> None:
    _verify(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(ACCEPTED)))
def test_a_small_thrift_file_says_the_same(number: int) -> None:
    _verify(ACCEPTED[number])


@pytest.mark.parametrize("seed", range(40))
def test_a_random_idl_says_the_same_whatever_its_blanks(seed: int) -> None:
    random = Random(seed)
    text = random_idl(random)
    wanted = _verify(text)
    assert _verify(re.sub(r"\n *(?=.)", lambda match: "\n" + " " * random.randint(0, 9), text)) == wanted


def test_snippets_of_the_docs_say_the_same() -> None:
    snippets = [
        match[1]
        for page in (ROOT / "docs").glob("*.md")
        for match in re.finditer(r"^```(?:thrift|idl)\n([\s\S]*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    whole = [snippet for snippet in snippets if _parses(snippet)]
    assert len(whole) > 10
    for snippet in whole:
        _verify(snippet)


def _parses(text: str) -> bool:
    diagnostics = Diagnostics()
    parse(text, "f.idl", diagnostics)
    return not diagnostics.errors


def test_our_own_files_are_formatted() -> None:
    for path in SPECS.rglob("*.idl"):
        text = path.read_text(encoding="utf-8")
        assert format_idl(text, path.name) == text, f"run: lakecodec fmt {path}"


def test_columns() -> None:
    text = """
record   R:big,  size( 8 ){
u8 n = count( v )where n<9 else "many";

  // of all
  bytes name [4]  if n!=0 ;  # last
  Inner(n,-1)   v[n];  list<i32> w[ .. ];
    u64 long_name at end-8   from source
  where long_name>0;
}
/** Two
  * lines. */
struct S{1:optional list< i32 >a=[1,2]
2: map<string , i64> b={"k":1}}
variant V(u8 k)on k{0:A;1,2:BOTH{u8 x;};else:OTHER{u8 rest[..];};}
"""
    assert (
        format_idl(text)
        == """record R : big, size(8) {
  u8 n = count(v)  where n < 9 else "many";

  // of all
  bytes name[4]   if n != 0;  # last
  Inner(n, -1) v[n]; list<i32> w[..];
  u64   long_name at end - 8 from source
      where long_name > 0;
}
/** Two
 * lines. */
struct S { 1: optional list<i32> a = [1, 2]
  2: map<string, i64> b = {"k": 1} }
variant V(u8 k) on k { 0: A; 1, 2: BOTH { u8 x; }; else: OTHER { u8 rest[..]; }; }
"""
    )


def test_errors_of_syntax_are_those_of_check() -> None:
    with pytest.raises(IdlError, match=r"x\.idl:1:12: found"):
        format_idl("record R { u8 ; }\n"[:11] + "; }", "x.idl")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, right = tmp_path / "wrong.idl", tmp_path / "right.idl"
    wrong.write_text("struct S {1:i32 a}\r\n", newline="")
    right.write_text("struct S { 1: i32 a }\n")
    assert run(["fmt", "--check", str(wrong), str(right)]) == 1
    assert capsys.readouterr().out == f"not formatted: {wrong}\n"
    assert run(["fmt", "--diff", str(wrong), str(right)]) == 0
    assert "+struct S { 1: i32 a }\n" in capsys.readouterr().out
    assert wrong.read_bytes() == b"struct S {1:i32 a}\r\n"
    assert run(["fmt", str(wrong), str(right)]) == 0
    assert wrong.read_bytes() == right.read_bytes()
    assert run(["fmt", "--check", str(wrong), str(right)]) == 0


def test_command_formats_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from io import StringIO

    monkeypatch.setattr("sys.stdin", StringIO("enum E{A=1}"))
    assert run(["fmt", "-"]) == 0
    assert capsys.readouterr().out == "enum E { A = 1 }\n"


def test_parentheses_around_folds() -> None:
    text = "record R { u8 xs[2]; i64 c = 1 & fold(e in xs, t = 0 : t + e) - 1; }"
    assert "= 1 & (fold(e in xs, t = 0 : t + e) - 1);" in format_idl(text)
