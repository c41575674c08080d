"""Rows that wait for their row group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from ..runtime.columns import encoded_nbytes
from .layout import BucketPlan


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of a table as they are stored.

    Attributes:
        num_rows: how many there are.
        arrays: the stored columns of each bucket.
        nbytes: what the reference writer estimates them to take.
        largest: a bound on the block of the largest of them.
    """

    num_rows: int
    arrays: list[list[pa.Array]]
    nbytes: int
    largest: int


#: A bound on what a block holds besides values and null bitmap.
_BLOCK_FRAME = 64


def measure(plans: Sequence[BucketPlan], num_rows: int, columns: Sequence[pa.Array]) -> Batch:
    """The stored form of columns that stand in the file's order."""
    stored = []
    nbytes = largest = 0
    for plan in plans:
        arrays = plan.flatten(columns[plan.positions.start : plan.positions.stop])
        stored.append(arrays)
        for node, array in zip(plan.stored, arrays, strict=True):
            length, width = len(array), node.layout.width
            size = width * (length - array.null_count) if width else encoded_nbytes(node.layout, array)
            nbytes += size
            largest = max(largest, size + length // 8)
        # As the reference estimates null bitmaps: it takes their bytes a row.
        nbytes += num_rows * ((plan.primaries + 7) // 8)
    return Batch(num_rows, stored, nbytes, largest + _BLOCK_FRAME)


class RowBuffer:
    """Batches that will be one row group.

    Attributes:
        plans: the buckets.
        columns: the chunks of each stored column, bucket by bucket.
        num_rows, nbytes, largest: those of the batches together.
    """

    def __init__(self, plans: Sequence[BucketPlan]) -> None:
        self.plans = plans
        self.clear()

    def clear(self) -> None:
        """Forgets all rows."""
        self.columns: list[list[list[pa.Array]]] = [[[] for _ in plan.stored] for plan in self.plans]
        self.num_rows = 0
        self.nbytes = 0
        self.largest = 0

    def add(self, batch: Batch) -> None:
        """Appends rows."""
        for columns, arrays in zip(self.columns, batch.arrays, strict=True):
            for chunks, array in zip(columns, arrays, strict=True):
                chunks.append(array)
        self.num_rows += batch.num_rows
        self.nbytes += batch.nbytes
        self.largest += batch.largest

    def chunks(self, positions: Sequence[int]) -> list[list[pa.Array]]:
        """What is stored of the columns at ascending positions, of nested ones the lengths."""
        found = []
        buckets = iter(zip(self.plans, self.columns, strict=True))
        plan = None
        columns: list[list[pa.Array]] = []
        for position in positions:
            while plan is None or position not in plan.positions:
                plan, columns = next(buckets)
            found.append(columns[position - plan.positions.start])
        return found
