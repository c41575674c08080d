"""Actual contents of a data file in the form of the log's statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...parquet import read_metadata
from ...parquet.legacy_calendar import LegacyCalendar
from .bounds import Path
from .footer_statistics import footer_bounds
from .protocol import MOSAIC
from .statistics import Bounds, Statistics
from .statistics_read import FileStatistics
from .storage import Storage

_EPOCH = datetime(1970, 1, 1)


def footer_contents(storage: Storage, where: str, schema: pa.Schema) -> FileStatistics:
    """Returns the statistics in the footer of a Parquet file; columns without any are left out.

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
    """Returns batches of a file in the Gregorian calendar; those of legacy files have the types of ``schema``."""
    return batches if legacy is None else (legacy.batch(batch, schema) for batch in batches)


def contents(rows: int, columns: Mapping[Path, Bounds], *, with_nan: bool = False) -> FileStatistics:
    """Bounds of columns in the form of `FileStatistics`; ``with_nan``: NaN is the largest value of the columns that have it."""
    low: dict[Path, Any] = {}
    high: dict[Path, Any] = {}
    for path, bounds in columns.items():
        if bounds.bounded and bounds.minimum is not None:
            # Python has no dates and times before the year 1 and after 9999; Parquet has.
            with suppress(OverflowError):
                low[path] = _value(bounds.minimum, bounds.type)
            with suppress(OverflowError):
                high[path] = _value(bounds.maximum, bounds.type)
        elif with_nan and pa.types.is_floating(bounds.type) and not bounds.bounded:
            high[path] = math.nan
    nulls = {path: bounds.null_count for path, bounds in columns.items() if bounds.null_count is not None}
    return FileStatistics(rows, low, high, nulls)


def _value(value: Any, kind: Any) -> Any:
    """Returns a bound in the form of `FileStatistics`."""
    if pa.types.is_date(kind):
        return _EPOCH.date() + timedelta(days=value)
    if pa.types.is_timestamp(kind):
        moment = _EPOCH + timedelta(microseconds=value)
        return moment.replace(tzinfo=UTC) if kind.tz else moment
    return value


def differences(said: FileStatistics, actual: FileStatistics, who: str = "the log") -> Iterator[tuple[Path, str]]:
    """Yields path and message of each column whose statistics, from ``who``, contradict the ``actual`` ones."""
    if said.num_records is not None and said.num_records != actual.num_records:
        yield (), f"{who} says {said.num_records} rows, the file has {actual.num_records}"
    for path, nulls in said.null_count.items():
        if nulls != (found := actual.null_count.get(path, nulls)):
            yield path, f"{_dotted(path)}: {who} says {nulls} nulls, the file has {found}"
    for path, low in said.min.items():
        if path in actual.min and actual.min[path] < low:
            yield path, f"{_dotted(path)}: {who} says a minimum of {low!r}, the file has {actual.min[path]!r}"
    for path, high in said.max.items():
        if path in actual.max and _less(high, actual.max[path]):
            yield path, f"{_dotted(path)}: {who} says a maximum of {high!r}, the file has {actual.max[path]!r}"


def _less(first: Any, second: Any) -> bool:
    """Returns True if the first upper bound is less; NaN is above all numbers."""
    return bool(first < second) or (second != second and first == first)


def _dotted(path: Path) -> str:
    return ".".join(path)
