"""Ingest of what users have: strange names, quoted CSV, other partitions than the table's; and its messages."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.cli.app import run as lakecodec
from lakecodec.lake.log import Log, SchemaMismatchError
from lakecodec.pipeline import SparkJobError, history, ingest, read, scan

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = ("a.b", "tick`s", "__zorder_key", "key", "`q`", "c0", "x y")


@pytest.mark.parametrize("layout", ["sort_by", "zorder_by", "df.write"])
def test_names_that_spark_takes_for_expressions(spark: SparkSession, tmp_path: Path, layout: str) -> None:
    data = pa.table({name: range(number, number + 50) for number, name in enumerate(NAMES)})
    frame = spark.createDataFrame(data)
    if layout == "df.write":
        frame.write.format("lake").mode("append").save(str(tmp_path / "t"))
    else:
        names = ["a.b", "tick`s"]
        ingest(spark, frame, tmp_path / "t", partition_by="x y", progress=False, **{layout: names})  # type: ignore[arg-type]
    assert scan(tmp_path / "t").read_all().sort_by("key").select(data.column_names).equals(data)
    assert read(spark, tmp_path / "t", where="`a.b` < 3").select("`tick``s`").collect() == [(1,), (2,), (3,)]


def test_overwriting_without_the_partition_columns(spark: SparkSession, tmp_path: Path) -> None:
    first = spark.range(10).selectExpr("id", "id % 2 AS p")
    ingest(spark, first, tmp_path / "t", partition_by="p", progress=False)
    without = spark.range(5)
    with pytest.raises(
        SchemaMismatchError, match=r"partitioned by 'p', which the source does not have; partition_by=\(\)"
    ):
        ingest(spark, without, tmp_path / "t", mode="overwrite", progress=False)
    ingest(spark, without, tmp_path / "t", mode="overwrite", partition_by=(), progress=False)
    snapshot = Log(tmp_path / "t").snapshot()
    assert (snapshot.partition_columns, snapshot.schema.names) == ((), ["id"])
    ingest(spark, first, tmp_path / "t", mode="overwrite", partition_by="p", progress=False)
    without.write.format("lake").option("partitionBy", "").mode("overwrite").save(str(tmp_path / "t"))
    assert Log(tmp_path / "t").snapshot().partition_columns == ()


def test_csv_of_rfc_4180(spark: SparkSession, tmp_path: Path) -> None:
    text = 'id,said\r\n1,"He said ""hi"""\r\n2,"two\nlines, one field"\r\n'
    (tmp_path / "a.csv").write_text(text, newline="")
    ingest(spark, tmp_path / "a.csv", tmp_path / "t", progress=False)
    rows = scan(tmp_path / "t").read_all().sort_by("id").to_pylist()
    assert rows == [{"id": 1, "said": 'He said "hi"'}, {"id": 2, "said": "two\nlines, one field"}]
    (tmp_path / "semicolons.txt").write_text("id;said\n3;x\n")
    options = ["--source-format", "csv", "--source-option", "SEP=;", "--source-option", "header=true", "--quiet"]
    assert (
        lakecodec(["ingest", str(tmp_path / "semicolons.txt"), str(tmp_path / "t"), "--mode", "append", *options]) == 0
    )
    assert scan(tmp_path / "t", where="id = 3").read_all()["said"].to_pylist() == ["x"]
    (tmp_path / "surplus.csv").write_text("id,said\n4,x,y\n")
    with pytest.raises(SparkJobError, match="MALFORMED") as caught:
        ingest(spark, tmp_path / "surplus.csv", tmp_path / "t", mode="append", progress=False)
    assert "\n" not in str(caught.value)
    (tmp_path / "lines.ndjson").write_text('{"id": 5, "said": "json"}\n')
    ingest(spark, tmp_path / "lines.ndjson", tmp_path / "lines", progress=False)
    assert scan(tmp_path / "lines").read_all()["id"].to_pylist() == [5]
    assert len(history(tmp_path / "t")) == 2


def test_messages(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pq.write_table(
        pa.table({"ok": [1], "at": pa.array([datetime(2024, 1, 1)], pa.timestamp("ns"))}), tmp_path / "n.parquet"
    )
    with pytest.raises(ValueError, match="nanoseconds, which these columns have: at"):
        ingest(spark, tmp_path / "n.parquet", tmp_path / "t", progress=False)
    with pytest.raises(ValueError, match="a table needs a column"):
        ingest(spark, spark.range(1).select(), tmp_path / "t", progress=False)
    ingest(spark, spark.range(3), tmp_path / "t", txn_id="of mine", progress=False)
    with pytest.raises(ValueError, match=r"where: .*SYNTAX"):
        read(spark, tmp_path / "t", where="id >")
    monkeypatch.setattr("lakecodec.cli.lake.session", lambda _: pytest.fail("Spark was started"))
    assert lakecodec(["ingest", "a.parquet", "t", "--mode", "upsert"]) == 2
    assert "overwrite-partitions" in capsys.readouterr().err
    assert lakecodec(["ingest", "a.parquet", "t", "--sort-by", "a", "--zorder-by", "b"]) == 2
    assert lakecodec(["history", str(tmp_path / "t")]) == 0
    assert "write (of mine)" in " ".join(capsys.readouterr().out.split()).lower()


@pytest.mark.parametrize("kind", ["table", "files"])
def test_a_wrong_value_gets_no_right_checksum(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    lake.write(pa.table({"x": [1.5 * number for number in range(300)]}), tmp_path / "t", progress=False)
    (file,) = (tmp_path / "t").glob("*.parquet")
    plain: Any = {"write_page_checksum": True, "compression": "none", "use_dictionary": False}
    pq.write_table(pq.read_table(file), file, **plain)
    chunk = pq.read_metadata(file).row_group(0).column(0)
    data = bytearray(file.read_bytes())
    data[chunk.data_page_offset + chunk.total_compressed_size - 9] ^= 1
    file.write_bytes(data)
    source = tmp_path / "t" if kind == "table" else file.rename(tmp_path / "x.parquet")
    with pytest.raises(SparkJobError, match=r"(?i)CRC|checksum"):
        ingest(spark, source, tmp_path / "copy", progress=False)
