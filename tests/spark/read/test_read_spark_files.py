"""`pipeline.read` by Spark's own Parquet reader: the same rows, less work, and our reader where Spark's would be wrong."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException

from lakecodec.lake.log import Log
from lakecodec.pipeline import convert, ingest, read, scan
from lakecodec.spark.sources import spark_files
from tests.lake.read.test_read_golden import LOGS, NAMES, REFUSED, rows_of, table_of
from tests.spark.lakes import write_lake
from tests.spark.read.test_read_spark import WHERE, everything, ids, lake  # noqa: F401
from tests.spark.tables import by_id, every_type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def plan_of(frame: DataFrame) -> str:
    """The physical plan as text, with what is pushed down."""
    java: Any = frame
    return str(java._jdf.queryExecution().executedPlan().toString())


def is_sparks(frame: DataFrame) -> bool:
    return "FileScan parquet" in plan_of(frame)


@pytest.mark.parametrize("name", WHERE)
def test_filters_of_the_frame(spark: SparkSession, lake: Path, everything: DataFrame, name: str) -> None:  # noqa: F811
    found = WHERE[name]
    where = found if isinstance(found, str) else found()
    frame = read(spark, lake).where(where)
    assert is_sparks(frame)
    assert ids(frame) == ids(everything.where(where)) != []


def test_only_what_a_query_needs_is_read(spark: SparkSession, lake: Path) -> None:  # noqa: F811
    frame = read(spark, lake)
    assert "ReadSchema: struct<name:string>" in plan_of(frame.groupBy("name").count())
    assert "ReadSchema: struct<place:struct<x:bigint>>" in plan_of(frame.select("place.x"))
    plan = plan_of(frame.where("region = 'north' AND day > DATE'2024-01-01' AND id < 3").select("name"))
    assert "(region#" in (partitions := plan.partition("PartitionFilters: [")[2].partition("]")[0])
    assert "(day#" in partitions
    assert "LessThan(id,3)" in plan.partition("PushedFilters: [")[2].partition("]")[0]
    assert frame.where("region = 'north'").select("region").distinct().collect() == [("north",)]
    assert read(spark, lake, columns=["day", "region"]).distinct().count() == 12


def test_partition_values_of_all_types(spark: SparkSession, tmp_path: Path) -> None:
    table = every_type(40)
    names = ("small", "share", "value", "flag", "price", "when", "local", "data", "region")
    write_lake(tmp_path / "t", table, partition_by=names)
    frame = read(spark, tmp_path / "t")
    assert is_sparks(frame)
    assert by_id(frame.toArrow()) == by_id(read(spark, tmp_path / "t", verify=True).toArrow())
    assert ids(frame.where("value > 80")) == [5]
    assert ids(frame.where("when = TIMESTAMP'2024-03-01 00:00:17'")) == [1]


@pytest.mark.parametrize("values", [[1.0, 2.0, 3.0, float("nan")], [-0.0, -0.0, -0.0, -0.0]])
@pytest.mark.parametrize("how", ["foreign", "ours"])
@pytest.mark.parametrize("nested", [False, True])
def test_bounds_of_floats_are_not_believed(
    spark: SparkSession, tmp_path: Path, how: str, values: list[float], nested: bool
) -> None:
    """Bounds leave NaN out, which is above all numbers; dictionaries have one zero, of which there are two."""
    column = pa.StructArray.from_arrays([pa.array(values)], ["y"]) if nested else pa.array(values)
    table = pa.table({"id": range(4), "x": column})
    if how == "ours":
        ingest(spark, spark.createDataFrame(table), tmp_path / "t", progress=False)
    else:
        write_lake(tmp_path / "t", table)
    name = "x.y" if nested else "x"
    for where in (f"{name} > 1000", f"{name} = 0", f"{name} >= 0", f"{name} <= 0D", f"{name} = double('NaN')"):
        expected = ids(spark.createDataFrame(table).where(where))
        assert ids(read(spark, tmp_path / "t").where(where)) == expected, where
        assert ids(read(spark, tmp_path / "t", where=where)) == expected, where
    assert is_sparks(read(spark, tmp_path / "t"))


def test_row_groups_are_skipped_where_no_float_is_nan(spark: SparkSession, tmp_path: Path) -> None:
    """The tag of a file says so; by the number of rows that the scan hands on."""
    rows = 200_000
    for name, last in (("tagged", 0.5), ("nan", float("nan"))):
        table = pa.table({"id": range(rows), "x": [0.25] * (rows - 1) + [last]})
        frame = spark.createDataFrame(table).coalesce(1)
        ingest(spark, frame, tmp_path / name, target_file_bytes=1 << 20, sort_by="id", progress=False)
    tags = [add.tags for add in Log(tmp_path / "tagged").snapshot().files]
    assert tags == [{"lakecodec.noNaN": "true"}] * len(tags)
    assert [add.tags for add in Log(tmp_path / "nan").snapshot().files][-1] is None
    assert scanned(read(spark, tmp_path / "tagged").where("id = 7")) < rows // 2
    assert scanned(read(spark, tmp_path / "nan").where("id = 7")) == rows
    assert is_sparks(read(spark, tmp_path / "tagged", where="id = 7"))
    assert not is_sparks(read(spark, tmp_path / "nan", where="id = 199999"))


def scanned(frame: DataFrame) -> int:
    """The number of rows that the scan of a query gave."""
    frame.collect()
    java: Any = frame
    scan = java._jdf.queryExecution().executedPlan()
    while not str(scan.nodeName()).startswith("Scan parquet"):
        scan = scan.child() if "child" in dir(scan) else scan.children().head()
    return int(scan.metrics().get("numOutputRows").get().value())


def test_versions_are_different_relations(spark: SparkSession, tmp_path: Path) -> None:
    """Spark compares plans, to read once what two parts of a query read and to find what is cached."""
    table = every_type(20).select(["id", "name"])
    write_lake(tmp_path / "t", table)
    old = read(spark, tmp_path / "t").cache()
    assert old.count() == 20
    write_lake(tmp_path / "t", table)
    new = read(spark, tmp_path / "t")
    assert new.count() == 40
    assert old.groupBy("id").count().join(new.groupBy("id").count(), "id").where("id = 1").collect() == [(1, 1, 2)]
    assert new.join(read(spark, tmp_path / "t", version=0), "id").count() == 40
    spark.catalog.refreshByPath(str(tmp_path))
    assert (old.count(), read(spark, tmp_path / "t").count()) == (20, 40)
    old.unpersist()
    some = read(spark, tmp_path / "t", where="id < 3"), read(spark, tmp_path / "t", where="id > 17")
    assert [frame.count() for frame in some] == [6, 4]


def test_names_that_paths_and_spark_treat_in_their_own_way(spark: SparkSession, tmp_path: Path) -> None:
    root = tmp_path / "a b%20[x]{y}*#?ü:"
    table = pa.table({"id": [1, 2], "p.q": ["x/y=%41*", "[a]{b} ü"], "a`b": [3, 4]})
    write_lake(root, table, partition_by=("p.q",))
    frame = read(spark, root)
    assert is_sparks(frame)
    assert by_id(frame.toArrow()) == by_id(table)


def test_a_file_of_another_partition_in_one_directory(spark: SparkSession, tmp_path: Path) -> None:
    """Partition values are the log's, whatever directories say."""
    write_lake(tmp_path / "t", pa.table({"id": [1, 2], "p": ["a", "b"]}), partition_by=("p",))
    log = next((tmp_path / "t" / "_delta_log").glob("*.json"))
    (moved,) = (tmp_path / "t" / "p=b").iterdir()
    os.rename(moved, tmp_path / "t" / "p=a" / moved.name)
    log.write_text(log.read_text().replace(f"p=b/{moved.name}", f"p=a/{moved.name}"))
    frame = read(spark, tmp_path / "t")
    assert not is_sparks(frame)
    assert by_id(frame.toArrow()) == [{"id": 1, "p": "a"}, {"id": 2, "p": "b"}]


