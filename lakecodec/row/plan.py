"""From a layout, a type and sort options to a node: the step that resolves every option."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ..generated.row import Nesting
from . import shapes
from .arrow_types import type_name
from .layout import Layout
from .nodes import (
    ArrayNode,
    BytesNode,
    ConstantNode,
    DictionaryNode,
    FixedNode,
    InternedNode,
    ListNode,
    Node,
    PackedListNode,
    RunsNode,
    StructNode,
    UnionNode,
)
from .options import SortOptions
from .order.cells import Cell, Kind, Payload
from .shapes import Shape, Transform

#: Values nested deeper than this are refused, so that neither planning nor reading runs out of stack.
MAX_DEPTH = 64

_PAYLOADS: dict[tuple[Transform, ...], Payload] = {
    (): Payload.UNSIGNED,
    ("flip_sign",): Payload.SIGNED,
    ("ieee_order", "flip_sign"): Payload.FLOAT,
    ("canonical", "ieee_order", "flip_sign"): Payload.CANONICAL_FLOAT,
    ("nan_outside", "ieee_order", "flip_sign"): Payload.OUTSIDE_FLOAT,
}


@dataclass(frozen=True, slots=True)
class Planner:
    """Builds nodes for one layout and one pair of options."""

    layout: Layout
    options: SortOptions
    depth: int = 0

    @property
    def null_byte(self) -> int:
        return self.layout.null_byte(self.options)

    def inverts(self, transforms: tuple[Transform, ...]) -> bool:
        return "invert" in transforms and self.options.descending

    def nested(self, nesting: Nesting) -> Planner:
        """The planner of the values inside a value."""
        return Planner(self.layout, self.layout.inner(nesting, self.options), self.depth + 1)

    def node(self, type: pa.DataType) -> Node:
        """The node of a type; ValueError when the layout has no shape for it."""
        if isinstance(type, pa.BaseExtensionType):
            type = type.storage_type
        if self.depth > MAX_DEPTH:
            raise ValueError(f"fields: types are nested deeper than {MAX_DEPTH}")
        shape = self.layout.shape(type)
        if shape is None:
            raise ValueError(f"fields: the {self.layout.name} layout has no shape for {type}")
        node: Node = _BUILD[shape.__class__](self, type, shape)
        return node


def _fixed(plan: Planner, type: pa.DataType, shape: shapes.Fixed) -> Node:
    name = type_name(type)
    parts = shape.parts
    load, signed, add = "direct", "flip_sign" in shape.transforms, shape.add
    if name == "fixed_size_binary":
        width, payload, parts = type.byte_width, Payload.COPY, ()
    elif name == "bool":
        width, load, payload = 1, "bits", Payload.COPY
    else:
        width = sum(parts) or type.bit_width // 8
        if parts or width > 8:
            load, payload, parts = "parts", Payload.COPY, parts or (width,)
        else:
            payload = _PAYLOADS[tuple(step for step in shape.transforms if step != "invert")]
    cell = Cell(
        Kind.FIXED,
        payload=payload,
        width=width,
        present=-1 if shape.present is None else shape.present,
        null=plan.null_byte,
        invert=plan.inverts(shape.transforms),
        nan_last=not plan.options.nulls_first,
    )
    null = bytes([plan.null_byte]) + bytes(width - (shape.present is None))
    return FixedNode(type, type, null, cell, load, parts, signed, add)  # type: ignore[arg-type]


def packed_bits(precision: int) -> int:
    """Value bits of a decimal: enough for 10 ** precision."""
    return math.ceil(float(np.float32(precision) * np.log2(np.float32(10))))


def _packed_decimal(plan: Planner, type: pa.DataType, shape: shapes.PackedDecimal) -> Node:
    bits = packed_bits(type.precision)
    width = (bits + 2 + 7) // 8
    cell = Cell(Kind.FIXED, width=width, null=plan.null_byte)
    high = 0x80 if plan.options.nulls_first else 0
    null = bytes([plan.null_byte]) + bytes(width - 1)
    return FixedNode(type, type, null, cell, "packed", value_bits=bits, descending=plan.options.descending, high=high)


def _constant(plan: Planner, type: pa.DataType, shape: shapes.Constant) -> Node:
    value = bytes(byte ^ 0xFF for byte in shape.value) if plan.inverts(shape.transforms) else shape.value
    return ConstantNode(type, type, value)


def _blocks(plan: Planner, shape: shapes.Blocks, kind: Kind = Kind.BLOCKS, **more: Any) -> Cell:
    narrow = shape.widths.count(8)
    if shape.widths != (8,) * narrow + (32,):
        raise ValueError(f"blocks of {shape.widths}: the kernels write blocks of 8, then of 32")
    return Cell(
        kind,
        null=plan.null_byte,
        invert=plan.inverts(shape.transforms),
        narrow=narrow,
        empty=shape.empty,
        filled=shape.filled,
        **more,
    )


def _bytes(plan: Planner, type: pa.DataType, shape: Shape) -> Node:
    name = type_name(type)
    more: dict[str, Any] = {"text": "utf8" in name, "wide": name.startswith("large")}
    match shape:
        case shapes.Blocks():
            cell = _blocks(plan, shape, **more)
        case shapes.Terminated():
            invert = plan.inverts(shape.transforms)
            cell = Cell(Kind.TERMINATED, null=plan.null_byte, invert=invert, shift=shape.add, end=shape.end, **more)
        case shapes.Counted():
            cell = Cell(Kind.COUNTED, null=shape.null, more=shape.long, **more)
        case _:
            raise AssertionError(shape)
    return BytesNode(type, type, bytes([cell.null]), cell, view=name.endswith("view"))


def _present(plan: Planner, present: int) -> Cell:
    return Cell(Kind.FIXED, present=present, null=plan.null_byte)


def _struct(plan: Planner, type: pa.DataType, shape: shapes.Struct) -> Node:
    inner = plan.nested(shape.nesting)
    kids = tuple(inner.node(field.type) for field in _fields(type))
    result = pa.struct([field.with_type(kid.result) for field, kid in zip(_fields(type), kids, strict=True)])
    null = bytes([plan.null_byte]) + b"".join(kid.null for kid in kids)
    return StructNode(type, result, null, _present(plan, shape.present), kids)


def _fields(type: pa.DataType) -> list[pa.Field]:
    return [type.field(i) for i in range(type.num_fields)]


def _array(plan: Planner, type: pa.DataType, shape: shapes.Array) -> Node:
    child = plan.nested(shape.nesting).node(type.value_type)
    size = type.list_size
    result = pa.list_(type.value_field.with_type(child.result), size)
    null = bytes([plan.null_byte]) + (child.null * size if shape.null_elements else b"")
    return ArrayNode(type, result, null, _present(plan, shape.present), child, size, shape.null_elements)


def _list_result(type: pa.DataType, child: Node) -> pa.DataType:
    field = type.value_field.with_type(child.result)
    build: Any = {
        "list": pa.list_,
        "large_list": pa.large_list,
        "list_view": pa.list_view,
        "large_list_view": pa.large_list_view,
    }[type_name(type)]
    return build(field)


def _wrapped_list(plan: Planner, type: pa.DataType, shape: shapes.WrappedList) -> Node:
    inner = plan.nested(shape.nesting)
    cell = _blocks(plan, shape.blocks, Kind.LIST)
    null = bytes([plan.null_byte])
    if type_name(type) != "map":
        child = inner.node(type.value_type)
        return ListNode(type, _list_result(type, child), null, cell, child)
    key, item = inner.node(type.key_type), inner.node(type.item_type)
    fields = [type.key_field.with_type(key.result), type.item_field.with_type(item.result)]
    entries = StructNode(_entry_type(type), pa.struct(fields), key.null + item.null, None, (key, item))
    return ListNode(type, _map_result(type, entries), null, cell, entries)


def _entry_type(type: pa.DataType) -> pa.DataType:
    return pa.struct([type.key_field, type.item_field])


def _map_result(type: pa.DataType, entries: Node) -> pa.DataType:
    return pa.map_(entries.result.field(0), entries.result.field(1), keys_sorted=type.keys_sorted)


def _packed_list(plan: Planner, type: pa.DataType, shape: shapes.PackedList) -> Node:
    child = plan.nested(shape.nesting).node(type.value_type)
    cell = _blocks(plan, shape.blocks)
    return PackedListNode(type, _list_result(type, child), bytes([plan.null_byte]), cell, child)


def _sequence(plan: Planner, type: pa.DataType, shape: shapes.Sequence) -> Node:
    is_map = type_name(type) == "map"
    child = plan.nested(shape.nesting).node(_entry_type(type) if is_map else type.value_type)
    result = _map_result(type, child) if is_map else _list_result(type, child)
    cell = Cell(
        Kind.SEQUENCE,
        null=plan.null_byte,
        invert=plan.inverts(shape.transforms),
        more=shape.more,
        end=shape.end,
    )
    return ListNode(type, result, bytes([plan.null_byte]), cell, child)


def _union(plan: Planner, type: pa.DataType, shape: shapes.Union) -> Node:
    inner = plan.nested(shape.nesting)
    kids = tuple(inner.node(field.type) for field in _fields(type))
    if not kids:
        raise ValueError("fields: a union without children has no values")
    invert = plan.inverts(shape.transforms)
    cell = Cell(Kind.FIXED, width=1, invert=invert)
    fields = [field.with_type(kid.result) for field, kid in zip(_fields(type), kids, strict=True)]
    result = pa.union(fields, mode=type.mode, type_codes=type.type_codes)
    null = bytes([type.type_codes[0] ^ (0xFF if invert else 0)]) + kids[0].null
    return UnionNode(type, result, null, cell, kids)


def _values(plan: Planner, type: pa.DataType, shape: shapes.Values) -> Node:
    values = replace(plan, depth=plan.depth + 1).node(type.value_type)
    return DictionaryNode(type, values.result, values.null, values)


def _interned(plan: Planner, type: pa.DataType, shape: shapes.Interned) -> Node:
    values = Planner(plan.layout, SortOptions(), plan.depth + 1).node(type.value_type)
    if not isinstance(values, FixedNode | BytesNode):
        raise ValueError(f"fields: the {plan.layout.name} layout has no dictionary of {type.value_type}")
    invert = plan.inverts(shape.transforms)
    cell = Cell(Kind.TERMINATED, null=plan.null_byte, invert=invert, end=shape.end)
    return InternedNode(type, values.result, bytes([plan.null_byte]), cell, shape.present, values)


def _runs(plan: Planner, type: pa.DataType, shape: shapes.Runs) -> Node:
    child = plan.nested(shape.nesting).node(type.value_type)
    cell = replace(_blocks(plan, shape.blocks), null=-1)
    return RunsNode(type, child.result, wrap(cell, child.null), cell, child)


def wrap(cell: Cell, value: bytes) -> bytes:
    """One value in a BLOCKS cell."""
    out = bytearray([cell.filled if value else cell.empty])
    rest, block = value, 0
    while rest:
        size = 8 if block < cell.narrow else 32
        part, rest = rest[:size], rest[size:]
        out += part.ljust(size, b"\0") + bytes([0xFF if rest else len(part)])
        block += 1
    return bytes(byte ^ 0xFF for byte in out) if cell.invert else bytes(out)


_BUILD: dict[type, Any] = {
    shapes.Fixed: _fixed,
    shapes.PackedDecimal: _packed_decimal,
    shapes.Constant: _constant,
    shapes.Blocks: _bytes,
    shapes.Terminated: _bytes,
    shapes.Counted: _bytes,
    shapes.Struct: _struct,
    shapes.Array: _array,
    shapes.WrappedList: _wrapped_list,
    shapes.PackedList: _packed_list,
    shapes.Sequence: _sequence,
    shapes.Union: _union,
    shapes.Values: _values,
    shapes.Interned: _interned,
    shapes.Runs: _runs,
}


def plan(layout: Layout, type: pa.DataType, options: SortOptions) -> Node:
    """The node of one column.

    Raises:
        ValueError: the layout has no shape for the type or one inside it.
    """
    return Planner(layout, options).node(type)
