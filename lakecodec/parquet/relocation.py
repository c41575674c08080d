"""Column chunks copied from file to file, with their page indexes and Bloom filters, without decoding a page."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from ..generated.parquet import BloomFilterHeader, ColumnChunk, FileMetaData, OffsetIndex, RowGroup
from ..generated.parquet_file import MAGIC
from ..runtime.coalesce import read_spans
from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.sink import Sink, open_sink
from .bloom import LARGEST_HEADER
from .chunk import Located
from .errors import broken, relocated
from .footer import Footer, read_footer
from .metadata import decode_footer, write_metadata
from .page_copies import Move, PageCopy
from .pages import is_old, missing_bytes, page_range
from .schema import element_paths, is_leaf
from .sources import Source

_LARGEST_ORDINAL = 2**15 - 1
_LARGEST = 2**63 - 1
#: What is written per column chunk besides its pages, in this order.
_INDEXES = ("bloom_filter", "column_index", "offset_index")
_NONE: Mapping[str, bytes] = MappingProxyType({})
#: The struct with an index's location, and the index's bytes.
_Part: TypeAlias = tuple[Any, Any]


@dataclass(slots=True)
class Opened:
    """A file whose footer was read and that stays open.

    Attributes:
        source: the file.
        ranges: reader of its bytes.
        footer: its footer.
        metadata: the decoded footer, the caller's to change.
        paths: names from the root's child down to each schema element, none for the root itself.
        left: bytes that are not copied yet; ranges that overlap would make a small file a large one.
        is_old: True if sizes lack a header (`missing_bytes`).
    """

    source: Source
    ranges: RangeReader
    footer: Footer
    metadata: FileMetaData
    paths: list[tuple[str, ...]]
    left: int = field(init=False)
    is_old: bool = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.footer.start
        self.is_old = is_old(self.metadata.created_by)

    @property
    def columns(self) -> list[tuple[str, ...]]:
        """Paths of the leaf columns."""
        return [path for element, path in zip(self.metadata.schema, self.paths, strict=True) if is_leaf(element)]

    def located(self, row_group: int, column: int, chunk: ColumnChunk) -> Located:
        """Returns the column chunk with its place in this file.

        Raises:
            DecodeError: the chunk's ``file_path`` names another file.
        """
        located = Located(chunk, row_group, column, self.source, self.footer)
        if chunk.file_path is not None:
            raise broken(
                f"the column chunk's data is in another file: {chunk.file_path}", file=located.file, path=located.path
            )
        return located

    def claim(self, length: int, what: str, located: Located) -> None:
        """Counts bytes of a column chunk that are copied.

        Raises:
            DecodeError: with them more would be copied than the file has.
        """
        self.left -= length
        if self.left < 0:
            raise broken(f"{what}: its bytes belong to another part", file=located.file, path=located.path)


@contextmanager
def opened(source: Source) -> Iterator[Opened]:
    """Opens a file and reads its footer.

    Raises:
        DecodeError: the file is not a Parquet file, it is encrypted or signed (Encryption.md), or its schema is no tree
            with a leaf for each column chunk.
        OSError: the file cannot be read.
    """
    with source.open() as ranges:
        footer = read_footer(ranges)
        metadata = decode_footer(footer)
        paths = element_paths(metadata.schema, file=footer.tail.name)
        columns = sum(map(is_leaf, metadata.schema))
        for number, group in enumerate(metadata.row_groups):
            if len(group.columns) != columns:
                rule = f"{len(group.columns)} chunks for the {columns} columns of the schema"
                raise broken(rule, file=footer.tail.name, path=f"row_groups[{number}]")
        encrypted = any(
            chunk.crypto_metadata is not None or chunk.encrypted_column_metadata is not None
            for group in metadata.row_groups
            for chunk in group.columns
        )
        if metadata.encryption_algorithm is not None or encrypted:
            raise broken("an encrypted file cannot be changed without its keys", file=footer.tail.name)
        yield Opened(source, ranges, footer, metadata, paths)


def source_file(source: Any, filesystem: Any = None) -> Source:
    """Returns the file of a source; ``filesystem`` is where paths are."""
    return Source(source, None, filesystem if isinstance(source, (str, os.PathLike)) else None)


@contextmanager
def target_file(target: Any, argument: str, filesystem: Any = None) -> Iterator[Sink]:
    """Opens a sink that is committed at the end, and abandoned on an exception.

    A link's file is replaced, not the link; a local file that is replaced is on disk before the old one is gone.
    """
    replaced = False
    if isinstance(target, (str, os.PathLike)):
        target = os.fspath(target)
        if filesystem is None and "://" not in target:
            target = os.path.realpath(target)
            replaced = os.path.exists(target)
    else:
        filesystem = None
    sink = open_sink(target, filesystem=filesystem, argument=argument, sync=replaced)
    with ExitStack() as undo:
        undo.callback(sink.abort)
        yield sink
        sink.commit()
        undo.pop_all()


class Relocation:
    """A file in the making: row groups, each followed by its Bloom filters, then column indexes, offset indexes and footer.

    Attributes:
        sink: where the file goes.
        row_groups: the row groups so far, with offsets in the new file.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.row_groups: list[RowGroup] = []
        self._page_indexes: dict[str, list[_Part]] = {name: [] for name in _INDEXES[1:]}
        sink.write(MAGIC.encode())

    def reserve(self, file: Opened, columns: Sequence[int]) -> None:
        """Announces the pages of some columns of a file, which come next."""
        metas = (group.columns[column].meta_data for group in file.metadata.row_groups for column in columns)
        size = sum([meta.total_compressed_size for meta in metas if meta is not None])
        self.sink.reserve(min(size, file.left))

    def add(
        self,
        file: Opened,
        number: int,
        columns: Sequence[int],
        made: Mapping[int, Mapping[str, bytes]] = MappingProxyType({}),
        copies: Mapping[int, Sequence[PageCopy]] = MappingProxyType({}),
    ) -> RowGroup:
        """Copies the pages of some column chunks of a row group; returns the row group, changed.

        ``made``: new indexes and Bloom filters by column and name, with places as in the old file.
        ``copies``: all pages of the columns whose page headers change.

        Raises:
            DecodeError: offsets or sizes of the chunks, of their indexes or Bloom filters are wrong.
        """
        group = file.metadata.row_groups[number]
        begin = position = self.sink.position
        chunks = [file.located(number, column, group.columns[column]) for column in columns]
        group.columns = [located.chunk for located in chunks]
        indexes: dict[str, list[_Index]] = {name: [] for name in _INDEXES}
        pieces: list[bytes | tuple[int, int]] = []
        for located in chunks:
            start, end = _pages(file, located)
            new = copies.get(located.column, ()) if copies else ()
            move = Move(start, end, position, new)
            _shift(located, move)
            _find_indexes(indexes, file, located, move, made.get(located.column, _NONE) if made else _NONE)
            position += move.size
            if new:
                pieces += [piece for page in new for piece in (page.header, (page.body, page.end))]
            elif pieces and not isinstance(last := pieces[-1], bytes) and last[1] == start:
                pieces[-1] = (last[0], end)
            elif start < end:
                pieces.append((start, end))
        found = [index for each in indexes.values() for index in each if not index.data]
        for index, data in zip(found, read_spans(file.footer.tail, [index.span for index in found]), strict=True):
            index.data = data
        for index in indexes["offset_index"]:
            index.data = _shifted(index)
        for piece in pieces:
            if isinstance(piece, bytes):
                self.sink.write(piece)
            else:
                self.sink.copy(file.ranges, *piece)
        measure(group, located=chunks, begin=begin)
        self.end_group(group, {name: [(each.owner, each.data) for each in found] for name, found in indexes.items()})
        return group

    def end_group(self, group: RowGroup, parts: Mapping[str, Sequence[_Part]]) -> None:
        """Ends a row group whose pages were written: its Bloom filters follow, and its page indexes are kept.

        ``parts``: bytes by the name of the index, each with the struct that says where they are.
        """
        self._write("bloom_filter", parts.get("bloom_filter", ()))
        for name, kept in self._page_indexes.items():
            kept += parts.get(name, ())
        if group.ordinal is not None:
            ordinal = len(self.row_groups)
            group.ordinal = ordinal if ordinal <= _LARGEST_ORDINAL else None
        self.row_groups.append(group)

    def finish(self, metadata: FileMetaData) -> None:
        """Writes page indexes and the footer with the row groups that were added."""
        for name, indexes in self._page_indexes.items():
            self._write(name, indexes)
        metadata.row_groups = self.row_groups
        metadata.num_rows = total_rows(self.row_groups)
        self.sink.write(write_metadata(metadata))

    def _write(self, name: str, parts: Sequence[_Part]) -> None:
        """Writes indexes of one kind, and where they are."""
        position = self.sink.position
        offset, length = f"{name}_offset", f"{name}_length"
        for owner, data in parts:
            setattr(owner, offset, position)
            setattr(owner, length, len(data))
            position += len(data)
        self.sink.write(b"".join([data for _, data in parts]))


