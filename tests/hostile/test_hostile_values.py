"""Values that lie are refused, or written as what they hold, by both backends; a crash of the process is a failed test."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> None:
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def fuzz(seed: int, count: int) -> None:
    script = "import sys; sys.path.insert(0, '.'); from tests.hostile.fuzz_writes import main"
    run("-c", f"{script}; sys.exit(main({seed}, {count}))")


def test_hostile_values() -> None:
    fuzz(7, 600)


@pytest.mark.fuzz
def test_many_hostile_values() -> None:
    seed = random.randrange(10**9)
    print("seed", seed)
    fuzz(seed, 100_000)


def test_maps_whose_items_are_no_pairs() -> None:
    code = """
from lakecodec import compile_idl, EncodeError
m = compile_idl("struct Top { 1: map<string, i64> m; } message Note { 1: map<string, int64> m; }")
class D(dict):
    items = lambda self: [2**40]
for cls in (m.Top, m.Note):
    try:
        cls(m=D(a=1)).to_bytes()
    except EncodeError as error:
        assert error.path == "m", error.path
    else:
        raise AssertionError(cls)
"""
    run("-c", code)


def test_a_released_view_of_positions() -> None:
    code = """
from lakecodec.runtime.native import load
record = load("runtime.native._record")
view = memoryview(bytearray(8)).cast("q")
view.release()
for call in (lambda: record.texts_at(b"abc", bytes(8), view, False), lambda: record.attributes([], ("a",), view)):
    try:
        if record is not None:
            call()
            raise AssertionError
    except ValueError as error:
        assert "released" in str(error)
"""
    run("-c", code)


def test_classes_that_type_makes_of_records() -> None:
    code = """
import copy
from lakecodec import compile_idl
m = compile_idl("record Rec { u8 n; } struct Item { 1: optional i32 n; } message Note { 1: int32 n; }")
for base in (m.Rec, m.Item, m.Note):
    made = type("Sub", (base,), {})(n=3)
    assert made.to_bytes() == base(n=3).to_bytes()
    assert type(made).from_bytes(made.to_bytes()) == made == copy.copy(made)
"""
    run("-c", code)
