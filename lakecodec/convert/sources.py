"""Source files as streams of batches."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from ..mosaic import MosaicFile
from ..parquet.legacy_calendar import LegacyCalendar
from ..runtime.suggest import no_such
from .csv_source import delimiter_of, read_csv, scan_csv
from .errors import reading
from .json_source import read_json_lines, scan_json_lines
from .kinds import FileKind

#: A function that is called with the number of rows read so far.
Counted: TypeAlias = Callable[[int], None]

#: The limits of the rows per batch, and the approximate number of values per batch.
_FEWEST, _MOST = 256, 65536
_VALUES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """An open source file.

    Attributes:
        schema: its columns, or the chosen ones in the given order.
        num_rows: number of rows.
        batches: returns an iterator of the batches; to be called once.
        close: closes the file.
    """

    schema: pa.Schema
    num_rows: int
    batches: Callable[[], Iterator[pa.RecordBatch]]
    close: Callable[[], None]


def open_source(
    path: str, kind: FileKind, columns: Sequence[str] | None, counted: Counted, delimiter: str | None = None
) -> Source:
    """Returns an open source file with its schema; text files are read once completely to find the types of their columns.

    Args:
        path: path of the file.
        kind: its format.
        columns: names of the columns to read, None for all.
        counted: called with the number of rows of a text file read so far.
        delimiter: character between the columns of a CSV file, None to detect it from the header.

    Raises:
        DecodeError: the file is invalid, or a field of a JSON lines file has values without a common type.
        KeyError: the file does not have a column.
        ValueError: two columns have the same name.
        OSError: the file cannot be read.
    """
    os.stat(path)  # The system's error names the missing file.
    with reading(kind, path):
        if kind == FileKind.CSV:
            return _open_csv(path, columns, counted, delimiter or delimiter_of(path))
        return _OPENERS[kind](path, columns, counted)


def _open_mosaic(path: str, columns: Sequence[str] | None, counted: Counted) -> Source:
    """Opens a Mosaic file."""
    with ExitStack() as opened:
        file = opened.enter_context(MosaicFile(path))
        schema = _selected(file.schema, columns)
        names, batch_size = schema.names, _batch_size(len(schema))
        num_rows = file.num_rows
        return Source(schema, num_rows, lambda: file.iter_batches(batch_size, names), opened.pop_all().close)


def _open_parquet(path: str, columns: Sequence[str] | None, counted: Counted) -> Source:
    """Opens a Parquet file."""
    with ExitStack() as opened:
        file = opened.enter_context(pq.ParquetFile(path, page_checksum_verification=True))
        legacy = LegacyCalendar.of_arrow(file.metadata, path)
        schema = _selected(file.schema_arrow, columns)
        names, batch_size = schema.names, _batch_size(len(schema))

        def batches() -> Iterator[pa.RecordBatch]:
            # A name also selects the columns whose dotted paths begin with it. The columns keep the file's order.
            read = (batch.select(names) for batch in file.iter_batches(batch_size, columns=names))
            return _guarded(
                FileKind.PARQUET, path, read if legacy is None else (legacy.batch(batch, schema) for batch in read)
            )

        return Source(schema, file.metadata.num_rows, batches, opened.pop_all().close)


def _open_csv(path: str, columns: Sequence[str] | None, counted: Counted, delimiter: str) -> Source:
    """Scans a CSV file for its types."""
    schema, num_rows = scan_csv(path, lambda found: _selected(found, columns), counted, delimiter)
    return Source(schema, num_rows, lambda: _guarded(FileKind.CSV, path, read_csv(path, schema, delimiter)), _nothing)


def _open_json_lines(path: str, columns: Sequence[str] | None, counted: Counted) -> Source:
    """Scans a JSON lines file for its types."""
    found, num_rows = scan_json_lines(path, counted)
    schema = _selected(found, columns)
    return Source(
        schema, num_rows, lambda: _guarded(FileKind.JSON_LINES, path, read_json_lines(path, schema)), _nothing
    )


def _guarded(kind: FileKind, path: str, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yields the batches; pyarrow's errors are raised as DecodeError."""
    with reading(kind, path):
        yield from batches


_OPENERS: dict[FileKind, Callable[[str, Sequence[str] | None, Counted], Source]] = {
    FileKind.MOSAIC: _open_mosaic,
    FileKind.PARQUET: _open_parquet,
    FileKind.JSON_LINES: _open_json_lines,
}


def _selected(schema: pa.Schema, columns: Sequence[str] | None) -> pa.Schema:
    """Returns the schema of the chosen columns in the given order, each once."""
    seen: set[str] = set()
    for name in schema.names:
        if name in seen:
            raise ValueError(f"two columns have the name {name!r}")
        seen.add(name)
    if columns is None:
        return schema
    for name in columns:
        if name not in seen:
            raise KeyError(f"columns: {no_such(name, schema.names)}")
    return pa.schema([schema.field(name) for name in dict.fromkeys(columns)])


def _batch_size(num_columns: int) -> int:
    """Returns the number of rows of a batch: 256 to 65,536, fewer for more columns."""
    return max(_FEWEST, min(_MOST, _VALUES // max(1, num_columns)))


def _nothing() -> None:
    """Does nothing: text files are open only while they are read."""
