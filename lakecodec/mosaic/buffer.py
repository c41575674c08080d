"""Buffer of rows that wait for their row group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import pyarrow as pa

from ..runtime.columns import CollectedColumns, encoded_sizes
from .layout import BucketPlan


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one batch as physical columns.

    Attributes:
        num_rows: number of rows.
        arrays: the physical columns of each bucket.
        nbytes: the reference writer's estimate of their size in bytes (Mosaic design, section Row groups).
        largest: upper bound, in bytes, of the block of the largest column.
    """

    num_rows: int
    arrays: list[list[pa.Array]]
    nbytes: int
    largest: int


#: An upper bound of the bytes of a block that are neither values nor null bitmap.
_BLOCK_FRAME = 64
#: Batches up to this many rows and bytes are copied: the objects of thousands of columns would take more memory.
_FEW_ROWS, _FEW_BYTES = 256, 2**24
#: The size in bytes from which no rows are added to a copy: far below the limit of one Arrow array.
_ENOUGH = 2**30


def measure(plans: Sequence[BucketPlan], num_rows: int, columns: Sequence[pa.Array]) -> Batch:
    """Returns a batch of columns in sorted order, flattened to physical columns, with its size.

    Raises:
        ColumnFailure: a nested element is null though its type allows none.
    """
    stored = [plan.flatten(columns[plan.positions.start : plan.positions.stop]) for plan in plans]
    layouts = chain.from_iterable(plan.layouts for plan in plans)
    nbytes, largest = encoded_sizes(list(layouts), list(chain.from_iterable(stored)))
    # An estimate, as in the reference writer: bytes of null bitmaps per row.
    bitmaps = sum([(len(plan.columns) + 7) // 8 for plan in plans])
    return Batch(num_rows, stored, nbytes + num_rows * bitmaps, largest + _BLOCK_FRAME)


class RowBuffer:
    """Buffer of the batches of one row group.

    Attributes:
        plans: the buckets.
        num_rows, nbytes, largest: sums of those of the batches.
    """

    def __init__(self, plans: Sequence[BucketPlan]) -> None:
        self.plans = plans
        self.clear()

    def clear(self) -> None:
        """Removes all rows."""
        self._batches: list[list[list[pa.Array]]] = []
        #: A short batch: copied if another short one follows, otherwise written as it is.
        self._first: list[Any] = []
        self._collected: CollectedColumns | None = None
        self._collected_nbytes = 0
        self._kinds: list[type] = []
        self.num_rows = 0
        self.nbytes = 0
        self.largest = 0

    def add(self, batch: Batch) -> None:
        """Appends the rows of a batch."""
        if batch.num_rows > _FEW_ROWS or batch.nbytes > _FEW_BYTES:
            self.end_run()
            self._batches.append(batch.arrays)
        else:
            self._collect(batch)
        self.num_rows += batch.num_rows
        self.nbytes += batch.nbytes
        self.largest += batch.largest

    def _collect(self, batch: Batch) -> None:
        """Copies a short batch behind the short ones before it."""
        columns = list(chain.from_iterable(batch.arrays))
        # The kinds of arrays can differ between batches: reordered and cast columns are pyarrow arrays.
        kinds = list(map(type, columns))
        if self._kinds != kinds or not self._first:
            self.end_run()
            self._first, self._kinds = columns, kinds
        else:
            if self._collected is None:
                self._collected = CollectedColumns(self._first)
            self._collected.add(columns)
        self._collected_nbytes += batch.nbytes
        if self._collected_nbytes > _ENOUGH:
            self.end_run()

    def end_run(self) -> None:
        """Ends a run of short batches; they are one from then on."""
        if self._first:
            columns = iter(self._first if self._collected is None else self._collected.columns())
            self._batches.append([list(islice(columns, len(plan.stored))) for plan in self.plans])
            self._first, self._collected, self._collected_nbytes = [], None, 0

    def columns(self, bucket: int) -> list[tuple[Any, ...]]:
        """Returns the chunks of each physical column of a bucket, given by its index in ``plans``."""
        return list(zip(*[batch[bucket] for batch in self._batches], strict=True))

    def chunks(self, positions: Sequence[int]) -> list[Sequence[pa.Array]]:
        """Returns the chunks of the columns at ascending sorted positions; nested columns have their lengths."""
        found: list[Sequence[pa.Array]] = []
        bucket = 0
        for position in positions:
            while position not in self.plans[bucket].positions:
                bucket += 1
            number = position - self.plans[bucket].positions.start
            found.append([batch[bucket][number] for batch in self._batches])
        return found
