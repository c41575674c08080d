"""`lakecodec convert`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from . import output
from .arguments import QUIET, choices, parse_names, parse_size

_STREAM_FORMATS = ("csv", "jsonl", "parquet", "mosaic")
_CODECS = ("zstd", "none", "snappy", "gzip", "brotli", "lz4")
_SOURCE = typer.Argument(
    ..., help="A file: .mosaic, .parquet, .csv, .jsonl or .ndjson; or a directory of Parquet files."
)
_TARGET = typer.Argument(
    None, help="File to write, of any of these formats; an existing file is replaced. - is standard output."
)
_FORMAT = typer.Option("csv", "--format", **choices(_STREAM_FORMATS), help="Format of standard output.")
_COLUMNS = typer.Option("", "--columns", metavar="A,B", help="Only these columns, in this order.")
_COMPRESSION = typer.Option(
    None, "--compression", **choices(_CODECS), help="Mosaic files have zstd and none only. Default: zstd."
)
_LEVEL = typer.Option(None, "--level", metavar="N", help="Level of the compression; snappy and none have no levels.")
_BUCKETS = typer.Option(None, "--num-buckets", metavar="N", help="Number of buckets of a Mosaic file. Default: 100.")
_ROW_GROUP = typer.Option(
    None, "--row-group-bytes", metavar="SIZE", help="Size at which a row group is full: a number and B, KB, MiB, ..."
)
_DELIMITER = typer.Option(
    None,
    "--delimiter",
    metavar="CHAR",
    help="Delimiter of a CSV source. Default: the first of comma, semicolon and tab that its header has.",
)
_PARTITIONS = typer.Option(
    "",
    "--partition-by",
    metavar="A:TYPE,B:TYPE",
    help="Partition columns of a directory, such as year:integer,day:date.",
)
#: Arguments of `Conversion` -> options.
_OPTIONS = {
    "compression": "--compression",
    "compression_level": "--level",
    "num_buckets": "--num-buckets",
    "row_group_bytes": "--row-group-bytes",
    "row_group_max_bytes": "--row-group-bytes",
    "delimiter": "--delimiter",
}


def add_to(app: typer.Typer) -> None:
    app.command()(convert)


def convert(
    source: str = _SOURCE,
    target: str | None = _TARGET,
    columns: str = _COLUMNS,
    compression: str | None = _COMPRESSION,
    level: int | None = _LEVEL,
    num_buckets: int | None = _BUCKETS,
    row_group_bytes: str | None = _ROW_GROUP,
    delimiter: str | None = _DELIMITER,
    format: str = _FORMAT,
    partition_by: str = _PARTITIONS,
    as_json: bool = output.JSON,
    quiet: bool = QUIET,
) -> None:
    """Convert a file between Mosaic, Parquet, CSV and JSON lines, or make a directory of Parquet files a table in place."""
    if target is None:
        if not os.path.isdir(source) and "://" not in source:
            raise typer.BadParameter("is required, since the source is not a directory", param_hint="TARGET")
        from .changes import convert_directory

        convert_directory(source, partition_by, as_json)
        return
    from lakecodec.convert import Conversion
    from lakecodec.runtime.progress import progress_bar

    if as_json and target == "-":
        raise typer.BadParameter("standard output is the target", param_hint="--json")
    size = None if row_group_bytes is None else parse_size(row_group_bytes, "--row-group-bytes")
    with _file(target, format) as file:
        try:
            conversion = Conversion(
                source,
                file,
                columns=parse_names(columns) or None,
                compression=compression,
                compression_level=level,
                num_buckets=num_buckets,
                row_group_bytes=size,
                delimiter="\t" if delimiter == "\\t" else delimiter,
            )
        except ValueError as error:
            argument, _, reason = str(error).partition(": ")
            hint = _OPTIONS.get(argument)
            raise typer.BadParameter(reason if hint else str(error), param_hint=hint) from error
        with progress_bar(shown=not quiet) as report:
            rows = conversion.run(report)
        before, after = os.path.getsize(source), os.path.getsize(file)
    if as_json:
        output.print_json({"target": target, "rows": rows, "source_bytes": before, "target_bytes": after})
    elif not quiet and target != "-":
        sizes = f"{before:,} -> {after:,} bytes"
        typer.echo(f"{target}: {rows:,} rows, {sizes}")


@contextmanager
def _file(target: str, format: str) -> Iterator[str]:
    """Yields the path to write to; a file for standard output is copied there at the end."""
    if target != "-":
        yield target
        return
    from lakecodec.convert.kinds import ENDINGS

    if f".{format.lower()}" not in ENDINGS:
        known = ", ".join(ending.removeprefix(".") for ending in ENDINGS)
        raise typer.BadParameter(f"one of {known}, not {format!r}", param_hint="--format")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"stdout.{format}")
        yield path
        with open(path, "rb") as made:
            shutil.copyfileobj(made, sys.stdout.buffer)
        sys.stdout.flush()
