"""Parts of variants as columns, on both backends, beside values of Python one by one; hostile bytes."""

from __future__ import annotations

import contextlib
import random
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pytest

from lakecodec import DecodeError, EncodeError, variant
from lakecodec.runtime.native import load
from lakecodec.variant import Variant, arrow, columns, pure_locate

VALUES: list[Any] = [
    1, -129, 70000, 2**40, Decimal("5.00"), Decimal("5.5"), 2**70, 1.5, 2.0, -3e18, 2.0**63, float("inf"), np.float32(0.25),
    "text", "x" * 100, b"bytes",
    b"", "", date(2020, 1, 2), datetime(2020, 1, 2, tzinfo=UTC), datetime(2020, 1, 2, 3), time(1, 2, 3),
    np.datetime64("2020-01-02T00:00:00.000000001"), np.datetime64("2020-01-02T00:00:00.000001000", "ns"),
    UUID(int=7), True, False, None, [1, {"b": 2}], {"b": "in"}, {},
]  # fmt: skip
TYPES: dict[Any, Any] = {
    pa.int64(): lambda v: int(v) if _is_whole(v) and abs(v) < 2**63 else None,
    pa.int8(): lambda v: int(v) if _is_whole(v) and -128 <= v < 128 else None,
    pa.float64(): lambda v: float(v) if _is_number(v) or isinstance(v, float | np.floating) else None,
    pa.decimal128(12, 1): lambda v: Decimal(v).quantize(Decimal("0.1")) if _is_number(v) and abs(v) < 10**11 else None,
    pa.bool_(): lambda v: v if isinstance(v, bool) else None,
    pa.string(): lambda v: v if isinstance(v, str) else None,
    pa.string_view(): lambda v: v if isinstance(v, str) else None,
    pa.binary(): lambda v: v if isinstance(v, bytes) else None,
    pa.date32(): lambda v: v if isinstance(v, date) and not isinstance(v, datetime) else None,
    pa.time64("us"): lambda v: v if isinstance(v, time) else None,
    pa.timestamp("us", "UTC"): lambda v: v if isinstance(v, datetime) and v.tzinfo else None,
    pa.timestamp("us"): lambda v: (
        v if isinstance(v, datetime) and not v.tzinfo else v.item() // 1000 and datetime(2020, 1, 2, 0, 0, 0, 1)
        if isinstance(v, np.datetime64) and v.item() % 1000 == 0 else None
    ),
    pa.uuid(): lambda v: v if isinstance(v, UUID) else None,
}  # fmt: skip
BACKENDS = [pytest.param(False, id="native"), pytest.param(True, id="pure")]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return (
        (_is_number(value) or isinstance(value, float | np.floating)) and np.isfinite(float(value)) and value % 1 == 0
    )


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(columns, "_locate", pure_locate.locate)


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("type", TYPES, ids=str)
def test_values_of_all_kinds(type: pa.DataType) -> None:
    rows = [None, *({"k": [0, {"a b": value}], "other": n} for n, value in enumerate(VALUES)), {"k": 1}, [2]]
    column = variant.array(rows)
    path = '$.k[1]["a b"]'
    table = variant.to_columns(column, {path: type, "$.other": pa.int32()})
    expected = [TYPES[type](value) for value in VALUES]
    assert table[path].to_pylist() == [None, *expected, None, None]
    assert table["$.other"].to_pylist() == [None, *range(len(VALUES)), None, None]
    sliced = variant.to_columns(pa.chunked_array([column[3:9], column[9:20]]), {path: type})
    assert sliced[path].to_pylist() == [None, *expected, None, None][3:20]


@pytest.mark.usefixtures("backend")
def test_parts_are_variants() -> None:
    column = variant.array([{"a": {"b": [1, {"c": None}]}}, {"a": 5}, {}])
    table = variant.to_columns(column, {"$.a": variant.STORAGE, "$": variant.STORAGE})
    assert [row and Variant(**row).to_python() for row in table["$.a"].to_pylist()] == [
        {"b": [1, {"c": None}]},
        5,
        None,
    ]
    assert table["$"].to_pylist() == column.to_pylist()


def test_get_and_types() -> None:
    value = variant.from_json('{"a": [{"b": 1.5, "b c": null}], "d": "x"}')
    assert value.get("$.a[0].b") is not None
    assert value.get("$.a[0].b").to_python() == Decimal("1.5")
    assert value.get('$.a[0]["b c"]').type == "null"  # type: ignore[union-attr]
    assert value.get("$['d']").to_json() == '"x"'  # type: ignore[union-attr]
    assert value.get("$.a[1]") is value.get("$.a.b") is value.get("$.d.e") is value.get("$[0]") is None
    assert (value.type, value.get("$.a").type, value.get("$.a[0].b").type) == ("object", "array", "decimal4")  # type: ignore[union-attr]
    for path in ("a", "", "$.", "$a", "$[x]", "$[-1]", "$.a[", "$['a", '$["\\q"]'):
        with pytest.raises(ValueError, match="path: "):
            value.get(path)


