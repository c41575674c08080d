"""File tail of a Mosaic file: footer, schema block and row group index, parsed when first needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any

import pyarrow as pa

from ..generated.mosaic import BucketRef, File, Footer, Index, Schema
from ..runtime.errors import DecodeError
from ..runtime.ranges import MappedReader, RangeReader, TailCache, open_ranges
from .buckets import Buckets
from .columns import Columns
from .errors import broken, relocated
from .layout import BucketPlan, positions_of


def open_source(source: Any, *, memory_map: bool, filesystem: Any = None) -> RangeReader:
    """Returns a reader of byte ranges of a source.

    Args:
        source: a path or URL, bytes-like, a pyarrow or fsspec file, or a seekable binary file object.
        memory_map: map a local file into memory, unless it is empty.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.

    Raises:
        TypeError: ``source`` is none of these.
        OSError: the source cannot be opened.
    """
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    local = isinstance(path, str) and filesystem is None and "://" not in path
    if not (memory_map and local and os.path.isfile(path) and os.path.getsize(path)):
        return open_ranges(source, filesystem=filesystem)
    return MappedReader(path)


class Header:
    """Footer, schema block and row group index of a file; several threads may use it at once.

    Attributes:
        ranges: the reader of the file's bytes.
        footer: the footer.

    Raises:
        DecodeError: the footer breaks a rule of the format. Properties and methods raise it for the other parts.
    """

    def __init__(self, ranges: RangeReader) -> None:
        self.ranges = ranges
        self._tail = TailCache(ranges)
        #: Guards the cached file tail, which threads may extend.
        self._lock = Lock()
        self._plans: dict[int, BucketPlan] = {}
        self._file = File.open(self._tail)
        self.footer: Footer = self._located("footer")

    @cached_property
    def schema(self) -> Schema:
        """The schema block's record; its columns may be a `StructOfArrays`."""
        with self._lock:
            self._tail.extend(self.footer.schema_offset)
            block = self._located("schema", lambda file, name: file.struct_of_arrays(name, Schema, "columns"))
        schema: Schema = block.body
        return schema

    @cached_property
    def columns(self) -> Columns:
        """The columns in sorted order."""
        return Columns(self.schema)

    @cached_property
    def buckets(self) -> Buckets:
        """The entries of the row group index; DecodeError where buckets overlap."""
        schema, columns = self.schema, self.columns
        with self._lock:
            found = Buckets.read(self._tail.read(*self._located("index", File.span)), self.footer, schema, columns)
            buckets = Buckets.of(self._located("index"), self.footer) if found is None else found
        overlapping = buckets.overlapping()
        if overlapping is not None:
            path = "index.row_groups[{}].buckets[{}]".format(*buckets.place(overlapping))
            start = int(buckets.starts[overlapping])
            raise broken("the bucket overlaps another one", file=self.ranges.name, path=path, offset=start)
        return buckets

    @cached_property
    def index(self) -> Index:
        """The row group index as records."""
        _ = self.buckets
        with self._lock:
            index: Index = self._located("index")
        return index

    @cached_property
    def arrow_schema(self) -> pa.Schema:
        """The ``pyarrow.Schema`` in the original column order."""
        return self.columns.arrow_schema(self.columns.order)

    def projected(self, positions: Sequence[int]) -> pa.Schema:
        """Returns the ``pyarrow.Schema`` of the columns at some sorted positions, in the order given."""
        if positions is self.columns.order or list(positions) == list(self.columns.order):
            return self.arrow_schema
        return self.columns.arrow_schema(positions)

    def plan(self, bucket: int) -> BucketPlan:
        """Returns the columns of a bucket."""
        plan = self._plans.get(bucket)
        if plan is None:
            positions = positions_of(bucket, len(self.columns), self.footer.num_buckets)
            plan = self._plans[bucket] = BucketPlan(bucket, positions, self.columns.nodes(positions))
        return plan

    def refs(self, row_group: int) -> dict[int, BucketRef]:
        """Returns the index entries of a row group, by bucket id."""
        return {ref.bucket_id: ref for ref in self.index.row_groups[row_group].buckets}

    def _located(self, name: str, find: Callable[[File, str], Any] = getattr) -> Any:
        """Returns a part of the file's record; errors name the file."""
        try:
            return find(self._file, name)
        except DecodeError as error:
            raise relocated(error, file=self.ranges.name) from None
