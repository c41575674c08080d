"""`pipeline.read` and the data source ``lake`` against Spark's own reader and filters."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from lakecodec.lake.log import VersionNotFoundError
from lakecodec.pipeline import explain, ingest, read
from tests.spark.lakes import write_lake
from tests.spark.tables import by_id, every_type

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lake") / "t"
    write_lake(path, every_type(), partition_by=("region", "day"), file_rows=50, group_rows=10)
    return path


@pytest.fixture(scope="module")
def everything(spark: SparkSession) -> DataFrame:
    """The same rows without a table; empty texts are null in partitions."""
    frame = spark.createDataFrame(every_type())
    local = F.col("local").cast("timestamp_ntz")
    return frame.withColumn("local", local).withColumn("region", F.nullif("region", F.lit(""))).cache()


def ids(frame: DataFrame) -> list[int]:
    return sorted(row["id"] for row in frame.select("id").collect())


def test_every_type(spark: SparkSession, lake: Path, everything: DataFrame) -> None:
    found = read(spark, lake)
    assert found.schema == everything.schema
    assert by_id(found.toArrow()) == by_id(everything.toArrow())


WHERE: dict[str, str | Callable[[], Column]] = {
    "comparison": "id < 10 AND region = 'north'",
    "nan": "value > 80",
    "not only nan": "value BETWEEN 80 AND 84",
    "texts": "name LIKE 'name 0%' AND NOT name IN ('name 01', 'name 02')",
    "function": "upper(name) = 'NAME 01' AND id < 100",
    "or function": "upper(name) = 'NAME 01' OR id < 10",
    "struct": "place.x = 5 OR place.y.z = '7'",
    "float": "share = CAST(1/3 AS float) OR share < 0.5",
    "time": "when >= TIMESTAMP'2024-03-01 00:05:00' AND local < TIMESTAMP_NTZ'2024-03-01 06:00:00'",
    "null": "region IS NULL AND small IS NULL",
    "backslash": r"region = 'a=b c\u0025'",
    "quotes": "name = 'name 09' AND NOT region IN ('it''s', '')",
    "column": lambda: (F.col("id") > 590) | F.col("place.x").isin(1, 2),
    "column of dates": lambda: F.col("day").between(date(2024, 1, 2), date(2024, 1, 2)) & ~F.col("flag"),
    "column of times": lambda: F.col("when") == datetime(2024, 3, 1, 0, 5, tzinfo=UTC),
    "column of sql": lambda: F.expr("small <=> NULL") & (F.length("name") > 3) & F.col("name").startswith("name 4"),
}


@pytest.mark.parametrize("name", WHERE)
def test_same_rows_as_a_filter(spark: SparkSession, lake: Path, everything: DataFrame, name: str) -> None:
    found = WHERE[name]
    where = found if isinstance(found, str) else found()
    expected = ids(everything.where(where))
    assert expected
    assert ids(read(spark, lake, where=where)) == expected


def test_session_time_zone(spark: SparkSession, lake: Path, everything: DataFrame) -> None:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    try:
        where = "when < TIMESTAMP'2024-03-01 09:01:00'"
        assert ids(read(spark, lake, where=where)) == ids(everything.where(where)) != []
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)


def test_terms_of_times_without_a_zone(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the session's zone, whatever that of this process, and wall times are compared as they are."""
    wall = [datetime(2024, 1, 1), datetime(2024, 3, 10, 2, 30), datetime(2024, 7, 1)]
    instants = [
        datetime(2024, 1, 1, 5, tzinfo=UTC),
        datetime(2024, 3, 10, 7, 30, tzinfo=UTC),
        datetime(2024, 7, 1, 4, tzinfo=UTC),
    ]
    table = pa.table(
        {"id": [0, 1, 2], "n": pa.array(wall, pa.timestamp("us")), "t": pa.array(instants, pa.timestamp("us", "UTC"))}
    )
    write_lake(tmp_path / "t", table, file_rows=1, partition_by=("n",))
    before = spark.conf.get("spark.sql.session.timeZone")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        for number, moment in enumerate(wall):
            for column in ("n", "t"):
                assert ids(read(spark, tmp_path / "t", where=[(column, "=", moment)])) == [number]
                assert ids(read(spark, tmp_path / "t", where=[(column, "in", [moment])])) == [number]
        new = spark.createDataFrame(
            pa.table({"id": [9], "n": wall[1:2], "t": instants[1:2]}), "id long, n timestamp_ntz, t timestamp"
        )
        ingest(
            spark,
            new,
            tmp_path / "t",
            mode="overwrite",
            replace_where="n = TIMESTAMP_NTZ'2024-03-10 02:30:00'",
            progress=False,
        )
        assert ids(read(spark, tmp_path / "t")) == [0, 2, 9]
    finally:
        spark.conf.set("spark.sql.session.timeZone", before)
        monkeypatch.undo()
        time.tzset()


