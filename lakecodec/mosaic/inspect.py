"""Descriptions of Mosaic files for `lakecodec inspect`, made of JSON's types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ..generated.mosaic import BucketRef, Compression, NameEncoding, RowGroup, bucket_of, layout_of
from ..runtime.display import json_value
from ..runtime.errors import DecodeError
from ..runtime.ranges import map_ranges
from ..runtime.suggest import no_such
from .header import Header
from .inspect_buckets import StoredColumn, bucket_failure, read_stored_columns
from .inspect_tables import render, render_dictionary
from .metadata import read_statistics
from .statistics import ColumnStatistics

__all__ = ["describe", "describe_dictionary", "render", "render_dictionary"]


def describe(
    source: Any, *, columns: Sequence[str] | None = None, limit: int | None = None, filesystem: Any = None
) -> dict[str, Any]:
    """Returns a description of a file as a dict of JSON's types: its footer, and lists of its parts.

    The lists are ``schema``, ``row_groups``, ``buckets`` and ``columns`` (one entry per physical column of a bucket, with
    encoding, sizes in bytes and statistics). Encodings and sizes of columns are stored in the buckets, so the described
    buckets are read and inflated, one after the other.

    Args:
        source: a path or URL, bytes-like, or a file object.
        columns: names of the columns to describe, with the buckets that hold them; None for all.
        limit: the most entries of each list, None for no limit; ``left_out`` has the number of missing entries by list.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.

    Raises:
        DecodeError: the bytes break a rule of the format.
        KeyError: an unknown column.
        OSError: the source cannot be read.
    """
    with map_ranges(source, filesystem=filesystem) as ranges:
        header = Header(ranges)
        chosen = _positions(header, columns)
        wanted = set(chosen)
        pairs = [
            (number, ref)
            for number, group in enumerate(header.index.row_groups)
            for ref in group.buckets
            if not wanted.isdisjoint(header.columns.plan(ref.bucket_id).positions)
        ]
        buckets, stored = _buckets(header, pairs, wanted, limit)
        footer, schema, groups = header.footer, header.columns.schema, header.index.row_groups
        totals = {
            "schema": len(chosen),
            "row_groups": len(groups),
            "buckets": len(pairs),
            "columns": sum(_num_stored(header, ref, wanted) for _, ref in pairs),
        }
        lists = {
            "schema": list(islice(_schema(header, chosen), limit)),
            "row_groups": [_row_group(number, group) for number, group in islice(enumerate(groups), limit)],
            "buckets": buckets,
            "columns": stored,
        }
        return {
            "file": ranges.name,
            "file_size": ranges.size,
            "format": "mosaic",
            "version": footer.version,
            "compression": Compression(footer.compression).name.lower(),
            "num_rows": sum(group.num_rows for group in groups),
            "num_row_groups": len(groups),
            "num_columns": len(header.columns),
            "num_buckets": footer.num_buckets,
            "schema_offset": footer.schema_offset,
            "schema_size": footer.index_offset - footer.schema_offset,
            "index_offset": footer.index_offset,
            "name_encoding": _name_encoding(schema.name_encoding),
            "num_name_rules": len(schema.rules or ()),
            **lists,
            "left_out": {name: totals[name] - len(entries) for name, entries in lists.items()},
        }


def describe_dictionary(source: Any, column: str, *, filesystem: Any = None) -> dict[str, Any]:
    """Returns a description of a column's dictionaries as a dict of JSON's types.

    ``dictionaries`` has an entry for each physical column (one for a scalar column, several for a nested one) of each
    row group that stores the column. Its ``entries`` pair each distinct value with the number of rows that have it:
    those of a dictionary, the single value of a constant, and none for other encodings.

    Args:
        source: a path or URL, bytes-like, or a file object.
        column: name of the column.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.

    Raises:
        DecodeError: the bytes break a rule of the format.
        KeyError: an unknown column.
        OSError: the source cannot be read.
    """
    with map_ranges(source, filesystem=filesystem) as ranges:
        header = Header(ranges)
        position = _positions(header, [column])[0]
        bucket = bucket_of(position, len(header.columns), header.footer.num_buckets)
        dictionaries = []
        for number in range(len(header.index.row_groups)):
            ref = header.refs(number).get(bucket)
            if ref is None:
                continue
            for stored in read_stored_columns(header, number, ref):
                if stored.position == position:
                    dictionaries.append(_dictionary(header, number, ref, stored))
        return {"file": ranges.name, "format": "mosaic", "column": column, "dictionaries": dictionaries}


def _positions(header: Header, columns: Sequence[str] | None) -> list[int]:
    """Returns the sorted positions of columns; for None those of all columns in the original order."""
    if columns is None:
        return list(header.columns.order)
    for name in columns:
        if name not in header.columns.positions:
            raise KeyError(f"columns: {no_such(name, header.columns.positions)}")
    return [header.columns.positions[name] for name in dict.fromkeys(columns)]


def _schema(header: Header, positions: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yields the description of each column's schema entry."""
    columns, num_buckets = header.columns, header.footer.num_buckets
    for position in positions:
        (node,) = columns.nodes([position])
        yield {
            "name": columns.names[position],
            "type": str(node.type),
            "nullable": bool(columns.types[position].nullable),
            "position": position,
            "bucket": bucket_of(position, len(columns), num_buckets),
        }


