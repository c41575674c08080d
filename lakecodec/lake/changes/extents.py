"""Extents of rewritten rows in a table's columns, from which a curve finds the high bits that all rows share.

A cube of a table that grows along a column, such as a time, has a small part of that column's range. A square grid
over the cube's own rows would divide this part too finely, and the other columns too coarsely: a query for a range of
those reads a part of every cube. So the grid is that of the whole table
(docs/decisions/0017-cubes-lie-in-the-tables-grid.md).
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .cubes import FANOUT

#: Bits of a rank that may be removed: the remaining ones still order the rows.
_MOST_HALVINGS = 8

#: The lowest and highest value of a column in a file, None where unknown.
Range: TypeAlias = "tuple[Any, Any] | None"


@dataclass(frozen=True)
class Extent:
    """A file's partition, rows and ranges of values, from the log.

    Attributes:
        partition: serialized partition values.
        unit: the cube of the file, or another id for a file in no cube.
        rows: number of rows; 1 if unknown.
        ranges: one for each column of the curve.
    """

    partition: Hashable
    unit: Hashable
    rows: int
    ranges: tuple[Range, ...]


def halvings(files: Sequence[Extent], chosen: Container[int]) -> tuple[int, ...]:
    """Returns, per column of a curve, the number of halvings of the table's values that keep a rewrite's rows together.

    If rewritten cubes follow each other along a column, the table is expected to grow until there are `FANOUT` cubes of
    their union's size; that is included. The smallest number is 0, as only differences matter.

    Args:
        files: the files of the table.
        chosen: positions of the files that are rewritten.
    """
    every: dict[Hashable, list[Extent]] = {}
    mine: dict[Hashable, list[Extent]] = {}
    for number, file in enumerate(files):
        every.setdefault(file.partition, []).append(file)
        if number in chosen:
            mine.setdefault(file.partition, []).append(file)
    total: list[float] = []
    weights = []
    for partition, rewritten in mine.items():
        weights.append(sum(file.rows for file in rewritten))
        shares = [_share(every[partition], rewritten, column) for column in range(len(rewritten[0].ranges))]
        total = [old + weights[-1] * share for old, share in itertools.zip_longest(total, shares, fillvalue=0.0)]
    found = [min(round(math.log2(sum(weights) / share)), _MOST_HALVINGS) for share in total]
    return tuple(count - min(found) for count in found)


def _share(every: Sequence[Extent], mine: Sequence[Extent], column: int) -> float:
    """Returns the share of a partition's rows, now or later, in the range of ``mine`` in a column; 1 if unknown."""
    if any(file.ranges[column] is None for file in every):
        return 1.0
    units: dict[Hashable, list[Extent]] = {}
    for file in mine:
        units.setdefault(file.unit, []).append(file)
    spans = [(*_union(files, column), sum(file.rows for file in files)) for files in units.values()]
    rows = sum(file.rows for file in mine)
    beside = _Overlap(spans)
    grown = sum(size * beside.rows(low, high) for low, high, size in spans) / rows / rows
    low, high = _union(mine, column)
    now = _Overlap((*_union([file], column), file.rows) for file in every).rows(low, high)
    return min(now / sum(file.rows for file in every), max(grown, 1 / FANOUT))


def _union(files: Iterable[Extent], column: int) -> tuple[Any, Any]:
    ranges = [found for file in files if (found := file.ranges[column]) is not None]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


class _Overlap:
    """A counter of rows in ranges (low, high, rows) that overlap another range."""

    def __init__(self, spans: Iterable[tuple[Any, Any, int]]) -> None:
        found = list(spans)
        self._lows, self._from_low = _cumulated((low, rows) for low, _, rows in found)
        self._highs, self._to_high = _cumulated((high, rows) for _, high, rows in found)

    def rows(self, low: Any, high: Any) -> int:
        return self._from_low[bisect_right(self._lows, high)] - self._to_high[bisect_left(self._highs, low)]


def _cumulated(values: Iterable[tuple[Any, int]]) -> tuple[list[Any], list[int]]:
    """Returns the sorted values, and the cumulated rows before each of them and after the last."""
    ordered = sorted(values, key=lambda item: item[0])
    return [value for value, _ in ordered], [0, *itertools.accumulate(rows for _, rows in ordered)]
