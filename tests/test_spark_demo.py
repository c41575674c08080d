"""The pieces behind ``make demo``, on a small slice of its data."""

from __future__ import annotations

import datetime
import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from lakecodec.pipeline.demo import java
from lakecodec.pipeline.demo.__main__ import main
from lakecodec.pipeline.demo.data import read_flights, write_with_pyarrow, write_with_spark
from lakecodec.pipeline.demo.plot import plot_sizes
from lakecodec.pipeline.demo.report import format_bytes, format_value, print_report
from lakecodec.pipeline.demo.scan import dataset_columns, scan_locally, scan_with_spark
from lakecodec.pipeline.demo.summary import Summary, summarise

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = 2000


@pytest.fixture(scope="module")
def flights() -> pa.Table:
    return read_flights()


@pytest.fixture(scope="module")
def directory(flights: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("demo") / "flights"
    write_with_pyarrow(flights.slice(0, ROWS), target)
    return target


def summary_of(chunks: pa.Table) -> Summary:
    return summarise(chunks, dataset_columns(chunks))


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_402"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("command not found", None),
    ],
)
def test_java_versions(text: str, version: int | None) -> None:
    assert java.parse_version(text) == version


@pytest.mark.parametrize(("version", "found"), [("", "no Java was found"), ("11.0.2", "Java 11 was found")])
def test_advice_without_a_java_that_spark_can_use(
    version: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version:
        (tmp_path / "bin").mkdir()
        command = tmp_path / "bin" / "java"
        command.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
        command.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    advice = java.missing_java()
    assert advice is not None
    assert found in advice
    assert "apt install openjdk-17-jre-headless" in advice


def test_whole_table(flights: pa.Table) -> None:
    assert flights.shape == (336_776, 19)
    assert pc.sum(flights["dep_time"].is_null()).as_py() == 8255
    assert pc.min(flights["time_hour"]).as_py() == datetime.datetime(2013, 1, 1, 10, tzinfo=datetime.UTC)


def test_files_hold_the_slice(flights: pa.Table, directory: Path) -> None:
    back = ds.dataset(directory, partitioning="hive").to_table()
    keys = [("month", "ascending"), ("day", "ascending"), ("carrier", "ascending"), ("flight", "ascending")]
    keys += [("sched_dep_time", "ascending"), ("origin", "ascending")]
    wanted = flights.slice(0, ROWS)
    assert back.select(wanted.column_names).cast(wanted.schema).sort_by(keys) == wanted.sort_by(keys)


def test_summary_agrees_with_the_data(flights: pa.Table, directory: Path) -> None:
    summary = summary_of(scan_locally(directory))
    files = list(directory.rglob("*.parquet"))
    metadata = [pq.read_metadata(file) for file in files]
    assert (summary.files, summary.rows, summary.broken) == (len(files), ROWS, {})
    assert summary.row_groups == sum(each.num_row_groups for each in metadata)
    data = flights.slice(0, ROWS)
    assert {column.path for column in summary.columns} == set(data.column_names) - {"month", "carrier"}
    for column in summary.columns:
        values = data[column.path]
        assert column.nulls == values.null_count
        assert column.values == ROWS
        assert (column.minimum, column.maximum) == tuple(pc.min_max(values).as_py().values())
    chunks = [m.row_group(g).column(c) for m in metadata for g in range(m.num_row_groups) for c in range(m.num_columns)]
    assert summary.compressed == sum(chunk.total_compressed_size for chunk in chunks)
    assert summary.uncompressed == sum(chunk.total_uncompressed_size for chunk in chunks)


def test_spark_writes_and_scans(spark: SparkSession, flights: pa.Table, tmp_path: Path) -> None:
    target = tmp_path / "flights"
    data = flights.slice(0, ROWS)
    write_with_spark(spark, data, target)
    chunks = scan_with_spark(spark, target)
    summary = summary_of(chunks)
    assert summary.rows == ROWS
    assert summary.files == len(set(data["carrier"].to_pylist()))  # January only
    assert {c.path: c.minimum for c in summary.columns}["time_hour"] == pc.min(data["time_hour"]).as_py()
    assert sorted(chunks["file"].to_pylist()) == sorted(scan_locally(target)["file"].to_pylist())


def test_progress_counts_tasks_and_passes_errors_on(spark: SparkSession) -> None:
    from lakecodec.pipeline.progress import run_with_progress

    out = io.StringIO()
    console = Console(file=out, width=100)
    assert run_with_progress(spark, "count", lambda: spark.range(100, numPartitions=3).count(), console=console) == 100
    assert "count" in out.getvalue()
    assert "tasks" in out.getvalue()
    with pytest.raises(ZeroDivisionError):
        run_with_progress(spark, "fail", lambda: 1 // 0, console=console)


def test_report_and_plot(directory: Path, tmp_path: Path) -> None:
    (directory / "broken.parquet").write_bytes(b"PAR1 cut")
    try:
        summary = summary_of(scan_locally(directory))
    finally:
        (directory / "broken.parquet").unlink()
    out = io.StringIO()
    print_report(summary, Console(file=out, width=80))
    text = out.getvalue()
    assert "2,000 rows" in text
    assert "tailnum" in text
    assert "2013-01-01 10:00" in text
    assert "broken.parquet" in text
    assert "…" not in text
    plot_sizes(summary, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (b"\x01\xff", "01 ff"), (2.5, "2.5"), (7, "7"), ("x" * 30, "x" * 24)]
)
def test_values_are_short(value: object, text: str) -> None:
    assert format_value(value) == text


@pytest.mark.parametrize(("size", "text"), [(0, "0 B"), (1536, "1.5 KiB"), (5 << 40, "5.0 TiB")])
def test_sizes_are_readable(size: int, text: str) -> None:
    assert format_bytes(size) == text


def test_demo_runs_without_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert main(["--rows", "500", "--output", str(tmp_path / "out")]) == 0
    text = capfd.readouterr().out
    assert "Spark needs Java 17 or later, and no Java was found" in text
    assert "500 rows" in text
    assert (tmp_path / "out" / "compression.png").exists()


def test_second_run_replaces_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rows in ("500", "20"):
        assert main(["--rows", rows, "--no-spark", "--output", str(tmp_path)]) == 0
        assert f"{rows} rows" in capsys.readouterr().out


def test_demo_is_a_module(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lakecodec.pipeline.demo", "--help"]
    assert "--no-spark" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
