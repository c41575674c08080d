"""Statistics, page indexes and Bloom filters for files whose writer left them out; pages are copied as they are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..generated.parquet import BoundaryOrder, ColumnIndex, FieldRepetitionType, OffsetIndex, PageLocation, PageType
from ..runtime.exact import exact_list
from ..runtime.ranges import RangeReader
from ..runtime.source_types import SourceLike, TargetLike
from ..runtime.urls import located
from .chunk import Located
from .leaf_types import LeafType, leaf_types
from .page_copies import PageCopy, with_checksums
from .page_values import UnlikeError, Written, written
from .pages import places
from .range_file import RangeFile
from .relocation import Relocation, opened, source_file, target_file
from .schema import choose

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The parts that `add_indexes` added.

    Attributes:
        added: (row group, column, part) of each; parts are ``statistics``, ``size_statistics``, ``column_index``,
            ``offset_index``, ``bloom_filter`` and ``checksums``.
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
    columns: Iterable[str] | None = None,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> IndexReport:
    """Writes a file with what its writer left out, so that readers can skip; returns what was added.

    Pages are copied byte for byte, their headers too unless they get checksums. pyarrow decodes one column chunk at a
    time to compute, and what is added is what pyarrow would have written for the same pages. Parts that the file has
    are kept. The target is complete or not there: an old file stays until the new one is.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        statistics: add minima, maxima and null counts of column chunks.
        page_index: add column indexes and offset indexes.
        size_statistics: add histograms of levels, and sizes of byte arrays; pages have them in their indexes.
        bloom: dotted paths of columns that get Bloom filters, sized by the distinct values of each column chunk.
        checksums: add checksums to the page headers that have none.
        columns: dotted paths of the columns that get the other parts, a group for all below it; None for all columns.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        TypeError: ``columns`` or ``bloom`` is a single str.
        KeyError: the file has no column of a name.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed (Encryption.md).
    """
    import pyarrow.parquet as pq

    source, target = located(storage_options, source, target, filesystem=filesystem)
    columns = None if columns is None else exact_list("columns", columns, "dotted paths")
    bloom = exact_list("bloom", bloom, "dotted paths")
    report = IndexReport()
    with opened(source_file(source, filesystem)) as file:
        metadata = file.metadata
        leaves = leaf_types(metadata.schema, metadata.column_orders, file.footer.tail.name)
        paths = [path for path, _ in leaves]
        chosen = set(range(len(paths)) if columns is None else choose(paths, columns))
        filtered = set(choose(paths, bloom))
        lists = [
            path
            for element, path in zip(metadata.schema[1:], file.paths[1:], strict=True)
            if element.repetition_type == FieldRepetitionType.REPEATED
        ]
        repeated = {
            column for column, path in enumerate(file.columns) if any(path[: len(above)] == above for above in lists)
        }
        with target_file(target, "target", filesystem) as sink, pq.ParquetFile(RangeFile(file.ranges)) as values:
            moved = Relocation(sink)
            moved.reserve(file, range(len(paths)))
            for number, group in enumerate(metadata.row_groups):
                made: dict[int, dict[str, bytes]] = {}
                copies: dict[int, list[PageCopy]] = {}
                for column, (path, leaf) in enumerate(leaves):
                    wanted = _Wanted(
                        statistics and column in chosen,
                        page_index and column in chosen,
                        size_statistics and column in chosen,
                        column in filtered,
                    )
                    task = _Task(
                        file.located(number, column, group.columns[column]),
                        path,
                        leaf,
                        wanted,
                        column in repeated,
                        report,
                    )
                    if task.is_needed():
                        made[column] = task.run(values, group.num_rows)
                    if checksums and column in chosen:
                        copies[column] = task.checksums(file.ranges)
                moved.add(file, number, range(len(paths)), made, copies)
            moved.finish(metadata)
    return report


@dataclass(frozen=True, slots=True)
class _Wanted:
    statistics: bool
    page_index: bool
    size_statistics: bool
    bloom: bool


@dataclass(slots=True)
class _Task:
    """One column chunk that gets parts."""

    located: Located
    path: str
    leaf: LeafType
    wanted: _Wanted
    is_repeated: bool
    report: IndexReport

    def is_needed(self) -> bool:
        """Returns True if a part is wanted that the chunk does not have."""
        chunk, wanted = self.located.chunk, self.wanted
        meta = self.located.metadata()
        return bool(
            meta.num_values
            and (
                (wanted.statistics and meta.statistics is None)
                or (wanted.size_statistics and meta.size_statistics is None)
                or (wanted.page_index and (chunk.column_index_offset is None or chunk.offset_index_offset is None))
                or (wanted.bloom and meta.bloom_filter_offset is None)
            )
        )

    def run(self, values: Any, rows: int) -> dict[str, bytes]:
        """Sets what the footer says of the chunk, and returns what stands elsewhere, by the name of the part."""
        wanted, meta = self.wanted, self.located.metadata()
        try:
            table = values.read_row_group(self.located.row_group, [self.path], use_threads=False)
            if table.num_columns != 1:
                raise UnlikeError("pyarrow reads it as several columns")
            return self._parts(table, rows, wanted, meta)
        except UnlikeError as error:
            self._skip(str(error))
            return {}

    def checksums(self, ranges: RangeReader) -> list[PageCopy]:
        """Returns the pages with checksums, none if all have one."""
        copies = with_checksums(self.located, ranges)
        if copies:
            self._note("checksums")
        return copies

    def _parts(self, table: pa.Table, rows: int, wanted: _Wanted, meta: Any) -> dict[str, bytes]:
        made: dict[str, bytes] = {}
        whole_needed = wanted.bloom or wanted.statistics or wanted.size_statistics
        if whole_needed:
            with_bloom = wanted.bloom and meta.bloom_filter_offset is None
            whole = written(table, [len(table)], self.leaf.element, self.path if with_bloom else None)
            found = whole.metas[0]
            if wanted.statistics and meta.statistics is None and found.statistics is not None:
                meta.statistics = found.statistics
                self._note("statistics")
            if wanted.size_statistics and meta.size_statistics is None and found.size_statistics is not None:
                meta.size_statistics = found.size_statistics
                self._note("size_statistics")
            if whole.bloom is not None:
                made["bloom_filter"] = whole.bloom
                self._note("bloom_filter")
        if wanted.page_index and None in (
            self.located.chunk.column_index_offset,
            self.located.chunk.offset_index_offset,
        ):
            self._index(table, rows, made)
        return made

    def _index(self, table: pa.Table, rows: int, made: dict[str, bytes]) -> None:
        pages = self._pages(rows)
        if pages is None:
            return
        starts = [page.first_row_index for page in pages]
        sizes = [end - start for start, end in zip(starts, [*starts[1:], rows], strict=True)]
        found = written(table, sizes, self.leaf.element, None)
        places = OffsetIndex(page_locations=pages)
        unencoded = [
            each.size_statistics.unencoded_byte_array_data_bytes
            for each in found.metas
            if each.size_statistics is not None
        ]
        known = [each for each in unencoded if each is not None]
        if self.wanted.size_statistics and len(known) == len(pages):
            places.unencoded_byte_array_data_bytes = known
        made["offset_index"] = places.to_bytes()
        self._note("offset_index")
        index = column_index(found, sizes, self.leaf, self.wanted.size_statistics)
        if index is None:
            self._skip("pages without a minimum or maximum have no column index")
        else:
            made["column_index"] = index.to_bytes()
            self._note("column_index")

    def _pages(self, rows: int) -> list[PageLocation] | None:
        """Returns the places of the pages, None where their rows are not known."""
        found: list[PageLocation] = []
        row = 0
        for header, start, body in places(self.located):
            if header.type == PageType.DATA_PAGE_V2 and header.data_page_header_v2 is not None:
                count = header.data_page_header_v2.num_rows
            elif header.type == PageType.DATA_PAGE and header.data_page_header is not None:
                if self.is_repeated:
                    self._skip("pages of the first version do not say where rows of lists begin")
                    return None
                count = header.data_page_header.num_values
            else:
                continue
            size = body - start + header.compressed_page_size
            found.append(PageLocation(offset=start, compressed_page_size=size, first_row_index=row))
            row += count
        if row != rows or any(one.first_row_index == two.first_row_index for one, two in itertools.pairwise(found)):
            self._skip("the rows of pages are not those of the row group")
            return None
        return found

    def _note(self, part: str) -> None:
        self.report.added.append((self.located.row_group, self.path, part))

    def _skip(self, reason: str) -> None:
        self.report.skipped.append((self.located.row_group, self.path, reason))


def column_index(found: Written, rows: list[int], leaf: LeafType, histograms: bool) -> ColumnIndex | None:
    """Returns the column index of pages, None where one has values but no minimum."""
    nulls, minima, maxima, counts = [], [], [], []
    for meta in found.metas:
        said = meta.statistics
        if said is None or said.null_count is None:
            return None
        empty = said.null_count == meta.num_values
        least, most = (b"", b"") if empty else (said.min_value, said.max_value)
        if least is None or most is None:
            return None
        nulls.append(empty)
        minima.append(least)
        maxima.append(most)
        counts.append(said.null_count)
    index = ColumnIndex(
        null_pages=nulls, min_values=minima, max_values=maxima, null_counts=counts,
        boundary_order=_order(leaf, nulls, minima, maxima),
    )  # fmt: skip
    if histograms:
        for name in ("repetition", "definition"):
            parts = [getattr(meta.size_statistics, f"{name}_level_histogram", None) for meta in found.metas]
            if all(parts):
                setattr(index, f"{name}_level_histograms", [each for part in parts for each in part or ()])
    return index


def _order(leaf: LeafType, nulls: list[bool], minima: list[Any], maxima: list[Any]) -> BoundaryOrder:
    bounds = [
        [leaf.value(raw) for raw, empty in zip(side, nulls, strict=True) if not empty] for side in (minima, maxima)
    ]
    if not bounds[0]:
        return BoundaryOrder.UNORDERED
    for order, behind in ((BoundaryOrder.ASCENDING, 1), (BoundaryOrder.DESCENDING, -1)):
        if all(one <= two for side in bounds for one, two in zip(side[::behind], side[::behind][1:], strict=False)):
            return order
    return BoundaryOrder.UNORDERED