def test_nanoseconds(spark: SparkSession, tmp_path: Path) -> None:
    """Tables have microseconds, files of a converted directory may have others, which Spark refuses."""
    times = pa.array([1_700_000_000_123_456_000], pa.timestamp("ns"))
    pq.write_table(pa.table({"id": [1], "t": times}), tmp_path / "a.parquet")
    convert(None, tmp_path)
    frame = read(spark, tmp_path)
    assert not is_sparks(frame)
    assert str(frame.collect()[0]["t"]) == "2023-11-14 22:13:20.123456"


def test_errors_name_the_file(spark: SparkSession, tmp_path: Path) -> None:
    write_lake(tmp_path / "t", every_type(100).select(["id", "name"]))
    (file,) = (tmp_path / "t").glob("*.parquet")
    frame = read(spark, tmp_path / "t")
    assert is_sparks(frame)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(Py4JError, match=file.name):
        frame.collect()
    file.unlink()
    with pytest.raises(Py4JError, match=file.name):
        frame.collect()
    with pytest.raises(PySparkException, match=rf"FileNotFoundError.*{file.name}"):
        read(spark, tmp_path / "t").collect()


#: Spark's reader is not used for tables with variants: tests/variant/test_spark.py.
VARIANTS = {"unshredded-variant"}


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {*REFUSED, *LOGS, *VARIANTS}])
def test_tables_of_other_writers(spark: SparkSession, name: str, tmp_path: Path) -> None:
    path = table_of(name, tmp_path)
    assert rows_of(read(spark, path).toArrow()) == rows_of(scan(path).read_all())


def test_nothing_is_inserted_into_a_frame(spark: SparkSession, tmp_path: Path) -> None:
    """Spark would write the rows into the relation's directory, which is not the table's."""
    for name, partitions in (("t", ()), ("p", ("name",))):
        write_lake(tmp_path / name, pa.table({"id": [1, 2], "name": ["a", "b"]}), partition_by=partitions)
        frame = read(spark, tmp_path / name)
        assert is_sparks(frame)
        frame.createOrReplaceTempView("inserted")
        with pytest.raises(PySparkException, match=r"nothing can be inserted into: use pipeline\.ingest"):
            spark.sql("INSERT INTO inserted SELECT * FROM inserted")
        assert ids(spark.table("inserted")) == [1, 2]


def test_a_spark_that_is_built_in_another_way(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Classes that are not there look like packages to py4j."""
    write_lake(tmp_path / "t", pa.table({"id": [1, 2]}))

    def frame(self: Any, *given: Any) -> Any:
        return self._jvm.org.apache.spark.sql.execution.NotThere(*given)

    monkeypatch.setattr(spark_files._Relation, "frame", frame)
    with pytest.warns(RuntimeWarning, match=r"filters and columns of the DataFrame are not pushed down.*callable"):
        assert ids(read(spark, tmp_path / "t")) == [1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert ids(read(spark, tmp_path / "t")) == [1, 2]
