"""Row group index as struct of arrays: rows, offsets and sizes as int64 arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from ..generated.mosaic import Footer, Index, Value
from ..runtime.columns import ListScan, Numbers
from ..runtime.records.attributes import attributes
from .columns import Columns


@dataclass(frozen=True)
class Buckets:
    """Entries of the row group index, in file order (Mosaic design, section Row group index); all arrays are int64.

    Attributes:
        num_buckets: number of buckets of the footer; bucket ids are below it.
        num_rows: rows of each row group.
        counts: number of entries of each row group.
        bucket_ids, starts, stored, inflated: of each entry: bucket id, offset, stored bytes and uncompressed bytes.
    """

    num_buckets: int
    num_rows: Numbers
    counts: Numbers
    bucket_ids: Numbers
    starts: Numbers
    stored: Numbers
    inflated: Numbers

    @classmethod
    def read(cls, data: Any, footer: Footer, columns: Columns) -> Buckets | None:
        """Returns the entries of an index's bytes, by an offset scan; None where the records must be read instead."""

        def layouts() -> list[Any]:
            return [node.layout for node in columns.nodes(range(len(columns)))]

        found = _INDEX.read(data, {"footer": footer, "schema": columns.schema}, layouts)
        return None if found is None else cls(footer.num_buckets, **found)

    @classmethod
    def of(cls, index: Index, footer: Footer) -> Buckets:
        """Returns the entries of an index that was read as records."""
        groups = index.row_groups
        refs = list(chain.from_iterable(group.buckets for group in groups))
        numbers = (
            [group.num_rows for group in groups],
            [len(group.buckets) for group in groups],
            *(attributes(refs, name) for name in ("bucket_id", "start", "stored", "inflated")),
        )
        return cls(footer.num_buckets, *(np.array(each, np.int64) for each in numbers))

    @property
    def num_row_groups(self) -> int:
        """The number of row groups."""
        return len(self.num_rows)

    @cached_property
    def ends(self) -> Numbers:
        """The number of entries up to the end of each row group, int64."""
        return np.cumsum(self.counts)

    def of_row_group(self, number: int) -> slice:
        """Returns the slice of a row group's entries."""
        end = int(self.ends[number])
        return slice(end - int(self.counts[number]), end)

    def place(self, at: int) -> tuple[int, int]:
        """Returns (row group, index within it) of an entry."""
        row_group = int(np.searchsorted(self.ends, at, side="right"))
        return row_group, at - self.of_row_group(row_group).start

    def find(self, row_groups: Sequence[int], bucket_ids: Sequence[int]) -> tuple[Numbers, Numbers, Numbers]:
        """Returns (starts, stored, inflated) of buckets, int64 arrays of shape (row groups, buckets).

        Values are 0 where the index does not list the bucket.
        """
        wanted = np.add.outer(np.array(row_groups, np.int64) * self.num_buckets, np.array(bucket_ids, np.int64))
        if not len(self._keys):
            return np.zeros_like(wanted), np.zeros_like(wanted), np.zeros_like(wanted)
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        is_there = self._keys[at] == wanted
        at = at if self._order is None else self._order[at]
        start, stored, inflated = (
            np.where(is_there, each[at], 0) for each in (self.starts, self.stored, self.inflated)
        )
        return start, stored, inflated

    def overlapping(self) -> int | None:
        """Returns the first entry, in order of offsets, that overlaps the one before it; None if none does."""
        if bool((self.starts[1:] >= (self.starts + self.stored)[:-1]).all()):
            return None
        order = np.lexsort((self.stored, self.starts))
        order = order[self.stored[order] > 0]
        starts = self.starts[order]
        found = np.flatnonzero(starts[1:] < (starts + self.stored[order])[:-1])
        return int(order[found[0] + 1]) if len(found) else None

    @cached_property
    def _unordered(self) -> Numbers:
        """A key for each entry that orders by row group and bucket id, int64."""
        row_groups = np.repeat(np.arange(self.num_row_groups, dtype=np.int64), self.counts)
        keys: Numbers = row_groups * self.num_buckets + self.bucket_ids
        return keys

    @cached_property
    def _order(self) -> Numbers | None:
        """The entries in order of row group and bucket id; None where the index has that order."""
        keys = self._unordered
        return None if bool((keys[1:] > keys[:-1]).all()) else np.argsort(keys)

    @cached_property
    def _keys(self) -> Numbers:
        """The keys in ascending order, int64."""
        return self._unordered if self._order is None else self._unordered[self._order]


_INDEX = ListScan(
    Index,
    Value,
    {
        "num_rows": ("row_groups", "num_rows"),
        "counts": ("row_groups", "num_buckets"),
        "bucket_ids": ("row_groups", "buckets", "bucket_id"),
        "starts": ("row_groups", "buckets", "start"),
        "stored": ("row_groups", "buckets", "stored"),
        "inflated": ("row_groups", "buckets", "inflated"),
    },
)
