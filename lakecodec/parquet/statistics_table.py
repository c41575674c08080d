"""Statistics of column chunks as one Arrow table, with bounds as values of the columns' types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..generated.parquet import FileMetaData
from ..runtime.exact import exact_list
from ..runtime.source_types import SourcesLike
from ..runtime.urls import located
from .bound_columns import plain_columns, union_columns
from .errors import broken
from .footer_batches import read_batches
from .footer_cache import FooterCache
from .leaf_types import LeafType, leaf_types
from .metadata import decode_footer
from .schema import choose
from .sources import expand

if TYPE_CHECKING:
    import pyarrow as pa

_FIELDS = (
    "schema",
    "column_orders",
    "row_groups.columns.meta_data.statistics",
    "row_groups.columns.meta_data.num_values",
)


def statistics(
    source_or_metadata: SourcesLike | FileMetaData,
    columns: Iterable[str] | None = None,
    *,
    threads: int | None = None,
    filesystem: Any = None,
    cache: FooterCache | None = None,
    union: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Returns a ``pyarrow.Table`` of the statistics, one row per column chunk, in the order of files, row groups and columns.

    Columns: ``file`` (string; null for a source without a name and for a FileMetaData), ``row_group`` and ``column``
    (int32 positions), ``path`` (dotted path), ``type`` (string, the Arrow type), ``num_values``, ``null_count``,
    ``nan_count`` and ``distinct_count`` (int64), ``min`` and ``max``, ``is_min_exact`` and ``is_max_exact`` (bool).
    pandas, polars and DuckDB can read the table. ``min`` and ``max`` have the Arrow type of the Parquet columns if all rows
    share one. Otherwise they are text, and each family of types adds a pair of typed columns, null in the rows of other
    families: ``min_bool``, ``min_integer``, ``min_real``, ``min_decimal``, ``min_string``, ``min_binary`` (UUIDs too),
    ``min_date``, ``min_time``, ``min_timestamp``, ``min_timestamp_utc``, and the same with ``max``. The type of a pair holds
    the values of the whole family; a value that it cannot hold exactly is null there, and complete in the text.
    Two types are text even where all rows share them, since not all of these libraries read them: times in nanoseconds
    (with a pair in microseconds), and decimals of more than 38 digits (without a pair). Half-precision numbers are float32.

    What is not known is null: absent values, NaN as a bound, bounds of types without an order (INTERVAL), ``min_value`` and
    ``max_value`` where the footer names no order (or another than INT96_TIMESTAMP_ORDER for INT96), and the deprecated
    ``min`` and ``max`` except for types that are compared as signed numbers (parquet.thrift, ColumnOrder).

    Args:
        source_or_metadata: sources as in `read_metadatas`, or one FileMetaData.
        columns: dotted paths of the only columns; a group stands for all columns below it. None for all.
        threads: as in `read_metadatas`.
        filesystem: as in `read_metadatas`.
        storage_options: as in `read_metadata`.
        cache: footers that are known already, and to which the others are added.
        union: True for ``min`` and ``max`` of exactly the columns' Arrow types: if they differ, as dense unions, which
            pandas, polars and DuckDB refuse.

    Raises:
        DecodeError: a file is invalid, or a bound has a number of bytes that its physical type does not have.
        KeyError: ``columns`` has a path that a file does not have.
        TypeError: ``columns`` is a single str.
        OSError: a file cannot be read.
    """
    (source_or_metadata,) = located(storage_options, source_or_metadata, filesystem=filesystem)
    import pyarrow as pa

    wanted = None if columns is None else exact_list("columns", columns, "dotted paths")
    rows: list[tuple[Any, ...]] = []
    for name, metadata in _metadatas(source_or_metadata, threads, filesystem, cache):
        rows += _rows(name, metadata, wanted)
    leaves: list[LeafType] = [row[4] for row in rows]
    fields: list[tuple[str, Any]] = [
        ("file", pa.string()), ("row_group", pa.int32()), ("column", pa.int32()), ("path", pa.string()),
        ("type", pa.string()), ("num_values", pa.int64()), ("null_count", pa.int64()), ("nan_count", pa.int64()),
        ("distinct_count", pa.int64()), ("min", None), ("max", None), ("is_min_exact", pa.bool_()),
        ("is_max_exact", pa.bool_()),
    ]  # fmt: skip
    values = {name: [row[number] for row in rows] for number, (name, _) in enumerate(fields)}
    values["type"] = [str(leaf.arrow) for leaf in leaves]
    ends = {name: values[name] for name in ("min", "max")}
    made = union_columns(leaves, ends) if union else plain_columns(leaves, ends)
    first = {name: made.pop(name) if kind is None else pa.array(values[name], kind) for name, kind in fields}
    return pa.table({**first, **made})


def _metadatas(
    source: Any, threads: int | None, filesystem: Any, cache: FooterCache | None
) -> Iterator[tuple[str | None, FileMetaData]]:
    """Yields name and metadata of each file; the metadata only until the next one is asked for."""
    if isinstance(source, FileMetaData):
        yield None, source
        return
    for batch in read_batches(expand(source, filesystem), "raise", threads, cache):
        for number in batch.numbers:
            yield batch.files[number].name, decode_footer(batch.footer(number), fields=_FIELDS)
        batch.done()


def _rows(name: str | None, metadata: FileMetaData, columns: list[str] | None) -> Iterator[tuple[Any, ...]]:
    """Yields one tuple per column chunk, with the LeafType in place of its name."""
    leaves = leaf_types(metadata.schema, metadata.column_orders, name or "")
    chosen = range(len(leaves)) if columns is None else choose([path for path, _ in leaves], columns)
    for group, row_group in enumerate(metadata.row_groups):
        if len(row_group.columns) != len(leaves):
            rule = f"{len(row_group.columns)} column chunks, where the schema has {len(leaves)} leaf columns"
            raise broken(rule, file=name or "", path=f"row_groups[{group}].columns")
        for number in chosen:
            path, leaf = leaves[number]
            meta = row_group.columns[number].meta_data
            found = None if meta is None else meta.statistics
            low, high, low_exact, high_exact = leaf.bounds(found)
            counts = (None, None, None) if found is None else (found.null_count, found.nan_count, found.distinct_count)
            total = None if meta is None else meta.num_values
            yield name, group, number, path, leaf, total, *counts, low, high, low_exact, high_exact
