"""`delete`, `update` and `merge` against the same statements on a DataFrame of Spark's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from deltalake import DeltaTable
from pyspark.sql import functions as F
from typer.testing import CliRunner

from lakecodec.cli.app import app
from lakecodec.lake.log import ConflictError, Log
from lakecodec.pipeline import (
    delete,
    history,
    ingest,
    merge,
    optimize,
    read,
    scan,
    set_properties,
    unset_properties,
    update,
)
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


def by_id(table: Any) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: (row["id"] is None, row["id"], row["n"] or -1))


def paths(root: Path) -> set[str]:
    return {add.path for add in Log(root).snapshot().files}


@pytest.mark.parametrize("format", ["parquet", "mosaic"])
def test_delete_and_update(spark: SparkSession, tmp_path: Path, format: str) -> None:
    root = tmp_path / "t"
    write_lake(root, ROWS, partition_by=("p",), format=format, file_rows=50)
    expected = spark.createDataFrame(ROWS)
    before = paths(root)

    info = delete(spark, root, "n > 3 AND id < 120", progress=False)
    expected = expected.where("NOT coalesce(n > 3 AND id < 120, false)")
    assert by_id(scan(root).read_all()) == by_id(expected.toArrow())
    assert info.operation == "DELETE"
    assert info.metrics["numDeletedRows"] == 400 - expected.count()
    assert len(before & paths(root)) == 5, "files of ids from 150 on are left alone"

    assert delete(spark, root, "p = 'p3'", progress=False).num_files == 0, "told by the log"
    expected = expected.where("p <> 'p3'")
    assert delete(spark, root, "id > 1000", progress=False).operation == "DELETE"
    assert Log(root).latest() == 2, "no row matches, no version is made"

    info = update(spark, root, {"N": "n + id", "p": F.lit("p0")}, "substr(`a.b`, 6) IN ('110', '101')", progress=False)
    hit = "substr(`a.b`, 6) IN ('110', '101')"
    expected = expected.withColumn("n", F.expr(f"CASE WHEN {hit} THEN cast(n + id AS int) ELSE n END"))
    expected = expected.withColumn("p", F.expr(f"CASE WHEN {hit} THEN 'p0' ELSE p END"))
    assert by_id(scan(root).read_all()) == by_id(expected.toArrow())
    assert scan(root, where="p = 'p0' AND id >= 100").read_all()["id"].to_pylist() == [101, 110]
    assert (info.metrics["numUpdatedRows"], info.metrics["numRemovedFiles"]) == (2, 1)
    for arguments, error, message in [
        (({"nope": "1"}, None), KeyError, "set: 'nope'"),
        (({"n": "nope + 1"}, None), ValueError, "set: .*nope"),
        (({}, None), TypeError, "set: a dict"),
        (({"n": "1"}, "hash(*) = 1"), ValueError, "where: a star"),
    ]:
        with pytest.raises(error, match=message):
            update(spark, root, *arguments, progress=False)  # type: ignore[arg-type]


def test_merge(spark: SparkSession, tmp_path: Path) -> None:
    root = tmp_path / "t"
    write_lake(root, ROWS, file_rows=50)
    before = paths(root)
    source = spark.sql(
        "SELECT id, 'new' AS p, 9 AS n, 'merged' AS `a.b` FROM range(95, 105) UNION ALL SELECT 1000, 'p', 1, 'x'"
    )
    source = source.union(spark.sql("SELECT CAST(null AS bigint), 'null', 0, 'n'"))
    info = merge(
        spark, root, source, "id", when_matched_update={"n": "target.n * 10 + source.n", "a.b": F.col("source.`a.b`")},
        when_matched_delete="target.id = 96", when_not_matched_insert=True, progress=False,
    )  # fmt: skip
    expected = {row["id"]: row for row in ROWS.to_pylist()}
    del expected[96]
    for id in (95, *range(97, 105)):
        old = expected[id]["n"]
        expected[id] |= {"n": None if old is None else old * 10 + 9, "a.b": "merged"}
    rows = [
        *expected.values(),
        {"id": 1000, "p": "p", "n": 1, "a.b": "x"},
        {"id": None, "p": "null", "n": 0, "a.b": "n"},
    ]
    assert by_id(DeltaTable(root).to_pyarrow_table()) == by_id(pa.Table.from_pylist(rows, ROWS.schema))
    assert info.metrics["numTargetRowsMatched"] == 10
    assert len(before & paths(root)) == 6

    twice = spark.sql("SELECT 5L AS id UNION ALL SELECT 5L")
    with pytest.raises(ValueError, match="multiple source rows match"):
        merge(spark, root, twice, "id", when_matched_delete=True, progress=False)
    with pytest.raises(KeyError, match="no column 'extra'"):
        merge(spark, root, twice.withColumn("extra", F.lit(1)), ["id"], when_matched_update=True, progress=False)
    with pytest.raises(ValueError, match="at least one is needed"):
        merge(spark, root, twice, "id", progress=False)
    version = Log(root).latest()
    condition = "target.id = source.id AND target.n IS NOT NULL"
    merge(spark, root, spark.sql("SELECT 5L AS id, 7 AS k"), condition, when_matched_delete=True, progress=False)
    assert Log(root).latest() == version, "n of 5 is null, so that nothing matches"
    assert [path for path in root.rglob("*.parquet") if path.name not in {*before, *paths(root)}] == [], "no orphans"


def test_merge_on_the_command_line(spark: SparkSession, tmp_path: Path) -> None:
    table, source = tmp_path / "table", tmp_path / "changes.csv"
    ingest(spark, spark.createDataFrame([(1, "a"), (2, "b"), (3, "c")], "id long, name string"), table, progress=False)
    source.write_text("id,name\n2,new\n3,gone\n4,more\n")
    command = ["merge", str(table), str(source), "--on", "id", "--quiet", "--json"]
    found = CliRunner().invoke(app, [*command, "--update", "--insert", "--delete", "source.name = 'gone'"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["version"] == 1
    assert sorted(map(tuple, read(spark, table).collect())) == [(1, "a"), (2, "new"), (4, "more")]
    found = CliRunner().invoke(app, [*command[:4], "target.id = source.id + 100", "--set", "name='x'", *command[5:]])
    assert found.exit_code == 0, found.output
    assert len(history(table)) == 2, "nothing matches"
    for wrong in ([], ["--update", "--set", "name='x'"]):
        assert "--update" in CliRunner().invoke(app, [*command, *wrong]).output


def test_optimize(spark: SparkSession, tmp_path: Path) -> None:
    root = tmp_path / "t"
    for number in range(6):
        write_lake(root, ROWS.slice(number * 60, 60), partition_by=("p",), file_rows=20)
    before = by_id(scan(root).read_all())
    info = optimize(spark, root, progress=False)
    assert info.operation == "OPTIMIZE"
    assert by_id(scan(root).read_all()) == before
    assert info.num_files == 4, "a file for each partition"
    lines = [json.loads(line) for line in (root / f"_delta_log/{info.version:020d}.json").read_text().splitlines()]
    assert {action["dataChange"] for line in lines for action in line.values() if "dataChange" in action} == {False}
    sealed = paths(root)
    assert optimize(spark, root, progress=False).version == info.version, "nothing to do"
    ids = scan(root, where="p = 'p1'").read_all()["id"].to_pylist()
    assert ids == sorted(ids), "rows keep their order"

    write_lake(root, ROWS.slice(360), partition_by=("p",), file_rows=10)
    info = optimize(spark, root, where="p = 'p3'", progress=False)
    assert len(sealed & paths(root)) == 4
    assert info.num_files == 1
    info = optimize(spark, root, hilbert_by=["id", "n"], progress=False)
    assert info.parameters["curve"] == "hilbert"
    assert by_id(read(spark, root).toArrow()) == by_id(ROWS)
    assert optimize(spark, root, hilbert_by=["id", "n"], progress=False).version == info.version
    assert by_id(DeltaTable(root).to_pyarrow_table()) == by_id(ROWS)

    fresh = tmp_path / "fresh"
    ingest(spark, spark.createDataFrame(ROWS), fresh, zorder_by=["id", "n"], progress=False)
    assert optimize(spark, fresh, zorder_by=["id", "n"], progress=False).version == 0, "it is clustered already"
    assert by_id(DeltaTable(fresh).to_pyarrow_table()) == by_id(ROWS)


def test_writers_honour_properties(spark: SparkSession, tmp_path: Path) -> None:
    """Columns with statistics, and the size of files: in `ingest`, `optimize` and `df.write`."""
    root = tmp_path / "t"
    rows = spark.range(200_000).selectExpr("id", "uuid() AS text", "rand() AS x")
    ingest(spark, rows.limit(0), root, progress=False)
    set_properties(root, {"delta.dataSkippingStatsColumns": "x", "delta.targetFileSize": "1mb"})
    ingest(spark, rows.coalesce(1), root, mode="append", progress=False)
    rows.coalesce(1).write.format("lake").mode("append").save(str(root))
    files = Log(root).snapshot().files
    assert len(files) > 8
    assert max(add.size for add in files) < 3 << 20, "at the end of a row group"
    assert {tuple(json.loads(add.stats or "")["minValues"]) for add in files} == {("x",)}
    unset_properties(root, ["delta.targetFileSize"])
    assert optimize(spark, root, progress=False).num_files == 1
    (file,) = Log(root).snapshot().files
    assert tuple(json.loads(file.stats or "")["minValues"]) == ("x",)


def test_beside_others(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appends do not disturb an optimization; a delete meets only files that can have its rows."""
    from lakecodec.lake.log import Transaction
    from lakecodec.spark.changes import rewriting

    root = tmp_path / "t"
    write_lake(root, ROWS, file_rows=50)
    late: list[Any] = []
    write = rewriting.Rewrite.done
    commit = Transaction.commit

    def append_first(self: Any) -> Any:
        while late and self.operation != "WRITE":
            next_one = late.pop()
            next_one() if callable(next_one) else write_lake(root, next_one)
        return commit(self)

    monkeypatch.setattr(Transaction, "commit", append_first)
    more = ROWS.set_column(0, "id", pa.array(range(1000, 1400), pa.int64()))
    late.append(more)
    optimize(spark, root, progress=False)
    assert scan(root).read_all().num_rows == 800
    late.append(more)
    delete(spark, root, "id = 7", progress=False)
    assert scan(root).read_all().num_rows == 1199
    late.append(ROWS)
    with pytest.raises(ConflictError, match="which this one does not know"):
        delete(spark, root, "id = 8", progress=False)

    def move() -> None:
        optimize(spark, root, target_file_bytes=100_000, progress=False)

    count = scan(root, where="id <> 9").read_all().num_rows
    late.append(move)
    delete(spark, root, "id = 9", progress=False)  # once more, on the files that the rows are in now
    assert [info.operation for info in history(root)][:3] == ["DELETE", "OPTIMIZE", "WRITE"]
    assert scan(root).read_all().num_rows == count
    late.append(lambda: delete(spark, root, "id = 10", progress=False))
    optimize(spark, root, zorder_by=["id"], progress=False)
    assert scan(root, where="id = 10").read_all().num_rows == 0
    assert scan(root).read_all().num_rows == count - 2
    assert write is rewriting.Rewrite.done
    ingest(spark, read(spark, root, where="id < 3"), root, mode="overwrite", progress=False)
