"""Columns of a file as struct of arrays: lists of names and types, without an object for each column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import TypeVar

import pyarrow as pa

from ..generated.mosaic import Column, Schema, TypeDescriptor
from ..runtime.records.attributes import attributes
from ..runtime.records.struct_of_arrays import StructOfArrays
from .physical import Node, nodes_of
from .positions import Positions

T = TypeVar("T")


class Columns:
    """Columns of a schema block, in sorted order.

    Attributes:
        names: the column names.
        types: the type descriptor of each column; equal ones may be one object.
        order: the sorted position of each column, in the original column order.
    """

    def __init__(self, schema: Schema) -> None:
        columns = StructOfArrays.of(schema.columns, Column)
        self.names: list[str] = columns.each("name")
        self.types: list[TypeDescriptor] = columns.each("type")
        order: Sequence[int] | None = schema.order
        self.order: Sequence[int] = range(len(self.names)) if order is None else order
        #: The types of all columns, once they are needed.
        self._nodes: list[Node] | None = None

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def positions(self) -> Positions:
        """Mapping from name to sorted position."""
        return Positions(self.names)

    @cached_property
    def required(self) -> frozenset[int]:
        """The sorted positions of the columns that are not nullable."""
        nullable = attributes(self.types, "nullable")
        return frozenset() if all(nullable) else frozenset(at for at, can_be in enumerate(nullable) if not can_be)

    def nodes(self, positions: Sequence[int]) -> list[Node]:
        """Returns the types of the columns at some sorted positions."""
        if self._nodes is None:
            if len(positions) < len(self.types):
                return nodes_of(attributes(_chosen(self.types, positions), "params"))
            self._nodes = nodes_of(attributes(self.types, "params"))
        return _chosen(self._nodes, positions)

    def arrow_schema(self, positions: Sequence[int]) -> pa.Schema:
        """Returns the ``pyarrow.Schema`` of the columns at some sorted positions, in the order given."""
        names, types = _chosen(self.names, positions), [node.type for node in self.nodes(positions)]
        nullable = attributes(_chosen(self.types, positions), "nullable")
        # No list of fields: each is freed before the next one is made, which takes its memory.
        return pa.schema(map(pa.field, names, types, nullable))


def _chosen(values: list[T], positions: Sequence[int]) -> list[T]:
    """Returns the values at some positions."""
    if isinstance(positions, range):
        return values[positions.start : positions.stop]
    if len(positions) < 2:
        return [values[position] for position in positions]
    return list(itemgetter(*positions)(values))
