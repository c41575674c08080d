"""Statistics of data files: never narrower than the data, and as other writers have them."""

from __future__ import annotations

import io
import json
import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lakecodec.lake.log import Statistics, footer_statistics, parse_statistics
from lakecodec.parquet import read_metadata
from lakecodec.statistics.columns import next_text


def of(values: dict[str, Any] | pa.Table, schema: pa.Schema | None = None, columns: Any = None) -> dict[str, Any]:
    """The statistics of a table, as a tree; decimals keep their digits."""
    table = values if isinstance(values, pa.Table) else pa.table(values, schema)
    statistics = Statistics(table.schema, columns)
    statistics.update(table)
    tree: dict[str, Any] = json.loads(statistics.to_json(), parse_float=str)
    return tree


def footer_of(table: pa.Table, **options: Any) -> dict[str, Any]:
    without_nan = options.pop("without_nan", ())
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    text = footer_statistics(read_metadata(sink.getvalue()), table.schema, without_nan=without_nan)
    tree: dict[str, Any] = json.loads(text, parse_float=str)
    return tree


def test_numbers() -> None:
    low, high = -(2**63), 2**63 - 1
    decimals = pa.array([Decimal("12345678901234567890123456.789"), Decimal("-0.010"), None], pa.decimal128(38, 3))
    table = pa.table({"i": pa.array([low, high, None]), "d": decimals, "f": pa.array([0.1, None, -1e300])})
    assert of(table) == {
        "numRecords": 3,
        "minValues": {"i": low, "d": "-0.010", "f": "-1e+300"},
        "maxValues": {"i": high, "d": "12345678901234567890123456.789", "f": "0.1"},
        "nullCount": {"i": 1, "d": 1, "f": 1},
    }


def test_floats_that_json_has_not() -> None:
    nan, inf = math.nan, math.inf
    tree = of({"nan": [1.0, nan], "low": [-inf, 1.0], "high": [1.0, inf], "zero": [-0.0, 0.0], "all": [nan, nan]})
    assert tree["minValues"] == {"high": "1.0", "zero": "-0.0"}
    assert tree["maxValues"] == {"low": "1.0", "zero": "0.0"}
    table = pa.table({"x": [1.0, 2.0]})
    statistics = Statistics(table.schema)
    for part in (table, pa.table({"x": [nan]}), pa.table({"x": [7.0]})):
        statistics.update(part)
    assert "x" not in json.loads(statistics.to_json())["minValues"], "one NaN is enough, whatever comes afterwards"


def test_narrow_floats_are_exact() -> None:
    value = pa.scalar(0.1, pa.float32()).as_py()
    tree = of({"x": pa.array([0.1], pa.float32())})
    assert float(tree["minValues"]["x"]) == float(tree["maxValues"]["x"]) == value
    found = parse_statistics('{"minValues":{"x":0.1},"maxValues":{"x":0.1}}', pa.schema({"x": pa.float32()}))
    assert found.min["x",] == found.max["x",] == value, "the shortest digits of other writers"


def test_times() -> None:
    instants = [datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC), datetime(2024, 6, 15, 19, 30, 45, 123_001, UTC), None]
    table = pa.table(
        {
            "t": pa.array(instants, pa.timestamp("us", "Europe/Berlin")),
            "n": pa.array(
                [None if each is None else each.replace(tzinfo=None) for each in instants], pa.timestamp("us")
            ),
            "d": pa.array([date(1, 1, 1), date(9999, 12, 31), None]),
            "nano": pa.array([-1, 1, None], pa.timestamp("ns")),
            "late": pa.array([2**62, None, None], pa.timestamp("us")),
        }
    )
    tree = of(table)
    assert tree["minValues"] == {
        "t": "1969-12-31T23:59:59.999Z",
        "n": "1969-12-31T23:59:59.999",
        "d": "0001-01-01",
        "nano": "1969-12-31T23:59:59.999",
    }
    assert tree["maxValues"] == {
        "t": "2024-06-15T19:30:45.124Z",
        "n": "2024-06-15T19:30:45.124",
        "d": "9999-12-31",
        "nano": "1970-01-01T00:00:00.001",
    }
    found = parse_statistics(json.dumps(tree), table.schema)
    assert found.min["t",] <= instants[0] < instants[1] <= found.max["t",]  # type: ignore[operator]
    assert found.max["t",] - instants[1] < timedelta(milliseconds=2)  # type: ignore[operator]


