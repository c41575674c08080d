"""Rows of a scan as a file of a format that its suffix names, or on standard output."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import typer

from .arguments import choices
from .output import console, is_terminal, plain

if TYPE_CHECKING:
    import pyarrow as pa

    from lakecodec.runtime.sink import Sink

#: File formats by file name suffix.
SUFFIXES = {
    ".csv": "csv",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".parquet": "parquet",
    ".mosaic": "mosaic",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))

#: Rows that are shown on a terminal without --limit.
TERMINAL_ROWS = 20
LIMIT = typer.Option(
    None, "--limit", metavar="N", min=0, help=f"Maximum number of rows. Default on a terminal: {TERMINAL_ROWS}."
)
OUTPUT = typer.Option(
    None, "-o", "--output", metavar="FILE", help=f"File to write: {', '.join(SUFFIXES)}; - for standard output."
)
FORMAT = typer.Option(
    None,
    "--format",
    **choices(FORMATS),
    help="Format of the output. Default: by the suffix of its name, else csv.",
)
JSON = typer.Option(False, "--json", help="The same as --format json: an array of objects.")

Batches = Iterable["pa.RecordBatch"]


def write_rows(batches: Batches, schema: pa.Schema, output: str, format: str) -> None:
    """Writes batches to a file, which replaces an older one when it is complete; ``-`` is standard output."""
    if output == "-":
        stream = _Counted(sys.stdout.buffer)
        _WRITERS[format](batches, schema, stream, True)
        sys.stdout.flush()
        return
    if "://" in output:
        from lakecodec.parquet.relocation import target_file

        with target_file(output, "output") as sink:
            _WRITERS[format](batches, schema, _Counted(sink), False)
        return
    from lakecodec.convert.conversion import replacing

    with replacing(output) as temporary, open(temporary, "wb") as file:
        _WRITERS[format](batches, schema, file, False)


class _Counted:
    """A stream with a position over one without, such as a pipe: writers of files need the position."""

    closed = False

    def __init__(self, stream: BinaryIO | Sink) -> None:
        self._stream = stream
        self._position = 0

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self._stream.write(data)
        self._position += size
        return size

    def tell(self) -> int:
        return self._position

    def flush(self) -> None:
        if hasattr(self._stream, "flush"):
            self._stream.flush()

    def close(self) -> None:
        self.flush()

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False


def _write_arrow(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    import pyarrow as pa

    # A pipe gets Arrow's stream format, which can be read before it is complete.
    with pa.ipc.new_stream(file, schema) if stream else pa.ipc.new_file(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_parquet(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_mosaic(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    from lakecodec.mosaic import MosaicWriter

    with MosaicWriter(file, schema) as writer:
        for batch in batches:
            writer.write(batch)


def _write_jsonl(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    for row in _rows(batches):
        file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def _write_json(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    separator = b"[\n  "
    for row in _rows(batches):
        file.write(separator + json.dumps(row, ensure_ascii=False).encode())
        separator = b",\n  "
    file.write(b"\n]\n" if separator.startswith(b",") else b"[]\n")


def _rows(batches: Batches) -> Iterator[Any]:
    for batch in batches:
        for row in batch.to_pylist(maps_as_pydicts="strict"):
            yield plain(row)


def _write_csv(batches: Batches, schema: pa.Schema, file: Any, stream: bool) -> None:
    import pyarrow as pa
    from pyarrow import csv

    texts = pa.schema([_csv_field(field) for field in schema])
    with csv.CSVWriter(file, texts) as writer:
        for batch in batches:
            columns = [_csv_column(column, field.type) for column, field in zip(batch.columns, texts, strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=texts))


def _csv_field(field: pa.Field) -> pa.Field:
    import pyarrow as pa

    texts = pa.types.is_nested(field.type) or pa.types.is_binary(field.type)
    return pa.field(field.name, pa.string() if texts else field.type)


def _csv_column(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Returns a column as CSV can hold it: lists, maps and structs as JSON, bytes as hexadecimal digits."""
    import pyarrow as pa

    if column.type == kind:
        return column
    values = (plain(value) for value in column.to_pylist(maps_as_pydicts="strict"))
    texts = [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values
    ]
    return pa.array(texts, pa.string())


_WRITERS: dict[str, Callable[[Batches, pa.Schema, Any, bool], None]] = {
    "csv": _write_csv,
    "arrow": _write_arrow,
    "parquet": _write_parquet,
    "mosaic": _write_mosaic,
    "jsonl": _write_jsonl,
    "json": _write_json,
}


def format_of(name: str) -> str | None:
    """Returns the format by the suffix of a file's name, None if the suffix is unknown."""
    return SUFFIXES.get(os.path.splitext(name)[1].lower())


def wanted_format(output: str | None, asked: str | None) -> str | None:
    """Returns the format to write; None for a table on the terminal."""
    if asked is not None and asked not in FORMATS:
        raise typer.BadParameter(f"one of {', '.join(FORMATS)}, not {asked!r}", param_hint="--format")
    if asked is not None:
        return asked
    if output is None:
        return None if is_terminal() else "csv"
    if output == "-":
        return "csv"
    found = format_of(output)
    if found is None:
        endings = ", ".join(SUFFIXES)
        raise typer.BadParameter(f"a name that ends with one of {endings}, or --format", param_hint="--output")
    return found


def show_rows(batches: Batches, names: Sequence[str], limit: int) -> None:
    """Prints the first rows of batches as a table. Says on standard error if there are more rows."""
    from rich.table import Table

    from lakecodec.runtime.display import print_table

    shown = Table(*names)
    rows = [row for batch in batches for row in zip(*(c.to_pylist() for c in batch.columns), strict=True)]
    for row in rows[:limit]:
        shown.add_row(*map(_text, row))
    print_table(console(), shown)
    if len(rows) > limit:
        typer.echo(f"the first {limit} rows; --limit shows more, -o FILE or a pipe gets all", err=True)


def _text(value: Any) -> str:
    return "[dim]null[/]" if value is None else str(value).replace("[", "\\[")
