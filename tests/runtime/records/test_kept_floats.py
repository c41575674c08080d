"""Floats that are derived have the bytes that would be written; what a float cannot hold is refused."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError, compile_idl

from ...oracle.backends import BACKENDS, running

NAN = math.nan
#: NaNs of four and eight bytes with bits of their own.
OWN_NAN = struct.unpack("<d", struct.pack("<Q", 0xFFF8_1234_6000_0001))[0]


@pytest.fixture(params=BACKENDS, autouse=True)
def backend(request: pytest.FixtureRequest) -> Any:
    with running(request.param):
        yield request.param


def record(fields: str) -> Any:
    return compile_idl(f"record R {{ {fields} }} record F {{ f64 a; }}", name="kept").R


@pytest.mark.parametrize(
    ("fields", "code", "values"),
    [
        ("f64 a; f64 b = a;", "<2d", (0.0, -0.0)),
        ("f64 a; f64 b = a;", "<2d", (-0.0, 0.0)),
        ("f64 c = 0;", "<d", (-0.0,)),
        ("f64 c = 0.0;", "<d", (-0.0,)),
        ("f32 c = 0;", "<f", (-0.0,)),
        ("f16be c = 0;", ">e", (-0.0,)),
        ("u8 n; f64 c if n > 0 = 0;", "<Bd", (1, -0.0)),
        ("f64 xs[2]; f64 b[i < 2] = xs[i];", "<4d", (1.0, 0.0, 1.0, -0.0)),
        ("f64 a; f64 b = a;", "<2d", (NAN, OWN_NAN)),
        ("f64 a; f64 b = a;", "<2d", (NAN, 0.0)),
    ],
)
def test_other_bytes_than_those_that_are_derived_are_refused(fields: str, code: str, values: tuple[float, ...]) -> None:
    with pytest.raises(DecodeError, match=r"(b|b\[1\]|c) must be|: (b|c)"):
        record(fields).from_bytes(struct.pack(code, *values)).to_bytes()


@pytest.mark.parametrize("value", [NAN, -NAN, OWN_NAN, -0.0, math.inf])
@pytest.mark.parametrize(
    "fields",
    [
        "f64 b = min(xs); f64 xs[2];", "f32 b = xs[0]; f64 xs[2];", "f16be b = max(xs); f64 xs[2];",
        "f64 xs[2]; f64 b = xs[0] * 0.0;", "f64 xs[2]; f64 b[i < 2] = xs[i];", "f64 xs[2]; f32 b[i < 2] = xs[i];",
        "f64 xs[2]; F b with a = xs[0];",
    ],
)  # fmt: skip
def test_what_is_derived_from_any_float_is_read_back(fields: str, value: float) -> None:
    cls = record(fields)
    data = cls(xs=[value, value], **({"b": cls.from_bytes(bytes(24)).b} if "F b" in fields else {})).to_bytes()
    assert cls.from_bytes(data).to_bytes() == data


BEYOND = [
    ("f64", 2**53 + 1, 2**53), ("f64", -(2**53) - 1, -(2**53)), ("f64be", 2**63 + 1, 2**63), ("f32", 2**24 + 1, 2**24),
    ("f32be", -(2**24) - 1, -(2**24)), ("f16", 2049, 2048), ("f16be", -2049, -2048), ("f64", 10**30, int(1e30)),
]  # fmt: skip


@pytest.mark.parametrize(("type", "given", "nearest"), BEYOND)
@pytest.mark.parametrize(
    "fields", ["{} a;", "{} a; u8 b;", "{} a at 0;", "u8 b; {} a if b > 0;", "{} a[2];", "u8 b; {} a[b];"]
)
def test_integers_that_a_float_does_not_hold_are_refused(type: str, given: int, nearest: int, fields: str) -> None:
    cls = record(fields.format(type))
    several = "[" in fields

    def made(value: Any) -> Any:
        return cls(a=[1.5, value] if several else value, **({"b": 2} if "u8" in fields else {}))

    path = r"a\[1\]" if several else "a"
    with pytest.raises(EncodeError, match=rf"{path}: .*{given} would be rounded .*: the nearest is {nearest}$"):
        made(given).to_bytes()
    assert made(nearest).to_bytes() == made(float(nearest)).to_bytes()


def test_derived_integers_that_a_float_does_not_hold_are_refused() -> None:
    cls = record("u64 k; f64 x = k;")
    with pytest.raises(EncodeError, match=r"x: .* the nearest is 9007199254740992"):
        cls(k=2**53 + 1).to_bytes()
    data = cls(k=2**53).to_bytes()
    assert cls.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("given", [{3: 1, 4: 2}, {3, 4}, frozenset((3, 4)), {3: 1, 4: 2}.keys()])
@pytest.mark.parametrize(
    "fields",
    [
        "u8 n = count(a); u8 a[n];", "u16 a[2];", "F a[2];", "u8 a[until end];", "uvarint32 a[2];", "bits<3> a[2];",
        "u8 n = count(a); utf8 a[i < n][n];",
    ],
)  # fmt: skip
def test_what_has_no_order_is_no_list(given: Any, fields: str) -> None:
    with pytest.raises(EncodeError, match=f"a: .*a list is needed, not {type(given).__name__}"):
        record(fields)(a=given).to_bytes()
