"""Checks of Parquet files beyond their declaration: chunks against pages, page indexes against pages, checksums."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..generated import parquet, parquet_file
from ..runtime.errors import CodecError, DecodeError
from ..runtime.ranges import RangeReader
from ..verify.finding import Finding, Kind, of_error
from ..verify.regions import Region, region_value
from ..verify.tracking import Track, no_progress
from .regions import Place, page_places
from .schema import leaves


@dataclass(slots=True)
class _Pages:
    """Totals of the pages of a column chunk; ``data`` are (offset, size with header, first row or None) of data pages."""

    values: int = 0
    uncompressed: int = 0
    rows: int | None = 0
    data: list[tuple[int, int, int | None]] = field(default_factory=list)
    dictionary: int | None = None


def parquet_findings(
    file: Any, regions: Sequence[Region], reader: RangeReader, track: Track = no_progress
) -> Iterator[Finding]:
    """Yields contradictions between the parts of a Parquet file: footer, pages, page indexes, Bloom filters."""
    meta, name = file.meta, reader.name
    known = {each.path: each for each in regions}
    yield from _counts(meta, name)
    columns = [
        (group, number, column)
        for group, rows in enumerate(meta.row_groups)
        for number, column in enumerate(rows.columns)
    ]
    for group, number, column in track(columns, "column chunks verified"):
        path = f"meta.row_groups[{group}].columns[{number}]"
        step = f"[{group}][{number}]"
        pages: _Pages | None = None
        if (chunk := known.get(f"chunks{step}")) is not None and column.meta_data is not None:
            pages = _Pages()
            found = list(_pages(chunk, pages, reader))
            yield from found
            yield from () if found else _chunk(column.meta_data, pages, path, name)
            pages = None if found else pages
        indexes = [known.get(f"{kind}{step}") for kind in ("column_indexes", "offset_indexes")]
        yield from _index(file, indexes, pages, name)
        if (bloom := known.get(f"bloom_filters{step}")) is not None:
            yield from _decoded(file, bloom, name)[1]


def _counts(meta: parquet.FileMetaData, name: str) -> Iterator[Finding]:
    """Yields counts of rows and columns in the footer that contradict each other."""
    total = sum(each.num_rows for each in meta.row_groups)
    if total != meta.num_rows:
        # Some writers leave `num_rows` at 0.
        kind: Kind = "cross-check" if meta.num_rows else "note"
        yield _finding(name, "meta.num_rows", None, f"{meta.num_rows} rows, but its row groups have {total}", kind)
    try:
        count = len(leaves(meta.schema))
    except DecodeError as error:
        yield Finding("rule", name, f"meta.{error.path}", error.offset, error.rule)
        return
    for number, element in enumerate(meta.schema):
        if element.type is not None and not isinstance(element.type, parquet.Type):
            yield _finding(
                name, f"meta.schema[{number}].type", None, f"there is no physical type {element.type}", "rule"
            )
    for number, group in enumerate(meta.row_groups):
        if len(group.columns) != count:
            rule = f"{len(group.columns)} column chunks, but the schema has {count} leaf columns"
            yield _finding(name, f"meta.row_groups[{number}].columns", None, rule)


def _pages(chunk: Region, pages: _Pages, reader: RangeReader) -> Iterator[Finding]:
    """Yields broken page headers and checksums of a column chunk; stops at a header that cannot be read."""
    try:
        for number, place in enumerate(page_places(reader, chunk.offset, chunk.offset + chunk.size)):
            if place.header.crc is not None:
                actual = zlib.crc32(reader.read(place.body, place.end - place.body))
                if actual != place.header.crc & 0xFFFFFFFF:
                    said = place.header.crc & 0xFFFFFFFF
                    rule = f"the checksum of the page is {actual:#010x}, its header says {said:#010x}"
                    yield Finding("checksum", reader.name, f"{chunk.path}.pages[{number}].body", place.body, rule)
            _add(pages, place)
    except DecodeError as error:
        error.path = f"{chunk.path}.{error.path}"
        yield of_error(error, reader.name)


def _add(pages: _Pages, place: Place) -> None:
    position, header, body, after = place
    pages.uncompressed += body - position + header.uncompressed_page_size
    v1, v2 = header.data_page_header, header.data_page_header_v2
    if header.type == parquet.PageType.DICTIONARY_PAGE:
        pages.dictionary = position
    elif header.type == parquet.PageType.DATA_PAGE and v1 is not None:
        pages.values += v1.num_values
        pages.data.append((position, after - position, None))
        pages.rows = None
    elif header.type == parquet.PageType.DATA_PAGE_V2 and v2 is not None:
        pages.values += v2.num_values
        pages.data.append((position, after - position, pages.rows))
        pages.rows = None if pages.rows is None else pages.rows + v2.num_rows


def _chunk(meta: parquet.ColumnMetaData, pages: _Pages, path: str, name: str) -> Iterator[Finding]:
    """Yields contradictions between a column chunk's metadata and its pages."""
    path = f"{path}.meta_data"
    if meta.num_values != pages.values:
        rule = f"{meta.num_values} values, but its pages have {pages.values}"
        yield _finding(name, f"{path}.num_values", None, rule)
    if meta.total_uncompressed_size != pages.uncompressed:
        rule = f"{meta.total_uncompressed_size} bytes, but its pages have {pages.uncompressed} before compression"
        yield _finding(name, f"{path}.total_uncompressed_size", None, rule)
    # Old writers give the offset of the dictionary page instead.
    if pages.data and meta.data_page_offset not in (pages.data[0][0], pages.dictionary):
        rule = f"{meta.data_page_offset}, but the first data page is at {pages.data[0][0]}"
        yield _finding(name, f"{path}.data_page_offset", meta.data_page_offset, rule)


