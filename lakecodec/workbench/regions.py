"""Parts of files that their records do not place themselves: what the metadata points to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..generated import mosaic, parquet, parquet_file
from ..runtime.errors import CodecError
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.read import Span
from .parquet_pages import page_nodes
from .records import body, located
from .tree import Node

_NUMBER = re.compile(r"\d+")
#: Bytes of a copy of a column chunk's metadata.
_MOST_COPIED = 1 << 20


@dataclass(frozen=True, slots=True)
class Region:
    """A range of a file, and the class and arguments that it is read with.

    Attributes:
        group: what it is one of, with the row group: ``chunks[0]``.
        step: its place in the group: ``[3]``.
        offset, size: its bytes in the file.
        key: what it is about, where its place in the group may change: a column's path.
    """

    group: str
    step: str
    offset: int
    size: int
    cls: Any
    arguments: tuple[Any, ...] = ()
    key: str = ""

    @property
    def path(self) -> str:
        return f"{self.group}{self.step}"


def regions_of(record: Any) -> list[Region]:
    """Returns the parts of a file that its metadata points to, by their offsets; none for formats that know of none.

    Raises:
        DecodeError: the metadata cannot be read.
    """
    maker = _MAKERS.get(type(record))
    found = [] if maker is None else list(maker(record))
    return sorted(found, key=lambda each: (each.offset, each.size))


def regions(record: Any, node: Node) -> list[Node]:
    """Returns the nodes of the parts that a file's metadata points to; none where that cannot be read."""
    try:
        found = regions_of(record)
    except CodecError:
        return []
    inside = [each for each in found if each.size and 0 <= each.offset <= each.offset + each.size <= node.size]
    return [_group(record, name, list(run), node) for name, run in groupby(inside, key=lambda each: each.group)]


def _group(record: LazyRecord, name: str, run: Sequence[Region], parent: Node) -> Node:
    """Returns the node of regions of a group that follow each other."""
    start = run[0].offset
    end = max(each.offset + each.size for each in run)

    def grow(node: Node) -> list[Node]:
        return [_node(record, each, node) for each in run]

    return Node(parent.tree, name, start, end - start, f"{run[0].cls.__name__}[{len(run)}]", name=name, grow=grow)


def _node(record: LazyRecord, region: Region, parent: Node) -> Node:
    source: Any = record._source
    cls = region.cls

    def grow(node: Node) -> Sequence[Node]:
        if cls is parquet_file.Chunk:
            group, column = (int(each) for each in _NUMBER.findall(region.path))
            return page_nodes(record, group, column, node)  # type: ignore[arg-type]
        if issubclass(cls, LazyRecord):
            part = cls.open(source, **dict(zip(cls._parameters, region.arguments, strict=True)))
            return located(part, node)
        span = Span(source.read(region.offset, region.size), base=region.offset)
        return body((cls, region.arguments, None), span, 0)(node)

    spec = cls.__spec__
    return Node(
        parent.tree, region.path, region.offset, region.size, spec.name, name=region.step, doc=spec.doc, grow=grow,
        look=None if cls is parquet_file.Chunk else lambda: region_value(record, region),
    )  # fmt: skip


def region_value(record: LazyRecord, region: Region) -> Any:
    """Returns the decoded value of a region.

    Raises:
        DecodeError: its bytes break a rule; path and offset are those of the file.
    """
    cls, source = region.cls, record._source
    assert source is not None
    try:
        if issubclass(cls, LazyRecord):
            part = cls.open(source, **dict(zip(cls._parameters, region.arguments, strict=True)))
            for name in cls._given:
                getattr(part, name)
            return part
        return cls.from_bytes(source.read(region.offset, region.size), *region.arguments)
    except CodecError as error:
        if not issubclass(cls, LazyRecord) and error.offset is not None:
            error.offset += region.offset
        error.path = f"{region.path}.{error.path}" if error.path else region.path
        raise


def _of_parquet(file: parquet_file.File) -> Iterator[Region]:
    for group, rows in enumerate(file.meta.row_groups or ()):
        for number, column in enumerate(rows.columns or ()):
            if column.file_path is None:
                yield from _of_column(column, group, f"[{number}]", file)


def _of_column(column: parquet.ColumnChunk, group: int, step: str, file: parquet_file.File) -> Iterable[Region]:
    meta = column.meta_data
    key = "" if meta is None else ".".join(meta.path_in_schema or ())
    if meta is not None and meta.total_compressed_size > 0 and column.crypto_metadata is None:
        data, dictionary = meta.data_page_offset, meta.dictionary_page_offset or 0
        # Writers store 0 for a page that is not there.
        start = dictionary if dictionary and (dictionary < data or not data) else data
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


def _of_mosaic(file: mosaic.File) -> Iterator[Region]:
    from ..mosaic.layout import plan_buckets
    from ..mosaic.physical import nodes_of

    columns = file.schema.body.columns
    nodes = nodes_of([each.type.params for each in columns])
    plans = {plan.bucket_id: plan for plan in plan_buckets(nodes, file.footer.num_buckets)}
    for group, rows in enumerate(file.index.row_groups):
        for ref in rows.buckets:
            plan = plans.get(ref.bucket_id)
            if plan is not None and ref.stored:
                arguments = (ref, file.footer.compression, plan.types, plan.primaries, rows.num_rows)
                place = ref.start, ref.stored
                yield Region(f"buckets[{group}]", f"[{ref.bucket_id}]", *place, mosaic.StoredBucket, arguments)


#: Makers of the other parts of files, by the class of the file.
_MAKERS: dict[type, Callable[[Any], Iterator[Region]]] = {
    parquet_file.File: _of_parquet,
    mosaic.File: _of_mosaic,
}
