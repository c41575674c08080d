"""Nested values from row bytes, node by node over all rows at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ..runtime.order.cells import (
    ITEM_LEFTOVER,
    LENGTH_TABLE,
    LIST_ITEMS,
    NULL_CHILD,
    SENTINEL,
    TRUNCATED,
    TYPE_ID,
    UNKNOWN_KEY,
    Bytes,
    Cell,
    CellError,
    Column,
    Kind,
    Offsets,
)
from ..runtime.order.pure_write import blocks_length
from ..runtime.order.ragged import steps
from .buffers import unpack
from .decode import Reader, bytes_array, make, read_fixed
from .interner import Interner
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

Interners = dict[int, Interner]


def read_node(node: Node, reader: Reader, interners: Interners) -> pa.Array:
    """The next value of every row as an array of the node's result type; the reader moves on.

    Raises:
        CellError: bytes that break a rule.
    """
    return _READ[type(node)](node, reader, interners)


def _fixed(node: FixedNode, reader: Reader, interners: Interners) -> pa.Array:
    return read_fixed(node, reader)


def _bytes(node: BytesNode, reader: Reader, interners: Interners) -> pa.Array:
    return bytes_array(node, reader.read(node.cell), len(reader))


def _constant(node: ConstantNode, reader: Reader, interners: Interners) -> pa.Array:
    reader.expect(node.null, np.arange(len(reader)), SENTINEL)
    reader.place = reader.place + len(node.null)
    return pa.nulls(len(reader), node.result)


def _nulls(column: Column, n: int) -> Offsets:
    """Rows that are null."""
    return np.empty(0, np.int64) if column.valid is None else np.flatnonzero(~unpack(column.valid, 0, n))


def _struct(node: StructNode, reader: Reader, interners: Interners) -> pa.Array:
    column = Column(np.empty(0, np.uint8))
    if node.cell is not None:
        column = reader.read(node.cell)
        reader.expect(node.null[1:], _nulls(column, len(reader)), NULL_CHILD)
    children = [read_node(child, reader, interners) for child in node.children]
    return make(node.result, len(reader), column, [], children)


def _array(node: ArrayNode, reader: Reader, interners: Interners) -> pa.Array:
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
            elements.append(read_node(node.child, part, interners))
    if not size or not len(rows):
        values = pa.nulls(n * size, node.child.result)
    else:
        rank = np.zeros(n, np.int64)
        rank[rows] = np.arange(len(rows))
        values = _take(pa.concat_arrays(elements), (rank[:, None] + len(rows) * np.arange(size)).reshape(-1))
    return make(node.result, n, column, [], [values])


def _list(node: ListNode, reader: Reader, interners: Interners) -> pa.Array:
    if node.cell.kind == Kind.SEQUENCE:
        return _sequence(node, reader, interners)
    before = reader.place
    column = reader.read(node.cell)
    assert column.items is not None
    assert column.offsets is not None
    items = Reader.over(column.data, column.items[:-1], column.items[1:])
    try:
        child = read_node(node.child, items, interners)
        items.finish(ITEM_LEFTOVER)
    except CellError as error:
        row = int(np.searchsorted(column.offsets, error.row, side="right")) - 1
        earlier = np.diff(column.items[column.offsets[row] : error.row + 1])
        start = int(before[row]) + int(blocks_length(earlier, node.cell.narrow).sum())
        raise reader.error(row, start + _in_blocks(node.cell, error.offset), error.rule) from None
    return _list_array(node, column, child)


def _in_blocks(cell: Cell, offset: int) -> int:
    """Where a byte of a value lies in its blocks, counted from the filled byte."""
    beyond = offset - 8 * cell.narrow
    return 1 + (offset + offset // 8 if beyond < 0 else 9 * cell.narrow + beyond + beyond // 32)


def _list_array(node: ListNode | PackedListNode, column: Column, child: pa.Array) -> pa.Array:
    offsets: Any = column.offsets
    kind = node.result
    large = pa.types.is_large_list(kind) or pa.types.is_large_list_view(kind)
    if not large and offsets[-1] > np.iinfo(np.int32).max:
        raise OverflowError("more elements than 32-bit offsets hold")
    offsets = offsets.astype(np.int64 if large else np.int32, copy=False)
    n = len(offsets) - 1
    if pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
        return make(kind, n, column, [offsets[:-1], np.diff(offsets)], [child])
    return make(kind, n, column, [offsets], [child])


def _sequence(node: ListNode, reader: Reader, interners: Interners) -> pa.Array:
    """Elements have no lengths: all rows' first elements are read together, then all second ones, and so on."""
    n = len(reader)
    mask = 0xFF if node.cell.invert else 0
    marks = _next_byte(reader, np.arange(n))
    valid = marks != node.cell.null
    going = np.flatnonzero(valid)
    reader.place[~valid] += 1
    rounds: list[Offsets] = []
    elements: list[pa.Array] = []
    while len(going):
        marks = _next_byte(reader, going)
        more = marks == node.cell.more ^ mask
        bad = ~more & (marks != node.cell.end ^ mask)
        if bad.any():
            row = int(going[np.argmax(bad)])
            raise reader.error(row, int(reader.place[row]), LIST_ITEMS)
        reader.place[going] += 1
        going = going[more]
        if not len(going):
            break
        with reader.subset(going) as part:
            elements.append(read_node(node.child, part, interners))
        rounds.append(going)
    owners = np.concatenate(rounds) if rounds else np.empty(0, np.int64)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(owners, minlength=n))]).astype(np.int64)
    child = pa.nulls(0, node.child.result)
    if elements:
        child = _take(pa.concat_arrays(elements), np.argsort(owners, kind="stable"))
    column = Column(np.empty(0, np.uint8), offsets, nulls=int(n - valid.sum()))
    column.valid = np.packbits(valid, bitorder="little") if column.nulls else None
    return _list_array(node, column, child)


