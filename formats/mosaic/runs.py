"""Parts of row groups, each a bucket of which columns are wanted, cut into runs that are decoded together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import pyarrow as pa

from .buckets import Numbers


class Run(NamedTuple):
    """Parts: wanted buckets of row groups, of several row groups only where it has all wanted buckets.

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

    def split(self, num_rows: Iterable[int]) -> Iterator[list[pa.Array]]:
        """The columns of each row group, given the rows of each."""
        if self.num_groups == 1:
            return iter([self.arrays])
        spans = pairwise(accumulate(num_rows, initial=0))
        return ([array.slice(start, end - start) for array in self.arrays] for start, end in spans)


def cut(stored: Numbers, inflated: Numbers, most_stored: int, most_inflated: int) -> Iterator[Run]:
    """Runs whose bytes are about as many, by the sizes of each part: a row for a row group, a column for a bucket."""
    everything = slice(0, stored.shape[1])
    totals = list(zip(stored.sum(1).tolist(), inflated.sum(1).tolist(), strict=True))
    limits = most_stored, most_inflated
    for groups in _spans(totals, limits):
        group = groups.start
        if groups.stop - group == 1 and (totals[group][0] > most_stored or totals[group][1] > most_inflated):
            sizes = list(zip(stored[group].tolist(), inflated[group].tolist(), strict=True))
            yield from (Run(groups, wanted) for wanted in _spans(sizes, limits))
        else:
            yield Run(groups, everything)


def _spans(sizes: Sequence[tuple[int, int]], limits: tuple[int, int]) -> Iterator[slice]:
    """Neighbours that stay within the limits together, or are alone."""
    start, stored, inflated = 0, 0, 0
    for at, (more_stored, more_inflated) in enumerate(sizes):
        stored, inflated = stored + more_stored, inflated + more_inflated
        if at > start and (stored > limits[0] or inflated > limits[1]):
            yield slice(start, at)
            start, stored, inflated = at, more_stored, more_inflated
    if start < len(sizes):
        yield slice(start, len(sizes))
