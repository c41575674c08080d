"""File statistics from Parquet footers, which hold them per row group and column chunk."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from ...generated.parquet import ColumnMetaData, FileMetaData, RowGroup, SchemaElement
from ...parquet.bounds import decode_value
from ...parquet.legacy_calendar import FIRST_DAY, FIRST_MICROSECOND, LegacyCalendar
from ...parquet.schema import leaf_paths
from ...parquet.schema import leaves as parquet_leaves
from ...runtime.arrow_variant import VariantType
from ...statistics.collected import Bounds, chosen
from ...statistics.columns import DAY_MICROSECONDS, Path, has_bounds, is_text, next_text
from .statistics import to_json

_EPOCH_DAY = date(1970, 1, 1)


def footer_statistics(
    metadata: FileMetaData,
    schema: pa.Schema,
    columns: Iterable[str] | None = None,
    *,
    without_nan: Collection[str] = (),
    variants: Mapping[Path, tuple[str, str]] = MappingProxyType({}),
) -> str:
    """Returns the statistics of a Parquet file as JSON for `Add.stats` (PROTOCOL.md, Per-file Statistics), from its footer.

    Args:
        metadata: the footer (`lakecodec.parquet.read_metadata`).
        schema: Arrow schema of the data file: without the partition columns.
        columns: names of columns with statistics, as in `Statistics`.
        without_nan: dotted paths of floating point columns without NaN. Others get no bounds: footers
            leave NaN out, and engines sort it above all numbers.
        variants: lower and upper bounds of columns of variants, as JSON.

    Raises:
        KeyError: ``columns`` has a name that fits no column.
    """
    return to_json(metadata.num_rows, footer_bounds(metadata, schema, columns, without_nan=without_nan), variants)


def footer_bounds(
    metadata: FileMetaData,
    schema: pa.Schema,
    columns: Iterable[str] | None = None,
    *,
    without_nan: Collection[str] = (),
) -> dict[Path, Bounds]:
    """Returns the bounds of `footer_statistics` by column path. Lists and maps have none: footers count their elements.

    Columns with old dates or times of Spark's legacy calendar have no bounds either: they mean other days.
    """
    legacy = LegacyCalendar.of_footer(metadata) is not None
    elements = [element for _, element in parquet_leaves(metadata.schema)]
    columns_of_chunks = list(zip(leaf_paths(metadata.schema), elements, strict=True))
    found: dict[Path, Bounds] = {}
    for path, kind in chosen(schema, columns):
        unsure = pa.types.is_floating(kind) and ".".join(path) not in without_nan
        found[path] = Bounds(kind, bounded=has_bounds(kind) and not unsure)
    seen: dict[Path, int] = dict.fromkeys(found, 0)
    groups = [group for group in metadata.row_groups if group.num_rows]
    for group in groups:
        for (path, element), chunk in zip(columns_of_chunks, group.columns, strict=False):
            if path[-1] == "metadata" and path[:-1] in found and isinstance(found[path[:-1]].type, VariantType):
                path = path[:-1]  # metadata is null exactly where the variant is
            bounds = found.get(path)
            # A repeated leaf without a group around it has the path of its list.
            if (meta := chunk.meta_data) is not None and bounds is not None and not pa.types.is_nested(bounds.type):
                seen[path] += 1
                _include(bounds, meta, element, legacy=legacy)
    for path, bounds in found.items():
        if seen[path] != len(groups):
            bounds.null_count, bounds.bounded = None, False
    return found


def chunk_bounds(meta: ColumnMetaData, element: SchemaElement, kind: Any) -> Bounds:
    """Returns the bounds of a column chunk with values of a type."""
    found = Bounds(kind, bounded=has_bounds(kind))
    _include(found, meta, element, legacy=False)
    return found


def of_row_group(footer: FileMetaData, group: RowGroup) -> FileMetaData:
    """Returns the footer of a file that has only this row group."""
    return FileMetaData(
        version=footer.version,
        schema=footer.schema,
        num_rows=group.num_rows,
        row_groups=[group],
        key_value_metadata=footer.key_value_metadata,
    )


def _include(bounds: Bounds, meta: ColumnMetaData, element: SchemaElement, *, legacy: bool) -> None:
    known = meta.statistics
    nulls = None if known is None else known.null_count
    bounds.null_count = None if nulls is None or bounds.null_count is None else bounds.null_count + nulls
    if not bounds.bounded or (nulls is not None and nulls == meta.num_values):
        return
    low: Any = None if known is None else known.min_value
    high: Any = None if known is None else known.max_value
    if low is not None and high is not None:
        if is_text(bounds.type):
            low, high = _text(low, upper=False), _text(high, upper=True)
        else:
            low, high = _number(low, element, bounds.type), _number(high, element, bounds.type)
    if low is None or high is None or (legacy and _is_early(low, bounds.type)):
        bounds.bounded = False
    else:
        bounds.include(low, high)


def _is_early(low: Any, kind: Any) -> bool:
    """Returns True for a day or time with another date in the legacy calendar."""
    if pa.types.is_date(kind):
        return bool(low < FIRST_DAY)
    return bool(pa.types.is_timestamp(kind) and low < FIRST_MICROSECOND)


def _text(raw: Any, *, upper: bool) -> str | None:
    """Returns a string bound; writers may truncate them, even inside a character."""
    data = bytes(raw)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        prefix = data[: error.start].decode()
        return next_text(prefix) if upper else prefix


def _number(raw: Any, element: SchemaElement, kind: Any) -> Any:
    """Returns any other bound; dates are in days, times in microseconds since 1970; None if it does not fit the type."""
    value = decode_value(raw, element)
    if pa.types.is_date(kind):
        return (value - _EPOCH_DAY).days if type(value) is date else None
    if pa.types.is_timestamp(kind):
        if type(value) is date and kind.tz is None:  # the column was widened from date
            return (value - _EPOCH_DAY).days * DAY_MICROSECONDS
        if type(value) is not datetime:
            return None
        return (value - datetime(1970, 1, 1, tzinfo=value.tzinfo)) // timedelta(microseconds=1)
    expected = Decimal if pa.types.is_decimal(kind) else float if pa.types.is_floating(kind) else int
    return value if type(value) is expected else None
