"""Joins neighbouring row groups if the pages of each column can follow each other unchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..generated.parquet import ColumnMetaData, PageHeader, PageType
from ..runtime.exact import exact_int
from ..runtime.source_types import SourceLike, TargetLike
from ..runtime.urls import located
from .chunk import Located
from .leaf_types import LeafType, leaf_types
from .merged_parts import joined_encodings, joined_geometry, joined_indexes, joined_sorting, merged_filter
from .pages import places
from .relocation import Opened, Relocation, measure, opened, source_file, target_file
from .summaries import joined_sizes, joined_statistics

_DATA = (PageType.DATA_PAGE, PageType.DATA_PAGE_V2)


@dataclass(frozen=True, slots=True)
class MergeReport:
    """The row groups that `merge_row_groups` joined, and those that it could not join.

    Attributes:
        before: the number of row groups of the source.
        after: the number of row groups of the target.
        kept: (row group, column, reason) of row groups of the source that could not be joined with the one before.
        lost: (row group, column, part) of the target: a ``bloom_filter``, ``column_index`` or ``offset_index`` that row
            groups of the source had and the joined one has not.
    """

    before: int
    after: int
    kept: list[tuple[int, str, str]] = field(default_factory=list)
    lost: list[tuple[int, str, str]] = field(default_factory=list)


def merge_row_groups(
    source: SourceLike,
    target: TargetLike,
    *,
    max_rows: int = 1 << 20,
    max_bytes: int = 128 << 20,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> MergeReport:
    """Writes a file whose small row groups are joined with their neighbours, and returns what was joined.

    Pages are copied byte for byte, and none is decoded. Row groups can be joined where each column has one codec and one
    dictionary, which is that of pages that use one; statistics, size statistics, page indexes, Bloom filters and the
    order of rows are joined too. `concat` first makes one file of many. The target is complete or not there.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        max_rows: rows of a joined row group at most.
        max_bytes: bytes of the pages of a joined row group at most, as they are stored.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``max_rows`` or ``max_bytes`` is not an int.
        ValueError: ``max_rows`` or ``max_bytes`` is not positive.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    for name, given in (("max_rows", max_rows), ("max_bytes", max_bytes)):
        if exact_int(name, given) <= 0:
            raise ValueError(f"{name}: a positive number is needed, not {given}")
    source, target = located(storage_options, source, target, filesystem=filesystem)
    with opened(source_file(source, filesystem)) as file:
        metadata = file.metadata
        leaves = leaf_types(metadata.schema, metadata.column_orders, file.footer.tail.name)
        report = MergeReport(len(metadata.row_groups), 0)
        with target_file(target, "target", filesystem) as sink:
            moved = Relocation(sink)
            moved.reserve(file, range(len(leaves)))
            run: list[_Group] = []
            for number, group in enumerate(metadata.row_groups):
                next_one = _Group(file, number, leaves)
                fits = (
                    sum(each.group.num_rows for each in run) + group.num_rows <= max_rows
                    and sum(each.size for each in run) + next_one.size <= max_bytes
                )
                reason = next_one.obstacle(run) if run and fits else None
                if reason is not None:
                    report.kept.append((number, *reason))
                if run and (not fits or reason is not None):
                    _write(moved, file, run, leaves, report)
                    run = []
                run.append(next_one)
            if run:
                _write(moved, file, run, leaves, report)
            moved.finish(metadata)
    return replace(report, after=len(metadata.row_groups))


class _Chunk:
    """The pages of a column chunk.

    Attributes:
        located: the column chunk.
        dictionary: offset and end of the dictionary page, None without one.
        values: digest of the dictionary's values; None if it is empty or there is none.
        data: offset of the first data page, and of the byte after the last.
        uncompressed: bytes of the data pages before compression, with their headers.
        dictionary_size: bytes of the dictionary page before compression, with its header.
        has_others: whether there are pages that are neither.
    """

    def __init__(self, file: Opened, located: Located) -> None:
        self.located = located
        self.dictionary: tuple[int, int] | None = None
        self.values: bytes | None = None
        self.uncompressed = self.dictionary_size = 0
        self.has_others = False
        begin = end = None
        for header, start, body in places(located):
            after = body + header.compressed_page_size
            size = body - start + header.uncompressed_page_size
            if header.type == PageType.DICTIONARY_PAGE:
                self.dictionary, self.dictionary_size = (start, after), size
                self.values = _digest(file, header, body)
            else:
                begin, end = start if begin is None else begin, after
                self.uncompressed += size
                self.has_others |= header.type not in _DATA
        after_dictionary = self.dictionary[1] if self.dictionary else 0
        self.data = (after_dictionary, after_dictionary) if begin is None or end is None else (begin, end)

    @property
    def size(self) -> int:
        """Bytes of the pages."""
        start, end = self.dictionary or (0, 0)
        return end - start + self.data[1] - self.data[0]


def _digest(file: Opened, header: PageHeader, body: int) -> bytes | None:
    """Returns a digest of the values of a dictionary page, None for one without values."""
    said = header.dictionary_page_header
    if said is None or said.num_values == 0:
        return None
    kind = f"{said.num_values} {header.uncompressed_page_size} ".encode()
    return hashlib.sha256(kind + bytes(file.ranges.read(body, header.compressed_page_size))).digest()


