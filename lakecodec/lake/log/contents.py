"""Contents of a data file in the form of the log's statistics: computed from rows, and stated by its row groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pyarrow as pa
import pyarrow.parquet as pq

from ...parquet import read_metadata
from ...parquet.legacy_calendar import LegacyCalendar
from ...runtime.errors import DecodeError
from ...statistics.stated import FileStatistics, contents
from .footer_statistics import footer_bounds, of_row_group
from .protocol import MOSAIC
from .statistics import Statistics
from .storage import Storage

#: The statistics of a row group's columns, and its rows.
RowGroup = tuple[FileStatistics, Iterable[pa.RecordBatch]]


def footer_contents(storage: Storage, where: str, schema: pa.Schema) -> FileStatistics:
    """Returns the statistics in the footer of a Parquet file; columns without statistics are omitted.

    Raises:
        DecodeError: the footer is broken.
    """
    metadata = read_metadata(where, filesystem=storage.filesystem)
    return contents(metadata.num_rows, footer_bounds(metadata, schema, schema.names))


def data_contents(storage: Storage, where: str, format: str, schema: pa.Schema, columns: list[str]) -> FileStatistics:
    """Returns the statistics of some columns, computed from the rows of a file.

    Raises:
        DecodeError, OSError or pa.ArrowException: the file is broken.
    """
    found = Statistics(schema, columns)
    with _batches(storage, where, format, schema, columns) as batches:
        for batch in batches:
            found.update(batch)
    return contents(found.num_records, found.columns, with_nan=True)


@contextmanager
def _batches(
    storage: Storage, where: str, format: str, schema: pa.Schema, columns: list[str]
) -> Iterator[Iterable[pa.RecordBatch]]:
    with storage.filesystem.open_input_file(where) as source:
        if format == MOSAIC:
            from ...mosaic import MosaicFile

            file = MosaicFile(source)
            yield file.iter_batches(columns=[name for name in columns if name in file.schema.names])
        else:
            parquet = pq.ParquetFile(source, coerce_int96_timestamp_unit="us")
            known = [name for name in columns if name in parquet.schema_arrow.names]
            legacy = LegacyCalendar.of_arrow(parquet.metadata, where)
            yield in_calendar(legacy, parquet.iter_batches(columns=known, use_threads=False), schema)


def in_calendar(
    legacy: LegacyCalendar | None, batches: Iterable[pa.RecordBatch], schema: pa.Schema
) -> Iterable[pa.RecordBatch]:
    """Returns batches of a file in the Gregorian calendar; batches of legacy files get the types of ``schema``."""
    return batches if legacy is None else (legacy.batch(batch, schema) for batch in batches)


@contextmanager
def row_groups(storage: Storage, where: str, format: str, schema: pa.Schema) -> Iterator[Iterable[RowGroup]]:
    """Yields an iterable of (statistics, rows) per row group of a file; checksums of pages are verified."""
    with storage.filesystem.open_input_file(where) as source:
        if format == MOSAIC:
            from ...mosaic.verification import row_groups_of

            yield row_groups_of(source)
        else:
            yield _parquet_groups(storage, where, source, schema)


def _parquet_groups(storage: Storage, where: str, source: pa.NativeFile, schema: pa.Schema) -> Iterator[RowGroup]:
    footer = read_metadata(where, filesystem=storage.filesystem)
    known = [field for field in schema if field.name in {element.name for element in footer.schema}]
    part = pa.schema(known)
    with pq.ParquetFile(source, page_checksum_verification=True, coerce_int96_timestamp_unit="us") as file:
        if file.num_row_groups != len(footer.row_groups):
            raise DecodeError("the footer is read in two ways", format="parquet", path=where)
        legacy = LegacyCalendar.of_footer(footer, where)
        names = [name for name in part.names if name in file.schema_arrow.names]
        for number, group in enumerate(footer.row_groups):
            one = of_row_group(footer, group)
            floats = [".".join(path) for path in Statistics(part, part.names).columns]
            stated = contents(group.num_rows, footer_bounds(one, part, part.names, without_nan=floats))
            read = file.iter_batches(row_groups=[number], columns=names, use_threads=False)
            yield stated, in_calendar(legacy, read, part)
