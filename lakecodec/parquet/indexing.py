"""Adds statistics, page indexes and Bloom filters to files whose writer left them out. Pages are copied unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..generated.parquet import (
    ColumnIndex,
    ColumnMetaData,
    ColumnOrder,
    FileMetaData,
    OffsetIndex,
    SizeStatistics,
    Statistics,
    Type,
)
from ..runtime.exact import exact_list
from ..runtime.ranges import RangeReader
from ..runtime.source_types import SourceLike, TargetLike
from ..runtime.urls import located
from .chunk import Located
from .decoded_pages import Layout, PageRows, first_pages, first_rows, page_layout
from .filter_building import FilterBuilder, UnlikeError
from .leaf_types import LeafType, leaf_types
from .leaf_values import value_file
from .page_copies import PageCopy, with_checksums
from .page_values import LONGEST, summaries
from .plain_pages import NotPlainError, PlainPages
from .range_file import RangeFile
from .relocation import Relocation, opened, source_file, target_file
from .row_order import OrderKey, order_keys, proven_order
from .schema import Depths, choose, leaf_depths
from .summaries import Summary, boundary_order, completed, is_complete, joined_sizes, joined_statistics

#: The bytes per read of pages that are decoded.
_READ = 1 << 20
#: The number of rows whose order is checked at once.
_ORDERED_ROWS = 1 << 14


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The parts that `add_indexes` added.

    Attributes:
        added: (row group, column, part) of each; parts are ``statistics``, ``size_statistics``, ``column_index``,
            ``offset_index``, ``bloom_filter``, ``checksums`` and ``sorting_columns``.
        skipped: (row group, column, reason) of column chunks for which nothing could be computed, or not all.
    """

    added: list[tuple[int, str, str]] = field(default_factory=list)
    skipped: list[tuple[int, str, str]] = field(default_factory=list)