def test_terms_and_columns(spark: SparkSession, lake: Path) -> None:
    terms: list[tuple[str, str, Any]] = [("id", ">=", 595), ("region", "!=", None)]
    found = read(spark, lake, columns=["name", "id"], where=terms)
    assert found.columns == ["name", "id"]
    assert ids(found) == [595, 596, 599]
    assert read(spark, lake, columns=[]).count() == 600
    assert read(spark, lake, where="id > 10000").collect() == []


def test_two_reads_do_not_share_anything(spark: SparkSession, lake: Path) -> None:
    few, many = read(spark, lake, where="id < 3"), read(spark, lake, where="id >= 3")
    assert (few.count(), many.count(), few.union(many).count()) == (3, 597, 600)


def test_a_table_joins_itself(spark: SparkSession, lake: Path) -> None:
    every = read(spark, lake, columns=["id", "name"])
    assert every.join(every, "id").where("id > 3").count() == 596
    assert every.join(read(spark, lake, columns=["id"], where="region = 'north'"), "id").count() == 120


def test_spark_knows_how_large_a_scan_is(spark: SparkSession, lake: Path, tmp_path: Path) -> None:
    """Else it would send tables of any size to all tasks of a join."""
    noise = [os.urandom(1 << 16) for _ in range(64)]
    write_lake(tmp_path / "t", pa.table({"id": range(64), "noise": noise}), file_rows=16)
    size = explain(tmp_path / "t").bytes
    assert size > 4 << 20
    assert size <= estimate(read(spark, tmp_path / "t")) <= 2 * size
    half = estimate(read(spark, tmp_path / "t", columns=["noise"], where="length(noise) > 0"))
    assert size // 2 <= half <= size
    assert read(spark, tmp_path / "t", where="length(noise) > 0").count() == 64
    assert estimate(read(spark, lake)) < 1 << 20


def estimate(frame: DataFrame) -> int:
    """Bytes that Spark takes the result for."""
    java: Any = frame
    return int(str(java._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))


def test_star(spark: SparkSession, tmp_path: Path) -> None:
    """It stands for all columns of the table, in its order."""
    write_lake(tmp_path / "t", every_type().select(["id", "value", "name"]))
    every = read(spark, tmp_path / "t")
    for where in ("hash(*) % 2 = 0", "hash(id, *) % 3 * 2 = 0"):
        expected = ids(every.where(where))
        assert 0 < len(expected) < 600
        assert ids(read(spark, tmp_path / "t", columns=["name", "id"], where=where)) == expected


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_errors_of_files(spark: SparkSession, tmp_path: Path, format: str) -> None:
    write_lake(tmp_path / "t", every_type(200).select(["id", "name"]), format=format)
    first, second = sorted((tmp_path / "t").glob(f"*.{format}"))
    frame = read(spark, tmp_path / "t", verify=True)
    first.write_bytes(first.read_bytes()[:-20])
    with pytest.raises(PySparkException, match=rf"DecodeError.*{first.name}"):
        frame.collect()
    first.unlink()
    with pytest.raises(PySparkException, match=rf"FileNotFoundError.*{first.name}"):
        frame.collect()
    assert second.exists()


def test_versions(spark: SparkSession, tmp_path: Path) -> None:
    table = every_type(20).select(["id", "name"])
    write_lake(tmp_path / "t", table)
    old = read(spark, tmp_path / "t")
    write_lake(tmp_path / "t", table)
    assert (old.count(), read(spark, tmp_path / "t").count(), read(spark, tmp_path / "t", version=0).count()) == (
        20,
        40,
        20,
    )
    with pytest.raises(VersionNotFoundError):
        read(spark, tmp_path / "t", version=5)


def test_wrong_arguments(spark: SparkSession, lake: Path) -> None:
    with pytest.raises(KeyError, match="columns: 'nope'"):
        read(spark, lake, columns=["nope"])
    for where in ("nope = 1", "upper(nope) = 'X'", F.col("nope") > 1, "counts = NULL"):
        with pytest.raises(ValueError, match=r"where: .*(nope|counts)"):
            read(spark, lake, where=where)
    with pytest.raises(ValueError, match="where: unknown operator"):
        read(spark, lake, where=[("id", "~", 1)])


def test_the_source(spark: SparkSession, lake: Path, everything: DataFrame) -> None:
    found = spark.read.format("lake").option("columns", "name,id").option("where", "id < 5 AND flag").load(str(lake))
    assert found.columns == ["name", "id"]
    assert ids(found) == ids(everything.where("id < 5 AND flag"))
    assert spark.read.format("lake").option("version", 0).load(str(lake)).schema == everything.schema


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"where": "upper(name) = 'X'"}, "only Spark can decide"),
        ({"version": "x"}, "version: a whole number"),
        ({"versions": "1"}, "unknown option 'versions'"),
    ],
)
def test_wrong_options_of_the_source(spark: SparkSession, lake: Path, options: dict[str, str], message: str) -> None:
    with pytest.raises(PySparkException, match=message):
        spark.read.format("lake").options(**options).load(str(lake)).collect()
