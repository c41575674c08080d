"""`pipeline.read` and the data source ``lake`` against Spark's own reader and filters."""

from __future__ import annotations

import base64
import pickle
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from lakecodec.pipeline import read
from lakecodec.pipeline.log import VersionNotFoundError

from .spark.lakes import write_lake
from .spark.tables import by_id, every_type

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


def test_a_plan_of_somebody_else_is_refused(spark: SparkSession, lake: Path) -> None:
    frame = read(spark, lake)
    forged = base64.b64encode(bytes(32) + zlib.compress(pickle.dumps(print))).decode()
    with pytest.raises(PySparkException, match="plan: it was not made by this session"):
        spark.read.format("lakecodec_planned").schema(frame.schema).option("plan", forged).load().collect()


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
    with pytest.raises(ValueError, match=r"where: .*nope"):
        read(spark, lake, where="nope = 1")
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
