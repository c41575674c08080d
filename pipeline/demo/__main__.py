"""``python -m lakecodec.pipeline.demo``: write flights as Parquet with Spark, scan the metadata, report and plot."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pyarrow as pa
from rich.console import Console

from .data import PARTITION_BY, read_flights, write_with_pyarrow, write_with_spark
from .java import missing_java
from .plot import plot_sizes
from .report import print_report
from .scan import dataset_columns, scan_locally, scan_with_spark
from .summary import summarise

T = TypeVar("T")


def main(arguments: list[str] | None = None) -> int:
    """Run the demonstration; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lakecodec.pipeline.demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo-output"), help="folder for the data and the plot")
    parser.add_argument("--rows", type=int, help="use only the first ROWS flights")
    parser.add_argument("--no-spark", action="store_true", help="write with pyarrow and scan in this process")
    options = parser.parse_args(arguments)
    console = Console()
    advice = None if options.no_spark else missing_java()
    if advice:
        console.print(advice, style="yellow", highlight=False)
        console.print("\nGoing on without Spark: pyarrow writes the files, this process scans them.\n")

    options.output.mkdir(parents=True, exist_ok=True)
    directory = options.output / "flights"
    table = _timed(console, "read flights", lambda: read_flights(options.rows))
    run = _without_spark if options.no_spark or advice else _with_spark
    chunks = run(table, directory, console)

    summary = summarise(chunks, dataset_columns(chunks))
    print_report(summary, console)
    console.print(f"\n{' and '.join(PARTITION_BY)} are in the names of the directories, not in the files")
    picture = options.output / "compression.png"
    plot_sizes(summary, picture)
    console.print(f"plot: {picture}", highlight=False, soft_wrap=True)
    return 1 if summary.broken else 0


def _with_spark(table: pa.Table, directory: Path, console: Console) -> pa.Table:
    from ..progress import run_with_progress
    from .session import local_session

    spark = _timed(console, "start Spark", local_session)
    try:
        run_with_progress(
            spark, "write Parquet", lambda: write_with_spark(spark, table, directory.absolute()), console=console
        )
        return run_with_progress(
            spark, "scan metadata", lambda: scan_with_spark(spark, directory.absolute()), console=console
        )
    finally:
        spark.stop()


def _without_spark(table: pa.Table, directory: Path, console: Console) -> pa.Table:
    _timed(console, "write Parquet", lambda: write_with_pyarrow(table, directory))
    return _timed(console, "scan metadata", lambda: scan_locally(directory))


def _timed(console: Console, description: str, action: Callable[[], T]) -> T:
    start = time.perf_counter()
    with console.status(description):
        result = action()
    console.print(f"  {description} [dim]{time.perf_counter() - start:.2f} s[/]", highlight=False)
    return result


if __name__ == "__main__":
    raise SystemExit(main())
