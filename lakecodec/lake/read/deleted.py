"""Filter of a data file's rows by deletion vectors."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


class ChosenRows:
    """Filter of the batches of one file, which must come complete and in order.

    Args:
        deleted: ascending positions of rows to leave out; None for none.
        only: those of the rows that alone are wanted; None for all.
    """

    def __init__(self, deleted: NDArray[np.int64] | None, only: NDArray[np.int64] | None = None) -> None:
        self._deleted = deleted
        self._only = only
        self._start = 0

    def of(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns the wanted rows of the next batch of the file."""
        kept = np.full(batch.num_rows, self._only is None)
        if self._only is not None:
            kept[self._here(self._only, batch.num_rows)] = True
        if self._deleted is not None:
            kept[self._here(self._deleted, batch.num_rows)] = False
        self._start += batch.num_rows
        return batch if kept.all() else batch.filter(pa.array(kept))

    def _here(self, positions: NDArray[np.int64], rows: int) -> NDArray[np.int64]:
        """Returns those of the positions that are in the next rows, counted from the first of these."""
        low, high = np.searchsorted(positions, [self._start, self._start + rows])
        return positions[low:high] - self._start