def test_wrong_arguments() -> None:
    column = variant.array([1])
    with pytest.raises(TypeError, match="paths: "):
        variant.to_columns(column, {"$": pa.list_(pa.int64())})
    with pytest.raises(TypeError, match="array: "):
        variant.to_columns(pa.array([1]), {"$": pa.int64()})
    with pytest.raises(TypeError, match=r"schema\.a: "):
        variant.shred(column, pa.struct({"a": pa.uint8()}))
    with pytest.raises(TypeError, match="value: "):
        Variant(b"", 1)  # type: ignore[arg-type]
    for value in (object(), {1: 2}, Decimal("NaN"), Decimal(10) ** 38, "\ud800", time(1, tzinfo=UTC)):
        with pytest.raises(EncodeError):
            variant.from_python(value)
    for text in ('{"a":1,"a":2}', "NaN", "{", "[" * 100_000, b"\xff", "1e400", "[-1e400]", "1" * 400):
        with pytest.raises(DecodeError):
            variant.from_json(text)


def test_shredding_keeps_values() -> None:
    schema = pa.struct(
        {
            "n": pa.int64(),
            "s": pa.string(),
            "l": pa.list_(pa.struct({"x": pa.float64()})),
            "o": pa.struct({"d": pa.date32()}),
        }
    )
    rows = [
        {"n": 1, "s": "a", "l": [{"x": 1.5, "y": 2}, {"x": 1}, 3, None], "o": {"d": date(2020, 1, 1), "e": 1}},
        {"n": "1", "s": None, "l": {"x": 1}, "o": [1], "rest": {"deep": [1, 2]}},
        {}, [], 5, None, {"n": Decimal("3.0")}, {"n": Decimal("3.5"), "l": []},
    ]  # fmt: skip
    column = variant.array(rows)
    shredded = variant.shred(column, schema)
    typed = shredded.field("typed_value")
    assert typed.field("n").field("typed_value").to_pylist()[0] == 1
    assert typed.field("n").field("typed_value").to_pylist()[6] == 3
    assert shredded.field("value").to_pylist()[0] is None
    assert typed.field("l").field("value").to_pylist()[0] is None
    again = variant.unshred(shredded)
    assert [row and Variant(**row).to_python() for row in again.to_pylist()] == rows
    assert variant.to_columns(shredded, {"$.o.d": pa.date32()}) == variant.to_columns(column, {"$.o.d": pa.date32()})
    assert variant.shred(shredded[1:4], schema).equals(variant.shred(column[1:4], schema))


def test_a_shared_value_is_refused() -> None:
    """Objects whose fields all stand in one place would have more values than a computer can hold."""
    value = b"\x00"
    for _ in range(60):
        value = b"\x03\x02" + bytes([0, 0, len(value)]) + value if len(value) < 250 else value
    with pytest.raises(DecodeError, match="share bytes"):
        Variant(b"\x01\0\0", value).to_python()
    deep = b"\x00"
    for _ in range(400):
        deep = b"\x0f\x01" + (0).to_bytes(4, "little") + len(deep).to_bytes(4, "little") + deep
    with pytest.raises(DecodeError, match="nested deeper"):
        Variant(b"\x01\0\0", deep).to_json()


@pytest.mark.parametrize("seed", range(20))
def test_damaged_bytes(seed: int) -> None:
    """Any bytes give values or errors of their format; where both backends give values they are the same."""
    dice = random.Random(seed)
    good = variant.from_python({"a": [1, {"b": "text", "c": Decimal("1.5")}], "d": {"e": "x" * 70, "b": [None, 1.5]}})
    native = load("variant.native.locate", pure_locate).locate
    for _ in range(60):
        parts = [bytearray(good.metadata), bytearray(good.value)]
        for _ in range(dice.randrange(1, 4)):
            part = dice.choice(parts)
            if len(part):
                part[dice.randrange(len(part))] = dice.choice([0, 1, 2, 255, dice.randrange(256)])
        if dice.random() < 0.3:
            del parts[1][dice.randrange(len(parts[1])) :]
        given = Variant(bytes(parts[0]), bytes(parts[1]))
        for call in (given.to_python, given.to_json, lambda: given.type, lambda: given.get("$.a[1].b")):  # noqa: B023
            with contextlib.suppress(DecodeError):
                call()
        column = arrow.of_bytes([(given.metadata, given.value)])
        for schema in (pa.struct({"a": pa.list_(pa.string()), "d": pa.struct({"e": pa.string()})}), pa.int64()):
            with contextlib.suppress(DecodeError):
                variant.unshred(variant.shred(column, schema))
        rows = arrow.Rows(column)
        for steps in (["a"], ["a", 1, "b"], ["d", "b", 1]):
            places = [np.where(rows.valid, rows.value_offsets[:-1], -1) for _ in range(2)]
            sides = (rows.metadata_offsets, rows.metadata, rows.value_offsets, rows.value)
            bad = native(steps, *sides, places[0])
            if pure_locate.locate(steps, *sides, places[1]) < 0:
                assert bad < 0
                assert places[0] == places[1]
        for type in (pa.int64(), pa.string(), pa.decimal128(10, 2), variant.STORAGE):
            with contextlib.suppress(DecodeError):
                variant.to_columns(column, {"$.a[1].c": type, "$.d.e": type})
