"""Decoding of nested values from row bytes, node by node over all rows at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .buffers import unpack
from .codecs import Broken
from .decode import Reader, bytes_array, make, read_fixed
from .decode_lists import in_blocks, read_list, read_packed_list, take
from .interner import Interner
from .nodes import (
    ArrayNode,
    BytesNode,
    ConstantNode,
    DictionaryNode,
    FixedNode,
    InternedNode,
    ListNode,
    LiteralNode,
    Node,
    PackedListNode,
    RunsNode,
    StructNode,
    UnionNode,
)
from .order.cells import ITEM_LEFTOVER, NULL_CHILD, SENTINEL, TYPE_ID, UNKNOWN_KEY, CellError, Column, Offsets
from .raw_values import array_of


@dataclass(slots=True)
class Decoder:
    """Decoder of columns of any type; ``interners`` belong to the converter."""

    interners: dict[int, Interner]

    def read(self, node: Node, reader: Reader) -> pa.Array:
        """Returns the next value of every row as an array of the node's result type, and moves the reader past it.

        Raises:
            CellError: a row breaks a rule.
        """
        return _READ[type(node)](node, reader, self)


def _fixed(node: FixedNode, reader: Reader, decoder: Decoder) -> pa.Array:
    return read_fixed(node, reader)


def _bytes(node: BytesNode, reader: Reader, decoder: Decoder) -> pa.Array:
    return bytes_array(node, reader.read(node.cell), len(reader))


def _constant(node: ConstantNode, reader: Reader, decoder: Decoder) -> pa.Array:
    reader.expect(node.null, np.arange(len(reader)), SENTINEL)
    reader.place = reader.place + len(node.null)
    return pa.nulls(len(reader), node.result)


def _nulls(column: Column, n: int) -> Offsets:
    """Returns the numbers of the rows that are null."""
    return np.empty(0, np.int64) if column.valid is None else np.flatnonzero(~unpack(column.valid, 0, n))


def _struct(node: StructNode, reader: Reader, decoder: Decoder) -> pa.Array:
    column = Column(np.empty(0, np.uint8))
    if node.cell is not None:
        column = reader.read(node.cell)
        reader.expect(node.null[1:], _nulls(column, len(reader)), NULL_CHILD)
    children = [decoder.read(child, reader) for child in node.children]
    return make(node.result, len(reader), column, [], children)


def _array(node: ArrayNode, reader: Reader, decoder: Decoder) -> pa.Array:
    n, size = len(reader), node.size
    column = reader.read(node.cell)
    nulls = _nulls(column, n)
    if node.null_elements:
        reader.expect(node.null[1:], nulls, NULL_CHILD)
        rows = np.arange(n)
    else:
        rows = np.setdiff1d(np.arange(n), nulls)
    elements = []
    with reader.subset(rows) as part:
        for _ in range(size):
            elements.append(decoder.read(node.child, part))
    if not size or not len(rows):
        values = pa.nulls(n * size, node.child.result)
    else:
        rank = np.zeros(n, np.int64)
        rank[rows] = np.arange(len(rows))
        values = take(pa.concat_arrays(elements), (rank[:, None] + len(rows) * np.arange(size)).reshape(-1))
    return make(node.result, n, column, [], [values])


def _union(node: UnionNode, reader: Reader, decoder: Decoder) -> pa.Array:
    n = len(reader)
    before = reader.place
    codes = reader.read(node.cell).data
    bad = ~np.isin(codes, node.type.type_codes)
    if bad.any():
        row = int(np.argmax(bad))
        raise reader.error(row, int(before[row]), TYPE_ID)
    sparse = node.type.mode == "sparse"
    offsets = np.zeros(n, np.int32)
    children = []
    for code, child in zip(node.type.type_codes, node.children, strict=True):
        rows = np.flatnonzero(codes == code)
        with reader.subset(rows) as part:
            values = decoder.read(child, part)
        if sparse:
            where = np.zeros(n, np.int64)
            where[rows] = np.arange(len(rows))
            values = take(values, where) if len(rows) else pa.nulls(n, child.result)
        offsets[rows] = np.arange(len(rows))
        children.append(values)
    buffers = [codes] if sparse else [codes, offsets]
    return make(node.result, n, None, buffers, children)


def _dictionary(node: DictionaryNode, reader: Reader, decoder: Decoder) -> pa.Array:
    return decoder.read(node.values, reader)


def _interned(node: InternedNode, reader: Reader, decoder: Decoder) -> pa.Array:
    before = reader.place
    column = reader.read(node.cell)
    assert column.offsets is not None
    n = len(reader)
    valid = np.ones(n, np.bool_) if column.valid is None else unpack(column.valid, 0, n)
    interner = decoder.interners.get(id(node), Interner())
    rows = []
    for row, (start, stop) in enumerate(zip(column.offsets[:-1], column.offsets[1:], strict=True)):
        if not valid[row]:
            rows.append(node.values.null)
            continue
        key = column.data[start:stop].tobytes()
        if key[:1] != bytes([node.present]):
            raise reader.error(row, int(before[row]), SENTINEL)
        if key[1:] not in interner.values:
            raise reader.error(row, int(before[row]) + 1, UNKNOWN_KEY)
        rows.append(interner.values[key[1:]])
    stops = np.cumsum([len(row) for row in rows]).astype(np.int64)
    starts = np.concatenate([[0], stops[:-1]]).astype(np.int64) if n else stops
    return decoder.read(node.values, Reader.over(np.frombuffer(b"".join(rows), np.uint8), starts, stops))


def _runs(node: RunsNode, reader: Reader, decoder: Decoder) -> pa.Array:
    before = reader.place
    column = reader.read(node.cell)
    assert column.offsets is not None
    inside = Reader.over(column.data, column.offsets[:-1], column.offsets[1:])
    try:
        values = decoder.read(node.child, inside)
        inside.finish(ITEM_LEFTOVER)
    except CellError as error:
        start = int(before[error.row])
        raise reader.error(error.row, start + in_blocks(node.cell, error.offset), error.rule) from None
    return values


def _literal(node: LiteralNode, reader: Reader, decoder: Decoder) -> pa.Array:
    values = []
    for row in range(len(reader)):
        place = int(reader.place[row])
        try:
            value, used = node.form.decode(reader.data[place : int(reader.ends[row])])
        except Broken as error:
            raise reader.error(row, place + error.offset, error.rule) from None
        values.append(value)
        reader.place[row] += used
    return array_of(values, node.result)


_READ: dict[type, Callable[[Any, Reader, Decoder], pa.Array]] = {
    FixedNode: _fixed,
    BytesNode: _bytes,
    ConstantNode: _constant,
    StructNode: _struct,
    ArrayNode: _array,
    ListNode: read_list,
    PackedListNode: read_packed_list,
    UnionNode: _union,
    DictionaryNode: _dictionary,
    InternedNode: _interned,
    RunsNode: _runs,
    LiteralNode: _literal,
}
