"""Paimon tables with ``spark.read.format("paimon_append")`` and ``df.write.format("paimon_append")``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from lakecodec import paimon
from lakecodec.cli import run
from tests.paimon.peer import rows
from tests.paimon.test_read import data
from tests.spark.tables import by_id, every_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def load(spark: SparkSession, path: Path, **options: object) -> pa.Table:
    return frame(spark, path, **options).toArrow()


def frame(spark: SparkSession, path: Path, **options: object) -> DataFrame:
    return spark.read.format("paimon_append").options(**options).load(str(path))


def save(frame: DataFrame, path: Path, mode: str = "append", **options: str) -> None:
    frame.write.format("paimon_append").mode(mode).options(**options).save(str(path))


def files_in(path: Path) -> list[Path]:
    return [file for file in path.rglob("bucket-*/*") if file.is_file()]


def test_reads_what_paimon_scan_reads(spark: SparkSession, tmp_path: Path) -> None:
    """All types, partitions, columns, predicates, snapshots; files that a predicate excludes are not opened."""
    path = tmp_path / "t"
    for start in (0, 20, 40):
        paimon.write(data(20, start), path, partition_by=["day"])
    every = paimon.scan(path).read_all()
    found = load(spark, path)
    expected = every.to_pylist()
    assert rows(found) == rows(expected := pa.Table.from_pylist(expected, found.schema))
    assert rows(load(spark, path, snapshot=1)) == rows(expected.filter(pa.compute.field("id") < 20))
    some = load(spark, path, columns="name,id", where="day = '2020-01-02' and id < 30", numPartitions=3)
    assert rows(some) == rows(paimon.scan(path, columns=["name", "id"], where="day = '2020-01-02' and id < 30"))
    kept = set(paimon.files(path, where="id >= 40")["path"].to_pylist())
    for file in files_in(path):
        if str(file.relative_to(path)) not in kept:
            file.unlink()
    assert load(spark, path, where="id >= 40", columns="id").num_rows == 20
    assert frame(spark, path, where="id >= 1000").count() == 0


def test_columns_that_were_changed(spark: SparkSession, tmp_path: Path) -> None:
    """A frame reads the snapshot of its first query, in the columns that it was made with."""
    path = tmp_path / "t"
    paimon.write(pa.table({"a": [1, 2]}), path)
    found, late = frame(spark, path), frame(spark, path)
    paimon.write(pa.table({"a": [3]}), path)
    assert found.count() == 3
    schema = (path / "schema" / "schema-0").read_text()
    changed = schema.replace('"id": 0,\n  "fields"', '"id": 1,\n  "fields"').replace("BIGINT", "STRING")
    (path / "schema" / "schema-1").write_text(changed)
    with pytest.raises(PySparkException, match="load the table again"):
        late.count()
    assert load(spark, path).to_pydict() == {"a": ["1", "2", "3"]}


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_every_type(spark: SparkSession, tmp_path: Path, format: str) -> None:
    written = spark.createDataFrame(every_type()).withColumn("local", F.col("local").cast("timestamp_ntz"))
    if format == "mosaic":
        written = written.drop("place")
    save(written, tmp_path / "t", format=format, partitionBy="day,flag")
    found = frame(spark, tmp_path / "t")
    assert found.schema == written.schema
    assert by_id(found.toArrow()) == by_id(written.toArrow())
    assert set(paimon.files(tmp_path / "t")["format"].to_pylist()) == {format}


def numbers(spark: SparkSession, first: int, last: int) -> DataFrame:
    return spark.range(first, last, 1, 3).withColumn("part", F.col("id") % 2)


def ids(path: Path) -> list[int]:
    return sorted(paimon.scan(path, columns=["id"]).read_all()["id"].to_pylist())


def test_append_overwrite_and_repeat(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(numbers(spark, 0, 10), path, partitionBy="part", **{"table.bucket": "2", "table.bucket-key": "id"})
    assert set(paimon.files(path)["bucket"].to_pylist()) == {0, 1}
    save(numbers(spark, 10, 12), path, commitUser="me", commitIdentifier="7")
    before = files_in(path)
    save(numbers(spark, 10, 12), path, commitUser="me", commitIdentifier="7")
    assert (ids(path), files_in(path)) == (list(range(12)), before)
    save(numbers(spark, 20, 30).where("part = 1").withColumnRenamed("part", "PART"), path, "overwrite")
    assert ids(path) == [0, 2, 4, 6, 8, 10, 21, 23, 25, 27, 29]
    assert [each.kind for each in paimon.history(path)] == ["OVERWRITE", "APPEND", "APPEND"]


def test_refused_and_failed_writes(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    for options, message in (
        ({"partitionBy": "nope"}, "'nope' is not a column"),
        ({"format": "csv"}, "'csv' is not one of"),
        ({"table.bucket": "x"}, "bucket = 'x'"),
        ({"partition": "part"}, "unknown option 'partition'"),
        ({"commitIdentifier": "1"}, "commit_user is needed"),
    ):
        with pytest.raises(PySparkException, match=message):
            save(numbers(spark, 0, 3), path, **options)
        assert not path.exists()
    save(numbers(spark, 0, 3), path)
    before = files_in(path)
    with pytest.raises(PySparkException, match="no column 'more'"):
        save(numbers(spark, 3, 6).withColumn("more", F.lit(1)), path)
    with pytest.raises(PySparkException, match="options: bucket is not set in the table, not '3'"):
        save(numbers(spark, 3, 6), path, **{"table.bucket": "3"})
    broken = numbers(spark, 3, 200).withColumn(
        "part", F.when(F.col("id") < 150, 1).otherwise(F.raise_error(F.lit("no")))
    )
    with pytest.raises(PySparkException, match="no"):
        save(broken.coalesce(1), path)
    assert (ids(path), files_in(path)) == ([0, 1, 2], before)


def test_ingest_with_spark(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command, on the session that this process has."""
    source, path = tmp_path / "source.parquet", tmp_path / "t"
    pq.write_table(pa.table({"id": range(6), "part": ["x", "y"] * 3}), source)
    command = ["ingest", "--table-format", "paimon", "--engine", "spark", str(source), str(path)]
    assert run([*command, "--partition-by", "part", "--format", "mosaic"]) == 0
    assert capsys.readouterr().out == "snapshot 1\n"
    assert ids(path) == list(range(6))
    assert paimon.files(path).num_rows == 2
    assert run(command) == 2
    assert "there is a table" in capsys.readouterr().err
    assert run([*command, "--mode", "overwrite"]) == 0
    (tmp_path / "more.txt").write_text("id;part\n9;z\n")
    more = ["--source-format", "csv", "--source-option", "header=true", "--source-option", "sep=;", "--mode", "append"]
    more += ["--source-option", "inferSchema=true"]
    assert run(["ingest", "--table-format", "paimon", str(tmp_path / "more.txt"), str(path), *more]) == 0
    assert ids(path) == [0, 1, 2, 3, 4, 5, 9]
