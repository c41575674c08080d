"""Filter of a data file's rows by its deletion vector."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..log.deletion_vectors import deleted_positions
from ..log.storage import Storage


class DeletedRows:
    """Filter of the batches of one file, which must come complete and in order.

    Args:
        storage: the table's.
        vector: the deletion vector's descriptor, as JSON.

    Raises:
        DecodeError: the vector is broken.
        OSError: its file cannot be read.
    """

    def __init__(self, storage: Storage, vector: str) -> None:
        self._positions = deleted_positions(storage, vector)
        self._start = 0

    def without(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns the next batch of the file without its deleted rows."""
        end = self._start + batch.num_rows
        low, high = np.searchsorted(self._positions, [self._start, end])
        gone = self._positions[low:high] - self._start
        self._start = end
        if not len(gone):
            return batch
        kept = np.ones(batch.num_rows, bool)
        kept[gone] = False
        return batch.filter(pa.array(kept))
