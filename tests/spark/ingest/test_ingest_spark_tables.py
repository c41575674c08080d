"""Tables that `ingest` makes, read by deltalake and polars, and the layout of their files."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import polars
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable

from lakecodec import mosaic
from lakecodec.cli import run
from lakecodec.lake.log import Log
from lakecodec.pipeline import check, history, ingest
from tests.spark.tables import ROWS, by_id, every_type, files_in, stats_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(scope="module")
def rows() -> pa.Table:
    return every_type()


@pytest.fixture(scope="module")
def frame(spark: SparkSession, rows: pa.Table) -> DataFrame:
    frame = spark.createDataFrame(rows)
    return frame.withColumn("local", frame.local.cast("timestamp_ntz"))


def expected(rows: pa.Table) -> list[dict[str, Any]]:
    """An empty text in a partition column is null in the table."""
    return [{**row, "region": row["region"] or None} for row in by_id(rows)]


@pytest.mark.parametrize(
    "layout",
    [
        {"partition_by": ["region", "day"]},
        {"partition_by": ["region", "day"], "sort_by": ["price", "-when"]},
        {"partition_by": ["region", "day"], "zorder_by": ["price", "name"]},
        {"partition_by": "region", "zorder_by": ["when", "small", "flag"]},
    ],
    ids=lambda layout: "+".join(layout),
)
def test_others_read_every_type(
    spark: SparkSession, frame: DataFrame, rows: pa.Table, tmp_path: Path, layout: dict[str, Any]
) -> None:
    info = ingest(spark, frame, tmp_path / "table", progress=False, **layout)
    assert (info.version, info.num_rows, info.operation) == (0, ROWS, "WRITE")
    table = DeltaTable(tmp_path / "table")
    assert by_id(pa.table(table.to_pyarrow_table())) == expected(rows)
    lazily = polars.scan_delta(str(tmp_path / "table")).drop("counts").collect().to_arrow()
    assert by_id(lazily) == [{name: row[name] for name in row if name != "counts"} for row in expected(rows)]
    assert check(tmp_path / "table") == []
    assert info.num_files == len(files_in(tmp_path / "table")) == len(table.file_uris())


def test_files_are_few_and_sorted(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    """Unsorted input of many tasks makes a file a partition, and at most one more a task."""
    ingest(spark, frame.repartition(7), tmp_path / "t", partition_by=["day"], sort_by=["-price"], progress=False)
    found = defaultdict(list)
    for add in Log(tmp_path / "t").snapshot().files:
        found[add.partition_values["day"]].append((tmp_path / "t" / add.file, stats_of(add)))
    assert sorted(found) == ["2024-01-01", "2024-01-02", "2024-01-03"]
    assert sum(map(len, found.values())) <= 3 + 2
    for files in found.values():
        ordered = sorted(files, key=lambda file: file[1]["maxValues"]["price"], reverse=True)
        prices = [price for path, _ in ordered for price in pq.ParquetFile(path).read(["price"])["price"].to_pylist()]
        assert prices == sorted(prices, reverse=True)
        assert len(prices) == ROWS // 3


def test_values_that_are_equal_but_for_their_text(spark: SparkSession, tmp_path: Path) -> None:
    """0.0 and -0.0 are two directories; null and the empty text are one."""
    rows = pa.table(
        {
            "id": range(80),
            "f": [0.0, -0.0, float("nan"), 1e7] * 20,
            "s": ["", None, "__HIVE_DEFAULT_PARTITION__", "x"] * 20,
        }
    )
    ingest(spark, spark.createDataFrame(rows).repartition(4), tmp_path / "t", partition_by=["f"], progress=False)
    floats = Log(tmp_path / "t").snapshot().files
    assert sorted(add.partition_values["f"] for add in floats) == ["-0.0", "0.0", "1.0E7", "NaN"]
    ingest(spark, spark.createDataFrame(rows), tmp_path / "u", partition_by=["s"], progress=False)
    texts = {add.partition_values["s"]: add for add in Log(tmp_path / "u").snapshot().files}
    assert {text: add.num_records for text, add in texts.items()} == {
        None: 40,
        "__HIVE_DEFAULT_PARTITION__": 20,
        "x": 20,
    }


def test_file_sizes(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.range(0, 300_000, 1, 3).selectExpr("id", "xxhash64(id) AS noise")
    ingest(spark, rows, tmp_path / "rows", sort_by="noise", max_rows_per_file=70_000, progress=False)
    counts = [add.num_records or 0 for add in Log(tmp_path / "rows").snapshot().files]
    assert max(counts) == 70_000
    assert sum(counts) == 300_000
    ingest(spark, rows, tmp_path / "bytes", sort_by="noise", target_file_bytes=500_000, progress=False)
    sizes = [add.size for add in Log(tmp_path / "bytes").snapshot().files]
    assert max(sizes) < 750_000
    assert len(sizes) <= sum(sizes) / 500_000 + 2


def test_many_small_tasks_make_few_files(spark: SparkSession, tmp_path: Path) -> None:
    info = ingest(spark, spark.range(0, 1000, 1, 40), tmp_path / "t", progress=False)
    assert (info.num_rows, info.num_files) == (1000, 1)


def test_z_order_narrows_all_columns(spark: SparkSession, tmp_path: Path) -> None:
    """A file of 16 covers less than half of each of two columns, though one counts to 2**40 and the other to 300."""
    rows = spark.range(0, 40_000).selectExpr(
        "id", "pmod(xxhash64(id), 1L << 40) AS wide", "pmod(hash(id), 300) AS narrow"
    )
    ingest(spark, rows, tmp_path / "t", zorder_by=["wide", "narrow"], max_rows_per_file=2500, progress=False)
    stats = [stats_of(add) for add in Log(tmp_path / "t").snapshot().files]
    assert len(stats) == 16
    for column, extent in (("wide", 2**40), ("narrow", 300)):
        shares = [(file["maxValues"][column] - file["minValues"][column]) / extent for file in stats]
        assert sum(shares) / len(shares) < 0.45, column


def test_statistics(spark: SparkSession, frame: DataFrame, rows: pa.Table, tmp_path: Path) -> None:
    chosen = ["id", "value", "share", "when", "place.y"]
    ingest(spark, frame.coalesce(1), tmp_path / "t", stats_columns=chosen, progress=False)
    (add,) = Log(tmp_path / "t").snapshot().files
    stats = stats_of(add)
    assert stats["numRecords"] == ROWS
    assert set(stats["nullCount"]) == {"id", "value", "share", "when", "place"}
    assert "value" not in stats["maxValues"]  # it has a NaN, which sorts above all numbers
    assert stats["maxValues"]["id"] == ROWS - 1
    assert stats["minValues"]["when"] == "2024-03-01T00:00:00.000Z"
    assert stats["minValues"]["place"] == {"y": {"z": "0"}}


@pytest.mark.parametrize(
    "layout", [{"sort_by": ["-id"]}, {"zorder_by": ["price", "name"]}], ids=lambda layout: "+".join(layout)
)
def test_mosaic(spark: SparkSession, frame: DataFrame, rows: pa.Table, tmp_path: Path, layout: dict[str, Any]) -> None:
    """Other Delta readers refuse the table, instead of reading its files as Parquet."""
    options: dict[str, Any] = {"format": "mosaic", "partition_by": ["day"], "progress": False, **layout}
    chosen = frame.select("id", "day", "price", "when", "name", "value", "data")
    ingest(spark, chosen, tmp_path / "t", stats_columns=["price", "name"], max_rows_per_file=150, **options)
    ingest(spark, chosen.where("id < 3"), tmp_path / "t", mode="append", progress=False)
    snapshot = Log(tmp_path / "t").snapshot()
    assert (snapshot.format, snapshot.version) == ("mosaic", 1)
    parts = []
    for add in snapshot.files:
        assert add.file.endswith(".mosaic")
        part = mosaic.read_table(tmp_path / "t" / add.file)
        stats = stats_of(add)
        assert stats["numRecords"] == part.num_rows <= 150
        assert stats["maxValues"]["name"] == pc.max(part["name"]).as_py()
        day = pa.array([date.fromisoformat(add.partition_values["day"] or "")] * part.num_rows)
        parts.append(part.append_column("day", day))
    found = [row for row in by_id(pa.concat_tables(parts)) if row.pop("when")]
    wanted = [{name: row[name] for name in found[0]} for row in by_id(rows)]
    assert found == sorted([*wanted, *wanted[:3]], key=lambda row: row["id"])
    assert check(tmp_path / "t") == []
    with pytest.raises(Exception, match="mosaic"):
        DeltaTable(tmp_path / "t").to_pyarrow_table()


def test_no_rows(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    for name, layout in (("plain", {}), ("z", {"zorder_by": ["name"]}), ("p", {"partition_by": ["day"]})):
        info = ingest(spark, frame.where("id < 0"), tmp_path / name, progress=False, **layout)
        assert (info.num_files, info.num_rows) == (0, 0)
        assert DeltaTable(tmp_path / name).to_pyarrow_table().num_rows == 0


def test_from_files(spark: SparkSession, rows: pa.Table, tmp_path: Path) -> None:
    pq.write_table(rows.drop_columns(["counts"]), tmp_path / "source.parquet")
    ingest(spark, tmp_path / "source.parquet", tmp_path / "a", progress=False)
    assert by_id(DeltaTable(tmp_path / "a").to_pyarrow_table()) == by_id(rows.drop_columns(["counts"]))
    (tmp_path / "csv").mkdir()
    (tmp_path / "csv" / "1.csv").write_text("id,city\n1,Oslo\n2,\n")
    ingest(spark, str(tmp_path / "csv"), tmp_path / "b", progress=False)
    assert by_id(DeltaTable(tmp_path / "b").to_pyarrow_table()) == [{"id": 1, "city": "Oslo"}, {"id": 2, "city": None}]
    (tmp_path / "text").write_text('{"id": 3}\n')
    with pytest.raises(ValueError, match="source_format"):
        ingest(spark, tmp_path / "text", tmp_path / "c", progress=False)
    ingest(spark, tmp_path / "text", tmp_path / "c", source_format="json", progress=False)
    assert by_id(DeltaTable(tmp_path / "c").to_pyarrow_table()) == [{"id": 3}]


def test_command_line(spark: SparkSession, rows: pa.Table, tmp_path: Path, capsys: Any) -> None:
    pq.write_table(rows.drop_columns(["counts"]), tmp_path / "source.parquet")
    command = ["ingest", str(tmp_path / "source.parquet"), str(tmp_path / "t"), "--partition-by", "day,region"]
    assert run([*command, "--sort-by", "name,-price", "--target-file-size", "64MB"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "version 0\n"
    assert f"version 0: {ROWS} rows written in" in shown.err
    assert Log(tmp_path / "t").snapshot().partition_columns == ("day", "region")
    assert run([*command, "--quiet"]) == 2
    assert capsys.readouterr().err.startswith("lakecodec: target: there is a table")
    replace = ["--mode", "overwrite", "--replace-where", "day = DATE'2024-01-02'", "--quiet"]
    assert run([*command, *replace]) == 1
    assert (
        capsys.readouterr().err
        == "lakecodec: delta: day, region: a row's partition is not one that replace_where holds for\n"
    )
    assert run([*command, "--mode", "overwrite-partitions", "--zorder-by", "name,price", "--quiet"]) == 0
    assert run([*command, "--mode", "append", "--sort-by", "nothing", "--quiet"]) == 2
    assert "--sort-by: 'nothing' is not a column" in capsys.readouterr().err
    assert run([*command, "--mode", "append", "--source-format", "nothing", "--quiet"]) == 2
    assert capsys.readouterr().err == "lakecodec: --source-format: Spark has no data source 'nothing'\n"
    assert run([*command, "--mode", "append", "--source-format", "jdbc", "--quiet"]) == 1
    assert capsys.readouterr().err.startswith("lakecodec: Spark: ")
    assert DeltaTable(tmp_path / "t").version() == 1
    assert DeltaTable(tmp_path / "t").to_pyarrow_table().num_rows == ROWS


def test_directories(spark: SparkSession, frame: DataFrame, tmp_path: Path) -> None:
    """Hive's names on disk, which polars reads values from, and the same path, encoded once more, in the log."""
    ingest(spark, frame, tmp_path / "t", partition_by=["region"], progress=False)
    directories = {path.parent.name for path in files_in(tmp_path / "t")}
    assert directories == {
        "region=north", "region=São%2FPaulo", "region=__HIVE_DEFAULT_PARTITION__", "region=a%3Db c%25",
    }  # fmt: skip
    for add in Log(tmp_path / "t").snapshot().files:
        assert (tmp_path / "t" / unquote(add.path)).is_file()


def test_summary_and_history(spark: SparkSession, frame: DataFrame, tmp_path: Path, capsys: Any) -> None:
    info = ingest(spark, frame, tmp_path / "t", partition_by=["day"], zorder_by=["id"], txn_id="first")
    err = capsys.readouterr().err
    assert f"version 0: {ROWS} rows written in {info.num_files} files, 3 partitions" in err
    (found,) = history(tmp_path / "t")
    assert found == info
    assert found.txn_id == "first"
    assert found.metrics["numPartitions"] == 3
    assert found.parameters == {"mode": "ErrorIfExists", "partitionBy": '["day"]', "zOrderBy": '["id"]'}