def _next_byte(reader: Reader, rows: Offsets) -> Bytes:
    at = reader.place[rows]
    short = at >= reader.ends[rows]
    if short.any():
        row = int(rows[np.argmax(short)])
        raise reader.error(row, int(reader.place[row]), TRUNCATED)
    return reader.data[at]


def _take(array: pa.Array, indices: Offsets) -> pa.Array:
    if len(indices) == len(array) and (indices == np.arange(len(indices))).all():
        return array
    if pa.types.is_string_view(array.type) or pa.types.is_binary_view(array.type):
        plain = pa.large_string() if pa.types.is_string_view(array.type) else pa.large_binary()
        return array.cast(plain).take(pa.array(indices)).cast(array.type)
    try:
        return array.take(pa.array(indices))
    except pa.ArrowNotImplementedError:
        # Views inside other types: pyarrow does not take them, but joins slices of them.
        return pa.concat_arrays([array.slice(i, 1) for i in indices.tolist()])


def _packed_list(node: PackedListNode, reader: Reader, interners: Interners) -> pa.Array:
    before = reader.place
    column = reader.read(node.cell)
    assert column.offsets is not None
    starts, ends = column.offsets[:-1], column.offsets[1:]
    filled = np.flatnonzero(ends > starts)
    count = np.zeros(len(reader), np.int64)
    bad = ends[filled] - starts[filled] < 4
    if not bad.any():
        count[filled] = _u32(column.data, ends[filled] - 4)
        bad = (count[filled] == 0) | (4 * count[filled] + 4 > ends[filled] - starts[filled])
    if not bad.any():
        owner, place = steps(count)
        table = ends[owner] - 4 - 4 * count[owner] + 4 * place
        lengths = _u32(column.data, table)
        total = np.zeros(len(reader), np.int64)
        np.add.at(total, owner, lengths)
        bad = (total + 4 * count + 4 != ends - starts)[filled]
    if bad.any():
        row = int(filled[np.argmax(bad)])
        raise reader.error(row, int(before[row]), LENGTH_TABLE)
    stop = starts[owner] + _running(lengths, owner)
    items = Reader.over(column.data, stop - lengths, stop)
    try:
        child = read_node(node.child, items, interners)
        items.finish(ITEM_LEFTOVER)
    except CellError as error:
        row = int(owner[error.row])
        inside = int(stop[error.row] - lengths[error.row] - starts[row]) + error.offset
        raise reader.error(row, int(before[row]) + _in_blocks(node.cell, inside), error.rule) from None
    offsets = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return _list_array(node, Column(column.data, offsets, valid=column.valid, nulls=column.nulls), child)


def _running(lengths: Offsets, owner: Offsets) -> Offsets:
    """Sums of lengths up to and with each place, starting anew with every owner."""
    total = np.cumsum(lengths)
    if not len(owner):
        return total
    first = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    base = (total - lengths)[first]
    return total - np.repeat(base, np.diff(np.append(first, len(owner))))


def _u32(data: Bytes, at: Offsets) -> Offsets:
    four = np.ascontiguousarray(data[at[:, None] + np.arange(4)])
    return four.view(">u4").reshape(-1).astype(np.int64)


def _union(node: UnionNode, reader: Reader, interners: Interners) -> pa.Array:
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
            values = read_node(child, part, interners)
        if sparse:
            where = np.zeros(n, np.int64)
            where[rows] = np.arange(len(rows))
            values = _take(values, where) if len(rows) else pa.nulls(n, child.result)
        offsets[rows] = np.arange(len(rows))
        children.append(values)
    buffers = [codes] if sparse else [codes, offsets]
    return make(node.result, n, None, buffers, children)


def _dictionary(node: DictionaryNode, reader: Reader, interners: Interners) -> pa.Array:
    return read_node(node.values, reader, interners)


def _interned(node: InternedNode, reader: Reader, interners: Interners) -> pa.Array:
    before = reader.place
    column = reader.read(node.cell)
    assert column.offsets is not None
    n = len(reader)
    valid = np.ones(n, np.bool_) if column.valid is None else unpack(column.valid, 0, n)
    interner = interners.get(id(node), Interner())
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
    return read_node(node.values, Reader.over(np.frombuffer(b"".join(rows), np.uint8), starts, stops), interners)


def _runs(node: RunsNode, reader: Reader, interners: Interners) -> pa.Array:
    before = reader.place
    column = reader.read(node.cell)
    assert column.offsets is not None
    inside = Reader.over(column.data, column.offsets[:-1], column.offsets[1:])
    try:
        values = read_node(node.child, inside, interners)
        inside.finish(ITEM_LEFTOVER)
    except CellError as error:
        start = int(before[error.row])
        raise reader.error(error.row, start + _in_blocks(node.cell, error.offset), error.rule) from None
    return values


_READ: dict[type, Callable[[Any, Reader, Interners], pa.Array]] = {
    FixedNode: _fixed,
    BytesNode: _bytes,
    ConstantNode: _constant,
    StructNode: _struct,
    ArrayNode: _array,
    ListNode: _list,
    PackedListNode: _packed_list,
    UnionNode: _union,
    DictionaryNode: _dictionary,
    InternedNode: _interned,
    RunsNode: _runs,
}
