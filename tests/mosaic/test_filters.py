"""Filters: exact results, and row groups that are not read."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lakecodec import mosaic

from .sources import Recorded

NAN = math.nan
FLOATS = [[1.0, 2.0], [NAN, 5.0], [5.0, NAN], [None, NAN], [None, None], [7.0, None], [-0.0, 0.0]]


def grouped(groups: list[list[Any]], type: pa.DataType) -> pa.Table:
    return pa.Table.from_batches(
        [
            pa.record_batch({"x": pa.array(values, type), "row": [number] * len(values)})
            for number, values in enumerate(groups)
        ]
    )


def opened(table: pa.Table, **options: Any) -> mosaic.MosaicFile:
    file = io.BytesIO()
    mosaic.write_table(table, file, row_group_max_bytes=1, **options)
    return mosaic.MosaicFile(file.getvalue())


x = pc.field("x")
EXPRESSIONS = [
    x > 4.0,
    x <= 1.0,
    ~(x <= 4.0),
    ~(x > 4.0),
    x == 5.0,
    x != 5.0,
    x.is_null(),
    x.is_valid(),
    x.is_nan(),
    ~x.is_nan(),
    x.isin([2.0, 7.0]),
    ~x.isin([2.0, 7.0]),
    (x < 2.0) | (x > 6.0),
    (x <= 4.0) == pc.scalar(False),
    pc.if_else(x <= 4.0, False, True),
    pc.divide(pc.scalar(1.0), x) > 0.0,
    pc.scalar(True),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
@pytest.mark.parametrize("type", [pa.float64(), pa.float32()], ids=str)
def test_floats(expression: pc.Expression, type: pa.DataType) -> None:
    table = grouped(FLOATS, type)
    found = opened(table, stats_columns=["x"]).read(filters=expression)
    assert repr(found.to_pylist()) == repr(table.filter(expression).to_pylist())


@pytest.mark.parametrize("seed", range(25))
def test_random_conditions(seed: int) -> None:
    rng = random.Random(seed)
    groups = [[rng.choice([None, *range(start, start + 4)]) for _ in range(5)] for start in (0, 3, 10, 20)]
    table = grouped(groups, pa.int32())

    def condition(depth: int) -> pc.Expression:
        kind = rng.randrange(7 if depth else 5)
        value = rng.randint(-1, 25)
        if kind < 5:
            return [x < value, x >= value, x == value, x != value, x.is_null()][kind]
        inner = condition(depth - 1)
        return ~inner if kind == 5 else (inner & condition(depth - 1)) | condition(depth - 1)

    for _ in range(10):
        expression = condition(2)
        for stats in (["x"], []):
            assert opened(table, stats_columns=stats).read(filters=expression).equals(table.filter(expression))


@pytest.mark.parametrize(
    ("filters", "keeps"),
    [
        ([("x", "=", 4)], lambda v: v == 4),
        ([("x", "==", 4)], lambda v: v == 4),
        ([("x", "!=", 4)], lambda v: v != 4),
        ([("x", ">", 1), ("x", "<=", 4)], lambda v: 1 < v <= 4),
        ([[("x", "<", 1)], [("x", ">=", 11)]], lambda v: v < 1 or v >= 11),
        ([("x", "in", {0, 4})], lambda v: v in (0, 4)),
        ([("x", "not in", [0, 4])], lambda v: v not in (0, 4)),
    ],
)
def test_tuples(filters: Any, keeps: Callable[[int], bool]) -> None:
    table = grouped([[0, 1], [3, 4], [10, 11]], pa.int64())
    found = opened(table, stats_columns=["x"]).read(["row"], filters)
    rows = [row for row, value in zip(table["row"].to_pylist(), table["x"].to_pylist(), strict=True) if keeps(value)]
    assert found["row"].to_pylist() == rows
    assert found.column_names == ["row"]


def test_row_groups_that_cannot_match_are_not_read() -> None:
    rng = random.Random(1)
    groups = [[10**6 * group + rng.randrange(10**6) for _ in range(20_000)] for group in range(4)]
    table = grouped(groups, pa.int64())
    file = io.BytesIO()
    mosaic.write_table(table, file, row_group_max_bytes=1, stats_columns=["x"])
    source = Recorded(file.getvalue())
    opened = mosaic.MosaicFile(source)
    third = [bucket for bucket in opened.metadata.row_groups[2].buckets if "x" in bucket.columns]
    source.reads.clear()
    value = groups[2][7]
    assert opened.read(["x"], [("x", "=", value)])["x"].to_pylist() == [value]
    assert source.reads == [(third[0].offset, third[0].stored_size)]
    source.reads.clear()
    assert opened.read(["x"], x < 0).num_rows == 0
    assert source.reads == []
    assert sum(batch.num_rows for batch in opened.iter_batches(100, ["x"], x >= 3 * 10**6)) == 20_000


def test_strings_and_nested_references() -> None:
    table = pa.table({"a name": ["x", "y"], "l": [[1], [2, 3]], "l2": [1, 2]})
    file = opened(table, stats_columns=["a name"])
    assert file.read(filters=pc.field("a name") == "y").equals(table.slice(1))
    assert file.read(["l2"], pc.list_value_length(pc.field("l")) > 1).equals(table.slice(1).select(["l2"]))
    assert file.read(["l"], pc.field(2) == 1).equals(table.slice(0, 1).select(["l"]))


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        ([("zz", "=", 1)], KeyError),
        (pc.field("zz") == 1, KeyError),
        ([("x", "~", 1)], ValueError),
        ([("x", "=", None)], ValueError),
        ([("x", "in", 1)], TypeError),
        ([("x", "=")], TypeError),
        ([], TypeError),
        ([[]], TypeError),
        ("x = 1", TypeError),
        ([("x", "=", "text")], (TypeError, ValueError)),
    ],
    ids=str,
)
def test_malformed_filters(filters: Any, error: Any) -> None:
    file = opened(grouped([[1]], pa.int32()))
    with pytest.raises(error, match="filters: "):
        file.read(filters=filters)


def test_nan_as_first_value_says_nothing() -> None:
    file = opened(grouped([[NAN, 5.0]], pa.float64()), stats_columns=["x"])
    stats = file.statistics(0)["x"]
    assert math.isnan(stats.min)
    assert math.isnan(stats.max)
    assert file.read(filters=x == 5.0).num_rows == 1


@pytest.mark.parametrize("zone", ["UTC", "Europe/Zurich", "+05:30"])
@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_of_other_zones(zone: str, unit: str) -> None:
    """An hour that clocks go through twice; Arrow itself compares times of other zones if their units are equal."""
    start = datetime(2024, 10, 27, tzinfo=UTC)
    times = [start + timedelta(minutes=minute) for minute in range(0, 120, 5)]
    file = opened(grouped([[time] for time in times], pa.timestamp(unit, zone)), stats_columns=["x"])
    for given in (UTC, ZoneInfo("Europe/Zurich"), timezone(timedelta(hours=-3))):
        for number in (0, 7, 20):
            time = times[number].astimezone(given)
            assert file.read(["row"], filters=[("x", "<", time)])["row"].to_pylist() == list(range(number))
            assert file.read(["row"], filters=[("x", "in", [time, start])])["row"].to_pylist() == sorted({0, number})
            assert file.read(["row"], filters=[("x", "not in", [time])]).num_rows == len(times) - 1


def test_values_that_do_not_compare_with_bounds() -> None:
    file = opened(
        grouped([[datetime(2023, 12, 31), datetime(2024, 1, 2)]], pa.timestamp("ns", "Europe/Zurich")),
        stats_columns=["x"],
    )
    with pytest.raises(TypeError, match=r"filters: .*no kernel"):
        file.read(filters=x.isin([datetime(2024, 1, 1, tzinfo=UTC)]))
    with pytest.raises(TypeError, match=r"filters: .*no kernel"):
        file.read(filters=[("x", "<", datetime(2024, 1, 1))])
