# ruff: noqa: E501
"""Layouts of encoded values: the kernel that each shape of an encoding gets, and the shapes that get none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import IdlError, compile_idl
from lakecodec.generated import mosaic
from lakecodec.runtime.columns import Kind, ValueLayout, layout_of
from lakecodec.runtime.columns.results import result_of

from .shapes import number

PAIR = 'codec divided(i64 unit) -> i64 { i64 q = value / unit; i32 r = value % unit where 0 <= r < unit else "rest"; } value = q * unit + r;'
SHORTEST = 'codec shortest -> bytes = extern "runtime.columns.integers:Shortest";'


def encoding(shape: str, codecs: str = "", attributes: str = "big") -> Any:
    """Returns the module of an encoding of one shape, whose values a record holds."""
    return compile_idl(
        f"{codecs} variant T(u8 id) on id {{ 1: X {{ u8 p; }}; }} encoding V over T : {attributes} {{ case X(p) {{ {shape} }} }}"
        " record R { u8 id = tag(t); T(id) t; u8 n = count(v); V(t) v[n]; }"
    )


def layout(shape: str, codecs: str = "", attributes: str = "big") -> ValueLayout:
    module = encoding(shape, codecs, attributes)
    return layout_of(module.V, module.T.X(p=1))


NUMBER = {name: replace(number(width), number=name[0]) for name, width in (("i8", 1), ("i16", 2), ("i32", 4), ("i64", 8), ("f32", 4), ("f64", 8))}  # fmt: skip
DECIMAL = ValueLayout(Kind.INTEGER, 0, True, least=1, most=16, rule="1 <= size_of_v <= 16 does not hold")
TIMESTAMP = ValueLayout(Kind.PAIR, 12, True, 1_000_000, rule="the remainder is outside its range")


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ("BOOLEAN", ValueLayout(Kind.BOOLEAN, 1)),
        ("TINYINT", NUMBER["i8"]),
        ("SMALLINT", NUMBER["i16"]),
        ("INTEGER DATE TIME ARRAY MAP", NUMBER["i32"]),
        ("BIGINT", NUMBER["i64"]),
        ("FLOAT", NUMBER["f32"]),
        ("DOUBLE", NUMBER["f64"]),
        ("CHAR VARCHAR STRING", ValueLayout(Kind.TEXT, 0)),
        ("BINARY VARBINARY BYTES", ValueLayout(Kind.BYTES, 0)),
    ],
)
def test_kernels_of_mosaic(kinds: str, expected: ValueLayout) -> None:
    for kind in kinds.split():
        made = getattr(mosaic.TypeParams, kind)
        type_ = object.__new__(made)
        assert layout_of(mosaic.Value, type_) == layout_of(mosaic.Value(), type_) == expected


def test_kernels_of_mosaic_by_precision() -> None:
    types = mosaic.TypeParams
    for type_, expected in (
        (types.DECIMAL(precision=18, scale=3), NUMBER["i64"]),
        (types.DECIMAL(precision=19, scale=3), DECIMAL),
        (types.TIMESTAMP(precision=6), NUMBER["i64"]),
        (types.TIMESTAMP(precision=7), TIMESTAMP),
        (types.TIMESTAMP_LTZ(precision=6, zone="UTC"), NUMBER["i64"]),
        (types.TIMESTAMP_LTZ(precision=9, zone="UTC"), TIMESTAMP),
    ):
        assert layout_of(mosaic.Value, type_) == expected


def test_every_type_of_mosaic_has_a_kernel() -> None:
    assert all(case.values is not None for case in mosaic.Value().cases)


def test_layouts_of_a_function_are_made_once() -> None:
    assert layout_of(mosaic.Value, mosaic.TypeParams.STRING()) is layout_of(mosaic.Value, mosaic.TypeParams.STRING())


@pytest.mark.parametrize(
    ("shape", "codecs", "expected"),
    [
        ("u32 v;", "", ValueLayout(Kind.NUMBER, 4, True, number="u")),
        ("uvarint32 n = count(v); utf8 v[n];", "", ValueLayout(Kind.TEXT, 0)),
        ("i64 v via divided(7);", PAIR, ValueLayout(Kind.PAIR, 12, True, 7, rule="rest")),
        ("i64 v via divided(K);", f"const i32 K = 1000 {PAIR}", ValueLayout(Kind.PAIR, 12, True, 1000, rule="rest")),
        ("i64 v via d;", "codec d -> i64 { i64 part = value / 9; i32 rest_of = value % 9 where 0 <= rest_of < 9; } value = rest_of + 9 * part;",
         ValueLayout(Kind.PAIR, 12, True, 9, rule="0 <= rest_of < 9 does not hold")),
        ("uvarint32 size_of_v = count(v) where 1 <= size_of_v <= 16; bytes v[size_of_v] via shortest;", SHORTEST, DECIMAL),
    ],
)  # fmt: skip
def test_kernels_by_structure(shape: str, codecs: str, expected: ValueLayout) -> None:
    assert layout(shape, codecs) == expected


def test_numbers_are_in_the_order_of_the_encoding() -> None:
    assert layout("i32 v;", attributes="little") == replace(NUMBER["i32"], big=False)


@pytest.mark.parametrize(
    "shape",
    [
        "uvarint32 v;",
        "i48 v;",
        "i32 v where v > 0;",
        "i32 v = 7;",
        "i32 v[3];",
        "i32 v[..];",
        "i32 v; i32 w;",
        "i32 v; } null { i32 w;",
        "u32 n = count(v); bytes v[n];",
        "uvarint32 n; bytes v[n];",
        "uvarint32 n = count(v) % 100; bytes v[n];",
        "uvarint32 n = count(v) + 0; bytes v[n];",
        "uvarint32 n = count(v) where n < 100; bytes v[n];",
        "uvarint32 n = count(v); bytes v[n] where count(v) < 100;",
        "uvarint32 n = count(v); bytes v[n + 0];",
        "uvarint32 n = count(v); bytes v[i < n];",
        "uvarint32 n = count(v); bytes v[n][n];",
        "uvarint32 n = count(v); u8 v[n];",
        "uvarint32 n = count(v); bytes v[n] via shortest;",
        "uvarint32 n = count(v) where 1 <= n <= 15; bytes v[n] via shortest;",
        "uvarint32 n = count(v) where 0 <= n <= 16; bytes v[n] via shortest;",
        "uvarint32 n = count(v) where 1 <= n <= 16 where n != 3; bytes v[n] via shortest;",
        "uvarint32 n = count(v) where 1 <= n <= 16; utf8 v[n] via shortest;",
        "uvarint32 n = count(v) where 1 <= n <= 16; bytes v[n] via other;",
        "i32 v via divided(7);",
        "i64 v via divided(p);",
        "i64 v via divided(0);",
        "i64 v via divided(1 << 31);",
        "i64 v via divided(7) via divided(7);",
    ],
)  # fmt: skip
def test_shapes_without_a_kernel_are_refused(shape: str) -> None:
    other = 'codec other -> bytes = extern "runtime.declaration:_Identity";'
    with pytest.raises(IdlError, match=r"no kernel reads these values of 'V', which 'v' holds|'n' means nothing"):
        encoding(shape, PAIR + SHORTEST + other)


@pytest.mark.parametrize(
    "changed",
    [
        ("value / unit", "(value > 9000000000000000 ? value + 1 : value) / unit"),
        ("value / unit", "value / unit + 0 * value"),
        ("value / unit", "value / 100"),
        ("value % unit", "value % 100"),
        ("value % unit", "value % unit + 0"),
        ("where 0 <= r < unit", "where 0 <= r <= unit"),
        ("where 0 <= r < unit", "where 0 < r < unit"),
        ("where 0 <= r < unit", "where 0 <= r < unit where r != 3"),
        ("where 0 <= r < unit else \"rest\"", ""),
        ("i64 q", "i32 q"),
        ("i64 q = value / unit", "i64 q = value / unit where q >= 0"),
        ("q * unit + r", "q * unit - r"),
        ("q * unit + r", "q * unit + r + 0 * q"),
        ("q * unit + r", "q + r"),
    ],
)  # fmt: skip
def test_a_codec_of_another_structure_has_no_kernel(changed: tuple[str, str]) -> None:
    assert changed[0] in PAIR
    with pytest.raises(IdlError, match="no kernel reads these values"):
        encoding("i64 v via divided(7);", PAIR.replace(*changed))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("encoding V over arrow { case int8 { i8 v; } } record R(T t) { V(t) v[2]; }", "over arrow: a record holds"),
        ("encoding V over T { case X { i8 v; } } record R(T t) { V(3) v[2]; }", "'V' takes 'T' here, not an integer"),
        ("encoding V over T : big(1 == 1) { case X { i8 v; } }", "byte order of an encoding takes no condition"),
        ("encoding V over T { case X(p) | Y if p > 1 { i8 v; } }", "'Y' does not bind 'p'"),
        (f"{PAIR} codec c(bool b) -> i64 = b ? divided(3) : divided(4);", "'divided' has fields"),
        (f"{PAIR} codec c -> i64 = divided(3);", "'divided' has fields"),
    ],
)
def test_encodings_and_codecs_without_meaning_are_refused(text: str, words: str) -> None:
    with pytest.raises(IdlError, match=words):
        compile_idl("variant T(u8 id) on id { 1: X { u8 p; }; 2: Y; } " + text)


def test_a_type_without_a_case() -> None:
    module = compile_idl("variant T(u8 id) on id { 1: X; 2: Y; } encoding V over T { case X { i8 v; } }")
    with pytest.raises(TypeError, match=r"^V has no case for Y$"):
        layout_of(module.V, module.T.Y())


def test_arrow_types_are_of_the_same_kind_of_number() -> None:
    assert result_of(layout("u32 v;"), pa.uint32()).width == 4
    for shape, kind in (("u32 v;", pa.float32()), ("u32 v;", pa.int32()), ("f32 v;", pa.int32())):
        with pytest.raises(TypeError, match="cannot hold"):
            result_of(layout(shape), kind)
