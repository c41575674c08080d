"""Statistics that somebody states about a file, against what it holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa

from .collected import Bounds, Collector
from .columns import Path

_EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class FileStatistics:
    """Parsed statistics of a file; columns without a known value are left out.

    Attributes:
        num_records: number of rows, None where unknown.
        min: lower bounds as Python values: int, float, Decimal, date, datetime (in UTC where the column has a zone) or
            str.
        max: upper bounds.
        null_count: rows in which the column is null.
    """

    num_records: int | None = None
    min: dict[Path, Any] = field(default_factory=dict)
    max: dict[Path, Any] = field(default_factory=dict)
    null_count: dict[Path, int] = field(default_factory=dict)


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


def row_group_mismatches(
    said: FileStatistics, schema: pa.Schema, groups: Iterable[tuple[FileStatistics, Iterable[pa.RecordBatch]]]
) -> Iterator[str]:
    """Yields messages for statistics of a file or of a row group that the values contradict.

    Args:
        said: what the log says of the file.
        schema: Arrow schema of the columns to compare.
        groups: what each row group says, and its rows.

    Raises:
        DecodeError, OSError or pa.ArrowException: a page is broken, or its checksum is another.
    """
    whole = Collector(schema, schema.names)
    for number, (stated, batches) in enumerate(groups):
        group = Collector(schema, schema.names)
        for batch in batches:
            group.update(batch)
            whole.update(batch)
        actual = contents(group.num_records, group.columns)
        for _, message in differences(stated, actual, f"row group {number}"):
            yield message
    actual = contents(whole.num_records, whole.columns, with_nan=True)
    yield from (message for _, message in differences(said, actual))


def _less(first: Any, second: Any) -> bool:
    """Returns True if the first upper bound is less; NaN is above all numbers."""
    return bool(first < second) or (second != second and first == first)


def _dotted(path: Path) -> str:
    return ".".join(path)
