"""`lakecodec optimize`, `delete`, `update`, `merge`, `restore`, `count` and `properties`."""

from __future__ import annotations

from typing import Any

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
    WHERE,
    ZORDER_BY,
    parse_names,
    parse_options,
    parse_size,
)
from .tables import readable_errors, require, session

_NEEDED_WHERE = typer.Option(
    ..., "--where", metavar="SQL", help="Rows for which this condition holds; 'true' for all rows."
)
_FILES_WHERE = typer.Option(
    None, "--where", metavar="SQL", help="Only files that can have rows for which this condition holds."
)
_SET = typer.Option(..., "--set", metavar="COLUMN=SQL", help="A column and its new value. May be repeated.")
_SOURCE = typer.Argument(..., help="Files with rows: Parquet, CSV, JSON, ORC or Avro.")
_ON = typer.Option(
    ..., "--on", metavar="X,Y|SQL", help="Columns that must be equal, or a condition on target. and source. columns."
)
_MERGE_SET = typer.Option(
    [], "--set", metavar="COLUMN=SQL", help="A column of matched rows and its new value. May be repeated."
)
_MERGE_UPDATE = typer.Option(False, "--update", help="Update all columns of matched rows from the source.")
_MERGE_DELETE = typer.Option(None, "--delete", metavar="SQL", help="Matched rows to delete; 'true' for all of them.")
_MERGE_INSERT = typer.Option(False, "--insert", help="Insert the rows of the source that match no row.")
_VERSION = typer.Option(None, "--version", metavar="N", help="Number of the version.")
_COUNT_VERSION = typer.Option(None, "--version", metavar="N", help="Number of an older version of the table.")
_TIMESTAMP = typer.Option(None, "--timestamp", metavar="TIME", help="The version as of this time, in ISO 8601.")
_PROPERTY = typer.Option([], "--set", metavar="NAME=VALUE", help="A property to set. May be repeated.")
_UNSET = typer.Option([], "--unset", metavar="NAME", help="A property to remove. May be repeated.")


def add_to(app: typer.Typer) -> None:
    app.command()(optimize)
    app.command()(delete)
    app.command()(update)
    app.command()(merge)
    app.command()(restore)
    app.command()(count)
    app.command()(properties)


def optimize(
    table: str = TABLE,
    where: str | None = _FILES_WHERE,
    zorder_by: str = ZORDER_BY,
    hilbert_by: str = HILBERT_BY,
    target_file_size: str | None = TARGET_FILE_SIZE,
    master: str = MASTER,
    quiet: bool = QUIET,
    as_json: bool = output.JSON,
) -> None:
    """Compact small files of a table, or cluster its rows, with Spark.

    In Python, lakecodec.lake.optimize does it without Spark.
    """
    from lakecodec import pipeline
    from lakecodec.lake.writing.request import Request

    options: dict[str, Any] = {
        "zorder_by": parse_names(zorder_by),
        "hilbert_by": parse_names(hilbert_by),
        "target_file_bytes": target_file_size and parse_size(target_file_size, "--target-file-size"),
    }
    Request.of(**options)
    with readable_errors():
        require(table=table)
        output.print_commit(
            pipeline.optimize(session(master), table, where=where, progress=not quiet, **options), as_json
        )


def delete(
    table: str = TABLE,
    where: str = _NEEDED_WHERE,
    master: str = MASTER,
    quiet: bool = QUIET,
    as_json: bool = output.JSON,
) -> None:
    """Delete rows of a table, with Spark.

    In Python, lakecodec.lake.delete does it without Spark.
    """
    from lakecodec import pipeline

    with readable_errors():
        require(table=table)
        output.print_commit(pipeline.delete(session(master), table, where, progress=not quiet), as_json)


def update(
    table: str = TABLE,
    set: list[str] = _SET,
    where: str | None = WHERE,
    master: str = MASTER,
    quiet: bool = QUIET,
    as_json: bool = output.JSON,
) -> None:
    """Change columns of a table's rows, with Spark.

    In Python, lakecodec.lake.update does it without Spark.
    """
    from lakecodec import pipeline

    values = parse_options(set, "--set", "COLUMN=SQL")
    with readable_errors():
        require(table=table)
        output.print_commit(pipeline.update(session(master), table, values, where, progress=not quiet), as_json)


