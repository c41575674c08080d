"""Writing tables with ``df.write.format("lake")``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from deltalake import DeltaTable
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from lakecodec import lake
from lakecodec.pipeline import check, history, read
from tests.spark.tables import by_id, every_type, files_in

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def rows(spark: SparkSession, *numbers: int) -> DataFrame:
    return spark.createDataFrame([(number, number % 3) for number in numbers], "id bigint, part int")


def save(frame: DataFrame, path: Path, mode: str = "append", **options: str) -> None:
    frame.write.format("lake").mode(mode).options(**options).save(str(path))


def ids(path: Path, version: int | None = None) -> list[int]:
    return sorted(DeltaTable(path, version=version).to_pyarrow_table()["id"].to_pylist())


def test_append_and_overwrite(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, *range(100)).coalesce(1), path, partitionBy="part")
    assert len(files_in(path)) == 3  # a file a partition, though rows come in any order
    save(rows(spark, 100), path, txnId="load-1")
    save(rows(spark, 100), path, txnId="load-1")
    assert ids(path) == list(range(101))
    save(rows(spark, 7), path, "overwrite")
    assert (ids(path), ids(path, 0), len(history(path))) == ([7], list(range(100)), 3)
    assert check(path) == []


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_every_type(spark: SparkSession, tmp_path: Path, format: str) -> None:
    frame = spark.createDataFrame(every_type()).withColumn("local", F.col("local").cast("timestamp_ntz"))
    if format == "mosaic":
        frame = frame.drop("place")
    save(frame, tmp_path / "t", format=format, partitionBy="day,flag")
    found = read(spark, tmp_path / "t")
    assert found.schema == frame.schema
    assert by_id(found.toArrow()) == by_id(frame.toArrow())


def test_refused_before_anything_is_written(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    interval = spark.sql("SELECT 1L AS id, INTERVAL 1 DAY AS i")
    for frame, options, message in (
        (interval, {}, "'i' is interval"),
        (spark.sql("SELECT 1L AS id, named_struct('a', 1) AS s"), {"format": "mosaic"}, "'s'"),
        (rows(spark, 1), {"partitionBy": "nope"}, "nope"),
        (rows(spark, 1), {"partition": "part"}, "unknown option 'partition'"),
    ):
        with pytest.raises(PySparkException, match=message):
            save(frame, path, **options)
        assert not path.exists()


def test_variants(spark: SparkSession, tmp_path: Path) -> None:
    """At any depth, shredded or not, new and appended; Mosaic files cannot hold them."""
    path = tmp_path / "t"
    query = """
        SELECT id, if(id = 3, NULL, parse_json('{{"a": ' || id || ', "b": [1, "x", null]}}')) AS v,
               named_struct('x', array(parse_json('null'), parse_json('"' || id || '"'))) AS s
        FROM range({}, {})
    """
    save(spark.sql(query.format(0, 5)), path)
    lake.set_properties(path, {"delta.enableVariantShredding": True})
    save(spark.sql(query.format(5, 10)), path)
    texts = ["id", "to_json(v) AS v", "to_json(s.x[0]) AS first", "to_json(s.x[1]) AS second"]
    expected = spark.sql(query.format(0, 10)).selectExpr(*texts).collect()
    assert spark.read.format("lake").load(str(path)).orderBy("id").selectExpr(*texts).collect() == expected
    assert lake.count(path, where="v.a >= 5") == 5
    assert lake.check(path, deep=True) == []
    with pytest.raises(PySparkException, match="'v'"):
        save(spark.sql(query.format(0, 1)), tmp_path / "m", format="mosaic")


def test_append_that_does_not_fit(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, 1), path, partitionBy="part")
    with pytest.raises(PySparkException, match="'other': the table has no such column"):
        save(rows(spark, 2).withColumn("other", F.lit(1)), path)
    with pytest.raises(PySparkException, match="partitionBy: id is requested, but the table is partitioned by part"):
        save(rows(spark, 2), path, partitionBy="id")
    assert ids(path) == [1]


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
@pytest.mark.parametrize("order", [{"sortBy": "-id"}, {"zorderBy": "id,noise"}, {"hilbertBy": "id,noise"}])
def test_rows_of_a_task_are_ordered(spark: SparkSession, tmp_path: Path, format: str, order: dict[str, str]) -> None:
    frame = rows(spark, *range(200)).withColumn("noise", F.xxhash64("id")).coalesce(1)
    save(frame, tmp_path / "t", partitionBy="part", format=format, maxRowsPerFile="20", **order)
    files = lake.open_scan(tmp_path / "t").plan.files
    assert [file.rows for file in files] == [20, 20, 20, 7, 20, 20, 20, 7, 20, 20, 20, 6]
    assert sorted(lake.scan(tmp_path / "t").read_all()["id"].to_pylist()) == list(range(200))
    found = lake.scan(tmp_path / "t", where="part = 1").read_all()["id"].to_pylist()
    assert (found == sorted(found, reverse=True)) == ("sortBy" in order)
    assert check(tmp_path / "t", deep=True) == []


def test_a_part_is_replaced(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, *range(9)), path, partitionBy="part")
    save(rows(spark, 30, 33), path, "overwrite", replaceWhere="part = 0")
    assert ids(path) == [1, 2, 4, 5, 7, 8, 30, 33]
    before = files_in(path)
    for frame, options, message in (
        (
            rows(spark, 30, 31),
            {"replaceWhere": "part = 0"},
            "a row's partition is not one that replace_where holds for",
        ),
        (rows(spark, 30), {"replaceWhere": "id = 0"}, "replaceWhere: a predicate over the partition columns part"),
        (rows(spark, 30), {"replaceWhere": "upper(part) = 0"}, "replaceWhere: "),
        (rows(spark, 30), {"partitionOverwriteMode": "maybe"}, "partitionOverwriteMode: static or dynamic is needed"),
        (rows(spark, 30), {"sortBy": "id", "zorderBy": "part"}, "sort_by, zorder_by: only one"),
        (rows(spark, 30), {"sortBy": "nope"}, "sortBy: 'nope' is not a column"),
    ):
        with pytest.raises(PySparkException, match=message):
            save(frame, path, "overwrite", **options)
    with pytest.raises(PySparkException, match="replaceWhere: the mode 'overwrite' is needed"):
        save(rows(spark, 30), path, replaceWhere="part = 0")
    assert (ids(path), files_in(path)) == ([1, 2, 4, 5, 7, 8, 30, 33], before)
    save(rows(spark, 5, 8, 11), path, "overwrite", partitionOverwriteMode="dynamic")
    assert ids(path) == [1, 4, 5, 7, 8, 11, 30, 33]
    save(rows(spark, 0).withColumn("more", F.lit("x")), path, schemaMode="merge")
    assert lake.scan(path, where="more = 'x'").read_all()["id"].to_pylist() == [0]
    assert check(path) == []


@pytest.mark.parametrize("by", ["partitionBy", "clusterBy"])
def test_what_spark_refuses_itself(spark: SparkSession, tmp_path: Path, by: str) -> None:
    writer = rows(spark, 1).write.format("lake").mode("append")
    with pytest.raises(PySparkException):
        getattr(writer, by)("part").save(str(tmp_path / "t"))
    assert not (tmp_path / "t").exists()


def test_a_failed_job_leaves_no_files(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, 1), path)
    before = files_in(path)
    broken = rows(spark, *range(100)).withColumn(
        "part", F.when(F.col("id") < 99, 1).otherwise(F.raise_error(F.lit("no")))
    )
    with pytest.raises(PySparkException, match="no"):
        save(broken.coalesce(1), path)
    assert files_in(path) == before
    assert ids(path) == [1]


def test_tables_of_the_catalog_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    """As far as Spark asks the source: of columns that a statement names it only makes an entry, which no query reads."""
    save(rows(spark, 1), tmp_path / "t")
    instead = "use load.path., save.path., or CREATE TEMPORARY VIEW"
    for statement in (
        f"CREATE TABLE lake_a USING lake LOCATION '{tmp_path}/t'",
        "CREATE TABLE lake_a USING lake",
        f"CREATE TABLE lake_a USING lake LOCATION '{tmp_path}/a' AS SELECT 1L AS id",
    ):
        with pytest.raises(PySparkException, match=instead):
            spark.sql(statement)
    with pytest.raises(PySparkException, match=instead):
        rows(spark, 1).write.format("lake").saveAsTable("lake_a")
    assert not spark.catalog.tableExists("lake_a")
    spark.sql(f"CREATE TABLE lake_b (id BIGINT) USING lake LOCATION '{tmp_path}/b'")
    try:
        spark.sql("ALTER TABLE lake_b ADD COLUMN part INT")
        for statement in ("SELECT * FROM lake_b", "INSERT INTO lake_b VALUES (1L, 2)"):
            with pytest.raises(
                PySparkException, match=f"a table of Spark's catalog has none here .*: drop it, and {instead}"
            ):
                spark.sql(statement).collect()
        for statement in ("DELETE FROM lake_b", "TRUNCATE TABLE lake_b"):
            with pytest.raises(PySparkException, match="does not support"):
                spark.sql(statement)
    finally:
        spark.sql("DROP TABLE lake_b")
    assert (ids(tmp_path / "t"), (tmp_path / "a").exists(), (tmp_path / "b").exists()) == ([1], False, False)
