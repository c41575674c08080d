"""Schema of a file to be written, made from an Arrow schema."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any

import pyarrow as pa

from ..generated.mosaic import Column, Schema, TypeDescriptor, TypeParams
from .arrow_types import PARAMETERLESS, stored_field
from .names import choose_name_encoding
from .physical import Node, node_of


class WriterSchema:
    """Columns of a file to be written.

    Args:
        schema: the columns in the caller's order.
        num_buckets: the requested number of buckets.

    Attributes:
        arrow: the columns in the caller's order, with their stored types and without metadata.
        fields: the fields of ``arrow``.
        sorted: for each sorted position (Mosaic design, section Sorted order) the index of its column in ``fields``.
        order: for each column of ``fields`` its sorted position.
        nodes: the types in sorted order.
        num_buckets: number of buckets: as requested, at most one per column, at least 1.

    Raises:
        ValueError: a name that is empty, has a NUL character or is there twice, or a type that Mosaic cannot store.
    """

    def __init__(self, schema: pa.Schema, num_buckets: int) -> None:
        names = schema.names
        _check_names(names)
        self.fields: list[pa.Field] = list(map(stored_field, schema))
        self.arrow = pa.schema(self.fields)
        self._names = list(map(str.encode, names))
        self.sorted = sorted(range(len(names)), key=self._names.__getitem__)
        self.order = [0] * len(names)
        for position, index in enumerate(self.sorted):
            self.order[index] = position
        nodes = list(map(_node_of_type, map(_TYPE, self.fields)))
        self.nodes = list(map(nodes.__getitem__, self.sorted))
        self.num_buckets = max(1, min(num_buckets, len(names)))

    def record(self) -> Schema:
        """Returns the schema as the record of the schema block, with its choice of name encoding."""
        encoding, rules = choose_name_encoding(list(map(self._names.__getitem__, self.sorted)))
        # Columns of the same type share one description.
        types: dict[tuple[int, bool], TypeDescriptor] = {}
        columns = []
        for index, node in zip(self.sorted, self.nodes, strict=True):
            field = self.fields[index]
            key = (id(node), field.nullable)
            type = types.get(key)
            if type is None:
                type = types[key] = TypeDescriptor(nullable=int(field.nullable), params=node.params)
            columns.append(Column(name=field.name, type=type))
        return Schema(
            num_buckets=self.num_buckets, name_encoding=encoding, rules=rules, columns=columns, order=self.order
        )


_TYPE = attrgetter("type")


def _node_of_type(type: pa.DataType) -> Node:
    """Returns the node of an Arrow type, from a table of the types without parameters where possible."""
    # Hashing a type costs more than the rest, so common types are found by their ids.
    node = _BY_ID.get(type.id)
    if node is None:
        node = _node_of(type)
        if type.id in PARAMETERLESS:
            _BY_ID[type.id] = node
    return node


@lru_cache(maxsize=1024)
def _node_of(type: pa.DataType) -> Node:
    """Returns the node of an Arrow type; the most recent ones are cached."""
    params: Any = TypeParams.from_arrow(type)
    return node_of(params)


_BY_ID: dict[int, Node] = {}


def _check_names(names: list[str]) -> None:
    """Raises ValueError if a column name is empty or occurs twice."""
    seen = set()
    for name in names:
        if not name:
            raise ValueError("schema: a column has an empty name")
        if name in seen:
            raise ValueError(f"schema: duplicate column name {name!r}")
        seen.add(name)
