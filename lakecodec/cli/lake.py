"""`lakecodec ingest`, `history`, `vacuum` and `check-table`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from .arguments import parse_names, parse_size

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PERIODS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_SOURCE = typer.Argument(..., help="Files or a directory that Spark reads: Parquet, CSV, JSON, ORC.")
_TARGET = typer.Argument(..., help="The directory of the table.")
_FORMAT = typer.Option(None, "--format", help="Of the data files: parquet or mosaic. Default: the table's, or parquet.")
_PARTITION = typer.Option("", "--partition-by", metavar="A,B", help="Partition columns.")
_SORT = typer.Option("", "--sort-by", metavar="C,-D", help="Columns to sort by, with - in descending order.")
_ZORDER = typer.Option("", "--zorder-by", metavar="X,Y", help="Columns to cluster by all at once.")
_MODE = typer.Option("error", "--mode", help="error, append, overwrite, overwrite-partitions or ignore.")
_REPLACE = typer.Option(None, "--replace-where", metavar="SQL", help="With overwrite: only these partitions.")
_SIZE = typer.Option("128MiB", "--target-file-size", help="When the next file begins: a number and B, KB, MiB, ...")
_ROWS = typer.Option(None, "--max-rows-per-file", help="Rows after which the next file begins.")
_STATS = typer.Option(None, "--stats-columns", metavar="A,B", help="Columns with statistics; default: the first 32.")
_TXN = typer.Option(None, "--txn-id", help="Makes repeating the command safe.")
_SOURCE_FORMAT = typer.Option(None, "--source-format", help="Spark's name of the source's format.")
_MASTER = typer.Option("local[*]", "--master", help="Where Spark runs.")
_QUIET = typer.Option(False, "--quiet", help="No progress, no summary.")
_TABLE = typer.Argument(..., help="The directory of a table.")
_RETENTION = typer.Option(
    "7d", "--retention", metavar="7d", help="Keep what versions of this time need: s, m, h, d, w."
)
_DELETE = typer.Option(False, "--delete", help="Delete the files instead of only listing them.")


def add_to(app: typer.Typer) -> None:
    app.command()(ingest)
    app.command()(history)
    app.command()(vacuum)
    app.command("check-table")(check_table)


def ingest(
    source: str = _SOURCE,
    target: str = _TARGET,
    format: str | None = _FORMAT,
    partition_by: str = _PARTITION,
    sort_by: str = _SORT,
    zorder_by: str = _ZORDER,
    mode: str = _MODE,
    replace_where: str | None = _REPLACE,
    target_file_size: str = _SIZE,
    max_rows_per_file: int | None = _ROWS,
    stats_columns: str | None = _STATS,
    txn_id: str | None = _TXN,
    source_format: str | None = _SOURCE_FORMAT,
    master: str = _MASTER,
    quiet: bool = _QUIET,
) -> None:
    """Write files as one version of a partitioned, clustered Delta table, with Spark."""
    from lakecodec import pipeline

    options: dict[str, Any] = {} if max_rows_per_file is None else {"max_rows_per_file": max_rows_per_file}
    size = parse_size(target_file_size, "--target-file-size")
    with _readable_errors():
        info = pipeline.ingest(
            _session(master),
            source,
            target,
            format=format,  # type: ignore[arg-type]
            partition_by=parse_names(partition_by),
            sort_by=parse_names(sort_by),
            zorder_by=parse_names(zorder_by),
            mode=mode.replace("-", "_"),  # type: ignore[arg-type]
            replace_where=replace_where,
            target_file_bytes=size,
            stats_columns=None if stats_columns is None else parse_names(stats_columns),
            txn_id=txn_id,
            source_format=source_format,
            progress=not quiet,
            **options,
        )
    typer.echo(f"version {info.version}")


def history(table: str = _TABLE) -> None:
    """Show a table's versions, newest first."""
    from lakecodec import pipeline

    shown = Table("version", "time", "operation", "files", "rows", "bytes", "transaction")
    with _readable_errors():
        for info in pipeline.history(table):
            moment = info.timestamp.isoformat(sep=" ", timespec="milliseconds")
            numbers = [
                f"{number:,}" if number is not None else "?"
                for number in (info.num_files, info.num_rows, info.num_bytes)
            ]
            shown.add_row(str(info.version), moment, info.operation, *numbers, info.txn_id or "")
    if not shown.row_count:
        typer.echo(f"lakecodec: there is no table at {table!r}", err=True)
        raise typer.Exit(1)
    Console().print(shown)


def vacuum(table: str = _TABLE, retention: str = _RETENTION, delete: bool = _DELETE) -> None:
    """List, or delete, the data files that no version needs."""
    from lakecodec import pipeline

    kept = parse_period(retention)
    with _readable_errors():
        files = pipeline.vacuum(table, retention=kept, dry_run=not delete)
    for file in files:
        typer.echo(file)
    typer.echo(f"{len(files)} files {'deleted' if delete else 'can be deleted'}", err=True)


def check_table(table: str = _TABLE) -> None:
    """Compare a table's log with its files: missing, orphaned, wrong size, wrong statistics."""
    from lakecodec import pipeline

    with _readable_errors():
        problems = pipeline.check(table)
    for problem in problems:
        typer.echo(f"{problem.kind}: {problem.path}: {problem.message}")
    if problems:
        raise typer.Exit(1)
    typer.echo("the table is sound")


def parse_period(text: str) -> timedelta:
    """The time that ``12h`` or ``7d`` stands for."""
    found = re.fullmatch(r"\s*(\d+)\s*([smhdw])\s*", text)
    if found is None:
        raise typer.BadParameter(f"a number and s, m, h, d or w, not {text!r}", param_hint="--retention")
    return timedelta(**{_PERIODS[found[2]]: int(found[1])})


def _session(master: str) -> SparkSession:
    from lakecodec.pipeline.demo.java import missing_java
    from lakecodec.pipeline.demo.session import local_session

    if advice := missing_java():
        raise ValueError(advice)
    return local_session(master)


@contextmanager
def _readable_errors() -> Iterator[None]:
    """Errors of the log and of Spark as errors that the command line shows in one line."""
    from lakecodec.pipeline.log import LogError

    try:
        yield
    except LogError as error:
        raise ValueError(str(error)) from error
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark.", "py4j.")):
            raise
        raise ValueError(f"Spark: {str(error).strip().splitlines()[0]}") from error
