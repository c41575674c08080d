"""Options and partitions of the data source, without Spark."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lakecodec.lake.listing import FileEntry
from lakecodec.pipeline import register
from lakecodec.spark.partitioning import OPEN_COST, balance, default_partitions
from lakecodec.spark.sources.options import ScanOptions


def test_options_have_defaults() -> None:
    assert ScanOptions.parse({"path": "a"}) == ScanOptions(("a",))


def test_options_are_parsed() -> None:
    given = {"paths": '["a", "b,c"]', "errors": "FAIL", "columns": "x, y.z", "fields": '["file"]', "numpartitions": "3"}
    assert ScanOptions.parse(given) == ScanOptions(("a", "b,c"), "raise", ("x", "y.z"), ("file",), partitions=3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "path: a path is needed"),
        ({"path": "a", "error": "fail"}, "unknown option 'error'"),
        ({"path": "a", "errors": "ignore"}, "errors: 'column' or 'fail' is needed, not 'ignore'"),
        ({"path": "a", "numPartitions": "0"}, "numPartitions: a whole number of at least 1 is needed, not '0'"),
        ({"path": "a", "numPartitions": "-2"}, "numPartitions: a whole number of at least 1 is needed, not '-2'"),
        ({"path": "a", "numPartitions": "two"}, "numPartitions: a whole number of at least 1 is needed, not 'two'"),
        ({"path": "a", "columns": "x,,y"}, "columns: empty name"),
        ({"path": "a", "columns": "[]"}, "columns: a name is needed"),
        ({"path": "a", "columns": "x,x"}, "columns: a name is given twice"),
        ({"path": "a", "fields": "[1]"}, "fields: a JSON list of strings is needed"),
        ({"paths": "a"}, "paths: a JSON list of strings is needed"),
    ],
)
def test_wrong_options_name_themselves(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("[", r"\[")):
        ScanOptions.parse(options)


@pytest.mark.parametrize(
    ("files", "parallelism", "expected"),
    [(0, 4, 1), (1, 4, 1), (50, 4, 1), (51, 4, 2), (200, 4, 4), (10_000, 4, 4), (185, 16, 4)],
)
def test_default_partitions(files: int, parallelism: int, expected: int) -> None:
    assert default_partitions(files, parallelism) == expected


@given(st.lists(st.integers(0, 1 << 40), max_size=60), st.integers(1, 20))
def test_balance_keeps_every_file_and_levels_the_weight(sizes: list[int], partitions: int) -> None:
    files = [FileEntry(f"{index:03}", size) for index, size in enumerate(sizes)]
    lists = balance(files, partitions)
    assert sorted(path for paths in lists for path in paths) == [file.path for file in files]
    assert len(lists) == min(partitions, len(files))
    assert all(paths and paths == sorted(paths) for paths in lists)
    weights = [sum(sizes[int(path)] + OPEN_COST for path in paths) for paths in lists]
    assert not weights or max(weights) - min(weights) <= max(sizes) + OPEN_COST


def test_register_without_a_spark_context() -> None:
    """Sessions of Spark Connect have no SparkContext to ask."""
    registered: list[Any] = []

    class Registration:
        register = staticmethod(registered.append)

    class ConnectSession:
        dataSource = Registration()

    register(ConnectSession())  # type: ignore[arg-type]
    found = {source.name(): source.parallelism for source in registered}
    assert found == dict.fromkeys(("lake", "lakecodec", "mosaic", "paimon_append", "parquet_metadata"), os.cpu_count())
