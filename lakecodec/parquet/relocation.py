"""Column chunks copied from file to file, with their page indexes and Bloom filters, without decoding a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from ..generated.parquet import BloomFilterHeader, ColumnChunk, ColumnMetaData, FileMetaData, OffsetIndex, RowGroup
from ..generated.parquet_file import MAGIC
from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.sink import Sink, open_sink
from .chunk import Located
from .errors import broken, relocated
from .footer import Footer, read_footer
from .metadata import decode_footer, write_metadata
from .pages import page_range
from .sources import Source

#: Bytes of one read while copying.
_BLOCK = 8 * 2**20
#: A BloomFilterHeader is four small fields.
_LARGEST_BLOOM_HEADER = 256
_LARGEST_ORDINAL = 2**15 - 1


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose footer was read and that stays open.

    Attributes:
        source: the file.
        ranges: reader of its bytes.
        footer: its footer.
        metadata: the decoded footer, the caller's to change.
    """

    source: Source
    ranges: RangeReader
    footer: Footer
    metadata: FileMetaData

    def located(self, row_group: int, column: int, chunk: ColumnChunk) -> Located:
        """Returns the column chunk with its place in this file.

        Raises:
            DecodeError: the chunk's ``file_path`` names another file.
        """
        located = Located(chunk, f"row_groups[{row_group}].columns[{column}]", self.source, self.footer)
        if chunk.file_path is not None:
            raise broken(
                f"the column chunk's data is in another file: {chunk.file_path}", file=located.file, path=located.path
            )
        return located


@contextmanager
def opened(source: Source) -> Iterator[Opened]:
    """Opens a file and reads its footer.

    Raises:
        DecodeError: the file is not a Parquet file, or it is encrypted or signed (Encryption.md).
        OSError: the file cannot be read.
    """
    with source.open() as ranges:
        footer = read_footer(ranges)
        metadata = decode_footer(footer)
        encrypted = any(
            chunk.crypto_metadata is not None or chunk.encrypted_column_metadata is not None
            for group in metadata.row_groups
            for chunk in group.columns
        )
        if metadata.encryption_algorithm is not None or encrypted:
            raise broken("an encrypted file cannot be changed without its keys", file=footer.tail.name)
        yield Opened(source, ranges, footer, metadata)


@contextmanager
def target_file(target: Any, argument: str, *, filesystem: Any = None, sync: bool = False) -> Iterator[Sink]:
    """Opens a sink that is committed at the end, and given up on an exception."""
    sink = open_sink(target, filesystem=filesystem, argument=argument, sync=sync)
    with ExitStack() as undo:
        undo.callback(sink.abort)
        yield sink
        sink.commit()
        undo.pop_all()


def copy(ranges: RangeReader, start: int, end: int, sink: Sink) -> None:
    """Appends the bytes between two offsets of a file to a sink."""
    for offset in range(start, end, _BLOCK):
        sink.write(ranges.read(offset, min(_BLOCK, end - offset)))


