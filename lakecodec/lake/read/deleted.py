"""Numbers of rows in data files, and the choice of rows by deletion vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]


class RowNumbers:
    """The row numbers in the file of some row groups, in the order of reading.

    Args:
        groups: the row groups.
        rows: number of rows of each row group of the file.
    """

    def __init__(self, groups: Sequence[int], rows: Sequence[int]) -> None:
        starts = np.concatenate([[0], np.cumsum(rows)])
        parts = [np.arange(starts[group], starts[group + 1], dtype=np.int64) for group in groups]
        self._numbers: Positions = np.concatenate(parts) if parts else np.empty(0, np.int64)
        self._start = 0

    def of(self, count: int) -> Positions:
        """Returns the numbers of the next rows."""
        start, self._start = self._start, self._start + count
        return self._numbers[start : start + count]


class ChosenRows:
    """Choice of the rows of one file by deletion vectors.

    Args:
        deleted: ascending positions of rows to leave out; None for none.
        only: ascending positions of the only wanted rows; None for all.
    """

    def __init__(self, deleted: Positions | None, only: Positions | None = None) -> None:
        self._deleted = deleted
        self._only = only

    def of(self, numbers: Positions) -> NDArray[np.bool_]:
        """Returns a bool array: for ascending row numbers, whether each row is wanted."""
        kept = np.full(len(numbers), True) if self._only is None else among(numbers, self._only)
        return kept if self._deleted is None else kept & ~among(numbers, self._deleted)

    def has_rows(self, start: int, count: int) -> bool:
        """Returns False if none of the ``count`` rows from ``start`` on is among the only wanted ones."""
        if self._only is None:
            return True
        low, high = np.searchsorted(self._only, [start, start + count])
        return bool(low < high)


def among(numbers: Positions, chosen: Positions) -> NDArray[np.bool_]:
    """Returns a bool array: for numbers, whether each is in ``chosen``, which is ascending."""
    if not len(chosen):
        return np.zeros(len(numbers), np.bool_)
    places = np.minimum(np.searchsorted(chosen, numbers), len(chosen) - 1)
    found: NDArray[np.bool_] = chosen[places] == numbers
    return found