def add_indexes(
    source: SourceLike,
    target: TargetLike,
    *,
    statistics: bool = True,
    page_index: bool = True,
    size_statistics: bool = True,
    bloom: Iterable[str] = (),
    checksums: bool = False,
    sorted_by: Iterable[str] = (),
    columns: Iterable[str] | None = None,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> IndexReport:
    """Writes a file with the parts that its writer omitted, so that readers can skip; returns what was added.

    Pages are copied byte for byte, their headers too unless they get checksums. pyarrow decodes one page at a time to
    compute, and what is added is what pyarrow would have written for the same pages, with numbers of NaNs. Parts that the
    file has are kept, and statistics get the fields that they lack. The target is complete or not there: an old file
    stays until the new one is.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        statistics: add minima, maxima, whether they are exact, and numbers of nulls and NaNs of column chunks.
        page_index: add column indexes and offset indexes.
        size_statistics: add histograms of levels, and sizes of byte arrays; pages have them in their indexes.
        bloom: dotted paths of columns that get Bloom filters, sized by the distinct values of each column chunk.
        checksums: add checksums to the page headers that have none.
        sorted_by: dotted paths of columns, those that descend with a hyphen before them: row groups whose rows are in
            this order say so.
        columns: dotted paths of the columns that get the other parts, a group for all below it; None for all columns.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``columns``, ``bloom`` or ``sorted_by`` is a single str.
        KeyError: the file has no column of a name.
        ValueError: a column of ``sorted_by`` is in a list.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    columns = None if columns is None else exact_list("columns", columns, "dotted paths")
    bloom, sorted_by = exact_list("bloom", bloom, "dotted paths"), exact_list("sorted_by", sorted_by, "dotted paths")
    report = IndexReport()
    with opened(source_file(source, filesystem)) as file:
        metadata = file.metadata
        if metadata.column_orders is None and not _has_bounds(metadata):
            # Bounds mean nothing without an order. This file has no bounds whose meaning the order would change.
            metadata.column_orders = [ColumnOrder.TYPE_ORDER()] * len(file.columns)
        leaves = leaf_types(metadata.schema, metadata.column_orders, file.footer.tail.name)
        paths = [path for path, _ in leaves]
        chosen = set(range(len(paths)) if columns is None else choose(paths, columns))
        filtered = set(choose(paths, bloom))
        depths = leaf_depths(metadata.schema, file.paths)
        repeated = {column for column, each in enumerate(depths) if len(each) > 1}
        keys = order_keys(sorted_by, file.columns, [leaf for _, leaf in leaves], repeated)
        asked = _RequestedParts(statistics, page_index, size_statistics, checksums=checksums)
        wanted = [
            replace(asked if column in chosen else _RequestedParts(), bloom=column in filtered)
            for column in range(len(paths))
        ]
        binary = [path for path, leaf in leaves if leaf.element.type == Type.BYTE_ARRAY]
        with target_file(target, "target", filesystem) as sink, ExitStack() as files:
            values = _Values(file.ranges, metadata, binary, files)
            moved = Relocation(sink)
            moved.reserve(file, range(len(paths)))
            for number, group in enumerate(metadata.row_groups):
                made: dict[int, dict[str, bytes]] = {}
                copies: dict[int, list[PageCopy]] = {}
                for column, (path, leaf) in enumerate(leaves):
                    chunk = file.located(number, column, group.columns[column])
                    task = _Task(chunk, path, leaf, wanted[column], depths[column], report)
                    if task.is_needed():
                        made[column] = task.run(values, group.num_rows)
                    if task.wanted.checksums:
                        copies[column] = task.checksums(file.ranges)
                if keys:
                    _order(values, number, group, keys, report)
                moved.add(file, number, range(len(paths)), made, copies)
            moved.finish(metadata)
    return report


def _has_bounds(metadata: FileMetaData) -> bool:
    """Returns whether a file has bounds whose order its footer would give."""
    return any(
        chunk.column_index_offset is not None
        or (
            chunk.meta_data is not None
            and (said := chunk.meta_data.statistics) is not None
            and (said.min_value is not None or said.max_value is not None)
        )
        for group in metadata.row_groups
        for chunk in group.columns
    )


class _Values:
    """A file that pyarrow decodes, a page at a time. The places of row groups may change once they are written."""

    def __init__(self, ranges: RangeReader, metadata: FileMetaData, binary: list[str], files: ExitStack) -> None:
        self.ranges, self._metadata, self._binary, self._files = ranges, metadata, binary, files

    @cached_property
    def plain(self) -> Any:
        """The file with all values as they are."""
        return self._opened()

    @cached_property
    def dictionaries(self) -> Any:
        """The file with binary values as positions in the dictionary of their column chunk."""
        return self._opened(read_dictionary=self._binary)

    def _opened(self, **options: Any) -> Any:
        file = value_file(RangeFile(self.ranges), self._metadata, buffer_size=_READ, pre_buffer=False, **options)
        return self._files.enter_context(file)


def _order(values: _Values, number: int, group: Any, keys: list[OrderKey], report: IndexReport) -> None:
    """Sets the order of a row group's rows, if they are in it and the file names no order."""
    name = ".".join(keys[0].path)
    if group.sorting_columns is not None:
        known = [(each.column_idx, each.descending) for each in group.sorting_columns]
        if known != [(key.column, key.descending) for key in keys]:
            report.skipped.append((number, name, "the file names another order"))
        return
    batches = values.plain.iter_batches(
        _ORDERED_ROWS, row_groups=[number], columns=[".".join(key.path) for key in keys], use_threads=False
    )
    found = proven_order(batches, keys)
    if isinstance(found, str):
        report.skipped.append((number, name, found))
    else:
        group.sorting_columns = found
        report.added.append((number, name, "sorting_columns"))


@dataclass(frozen=True, slots=True)
class _RequestedParts:
    """The parts that the chunks of a column get."""

    statistics: bool = False
    page_index: bool = False
    size_statistics: bool = False
    bloom: bool = False
    checksums: bool = False


@dataclass(slots=True)
class _Task:
    """One column chunk that gets parts."""

    located: Located
    path: str
    leaf: LeafType
    wanted: _RequestedParts
    depths: Depths
    report: IndexReport

    def is_needed(self) -> bool:
        """Returns True if a part is wanted that the chunk does not have."""
        chunk, wanted = self.located.chunk, self.wanted
        meta = self.located.metadata()
        return bool(
            meta.num_values
            and (
                (wanted.statistics and not is_complete(meta.statistics, self.leaf, meta.num_values))
                or (wanted.size_statistics and self._has_sizes and meta.size_statistics is None)
                or (wanted.page_index and (chunk.column_index_offset is None or chunk.offset_index_offset is None))
                or (wanted.bloom and meta.bloom_filter_offset is None)
            )
        )

    @property
    def _has_sizes(self) -> bool:
        """True if there are levels or bytes to count."""
        return len(self.depths) > 1 or any(self.depths[0][0]) or self.leaf.element.type == Type.BYTE_ARRAY

    def run(self, values: _Values, rows: int) -> dict[str, bytes]:
        """Sets the chunk's metadata in the footer, and returns the bytes of parts outside of the footer by name."""
        wanted, meta, chunk = self.wanted, self.located.metadata(), self.located.chunk
        layout = page_layout(self.located, rows, len(self.depths) > 1)
        builder = None
        if wanted.bloom and meta.bloom_filter_offset is None:
            kind, name = Type(self.leaf.element.type or 0), self.leaf.kind[0]
            if kind in (Type.BOOLEAN, Type.INT96) or (kind == Type.BYTE_ARRAY and name == "DECIMAL"):
                self._skip(f"{name or 'columns'} of {kind.name} get no Bloom filter")
            else:
                try:
                    builder = FilterBuilder(self.leaf, layout.distinct)
                except UnlikeError as error:
                    self._skip(f"no Bloom filter: {error}")
        by_page = wanted.page_index and None in (chunk.column_index_offset, chunk.offset_index_offset)
        pages: PageRows | PlainPages | None = None
        if len(self.depths) == 1 and len(self.depths[0][0]) == 1:
            pages = PlainPages.of(
                self.located,
                layout,
                self.leaf,
                self.depths[0][0][0],
                values.ranges,
                rows,
                lambda count: self._decoded(values, first_pages(layout, count), by_page),
            )
        pages = pages or self._decoded(values, layout, by_page)
        made: dict[str, bytes] = {}
        try:
            try:
                found = summaries(self.leaf, pages, self.depths, builder)
            except NotPlainError:
                pages = self._decoded(values, layout, by_page)
                found = summaries(self.leaf, pages, self.depths, builder)
        except UnlikeError as error:
            self._skip(str(error))
            return {}
        if builder is not None:
            made["bloom_filter"] = builder.finish()
            self._note("bloom_filter")
        self._footer(meta, found)
        if by_page and pages.trouble is not None:
            self._skip(f"{pages.trouble}: no page index")
        elif by_page:
            for location, start in zip(layout.locations, pages.starts, strict=True):
                location.first_row_index = start
            self._index(OffsetIndex(page_locations=layout.locations), found, made)
        return made

    def _decoded(self, values: _Values, layout: Layout, by_page: bool) -> PageRows:
        """Returns the rows of the pages, which pyarrow decodes."""
        file = values.dictionaries if layout.is_dictionary else values.plain
        batches = file.iter_batches(
            layout.batch_rows, row_groups=[self.located.row_group], columns=[self.path], use_threads=False
        )
        return PageRows(first_rows(batches, layout.most_rows), layout if by_page else None)

    def _footer(self, meta: ColumnMetaData, pages: list[Summary]) -> None:
        """Sets the statistics of a column chunk."""
        if self.wanted.statistics:
            found = joined_statistics(self.leaf, pages)
            if found is not None:
                _without_long_bounds(found)
                whole = found if meta.statistics is None else completed(meta.statistics, found, self.leaf)
                if whole != meta.statistics:
                    meta.statistics = whole
                    self._note("statistics")
        if self.wanted.size_statistics and meta.size_statistics is None:
            meta.size_statistics = joined_sizes(pages)
            if meta.size_statistics is not None:
                self._note("size_statistics")

    def checksums(self, ranges: RangeReader) -> list[PageCopy]:
        """Returns the pages with checksums, none if all have one."""
        copies = with_checksums(self.located, ranges)
        if copies:
            self._note("checksums")
        return copies

    def _index(self, places: OffsetIndex, pages: list[Summary], made: dict[str, bytes]) -> None:
        """Adds the page indexes."""
        sizes = [(page.size_statistics or SizeStatistics()).unencoded_byte_array_data_bytes for page in pages]
        known = [each for each in sizes if each is not None]
        if self.wanted.size_statistics and len(known) == len(pages):
            places.unencoded_byte_array_data_bytes = known
        made["offset_index"] = places.to_bytes()
        self._note("offset_index")
        if not (self.leaf.is_ordered and self.leaf.has_order):
            self._skip("columns without an order have no column index")
            return
        index = column_index(pages, self.leaf, self.wanted.size_statistics)
        if index is None:
            self._skip("pages without a minimum or maximum have no column index")
        else:
            made["column_index"] = index.to_bytes()
            self._note("column_index")

    def _note(self, part: str) -> None:
        self.report.added.append((self.located.row_group, self.path, part))

    def _skip(self, reason: str) -> None:
        self.report.skipped.append((self.located.row_group, self.path, reason))


def _without_long_bounds(found: Statistics) -> None:
    if found.min_value is not None and len(found.min_value) > LONGEST:
        found.min_value = found.is_min_value_exact = None
    if found.max_value is not None and len(found.max_value) > LONGEST:
        found.max_value = found.is_max_value_exact = None


def column_index(pages: list[Summary], leaf: LeafType, histograms: bool) -> ColumnIndex | None:
    """Returns the column index of pages, None where one has values but no minimum."""
    nulls, minima, maxima, counts = [], [], [], []
    for meta in pages:
        said = meta.statistics
        if said is None or said.null_count is None:
            return None
        empty = said.null_count == meta.num_values
        least, most = (b"", b"") if empty else (said.min_value, said.max_value)
        if least is None or most is None or max(len(least), len(most)) > LONGEST:
            return None
        nulls.append(empty)
        minima.append(least)
        maxima.append(most)
        counts.append(said.null_count)
    index = ColumnIndex(
        null_pages=nulls,
        min_values=minima,
        max_values=maxima,
        null_counts=counts,
        boundary_order=boundary_order(leaf, nulls, minima, maxima),
    )
    if leaf.is_real:
        index.nan_counts = [(meta.statistics or Statistics()).nan_count or 0 for meta in pages]
    if histograms:
        for name in ("repetition", "definition"):
            parts = [getattr(meta.size_statistics, f"{name}_level_histogram", None) for meta in pages]
            if all(parts):
                setattr(index, f"{name}_level_histograms", [each for part in parts for each in part or ()])
    return index
