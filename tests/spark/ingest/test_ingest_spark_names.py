"""Names that differ in case, and fields in another order: appends, merges and updates go by name, as those of Spark's tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from deltalake import DeltaTable

from lakecodec.lake.log import Log, SchemaMismatchError
from lakecodec.pipeline import ingest, merge, read, register, scan, update

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KINDS = "id long, s struct<a: int, b: int>, l array<struct<x: int, y: int>>, m map<string, struct<x: int, y: int>>, Day string"
OTHER = "DAY string, M map<string, struct<Y: int, X: int>>, L array<struct<Y: int, X: int>>, S struct<B: int, A: int>, ID int"
NAMES = ["id", "s", "l", "m", "Day"]


@pytest.fixture
def rows(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([(1, (1, 2), [(3, 4)], {"k": (5, 6)}, "mon")], KINDS)


@pytest.fixture
def others(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([("tue", {"k": (60, 50)}, [(40, 30)], (20, 10), 2)], OTHER)


@pytest.fixture
def expected(spark: SparkSession, rows: DataFrame, others: DataFrame, tmp_path: Path) -> Iterator[list[Any]]:
    """What a table of Spark's own has after the same append."""
    rows.write.format("parquet").saveAsTable("names", path=str(tmp_path / "spark"))
    try:
        others.write.format("parquet").mode("append").saveAsTable("names")
        yield contents(spark.table("names"))
    finally:
        spark.sql("DROP TABLE names")


def contents(frame: DataFrame) -> list[Any]:
    assert frame.columns == NAMES
    return sorted((row.asDict(recursive=True) for row in frame.collect()), key=lambda row: row["id"])


def of_table(spark: SparkSession, path: Path) -> list[Any]:
    assert Log(path).snapshot().schema.names == NAMES
    assert (
        DeltaTable(path).to_pyarrow_table().sort_by("id").to_pylist() == scan(path).read_all().sort_by("id").to_pylist()
    )
    return contents(read(spark, path))


@pytest.mark.parametrize("options", [{}, {"schema_mode": "merge"}, {"partition_by": "day"}, {"sort_by": "-Id"}])
@pytest.mark.parametrize("sensitive", ["false", "true"])
def test_appends(
    spark: SparkSession,
    rows: DataFrame,
    others: DataFrame,
    expected: list[Any],
    tmp_path: Path,
    options: dict[str, Any],
    sensitive: str,
) -> None:
    ingest(spark, rows, tmp_path / "t", partition_by="Day", progress=False)
    spark.conf.set("spark.sql.caseSensitive", sensitive)
    try:
        ingest(spark, others, tmp_path / "t", mode="append", progress=False, **options)
    finally:
        spark.conf.unset("spark.sql.caseSensitive")
    assert of_table(spark, tmp_path / "t") == expected


def test_the_source_lake(
    spark: SparkSession, rows: DataFrame, others: DataFrame, expected: list[Any], tmp_path: Path
) -> None:
    register(spark)
    target = str(tmp_path / "t")
    rows.write.format("lake").option("partitionBy", "Day").mode("append").save(target)
    others.write.format("lake").option("partitionBy", "day").mode("append").save(target)
    assert of_table(spark, tmp_path / "t") == expected


@pytest.mark.parametrize("on", ["id", "ID", ["Id"], "target.id = source.id"])
def test_merges(
    spark: SparkSession, rows: DataFrame, others: DataFrame, expected: list[Any], tmp_path: Path, on: Any
) -> None:
    before = rows.unionAll(rows.selectExpr("id + 1", "named_struct('a', 0, 'b', 0)", "l", "m", "Day"))
    ingest(spark, before, tmp_path / "t", progress=False)
    merge(spark, tmp_path / "t", others, on, when_matched_update=True, progress=False)
    assert of_table(spark, tmp_path / "t") == expected
    ingest(spark, rows, tmp_path / "t", mode="overwrite", progress=False)
    merge(spark, tmp_path / "t", others, on, when_not_matched_insert=True, progress=False)
    assert of_table(spark, tmp_path / "t") == expected


def test_updates_set_fields_by_name(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    ingest(spark, rows, tmp_path / "t", progress=False)
    update(spark, tmp_path / "t", {"s": "named_struct('B', 20L, 'a', 10L)", "L": "null"}, progress=False)
    (row,) = scan(tmp_path / "t").read_all().to_pylist()
    assert (row["s"], row["l"]) == ({"a": 10, "b": 20}, None)
    for value in ("named_struct('a', 1)", "named_struct('a', 1, 'c', 2)", "named_struct('a', 1, 'b', 2, 'c', 3)"):
        with pytest.raises(ValueError, match=r"'s': the value has other fields than the table's: struct<a:int"):
            update(spark, tmp_path / "t", {"s": value}, progress=False)
    more = rows.selectExpr("id", "named_struct('b', 1, 'c', 2) AS s")
    with pytest.raises(ValueError, match="'s': the value has other fields than the table's"):
        merge(spark, tmp_path / "t", more, "id", when_matched_update=True, progress=False)


def test_overwrites_take_the_names_of_the_source(spark: SparkSession, rows: DataFrame, tmp_path: Path) -> None:
    ingest(spark, rows, tmp_path / "t", partition_by="Day", progress=False)
    ingest(spark, rows.selectExpr("id AS ID", "Day AS day"), tmp_path / "t", mode="overwrite", progress=False)
    snapshot = Log(tmp_path / "t").snapshot()
    assert (snapshot.schema.names, snapshot.partition_columns) == (["ID", "day"], ("day",))
    with pytest.raises(SchemaMismatchError, match="'idd': the table has no such column"):
        ingest(spark, rows.selectExpr("id AS idd", "day"), tmp_path / "t", mode="append", progress=False)
