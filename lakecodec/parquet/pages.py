"""Page headers of a column chunk, read without the page bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..generated.parquet import ColumnMetaData, PageHeader, PageType
from ..runtime.compact.rules import RULES
from ..runtime.errors import DecodeError
from ..runtime.limits import Limits
from ..runtime.ranges import RangeReader
from ..runtime.source_types import SourceLike
from ..runtime.urls import located
from .chunk import Located, locate
from .errors import broken, relocated
from .metadata import decode_footer

#: The bytes per read: many headers if pages are small, little waste if they are large.
_READ_SMALL_PAGES = 64 * 1024
_READ_LARGE_PAGES = 4 * 1024
#: The largest header in bytes. Statistics make headers long, but never nearly this long.
_LARGEST_HEADER = 16 * 1024 * 1024
#: The rules that a header breaks if the read ends inside of it.
_CUT = frozenset(RULES[key] for key in ("truncated", "length", "count"))
#: parquet-mr before 1.2.9 left the header of the dictionary page out of the sizes of a column chunk (PARQUET-816).
_OLD_WRITER = re.compile(r"parquet-mr(?! version \d)|parquet-mr version (?:0|1\.[01]|1\.2\.[0-8])(?!\d)")


def page_headers(
    source: SourceLike,
    row_group: int,
    column: int | str,
    *,
    limits: Limits | None = None,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Iterator[PageHeader]:
    """Returns an iterator over the PageHeaders of a column chunk in file order; a dictionary page comes first.

    The footer is read and checked by the call itself, page headers while iterating. Page bodies are skipped, except for
    what a read of 4 KiB to 64 KiB brings along. The iterator is for one thread at a time.

    Args:
        source: as in `read_metadata`; a file object must stay open until the iterator is exhausted.
        row_group: position of the row group.
        column: position among the leaf columns, or dotted path of a leaf column.
        limits: limits on nesting depth and number of elements of the footer and of each header; None for ``Limits()``.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        DecodeError: the file is invalid, the column is encrypted (Encryption.md), or the column chunk is in another
            file. While iterating: a header is invalid, or a page extends past the end of the column chunk.
        ValueError: there is no such row group or column position.
        KeyError: there is no column with this path.
        TypeError: ``row_group`` is not an int, or ``column`` neither an int nor a str.
        OSError: the file cannot be read.
    """
    (source,) = located(storage_options, source, filesystem=filesystem)
    chunk = locate(source, row_group, column, limits, filesystem)
    start, end = page_range(chunk)
    return (header for header, _ in _walk(chunk, start, end, limits))


def page_range(located: Located) -> tuple[int, int]:
    """Returns the offsets of a column chunk's first page and of the byte after its last page; (0, 0) if it has no pages.

    The first page is the dictionary page if ``dictionary_page_offset`` is set, not 0 and before the data pages; the
    length is ``total_compressed_size``, which includes the headers (ColumnMetaData in parquet.thrift).

    Raises:
        DecodeError: an offset or the size is negative, the pages are outside the file's data, or the column is
            encrypted.
    """
    meta = located.metadata()
    data, dictionary = meta.data_page_offset, meta.dictionary_page_offset or 0
    if data < 0 or dictionary < 0:
        raise broken("a page offset is negative", file=located.file, path=f"{located.path}.meta_data")
    start = first_page(meta) if dictionary else data
    length = meta.total_compressed_size
    if start == 0 and length == 0:
        return 0, 0
    located.check_range(start, length, "pages")
    return start, start + length


def first_page(meta: ColumnMetaData) -> int:
    """Returns the offset of a column chunk's first page. Writers store 0 for a page that is not there."""
    data, dictionary = meta.data_page_offset, meta.dictionary_page_offset or 0
    return dictionary if dictionary and (dictionary < data or not data) else data


def places(located: Located) -> Iterator[tuple[PageHeader, int, int]]:
    """Yields the pages of a column chunk: header, its offset, and the offset of the body.

    Raises:
        DecodeError: as `page_range`, or a page header is wrong.
    """
    start, end = page_range(located)
    for header, after in _walk(located, start, end, None):
        yield header, start, after - header.compressed_page_size
        start = after


def is_old(created_by: str | None) -> bool:
    """Returns True for a file's writer that left the header of dictionary pages out of sizes (PARQUET-816)."""
    return created_by is not None and _OLD_WRITER.match(created_by) is not None


def missing_bytes(located: Located, ranges: Any) -> int:
    """Returns the bytes that the sizes of a column chunk of an old writer (`is_old`) lack.

    Args:
        located: the column chunk.
        ranges: reader of its file.

    Raises:
        DecodeError: as `page_range`, or a page header is wrong.
    """
    start, end = page_range(located)
    return max((after for _, after in _headers(located, ranges, start, end, None)), default=end) - end