def test_times_of_other_writers() -> None:
    """They cut the maximum down to milliseconds, and may write an offset."""
    schema = pa.schema({"t": pa.timestamp("us", "UTC"), "n": pa.timestamp("us")})
    text = json.dumps({"maxValues": {"t": "2024-06-15T12:30:45.123-07:00", "n": "2024-06-15T12:30:45.123"}})
    found = parse_statistics(text, schema)
    assert found.max["t",] == datetime(2024, 6, 15, 19, 30, 45, 123_999, UTC)
    assert found.max["n",] == datetime(2024, 6, 15, 12, 30, 45, 123_999)


def test_nested_and_without_bounds() -> None:
    kind = pa.struct({"a": pa.int64(), "b": pa.struct({"c": pa.string(), "l": pa.list_(pa.int8())})})
    rows = [{"a": 1, "b": {"c": "x", "l": [1]}}, {"a": None, "b": None}, None]
    table = pa.table({"s": pa.array(rows, kind), "flag": [True, None, False], "raw": [b"1", None, None]})
    assert of(table) == {
        "numRecords": 3,
        "minValues": {"s": {"a": 1, "b": {"c": "x"}}},
        "maxValues": {"s": {"a": 1, "b": {"c": "x"}}},
        "nullCount": {"s": {"a": 2, "b": {"c": 2, "l": 2}}, "flag": 1, "raw": 2},
    }
    sliced = table.slice(1)
    assert of(sliced)["nullCount"] == {"s": {"a": 2, "b": {"c": 2, "l": 2}}, "flag": 1, "raw": 2}
    assert parse_statistics(json.dumps(of(table)), table.schema).min["s", "b", "c"] == "x"


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("a", "b"),
        ("ab\U0010ffff", "ac"),
        ("\U0010ffff", None),
        ("a\ud7ff", "a\ue000"),
        ("", None),
        ("ü", "ý"),
    ],
)
def test_next_text(prefix: str, expected: str | None) -> None:
    assert next_text(prefix) == expected


def test_long_texts() -> None:
    last = "\U0010ffff"
    tree = of(
        {
            "cut": ["ü" * 40, "a" * 40],
            "exact": ["b" * 32, "b" * 32],
            "none": [last * 33, "a"],
            "quoted": ['"\n\0', "\\"],
        }
    )
    assert tree["minValues"] == {"cut": "a" * 32, "exact": "b" * 32, "none": "a", "quoted": '"\n\0'}
    assert tree["maxValues"] == {"cut": "ü" * 31 + "ý", "exact": "b" * 32, "quoted": "\\"}


@given(st.lists(st.one_of(st.none(), st.text(max_size=40)), min_size=1))
def test_text_bounds_hold(values: list[str | None]) -> None:
    schema = pa.schema({"x": pa.string()})
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        data = pa.table({"x": pa.array(values, pa.string()).cast(kind)})
        found = parse_statistics(json.dumps(of(data)), schema)
        present = [value.encode() for value in values if value is not None]
        assert found.null_count["x",] == len(values) - len(present)
        if present:
            low, high = found.min["x",], found.max.get(("x",))
            assert len(low) <= 32
            assert low.encode() <= min(present)
            assert high is None or (high.encode() >= max(present) and len(high) <= 32)


VALUES = {
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.int8(): st.integers(-128, 127),
    pa.float64(): st.floats(allow_nan=False),
    pa.float32(): st.floats(width=32, allow_nan=False),
    pa.decimal128(7, 2): st.integers(-(10**7) + 1, 10**7 - 1).map(lambda number: Decimal(number).scaleb(-2)),
    pa.decimal128(38, 5): st.integers(-(10**38) + 1, 10**38 - 1).map(
        lambda number: Decimal((number < 0, tuple(map(int, str(abs(number)))), -5))
    ),
    pa.date32(): st.dates(),
    pa.timestamp("us", "UTC"): st.datetimes(timezones=st.just(UTC)),
    pa.timestamp("us"): st.datetimes(),
    pa.string(): st.text(max_size=50),
    pa.bool_(): st.booleans(),
}


@given(st.data())
def test_bounds_hold_and_footers_say_the_same(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(list(VALUES)))
    values = data.draw(st.lists(st.one_of(st.none(), VALUES[kind]), max_size=12))
    table = pa.table({"x": pa.array(values, kind)})
    statistics = Statistics(table.schema)
    for start in range(0, len(values), 5):
        statistics.update(table.slice(start, 5))
    text = statistics.to_json()
    found = parse_statistics(text, table.schema)
    present = [value for value in table["x"].to_pylist() if value is not None]
    assert (found.num_records, found.null_count["x",]) == (len(values), len(values) - len(present))
    assert all(bound <= value for bound in found.min.values() for value in present)
    assert all(bound >= value for bound in found.max.values() for value in present)
    assert footer_of(table, row_group_size=3, without_nan=["x"]) == json.loads(text, parse_float=str)
    if pa.types.is_floating(kind):
        assert footer_of(table)["minValues"] == footer_of(table)["maxValues"] == {}


