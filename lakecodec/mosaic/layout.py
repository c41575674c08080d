"""Division of a file's columns into buckets, and of a bucket into physical columns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import pyarrow as pa

from ..generated.mosaic import TypeParams, bucket_of, first_position
from ..runtime.columns import ValueLayout, block_types
from ..runtime.errors import EncodeError
from ..runtime.records.attributes import attributes
from .errors import ColumnFailure
from .physical import Node, flatten


class BucketPlan:
    """Columns of a bucket and their physical columns (Mosaic design, section Physical columns).

    Attributes:
        bucket_id: its number.
        positions: sorted positions of its columns.
        columns: their types.
        stored: types of the physical columns: the columns, then the elements of nested ones, column by column.
    """

    def __init__(self, bucket_id: int, positions: range, columns: list[Node]) -> None:
        self.bucket_id = bucket_id
        self.positions = positions
        self.columns = self.stored = columns
        self._block_types: Any = None
        if any(attributes(columns, "children")):
            self.stored = columns + [node for column in columns for node in column.descendants()]

    @cached_property
    def types(self) -> list[TypeParams]:
        """The types of ``stored`` as the file has them."""
        return [node.params for node in self.stored]

    @cached_property
    def layouts(self) -> list[ValueLayout]:
        """The value layouts of ``stored``."""
        return [node.layout for node in self.stored]

    @property
    def primaries(self) -> int:
        """The number of physical columns that are columns of the table; they come first."""
        return len(self.columns)

    @property
    def block_types(self) -> Any:
        """`block_types` of ``stored``."""
        # No `cached_property`: it would take a lock per bucket.
        if self._block_types is None:
            self._block_types = block_types(attributes(self.stored, "plan"))
        return self._block_types

    def numbers(self, position: int) -> Sequence[int]:
        """Returns the physical columns that the column at a sorted position consists of."""
        number = position - self.positions.start
        return (number, *self._below[number]) if self.columns[number].children else (number,)

    def owner(self, number: int) -> int:
        """Returns the sorted position of the column that a physical column belongs to."""
        if number < self.primaries:
            return self.positions[number]
        return next(at for at, below in zip(self.positions, self._below, strict=True) if number in below)

    def flatten(self, columns: Sequence[pa.Array]) -> list[pa.Array]:
        """Returns the physical columns of the bucket's columns.

        Raises:
            ColumnFailure: an element is null though its type allows none.
        """
        if len(self.stored) == len(self.columns):
            return columns if isinstance(columns, list) else list(columns)
        tops, below = [], []
        for position, node, column in zip(self.positions, self.columns, columns, strict=True):
            try:
                top, *rest = flatten(node, column)
            except EncodeError as error:
                raise ColumnFailure(position, error) from None
            tops.append(top)
            below += rest
        return tops + below

    @cached_property
    def _below(self) -> list[range]:
        """The physical columns of each column's elements."""
        start = self.primaries
        found = []
        for node in self.columns:
            stop = start + sum(1 for _ in node.descendants())
            found.append(range(start, stop))
            start = stop
        return found


class Selection:
    """Columns of a bucket that are to be read.

    Attributes:
        plan: the bucket's columns.
        positions: ascending sorted positions of the wanted columns.
        groups: the physical columns of each wanted column; empty where no column of the bucket is nested.
        numbers: the physical columns of all wanted columns.
        is_nested: True if any wanted column is nested.
    """

    def __init__(self, plan: BucketPlan, positions: Sequence[int]) -> None:
        self.plan = plan
        self.positions = positions
        self.groups: list[Sequence[int]] = []
        self.numbers: Sequence[int]
        if len(plan.stored) == len(plan.columns):
            start = plan.positions.start
            whole = len(positions) == len(plan.positions)
            self.numbers = range(len(positions)) if whole else [position - start for position in positions]
        else:
            self.groups = list(map(plan.numbers, positions))
            self.numbers = [number for group in self.groups for number in group]
        self.is_nested = len(self.numbers) != len(positions)


def positions_of(bucket: int, num_columns: int, num_buckets: int) -> range:
    """Returns the sorted positions of a bucket's columns (Mosaic design, section Buckets)."""
    start = first_position(bucket, num_columns, num_buckets)
    return range(start, first_position(bucket + 1, num_columns, num_buckets))


def plan_buckets(nodes: list[Node], num_buckets: int) -> list[BucketPlan]:
    """Returns the buckets that have columns, given the types of all columns in sorted order."""
    plans = []
    at, num_columns = 0, len(nodes)
    while at < num_columns:
        bucket = bucket_of(at, num_columns, num_buckets)
        stop = first_position(bucket + 1, num_columns, num_buckets)
        plans.append(BucketPlan(bucket, range(at, stop), nodes[at:stop]))
        at = stop
    return plans


def split(positions: Sequence[int], num_columns: int, num_buckets: int) -> Iterator[tuple[int, Sequence[int]]]:
    """Yields (bucket id, positions) for ascending sorted positions."""
    at = 0
    while at < len(positions):
        bucket = bucket_of(positions[at], num_columns, num_buckets)
        stop = first_position(bucket + 1, num_columns, num_buckets)
        end = bisect_left(positions, stop, at)
        yield bucket, positions[at:end]
        at = end
