"""Decoding of lists: elements in blocks, packed with a table of lengths, or in sequence with a mark before each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .decode import Reader, make
from .nodes import ListNode, PackedListNode, size_of
from .order.cells import (
    ITEM_LEFTOVER,
    LENGTH_TABLE,
    LIST_ITEMS,
    NO_NULL,
    TRUNCATED,
    Bytes,
    Cell,
    CellError,
    Column,
    Kind,
    Offsets,
)
from .order.pure_write import blocks_length
from .order.ragged import steps

if TYPE_CHECKING:
    from .decode_nested import Decoder


def read_list(node: ListNode, reader: Reader, decoder: Decoder) -> pa.Array:
    if node.cell.kind == Kind.SEQUENCE:
        return _sequence(node, reader, decoder)
    before = reader.place
    column = reader.read(node.cell)
    assert column.items is not None
    assert column.offsets is not None
    items = Reader.over(column.data, column.items[:-1], column.items[1:])
    try:
        child = decoder.read(node.child, items)
        items.finish(ITEM_LEFTOVER)
        if pa.types.is_map(node.type):
            _check_entries(child)
    except CellError as error:
        row = int(np.searchsorted(column.offsets, error.row, side="right")) - 1
        earlier = np.diff(column.items[column.offsets[row] : error.row + 1])
        start = int(before[row]) + int(blocks_length(earlier, node.cell.narrow).sum())
        raise reader.error(row, start + in_blocks(node.cell, error.offset), error.rule) from None
    return _list_array(node, column, child)


def in_blocks(cell: Cell, offset: int) -> int:
    """Returns the offset of a value's byte in its blocks, counted from the filled byte."""
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


def _sequence(node: ListNode, reader: Reader, decoder: Decoder) -> pa.Array:
    n, before = len(reader), reader.place.copy()
    marks = _next_byte(reader, np.arange(n))
    valid = marks != node.cell.null
    reader.place[~valid] += 1
    size = size_of(node.child)
    if size is None:
        counts, child = _varying_items(node, reader, np.flatnonzero(valid), decoder)
    else:
        counts, child = _equal_items(node, reader, np.flatnonzero(valid), size, decoder)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    column = Column(np.empty(0, np.uint8), offsets, nulls=int(n - valid.sum()))
    column.valid = np.packbits(valid, bitorder="little") if column.nulls else None
    if pa.types.is_map(node.type):
        try:
            _check_entries(child)
        except CellError as error:
            row = int(np.searchsorted(offsets, error.row, side="right")) - 1
            raise reader.error(row, int(before[row]), error.rule) from None
    return _list_array(node, column, child)


def _varying_items(node: ListNode, reader: Reader, going: Offsets, decoder: Decoder) -> tuple[Offsets, pa.Array]:
    """Reads elements without lengths: the first elements of all rows together, then all second elements, and so on."""
    n = len(reader)
    rounds: list[Offsets] = []
    elements: list[pa.Array] = []
    while len(going):
        more = _is_more(node, _next_byte(reader, going), going, reader, reader.place[going])
        reader.place[going] += 1
        going = going[more]
        if not len(going):
            break
        with reader.subset(going) as part:
            elements.append(decoder.read(node.child, part))
        rounds.append(going)
    owners = np.concatenate(rounds) if rounds else np.empty(0, np.int64)
    child = pa.nulls(0, node.child.result)
    if elements:
        child = take(pa.concat_arrays(elements), np.argsort(owners, kind="stable"))
    return np.bincount(owners, minlength=n), child


