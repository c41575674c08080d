"""Tables whose rows only one process can number, or whose numbers Spark's tasks would lose: refused with what does it instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.errors import PySparkException

from lakecodec import lake, pipeline

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUIET: Any = {"progress": False}
IDENTITY = {"delta.identity.start": "10", "delta.identity.step": "5", "delta.identity.allowExplicitInsert": "false"}
GENERATED = {"delta.generationExpression": "id * 2"}
ROWS: Any = {"id": [1, 2, 3], "v": ["a", "b", "c"]}
CALLS: dict[str, Callable[[Any, str], Any]] = {
    "merge": lambda spark, path: pipeline.merge(
        spark, path, spark.sql("SELECT 2L AS id, 'x' AS v"), "id",
        when_matched_update={"v": "source.v"}, when_not_matched_insert={"id": "source.id", "v": "source.v"}, **QUIET,
    ),
    "update": lambda spark, path: pipeline.update(spark, path, {"v": "'x'"}, "id = 2", **QUIET),
    "optimize": lambda spark, path: pipeline.optimize(spark, path, zorder_by="id", **QUIET),
    "ingest": lambda spark, path: pipeline.ingest(
        spark, spark.sql("SELECT 4L AS id, 'd' AS v"), path, mode="append", **QUIET
    ),
    "write": lambda spark, path: spark.sql("SELECT 4L AS id, 'd' AS v").write.format("lake").mode("append").save(path),
}  # fmt: skip
REFUSED = [
    ("tracked", "merge", "functions of lake keep them"),
    ("tracked", "update", "functions of lake keep them"),
    ("tracked", "optimize", "functions of lake keep them"),
    ("identity", "merge", "pipeline.merge does not compute the column 'n'; lake.merge does"),
    ("identity", "update", "pipeline.update does not compute the column 'n'; lake.update does"),
    ("identity", "ingest", "identity column 'n' cannot be numbered by Spark's tasks; lake.write numbers it"),
    ("identity", "write", "identity column 'n' cannot be numbered by Spark's tasks; lake.write numbers it"),
    ("generated", "merge", "pipeline.merge does not compute the column 'n'; lake.merge does"),
    ("generated", "update", "pipeline.update does not compute the column 'n'; lake.update does"),
]
DONE = [
    ("tracked", "ingest"),
    ("tracked", "write"),
    ("identity", "optimize"),
    ("generated", "ingest"),
    ("generated", "write"),
]


def made(path: Path, kind: str) -> str:
    rule = {"identity": IDENTITY, "generated": GENERATED}.get(kind)
    fields = [pa.field("id", pa.int64()), pa.field("v", pa.string())]
    fields += [] if rule is None else [pa.field("n", pa.int64(), metadata=rule)]
    properties: dict[str, str | bool] = {"delta.enableDeletionVectors": True}
    properties |= {"delta.enableRowTracking": True} if kind == "tracked" else {}
    lake.write(pa.schema(fields).empty_table(), path, properties=properties, **QUIET)
    lake.write(ROWS, path, **QUIET)
    return str(path)


@pytest.mark.parametrize(("kind", "call", "message"), REFUSED)
def test_refused(spark: SparkSession, tmp_path: Path, kind: str, call: str, message: str) -> None:
    path = made(tmp_path / "t", kind)
    before = sorted(Path(path).rglob("*"))
    with pytest.raises((lake.UnsupportedTableError, PySparkException), match=message):
        CALLS[call](spark, path)
    assert sorted(Path(path).rglob("*")) == before


@pytest.mark.parametrize(("kind", "call"), DONE)
def test_done(spark: SparkSession, tmp_path: Path, kind: str, call: str) -> None:
    path = made(tmp_path / "t", kind)
    CALLS[call](spark, path)
    found = lake.scan(path).read_all().sort_by("id")
    assert found["id"].to_pylist() == ([1, 2, 3] if call == "optimize" else [1, 2, 3, 4])
    if kind == "identity":
        assert found["n"].to_pylist() == [10, 15, 20]
    if kind == "generated":
        assert found["n"].to_pylist() == [2, 4, 6, 8]
    assert lake.check(path, deep=True) == []


def test_rows_of_tracked_tables_are_deleted_by_vectors(spark: SparkSession, tmp_path: Path) -> None:
    path = made(tmp_path / "t", "tracked")
    pipeline.delete(spark, path, "id = 2", **QUIET)
    assert lake.scan(path).read_all()["id"].to_pylist() == [1, 3]
    with pytest.raises(lake.UnsupportedTableError, match="functions of lake keep them"):
        pipeline.delete(spark, path, "id = 3", deletion_vectors=False, **QUIET)
