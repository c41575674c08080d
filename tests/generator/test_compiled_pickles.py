"""Modules compiled at run time, their classes and objects travel to other processes: the IDL's text goes along."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl

from ..paths import ROOT

IDL = """
enum Color { RED = 1; BLUE = 2; }
struct Empty {}
struct Point { 1: required i32 x; 2: Color color; 3: list<Point> more; }
union Choice { 1: Empty EMPTY; 2: Point POINT; }
"""


def elsewhere(data: bytes, expression: str) -> str:
    """What another process makes of a pickle."""
    program = f"import pickle, sys; found = pickle.load(sys.stdin.buffer); print({expression})"
    done = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def test_objects_in_another_process() -> None:
    module: Any = compile_idl(IDL, name="shapes")
    point = module.Point(x=1, color=module.Color.BLUE, more=[module.Point(x=2)])
    values = [point, module.Choice.POINT(point), module.Choice.EMPTY(), module.Color.RED, module.Point, module]
    shown = "repr(found[:4]), found[4].__name__, found[5].__name__.rpartition('.')[2], type(found[0]) is found[4], "
    shown += "found[0].to_bytes().hex(), found[3] is found[5].Color.RED, found[2] is found[5].Choice.EMPTY()"
    text = elsewhere(pickle.dumps(values), shown)
    assert repr(values[:4]) in text
    assert text.endswith(f"Point shapes True {point.to_bytes().hex()} True True")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_in_one_process_the_classes_stay(protocol: int) -> None:
    module: Any = compile_idl(IDL, name="shapes")
    point = module.Point(x=1, color=module.Color.BLUE)
    found = pickle.loads(pickle.dumps([point, module.Color.RED, module.Point, module], protocol))
    assert found == [point, module.Color.RED, module.Point, module]
    assert type(found[0]) is found[2] is module.Point
    assert found[1] is module.Color.RED is copy.deepcopy(module.Color.RED)
    assert copy.deepcopy(module.Point) is module.Point


def test_equal_texts_are_the_same_where_none_is_known() -> None:
    first: Any = compile_idl(IDL, name="shapes")
    data, name = pickle.dumps([first.Point(x=1), first.Point(x=2)]), first.__name__
    del first
    gc.collect()
    assert name not in sys.modules
    again, other = pickle.loads(data)
    assert type(again) is type(other)
    assert type(again).__module__ != name
    assert type(pickle.loads(data)[0]) is type(again)


def test_included_files_travel(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "base.idl").write_text("struct Point { 1: required i32 x; } enum Color { RED = 1 }")
    (tmp_path / "top.idl").write_text(
        'include "base.idl"\nstruct Line { 1: required base.Point start; 2: base.Color color; }'
    )
    module: Any = compile_idl(tmp_path / "top.idl", include_paths=[tmp_path / "parts"])
    base: Any = sys.modules[module.__name__.replace(".top", ".base")]
    line = module.Line(start=base.Point(x=7), color=base.Color.RED)
    data = pickle.dumps([line, line.start])
    for path in (tmp_path / "parts" / "base.idl", tmp_path / "top.idl"):
        path.unlink()
    assert elsewhere(data, "found[0], found[1] is found[0].start").endswith(f"{line!r} True")
    assert pickle.loads(data)[0] == line


def test_records_travel() -> None:
    module: Any = compile_idl(
        "record Pair : little { u8 left; u8 right; } record Pairs : little { u8 count = count(pairs); Pair pairs[count]; }"
    )
    value = module.Pairs(pairs=[module.Pair(left=1, right=2)])
    data = pickle.dumps(value)
    assert pickle.loads(data) == value
    assert elsewhere(data, "found, found.to_bytes().hex()") == f"{value!r} 010102"


def test_subclasses_pickle_by_their_name() -> None:
    module: Any = compile_idl("struct Point { 1: required i32 x; }")

    class Local(module.Point):  # type: ignore[misc]
        pass

    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(Local(x=1))
