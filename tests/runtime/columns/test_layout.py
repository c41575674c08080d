"""Layouts lowered from declared encodings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import make_dataclass, replace
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.generated import mosaic
from lakecodec.runtime.columns import Kind, ValueLayout, layout_of
from lakecodec.runtime.columns.results import result_of
from lakecodec.runtime.declaration import Case, Codec, Encoding, Field, Symbol, Use

from .shapes import INTEGER, number

UNIT = 1_000_000
SHORTEST = Codec("shortest", (), "bytes", "runtime.columns.integers:Shortest")
DIVIDED = Codec(
    "divided",
    ("unit",),
    "i64",
    fields=lambda unit: [
        Field("whole", "i64", derived=lambda value: value // unit),
        Field(
            "part",
            "i32",
            derived=lambda value: value % unit,
            conditions=[(lambda part: 0 <= part < unit, "the remainder is outside its range")],
        ),
    ],
    value=lambda unit: lambda whole, part: whole * unit + part,
)


def prefixed(type: str, via: Sequence[Use] = (), conditions: Sequence[Any] = ()) -> list[Field]:
    return [
        Field("size_of_v", "uvarint32", derived=len, conditions=conditions),
        Field("v", type, count=Symbol("size_of_v"), via=via),
    ]


def sixteen(size: int) -> bool:
    return 1 <= size <= 16


def case(names: str, fields: list[Field], bound: int = 0, condition: Callable[..., bool] | None = None) -> Case:
    return Case(tuple((name, bound) for name in names.split()), lambda *_: fields, condition=condition)


def small(precision: int) -> bool:
    return precision <= 18


def Value() -> Encoding:
    return Encoding(
        "Value",
        "TypeParams",
        ("big",),
        [
            case("BOOLEAN", [Field("v", "bool8")]),
            case("TINYINT", [Field("v", "i8")]),
            case("SMALLINT", [Field("v", "i16")]),
            case("INTEGER DATE ARRAY", [Field("v", "i32")]),
            case("DOUBLE", [Field("v", "f64")]),
            case("DECIMAL", [Field("v", "i64")], 1, small),
            case("DECIMAL", prefixed("bytes", [SHORTEST()], [(sixteen, "1 to 16 bytes")])),
            case("TIMESTAMP", [Field("v", "i64", via=[DIVIDED(UNIT)])]),
            case("STRING", prefixed("utf8")),
            case("BYTES", prefixed("bytes")),
        ],
    )


def type_of(kind: str, **arguments: Any) -> Any:
    """As generated variants are: a kind, and a slot a field."""
    made = make_dataclass(kind, list(arguments), slots=True, namespace={"kind": kind})
    return made(**arguments)


LAYOUTS = {
    "BOOLEAN": ValueLayout(Kind.BOOLEAN, 1),
    "TINYINT": number(1),
    "SMALLINT": number(2),
    "DATE": number(4),
    "DOUBLE": number(8),
    "TIMESTAMP": ValueLayout(Kind.PAIR, 12, True, UNIT, rule="the remainder is outside its range"),
    "STRING": ValueLayout(Kind.TEXT, 0),
    "BYTES": ValueLayout(Kind.BYTES, 0),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts(name: str) -> None:
    assert replace(layout_of(Value(), type_of(name)), number="") == LAYOUTS[name]
    assert replace(layout_of(Value, type_of(name)), number="") == LAYOUTS[name]


def test_layouts_of_a_generated_encoding() -> None:
    pair = LAYOUTS["TIMESTAMP"]
    types = mosaic.TypeParams
    for type, layout in (
        (types.BOOLEAN(), LAYOUTS["BOOLEAN"]),
        (types.INTEGER(), number(4)),
        (types.FLOAT(), number(4)),
        (types.DECIMAL(precision=18, scale=3), number(8)),
        (types.DECIMAL(precision=19, scale=3), INTEGER),
        (types.TIMESTAMP(precision=6), number(8)),
        (types.TIMESTAMP_LTZ(precision=9, zone="UTC"), pair),
        (types.CHAR(length=3), LAYOUTS["STRING"]),
        (types.VARBINARY(length=3), LAYOUTS["BYTES"]),
    ):
        assert replace(layout_of(mosaic.Value, type), rule="", number="") == replace(layout, rule="")


def test_a_condition_chooses_the_case() -> None:
    assert layout_of(Value, type_of("DECIMAL", precision=18, scale=2)) == replace(number(8), number="i")
    large = ValueLayout(Kind.INTEGER, 0, True, least=1, most=16, rule="1 to 16 bytes")
    assert layout_of(Value, type_of("DECIMAL", precision=19, scale=2)) == large


def test_layouts_of_a_function_are_made_once() -> None:
    assert layout_of(Value, type_of("STRING")) is layout_of(Value, type_of("STRING"))


def test_numbers_are_in_the_order_of_the_encoding() -> None:
    little = replace(Value(), attributes=("little",))
    assert layout_of(little, type_of("DATE")) == replace(number(4, big=False), number="i")


def test_a_type_without_a_case() -> None:
    with pytest.raises(TypeError, match=r"^Value has no case for VARIANT$"):
        layout_of(Value, type_of("VARIANT"))


@pytest.mark.parametrize(
    "fields",
    [
        [],
        [Field("v", "uvarint32")],
        [Field("v", "i32"), Field("w", "i32")],
        [Field("v", "i32", repeated=True, count=3)],
        [Field("v", "i32", derived=7)],
        [Field("v", "i32", conditions=[(bool, "it is not 0")])],
        [Field("v", "i32", via=[SHORTEST()])],
        [Field("v", "i32", via=[DIVIDED(UNIT)])],
        [Field("v", "i64", via=[Codec("divided", ("unit",), "i64", "elsewhere:Divided")(UNIT)])],
        prefixed("bytes", [SHORTEST()]),
        prefixed("bytes", conditions=[(sixteen, "1 to 16 bytes")]),
        prefixed("utf8", [SHORTEST()], [(sixteen, "1 to 16 bytes")]),
        [Field("size", "u32", derived=len), Field("v", "bytes", count="size")],
        [Field("size", "uvarint32"), Field("v", "bytes", count="size")],
    ],
)
def test_shapes_without_a_kernel_are_refused(fields: list[Field]) -> None:
    encoding = Encoding("Odd", "T", ("big",), [case("X", fields)])
    with pytest.raises(TypeError, match=r"^Odd: no kernel reads \{ .*; \} of X as a column$"):
        layout_of(encoding, type_of("X"))


def pair(**changes: Any) -> Codec:
    """A codec of a name that means nothing, which divides a number by 1000, with parts of it changed."""
    parts: dict[str, Any] = {
        "whole": lambda value: value // 1000,
        "part": lambda value: value % 1000,
        "holds": lambda part: 0 <= part < 1000,
        "value": lambda whole, part: whole * 1000 + part,
    }
    parts |= changes
    fields = [
        Field("whole", "i64", derived=parts["whole"]),
        Field("part", "i32", derived=parts["part"], conditions=[(parts["holds"], "it is too large")]),
    ]
    return Codec("anything", (), "i64", fields=lambda: fields, value=lambda: parts["value"])


def test_division_is_found_by_what_it_computes() -> None:
    encoding = Encoding("Value", "TypeParams", ("big",), [case("TIMESTAMP", [Field("v", "i64", via=[pair()()])])])
    layout = layout_of(encoding, type_of("TIMESTAMP"))
    assert (layout.kind, layout.unit, layout.rule) == (Kind.PAIR, 1000, "it is too large")


@pytest.mark.parametrize(
    "changes",
    [
        {"value": lambda whole, part: whole + part},
        {"value": lambda whole, part: whole * 1000 - part},
        {"whole": lambda value: int(value / 1000)},
        {"whole": lambda value: value // 100},
        {"part": lambda value: value % 100},
        {"holds": lambda part: 0 <= part <= 1000},
        {"holds": lambda part: 0 < part < 1000},
    ],
)
def test_a_codec_that_computes_something_else_has_no_kernel(changes: dict[str, Any]) -> None:
    fields = [Field("v", "i64", via=[pair(**changes)()])]
    encoding = Encoding("Value", "TypeParams", ("big",), [case("TIMESTAMP", fields)])
    with pytest.raises(TypeError, match="no kernel reads"):
        layout_of(encoding, type_of("TIMESTAMP"))


def test_an_external_codec_is_known_by_its_class() -> None:
    renamed = replace(SHORTEST, name="compact")
    other = replace(SHORTEST, target=f"{__name__}:UNIT")
    conditions = [(sixteen, "1 to 16 bytes")]
    found = Encoding("Value", "T", ("big",), [case("DECIMAL", prefixed("bytes", [renamed()], conditions))])
    assert layout_of(found, type_of("DECIMAL")).kind is Kind.INTEGER
    missed = Encoding("Value", "T", ("big",), [case("DECIMAL", prefixed("bytes", [other()], conditions))])
    with pytest.raises(TypeError, match="no kernel reads"):
        layout_of(missed, type_of("DECIMAL"))


def test_arrow_types_are_of_the_same_kind_of_number() -> None:
    encoding = Encoding("Value", "T", ("big",), [case("U", [Field("v", "u32")]), case("F", [Field("v", "f32")])])
    assert result_of(layout_of(encoding, type_of("U")), pa.uint32()).width == 4
    for name, kind in (("U", pa.float32()), ("U", pa.int32()), ("F", pa.int32())):
        with pytest.raises(TypeError, match="cannot hold"):
            result_of(layout_of(encoding, type_of(name)), kind)