class HeaderWindow:
    """The most recently read bytes of a column chunk; moves forward as headers are requested.

    Attributes:
        end: the offset after the last byte that can be a header's.
    """

    def __init__(self, ranges: RangeReader, end: int) -> None:
        self._ranges = ranges
        self.end = end
        self._start = 0
        self._data: Any = b""
        self._ahead = end if ranges.in_memory else _READ_SMALL_PAGES

    def header(self, position: int, limits: Limits | None = None) -> tuple[PageHeader, int]:
        """Returns the header at the offset ``position`` and the offset after it.

        Raises:
            DecodeError: it is no header; the offset is that of the file.
        """
        length = self._ahead
        if not self._start <= position < self._start + len(self._data):
            self._move(position, length)
        while True:
            try:
                header, after = PageHeader.read(self._data, position - self._start, limits=limits)
            except DecodeError as error:
                cut = error.rule in _CUT and self._start + len(self._data) < self.end
                if not cut or length >= _LARGEST_HEADER:
                    error.offset = self._start + (error.offset or 0)
                    raise
                length *= 2
                self._move(position, length)
            else:
                self._adapt(header.compressed_page_size)
                return header, self._start + after

    def _move(self, position: int, length: int) -> None:
        """Reads up to ``length`` bytes from the offset ``position`` on."""
        self._data = self._ranges.read(position, min(length, self.end - position))
        self._start = position

    def _adapt(self, page_size: int) -> None:
        """Sets the size of the next read according to the size of the last page, in bytes."""
        if not self._ranges.in_memory:
            self._ahead = _READ_LARGE_PAGES if page_size > _READ_SMALL_PAGES // 2 else _READ_SMALL_PAGES


def _walk(located: Located, start: int, end: int, limits: Limits | None) -> Iterator[tuple[PageHeader, int]]:
    """Yields the pages from the bytes already read if they have all pages, else from the opened source."""
    if start >= located.footer.tail.start:
        yield from _headers(located, located.footer.tail, start, end, limits)
        return
    with located.source.open() as ranges:
        yield from _headers(located, ranges, start, end, limits)


def _headers(
    located: Located, ranges: Any, position: int, end: int, limits: Limits | None
) -> Iterator[tuple[PageHeader, int]]:
    """Yields the checked headers of the pages between two offsets, with the offset after each page."""
    window = HeaderWindow(ranges, end)
    values = located.metadata().num_values
    page = dictionary = 0
    while position < end:
        path = f"{located.path}.page[{page}]"
        try:
            header, body = window.header(position, limits)
        except DecodeError as error:
            raise relocated(error, file=located.file, path=path) from None
        if page == 0 and header.type == PageType.DICTIONARY_PAGE:
            dictionary = min(body - position, located.footer.start - end)
            window.end = end + dictionary
        data = header.data_page_header or header.data_page_header_v2
        values -= 0 if data is None else data.num_values
        after = body + header.compressed_page_size
        # If the size ends between two pages, only missing values show that a page is missing.
        if (
            dictionary
            and (after > end or (after == end and values > 0))
            and is_old(decode_footer(located.footer, fields=("created_by",)).created_by)
        ):
            end, dictionary = end + dictionary, 0
        if rule := broken_rule(header, end - body, page):
            raise broken(rule, file=located.file, path=path, offset=position)
        yield header, after
        position = after
        page += 1


def broken_rule(header: PageHeader, space: int, page: int) -> str | None:
    """Returns the rule that a header breaks; None if it breaks none.

    Args:
        header: the header.
        space: bytes of the column chunk after the header.
        page: position of the page in the column chunk.
    """
    if header.uncompressed_page_size < 0 or header.compressed_page_size < 0:
        return "a page size is negative"
    if header.compressed_page_size > space:
        return "the page runs past the end of its column chunk"
    match header.type:
        case PageType.DATA_PAGE:
            if header.data_page_header is None:
                return "a data page without data_page_header"
            return "num_values is negative" if header.data_page_header.num_values < 0 else None
        case PageType.DATA_PAGE_V2:
            return _broken_rule_v2(header)
        case PageType.DICTIONARY_PAGE:
            if header.dictionary_page_header is None:
                return "a dictionary page without dictionary_page_header"
            if page != 0:
                return "a dictionary page that is not the first page"
            return "num_values is negative" if header.dictionary_page_header.num_values < 0 else None
    return None


def _broken_rule_v2(header: PageHeader) -> str | None:
    """Returns the rule that the header of a data page of version 2 breaks, or None."""
    v2 = header.data_page_header_v2
    if v2 is None:
        return "a data page of version 2 without data_page_header_v2"
    if v2.num_values < 0 or v2.num_rows < 0:
        return "num_values or num_rows is negative"
    if not 0 <= v2.num_nulls <= v2.num_values:
        return "num_nulls is not between 0 and num_values"
    levels = (v2.definition_levels_byte_length, v2.repetition_levels_byte_length)
    if min(levels) < 0 or sum(levels) > header.compressed_page_size:
        return "the levels run past the end of the page"
    return None