class _Group:
    """A row group of the source.

    Attributes:
        number: its position.
        group: its RowGroup in the footer.
        size: bytes of its pages.
    """

    def __init__(self, file: Opened, number: int, leaves: Sequence[tuple[str, LeafType]]) -> None:
        self.number = number
        self.group = file.metadata.row_groups[number]
        self._names = [path for path, _ in leaves]
        self._file = file
        self._located = [file.located(number, column, chunk) for column, chunk in enumerate(self.group.columns)]
        self.size = sum(located.metadata().total_compressed_size for located in self._located)

    @cached_property
    def chunks(self) -> list[_Chunk]:
        """The column chunks with their pages, whose headers are read."""
        return [_Chunk(self._file, located) for located in self._located]

    def obstacle(self, run: Sequence[_Group]) -> tuple[str, str] | None:
        """Returns the first column whose pages cannot stand behind those of other row groups, and why; None if all can."""
        for name, chunk, *others in zip(self._names, self.chunks, *(each.chunks for each in run), strict=True):
            if chunk.has_others or any(each.has_others for each in others):
                return name, "it has pages that are neither data nor a dictionary"
            codec = chunk.located.metadata().codec
            if any(each.located.metadata().codec != codec for each in others):
                return name, "its codecs differ"
            if len({each.values for each in (chunk, *others)} - {None}) > 1:
                return name, "its dictionaries differ"
        return None


def _write(
    moved: Relocation,
    file: Opened,
    run: Sequence[_Group],
    leaves: Sequence[tuple[str, LeafType]],
    report: MergeReport,
) -> None:
    """Writes the row groups of a run as one."""
    if len(run) == 1:
        moved.add(file, run[0].number, range(len(leaves)))
        return
    begin = moved.sink.position
    whole = run[0].group
    sorting = joined_sorting([each.group for each in run], [leaf for _, leaf in leaves])
    parts: dict[str, list[tuple[Any, bytes]]] = {"bloom_filter": [], "column_index": [], "offset_index": []}
    rows = [each.group.num_rows for each in run]
    for column, (path, leaf) in enumerate(leaves):
        lost = _join(moved, file, [each.chunks[column] for each in run], rows, leaf, parts)
        report.lost.extend((len(moved.row_groups), path, part) for part in lost)
    whole.num_rows = sum(rows)
    whole.sorting_columns = sorting
    measure(whole, located=[chunk.located for chunk in run[0].chunks], begin=begin)
    moved.end_group(whole, parts)


def _join(
    moved: Relocation,
    file: Opened,
    chunks: Sequence[_Chunk],
    rows: Sequence[int],
    leaf: LeafType,
    parts: dict[str, list[tuple[Any, bytes]]],
) -> list[str]:
    """Copies the pages of a column's chunks, and makes the metadata of the first that of all; returns the parts that are lost."""
    first = chunks[0].located
    metas = [chunk.located.metadata() for chunk in chunks]
    for each in chunks:
        file.claim(each.size, "pages", each.located)
        for length in (each.located.chunk.column_index_length, each.located.chunk.offset_index_length):
            file.claim(length or 0, "page index", each.located)
    joined, shifts = _copied(moved, file, chunks, leaf)
    bloom = merged_filter([chunk.located for chunk in chunks])
    file.claim(len(bloom or b""), "bloom_filter", first)
    column_index, offset_index = joined_indexes([chunk.located for chunk in chunks], rows, shifts, leaf)
    chunk = first.chunk
    had = {
        "bloom_filter": any(meta.bloom_filter_offset is not None for meta in metas),
        "column_index": any(each.located.chunk.column_index_offset is not None for each in chunks),
        "offset_index": any(each.located.chunk.offset_index_offset is not None for each in chunks),
    }
    chunk.meta_data, chunk.file_offset = joined, 0
    chunk.column_index_offset = chunk.column_index_length = None
    chunk.offset_index_offset = chunk.offset_index_length = None
    made: dict[str, tuple[Any, bytes | None]] = {
        "bloom_filter": (joined, bloom),
        "column_index": (chunk, None if column_index is None else column_index.to_bytes()),
        "offset_index": (chunk, None if offset_index is None else offset_index.to_bytes()),
    }
    for name, (owner, data) in made.items():
        if data is not None:
            parts[name].append((owner, data))
    return [name for name, (_, data) in made.items() if data is None and had[name]]


def _copied(
    moved: Relocation, file: Opened, chunks: Sequence[_Chunk], leaf: LeafType
) -> tuple[ColumnMetaData, list[int]]:
    """Copies the dictionary and the data pages of a column's chunks as one; returns its metadata, and how far each moved."""
    sink = moved.sink
    metas = [chunk.located.metadata() for chunk in chunks]
    dictionary = next((each for each in chunks if each.values is not None), None)
    dictionary = dictionary or next((each for each in chunks if each.dictionary is not None), None)
    begin = sink.position
    if dictionary is not None and dictionary.dictionary is not None:
        sink.copy(file.ranges, *dictionary.dictionary)
    shifts = []
    for each in chunks:
        shifts.append(sink.position - each.data[0])
        sink.copy(file.ranges, *each.data)
    joined = ColumnMetaData(
        type=metas[0].type,
        encodings=list(dict.fromkeys(encoding for meta in metas for encoding in meta.encodings)),
        path_in_schema=metas[0].path_in_schema,
        codec=metas[0].codec,
        num_values=sum(meta.num_values for meta in metas),
        total_uncompressed_size=sum(chunk.uncompressed for chunk in chunks)
        + (dictionary.dictionary_size if dictionary else 0),
        total_compressed_size=sink.position - begin,
        key_value_metadata=metas[0].key_value_metadata
        if all(meta.key_value_metadata == metas[0].key_value_metadata for meta in metas)
        else None,
        data_page_offset=chunks[0].data[0] + shifts[0],
        dictionary_page_offset=begin if dictionary is not None else None,
        statistics=joined_statistics(leaf, metas),
        encoding_stats=joined_encodings(metas),
        size_statistics=joined_sizes(metas),
        geospatial_statistics=joined_geometry(metas),
    )
    return joined, shifts
