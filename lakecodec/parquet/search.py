"""Search for the row groups that can hold a value."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..generated.parquet import ColumnChunk
from ..runtime.source_types import SourcesLike
from .bloom import BloomFilter, bloom_filter
from .errors import broken
from .footer import read_footer
from .index import page_index
from .leaf_types import LeafType, leaf_types
from .metadata import decode_footer
from .search_keys import bound_key, search_key
from .sources import Source, expand
from .threads import map_threads

if TYPE_CHECKING:
    import pyarrow as pa

_STATISTICS, _INDEX, _BLOOM = "statistics", "page index", "bloom filter"


def row_groups_with(sources: SourcesLike, column: str, value_or_values: Any) -> pa.Table:
    """Returns a ``pyarrow.Table`` of the row groups that can hold a value; all others do not hold it.

    Columns: ``file`` (string; null for a source without a name), ``row_group`` (int32), ``decided_by`` (string): the last
    of "statistics", "page index" and "bloom filter" that was asked and did not rule the row group out, null if the file has
    none of them. Bloom filters are asked if the package xxhash is installed.

    Args:
        sources: as in `read_metadatas`.
        column: dotted path of a leaf column. A file without it has only nulls there.
        value_or_values: a value of the column's type, or a list, tuple or set of values, one of which is enough; None
            for null.

    Raises:
        DecodeError, OSError: a file is invalid or cannot be read.
        KeyError: no file has the column.
        ValueError: the column's type has no such value.
        TypeError: ``column`` is not a str.
    """
    import pyarrow as pa

    if not isinstance(column, str):
        raise TypeError(f"column: a str is needed, not {type(column).__name__}")
    several = isinstance(value_or_values, (list, tuple, set, frozenset))
    values = list(value_or_values) if several else [value_or_values]
    files = expand(sources)
    found = map_threads(lambda file: _groups(file, column, values), files, None)
    if files and not any(known for known, _ in found):
        raise KeyError(f"column: no file has a column {column!r}")
    rows = [(file.name, *row) for file, (_, groups) in zip(files, found, strict=True) for row in groups]
    kinds = {"file": pa.string(), "row_group": pa.int32(), "decided_by": pa.string()}
    return pa.table({name: pa.array([row[at] for row in rows], kind) for at, (name, kind) in enumerate(kinds.items())})


def _groups(file: Source, column: str, values: list[Any]) -> tuple[bool, list[tuple[int, str | None]]]:
    """Returns True if a file has the column, and its row groups that can hold a value, each with what decided."""
    with file.open() as ranges:
        footer = read_footer(ranges)
    metadata = decode_footer(footer)
    leaves = leaf_types(metadata.schema, metadata.column_orders, footer.tail.name)
    number = next((at for at, (path, _) in enumerate(leaves) if path == column), None)
    if number is None:
        return False, [(group, None) for group in range(len(metadata.row_groups)) if None in values]
    leaf = leaves[number][1]
    keys = [(value, search_key(leaf, value)) for value in values]
    kept: list[tuple[int, str | None]] = []
    for group, row_group in enumerate(metadata.row_groups):
        if len(row_group.columns) != len(leaves):
            rule = f"{len(row_group.columns)} column chunks, where the schema has {len(leaves)} leaf columns"
            raise broken(rule, file=footer.tail.name, path=f"row_groups[{group}].columns")
        chunk = _Chunk(file, group, number, row_group.columns[number], leaf)
        asked: list[str] = []
        if any(chunk.can_hold(value, key, asked) for value, key in keys):
            kept.append((group, asked[-1] if asked else None))
    return True, kept


@dataclass
class _Chunk:
    """A column chunk that is asked for values; its page index and bloom filter are read once, if they are needed."""

    file: Source
    group: int
    number: int
    chunk: ColumnChunk
    leaf: LeafType

    def can_hold(self, value: Any, key: Any, asked: list[str]) -> bool:
        """Returns False if the chunk does not hold the value; ``asked`` becomes what did not rule it out."""
        asked.clear()
        meta = self.chunk.meta_data
        if meta is None or self.chunk.crypto_metadata is not None:
            return True
        nulls = None if meta.statistics is None else meta.statistics.null_count
        if value is None:
            return nulls != 0
        if nulls is not None and nulls == meta.num_values:
            return False
        if key != key:
            return True
        if self.bounds is not None:
            if not _within(key, self.bounds):
                return False
            asked.append(_STATISTICS)
        if self.chunk.file_path is not None:
            return True
        if self.pages is not None:
            if not any(_within(key, bounds) for bounds in self.pages):
                return False
            asked.append(_INDEX)
        if self.bloom is not None:
            if not self.bloom.might_contain(value):
                return False
            asked.append(_BLOOM)
        return True

    @cached_property
    def bounds(self) -> tuple[Any, Any] | None:
        """The smallest and the largest key by the statistics, None where there are none."""
        meta = self.chunk.meta_data
        low, high, _ = self.leaf.raw_bounds(None if meta is None else meta.statistics)
        return None if low is None and high is None else (bound_key(self.leaf, low), bound_key(self.leaf, high))

    @cached_property
    def pages(self) -> list[tuple[Any, Any]] | None:
        """The same of each page that has values, None without a page index that can be used."""
        if self.chunk.column_index_offset is None or not self.leaf.is_ordered or not self.leaf.has_order:
            return None
        index, _ = page_index(self.file.value, self.group, self.number, filesystem=self.file.filesystem)
        if index is None:
            return None
        pages = zip(index.null_pages, index.min_values, index.max_values, strict=True)
        return [(bound_key(self.leaf, low), bound_key(self.leaf, high)) for is_null, low, high in pages if not is_null]

    @cached_property
    def bloom(self) -> BloomFilter | None:
        meta = self.chunk.meta_data
        if meta is None or meta.bloom_filter_offset is None or importlib.util.find_spec("xxhash") is None:
            return None
        return bloom_filter(self.file.value, self.group, self.number, filesystem=self.file.filesystem)


def _within(key: Any, bounds: tuple[Any, Any]) -> bool:
    """Returns False if a key is below or above bounds; unknown ones rule nothing out."""
    smallest, largest = bounds
    return (smallest is None or smallest <= key) and (largest is None or key <= largest)