def _equal_items(
    node: ListNode, reader: Reader, going: Offsets, size: int, decoder: Decoder
) -> tuple[Offsets, pa.Array]:
    """Reads elements of equal size: counts them by the marks before them, with twice the look-ahead in every round."""
    before, rows = reader.place.copy(), going
    counts = np.zeros(len(reader), np.int64)
    step, look = size + 1, 4
    while len(going):
        at = before[going] + counts[going] * step
        room = np.minimum(look, -(-(reader.ends[going] - at) // step))
        if (room <= 0).any():
            row = int(going[np.argmax(room <= 0)])
            raise reader.error(row, int(reader.ends[row]), TRUNCATED)
        owner, number = steps(room)
        place = at[owner] + number * step
        more = _is_more(node, reader.data[place], going[owner], reader, place)
        ended, first = np.unique(owner[~more], return_index=True)
        room[ended] = number[~more][first]
        counts[going] += room
        going = np.delete(going, ended)
        look *= 2
    owners, number = steps(counts)
    with reader.subset(owners) as part:
        part.place = before[owners] + number * step + 1
        child = decoder.read(node.child, part)
    reader.place = before
    reader.place[rows] += counts[rows] * step + 1
    return counts, child


def _is_more(node: ListNode, marks: Bytes, rows: Offsets, reader: Reader, place: Offsets) -> NDArray[np.bool_]:
    """Returns True for marks that an element follows; the first other mark of each row must be the end of its list."""
    mask = 0xFF if node.cell.invert else 0
    more: NDArray[np.bool_] = marks == node.cell.more ^ mask
    other = np.flatnonzero(~more)
    _, first = np.unique(rows[other], return_index=True)
    bad = other[first][marks[other[first]] != node.cell.end ^ mask]
    if len(bad):
        raise reader.error(int(rows[bad[0]]), int(place[bad[0]]), LIST_ITEMS)
    return more


def _next_byte(reader: Reader, rows: Offsets) -> Bytes:
    at = reader.place[rows]
    short = at >= reader.ends[rows]
    if short.any():
        row = int(rows[np.argmax(short)])
        raise reader.error(row, int(reader.place[row]), TRUNCATED)
    return reader.data[at]


def _check_entries(entries: pa.Array) -> None:
    """Raises CellError for the first entry of a map that is null or has a null key."""
    for array in (entries, entries.field(0)):
        if array.null_count:
            raise CellError(int(np.argmax(np.asarray(array.is_null()))), 0, NO_NULL)


def take(array: pa.Array, indices: Offsets) -> pa.Array:
    if len(indices) == len(array) and (indices == np.arange(len(indices))).all():
        return array
    if pa.types.is_string_view(array.type) or pa.types.is_binary_view(array.type):
        plain = pa.large_string() if pa.types.is_string_view(array.type) else pa.large_binary()
        return array.cast(plain).take(pa.array(indices)).cast(array.type)
    try:
        return array.take(pa.array(indices))
    except pa.ArrowNotImplementedError:
        # pyarrow cannot take nested views by index, but it can concatenate slices of them.
        return pa.concat_arrays([array.slice(i, 1) for i in indices.tolist()])


def read_packed_list(node: PackedListNode, reader: Reader, decoder: Decoder) -> pa.Array:
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
        child = decoder.read(node.child, items)
        items.finish(ITEM_LEFTOVER)
    except CellError as error:
        row = int(owner[error.row])
        inside = int(stop[error.row] - lengths[error.row] - starts[row]) + error.offset
        raise reader.error(row, int(before[row]) + in_blocks(node.cell, inside), error.rule) from None
    offsets = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return _list_array(node, Column(column.data, offsets, valid=column.valid, nulls=column.nulls), child)


def _running(lengths: Offsets, owner: Offsets) -> Offsets:
    """Returns running sums of lengths, which restart with every owner."""
    total = np.cumsum(lengths)
    if not len(owner):
        return total
    first = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))
    base = (total - lengths)[first]
    return total - np.repeat(base, np.diff(np.append(first, len(owner))))


def _u32(data: Bytes, at: Offsets) -> Offsets:
    four = np.ascontiguousarray(data[at[:, None] + np.arange(4)])
    return four.view(">u4").reshape(-1).astype(np.int64)
