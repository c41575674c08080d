"""The pieces behind ``make demo``, on a small slice of its data."""

from __future__ import annotations

import datetime
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from demo.__main__ import main
from demo.closing import print_closing
from demo.data import read_flights, write_source
from demo.engines import open_elsewhere
from demo.outcome import Outcome
from demo.paimon_table import link_as_paimon
from demo.plot import plot_outcome, plot_year
from demo.queries import QUERIES, run_query
from demo.report import format_bytes, format_value
from demo.scan import dataset_columns, scan_locally, scan_with_spark
from demo.summary import Summary, summarise
from demo.tables import DEFINITIONS, DemoTable, ingest_with_spark, write_without_spark
from demo.year import live_a_year
from lakecodec import pipeline
from lakecodec.lake.log import Problem, check
from lakecodec.parquet import column_chunks
from lakecodec.spark.local import missing_java, parse_version
from tests.paimon.peer import PYTHON

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = 20_000
PARQUET = DEFINITIONS[0]


@pytest.fixture(scope="module")
def flights() -> pa.Table:
    return read_flights()


@pytest.fixture(scope="module")
def rows(flights: pa.Table) -> pa.Table:
    """Rows of the whole year."""
    return flights.take(pa.array(range(0, len(flights), len(flights) // ROWS))).slice(0, ROWS)


@pytest.fixture(scope="module")
def tables(rows: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> list[DemoTable]:
    target = tmp_path_factory.mktemp("demo")
    return [write_without_spark(rows, definition, target / definition.format) for definition in DEFINITIONS]


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
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("version", "found"), [("", "no Java was found in JAVA_HOME, '/"), ("11.0.2", "Java 11 was found")]
)
def test_advice_without_a_java_that_spark_can_use(
    version: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if version:
        (tmp_path / "bin").mkdir()
        command = tmp_path / "bin" / "java"
        command.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
        command.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    advice = missing_java()
    assert advice is not None
    assert found in advice
    assert "apt install openjdk-17-jre-headless" in advice


def test_whole_table(flights: pa.Table) -> None:
    assert flights.shape == (336_776, 19)
    assert pc.sum(flights["dep_time"].is_null()).as_py() == 8255
    assert pc.min(flights["time_hour"]).as_py() == datetime.datetime(2013, 1, 1, 10, tzinfo=datetime.UTC)


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in table.column_names])


def test_tables_hold_the_rows(tables: list[DemoTable], rows: pa.Table) -> None:
    for table in tables:
        assert in_order(pipeline.scan(table.path).read_all()) == in_order(rows)
        assert check(table.path) == []
    back = ds.dataset(tables[0].path, format="parquet", partitioning="hive").to_table()
    assert in_order(back.select(rows.column_names).cast(rows.schema)) == in_order(rows)


def test_summary_agrees_with_the_data(rows: pa.Table, tables: list[DemoTable]) -> None:
    summary = summary_of(scan_locally(tables[0].path))
    files = list(tables[0].path.rglob("*.parquet"))
    metadata = [pq.read_metadata(file) for file in files]
    assert (summary.files, summary.rows, summary.broken) == (len(files), ROWS, {})
    assert summary.row_groups == sum(each.num_row_groups for each in metadata)
    assert {column.path for column in summary.columns} == set(rows.column_names) - {"origin"}
    for column in summary.columns:
        values = rows[column.path]
        assert column.nulls == values.null_count
        assert column.values == ROWS
        assert (column.minimum, column.maximum) == tuple(pc.min_max(values).as_py().values())
    chunks = [m.row_group(g).column(c) for m in metadata for g in range(m.num_row_groups) for c in range(m.num_columns)]
    assert summary.compressed == sum(chunk.total_compressed_size for chunk in chunks)
    assert summary.uncompressed == sum(chunk.total_uncompressed_size for chunk in chunks)


def test_queries_find_the_rows_and_skip(rows: pa.Table, tables: list[DemoTable]) -> None:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.register("flights", rows)
    for query, where in QUERIES.items():
        wanted = connection.execute(f"SELECT count(*) FROM flights WHERE {where or 'true'}").fetchone()
        for table in tables:
            found = run_query(query, table, None).summary
            assert wanted == (found.rows,)
            # There are few files, and a week is in most of them.
            assert (found.files < found.files_total) == ("dest" in (where or ""))


def test_spark_makes_the_same_tables(
    spark: SparkSession, rows: pa.Table, tables: list[DemoTable], tmp_path: Path
) -> None:
    source = tmp_path / "flights.parquet"
    write_source(rows, source)
    for definition, local in zip(DEFINITIONS, tables, strict=True):
        table = ingest_with_spark(spark, source, definition, tmp_path / definition.format)
        assert in_order(pipeline.scan(table.path).read_all()) == in_order(pipeline.scan(local.path).read_all())
        result = run_query("one route", table, spark)
        assert result.spark_rows == result.summary.rows == run_query("one route", local, None).summary.rows
        assert result.agrees
        assert not replace(result, spark_rows=-1).agrees
    chunks = scan_with_spark(spark, tmp_path / PARQUET.format)
    assert summary_of(chunks).rows == ROWS
    assert sorted(chunks["file"].to_pylist()) == sorted(scan_locally(tmp_path / PARQUET.format)["file"].to_pylist())


def test_a_year_of_a_table(spark: SparkSession, rows: pa.Table, tables: list[DemoTable], tmp_path: Path) -> None:
    year = live_a_year(spark, rows, tmp_path / "year")
    assert [right for _, right in year.said] == [True] * 5, year.said
    assert [month.done[1:] for month in year.months if len(month.done) > 1] == [
        ("optimized",), ("updated",), ("optimized",), ("deleted",), ("optimized",), ("merged",), ("optimized",)
    ]  # fmt: skip
    assert year.months[-1].files < 12
    text = printed(replace(outcome_of(tables, rows), year=year))
    assert "deleted" in text
    assert "as of March" in text
    assert "…" not in text
    plot_year(year, tmp_path / "year.png")
    assert (tmp_path / "year.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert not replace(outcome_of(tables, rows), year=replace(year, said=[("no", False)])).good


def test_other_engines(tables: list[DemoTable], rows: pa.Table) -> None:
    parquet, mosaic = tables
    for result in open_elsewhere(parquet, rows):
        assert (result.rows, result.equal, result.refusal, result.expected) == (ROWS, True, "", True)
    for result in open_elsewhere(parquet, rows.slice(1)):
        assert (result.equal, result.expected) == (False, False)
    for result in open_elsewhere(mosaic, rows):
        assert result.rows is None
        assert "lakecodec.mosaic" in result.refusal
        assert result.expected


def test_progress_counts_tasks_and_passes_errors_on(spark: SparkSession) -> None:
    from lakecodec.spark.progress import run_with_progress

    out = io.StringIO()
    console = Console(file=out, width=100)
    assert run_with_progress(spark, "count", lambda: spark.range(100, numPartitions=3).count(), console=console) == 100
    assert "count" in out.getvalue()
    assert "tasks" in out.getvalue()
    with pytest.raises(ZeroDivisionError):
        run_with_progress(spark, "fail", lambda: 1 // 0, console=console)


def outcome_of(tables: list[DemoTable], rows: pa.Table) -> Outcome:
    parquet = tables[0].path
    return Outcome(
        tables,
        summary_of(scan_locally(parquet)),
        [run_query(query, table, None) for query in QUERIES for table in tables],
        [result for table in tables for result in open_elsewhere(table, rows)],
        {table.definition.title: check(table.path) for table in tables},
        link_as_paimon(tables[1], rows, parquet.parent / "warehouse"),
    )


def printed(outcome: Outcome) -> str:
    out = io.StringIO()
    print_closing(outcome, Console(file=out, width=80))
    return out.getvalue()


def test_report_and_plot(tables: list[DemoTable], rows: pa.Table, tmp_path: Path) -> None:
    outcome = outcome_of(tables, rows)
    text = printed(outcome)
    assert outcome.good
    assert "20,000 rows" in text
    assert "tailnum" in text
    assert "2013-01-01 10:00" in text
    assert "sorted by dest, time_hour" in text
    assert "z-order of dest, time_hour" in text
    assert "Boston in April" in text
    assert "on Parquet: 20,000 rows, the same as ingested" in text
    assert "on Mosaic: refused" in text
    assert "Mosaic's files, linked" in text
    assert "wrong" not in text
    assert "…" not in text
    plot_outcome(outcome, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_report_tells_what_is_wrong(tables: list[DemoTable], rows: pa.Table) -> None:
    outcome = outcome_of(tables, rows)
    broken = replace(outcome, summary=replace(outcome.summary, broken={"x.parquet": "cut"}))
    assert not broken.good
    assert "unreadable x.parquet: cut" in printed(broken)
    lost = replace(outcome, problems={**outcome.problems, "Mosaic": [Problem("missing", "x.mosaic", "it is gone")]})
    assert not lost.good
    assert "wrong Mosaic: missing: x.mosaic: it is gone" in printed(lost)
    other = replace(outcome, engines=[replace(each, equal=False) for each in outcome.engines])
    assert not other.good
    assert "on Parquet: 20,000 rows, not the same as ingested" in printed(other)
    unsound = replace(outcome, paimon=replace(outcome.paimon, sound=False))
    assert not unsound.good
    assert "wrong" in printed(unsound)
    spark = replace(outcome, queries=[replace(each, spark_rows=7, spark_seconds=1.0) for each in outcome.queries])
    assert not spark.good
    assert "7 rows" in printed(spark)


def test_a_paimon_table_by_links(
    tables: list[DemoTable], rows: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAKECODEC_PYPAIMON", str(PYTHON))
    found = link_as_paimon(tables[1], rows, tmp_path)
    assert (found.rows, found.files, found.sound, found.good) == (ROWS, tables[1].info.num_files, True, True)
    if PYTHON.exists():
        assert found.said.startswith("pypaimon 2.")
        assert found.said.endswith("on Paimon: 20,000 rows, the same as ingested")
        other = link_as_paimon(tables[1], rows.slice(1), tmp_path)
        assert (other.sound, other.equal, other.good) == (False, False, False)
    monkeypatch.setenv("LAKECODEC_PYPAIMON", str(tmp_path / "none"))
    missing = link_as_paimon(tables[1], rows, tmp_path)
    assert (missing.good, missing.engine) == (True, None)
    assert "not installed; .ci/pypaimon" in missing.said


def test_broken_files_are_in_the_summary(tables: list[DemoTable], tmp_path: Path) -> None:
    file = tmp_path / "broken.parquet"
    file.write_bytes(b"PAR1 cut")
    good = next(tables[0].path.rglob("*.parquet"))
    summary = summary_of(column_chunks([str(good), str(file)], errors="column"))
    assert list(summary.broken) == [str(file)]
    assert summary.files == 1


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
    assert "refused" in text
    assert (tmp_path / "out" / "flights.png").exists()


def test_second_run_replaces_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for rows in ("500", "20"):
        assert main(["--rows", rows, "--no-spark", "--output", str(tmp_path)]) == 0
        assert f"{rows} rows" in capsys.readouterr().out


def test_demo_is_a_module(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "demo", "--help"]
    assert "--no-spark" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
