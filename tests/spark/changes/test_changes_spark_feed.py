"""Change data feeds that `delete`, `update`, `merge` and `ingest` write; deltalake reads them, too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from lakecodec.lake.log import Log, LogError
from lakecodec.pipeline import (
    check,
    delete,
    ingest,
    merge,
    optimize,
    read_changes,
    restore,
    scan,
    scan_changes,
    set_properties,
    update,
)
from tests.lake.read.test_read_changes import FEED, TIME, kinds, replayed
from tests.lake.read.test_read_golden import rows_of
from tests.spark.lakes import write_lake

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = pa.table(
    {
        "id": pa.array(range(400), pa.int64()),
        "p": [f"p{i // 100}" for i in range(400)],
        "n": pa.array([None if i % 5 == 0 else i % 7 for i in range(400)], pa.int32()),
        "a.b": [f"text {i}" for i in range(400)],
    }
)


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_feed_of_a_life(spark: SparkSession, tmp_path: Path, format: str) -> None:
    root = tmp_path / "t"
    write_lake(root, ROWS, partition_by=("p",), format=format, file_rows=50)
    set_properties(root, FEED)
    quiet: dict[str, Any] = {"progress": False}
    expected: list[dict[str, int]] = [{}]

    delete(spark, root, "p = 'p3' OR id IN (5, 6, 7, 150)", **quiet)  # some files whole, some not
    expected.append({"delete": 104})
    delete(spark, root, "p = 'p2'", **quiet)  # whole files alone
    assert Log(root).commit(3).changes == []
    expected.append({"delete": 100})
    update(spark, root, {"n": "rand() * 1000", "p": "concat(p, 'x')"}, "id BETWEEN 95 AND 104", **quiet)
    expected.append({"update_preimage": 10, "update_postimage": 10})
    source = spark.sql("SELECT id, 'p1' AS p, 9 AS n, 'merged' AS `a.b` FROM range(110, 120)")
    source = source.union(spark.sql("SELECT 1000L, 'p9', 1, 'new'"))
    merge(
        spark, root, source, "id", when_matched_update={"n": "source.n + rand()"},
        when_matched_delete="target.id >= 118", when_not_matched_insert=True, **quiet,
    )  # fmt: skip
    expected.append({"insert": 1, "update_preimage": 8, "update_postimage": 8, "delete": 2})
    merge(spark, root, source.where("id > 999").selectExpr("id + 1 AS id", "p", "n", "`a.b`"), "id",
          when_not_matched_insert=True, **quiet)  # fmt: skip
    assert Log(root).commit(6).changes == []
    expected.append({"insert": 1})
    merge(spark, root, source.limit(1), "id", when_matched_update={"n": "7"}, **quiet)
    expected.append({"update_preimage": 1, "update_postimage": 1})
    ingest(spark, source.limit(2), root, mode="append", **quiet)
    expected.append({"insert": 2})
    optimize(spark, root, **quiet)
    expected.append({})
    rows = scan(root, where="p = 'p1'").read_all().num_rows
    ingest(spark, source.limit(2), root, mode="overwrite_partitions", **quiet)
    expected.append({"insert": 2, "delete": rows})
    before = scan(root).read_all().num_rows
    ingest(spark, source.limit(3), root, mode="overwrite", **quiet)
    expected.append({"insert": 3, "delete": before})
    restore(None, root, 10)
    expected.append({"insert": before, "delete": 3})

    for version, wanted in enumerate(expected, 1):
        changes = scan_changes(root, version, version).read_all()
        assert kinds(changes) == {kind: wanted[kind] for kind in kinds(changes)}, version
        assert set(wanted) == set(kinds(changes)), version
        assert replayed(changes, rows_of(scan(root, version=version - 1).read_all())) == rows_of(
            scan(root, version=version).read_all()
        ), version
        if format == "parquet":
            theirs = pa.table(DeltaTable(root).load_cdf(starting_version=version, ending_version=version))
            assert rows_of(changes, TIME) == rows_of(theirs.select(changes.schema.names), TIME)
    assert check(root) == []

    every = scan_changes(root, 1).read_all()
    assert rows_of(read_changes(spark, root, 1).toArrow()) == rows_of(every)
    found = read_changes(
        spark, root, 2, 5, columns=["_change_type", "id"], where="upper(_change_type) LIKE 'UP%' AND id > 96"
    )
    assert found.columns == ["_change_type", "id"]
    assert found.count() == 16 + 16
    reader = spark.read.format("lake").option("readChangeFeed", "true").option("startingVersion", "2")
    source_rows = reader.option("endingVersion", "5").load(str(root))
    assert rows_of(source_rows.toArrow()) == rows_of(scan_changes(root, 2, 5).read_all())
    with pytest.raises(LogError, match="version 0 was made without"):
        read_changes(spark, root, 0)


def test_stream_of_changes(spark: SparkSession, tmp_path: Path) -> None:
    root, out = tmp_path / "t", str(tmp_path / "out")
    write_lake(root, ROWS.slice(0, 100), file_rows=50)
    set_properties(root, FEED)

    def run() -> None:
        source = spark.readStream.format("lake").option("readChangeFeed", "true").load(str(root))
        sink = source.writeStream.format("lake").option("checkpointLocation", str(tmp_path / "checkpoint"))
        sink.trigger(availableNow=True).start(out).awaitTermination()

    run()
    assert kinds(scan(out).read_all()) == {"insert": 100}
    delete(spark, root, "id < 10", progress=False)
    update(spark, root, {"n": "1"}, "id = 60", progress=False)
    run()
    found = scan(out).read_all()
    assert kinds(found) == {"insert": 100, "delete": 10, "update_preimage": 1, "update_postimage": 1}
    assert replayed(found) == rows_of(scan(root).read_all())
