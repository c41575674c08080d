"""What stands at the end of a file: footer, schema and index, read when first asked for."""

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
    """A reader of a file; local files are mapped into memory if asked for."""
    path = os.fspath(source) if isinstance(source, os.PathLike) else source
    local = isinstance(path, str) and filesystem is None and "://" not in path
    if not (memory_map and local and os.path.isfile(path) and os.path.getsize(path)):
        return open_ranges(source, filesystem=filesystem)
    return MappedReader(path)


class Header:
    """Footer, schema and index of a file.

    Raises:
        DecodeError: here and from all attributes: the bytes break a rule of the format.
    """

    def __init__(self, ranges: RangeReader) -> None:
        self.ranges = ranges
        self._tail = TailCache(ranges)
        #: Threads may share a file, whose tail grows once.
        self._lock = Lock()
        self._plans: dict[int, BucketPlan] = {}
        self._file = File.open(self._tail)
        self.footer: Footer = self._located("footer")

    @cached_property
    def schema(self) -> Schema:
        """What the file says of its columns, which may be a `Transposed`."""
        with self._lock:
            self._tail.extend(self.footer.schema_offset)
            block = self._located("schema", lambda file, name: file.transposed(name, Schema, "columns"))
        schema: Schema = block.body
        return schema

    @cached_property
    def columns(self) -> Columns:
        """The columns in sorted order."""
        return Columns(self.schema)

    @cached_property
    def buckets(self) -> Buckets:
        """Where the buckets of the row groups are."""
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
        """What the file says of its row groups, as records."""
        _ = self.buckets
        with self._lock:
            index: Index = self._located("index")
        return index

    @cached_property
    def arrow_schema(self) -> pa.Schema:
        """Columns in the original order."""
        return self.columns.arrow_schema(self.columns.order)

    def projected(self, positions: Sequence[int]) -> pa.Schema:
        """The columns at sorted positions."""
        if list(positions) == list(self.columns.order):
            return self.arrow_schema
        return self.columns.arrow_schema(positions)

    def plan(self, bucket: int) -> BucketPlan:
        """The columns of a bucket."""
        plan = self._plans.get(bucket)
        if plan is None:
            positions = positions_of(bucket, len(self.columns), self.footer.num_buckets)
            plan = self._plans[bucket] = BucketPlan(bucket, positions, self.columns.nodes(positions))
        return plan

    def refs(self, row_group: int) -> dict[int, BucketRef]:
        """Where the buckets of a row group are, by number."""
        return {ref.bucket_id: ref for ref in self.index.row_groups[row_group].buckets}

    def _located(self, name: str, find: Callable[[File, str], Any] = getattr) -> Any:
        try:
            return find(self._file, name)
        except DecodeError as error:
            raise relocated(error, file=self.ranges.name) from None
