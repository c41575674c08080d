"""File tail of a Mosaic file: footer, schema block and row group index, parsed when first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from threading import Lock
from typing import Any

from ..generated.mosaic import BucketRef, File, Footer, Index, Schema
from ..runtime.errors import DecodeError
from ..runtime.ranges import RangeReader
from ..runtime.tail_cache import TailCache
from .buckets import Buckets
from .columns import Columns, recent_columns
from .errors import broken, relocated


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
        self._file = File.open(self._tail)
        self.footer: Footer = self._located("footer")

    @cached_property
    def columns(self) -> Columns:
        """The columns in sorted order; those of a file with the same schema block, where such a one was read before."""
        footer = self.footer
        with self._lock:
            self._tail.extend(footer.schema_offset)
            key = (footer.compression, footer.num_buckets, bytes(self._tail.read(*self._located("schema", File.span))))
            columns = recent_columns.get(key)
            if columns is None:
                block = self._located("schema", lambda file, name: file.struct_of_arrays(name, Schema, "columns"))
                columns = Columns(block.body)
                recent_columns.add(key, columns, block.inflated)
        return columns

    @cached_property
    def buckets(self) -> Buckets:
        """The entries of the row group index; DecodeError where buckets overlap."""
        columns = self.columns
        with self._lock:
            found = Buckets.read(self._tail.read(*self._located("index", File.span)), self.footer, columns)
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

    def refs(self, row_group: int) -> dict[int, BucketRef]:
        """Returns the index entries of a row group, by bucket id."""
        return {ref.bucket_id: ref for ref in self.index.row_groups[row_group].buckets}

    def _located(self, name: str, find: Callable[[File, str], Any] = getattr) -> Any:
        """Returns a part of the file's record; errors name the file."""
        try:
            return find(self._file, name)
        except DecodeError as error:
            raise relocated(error, file=self.ranges.name) from None
