"""Encoding plan of one column: its layout with the sort options applied, as a tree of nodes.

Every node has the Arrow type that it encodes (``type``), the type that decoding returns (``result``: value types for
dictionaries and run-end encoded values) and the bytes of a null (``null``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import pyarrow as pa

from .order.cells import Cell

if TYPE_CHECKING:
    from .literal import Form

#: How a fixed payload is made: read in place, from bits, by reordering numbers, or by narrowing a decimal.
Load: TypeAlias = Literal["direct", "bits", "parts", "packed"]


@dataclass(frozen=True, slots=True)
class _Encoded:
    """The fields that all nodes have."""

    type: pa.DataType
    result: pa.DataType
    null: bytes


@dataclass(frozen=True, slots=True)
class FixedNode(_Encoded):
    """A fixed-width value.

    Attributes:
        cell: its cell.
        load: how the payload is made.
        parts, signed: for the load "parts": widths of the numbers in bytes, and whether they are signed.
        add: for the load "bits": number added to the bit.
        value_bits, descending, high: for the load "packed"; ``high`` is the first bit of a value that is not null.
    """

    cell: Cell
    load: Load
    parts: tuple[int, ...] = ()
    signed: bool = False
    add: int = 0
    value_bits: int = 0
    descending: bool = False
    high: int = 0


@dataclass(frozen=True, slots=True)
class ConstantNode(_Encoded):
    """A type all of whose values have the same bytes."""


@dataclass(frozen=True, slots=True)
class BytesNode(_Encoded):
    """A string or binary value in one cell; ``view`` is True for view arrays."""

    cell: Cell
    view: bool = False


@dataclass(frozen=True, slots=True)
class StructNode(_Encoded):
    """A present byte and the children in order; ``cell`` is None for the entries of a map, which have no present byte."""

    cell: Cell | None
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ArrayNode(_Encoded):
    """A fixed-size list: a present byte and ``size`` elements; with ``null_elements``, a null has null elements."""

    cell: Cell
    child: Node
    size: int
    null_elements: bool


@dataclass(frozen=True, slots=True)
class ListNode(_Encoded):
    """A list with its elements in a LIST or SEQUENCE cell; the child of a map may be a StructNode without a cell."""

    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class PackedListNode(_Encoded):
    """A list as one BLOCKS value: the elements' rows, their lengths and their number."""

    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class UnionNode(_Encoded):
    """A union: the type id in ``cell``, then the value of that child."""

    cell: Cell
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class DictionaryNode(_Encoded):
    """A dictionary, encoded by its values."""

    values: Node


@dataclass(frozen=True, slots=True)
class InternedNode(_Encoded):
    """A dictionary, encoded by order-preserving keys; ``values`` encodes the values by which keys are ordered and found."""

    cell: Cell
    present: int
    values: Node


@dataclass(frozen=True, slots=True)
class RunsNode(_Encoded):
    """A run-end encoded value: the row of the value in a BLOCKS cell that is never null."""

    cell: Cell
    child: Node


@dataclass(frozen=True, slots=True)
class LiteralNode(_Encoded):
    """A value without a kernel, which the literal interpreter encodes by its declared shape."""

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
    """Returns the direct children of a node."""
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
    """Yields a node and all nodes below it, parents first."""
    yield node
    for child in children(node):
        yield from walk(child)


def size_of(node: Node) -> int | None:
    """Returns the size of every value of a node in bytes, None if sizes differ."""
    match node:
        case FixedNode() | ConstantNode():
            return len(node.null)
        case StructNode() | DictionaryNode():
            return None if any(size_of(child) is None for child in children(node)) else len(node.null)
        case ArrayNode(null_elements=True):
            return None if size_of(node.child) is None else len(node.null)
        case _:
            return None
