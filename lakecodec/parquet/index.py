"""The page index (PageIndex.md): bounds and locations of a column chunk's data pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..generated.parquet import ColumnIndex, OffsetIndex
from ..runtime.errors import DecodeError
from ..runtime.limits import Limits
from ..runtime.source_types import SourceLike
from ..runtime.urls import located
from .chunk import Located, locate
from .errors import broken, relocated


def page_index(
    source: SourceLike,
    row_group: int,
    column: int | str,
    *,
    limits: Limits | None = None,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> tuple[ColumnIndex | None, OffsetIndex | None]:
    """Returns the ColumnIndex and the OffsetIndex of a column chunk, None for each that the file does not have.

    Both are checked (PageIndex.md): their lists have equal lengths, pages do not overlap and end before the footer, and
    ``first_row_index`` does not decrease.

    Args:
        source: as in `read_metadata`.
        row_group: position of the row group.
        column: position among the leaf columns, or dotted path of a leaf column.
        limits: limits on nesting depth and number of elements of the footer and of each index; None for ``Limits()``.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        DecodeError: the file or an index is invalid, the column is encrypted (Encryption.md), or the column chunk is in
            another file.
        ValueError: there is no such row group or column position.
        KeyError: there is no column with this path.
        TypeError: ``row_group`` is not an int, or ``column`` neither an int nor a str.
        OSError: the file cannot be read.
    """
    (source,) = located(storage_options, source, filesystem=filesystem)
    return index_of(locate(source, row_group, column, limits, filesystem), limits)


def index_of(located: Located, limits: Limits | None = None) -> tuple[ColumnIndex | None, OffsetIndex | None]:
    """Returns the two indexes of a column chunk that was located, as `page_index` does."""
    chunk = located.chunk
    if chunk.crypto_metadata is not None:
        raise broken("the column is encrypted", file=located.file, path=located.path)
    ranges = [
        _range(located, chunk.column_index_offset, chunk.column_index_length, "column_index"),
        _range(located, chunk.offset_index_offset, chunk.offset_index_length, "offset_index"),
    ]
    column_data, offset_data = _read(located, ranges)
    column_index = None if ranges[0] is None else _decode(ColumnIndex, located, column_data, ranges[0][0], limits)
    offset_index = None if ranges[1] is None else _decode(OffsetIndex, located, offset_data, ranges[1][0], limits)
    _check(located, column_index, offset_index)
    return column_index, offset_index


def _range(located: Located, offset: int | None, length: int | None, what: str) -> tuple[int, int] | None:
    """Returns the checked offset and length of an index in bytes, None if the file does not have it."""
    if offset is None and length is None:
        return None
    if offset is None or length is None:
        raise broken(f"{what}_offset and {what}_length must both be present", file=located.file, path=located.path)
    located.check_range(offset, length, what)
    return offset, length


def _read(located: Located, ranges: list[tuple[int, int] | None]) -> list[Any]:
    """Returns the bytes of each range, from the file tail already read if it has them all."""
    tail = located.footer.tail
    if all(wanted is None or wanted[0] >= tail.start for wanted in ranges):
        return [None if wanted is None else tail.read(*wanted) for wanted in ranges]
    with located.source.open() as reader:
        return [None if wanted is None else reader.read(*wanted) for wanted in ranges]


def _decode(cls: Any, located: Located, data: Any, offset: int, limits: Limits | None) -> Any:
    """Returns the decoded struct; errors name the file and give offsets from its start."""
    try:
        return cls.from_bytes(data, limits=limits)
    except DecodeError as error:
        path = f"{located.path}.{cls.__name__}"
        raise relocated(error, file=located.file, path=path, start=offset) from None


def _check(located: Located, column_index: ColumnIndex | None, offset_index: OffsetIndex | None) -> None:
    """Raises DecodeError if list lengths differ, pages overlap or leave the file's data, or ``first_row_index`` decreases."""
    pages = None if offset_index is None else len(offset_index.page_locations)
    if column_index is not None:
        pages = len(column_index.null_pages) if pages is None else pages
        lists = (column_index.null_pages, column_index.min_values, column_index.max_values, column_index.null_counts)
        if any(values is not None and len(values) != pages for values in lists):
            raise broken("the lists of the page index differ in length", file=located.file, path=located.path)
    if offset_index is None:
        return
    end = first_row = 0
    for number, page in enumerate(offset_index.page_locations):
        path = f"{located.path}.OffsetIndex.page_locations[{number}]"
        if (
            page.compressed_page_size < 0
            or page.offset < end
            or page.offset + page.compressed_page_size > located.footer.start
        ):
            raise broken(
                "the page overlaps the one before it, or ends outside the file's data", file=located.file, path=path
            )
        if page.first_row_index < first_row:
            raise broken("first_row_index is less than that of the page before", file=located.file, path=path)
        end, first_row = page.offset + page.compressed_page_size, page.first_row_index
