"""Schemas: from Arrow to the file's, and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa

from ..generated.mosaic import Column, Schema, TypeDescriptor, TypeParams
from .arrow_types import stored_field
from .names import choose_name_encoding
from .physical import Node, node_of


class WriterSchema:
    """The columns of a file to be written.

    Attributes:
        arrow: the columns in the caller's order, with their stored types.
        sorted: index in ``arrow`` of each column in the file's order.
        nodes: the types in the file's order.
        num_buckets: how many buckets there are.

    Raises:
        ValueError: a name that is empty or there twice, or a type that Mosaic does not have.
    """

    def __init__(self, schema: pa.Schema, num_buckets: int) -> None:
        _check_names(schema.names)
        fields = [stored_field(field) for field in schema]
        self.arrow = pa.schema(fields)
        self._names = [name.encode() for name in self.arrow.names]
        self.sorted = sorted(range(len(fields)), key=self._names.__getitem__)
        self.nodes: list[Node] = [_node_of_type(fields[index].type) for index in self.sorted]
        self.num_buckets = max(1, min(num_buckets, len(fields)))

    def position(self, name: str) -> int:
        """The place of a column in the file's order; KeyError where there is none of the name."""
        index = self.arrow.get_field_index(name)
        if index < 0:
            raise KeyError(name)
        return self.sorted.index(index)

    def record(self) -> Schema:
        """The schema as the file holds it."""
        encoding, rules = choose_name_encoding([self._names[index] for index in self.sorted])
        fields = list(self.arrow)
        columns = []
        for index, node in zip(self.sorted, self.nodes, strict=True):
            field = fields[index]
            descriptor = TypeDescriptor(nullable=int(field.nullable), params=node.params)
            columns.append(Column(name=field.name, type=descriptor))
        order = [0] * len(fields)
        for position, index in enumerate(self.sorted):
            order[index] = position
        return Schema(num_buckets=self.num_buckets, name_encoding=encoding, rules=rules, columns=columns, order=order)


def arrow_schema(schema: Schema, nodes: list[Node]) -> pa.Schema:
    """The columns of a file in their original order; ``nodes`` are their types in the file's."""
    columns = schema.columns
    fields = [
        pa.field(columns[at].name, nodes[at].type, columns[at].type.nullable != 0) for at in original_order(schema)
    ]
    return pa.schema(fields)


def original_order(schema: Schema) -> list[int]:
    """The sorted position of each column in the order in which the table had them."""
    order: list[int] | None = schema.order
    return list(range(len(schema.columns))) if order is None else order


@lru_cache(maxsize=1024)
def _node_of_type(type: pa.DataType) -> Node:
    params: Any = TypeParams.from_arrow(type)
    return node_of(params)


def _check_names(names: list[str]) -> None:
    seen = set()
    for name in names:
        if not name:
            raise ValueError("schema: a column has an empty name")
        if name in seen:
            raise ValueError(f"schema: duplicate column name {name!r}")
        seen.add(name)