class Relocation:
    """A file in the making: pages of row groups first, then Bloom filters, column indexes, offset indexes and footer.

    Attributes:
        sink: where the file goes.
        row_groups: the row groups so far, with offsets in the new file.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.row_groups: list[RowGroup] = []
        # Kinds of indexes in the order of the file: the struct and its field for the offset, and the index's bytes.
        self._after: tuple[list[tuple[Any, str, bytes]], ...] = ([], [], [])
        sink.write(MAGIC.encode())

    def add(self, file: Opened, number: int, columns: Sequence[int]) -> RowGroup:
        """Copies the pages of some column chunks of a row group; returns the row group, changed.

        Raises:
            DecodeError: offsets or sizes of the chunks, of their indexes or Bloom filters are wrong.
        """
        group = file.metadata.row_groups[number]
        chunks = list(group.columns)
        if columns and columns[-1] >= len(chunks):
            rule = "the row group has fewer chunks than the schema has columns"
            raise broken(rule, file=file.footer.tail.name, path=f"row_groups[{number}]")
        begin = self.sink.position
        group.columns = [chunks[column] for column in columns]
        metas = [self._move(file, file.located(number, column, chunks[column])) for column in columns]
        group.total_byte_size = sum(meta.total_uncompressed_size for meta in metas)
        if group.total_compressed_size is not None:
            group.total_compressed_size = sum(meta.total_compressed_size for meta in metas)
        if group.file_offset is not None:
            group.file_offset = begin
        if group.ordinal is not None:
            ordinal = len(self.row_groups)
            group.ordinal = ordinal if ordinal <= _LARGEST_ORDINAL else None
        self.row_groups.append(group)
        return group

    def finish(self, metadata: FileMetaData) -> None:
        """Writes Bloom filters, page indexes and the footer with the row groups that were added."""
        for indexes in self._after:
            for owner, name, data in indexes:
                setattr(owner, name, self.sink.position)
                self.sink.write(data)
        metadata.row_groups = self.row_groups
        metadata.num_rows = sum(group.num_rows for group in self.row_groups)
        self.sink.write(write_metadata(metadata))

    def _move(self, file: Opened, located: Located) -> ColumnMetaData:
        """Copies the pages of a column chunk and shifts its offsets."""
        chunk, meta = located.chunk, located.metadata()
        start, end = page_range(located)
        by = self.sink.position - start
        copy(file.ranges, start, end, self.sink)
        # Zero stands for pages that are not there.
        for name in ("data_page_offset", "dictionary_page_offset", "index_page_offset"):
            if offset := getattr(meta, name):
                setattr(meta, name, offset + by)
        # The deprecated copy of the metadata that it may point to stays behind.
        chunk.file_offset = 0
        filters, column_indexes, offset_indexes = self._after
        if meta.bloom_filter_offset is not None:
            data = _bloom_filter(file, located, meta)
            meta.bloom_filter_length = len(data)
            filters.append((meta, "bloom_filter_offset", data))
        if chunk.column_index_offset is not None:
            data = _range(file, located, chunk.column_index_offset, chunk.column_index_length or 0, "column index")
            column_indexes.append((chunk, "column_index_offset", data))
        if chunk.offset_index_offset is not None:
            data = _range(file, located, chunk.offset_index_offset, chunk.offset_index_length or 0, "offset index")
            data = _shifted(located, data, by)
            chunk.offset_index_length = len(data)
            offset_indexes.append((chunk, "offset_index_offset", data))
        return meta


def _range(file: Opened, located: Located, offset: int, length: int, what: str) -> bytes:
    """Returns checked bytes of a file."""
    located.check_range(offset, length, what)
    return bytes(file.ranges.read(offset, length))


def _bloom_filter(file: Opened, located: Located, meta: ColumnMetaData) -> bytes:
    """Returns a Bloom filter's header and bitset; older files do not say how long both are."""
    offset = meta.bloom_filter_offset or 0
    length = meta.bloom_filter_length
    if length is None:
        room = max(0, min(_LARGEST_BLOOM_HEADER, located.footer.start - offset))
        try:
            header, size = BloomFilterHeader.read(_range(file, located, offset, room, "Bloom filter"), 0)
        except DecodeError as error:
            raise relocated(error, file=located.file, path=located.path, start=offset) from None
        length = size + header.numBytes
    return _range(file, located, offset, length, "Bloom filter")


def _shifted(located: Located, data: bytes, by: int) -> bytes:
    """Returns an OffsetIndex whose pages are ``by`` bytes further on."""
    try:
        index = OffsetIndex.from_bytes(data)
    except DecodeError as error:
        start = located.chunk.offset_index_offset or 0
        raise relocated(error, file=located.file, path=f"{located.path}.offset_index", start=start) from None
    for location in index.page_locations:
        location.offset += by
    return index.to_bytes()