@dataclass(slots=True)
class _Index:
    """A Bloom filter or an index of a column chunk.

    Attributes:
        located: the column chunk.
        owner: the struct that says where it is.
        span: its offset and size in the old file.
        move: where the chunk's pages go.
        data: its bytes.
    """

    located: Located
    owner: Any
    span: tuple[int, int]
    move: Move
    data: Any = b""


def _pages(file: Opened, located: Located) -> tuple[int, int]:
    """Returns the offsets of a column chunk's pages; sizes that lack a header (`missing_bytes`) are put right."""
    start, end = page_range(located)
    if file.is_old and (missing := missing_bytes(located, file.ranges)):
        meta = located.metadata()
        end += missing
        meta.total_compressed_size += missing
        meta.total_uncompressed_size += missing
    file.claim(end - start, "pages", located)
    return start, end


def _shift(located: Located, move: Move) -> None:
    """Sets the offsets of a column chunk to those in the new file, and its sizes."""
    meta = located.metadata()
    if move.is_stretched:
        grown = move.size - (move.end - move.start)
        meta.total_compressed_size += grown
        meta.total_uncompressed_size += grown
    # Zero means that there are no such pages.
    if meta.data_page_offset:
        meta.data_page_offset = _moved(located, move, meta.data_page_offset, "data_page_offset")
    if meta.dictionary_page_offset:
        meta.dictionary_page_offset = _moved(located, move, meta.dictionary_page_offset, "dictionary_page_offset")
    if meta.index_page_offset:
        meta.index_page_offset = _moved(located, move, meta.index_page_offset, "index_page_offset")
    # The deprecated copy of the metadata that it may point to is not moved.
    located.chunk.file_offset = 0


