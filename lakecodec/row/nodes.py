"""The plan of one column: its layout with the sort options worked in, as a tree of nodes.

Every node knows the Arrow type that it takes (``type``), the one that reading gives back (``result``: dictionary and
run-end encoded values come back as plain values) and the bytes of a null.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import pyarrow as pa

from .order.cells import Cell

if TYPE_CHECKING:
    from .literal import Form

#: How a fixed payload is made: read in place; from bits; numbers of given widths put in order; a decimal cut to size.
Load: TypeAlias = Literal["direct", "bits", "parts", "packed"]


@dataclass(frozen=True, slots=True)
class FixedNode:
    """A fixed-width value.

    ``parts`` and ``signed`` are for the load "parts", ``add`` for "bits", ``value_bits``, ``descending`` and ``high`` (the
    first bit of a value that is not null) for "packed".
    """

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    load: Load
    parts: tuple[int, ...] = ()
    signed: bool = False
    add: int = 0
    value_bits: int = 0
    descending: bool = False
    high: int = 0


@dataclass(frozen=True, slots=True)
class ConstantNode:
    """The same bytes for every value."""

    type: pa.DataType
    result: pa.DataType
    null: bytes


@dataclass(frozen=True, slots=True)
class BytesNode:
    """A string of bytes in one cell; ``view``: the array keeps its values apart."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    view: bool = False


@dataclass(frozen=True, slots=True)
class StructNode:
    """Children side by side, behind a present byte; no cell for the entries of a map."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell | None
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ArrayNode:
    """A present byte and ``size`` elements; ``null_elements``: a null has null elements."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    child: Node
    size: int
    null_elements: bool


@dataclass(frozen=True, slots=True)
class ListNode:
    """Elements one after another in a LIST or SEQUENCE cell; a map's child is a StructNode without a cell."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class PackedListNode:
    """Element rows, their lengths and their number as one BLOCKS value."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class UnionNode:
    """A type id in ``cell``, then the value of that child."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class DictionaryNode:
    """The values that keys stand for."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    values: Node


@dataclass(frozen=True, slots=True)
class InternedNode:
    """Order-preserving keys; ``values`` tells the bytes by which the converter orders and knows the values."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    present: int
    values: Node


@dataclass(frozen=True, slots=True)
class RunsNode:
    """The row of a value in a BLOCKS cell that is never null."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class LiteralNode:
    """A value that no kernel knows, coded by the steps that its shape declares."""

    type: pa.DataType
    result: pa.DataType
    null: bytes
    form: Form


Node: TypeAlias = (
    FixedNode
    | ConstantNode
    | BytesNode
    | StructNode
    | ArrayNode
    | ListNode
    | PackedListNode
    | UnionNode
    | DictionaryNode
    | InternedNode
    | RunsNode
    | LiteralNode
)


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right under a node."""
    match node:
        case StructNode() | UnionNode():
            return node.children
        case ArrayNode() | ListNode() | PackedListNode() | RunsNode():
            return (node.child,)
        case DictionaryNode() | InternedNode():
            return (node.values,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """A node and all nodes under it."""
    yield node
    for child in children(node):
        yield from walk(child)


def size_of(node: Node) -> int | None:
    """Bytes that every value of a node takes, None when they differ."""
    match node:
        case FixedNode() | ConstantNode():
            return len(node.null)
        case StructNode() | DictionaryNode():
            return None if any(size_of(child) is None for child in children(node)) else len(node.null)
        case ArrayNode(null_elements=True):
            return None if size_of(node.child) is None else len(node.null)
        case _:
            return None
