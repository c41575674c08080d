"""Expressions that have no value for some bytes: whatever they decide, reading and writing refuse with path and offset."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl
from lakecodec.runtime.records.source import Bytes
from lakecodec.workbench import explore

from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

RECORDS = "record A { u8 x; } record P(i64 k) { u8 x; } variant V(i64 k) on k { 0: NONE; 1: ONE { u8 x; }; }"
RECORDS += 'codec zlib -> bytes = extern "runtime.codecs:Zlib"; codec same(u8 z) -> bytes = z == 9 ? zlib : identity;'
CLAUSES = (
    "u8 d[{}];", "bytes d[{}];", "u8 d if {} > 0;", "u8 d where d != {};", "P({}) d;", "V({}) d;", "let d = {}; u8 q[d];",
    "u8 d = {};", "A d within {};", "u8 d[] until {} > 0;", "A d at {};", "A d at 1 if {} > 0;", "A d[i < {}] at i;",
    "A d[i < 2] at i + {};", "A d[i < 2] at i if {} > i;", "bytes d[{}] at 1;", "u16 d at {};", "u16 d at 1 if {} > 0;",
    "A d at 1 align {};", "u8 d at 1 where d != {};", "P({}) d at 1;", "u8 d[{}] at 1;", "A d at {} from source;",
    "A d[i < 2] at i if {} > i from source;", "P({}) d size 1;", "P({}) d size 9 via same(z);", "P({}) d[2] size 9 via same(z);",
    "V({}) d size 9 via same(z);", "u8 d[{}] size 9 via same(z);", "A d[{}] size 9 via same(z);",
    "P({}) d at 1 size 1 via same(z);",
    "utf8 d size {} via same(z);", "bytes d[2] size {} via same(z);",
)  # fmt: skip
#: Expressions without a value where `z` is 0: `a` and `o` are None then.
LOST = ("a", "o.x", "8 / z", "8 % z", "xs[9]", "1 << (z - 1)", "1.5 / z")
DATA = (bytes(40), bytes(6), b"\1" * 40)


def module(clause: str, expression: str, option: str) -> Any:
    fields = "u8 z; u8 a if z > 0; A o if z > 0; u8 xs[1]; f32 f;"
    return compile_idl(f"{RECORDS} record R {option} {{ {fields} {clause.format(expression)} }}")


def sound(expression: str) -> list[Any]:
    """The modules of all clauses that can have the expression."""
    found = []
    for clause in CLAUSES:
        for option in ("", ": gaps"):
            try:
                found.append(module(clause, expression, option))
            except ValueError:
                continue
    return found


def outcome(make: Callable[[], Any]) -> Any:
    """The error of a call, or None; fails with any other exception than those that it documents."""
    try:
        make()
    except (DecodeError, EncodeError) as error:
        return error
    return None


@pytest.mark.parametrize("expression", LOST)
def test_bytes_are_refused_or_read(expression: str) -> None:
    modules, refused = sound(expression), 0
    for m, data in product(modules, DATA):
        explore(data, m.R).errors()
        # Calls are made often enough to be specialised, in which Python does not look for errors that were left.
        found = [outcome(lambda m=m, data=data: m.R.from_bytes(data).to_bytes()) for _ in range(20)][-1]
        if isinstance(found, DecodeError):
            refused += 1
            assert found.path or "left over" in found.rule
            assert found.offset is not None
    assert len(modules) > 10
    assert refused > len(modules)


@pytest.mark.parametrize("expression", LOST)
def test_values_are_refused_or_written(expression: str) -> None:
    for m, z in product(sound(expression), (0, None, "x", 2**70, 1.5)):
        for d in ({}, {"d": 1}, {"d": b"abc"}, {"d": m.A(x=1)}, {"d": [m.A(x=1), m.A(x=2)]}):
            given = {name: value for name, value in d.items() if name in m.R._given}
            found = outcome(m.R(z=z, xs=[1], f=1.5, **given).to_bytes)
            assert not isinstance(found, DecodeError)
            assert not found or found.path or "cannot evaluate" not in found.rule


@pytest.mark.parametrize("expression", LOST)
def test_edits_before_placed_fields_are_read(expression: str) -> None:
    modules = [m for m in sound(expression) if hasattr(m.R, "open")]
    for m, data, z in product(modules, DATA, (0, None, "x", 2**70)):
        if outcome(lambda m=m, data=data: m.R.open(Bytes(data))) is None:
            opened = m.R.open(Bytes(data))
            opened.z = z
            outcome(opened.to_bytes)


@pytest.mark.parametrize("fields", ["u8 z; P(8 / z) d;", "u8 z; P(8 / (z - i)) d[i < 2];", "u8 z; Q(z) d;"])
def test_arguments_of_records_of_known_size(fields: str) -> None:
    m = compile_idl(
        f"record P(i64 k) {{ u8 x; }} record Q(i64 k) {{ P(8 / k) p; }} record R {{ u8 n; {fields} utf8 t[1]; }}"
    )
    for size in range(3, 6):
        error = outcome(lambda size=size: m.R.from_bytes(bytes(size)))
        assert "cannot evaluate this field's expression" in error.rule
        assert error.path.startswith("d")


def test_conditions_of_elements() -> None:
    m = compile_idl("record R { u8 n; u8 blocks[2] if n > 9; A d[i < 2] at 1 if blocks[i] != 0; } record A { u8 x; }")
    with pytest.raises(DecodeError, match=r"R: d\[0\]: .* is None; set that one.* \(at byte 0\)"):
        m.R.from_bytes(b"\3")


def test_an_empty_list_needs_no_list_of_offsets() -> None:
    text = "record R { u8 n; u8 at_[2] if n > 9; A d[i < (n > 9 ? 2 : 0)] at at_[i]; } record A { u8 x; }"
    assert compile_idl(text).R.from_bytes(b"\3").to_bytes() == b"\3"
