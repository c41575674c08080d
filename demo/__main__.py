"""``python -m demo``: flights as Parquet and Mosaic tables, queried, opened elsewhere, reported; and a year
in the life of one of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
from rich.console import Console

from lakecodec.lake.log import check
from lakecodec.spark.local import local_session, missing_java

from .closing import print_closing
from .data import read_flights, write_source
from .engines import open_elsewhere
from .outcome import Outcome
from .paimon_table import link_as_paimon
from .plot import plot_outcome, plot_year
from .queries import QUERIES, QueryResult, run_query
from .scan import dataset_columns, scan_locally, scan_with_spark
from .summary import summarise
from .tables import DEFINITIONS, DemoTable, ingest_with_spark, write_without_spark
from .year import Year, live_a_year

T = TypeVar("T")
Made = tuple[list[DemoTable], pa.Table, list[QueryResult], Year | None]


def main(arguments: list[str] | None = None) -> int:
    """Run the demonstration; returns the exit code, which is not 0 where something is not as it should be."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo-output"), help="folder for the tables and the plot")
    parser.add_argument("--rows", type=int, help="use only the first ROWS flights")
    parser.add_argument("--no-spark", action="store_true", help="do everything in this process")
    options = parser.parse_args(arguments)
    console = Console()
    advice = None if options.no_spark else missing_java()
    if advice:
        console.print(advice, style="yellow", highlight=False)
        console.print("\nGoing on without Spark: this process writes, scans and queries.\n")

    options.output.mkdir(parents=True, exist_ok=True)
    rows = _timed(console, "read flights", lambda: read_flights(options.rows))
    make = _without_spark if options.no_spark or advice else _with_spark
    tables, chunks, queries, year = make(rows, options.output, console)
    engines = _timed(
        console, "open elsewhere", lambda: [each for table in tables for each in open_elsewhere(table, rows)]
    )
    problems = _timed(console, "check", lambda: {table.definition.title: check(table.path) for table in tables})
    paimon = _timed(console, "link as Paimon", lambda: link_as_paimon(tables[-1], rows, options.output / "warehouse"))
    outcome = Outcome(tables, summarise(chunks, dataset_columns(chunks)), queries, engines, problems, paimon, year)

    print_closing(outcome, console)
    picture = options.output / "flights.png"
    plot_outcome(outcome, picture)
    console.print(f"\nplot: {picture}", highlight=False, soft_wrap=True)
    if year is not None:
        picture = options.output / "year.png"
        plot_year(year, picture)
        console.print(f"plot: {picture}", highlight=False, soft_wrap=True)
    return 0 if outcome.good else 1


def _with_spark(rows: pa.Table, output: Path, console: Console) -> Made:
    from lakecodec.spark.progress import run_with_progress

    source = output / "flights.parquet"
    write_source(rows, source)
    spark = _timed(console, "start Spark", local_session)
    try:
        tables = []
        for definition in DEFINITIONS:
            console.print(f"  ingest as {definition.title}, {definition.clustering}", highlight=False)
            tables.append(ingest_with_spark(spark, source, definition, output / f"flights-{definition.format}"))
        first = tables[0].path.absolute()
        chunks = run_with_progress(spark, "scan metadata", lambda: scan_with_spark(spark, first), console=console)
        queries = _timed(
            console, "query", lambda: [run_query(query, table, spark) for query in QUERIES for table in tables]
        )
        year = _timed(console, "a year of a table", lambda: live_a_year(spark, rows, output / "flights-year"))
    finally:
        spark.stop()
    return tables, chunks, queries, year


def _without_spark(rows: pa.Table, output: Path, console: Console) -> Made:
    tables = []
    for definition in DEFINITIONS:
        target = output / f"flights-{definition.format}"
        write = partial(write_without_spark, rows, definition, target)
        tables.append(_timed(console, f"write as {definition.title}, {definition.clustering}", write))
    chunks = _timed(console, "scan metadata", lambda: scan_locally(tables[0].path))
    queries = _timed(console, "query", lambda: [run_query(query, table, None) for query in QUERIES for table in tables])
    return tables, chunks, queries, None


def _timed(console: Console, description: str, action: Callable[[], T]) -> T:
    start = time.perf_counter()
    with console.status(description):
        result = action()
    console.print(f"  {description} [dim]{time.perf_counter() - start:.2f} s[/]", highlight=False)
    return result


if __name__ == "__main__":
    raise SystemExit(main())