def merge(
    table: str = TABLE,
    source: str = _SOURCE,
    on: str = _ON,
    update: bool = _MERGE_UPDATE,
    set: list[str] = _MERGE_SET,
    delete: str | None = _MERGE_DELETE,
    insert: bool = _MERGE_INSERT,
    source_format: str | None = SOURCE_FORMAT,
    source_option: list[str] = SOURCE_OPTION,
    master: str = MASTER,
    quiet: bool = QUIET,
    as_json: bool = output.JSON,
) -> None:
    """Change, delete and insert rows of a table by the rows of files, with Spark.

    In Python, lakecodec.lake.merge does it without Spark.
    """
    from lakecodec import pipeline
    from lakecodec.spark.ingest.source import open_source

    if update and set:
        raise typer.BadParameter("give --update for all columns, or --set for some", param_hint="--update")
    if not (update or set or insert or delete is not None):
        raise typer.BadParameter("give one of --update, --set, --delete and --insert", param_hint="--update")
    names = parse_names(on)
    options = parse_options(source_option, "--source-option")
    values = parse_options(set, "--set", "COLUMN=SQL")
    with readable_errors():
        require(table=table, source=source)
        spark = session(master)
        info = pipeline.merge(
            spark,
            table,
            open_source(spark, source, source_format, options),
            names if all(name.isidentifier() for name in names) else on,
            when_matched_update=update or values or None,
            when_matched_delete=delete,
            when_not_matched_insert=insert or None,
            progress=not quiet,
        )
    output.print_commit(info, as_json)


def restore(
    table: str = TABLE,
    version: int | None = _VERSION,
    timestamp: str | None = _TIMESTAMP,
    as_json: bool = output.JSON,
) -> None:
    """Restore a table to an older version, as a new version."""
    from lakecodec import pipeline

    with readable_errors():
        output.print_commit(pipeline.restore(None, table, version, timestamp=timestamp), as_json)


def convert_directory(directory: str, partition_by: str, as_json: bool) -> None:
    """Makes a directory of Parquet files a table where it is; ``partition_by`` as of `lakecodec convert`."""
    from lakecodec import pipeline

    with readable_errors():
        output.print_commit(pipeline.convert(None, directory, partition_schema=_types(partition_by)), as_json)


def count(
    table: str = TABLE,
    where: str | None = WHERE,
    version: int | None = _COUNT_VERSION,
    as_json: bool = output.JSON,
) -> None:
    """Count the rows of a Delta or Paimon table without Spark, from its metadata and footers where they suffice."""
    from lakecodec import paimon, pipeline
    from lakecodec.lake import VersionNotFoundError

    with readable_errors():
        try:
            found = pipeline.count(table, where=where, version=version)
        except VersionNotFoundError as error:
            paimon_tables.if_there(table, error)
            found = paimon.count(table, where=where, snapshot=version)
    if as_json:
        output.print_json({"rows": found})
    else:
        typer.echo(found)


def properties(
    table: str = TABLE, set: list[str] = _PROPERTY, unset: list[str] = _UNSET, as_json: bool = output.JSON
) -> None:
    """Show a table's properties, or set and remove some."""
    from lakecodec import pipeline

    values = parse_options(set, "--set", "NAME=VALUE")
    with readable_errors():
        if values:
            pipeline.set_properties(table, values)
        if unset:
            pipeline.unset_properties(table, unset)
        found = pipeline.properties(table)
    if as_json:
        output.print_json(found)
    else:
        for name, value in found.items():
            typer.echo(f"{name}={value}")


def _types(text: str) -> dict[str, Any]:
    """Returns the Arrow types by column of a text such as ``a:integer,b:date``, in Delta's names of types."""
    from lakecodec.delta.types import from_name, to_arrow

    found = {}
    for part in parse_names(text):
        name, _, kind = part.partition(":")
        known = from_name(kind.strip() or "string")
        if known is None:
            raise typer.BadParameter(
                f"{kind!r} is not a type such as string, integer, long or date", param_hint="--partition-by"
            )
        found[name.strip()] = to_arrow(known)
    return found