def _moved(located: Located, move: Move, offset: int, name: str) -> int:
    if (found := move.target(offset)) is None:
        raise broken(f"{name} is outside the column chunk", file=located.file, path=located.path)
    return found


def _find_indexes(
    found: dict[str, list[_Index]],
    file: Opened,
    located: Located,
    move: Move,
    made: Mapping[str, bytes],
) -> None:
    """Appends a column chunk's Bloom filter and page indexes; those of the file without their bytes."""
    chunk, meta = located.chunk, located.metadata()
    for name, offset, length, owner in (
        ("bloom_filter", meta.bloom_filter_offset, meta.bloom_filter_length, meta),
        ("column_index", chunk.column_index_offset, chunk.column_index_length, chunk),
        ("offset_index", chunk.offset_index_offset, chunk.offset_index_length, chunk),
    ):
        if made and name in made:
            found[name].append(_Index(located, owner, (0, 0), move, made[name]))
            continue
        if offset is None:
            continue
        if length is None:
            length = _bloom_filter_size(located, offset) if name == "bloom_filter" else 0
        located.check_range(offset, length, name)
        file.claim(length, name, located)
        found[name].append(_Index(located, owner, (offset, length), move))


def measure(group: RowGroup, *, located: Sequence[Located], begin: int) -> None:
    """Sets a row group's sizes and its offset."""
    metas = [each.metadata() for each in located]
    group.total_byte_size = sum(meta.total_uncompressed_size for meta in metas)
    if group.total_compressed_size is not None:
        group.total_compressed_size = sum(meta.total_compressed_size for meta in metas)
    if not 0 <= group.total_byte_size <= _LARGEST:
        rule = "the sizes of the column chunks are negative or too large"
        raise broken(rule, file=located[0].file, path=located[0].path)
    if group.file_offset is not None:
        group.file_offset = begin


def total_rows(groups: Sequence[RowGroup]) -> int:
    """Returns the number of rows of row groups.

    Raises:
        DecodeError: they are more than a footer can say.
    """
    total = sum(group.num_rows for group in groups)
    if abs(total) > _LARGEST:
        raise broken("the row groups have too many rows", path="num_rows")
    return total


def _bloom_filter_size(located: Located, offset: int) -> int:
    """Returns the size of a Bloom filter, which older files do not say: of its header and its bitset."""
    room = max(0, min(LARGEST_HEADER, located.footer.start - offset))
    located.check_range(offset, room, "bloom_filter")
    try:
        header, size = BloomFilterHeader.read(bytes(located.footer.tail.read(offset, room)), 0)
    except DecodeError as error:
        raise relocated(error, file=located.file, path=f"{located.path}.bloom_filter", start=offset) from None
    return size + header.numBytes


def _shifted(index: _Index) -> bytes:
    """Returns the bytes of an OffsetIndex whose pages have moved."""
    try:
        decoded = OffsetIndex.from_bytes(index.data)
    except DecodeError as error:
        located = index.located
        raise relocated(error, file=located.file, path=f"{located.path}.offset_index", start=index.span[0]) from None
    for number, location in enumerate(decoded.page_locations):
        if not index.move.relocate(location):
            path = f"{index.located.path}.offset_index.page_locations[{number}]"
            raise broken("the page is outside the column chunk", file=index.located.file, path=path)
    return decoded.to_bytes()
