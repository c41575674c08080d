"""Paths as sources: tables, parts of tables, files that differ, and files that cannot be read."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec.pipeline import SparkJobError, delete, ingest, scan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def parquet(directory: Path, *tables: pa.Table) -> Path:
    directory.mkdir()
    for number, table in enumerate(tables):
        pq.write_table(table, directory / f"{number}.parquet")
    return directory


def ingested(spark: SparkSession, source: Path, table: Path, **arguments: Any) -> list[dict[str, Any]]:
    ingest(spark, source, table, progress=False, **arguments)
    return sorted(scan(table).read_all().to_pylist(), key=str)


def test_a_table_is_read_by_its_log(spark: SparkSession, tmp_path: Path) -> None:
    table = tmp_path / "t.parquet"
    ingest(spark, spark.range(4).selectExpr("id", "id % 2 AS p"), table, partition_by="p", progress=False)
    delete(spark, table, "id = 1", progress=False)
    rows = [{"id": number, "p": number % 2} for number in (0, 2, 3)]
    assert ingested(spark, table, tmp_path / "copy") == rows
    first = ingested(spark, table, tmp_path / "first", source_format="lake", source_options={"version": 0})
    assert [row["id"] for row in first] == [0, 1, 2, 3]
    assert ingested(spark, table, table, mode="overwrite", sort_by="id") == rows  # of itself
    part = next(table.glob("p=1"))
    with pytest.raises(ValueError, match=r"lies in the table '.*t.parquet', whose log tells which rows count"):
        ingest(spark, part, tmp_path / "part", progress=False)
    assert len(ingested(spark, part, tmp_path / "part", source_format="parquet")) > 1


def test_columns_that_only_some_files_have(spark: SparkSession, tmp_path: Path) -> None:
    files = parquet(tmp_path / "a", pa.table({"id": [1], "x": ["a"]}), pa.table({"id": [2], "y": [0.5]}))
    rows = [{"id": 1, "x": "a", "y": None}, {"id": 2, "x": None, "y": 0.5}]
    assert ingested(spark, files, tmp_path / "t") == rows
    files = parquet(tmp_path / "b", pa.table({"id": [1], "x": ["a"]}), pa.table({"id": ["2"], "x": ["b"]}))
    with pytest.raises(
        ValueError, match=r"types that cannot be combined: id is (bigint and string|string and bigint);"
    ):
        ingest(spark, files, tmp_path / "u", progress=False)


def test_headers_that_differ(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.csv").write_text("a,b\n1,2\n")
    (tmp_path / "a" / "2.csv").write_text("a,b\n3,4\n")
    assert ingested(spark, tmp_path / "a", tmp_path / "t") == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]
    (tmp_path / "a" / "2.csv").write_text("b,a\n3,4\n")
    with pytest.raises(SparkJobError, match=r"CSV header does not conform to the schema\. Header: ") as caught:
        ingest(spark, tmp_path / "a", tmp_path / "u", progress=False)
    assert "\n" not in str(caught.value)
    (tmp_path / "names.csv").write_text("a,a,\n1,2,3\n")
    (row,) = ingested(spark, tmp_path / "names.csv", tmp_path / "v")
    assert list(row.values()) == [1, 2, 3]


def test_names_of_files_are_no_patterns(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2]})
    files = parquet(tmp_path / "a [1] {b} *", table)
    pq.write_table(table, tmp_path / "a %41#[b].parquet")
    for number, source in enumerate([files, tmp_path / "a %41#[b].parquet", tmp_path / "a*" / "0.*"]):
        assert ingested(spark, source, tmp_path / f"t{number}") == table.to_pylist()


def test_files_that_cannot_be_read(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "text.parquet").write_text("this is a text, not Parquet")
    pq.write_table(pa.table({"ok": [1], "at": [time(1)]}), tmp_path / "time.parquet")
    pq.write_table(pa.table({"half": pa.array([1.5], pa.float16())}), tmp_path / "half.parquet")
    pq.write_table(pa.table({"long": pa.array([1], pa.decimal256(39, 0))}), tmp_path / "long.parquet")
    for name, arguments, message in [
        ("none", {}, r"source: '.*none' has no files"),
        ("none", {"source_format": "parquet"}, r"source: '.*none' has no files of the format parquet"),
        ("empty.parquet", {}, r"source: '.*empty.parquet' has no bytes, and so is not of the format parquet"),
        (
            "empty.parquet",
            {"source_options": {"IGNOREcorruptfiles": True}},
            "has no files of the format parquet, or only empty ones",
        ),
        ("text.parquet", {}, r"source: .*text.parquet is not of the format parquet, or damaged"),
        ("time.parquet", {}, "Spark cannot read times of day, which these columns have: at"),
        ("half.parquet", {}, "Spark cannot read floating point numbers of 16 bits, which these columns have: half"),
        ("long.parquet", {}, "Spark cannot read decimals of more than 38 digits, which these columns have: long"),
        ("empty.parquet", {"source_format": "nope"}, "source_format: Spark has no data source 'nope'"),
    ]:
        with pytest.raises(ValueError, match=message):
            ingest(spark, tmp_path / name, tmp_path / "t", progress=False, **arguments)  # type: ignore[arg-type]
    for name in ("gone.parquet", "gone.csv", "gone"):
        with pytest.raises(FileNotFoundError, match=f"{name}' does not exist"):
            ingest(spark, tmp_path / name, tmp_path / "t", progress=False)
    assert not (tmp_path / "t").exists()


def test_files_without_bytes(spark: SparkSession, tmp_path: Path) -> None:
    """Spark passes over them, pyarrow does not; of CSV and JSON they are files without rows."""
    source = parquet(tmp_path / "a", pa.table({"id": [1, 2]}))
    (source / "b.parquet").touch()
    assert spark.read.parquet(str(source)).count() == 2
    with pytest.raises(pa.ArrowInvalid, match="file size is 0 bytes"):
        pq.read_table(source)
    for path in (source, source / "*.parquet"):
        with pytest.raises(
            ValueError, match=r"b\.parquet' has no bytes.*ignoreCorruptFiles=true leaves such files out"
        ):
            ingest(spark, path, tmp_path / "t", progress=False)
    (source / "c.parquet").touch()
    with pytest.raises(ValueError, match=r"b\.parquet' and 1 more files have no bytes"):
        ingest(spark, source, tmp_path / "t", progress=False)
    options = {"source_options": {"ignoreCorruptFiles": "true"}}
    assert len(ingested(spark, source, tmp_path / "t", **options)) == 2
    (tmp_path / "j").mkdir()
    (tmp_path / "j" / "a.json").write_text('{"id": 1}\n')
    (tmp_path / "j" / "b.json").touch()
    assert ingested(spark, tmp_path / "j", tmp_path / "u") == [{"id": 1}]


def test_empty_texts_of_csv(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,said\n1,""\n2,\n')
    assert ingested(spark, tmp_path / "a.csv", tmp_path / "t") == [{"id": 1, "said": None}, {"id": 2, "said": None}]
    kept = ingested(spark, tmp_path / "a.csv", tmp_path / "u", source_options={"nullValue": "\\N"})
    assert kept == [{"id": 1, "said": ""}, {"id": 2, "said": None}]
