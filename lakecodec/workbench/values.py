"""Nodes of encoded values: the elements of a column, where each begins and ends."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ..runtime.columns import Values
from ..runtime.columns.layout import Kind, ValueLayout
from ..runtime.columns.pure_walk import walk
from .tree import Elements, Node

#: The fewest elements that are searched at a time.
_FIRST = 1024


def value_nodes(values: Values, node: Node) -> Elements:
    """Returns a node for each encoded value; its length in front belongs to it."""
    layout, offset = values.layout, node.offset - values.start

    bounds = [values.start]

    def place(index: int) -> tuple[int, int]:
        if layout.width:
            return values.start + index * layout.width, values.start + (index + 1) * layout.width
        if index + 1 >= len(bounds):
            count = min(values.count, max(_FIRST, 2 * index))
            bounds[1:] = walk(layout, values.data, values.start, values.end, count)[1]
        return bounds[index], bounds[index + 1]

    def make(index: int) -> Node:
        begin, end = place(index)
        step = f"[{index}]"
        one = Values(layout, values.data, begin, end, 1)
        return Node(
            node.tree, f"{node.path}{step}", offset + begin, end - begin, node.type, name=step,
            look=lambda: plain_values(one)[0],
        )  # fmt: skip

    return Elements(values.count, make)


def plain_values(values: Values) -> list[Any]:
    """Returns encoded values as Python values, decoded by the kernels of columns.

    Raises:
        DecodeError: the bytes break a rule of the layout.
    """
    found: list[Any] = values.to_arrow(_arrow_type(values.layout)).to_pylist()
    if values.layout.kind == Kind.INTEGER:
        return [int(each) for each in found]
    return found


def _arrow_type(layout: ValueLayout) -> pa.DataType:
    if layout.kind == Kind.NUMBER:
        if layout.number == "f":
            return {4: pa.float32(), 8: pa.float64()}[layout.width]
        signed, unsigned = (pa.int8, pa.int16, pa.int32, pa.int64), (pa.uint8, pa.uint16, pa.uint32, pa.uint64)
        makers = unsigned if layout.number == "u" else signed
        return makers[layout.width.bit_length() - 1]()
    return {
        Kind.BOOLEAN: pa.bool_(), Kind.PAIR: pa.timestamp("ns"), Kind.BYTES: pa.binary(), Kind.TEXT: pa.string(),
        Kind.INTEGER: pa.decimal128(38, 0),
    }[layout.kind]  # fmt: skip
