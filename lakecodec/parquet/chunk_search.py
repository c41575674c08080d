"""Search of one column chunk: by its statistics, its page index and its bloom filter."""

from __future__ import annotations

import importlib.util
import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..generated.parquet import ColumnIndex, OffsetIndex
from .bloom import BloomFilter, filter_of
from .chunk import Located
from .index import index_of
from .leaf_types import LeafType
from .search_keys import bound_key

#: The stages of a search, in order.
STAGES = ("statistics", "page index", "bloom filter")
_STATISTICS, _INDEX, _BLOOM = range(len(STAGES))

#: A range of rows: the first row, and the row after the last.
Rows = tuple[int, int]


@dataclass(frozen=True)
class Match:
    """The pages and rows of a column chunk that can hold a value.

    Attributes:
        pages: positions of the data pages; None without a page index.
        rows: their rows, counted in the row group.
        decided_by: the last of `STAGES` that was used; None if the file has none of them.
    """

    pages: list[int] | None
    rows: list[Rows]
    decided_by: str | None


@dataclass
class ChunkSearch:
    """A column chunk in which values are searched. Its page index and Bloom filter are read once, when they are
    needed."""

    located: Located
    leaf: LeafType
    num_rows: int

    def find(self, keys: list[Any]) -> Match | None:
        """Returns the places that can hold one of the search keys (None for null), or None if the chunk holds none of
        them."""
        found = [each for key in keys if (each := self._find(key)) is not None]
        if not found:
            return None
        stage = max(stage for _, stage in found)
        pages: set[int] | None = set()
        for some, _ in found:
            pages = None if pages is None or some is None else pages.union(some)
        chosen = None if pages is None else sorted(pages)
        return Match(chosen, self._rows(chosen), STAGES[stage] if stage >= 0 else None)

    def _find(self, key: Any) -> tuple[list[int] | None, int] | None:
        """Returns the pages that can hold a key, and the last stage of the search (-1 for none); None if the chunk
        cannot hold it."""
        chunk = self.located.chunk
        meta, stage, pages = chunk.meta_data, -1, None
        if meta is None or chunk.crypto_metadata is not None:
            return None, stage
        counts = meta.statistics
        nulls = None if counts is None else counts.null_count
        if key is None and nulls is not None:
            if nulls == 0:
                return None
            stage = _STATISTICS
        elif key is not None and nulls is not None and nulls == meta.num_values:
            return None
        elif key is not None and key != key:
            if counts is not None and counts.nan_count is not None:
                if counts.nan_count == 0:
                    return None
                stage = _STATISTICS
        elif key is not None and self._bounds != (None, None):
            if not _within(key, *self._bounds):
                return None
            stage = _STATISTICS
        if chunk.file_path is not None:
            return None, stage
        if self._index is not None:
            pages = self._pages(self._index, key)
            if not pages:
                return None
            stage = _INDEX
        if key is not None and key == key and self._bloom is not None:
            if not self._bloom.might_contain_key(key):
                return None
            stage = _BLOOM
        return pages, stage

    @cached_property
    def _bounds(self) -> tuple[Any, Any]:
        """The smallest and the largest key by the statistics; None for an unknown one."""
        meta = self.located.chunk.meta_data
        low, high, _ = self.leaf.raw_bounds(None if meta is None else meta.statistics)
        return self._keys(low, high)

    def _keys(self, low: bytes | None, high: bytes | None) -> tuple[Any, Any]:
        """Returns two encoded bounds as search keys; writers that took NaN for one may have the other wrong."""
        smallest, largest = bound_key(self.leaf, low), bound_key(self.leaf, high)
        spoilt = self.leaf.is_real and (
            (low is not None and smallest is None) or (high is not None and largest is None)
        )
        return (None, None) if spoilt else (smallest, largest)

    def _pages(self, index: ColumnIndex, key: Any) -> list[int]:
        """Returns the positions of the pages that can hold a key."""
        if key is None:
            counts = index.null_counts
            return [at for at in range(len(index.null_pages)) if counts is None or counts[at] != 0]
        full = [at for at, is_null in enumerate(index.null_pages) if not is_null]
        if key != key:
            nans = index.nan_counts
            return full if nans is None else [at for at in full if nans[at] != 0]
        if self._page_bounds is None:
            return full
        return [at for at in full if _within(key, *self._page_bounds[at])]

    @cached_property
    def _page_bounds(self) -> list[tuple[Any, Any]] | None:
        """The smallest and the largest key of each page, None where the bounds mean nothing; those of null pages too."""
        index = self._index
        if index is None or not self.leaf.is_ordered or not self.leaf.has_order:
            return None
        return [
            (None, None) if is_null else self._keys(low, high)
            for is_null, low, high in zip(index.null_pages, index.min_values, index.max_values, strict=True)
        ]

    def _rows(self, pages: list[int] | None) -> list[Rows]:
        """Returns the rows of some pages, neighbours joined; all rows where it is not known which page has which."""
        places = None if self._indexes is None else self._indexes[1]
        if pages is None or places is None:
            return [(0, self.num_rows)]
        starts = [*(each.first_row_index for each in places.page_locations), self.num_rows]
        rows: list[Rows] = []
        for page in pages:
            begin, end = starts[page], starts[page + 1]
            if rows and rows[-1][1] == begin:
                begin = rows.pop()[0]
            rows.append((begin, end))
        return rows

    @property
    def _index(self) -> ColumnIndex | None:
        return None if self._indexes is None else self._indexes[0]

    @cached_property
    def _indexes(self) -> tuple[ColumnIndex | None, OffsetIndex | None] | None:
        """The page index, None if the chunk has none or another file has its pages."""
        chunk = self.located.chunk
        if chunk.column_index_offset is None or chunk.file_path is not None or chunk.crypto_metadata is not None:
            return None
        found = index_of(self.located)
        # Writers without statistics declare all pages as null pages, with negative null counts.
        counts = None if found[0] is None else found[0].null_counts
        return None if counts and min(counts) < 0 else found

    @cached_property
    def _bloom(self) -> BloomFilter | None:
        meta = self.located.chunk.meta_data
        if meta is None or meta.bloom_filter_offset is None:
            return None
        if importlib.util.find_spec("xxhash") is None:
            warnings.warn(
                "Bloom filters are not used, since xxhash is not installed: pip install 'lakecodec[bloom]'",
                stacklevel=2,
            )
            return None
        return filter_of(self.located, self.leaf)


def _within(key: Any, smallest: Any, largest: Any) -> bool:
    """Returns False if a key is below or above bounds; unknown ones rule nothing out."""
    return (smallest is None or smallest <= key) and (largest is None or key <= largest)
