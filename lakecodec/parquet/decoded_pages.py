"""The rows of a column chunk's pages, which pyarrow decodes one after the other."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import DataPageHeaderV2, Encoding, PageHeader, PageLocation, PageType
from .chunk import Located
from .filter_building import UnlikeError
from .leaf_values import level_counts
from .pages import places

if TYPE_CHECKING:
    import pyarrow as pa

_DICTIONARY = (Encoding.RLE_DICTIONARY, Encoding.PLAIN_DICTIONARY)
#: The rows and bytes that are decoded at once if pages are smaller.
_ROWS, _BYTES = 1 << 16, 1 << 20


@dataclass(slots=True)
class Layout:
    """The data pages of a column chunk.

    Attributes:
        locations: their places; the first rows are those of `PageRows`.
        counts: the rows of each, or its levels.
        by_levels: whether ``counts`` are levels: pages of the first version do not say how many rows of lists they have.
        distinct: the most distinct values that the column chunk can have.
        is_dictionary: whether all values are in a dictionary.
        batch_rows: rows to decode at once: those of the largest page, more where pages are small.
        first_plain: the number of pages in front of the first that is plain, as all behind it are.
        most_rows: the rows to decode, None for all.
        bodies: offset of the bytes after each page's header, and the header.
    """

    locations: list[PageLocation]
    counts: list[int]
    by_levels: bool
    distinct: int
    is_dictionary: bool
    batch_rows: int
    first_plain: int = 0
    most_rows: int | None = None
    bodies: list[tuple[int, PageHeader]] = field(default_factory=list)


def page_layout(located: Located, rows: int, is_repeated: bool) -> Layout:
    """Returns the data pages of a column chunk by their headers.

    Raises:
        DecodeError: as `places`.
    """
    meta = located.metadata()
    headers = []
    bodies = []
    entries = entry_bytes = 0
    for header, start, body in places(located):
        data = header.data_page_header_v2 or header.data_page_header
        if header.type in (PageType.DATA_PAGE, PageType.DATA_PAGE_V2) and data is not None:
            location = PageLocation(
                offset=start, compressed_page_size=body - start + header.compressed_page_size, first_row_index=0
            )
            headers.append((header, data, location))
            bodies.append((body, header))
        elif header.dictionary_page_header is not None:
            entries, entry_bytes = header.dictionary_page_header.num_values, header.uncompressed_page_size
    levels = [data.num_values for _, data, _ in headers]
    page_rows = [data.num_rows if isinstance(data, DataPageHeaderV2) else 0 for _, data, _ in headers]
    by_levels = is_repeated and any(level and not row for level, row in zip(levels, page_rows, strict=True))
    counts = page_rows if is_repeated and not by_levels else levels
    is_dictionary = bool(headers) and all(data.encoding in _DICTIONARY for _, data, _ in headers)
    # The bytes per row: its share of the pages, and one entry of the dictionary.
    row_bytes = meta.total_uncompressed_size / max(rows, 1) + entry_bytes / max(entries, 1)
    largest = max(counts, default=0) * (max(rows, 1) / max(meta.num_values, 1) if by_levels else 1)
    few = max(1, int(largest))
    # A batch holds whole pages if all pages have the same number of rows. Then no page is in two batches.
    batch_rows = few * max(1, min(_ROWS, int(_BYTES / max(row_bytes, 1))) // few)
    plain_pages = sum(1 for _ in takewhile(_is_plain, (data for _, data, _ in headers[::-1])))
    return Layout(
        [location for _, _, location in headers],
        counts,
        by_levels,
        min(meta.num_values, entries) if is_dictionary else meta.num_values,
        is_dictionary,
        batch_rows,
        first_plain=len(headers) - plain_pages,
        bodies=bodies,
    )


def _is_plain(data: Any) -> bool:
    return bool(data.encoding == Encoding.PLAIN)


def first_pages(layout: Layout, count: int) -> Layout:
    """Returns the first pages of a column chunk of flat rows."""
    counts = layout.counts[:count]
    return replace(layout, locations=layout.locations[:count], counts=counts, most_rows=sum(counts))


def first_rows(batches: Iterable[Any], most: int | None) -> Iterator[Any]:
    """Yields the first rows of batches, all for None; no batch is read that has none of them."""
    left = most
    for batch in batches:
        yield batch if left is None else batch.slice(0, left)
        left = None if left is None else left - len(batch)
        if left is not None and left <= 0:
            return


class PageRows:
    """The rows of a column chunk: page by page if pages begin with rows, else in batches.

    Attributes:
        starts: the first row of each page that was read.
        trouble: the reason why batches are not pages; None if they are.
    """

    def __init__(self, batches: Iterable[Any], layout: Layout | None) -> None:
        self.starts: list[int] = []
        self.trouble: str | None = None
        self._batches, self._layout = batches, layout

    def __iter__(self) -> Iterator[pa.Array]:
        pending: list[Any] = []
        left = list(self._layout.counts[::-1]) if self._layout is not None else []
        missing = row = 0
        batch = None
        for batch in self._columns():
            if self._layout is None or self.trouble:
                yield from (*pending, batch)
                pending = []
                continue
            # The position in the batch after each number of levels. Without lists, levels are rows.
            ends: Any = range(len(batch) + 1)
            if self._layout.by_levels:
                ends = np.concatenate([[0], np.cumsum(level_counts(batch))])
            start = 0
            while start < len(batch):
                if not missing:
                    yield from self._without_rows(left, row, batch)
                    missing = left.pop() if left else 0
                goal = ends[start] + missing
                stop = bisect_left(ends, goal)
                if not missing or (stop < len(ends) and ends[stop] != goal):
                    self.trouble = "pages begin within rows" if missing else "pages have fewer rows than the row group"
                    pending.append(batch.slice(start))
                    break
                pending.append(batch.slice(start, stop - start))
                if stop > len(batch):
                    missing -= int(ends[-1] - ends[start])
                    break
                self.starts.append(row)
                row += sum(map(len, pending))
                yield pending[0] if len(pending) == 1 else _joined(pending)
                pending, missing, start = [], 0, stop
        yield from pending
        yield from self._without_rows(left, row, batch)
        if pending or missing or left:
            self.trouble = self.trouble or "pages have more rows than the row group"

    def _without_rows(self, left: list[int], row: int, batch: Any) -> Iterator[pa.Array]:
        """Yields the pages without rows that are next, which pyarrow writes where it looks for chunks by content."""
        while left and not left[-1] and batch is not None and self.trouble is None:
            left.pop()
            self.starts.append(row)
            yield batch.slice(0, 0)

    def _columns(self) -> Iterator[Any]:
        """Yields the rows of each batch.

        Raises:
            UnlikeError: they are those of several columns.
        """
        for batch in self._batches:
            if batch.num_columns != 1:
                raise UnlikeError("pyarrow reads it as several columns")
            yield batch.column(0)


def _joined(arrays: list[Any]) -> pa.Array:
    import pyarrow as pa

    return pa.concat_arrays(arrays)
