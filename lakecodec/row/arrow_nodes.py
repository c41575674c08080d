"""Descriptions of nodes for the compiled encoder and decoder, which read and make Arrow's memory by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import pyarrow as pa

from .nodes import BytesNode, ConstantNode, DictionaryNode, FixedNode, ListNode, Node, RunsNode, StructNode
from .order.cells import Cell, Kind


class Storage(IntEnum):
    """The way in which Arrow holds the values; mirrors ``NODE_...`` of from_arrow.h."""

    NUMBER = 0
    BITS = 1
    PARTS = 2
    BYTES = 3
    VIEW = 4
    CONSTANT = 5
    STRUCT = 6
    LIST = 7
    DICTIONARY = 8
    RUNS = 9


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """One node.

    Attributes:
        kind: the way in which Arrow holds the values.
        cell: the node's own cell, if it has one.
        null: the bytes of a null.
        add: BITS: number added to the bit.
        parts, is_signed: PARTS: as ``FixedNode`` has them.
        unit: bytes of an offset (BYTES, LIST), a key (DICTIONARY) or the end of a run (RUNS).
        is_unsigned: DICTIONARY: keys have no sign.
    """

    kind: Storage
    cell: Cell | None
    null: bytes
    children: tuple[NodeSpec, ...] = ()
    add: int = 0
    parts: tuple[int, ...] = ()
    is_signed: bool = False
    unit: int = 0
    is_unsigned: bool = False


def spec_of(node: Node) -> NodeSpec | None:
    """Returns the description of a node for the compiled encoder; None where it does not encode the node."""
    kind: Any = node.type
    while isinstance(kind, pa.BaseExtensionType):
        kind = kind.storage_type
    match node:
        case FixedNode(load="direct"):
            return NodeSpec(Storage.NUMBER, node.cell, node.null)
        case FixedNode(load="bits"):
            return NodeSpec(Storage.BITS, node.cell, node.null, add=node.add)
        case FixedNode(load="parts"):
            return NodeSpec(Storage.PARTS, node.cell, node.null, parts=node.parts, is_signed=node.signed)
        case BytesNode():
            storage = Storage.VIEW if node.view else Storage.BYTES
            return NodeSpec(storage, node.cell, node.null, unit=8 if node.cell.wide else 4)
        case ConstantNode():
            return NodeSpec(Storage.CONSTANT, None, node.null)
        case StructNode():
            return _nested(Storage.STRUCT, node.cell, node, node.children)
        case ListNode() if not pa.types.is_list_view(kind) and not pa.types.is_large_list_view(kind):
            unit = 8 if pa.types.is_large_list(kind) else 4
            return _nested(Storage.LIST, node.cell, node, [node.child], unit=unit)
        case DictionaryNode():
            index = kind.index_type
            unit, unsigned = index.bit_width // 8, pa.types.is_unsigned_integer(index)
            return _nested(Storage.DICTIONARY, None, node, [node.values], unit=unit, is_unsigned=unsigned)
        case RunsNode():
            unit = kind.run_end_type.bit_width // 8
            return _nested(Storage.RUNS, node.cell, node, [node.child], unit=unit)
        case _:
            return None


def _nested(storage: Storage, cell: Cell | None, node: Node, children: Sequence[Node], **more: Any) -> NodeSpec | None:
    specs = [spec for child in children if (spec := spec_of(child)) is not None]
    return NodeSpec(storage, cell, node.null, tuple(specs), **more) if len(specs) == len(children) else None


def specs_of(nodes: Sequence[Node]) -> list[NodeSpec] | None:
    """Returns the specs of all columns, None if one of them has none."""
    specs = [spec for node in nodes if (spec := spec_of(node)) is not None]
    return specs if len(specs) == len(nodes) else None


def is_in_place(spec: NodeSpec) -> bool:
    """Returns True if values are encoded from Arrow's memory without any other."""
    return spec.kind in (Storage.NUMBER, Storage.BYTES)


def stride_of(specs: Sequence[NodeSpec]) -> int:
    """Returns the size of a row in bytes, -1 if rows differ in size."""
    total = 0
    for spec in specs:
        if spec.cell is not None:
            if spec.cell.kind is not Kind.FIXED:
                return -1
            total += spec.cell.width + (spec.cell.present >= 0)
        elif spec.kind is not Storage.STRUCT:
            return -1
        if spec.kind is Storage.STRUCT:
            inner = stride_of(spec.children)
            if inner < 0:
                return -1
            total += inner
    return total


def decodable(nodes: Sequence[Node]) -> list[NodeSpec] | None:
    """Returns the descriptions of all columns for the compiled decoder; None if it does not decode one of them."""
    specs = [spec for node in nodes if (spec := _decodable(node)) is not None]
    return specs if len(specs) == len(nodes) else None


def _decodable(node: Node) -> NodeSpec | None:
    match node:
        case DictionaryNode():
            return _decodable(node.values)
        case FixedNode() | BytesNode():
            return spec_of(node)
        case StructNode():
            inner = decodable(node.children)
        case RunsNode():
            inner = decodable([node.child])
        case ListNode(cell=Cell(kind=Kind.LIST)):
            inner = None if pa.types.is_map(node.type) else decodable([node.child])
        case _:
            return None
    spec = spec_of(node)
    if spec is None or inner is None or spec.cell is None:
        return None
    return replace(
        spec, cell=replace(spec.cell, wide=spec.unit == 8 or isinstance(node, RunsNode)), children=tuple(inner)
    )