def _index(file: parquet_file.File, regions: list[Region | None], pages: _Pages | None, name: str) -> Iterator[Finding]:
    """Yields contradictions between a column chunk's page index and its pages."""
    bounds, places = regions
    (column, wrong), (offsets, broken) = (_decoded(file, each, name) for each in regions)
    yield from (*wrong, *broken)
    if bounds is not None and column is not None:
        yield from _column_index(column, bounds, pages, name)
    if places is not None and offsets is not None and pages is not None:
        yield from _offset_index(offsets.page_locations, places, pages, name)


def _column_index(index: parquet.ColumnIndex, region: Region, pages: _Pages | None, name: str) -> Iterator[Finding]:
    count = len(index.null_pages) if pages is None else len(pages.data)
    for key in ("null_pages", "min_values", "max_values", "null_counts"):
        values = getattr(index, key)
        if values is not None and len(values) != count:
            yield _finding(
                name, f"{region.path}.{key}", region.offset, f"{len(values)} elements for {count} data pages"
            )


def _offset_index(said: list[parquet.PageLocation], region: Region, pages: _Pages, name: str) -> Iterator[Finding]:
    path = f"{region.path}.page_locations"
    if len(said) != len(pages.data):
        yield _finding(name, path, region.offset, f"{len(said)} elements for {len(pages.data)} data pages")
        return
    for number, (place, (offset, size, row)) in enumerate(zip(said, pages.data, strict=True)):
        if (place.offset, place.compressed_page_size) != (offset, size):
            rule = f"{place.compressed_page_size} bytes at {place.offset}, but the page has {size} bytes at {offset}"
            yield _finding(name, f"{path}[{number}]", None, rule)
        elif row is not None and place.first_row_index != row:
            rule = f"{place.first_row_index}, but {row} rows are before the page"
            yield _finding(name, f"{path}[{number}].first_row_index", None, rule)
    rows = [each.first_row_index for each in said]
    if rows != sorted(rows) or rows[:1] not in ([], [0]):
        yield _finding(name, path, region.offset, "first_row_index decreases, or does not begin with 0")


def _decoded(file: Any, region: Region | None, name: str) -> tuple[Any, list[Finding]]:
    if region is None:
        return None, []
    try:
        return region_value(file, region), []
    except CodecError as error:
        return None, [of_error(error, name, region.offset)]


def _finding(name: str, path: str, offset: int | None, rule: str, kind: Kind = "cross-check") -> Finding:
    return Finding(kind, name, path, offset, rule)
