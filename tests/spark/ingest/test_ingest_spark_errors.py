"""What `ingest` refuses, before a byte is written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import deltalake
import pytest

from lakecodec import EncodeError
from lakecodec.pipeline import ingest
from tests.spark.tables import files_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.range(10).selectExpr("id", "cast(id AS string) AS name", "array(id) AS list", "map(id, id) AS map")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"format": "avro"}, ValueError, "format: one of 'parquet', 'mosaic'"),
        ({"mode": "upsert"}, ValueError, "mode: one of 'error', 'append'"),
        ({"partition_by": ["nope"]}, KeyError, "partition_by: 'nope' is not a column"),
        ({"partition_by": ["name", "NAME"]}, ValueError, "partition_by: 'name' is given twice"),
        ({"partition_by": ["list"]}, ValueError, "list"),
        ({"partition_by": 3}, TypeError, "partition_by: a list is needed"),
        ({"partition_by": ["id", "name", "list", "map"]}, ValueError, "partition"),
        ({"sort_by": ["-nope"]}, KeyError, "sort_by: 'nope'"),
        ({"sort_by": [("id", "up")]}, ValueError, "sort_by: 'ascending' or 'descending'"),
        ({"sort_by": ["id"], "zorder_by": ["id"]}, ValueError, "sort_by, zorder_by"),
        ({"sort_by": ["map"]}, ValueError, "sort_by: a column of the type map.*: 'map'"),
        ({"zorder_by": ["list"]}, ValueError, "zorder_by: a column of the type list.*: 'list'"),
        (
            {"partition_by": ["name"], "zorder_by": ["name", "id"]},
            ValueError,
            "zorder_by: 'name' is a partition column",
        ),
        ({"partition_by": ["name"], "sort_by": ["name"]}, ValueError, "sort_by: 'name' is a partition column"),
        ({"replace_where": "id = 1"}, ValueError, "replace_where: the mode 'overwrite' is needed"),
        ({"replace_where": "id = 1", "mode": "overwrite"}, ValueError, "replace_where: the table has no partition"),
        (
            {"replace_where": "id = 1", "mode": "overwrite", "partition_by": "name"},
            ValueError,
            "replace_where: a predicate over the partition columns name",
        ),
        (
            {"replace_where": [("name", "~", 1)], "mode": "overwrite", "partition_by": "name"},
            ValueError,
            "replace_where: unknown operator '~'",
        ),
        ({"max_rows_per_file": 0}, ValueError, "max_rows_per_file: at least 1"),
        ({"target_file_bytes": "128MB"}, TypeError, "target_file_bytes: an int"),
        ({"stats_columns": ["nope"]}, KeyError, "nope"),
        ({"stats_columns": "id", "partition_by": "id"}, KeyError, "id"),
        ({"txn_id": ""}, ValueError, "txn_id"),
        ({"source_format": "csv"}, ValueError, "source_format"),
    ],
)
def test_arguments(
    spark: SparkSession, frame: DataFrame, tmp_path: Path, arguments: dict[str, Any], error: type, message: str
) -> None:
    with pytest.raises(error, match=message):
        ingest(spark, frame, tmp_path / "t", progress=False, **arguments)
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("select", "columns"),
    [
        (["id", "INTERVAL '1' DAY AS pause", "named_struct('v', parse_json('1')) AS v", "NULL AS nothing"],
         "'pause' is interval day, 'v' is variant, 'nothing' is void"),
        (["id", "1 AS x", "2 AS X"], "name appears twice"),
        (["id", "'a' COLLATE UNICODE AS c"], "'c' is string collate UNICODE"),
        (["id", "named_struct() AS s"], "'s' has a struct without fields"),
    ],
)  # fmt: skip
def test_types_and_names(spark: SparkSession, tmp_path: Path, select: list[str], columns: str) -> None:
    with pytest.raises(ValueError, match=columns):
        ingest(spark, spark.range(1).selectExpr(*select), tmp_path / "t", progress=False)
    assert not (tmp_path / "t").exists()


def test_targets(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.parquet").touch()
    for name, message in (("file", "is a file"), ("data", "has files but is not a table")):
        with pytest.raises(FileExistsError, match=message):
            ingest(spark, frame, tmp_path / name, mode="append", progress=False)
    assert files_in(tmp_path / "data") == [tmp_path / "data" / "mine.parquet"]
    with pytest.raises(TypeError, match="target"):
        ingest(spark, frame, 3, progress=False)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="source"):
        ingest(spark, [1], tmp_path / "t", progress=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("repeat('x', 254)", "p: .*at most 255 bytes"),
        ("repeat('%', 85)", "p: .*at most 255 bytes"),
        ("X'FF'", "p: .*UTF-8"),
        ("make_date(12024, 1, 1)", "p.*: .*year"),
    ],
)
def test_partition_values(spark: SparkSession, tmp_path: Path, value: str, rule: str) -> None:
    """One bad value among many stops everything."""
    rows = spark.range(100).selectExpr("id", f"if(id = 77, {value}, NULL) AS p")
    with pytest.raises(EncodeError, match=rule):
        ingest(spark, rows, tmp_path / "t", partition_by="p", progress=False)
    assert files_in(tmp_path / "t") == []


@pytest.mark.parametrize("curve", ["zorder_by", "hilbert_by"])
def test_partition_values_that_are_sampled(spark: SparkSession, tmp_path: Path, curve: str) -> None:
    """A curve looks at the rows before they are written, and meets the bad value then."""
    rows = spark.range(100).selectExpr("id", "id * 2 AS other", "if(id = 77, X'FF', NULL) AS p")
    with pytest.raises(EncodeError, match=r"p: .*UTF-8"):
        ingest(spark, rows, tmp_path / "t", partition_by="p", progress=False, **{curve: ["id", "other"]})
    assert files_in(tmp_path / "t") == []


def test_longest_partition_value(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(1).selectExpr("id", "concat(repeat('%', 84), 'x') AS p")
    ingest(spark, rows, tmp_path / "t", partition_by="p", progress=False)
    (path,) = files_in(tmp_path / "t")
    assert len(path.parent.name) == 255


def test_a_failing_source_leaves_the_table_alone(spark: SparkSession, tmp_path: Path) -> None:
    from pyspark.errors import PySparkException

    good = spark.range(50_000)
    bad = good.selectExpr("if(id = 49999, raise_error('broken source'), id) AS id")
    ingest(spark, good, tmp_path / "t", progress=False)
    before = files_in(tmp_path / "t")
    with pytest.raises(PySparkException, match="broken source") as caught:
        ingest(spark, bad, tmp_path / "t", mode="append", max_rows_per_file=1000, progress=False)
    assert "\n" not in str(caught.value)
    assert files_in(tmp_path / "t") == before


def test_rows_that_a_constraint_forbids(spark: SparkSession, tmp_path: Path) -> None:
    path = str(tmp_path / "t")
    ingest(spark, spark.range(1, 4), path, progress=False)
    deltalake.DeltaTable(path).alter.add_constraint({"positive": "id > 0"})
    ingest(spark, spark.range(4, 6), path, mode="append", progress=False)
    before = files_in(tmp_path / "t")
    with pytest.raises(EncodeError, match=r"constraint 'positive' \(id > 0\) does not hold for id = 0"):
        ingest(spark, spark.range(0, 6), path, mode="append", progress=False)
    assert files_in(tmp_path / "t") == before
    with pytest.raises(Exception, match=r"constraint 'positive' \(id > 0\) does not hold for id = -1"):
        spark.range(-1, 0).write.format("lake").mode("append").save(path)
