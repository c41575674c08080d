"""Units of decoding: a part is one bucket of one row group, a run is the parts that a thread decodes together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add, gt
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from ..runtime.columns import Numbers

#: The most that is decoded by one call of a thread: stored bytes, what they inflate to, and values. Calls are larger where
#: there would be many more than `_CALLS`, a few a processor, up to `_LARGEST` times.
_RUN = (384 * 1024, 2**20, 2**21)
_CALLS, _LARGEST = 4 * (os.cpu_count() or 1), 8
#: The same of row groups that are decoded together.
_BAND = (2 * 2**20, 8 * 2**20, 2**22)

Sizes: TypeAlias = tuple[int, ...]


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
        arrays: a column each, with the rows of all these row groups; those of `Blocks.decode`, or a list.
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
    run = tuple(most * min(_LARGEST, max(1, calls // _CALLS)) for most in _RUN)
    most = tuple(min(band, num_wanted * each) for band, each in zip(_BAND, run, strict=True))
    for groups in _spans(_totals(sizes, 1), most):
        parts = _totals([each[groups] for each in sizes], 0)
        yield [Run(groups, wanted) for wanted in _spans(parts, run)]


def _totals(sizes: Sequence[Numbers], axis: int) -> list[Sizes]:
    """Returns the sums of each size along an axis, as a tuple per remaining index."""
    return list(zip(*(each.sum(axis).tolist() for each in sizes), strict=True))


def _spans(sizes: Sequence[Sizes], most: Sizes) -> Iterator[slice]:
    """Yields slices of neighbours whose sizes together exceed none of ``most``, or of one alone."""
    start = 0
    totals: Sizes = (0,) * len(most)
    for at, more in enumerate(sizes):
        totals = tuple(map(add, totals, more))
        if at > start and any(map(gt, totals, most)):
            yield slice(start, at)
            start, totals = at, more
    if start < len(sizes):
        yield slice(start, len(sizes))