def test_footers() -> None:
    inner = pa.struct({"a": pa.int32(), "l": pa.list_(pa.int32())})
    table = pa.table(
        {
            "s": pa.array([{"a": 1, "l": [5]}, None, {"a": 3, "l": None}], inner),
            "text": ["x" * 50, None, "é" * 50],
            "f": [1.0, 2.0, None],
            "nulls": pa.array([None] * 3, pa.int64()),
        }
    )
    tree = footer_of(table, row_group_size=1)
    assert tree["numRecords"] == 3
    assert tree["minValues"] == {"s": {"a": 1}, "text": "x" * 32}
    assert tree["maxValues"] == {"s": {"a": 3}, "text": "é" * 31 + "ê"}
    assert tree["nullCount"] == {"s": {"a": 1}, "text": 1, "f": 1, "nulls": 3}
    assert footer_of(table, without_nan=["f"])["maxValues"]["f"] == "2.0"
    silent = footer_of(table, write_statistics=False)
    assert (silent["numRecords"], silent["minValues"], silent["nullCount"]) == (3, {}, {})
    some = footer_of(table, write_statistics=["text"])
    assert (some["minValues"], some["nullCount"]) == ({"text": "x" * 32}, {"text": 1})


def test_columns_are_chosen() -> None:
    table = pa.table({f"c{index}": [index] for index in range(40)} | {"s": [{"a": 1, "b": 2}]})
    assert list(of(table)["minValues"]) == [f"c{index}" for index in range(32)]
    assert of(table, columns=["c39", "s.b"])["minValues"] == {"c39": 39, "s": {"b": 2}}
    assert of(table, columns=["s"])["minValues"] == {"s": {"a": 1, "b": 2}}
    assert of(table, columns=[]) == {"numRecords": 1, "minValues": {}, "maxValues": {}, "nullCount": {}}
    with pytest.raises(KeyError, match="columns: 'zzz'"):
        of(table, columns=["zzz"])
    with pytest.raises(TypeError, match="columns"):
        of(table, columns="c1")


def test_missing_columns_are_null() -> None:
    statistics = Statistics(pa.schema({"a": pa.int64(), "b": pa.int64()}))
    statistics.update(pa.record_batch({"a": [1, 2]}))
    assert json.loads(statistics.to_json())["nullCount"] == {"a": 0, "b": 2}


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{",
        "[]",
        "7",
        "null",
        '{"numRecords":-1}',
        '{"numRecords":"x","minValues":3,"nullCount":{"i":true}}',
        "[" * 99999,
        '{"minValues":{"i":"x","d":"2024-13-01","t":"x","dec":"7","f":true,"s":4},"maxValues":{"i":1.5,"d":7,"t":{}}}',
    ],
)
def test_what_makes_no_sense_is_unknown(text: str | None) -> None:
    schema = pa.schema(
        {
            "i": pa.int64(),
            "d": pa.date32(),
            "t": pa.timestamp("us"),
            "dec": pa.decimal128(5, 2),
            "f": pa.float64(),
            "s": pa.string(),
        }
    )
    found = parse_statistics(text, schema)
    assert (found.num_records, found.min, found.max, found.null_count) == (None, {}, {}, {})


@pytest.mark.parametrize(
    "number", ["1e999999999999", "-1e999999999999", "1e-999999999999", "1" * 4000, "1e400", "1e39"]
)
@pytest.mark.parametrize("kind", [pa.int64(), pa.decimal128(38, 5), pa.float64(), pa.float32()])
def test_hostile_numbers(number: str, kind: pa.DataType) -> None:
    found = parse_statistics(f'{{"minValues":{{"x":{number}}}}}', pa.schema({"x": kind}))
    assert all(abs(value) <= 10**400 for value in found.min.values())


def test_rounded_decimals_of_other_writers() -> None:
    schema = pa.schema({"x": pa.decimal128(38, 2)})
    found = parse_statistics('{"minValues":{"x":12.3},"maxValues":{"x":1.2345678901234565E+19}}', schema)
    assert found.min["x",] < Decimal("12.3") < found.min["x",] + Decimal("1e-12")
    assert found.max["x",] > Decimal("12345678901234566000.00")
    exact = parse_statistics('{"minValues":{"x":12.30}}', schema)
    assert exact.min["x",] == Decimal("12.30")
