"""Branches that no sample has: named where a declaration rules them out, and none where all can be reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lakecodec import compile_idl
from lakecodec.cli.app import run
from lakecodec.workbench.sampling import unreached

_SHAPES = """
    union Either { 1: i32 number  2: string word }
    oneof Choice { 3: i32 a; 4: string b }
    message Asked { Choice choice 5: i32 c }
    struct Held { 1: optional Either either  2: required list<Either> all  3: optional map<string, Either> named }
    variant Shape(u8 kind) on kind { 1: POINT; 2: BOX { u8 width; u8 height if width > 9; }; else: OTHER { bytes raw[..]; }; }
    record Drawing { u8 kind KIND; u8 n; Shape(kind) shape; u8 late if n > 3; u8 even[i < 2] if i + n > 1; }
"""


def _of(where: str, name: str) -> list[str]:
    return unreached(getattr(compile_idl(_SHAPES.replace("KIND", where)), name), 200)


@pytest.mark.parametrize("name", ["Drawing", "Held", "Asked", "Either"])
def test_everything_is_reached_where_nothing_is_ruled_out(name: str) -> None:
    assert _of("= tag(shape)", name) == []


_SELECTED = """
    fn kind_of(u8 n) -> i64 = n < 200 ? n / 16 : n;
    variant Shape(u8 k) on kind_of(k) { 3: A; 7: B; 211: C; 212: D; else: E; }
    record ByFunction { u8 k; Shape(k) shape; }
    record ByBits { u8 key where key >> 3 > 0; Form(key & 7) form; }
    variant Form(u8 n) on n { 1: A { u8 x; }; 2: B; 4: C; 5: D; else: E; }
    struct Inner { 1: required string name  2: required i64 number }
    record ByOthers {
      Inner inner via compact; Part part; utf8 word until "\\0";
      u8 a if inner.name == "hello"; u8 b if inner.number == 77777; u8 c if part.n == 54321; u8 d if word == "quit";
    }
    record Part { u32 n; }
"""


@pytest.mark.parametrize("name", ["ByFunction", "Shape", "ByBits", "ByOthers"])
def test_what_functions_tags_and_other_declarations_compare_is_reached(name: str) -> None:
    assert unreached(getattr(compile_idl(_SELECTED), name)) == []


def test_what_the_rules_of_a_type_leave_out_is_named() -> None:
    assert _of("= tag(shape) where kind != 2", "Drawing") == [
        "Shape.BOX",
        "Shape.BOX.height",
        "Shape.BOX.height absent",
    ]
    narrow = compile_idl("record R { u8 n where n < 5; u8 x if n > 7; u8 y if n < 7; }")
    assert unreached(narrow.R) == ["R.x", "R.y absent"]


def test_few_samples_reach_less() -> None:
    drawing = compile_idl(_SHAPES.replace("KIND", "= tag(shape)")).Drawing
    assert set(unreached(drawing, 1)) > set(unreached(drawing, 20))
    assert "Shape.POINT" in unreached(drawing, 0)


def test_the_command_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "narrow.idl"
    path.write_text("record R { u8 n where n < 5; u8 x if n > 7; }\n")
    assert run(["sample", str(path), "--type", "R", "-n", "50", "--unreached"]) == 0
    assert capsys.readouterr().out == "R.x\n"
    assert run(["sample", str(path), "--type", "R", "-n", "50", "--unreached", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == ["R.x"]


def test_a_type_without_values_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no valid R was found .*R.a has rules that no tried value satisfies"):
        unreached(compile_idl("record R { u8 a where a > 300; }").R)
