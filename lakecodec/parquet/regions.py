"""Parts of Parquet files that the footer points to, and the pages of column chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ..generated import parquet, parquet_file
from ..runtime.errors import CodecError, DecodeError, join_path
from ..runtime.ranges import RangeReader
from ..verify.regions import Region
from .pages import HeaderWindow, broken_rule, first_page

#: The most bytes of a copy of a column chunk's metadata.
_MOST_COPIED = 1 << 20


def parquet_regions(file: parquet_file.File) -> Iterator[Region]:
    """Yields the column chunks of a Parquet file, copies of their metadata, page indexes and Bloom filters."""
    for group, rows in enumerate(file.meta.row_groups or ()):
        for number, column in enumerate(rows.columns or ()):
            if column.file_path is None:
                yield from _of_column(column, group, f"[{number}]", file)


def _of_column(column: parquet.ColumnChunk, group: int, step: str, file: parquet_file.File) -> Iterable[Region]:
    meta = column.meta_data
    key = "" if meta is None else ".".join(meta.path_in_schema or ())
    if meta is not None and meta.total_compressed_size > 0 and column.crypto_metadata is None:
        start = first_page(meta)
        size = meta.total_compressed_size
        yield Region(f"chunks[{group}]", step, start, size, parquet_file.Chunk, (start, size), key)
        if column.file_offset == start + size:
            cls, copied = _copied(column, file)
            yield Region(f"copies[{group}]", step, column.file_offset, copied, cls, key=key)
    if meta is not None and meta.bloom_filter_offset is not None and column.crypto_metadata is None:
        size = meta.bloom_filter_length or _filter_size(meta.bloom_filter_offset, file)
        place = meta.bloom_filter_offset, size
        yield Region(f"bloom_filters[{group}]", step, *place, parquet_file.BloomFilter, key=key)
    if column.column_index_offset is not None and column.column_index_length and column.crypto_metadata is None:
        place = column.column_index_offset, column.column_index_length
        yield Region(f"column_indexes[{group}]", step, *place, parquet.ColumnIndex, key=key)
    if column.offset_index_offset is not None and column.offset_index_length and column.crypto_metadata is None:
        place = column.offset_index_offset, column.offset_index_length
        yield Region(f"offset_indexes[{group}]", step, *place, parquet.OffsetIndex, key=key)


def _copied(column: parquet.ColumnChunk, file: parquet_file.File) -> tuple[Any, int]:
    """Returns the type and size of the copy of its metadata that many writers put behind a column chunk; size 0 without one.

    The format says ColumnMetaData; most of those writers put the whole ColumnChunk there.
    """
    source: Any = file._source
    if source is not None and column.meta_data is not None:
        data = source.read(column.file_offset, max(0, min(_MOST_COPIED, source.size - column.file_offset)))
        for cls in (parquet.ColumnChunk, parquet.ColumnMetaData):
            try:
                found: Any
                found, end = cls.read(data)
            except (CodecError, ValueError):
                continue
            meta = found if cls is parquet.ColumnMetaData else found.meta_data
            if meta is not None and meta.path_in_schema == column.meta_data.path_in_schema:
                return cls, end
    return parquet.ColumnChunk, 0


def _filter_size(offset: int, file: parquet_file.File) -> int:
    """Returns the bytes of a bloom filter whose length the metadata leaves out; 0 where its header cannot be read."""
    source: Any = file._source
    if source is None:
        return 0
    try:
        data = source.read(offset, min(256, source.size - offset))
        header, end = parquet.BloomFilterHeader.read(data)
    except (CodecError, ValueError):
        return 0
    return end + header.numBytes


# ---- pages ----


class Place(NamedTuple):
    """A page of a column chunk: its header, and the offsets where it, its body and the next page begin."""

    start: int
    header: parquet.PageHeader
    body: int
    end: int


def page_places(reader: RangeReader, start: int, stop: int) -> Iterator[Place]:
    """Yields the pages between two offsets; their bodies are not read.

    Raises:
        DecodeError: a header breaks a rule; its path begins with ``pages[3].header``.
    """
    page, window = 0, HeaderWindow(reader, stop)
    while start < stop:
        path = f"pages[{page}].header"
        try:
            header, after = window.header(start)
        except DecodeError as error:
            error.path = join_path(path, error.path) if error.path else path
            raise
        if rule := broken_rule(header, stop - after, page):
            raise DecodeError(rule, path=path, offset=start)
        end = after + header.compressed_page_size
        yield Place(start, header, after, end)
        start, page = end, page + 1
