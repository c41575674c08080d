"""Corrects offsets and sizes in the metadata of a file, if `load` writes an edited part with another size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..generated import mosaic, parquet, parquet_file
from ..parquet.regions import page_places
from ..runtime.ranges import MemoryReader


class Moved(NamedTuple):
    """A part of a file: its old offset and size, its new offset, and its new bytes."""

    start: int
    size: int
    now: int
    data: bytes


Parts = Mapping[str, Moved]


def move(record: Any, values: Mapping[str, Any], parts: Parts) -> bool:
    """Sets the offsets and sizes that a file's record and the values of its parts hold, by the paths of the parts.

    Returns:
        False for formats that are not known to hold any.
    """
    mover = _MOVERS.get(type(record))
    if mover is not None:
        mover(record, values, parts)
    return mover is not None


def _parquet(file: parquet_file.File, values: Mapping[str, Any], parts: Parts) -> None:
    file.tail.meta_size = len(parts["meta"].data)
    for group, rows in enumerate(file.meta.row_groups):
        chunks = [parts.get(f"chunks[{group}][{number}]") for number in range(len(rows.columns))]
        for number, column in enumerate(rows.columns):
            step = f"[{group}][{number}]"
            for name in ("column_index", "offset_index"):
                _point(column, name, parts.get(f"{name}es{step}"))
            if column.meta_data is not None:
                _point(column.meta_data, "bloom_filter", parts.get(f"bloom_filters{step}"))
            if (chunk := chunks[number]) is not None and column.meta_data is not None:
                _pages(column, column.meta_data, chunk, values.get(f"offset_indexes{step}"))
        if rows.file_offset:
            rows.file_offset = next((each.now for each in chunks if each and each.start == rows.file_offset), 0)
        if rows.total_compressed_size is not None:
            metas = [each.meta_data for each in rows.columns if each.meta_data is not None]
            rows.total_compressed_size = sum(each.total_compressed_size for each in metas)


def _point(owner: Any, name: str, part: Moved | None) -> None:
    """Sets the offset of an index or a filter, and its size if the metadata has it."""
    if part is not None:
        setattr(owner, f"{name}_offset", part.now)
        if getattr(owner, f"{name}_length") is not None:
            setattr(owner, f"{name}_length", len(part.data))


def _pages(
    column: parquet.ColumnChunk, meta: parquet.ColumnMetaData, chunk: Moved, index: parquet.OffsetIndex | None
) -> None:
    """Sets the offsets and sizes of pages in a column chunk's metadata and its offset index."""
    pages = list(page_places(MemoryReader(chunk.data), 0, len(chunk.data)))
    kinds = (parquet.PageType.DATA_PAGE, parquet.PageType.DATA_PAGE_V2)
    data = [each for each in pages if each.header.type in kinds]
    meta.total_compressed_size = len(chunk.data)
    # Old writers give the offset of the dictionary page instead.
    if data and meta.data_page_offset != chunk.start:
        meta.data_page_offset = chunk.now + data[0].start
    elif meta.data_page_offset:
        meta.data_page_offset = chunk.now
    if meta.dictionary_page_offset:
        meta.dictionary_page_offset = chunk.now
    if column.file_offset:
        behind = column.file_offset == chunk.start + chunk.size
        column.file_offset = chunk.now + (len(chunk.data) if behind else 0)
    for place, page in zip(() if index is None else index.page_locations, data, strict=False):
        place.offset, place.compressed_page_size = chunk.now + page.start, page.end - page.start


def _mosaic(file: mosaic.File, values: Mapping[str, Any], parts: Parts) -> None:
    file.footer.schema_offset, file.footer.index_offset = parts["schema"].now, parts["index"].now
    for group, rows in enumerate(file.index.row_groups):
        for ref in rows.buckets:
            if (part := parts.get(f"buckets[{group}][{ref.bucket_id}]")) is not None:
                ref.start, ref.stored = part.now, len(part.data)


_MOVERS: dict[type, Callable[[Any, Mapping[str, Any], Parts], None]] = {
    parquet_file.File: _parquet, mosaic.File: _mosaic,
}  # fmt: skip