def _row_group(number: int, group: RowGroup) -> dict[str, Any]:
    """Returns the description of a row group."""
    layouts = Counter(_layout(ref) for ref in group.buckets)
    return {
        "row_group": number,
        "num_rows": group.num_rows,
        "num_buckets": len(group.buckets),
        "monolithic": layouts["monolithic"],
        "paged": layouts["paged"],
        "stored_size": sum(ref.stored for ref in group.buckets),
        "num_statistics": len(group.stats),
    }


def _buckets(
    header: Header, pairs: Sequence[tuple[int, BucketRef]], wanted: set[int], limit: int | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns descriptions of buckets and of their wanted physical columns, each up to the limit."""
    buckets: list[dict[str, Any]] = []
    columns: list[dict[str, Any]] = []
    statistics: dict[int, dict[str, ColumnStatistics]] = {}
    for number, ref in pairs:
        if limit is not None and len(buckets) >= limit and len(columns) >= limit:
            break
        stored = read_stored_columns(header, number, ref)
        buckets.append(_bucket(header, number, ref, stored))
        if number not in statistics:
            statistics = {number: read_statistics(header, number)}
        for column in stored:
            if column.position in wanted:
                columns.append(_column(header, number, ref, column, statistics[number]))
    return buckets[:limit], columns[:limit]


def _bucket(header: Header, row_group: int, ref: BucketRef, stored: Sequence[StoredColumn]) -> dict[str, Any]:
    """Returns the description of a bucket."""
    # Only the blocks of a paged bucket state their uncompressed sizes.
    inflated = ref.inflated or sum(column.inflated_size or 0 for column in stored)
    return {
        "row_group": row_group,
        "bucket": ref.bucket_id,
        "layout": _layout(ref),
        "num_columns": header.columns.plan(ref.bucket_id).primaries,
        "offset": ref.start,
        "stored_size": ref.stored,
        "inflated_size": inflated,
        "ratio": inflated / ref.stored if ref.stored else None,
    }


def _column(
    header: Header, row_group: int, ref: BucketRef, stored: StoredColumn, statistics: dict[str, ColumnStatistics]
) -> dict[str, Any]:
    """Returns the description of a physical column of a bucket."""
    name = header.columns.names[stored.position]
    # Only columns of the table have statistics, not their elements.
    known = statistics.get(name) if stored.path == name else None
    return {
        "row_group": row_group,
        "bucket": ref.bucket_id,
        "column": name,
        "path": stored.path,
        "encoding": stored.encoding,
        "num_rows": stored.rows,
        "null_count": stored.null_count,
        "num_entries": stored.num_entries,
        "encoded_size": stored.encoded_size,
        "stored_size": stored.stored_size,
        "has_statistics": known is not None,
        "min": None if known is None else json_value(known.min),
        "max": None if known is None else json_value(known.max),
    }


def _dictionary(header: Header, row_group: int, ref: BucketRef, stored: StoredColumn) -> dict[str, Any]:
    """Returns the description of a physical column's dictionary."""
    try:
        entries = stored.entries()
    except DecodeError as error:
        name = header.columns.names[stored.position]
        raise bucket_failure(header, row_group, ref, error, name) from None
    return {
        "row_group": row_group,
        "path": stored.path,
        "encoding": stored.encoding,
        "num_rows": stored.rows,
        "null_count": stored.null_count,
        "entries": [{"value": json_value(value), "count": count} for value, count in entries],
    }


def _num_stored(header: Header, ref: BucketRef, wanted: set[int]) -> int:
    """Returns the number of physical columns of a bucket that belong to wanted columns."""
    plan = header.columns.plan(ref.bucket_id)
    if len(plan.stored) == plan.primaries:
        return sum(position in wanted for position in plan.positions)
    return sum(len(plan.numbers(position)) for position in plan.positions if position in wanted)


def _name_encoding(number: int) -> str:
    """Returns the name of the name encoding, FRONT or BPE_FRONT."""
    # Readers treat every other number as FRONT.
    return (NameEncoding.BPE_FRONT if number == NameEncoding.BPE_FRONT else NameEncoding.FRONT).name


def _layout(ref: BucketRef) -> str:
    """Returns the name of a bucket's layout in lower case."""
    name: str = layout_of(ref.stored, ref.inflated).name
    return name.lower()
