"""`lakecodec scan`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

    from lakecodec.pipeline import TableScan

_TERMINAL_ROWS = 20

_TABLE = typer.Argument(..., help="The directory of a table.")
_COLUMNS = typer.Option(None, "--columns", metavar="A,B", help="Columns, in this order. Default: all.")
_WHERE = typer.Option(None, "--where", metavar="SQL", help="Only the rows for which this holds.")
_VERSION = typer.Option(None, "--version", help="An older version of the table.")
_TIMESTAMP = typer.Option(None, "--timestamp", metavar="TIME", help="The version of this time, in ISO 8601.")
_LIMIT = typer.Option(None, "--limit", min=0, help=f"At most so many rows. Default on a terminal: {_TERMINAL_ROWS}.")
_OUTPUT = typer.Option(None, "--output", "-o", metavar="FILE", help="A file: .csv, or .arrow for Arrow IPC.")
_VERBOSE = typer.Option(False, "--verbose", "-v", help="Tell how many files and row groups were read.")


def add_to(app: typer.Typer) -> None:
    app.command()(scan)


def scan(
    table: str = _TABLE,
    columns: str | None = _COLUMNS,
    where: str | None = _WHERE,
    version: int | None = _VERSION,
    timestamp: str | None = _TIMESTAMP,
    limit: int | None = _LIMIT,
    output: Path | None = _OUTPUT,
    verbose: bool = _VERBOSE,
) -> None:
    """Read a table without Spark; what cannot match is skipped."""
    from lakecodec.pipeline import open_scan
    from lakecodec.pipeline.log import LogError

    if output is not None and output.suffix not in _WRITERS:
        raise typer.BadParameter(f"a name that ends with {' or '.join(_WRITERS)}", param_hint="--output")
    try:
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        found = open_scan(table, columns=names, where=where, version=version, timestamp=timestamp)
        if output is None:
            _show(found, _TERMINAL_ROWS if limit is None else limit)
        else:
            _WRITERS[output.suffix](found, limit, output)
    except LogError as error:
        raise ValueError(str(error)) from error
    if verbose:
        typer.echo(str(found.summary()), err=True)


def _show(found: TableScan, limit: int) -> None:
    shown = Table(*found.plan.columns)
    for batch in found.batches(limit):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            shown.add_row(*map(_text, row))
    Console().print(shown)


def _text(value: Any) -> str:
    return "[dim]null[/]" if value is None else str(value).replace("[", "\\[")


def _write_arrow(found: TableScan, limit: int | None, output: Path) -> None:
    import pyarrow as pa

    with pa.OSFile(str(output), "wb") as sink, pa.ipc.new_file(sink, found.plan.schema) as writer:
        for batch in found.batches(limit):
            writer.write_batch(batch)


def _write_csv(found: TableScan, limit: int | None, output: Path) -> None:
    import pyarrow as pa
    from pyarrow import csv

    schema = pa.schema([_csv_field(field) for field in found.plan.schema])
    with csv.CSVWriter(str(output), schema) as writer:
        for batch in found.batches(limit):
            columns = [_csv_column(column, field.type) for column, field in zip(batch.columns, schema, strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=schema))


def _csv_field(field: pa.Field) -> pa.Field:
    import pyarrow as pa

    texts = pa.types.is_nested(field.type) or pa.types.is_binary(field.type)
    return pa.field(field.name, pa.string() if texts else field.type)


def _csv_column(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """CSV has no lists, maps, structs and bytes: they are written as JSON, and as hexadecimal digits."""
    import pyarrow as pa

    return column if column.type == kind else pa.array(list(_csv_texts(column)), pa.string())


def _csv_texts(column: pa.Array) -> Iterator[str | None]:
    import json

    for value in column.to_pylist(maps_as_pydicts="strict"):
        if value is None:
            yield None
        else:
            yield value.hex() if isinstance(value, bytes) else json.dumps(value, default=str, ensure_ascii=False)


_WRITERS = {".csv": _write_csv, ".arrow": _write_arrow}
