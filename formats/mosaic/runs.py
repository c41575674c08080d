"""What is decoded together: a part is a bucket of a row group of which columns are wanted, a run is some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

import pyarrow as pa

from .buckets import Numbers

#: Stored bytes that are decoded by one call of a thread, and bytes that they are inflated to.
_RUN = (192 * 1024, 512 * 1024)
#: The same of row groups that are decoded together.
_BAND = (2 * 2**20, 8 * 2**20)

Sizes: TypeAlias = tuple[int, int]


class Run(NamedTuple):
    """Some wanted buckets of some row groups.

    Attributes:
        groups: places of the row groups among those that are read.
        wanted: places of the buckets among the wanted ones.
    """

    groups: slice
    wanted: slice

    @property
    def num_groups(self) -> int:
        found: int = self.groups.stop - self.groups.start
        return found

    def parts(self) -> Iterator[tuple[int, int]]:
        """(group, wanted) of each part, row group by row group."""
        buckets = range(self.wanted.start, self.wanted.stop)
        return ((group, bucket) for group in range(self.groups.start, self.groups.stop) for bucket in buckets)


class Piece(NamedTuple):
    """Decoded columns.

    Attributes:
        wanted: the place of their bucket among the wanted ones.
        num_groups: row groups, one after the other.
        arrays: with the rows of all of them.
    """

    wanted: int
    num_groups: int
    arrays: list[pa.Array]

    def split(self, num_rows: Sequence[int]) -> Iterator[list[pa.Array]]:
        """The columns of each row group, given the rows of each."""
        if self.num_groups == 1:
            return iter([self.arrays])
        spans = pairwise(accumulate(num_rows, initial=0))
        return ([array.slice(start, end - start) for array in self.arrays] for start, end in spans)


def bands(stored: Numbers, inflated: Numbers) -> Iterator[list[Run]]:
    """Runs of all parts, by neighbouring row groups: the runs of a band have all that is wanted of its row groups.

    Small row groups share a band, so that the columns of many of them are one array.

    Args:
        stored, inflated: bytes of the parts: a row for a row group, a column for a bucket.
    """
    num_wanted = stored.shape[1]
    most = min(_BAND[0], num_wanted * _RUN[0]), min(_BAND[1], num_wanted * _RUN[1])
    for groups in _spans(_totals(stored, inflated, 1), most):
        parts = _totals(stored[groups], inflated[groups], 0)
        yield [Run(groups, wanted) for wanted in _spans(parts, _RUN)]


def _totals(stored: Numbers, inflated: Numbers, axis: int) -> list[Sizes]:
    return list(zip(stored.sum(axis).tolist(), inflated.sum(axis).tolist(), strict=True))


def _spans(sizes: Sequence[Sizes], most: Sizes) -> Iterator[slice]:
    """Neighbours that have no more together, or are alone."""
    start, stored, inflated = 0, 0, 0
    for at, (more_stored, more_inflated) in enumerate(sizes):
        stored, inflated = stored + more_stored, inflated + more_inflated
        if at > start and (stored > most[0] or inflated > most[1]):
            yield slice(start, at)
            start, stored, inflated = at, more_stored, more_inflated
    if start < len(sizes):
        yield slice(start, len(sizes))
