"""Paimon tables in the commands on tables: what the commands do with them, and which options they refuse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import typer

from . import output

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lakecodec.lake import VersionNotFoundError
    from lakecodec.paimon import PaimonScan, SnapshotInfo

TABLE_FORMATS = ("delta", "paimon")
_MODES = ("error", "append", "overwrite")


def ingest(
    source: str,
    target: str,
    *,
    format: str | None,
    partition_by: Sequence[str],
    mode: str,
    refused: dict[str, bool],
    spark: SparkSession | None,
    source_format: str | None,
    source_options: dict[str, str],
) -> SnapshotInfo:
    """Returns the snapshot that files are written as, in this process or with Spark.

    ``refused`` tells for each option for Delta tables whether it was passed.
    """
    from lakecodec import paimon

    for option, given in refused.items():
        if given:
            raise typer.BadParameter(
                "it is for Delta tables; leave it out with --table-format paimon", param_hint=option
            )
    if mode not in _MODES:
        raise typer.BadParameter(f"one of {', '.join(_MODES)} for Paimon tables, not {mode!r}", param_hint="--mode")
    if spark is None:
        return paimon.write(source, target, mode=mode, partition_by=partition_by, file_format=format)  # type: ignore[arg-type]
    from lakecodec.paimon.table import is_table
    from lakecodec.spark.ingest.source import open_source
    from lakecodec.spark.sources import register

    if mode == "error" and is_table(target):
        raise FileExistsError(f"path: there is a table at {target!r}")
    register(spark)
    user = str(uuid4())
    options = {"partitionBy": json.dumps(list(partition_by)), "commitUser": user}
    if format is not None:
        options["format"] = format
    frame = open_source(spark, source, source_format, source_options)
    way = "overwrite" if mode == "overwrite" else "append"
    frame.write.format("paimon_append").mode(way).options(**options).save(target)
    return next(made for made in paimon.history(target) if made.commit_user == user)


def if_there(table: str, error: VersionNotFoundError) -> None:
    """Raises ``error``, which says that there is no Delta table, unless there is a Paimon table."""
    from lakecodec.paimon.table import is_table

    if not is_table(table):
        raise error


def open_scan(
    table: str,
    columns: Sequence[str] | None,
    where: str | None,
    version: int | None,
    timestamp: str | None,
    refused: dict[str, bool],
) -> PaimonScan:
    """Returns the planned scan of a Paimon table, whose versions are its snapshots."""
    from lakecodec import paimon

    for option, given in refused.items():
        if given:
            raise typer.BadParameter("it is for Delta tables, and this is a Paimon table", param_hint=option)
    return paimon.open_scan(table, columns=columns, where=where, snapshot=version, timestamp=timestamp)


def print_history(found: Sequence[SnapshotInfo], as_json: bool) -> None:
    """Prints snapshots, newest first."""
    if as_json:
        output.print_json(found)
        return
    from rich.table import Table

    from lakecodec.runtime.display import print_table

    shown = Table("snapshot", "time (UTC)", "kind", box=None, pad_edge=False)
    for name in ("rows", "rows added"):
        shown.add_column(name, justify="right")
    for info in found:
        moment = info.timestamp.strftime("%Y-%m-%d %H:%M:%S")
        shown.add_row(str(info.id), moment, info.kind.lower(), f"{info.num_rows:,}", f"{info.num_rows_added:,}")
    print_table(output.console(), shown)


def print_snapshot(info: Any, as_json: bool) -> None:
    """Prints the snapshot that a command made."""
    if as_json:
        output.print_json(info)
    else:
        typer.echo(f"snapshot {info.id}")
