"""Target files that batches are written to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from ..mosaic import MosaicWriter
from ..mosaic.arrow_types import stored_field
from .kinds import FileKind
from .options import TargetOptions
from .text_targets import CsvTarget, JsonLinesTarget, check_csv_field, check_json_field

#: The most columns that an error names.
_NAMED = 20


class Target(Protocol):
    """A file that is written batch by batch, by one thread."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Appends the rows of a batch."""

    def close(self) -> None:
        """Writes buffered rows and the end of the file, and closes it."""

    def abort(self) -> None:
        """Closes the file without completing it; its content is not to be read."""


def open_target(path: str, kind: FileKind, schema: pa.Schema, options: TargetOptions) -> Target:
    """Returns a new target file for the columns of a schema, which `check_schema` has accepted."""
    return _TARGETS[kind](path, schema, options)


def check_schema(kind: FileKind, schema: pa.Schema) -> None:
    """Checks that a format can store all columns of a schema.

    Raises:
        ValueError: a column cannot be stored; the message has the columns (20 at most) and the reasons.
    """
    reasons = []
    for field in schema:
        try:
            if not field.name and kind != FileKind.PARQUET:
                raise ValueError("the name is empty")
            _CHECKS[kind](field)
        except (ValueError, NotImplementedError) as error:
            reason = str(error).removeprefix(f"column {field.name!r}: ")
            reasons.append(f"column {field.name!r}: {reason}")
    if reasons:
        more = f"; and {len(reasons) - _NAMED:,} more" if len(reasons) > _NAMED else ""
        raise ValueError(f"{kind.value} cannot hold {'; '.join(reasons[:_NAMED])}{more}")


class MosaicTarget:
    """Writer of a Mosaic file."""

    def __init__(self, path: str, schema: pa.Schema, options: TargetOptions) -> None:
        self._writer = MosaicWriter(path, schema, **options.for_mosaic())

    def write(self, batch: pa.RecordBatch) -> None:
        self._writer.write(batch)

    def close(self) -> None:
        self._writer.close()

    def abort(self) -> None:
        self._writer.abort()


class ParquetTarget:
    """Writer of a Parquet file, which buffers batches until they fill a row group."""

    def __init__(self, path: str, schema: pa.Schema, options: TargetOptions) -> None:
        self._schema = schema
        self._row_group_bytes = options.parquet_row_group_bytes
        self._pending: list[pa.RecordBatch] = []
        self._pending_bytes = 0
        self._writer = pq.ParquetWriter(path, schema, **options.for_parquet())

    def write(self, batch: pa.RecordBatch) -> None:
        if not batch.num_rows:
            return
        self._pending.append(batch)
        self._pending_bytes += batch.nbytes
        if self._pending_bytes >= self._row_group_bytes:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def abort(self) -> None:
        self._writer.close()

    def _flush(self) -> None:
        """Writes the buffered batches as one row group."""
        if self._pending:
            table = pa.Table.from_batches(self._pending, self._schema)
            self._writer.write_table(table, row_group_size=table.num_rows)
        self._pending, self._pending_bytes = [], 0


def _check_parquet_field(field: pa.Field) -> None:
    """Raises an error if Parquet cannot store a column."""
    pq.ParquetWriter(pa.BufferOutputStream(), pa.schema([field])).close()


_CHECKS: dict[FileKind, Callable[[pa.Field], Any]] = {
    FileKind.MOSAIC: stored_field,
    FileKind.PARQUET: _check_parquet_field,
    FileKind.CSV: check_csv_field,
    FileKind.JSON_LINES: check_json_field,
}
_TARGETS: dict[FileKind, Callable[[str, pa.Schema, TargetOptions], Target]] = {
    FileKind.MOSAIC: MosaicTarget,
    FileKind.PARQUET: ParquetTarget,
    FileKind.CSV: CsvTarget,
    FileKind.JSON_LINES: JsonLinesTarget,
}
