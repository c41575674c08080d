"""`lakecodec ingest`, `history`, `vacuum` and `check-table`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import typer

from . import output, paimon_tables
from .arguments import (
    HILBERT_BY,
    MASTER,
    QUIET,
    SOURCE_FORMAT,
    SOURCE_OPTION,
    TABLE,
    TARGET_FILE_SIZE,
    ZORDER_BY,
    choices,
    parse_names,
    parse_options,
    parse_size,
)
from .tables import readable_errors, require, session

if TYPE_CHECKING:
    from lakecodec.pipeline import CommitInfo

#: The modes of `pipeline.ingest` in this command's spelling; importing them takes longer than `--help` may.
MODES = ("error", "append", "overwrite", "overwrite-partitions", "ignore")
_PERIODS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

_SOURCE = typer.Argument(..., help="Files, or a directory of files: Parquet, CSV, JSON or ORC.")
_TARGET = typer.Argument(..., help="The directory or URL of the table.")
_FORMAT = typer.Option(
    None,
    "--format",
    **choices(("parquet", "mosaic", "orc")),
    help="Format of data files; orc for Paimon only. Default: the table's, or parquet.",
)
_TABLE_FORMAT = typer.Option(
    "delta", "--table-format", **choices(paimon_tables.TABLE_FORMATS), help="Format of the table."
)
_PARTITION = typer.Option(
    None, "--partition-by", metavar="A,B", help="Partition columns; '' overwrites a table without partitions."
)
_SORT = typer.Option("", "--sort-by", metavar="C,-D", help="Columns to sort by, with - in descending order.")
_MODE = typer.Option("error", "--mode", **choices(MODES), help="What to do if the table exists.")
_REPLACE = typer.Option(
    None, "--replace-where", metavar="SQL", help="With --mode overwrite: replace only these partitions."
)
_ROWS = typer.Option(None, "--max-rows-per-file", metavar="N", help="Number of rows at which a file is full.")
_STATS = typer.Option(None, "--stats-columns", metavar="A,B", help="Columns with statistics. Default: the first 32.")
_SCHEMA_MODE = typer.Option(
    "strict", "--schema-mode", **choices(("strict", "merge")), help="merge adds new columns and widens types."
)
_TXN = typer.Option(None, "--txn-id", metavar="NAME", help="Name of this write: repeating it writes only once.")
_ENGINE = typer.Option(
    "auto",
    "--engine",
    **choices(("auto", "local", "spark")),
    help="What writes. auto: local for files up to --local-limit if Java is missing, else spark.",
)
_LOCAL_LIMIT = typer.Option(
    "1GiB", "--local-limit", metavar="SIZE", help="Size of files up to which auto uses the local engine."
)
_RETENTION = typer.Option(
    None,
    "--retention",
    metavar="TIME",
    help="How long files of older versions stay, such as 7d: s, m, h, d or w. Default: the table's.",
)
_DEEP = typer.Option(False, "--deep", help="Read every page and verify its checksum.")
_DELETE = typer.Option(False, "--delete", help="Delete the files instead of only listing them.")


def add_to(app: typer.Typer) -> None:
    app.command()(ingest)
    app.command()(history)
    app.command()(vacuum)
    app.command("check-table")(check_table)


def ingest(
    source: str = _SOURCE,
    target: str = _TARGET,
    table_format: str = _TABLE_FORMAT,
    format: str | None = _FORMAT,
    partition_by: str | None = _PARTITION,
    sort_by: str = _SORT,
    zorder_by: str = ZORDER_BY,
    hilbert_by: str = HILBERT_BY,
    mode: str = _MODE,
    replace_where: str | None = _REPLACE,
    target_file_size: str | None = TARGET_FILE_SIZE,
    max_rows_per_file: int | None = _ROWS,
    stats_columns: str | None = _STATS,
    schema_mode: str = _SCHEMA_MODE,
    txn_id: str | None = _TXN,
    source_format: str | None = SOURCE_FORMAT,
    source_option: list[str] = SOURCE_OPTION,
    engine: str = _ENGINE,
    local_limit: str = _LOCAL_LIMIT,
    master: str = MASTER,
    quiet: bool = QUIET,
    as_json: bool = output.JSON,
) -> None:
    """Write files as one version of a partitioned, clustered Delta table, with Spark or in this process.

    A Paimon table is written in this process unless --engine is spark, or Spark has to read the files.
    """
    if mode.replace("_", "-") not in MODES:
        raise typer.BadParameter(f"one of {', '.join(MODES)}, not {mode!r}", param_hint="--mode")
    if table_format not in paimon_tables.TABLE_FORMATS:
        raise typer.BadParameter(
            f"one of {', '.join(paimon_tables.TABLE_FORMATS)}, not {table_format!r}", param_hint="--table-format"
        )
    request: dict[str, Any] = {
        "format": format,
        "partition_by": None if partition_by is None else parse_names(partition_by),
        "sort_by": parse_names(sort_by),
        "zorder_by": parse_names(zorder_by),
        "hilbert_by": parse_names(hilbert_by),
        "mode": mode.replace("-", "_"),
        "replace_where": replace_where,
        "target_file_bytes": target_file_size and parse_size(target_file_size, "--target-file-size"),
        "max_rows_per_file": max_rows_per_file,
        "stats_columns": None if stats_columns is None else parse_names(stats_columns),
        "schema_mode": schema_mode,
        "txn_id": txn_id,
    }
    reading = _Reading(source, source_format, parse_options(source_option, "--source-option"), engine, master)
    if table_format == "paimon":
        _ingest_paimon(reading, target, request, as_json)
    else:
        _ingest_delta(reading, target, request, parse_size(local_limit, "--local-limit"), quiet, as_json)


@dataclass(frozen=True)
class _Reading:
    """The files of an ingest, and what reads them."""

    source: str
    format: str | None
    options: dict[str, str]
    engine: str
    master: str

    @property
    def is_plain(self) -> bool:
        """True if files can be read in this process: no option is for Spark."""
        return self.format is None and not self.options


#: Options that Paimon tables do not have, with their defaults.
_NOT_OF_PAIMON: dict[str, Any] = {
    "sort_by": [],
    "zorder_by": [],
    "hilbert_by": [],
    "replace_where": None,
    "target_file_bytes": None,
    "max_rows_per_file": None,
    "stats_columns": None,
    "schema_mode": "strict",
    "txn_id": None,
}


def _ingest_paimon(reading: _Reading, target: str, request: dict[str, Any], as_json: bool) -> None:
    refused = {
        "--target-file-size" if name == "target_file_bytes" else f"--{name.replace('_', '-')}": request[name] != unset
        for name, unset in _NOT_OF_PAIMON.items()
    }
    with readable_errors():
        require(source=reading.source)
        spark = None if _is_local(reading.engine, plain=reading.is_plain) else session(reading.master)
        made = paimon_tables.ingest(
            reading.source, target, format=request["format"], partition_by=request["partition_by"] or (),
            mode=request["mode"].replace("_", "-"), refused=refused, spark=spark, source_format=reading.format,
            source_options=reading.options,
        )  # fmt: skip
    paimon_tables.print_snapshot(made, as_json)


def _ingest_delta(
    reading: _Reading, target: str, request: dict[str, Any], limit: int, quiet: bool, as_json: bool
) -> None:
    from lakecodec import lake, pipeline
    from lakecodec.lake.writing.request import MAX_ROWS_PER_FILE, Request

    if request["max_rows_per_file"] is None:
        request["max_rows_per_file"] = MAX_ROWS_PER_FILE
    Request.of(**request)  # report errors before Spark starts, which takes a while
    with readable_errors():
        require(source=reading.source)
        plain = reading.is_plain and (reading.engine != "auto" or _is_small(reading.source, limit))
        if _is_local(reading.engine, plain=plain):
            if not quiet:
                typer.echo("engine: local", err=True)
            info = lake.write(reading.source, target, progress=not quiet, **request)
        else:
            info = pipeline.ingest(
                session(reading.master),
                reading.source,
                target,
                source_format=reading.format,
                source_options=reading.options,
                progress=not quiet,
                **request,
            )
    output.print_commit(info, as_json)


def _is_local(engine: str, *, plain: bool) -> bool:
    """Returns whether files are written in this process. ``plain``: with the engine ``auto``, they can be."""
    if engine not in ("auto", "local", "spark"):
        raise typer.BadParameter(f"auto, local or spark, not {engine!r}", param_hint="--engine")
    if engine == "local" and not plain:
        raise typer.BadParameter("--source-format and --source-option are Spark's", param_hint="--engine")
    return plain if engine == "auto" else engine == "local"


def _is_small(source: str, limit: int) -> bool:
    """Returns whether Java is missing, and local files are small enough to be written without it."""
    from lakecodec.lake.listing import list_files
    from lakecodec.spark.local import missing_java

    if "://" in source or missing_java() is None:
        return False
    return sum(file.size for file in list_files([source])) <= limit


def history(table: str = TABLE, as_json: bool = output.JSON) -> None:
    """Show the versions of a Delta table, or the snapshots of a Paimon table, newest first."""
    from lakecodec import paimon, pipeline
    from lakecodec.lake import VersionNotFoundError

    with readable_errors():
        try:
            found = pipeline.history(table)
        except VersionNotFoundError as error:
            paimon_tables.if_there(table, error)
            paimon_tables.print_history(paimon.history(table), as_json)
            return
    if as_json:
        output.print_json(found)
        return
    from rich.table import Table

    from lakecodec.runtime.display import print_table

    shown = Table("version", "time (UTC)", "operation", box=None, pad_edge=False)
    for name in ("files", "rows", "bytes"):
        shown.add_column(name, justify="right")
    for info in found:
        moment = info.timestamp.strftime("%Y-%m-%d %H:%M:%S")
        numbers = [
            f"{number:,}" if number is not None else "?" for number in (info.num_files, info.num_rows, info.num_bytes)
        ]
        shown.add_row(str(info.version), moment, _operation(info), *numbers)
    print_table(output.console(), shown)


def vacuum(
    table: str = TABLE, retention: str | None = _RETENTION, delete: bool = _DELETE, as_json: bool = output.JSON
) -> None:
    """List the data files that no version needs, or delete them."""
    from lakecodec import pipeline

    kept = None if retention is None else parse_period(retention)
    with readable_errors():
        files = pipeline.vacuum(table, retention=kept, dry_run=not delete)
    if as_json:
        output.print_json({"deleted": delete, "files": files})
        return
    for file in files:
        typer.echo(file)
    typer.echo(f"{len(files)} files {'deleted' if delete else 'can be deleted'}", err=True)


def check_table(table: str = TABLE, deep: bool = _DEEP, as_json: bool = output.JSON) -> None:
    """Compare a table's log with its files: missing, orphaned, wrong size, wrong statistics."""
    from lakecodec import pipeline

    with readable_errors():
        problems = pipeline.check(table, deep=deep)
    if as_json:
        output.print_json({"sound": not problems, "problems": problems})
    else:
        for problem in problems:
            typer.echo(f"{problem.kind}: {problem.path}: {problem.message}")
    if problems:
        raise typer.Exit(1)
    if not as_json:
        typer.echo("table checked, no problems")


def parse_period(text: str) -> timedelta:
    """Returns the duration of ``12h`` or ``7d``."""
    found = re.fullmatch(r"\s*(\d+)\s*([smhdw])\s*", text)
    if found is None:
        raise typer.BadParameter(f"a number and s, m, h, d or w, not {text!r}", param_hint="--retention")
    return timedelta(**{_PERIODS[found[2]]: int(found[1])})


def _operation(info: CommitInfo) -> str:
    """Returns the operation of a commit with its mode, and the transaction id that the caller gave."""
    mode = info.parameters.get("mode", "")
    # The mode for an existing table is irrelevant if the table was new.
    mode = "" if mode.lower() in ("error", "errorifexists", "ignore") else mode.lower()
    shown = f"{info.operation} {mode}".strip()
    return f"{shown} ({info.txn_id})" if info.txn_given else shown
