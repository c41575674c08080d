"""Units of decoding: a part is one bucket of one row group, a run is the parts that a thread decodes together."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import pyarrow as pa

from ..runtime.columns import Numbers

#: The most that one call of a thread decodes: stored bytes, inflated bytes and values. If there would be many more than
#: `_CALLS` calls, a few per processor, each call decodes up to `_LARGEST` times as much.
_RUN = (384 * 1024, 2**20, 2**21)
_CALLS, _LARGEST = 4 * (os.cpu_count() or 1), 8
#: The same limits for row groups that are decoded together.
_BAND = (2 * 2**20, 8 * 2**20, 2**22)


class Run(NamedTuple):
    """A batch of wanted buckets in neighbouring row groups.

    Attributes:
        groups: indexes of the row groups among those that are read.
        wanted: indexes of the buckets among the wanted ones.
    """

    groups: slice
    wanted: slice

    @property
    def num_groups(self) -> int:
        """The number of row groups."""
        found: int = self.groups.stop - self.groups.start
        return found

    def parts(self) -> Iterator[tuple[int, int]]:
        """Yields (row group, bucket) indexes of each part, row group by row group."""
        buckets = range(self.wanted.start, self.wanted.stop)
        return ((group, bucket) for group in range(self.groups.start, self.groups.stop) for bucket in buckets)


class Piece(NamedTuple):
    """Decoded columns of one bucket.

    Attributes:
        wanted: index of the bucket among the wanted ones.
        num_groups: number of consecutive row groups.
        arrays: one per column, with the rows of all these row groups; those of `Blocks.decode`, or a list.
    """

    wanted: int
    num_groups: int
    arrays: Sequence[pa.Array]

    def split(self, num_rows: Sequence[int]) -> Iterator[Sequence[pa.Array]]:
        """Returns an iterator over the columns of each row group, given the rows of each."""
        if self.num_groups == 1:
            return iter([self.arrays])
        spans = pairwise(accumulate(num_rows, initial=0))
        return ([array.slice(start, end - start) for array in self.arrays] for start, end in spans)


def bands(*sizes: Numbers) -> Iterator[list[Run]]:
    """Yields the runs of all parts in bands; a band has all wanted buckets of some neighbouring row groups.

    Small row groups share a band, so that the columns of many of them are one array.

    Args:
        sizes: stored bytes, inflated bytes and values of the parts, int64 of shape (row groups, buckets) each.
    """
    num_wanted = sizes[0].shape[1]
    calls = max(int(each.sum()) // most for each, most in zip(sizes, _RUN, strict=True))
    run = [most * min(_LARGEST, max(1, -(-calls // _CALLS))) for most in _RUN]
    most = [min(band, num_wanted * each) for band, each in zip(_BAND, run, strict=True)]
    for groups in _spans([each.sum(1) for each in sizes], most):
        parts = [each[groups].sum(0) for each in sizes]
        yield [Run(groups, wanted) for wanted in _spans(parts, run)]


def _spans(sizes: Sequence[Numbers], most: Sequence[int]) -> Iterator[slice]:
    """Yields slices of neighbours whose sizes together exceed none of ``most``, or of one alone."""
    ends: list[list[int]] = [each.cumsum().tolist() for each in sizes]
    start, before, count = 0, [0] * len(ends), len(ends[0])
    while start < count:
        found = [bisect_right(each, total + size, start) for each, total, size in zip(ends, before, most, strict=True)]
        stop = max(start + 1, min(found))
        yield slice(start, stop)
        start, before = stop, [each[stop - 1] for each in ends]
