"""The data source ``mosaic``: directories written and read, replaced, refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from lakecodec import mosaic
from tests.spark.tables import by_id, every_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def rows(spark: SparkSession, *numbers: int) -> DataFrame:
    return spark.createDataFrame([(number, f"n{number}") for number in numbers], "id bigint, name string")


def ids(spark: SparkSession, path: Path, **options: str) -> list[int]:
    return sorted(row["id"] for row in spark.read.format("mosaic").options(**options).load(str(path)).collect())


def save(frame: DataFrame, path: Path, mode: str = "append") -> None:
    frame.write.format("mosaic").mode(mode).save(str(path))


def hidden(path: Path) -> list[str]:
    """What is left over in the directory and beside it."""
    return [
        item.name for folder in (path, path.parent) for item in folder.iterdir() if item.name.startswith((".", "_"))
    ]


def test_every_type_comes_back(spark: SparkSession, tmp_path: Path) -> None:
    table = every_type().drop_columns(["place"])  # the format has no structs
    frame = spark.createDataFrame(table).withColumn("local", F.col("local").cast("timestamp_ntz"))
    save(frame, tmp_path / "t")
    found = spark.read.format("mosaic").load(str(tmp_path / "t"))
    assert by_id(found.toArrow()) == by_id(frame.toArrow())
    assert found.schema == frame.schema


def test_append_and_overwrite(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, 1, 2), path)
    save(rows(spark, 3), path)
    assert ids(spark, path) == [1, 2, 3]
    save(rows(spark, 4).coalesce(1), path, "overwrite")
    assert ids(spark, path) == [4]
    assert len(list(path.iterdir())) == 1
    assert hidden(path) == []


def test_load_files_and_lists(spark: SparkSession, tmp_path: Path) -> None:
    for number in range(3):
        mosaic.write_table(pa.table({"id": [number]}), str(tmp_path / f"{number}.mosaic"))
    one, *others = (str(tmp_path / f"{number}.mosaic") for number in range(3))
    assert [row["id"] for row in spark.read.format("mosaic").load(one).collect()] == [0]
    assert sorted(row["id"] for row in spark.read.format("mosaic").load(others).collect()) == [1, 2]
    assert ids(spark, tmp_path, where="id >= 1") == [1, 2]


def test_columns_of_files_may_be_missing(spark: SparkSession, tmp_path: Path) -> None:
    mosaic.write_table(pa.table({"id": [1], "x": ["a"]}), str(tmp_path / "0.mosaic"))
    mosaic.write_table(pa.table({"id": [2]}), str(tmp_path / "1.mosaic"))
    found = spark.read.format("mosaic").load(str(tmp_path)).orderBy("id").collect()
    assert [tuple(row) for row in found] == [(1, "a"), (2, None)]


def test_no_rows_keep_the_columns(spark: SparkSession, tmp_path: Path) -> None:
    save(rows(spark).where("id > 5"), tmp_path / "t")
    found = spark.read.format("mosaic").load(str(tmp_path / "t"))
    assert (found.columns, found.count()) == (["id", "name"], 0)


def test_missing_path(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(PySparkException, match="does not exist"):
        spark.read.format("mosaic").load(str(tmp_path / "nothing")).collect()


def test_types_are_refused_by_column_before_anything_is_written(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(PySparkException, match="'s'"):
        save(spark.sql("SELECT 1 AS id, named_struct('a', 1) AS s"), tmp_path / "t")
    with pytest.raises(PySparkException, match="'i' is interval"):
        save(spark.sql("SELECT 1 AS id, INTERVAL 1 DAY AS i"), tmp_path / "t")
    assert list(tmp_path.iterdir()) == []


def test_append_that_does_not_fit(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    save(rows(spark, 1), path)
    with pytest.raises(PySparkException, match="'other': the table has no such column"):
        save(spark.sql("SELECT 1L AS id, 2 AS other"), path)
    assert ids(spark, path) == [1]
    assert hidden(path) == []


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_a_failed_job_leaves_everything_as_it_was(spark: SparkSession, tmp_path: Path, mode: str) -> None:
    path = tmp_path / "t"
    save(rows(spark, 1), path)
    broken = rows(spark, *range(100)).repartition(4).selectExpr("id", "IF(id = 57, raise_error('no'), name) AS name")
    with pytest.raises(PySparkException, match="no"):
        save(broken, path, mode)
    assert ids(spark, path) == [1]
    assert hidden(path) == []
