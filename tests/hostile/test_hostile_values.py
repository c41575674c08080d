"""Values that lie are refused, or written as what they hold, by both backends; a crash of the process is a failed test."""

from __future__ import annotations

import json
import os
import random

import pytest

from .processes import run


def fuzz(seed: int, count: int) -> None:
    run("-c", f"import sys; from tests.hostile.fuzz_writes import main; sys.exit(main({seed}, {count}))")


def test_hostile_values() -> None:
    fuzz(7, 300)


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
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


def try_arguments(seed: int, count: int) -> None:
    """Tries calls on both backends, which must come to the same."""
    run("-c", f"import sys; from tests.hostile.arguments import main; sys.exit(main({seed}, {count}))")
    code = f"from tests.hostile.arguments import told; told({seed}, {count})"
    native, pure = (json.loads(run("-c", code, LAKECODEC_PURE=pure)) for pure in ("0", "1"))
    assert native.keys() == pure.keys()
    different = {call: (found, pure[call]) for call, found in native.items() if found != pure[call]}
    assert not different, different


def test_hostile_arguments() -> None:
    try_arguments(3, 250)


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
def test_many_hostile_arguments() -> None:
    seed = random.randrange(10**9)
    print("seed", seed)
    try_arguments(seed, 20_000)


def test_every_public_call_is_tried_or_takes_no_values() -> None:
    code = """
from tests.hostile.public_calls import WITHOUT_VALUES, public_calls, tried
placed = tried() | {name for names in WITHOUT_VALUES.values() for name in names}
found = set(public_calls())
assert found == placed, (sorted(found - placed), sorted(placed - found))
"""
    run("-c", code)


def name_arguments(seed: int, count: int) -> None:
    run("-c", f"import sys; from tests.hostile.named_arguments import main; sys.exit(main({seed}, {count}))")


def test_errors_of_wrong_arguments_name_them() -> None:
    name_arguments(2, 300)


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
def test_errors_of_all_wrong_arguments_name_them() -> None:
    name_arguments(2, 1_000_000)


def test_wrong_arguments_of_compiled_functions() -> None:
    run("-c", "import sys; from tests.hostile.native_calls import main; sys.exit(main(5, 40))")


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
def test_many_wrong_arguments_of_compiled_functions() -> None:
    seed = random.randrange(10**9)
    run("-c", f"import sys; from tests.hostile.native_calls import main; sys.exit(main({seed}, 3000))")


def test_lives_of_footers() -> None:
    run("-c", "from tests.hostile.footer_lives import main; main(1, 3)")


@pytest.mark.fuzz
@pytest.mark.timeout(4000)
def test_long_lives_of_footers() -> None:
    """LAKECODEC_LIVES_SECONDS: how long."""
    seed, seconds = random.randrange(10**9), float(os.environ.get("LAKECODEC_LIVES_SECONDS", "600"))
    run("-c", f"from tests.hostile.footer_lives import main; main({seed}, {seconds})")
