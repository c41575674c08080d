"""Deletion vectors that `delete`, `update` and `merge` write with Spark: as the same changes without it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lakecodec import lake
from lakecodec.lake.log import Log
from lakecodec.pipeline import check, delete, merge, optimize, read, scan, scan_changes, set_properties, update
from tests.lake.read.test_read_changes import FEED
from tests.spark.changes.test_changes_spark_rows import ROWS, by_id, paths
from tests.spark.lakes import write_lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VECTORS = {"delta.enableDeletionVectors": True}


def marked(root: Path) -> list[int]:
    """How many rows each file has that are deleted in it."""
    found = [add.deletion_vector for add in Log(root).snapshot().files]
    return sorted(each["cardinality"] for each in found if each is not None)


@pytest.mark.parametrize("feed", [False, True], ids=["plain", "feed"])
@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_as_without_spark(spark: SparkSession, tmp_path: Path, format: str, feed: bool) -> None:
    ours, local = tmp_path / "spark", tmp_path / "local"
    for root in (ours, local):
        write_lake(root, ROWS, partition_by=("p",), format=format, file_rows=50)
        set_properties(root, {**VECTORS, **(FEED if feed else {})})
    before = paths(ours)
    source = pa.table({"id": [5, 140, 141, 142, 1000], "n": pa.array([1, 2, 3, 4, 5], pa.int32()), "p": ["p0"] * 5})
    clauses: dict[str, Any] = {
        "when_matched_update": {"n": "source.n"},
        "when_matched_delete": "target.id = 141",
        "when_not_matched_insert": True,
    }
    steps: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
        ("delete", ("n > 3 AND id < 120",), {}),
        ("delete", ("id IN (1, 2, 3, 51, 150)",), {}),
        ("update", ({"n": "n + id", "p": "'p0'"}, "id BETWEEN 140 AND 160 AND n IS NOT NULL"), {}),
        ("delete", ("p = 'p3'",), {}),
        ("merge", (source, ["id"]), clauses),
        ("update", ({"n": "0"}, "p = 'p2'"), {}),
    ]
    for name, arguments, options in steps:
        run = {"delete": delete, "update": update, "merge": merge}[name]
        mine = [spark.createDataFrame(each) if isinstance(each, pa.Table) else each for each in arguments]
        found = run(spark, ours, *mine, progress=False, **options)  # type: ignore[operator]
        expected = getattr(lake, name)(local, *arguments, progress=False, **options)
        assert by_id(scan(ours).read_all()) == by_id(lake.scan(local).read_all())
        assert marked(ours) == marked(local)
        for metric in ("numDeletedRows", "numUpdatedRows", "numTargetRowsMatched", "numDeletionVectorsAdded"):
            assert found.metrics.get(metric) == expected.metrics.get(metric), (name, metric)
    assert by_id(read(spark, ours).toArrow()) == by_id(lake.scan(local).read_all())
    assert len(before & paths(ours)) >= 4, "files with some deleted rows stay"
    assert check(ours, deep=True) == []
    if feed:
        kinds = [
            Counter(scan_changes(root, 1, columns=["_change_type"]).read_all()["_change_type"].to_pylist())
            for root in (ours, local)
        ]
        assert kinds[0] == kinds[1]
    optimize(spark, ours, progress=False)
    assert by_id(scan(ours).read_all()) == by_id(lake.scan(local).read_all())


def test_the_argument_decides(spark: SparkSession, tmp_path: Path) -> None:
    """Whatever the property says."""
    root = tmp_path / "t"
    write_lake(root, ROWS, file_rows=100)
    delete(spark, root, "id IN (1, 2)", deletion_vectors=True, progress=False)
    assert marked(root) == [2]
    set_properties(root, VECTORS)
    before = paths(root)
    delete(spark, root, "id = 150", deletion_vectors=False, progress=False)
    assert (marked(root), len(before - paths(root))) == ([2], 1)
    with pytest.raises(TypeError, match="deletion_vectors: True, False or None"):
        delete(spark, root, "id = 1", deletion_vectors="yes", progress=False)  # type: ignore[arg-type]
    assert scan(root).read_all().num_rows == 397


def test_predicates_that_are_another_each_time(spark: SparkSession, tmp_path: Path) -> None:
    """They are asked once: the rows that are marked are those that are written anew."""
    root = tmp_path / "t"
    write_lake(root, ROWS, file_rows=100)
    set_properties(root, VECTORS)
    info = update(spark, root, {"n": "-1"}, "rand() < 0.3", progress=False)
    rows = scan(root).read_all()
    assert sorted(rows["id"].to_pylist()) == list(range(400))
    assert pc.sum(pc.equal(rows["n"], -1)).as_py() == info.metrics["numUpdatedRows"] == sum(marked(root))
    info = delete(spark, root, "rand() < 0.3", progress=False)
    assert scan(root).read_all().num_rows == 400 - info.metrics["numDeletedRows"]
