"""Statistics, page indexes and Bloom filters of a Parquet file against its values, which pyarrow decodes."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ..generated.parquet import ColumnChunk, FileMetaData, Statistics, Type
from .bloom import filter_of
from .chunk import Located
from .footer import read_footer
from .index import index_of
from .leaf_types import LeafType, leaf_types
from .leaf_values import Steps, comparable, leaf_steps, leaf_values, value_file
from .metadata import decode_footer
from .search_keys import search_key
from .sources import Source

if TYPE_CHECKING:
    import pyarrow as pa

#: The number of values per column chunk that are looked up in its Bloom filter.
_SAMPLED = 1000


class _Column(NamedTuple):
    """The values of a column chunk.

    Attributes:
        located: the column chunk.
        leaf: the type.
        path: dotted path of the column.
        rows: the rows of the file's column that it is a part of.
        steps: how it is reached from that one.
    """

    located: Located
    leaf: LeafType
    path: str
    rows: pa.ChunkedArray
    steps: Steps

    def values(self, start: int = 0, stop: int | None = None) -> list[pa.Array] | None:
        """Returns the values of some rows that are not null, in the column's Arrow type; None if they are of another."""
        return leaf_values(self.rows.slice(start, None if stop is None else stop - start), self.steps, self.leaf)


def contradictions(source: Source) -> Iterator[tuple[str, str]]:
    """Yields (path in the FileMetaData, rule) of metadata that the values of a local file contradict.

    Columns that are encrypted, or have chunks in other files, are left out.

    Raises:
        DecodeError: the file is invalid.
        OSError, pa.ArrowException: a page cannot be decoded, or its checksum is another.
    """
    with source.open() as ranges:
        footer = read_footer(ranges)
    metadata = decode_footer(footer)
    leaves = leaf_types(metadata.schema, metadata.column_orders, footer.tail.name)
    options: Any = {"page_checksum_verification": True, "coerce_int96_timestamp_unit": "us"}
    with value_file(source.value, metadata, filesystem=source.filesystem, **options) as file:
        for number, group in enumerate(metadata.row_groups):
            for first, last in _top_level(metadata):
                if not all(_is_readable(chunk) for chunk in group.columns[first:last]):
                    continue
                rows = file.read_row_group(number, [path for path, _ in leaves[first:last]], use_threads=False)
                steps = leaf_steps(rows.schema.field(0).type) if rows.num_columns == 1 else []
                if len(steps) != last - first:
                    continue
                for column in range(first, last):
                    path, leaf = leaves[column]
                    located = Located(group.columns[column], number, column, source, footer)
                    yield from _of_column(_Column(located, leaf, path, rows.column(0), steps[column - first]))


def _is_readable(chunk: ColumnChunk) -> bool:
    """Returns whether the values of a column chunk are in this file, and not encrypted."""
    return chunk.meta_data is not None and chunk.crypto_metadata is None and chunk.file_path is None


def _of_column(column: _Column) -> Iterator[tuple[str, str]]:
    """Yields (path, rule) of statistics that the values of a column chunk contradict."""
    values = column.values()
    if values is None:
        return
    meta = column.located.metadata()
    where = f"{column.located.path}.meta_data.statistics"
    # Writers do not agree on whether empty lists are nulls.
    total = None if column.steps else meta.num_values
    for rule in _of_statistics(column, meta.statistics or Statistics(), values, total):
        yield where, f"column {column.path}: {rule}"
    yield from _of_pages(column)
    # The nanoseconds of INT96 are lost: pyarrow reads it in microseconds, since it wraps years that are too far away.
    is_whole = column.leaf.element.type != Type.INT96
    if meta.bloom_filter_offset is not None and is_whole and importlib.util.find_spec("xxhash") is not None:
        bloom = filter_of(column.located, column.leaf)
        for value in (each for array in values for each in array.slice(0, _SAMPLED).unique()):
            if bloom is not None and not bloom.might_contain_key(search_key(column.leaf, value)):
                rule = f"column {column.path}: the Bloom filter does not have the value {_shown(value)}"
                yield f"{column.located.path}.meta_data.bloom_filter_offset", rule
                return


def _of_pages(column: _Column) -> Iterator[tuple[str, str]]:
    """Yields (path, rule) of page indexes that the values of a column chunk contradict."""
    located = column.located
    if located.chunk.column_index_offset is None or located.chunk.offset_index_offset is None:
        return
    index, places = index_of(located)
    if index is None or places is None:
        return
    starts = [*(page.first_row_index for page in places.page_locations), len(column.rows)]
    for number, (start, stop) in enumerate(pairwise(starts)):
        where, page = f"{located.path}.ColumnIndex", f"column {column.path}, page {number}"
        if not start <= stop <= len(column.rows):
            yield where, f"{page}: rows {start} to {stop} of {len(column.rows)}"
            return
        values = column.values(start, stop) or []
        count = sum(map(len, values))
        if index.null_pages[number] != (count == 0):
            yield where, f"{page}: null_page is {index.null_pages[number]}, where {count} values are not null"
        elif count:
            nulls = None if index.null_counts is None else index.null_counts[number]
            nans = None if index.nan_counts is None else index.nan_counts[number]
            bounds = index.min_values[number], index.max_values[number]
            said = Statistics(min_value=bounds[0], max_value=bounds[1], null_count=nulls, nan_count=nans)
            total = None if column.steps else stop - start
            for rule in _of_statistics(column, said, values, total):
                yield where, f"{page}: {rule}"


def _of_statistics(column: _Column, said: Statistics, values: Sequence[pa.Array], total: int | None) -> Iterator[str]:
    """Yields the rules that statistics break by the values.

    Args:
        values: those that are not null.
        total: number of all values, None if unknown.
    """
    import pyarrow.compute as pc

    leaf = column.leaf
    nulls = None if total is None else total - sum(map(len, values))
    if nulls is not None and said.null_count is not None and said.null_count != nulls:
        yield f"null_count is {said.null_count}, there are {nulls}"
    if leaf.is_real and said.nan_count is not None:
        nans = sum(pc.sum(pc.is_nan(array)).as_py() or 0 for array in values)
        if said.nan_count != nans:
            yield f"nan_count is {said.nan_count}, there are {nans}"
    if leaf.element.type == Type.INT96:
        return
    low, high, low_exact, high_exact = leaf.bounds(said)
    for name, bound, is_exact, compare in (("min", low, low_exact, pc.less), ("max", high, high_exact, pc.greater)):
        if bound is None:
            continue
        scalar = comparable(leaf.array([bound]))[0]
        for array in values:
            wrong = array.filter(compare(array, scalar))
            if len(wrong):
                yield f"{name} is {bound!r}, a value is {_shown(wrong[0])}"
                break
        else:
            if is_exact and values and not any(pc.any(pc.equal(array, scalar)).as_py() for array in values):
                yield f"{name} is said to be exact, but no value is {bound!r}"


def _shown(value: pa.Scalar) -> str:
    """Returns a value as text. Dates and times are of any year, and in nanoseconds, unlike those of Python."""
    import pyarrow as pa

    return str(value.cast(pa.string())) if pa.types.is_temporal(value.type) else repr(value.as_py())


def _top_level(metadata: FileMetaData) -> Iterator[tuple[int, int]]:
    """Yields the first leaf column of each column of the file, and that after the last."""
    number, at = 0, 1
    while at < len(metadata.schema):
        first, open_elements = number, 1
        while open_elements:
            element = metadata.schema[at]
            children = element.num_children or 0
            number += element.type is not None and not children
            open_elements += children - 1
            at += 1
        yield first, number
