"""Columns of a file as struct of arrays: lists of names and types, without an object for each column; those of recent files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TypeAlias

import pyarrow as pa

from ..generated.mosaic import Column, Schema, TypeDescriptor
from ..runtime.records.attributes import attributes
from ..runtime.records.struct_of_arrays import StructOfArrays
from .layout import BucketPlan, plan_buckets, positions_of
from .physical import Node, nodes_of
from .positions import Positions

#: The key of a schema block: compression and number of buckets of the footer, and the block's bytes.
BlockKey: TypeAlias = tuple[int, int, bytes]

#: Approximate bytes that cached decoded schema blocks may take, and that a column takes besides its name.
_MOST_RECENT, _OF_A_COLUMN = 16 * 2**20, 512


class Columns:
    """Columns of a schema block, in sorted order; files with the same block may share them.

    Attributes:
        schema: the schema block's record; its columns may be a `StructOfArrays`, its order a memoryview.
        types: the type descriptor of each column; equal ones may be one object.
        order: the sorted position of each column, in the original column order.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        columns = StructOfArrays.of(schema.columns, Column)
        self._texts = columns.texts("name")
        self.types: list[TypeDescriptor] = columns.each("type")
        order: Sequence[int] | None = schema.order
        self.order: Sequence[int] = range(len(self._texts)) if order is None else order
        #: The types of all columns; None until they are needed.
        self._nodes: list[Node] | None = None
        self._plans: dict[int, BucketPlan] = {}

    def __len__(self) -> int:
        return len(self.types)

    @property
    def names(self) -> list[str]:
        """The column names."""
        return self._texts.strings

    @property
    def nbytes(self) -> int:
        """About the bytes that names, types and the tables made of them take."""
        return self._texts.nbytes + _OF_A_COLUMN * len(self)

    @cached_property
    def positions(self) -> Positions:
        """Mapping from name to sorted position."""
        return Positions(self._texts)

    @cached_property
    def required(self) -> frozenset[int]:
        """The sorted positions of the columns that are not nullable."""
        nullable = attributes(self.types, "nullable")
        return frozenset() if all(nullable) else frozenset(at for at, can_be in enumerate(nullable) if not can_be)

    def nodes(self, positions: Sequence[int]) -> list[Node]:
        """Returns the types of the columns at some sorted positions."""
        if self._nodes is None:
            if len(positions) < len(self.types):
                return nodes_of(attributes(self.types, "params", positions))
            self._nodes = nodes_of(attributes(self.types, "params"))
        if isinstance(positions, range):
            return self._nodes[positions.start : positions.stop]
        return [self._nodes[position] for position in positions]

    def plan(self, bucket: int) -> BucketPlan:
        """Returns the columns of a bucket."""
        plan = self._plans.get(bucket)
        if plan is None:
            positions = positions_of(bucket, len(self), self.schema.num_buckets)
            plan = self._plans[bucket] = BucketPlan(bucket, positions, self.nodes(positions))
        return plan

    @cached_property
    def plans(self) -> list[BucketPlan]:
        """The columns of all buckets that have any."""
        return plan_buckets(self.nodes(range(len(self))), self.schema.num_buckets)

    @cached_property
    def arrow(self) -> pa.Schema:
        """The ``pyarrow.Schema`` in the original column order."""
        return self._arrow_schema(self.order)

    def projected(self, positions: Sequence[int]) -> pa.Schema:
        """Returns the ``pyarrow.Schema`` of the columns at some sorted positions, in the order given."""
        is_whole = positions is self.order or (len(positions) == len(self) and list(positions) == list(self.order))
        return self.arrow if is_whole else self._arrow_schema(positions)

    def _arrow_schema(self, positions: Sequence[int]) -> pa.Schema:
        if len(positions) < len(self):
            types = attributes(self.nodes(positions), "type")
        else:
            types = attributes(self.nodes(range(len(self))), "type", positions)
        # Fields are nullable by default.
        nullable = [attributes(self.types, "nullable", positions)] if self.required else []
        # An iterator, not a list: each field is freed before the next one is made, which reuses its memory.
        # pyarrow accepts names as UTF-8 bytes.
        return pa.schema(map(pa.field, self._texts.utf8(positions), types, *nullable))


class RecentColumns:
    """The columns of the schema blocks that were read last: files of one table often have the same block.

    Several threads may use it at once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        #: (columns, size in bytes) by key; the most recently used is last.
        self._found: dict[BlockKey, tuple[Columns, int]] = {}

    def get(self, key: BlockKey) -> Columns | None:
        """Returns the columns of a block that was read before; None where they are not kept."""
        with self._lock:
            found = self._found.pop(key, None)
            if found is None:
                return None
            self._found[key] = found
            return found[0]

    def add(self, key: BlockKey, columns: Columns, inflated: int) -> None:
        """Keeps columns in the place of the oldest ones; ``inflated`` is the uncompressed size of their block in bytes."""
        size = len(key[-1]) + inflated + columns.nbytes
        with self._lock:
            self._found.pop(key, None)
            if size <= _MOST_RECENT:
                self._found[key] = columns, size
            while sum(each for _, each in self._found.values()) > _MOST_RECENT:
                del self._found[next(iter(self._found))]

    def clear(self) -> None:
        """Forgets all columns."""
        with self._lock:
            self._found.clear()


#: The cache of this process.
recent_columns = RecentColumns()
