"""Encoding of arrays to row bytes: columns become cells with sources, which the kernels write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from .arrow_types import storage
from .buffers import Mask, element_span, fixed_values, list_ranges, pack, raw, string_parts, valid_mask, validity
from .fixed import fixed_payload
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
from .order import kernels
from .order.cells import Bytes, Cell, Kind, Offsets, Source
from .raw_values import values_of

Prepared: TypeAlias = list[tuple[Cell, Source]]

_RAW = Cell(Kind.RAW)


@dataclass(slots=True)
class Rows:
    """Rows in one array: row i is ``data[offsets[i]:offsets[i + 1]]``."""

    data: Bytes
    offsets: Offsets


@dataclass(slots=True)
class Encoder:
    """Encoder of the columns of one call; ``interners`` belong to the converter and outlive the call."""

    interners: dict[int, Interner]
    _dictionaries: dict[int, tuple[pa.Array, Rows]] = field(default_factory=dict)

    def rows(self, nodes: Sequence[Node], arrays: Sequence[pa.Array], n: int, alive: Mask = None) -> Rows:
        """Returns the rows of ``n`` values per column."""
        if n == 0:
            return Rows(np.empty(0, np.uint8), np.zeros(1, np.int64))
        cells: Prepared = []
        for node, array in zip(nodes, arrays, strict=True):
            self.prepare(cells, node, array, alive)
        offsets = kernels.measure(cells, n)
        data = np.empty(int(offsets[n]), np.uint8)
        kernels.write(cells, n, data, offsets)
        return Rows(data, offsets)

    def prepare(self, cells: Prepared, node: Node, array: pa.Array, alive: Mask = None) -> None:
        """Appends the cells of one column that is not empty; values that are not alive are written as nulls."""
        array = storage(array)
        match node:
            case FixedNode():
                valid, bit = validity(array, alive)
                cells.append((node.cell, Source(fixed_payload(node, array), valid=valid, bit=bit)))
            case BytesNode():
                valid, bit = validity(array, alive)
                data, positions = string_parts(
                    _with_offsets(array) if node.view else array, node.cell.wide or node.view
                )
                cells.append((node.cell, Source(data, positions[:-1], positions[1:], valid=valid, bit=bit)))
            case ConstantNode():
                value = np.frombuffer(node.null, np.uint8)
                starts = np.zeros(len(array), np.int64)
                cells.append((_RAW, Source(value, starts, starts + len(value))))
            case StructNode():
                self._struct(cells, node, array, alive)
            case ArrayNode():
                self._array(cells, node, array, alive)
            case ListNode():
                self._list(cells, node, array, alive)
            case PackedListNode():
                self._packed_list(cells, node, array, alive)
            case UnionNode():
                self._union(cells, node, array, alive)
            case DictionaryNode():
                self._dictionary(cells, node, array, alive)
            case InternedNode():
                self._interned(cells, node, array, alive)
            case RunsNode():
                self._runs(cells, node, array, alive)
            case LiteralNode():
                cells.append((_RAW, _literal(node, array, alive)))

    def _struct(self, cells: Prepared, node: StructNode, array: pa.Array, alive: Mask) -> None:
        if node.cell is not None:
            alive = valid_mask(array, alive)
            valid = None if alive is None else pack(alive)
            cells.append((node.cell, Source(np.empty(0, np.uint8), valid=valid)))
        for i, child in enumerate(node.children):
            self.prepare(cells, child, array.field(i), alive)

    def _array(self, cells: Prepared, node: ArrayNode, array: pa.Array, alive: Mask) -> None:
        n, size = len(array), node.size
        alive = valid_mask(array, alive)
        valid = None if alive is None else pack(alive)
        cells.append((node.cell, Source(np.empty(0, np.uint8), valid=valid)))
        if size == 0:
            return
        elements = array.values.slice(array.offset * size, n * size)
        shown = np.repeat(alive, size) if node.null_elements and alive is not None else None
        rows = self.rows([node.child], [elements], n * size, shown)
        source = Source(rows.data, rows.offsets[:-1:size], rows.offsets[size::size])
        source.starts, source.ends = (np.ascontiguousarray(part) for part in (source.starts, source.ends))
        if not node.null_elements:
            source.valid = valid
        cells.append((_RAW, source))

    def _list(self, cells: Prepared, node: ListNode, array: pa.Array, alive: Mask) -> None:
        starts, ends, rows = self._elements(node.child, array, alive)
        valid, bit = validity(array, alive)
        cells.append((node.cell, Source(rows.data, starts, ends, rows.offsets, valid, bit)))

    def _packed_list(self, cells: Prepared, node: PackedListNode, array: pa.Array, alive: Mask) -> None:
        starts, ends, rows = self._elements(node.child, array, alive)
        lengths = np.diff(rows.offsets).astype(">u4").view(np.uint8)
        counts = (ends - starts).astype(">u4").view(np.uint8)
        after = 4 * np.arange(1, len(array) + 1)
        parts: Prepared = [
            (_RAW, Source(rows.data, rows.offsets[starts], rows.offsets[ends])),
            (_RAW, Source(lengths, 4 * starts, 4 * ends)),
            (_RAW, Source(counts, np.where(ends > starts, after - 4, after), after)),
        ]
        offsets = kernels.measure(parts, len(array))
        data = np.empty(int(offsets[-1]), np.uint8)
        kernels.write(parts, len(array), data, offsets)
        valid, bit = validity(array, alive)
        cells.append((node.cell, Source(data, offsets[:-1], offsets[1:], valid=valid, bit=bit)))

    def _elements(self, child: Node, array: pa.Array, alive: Mask) -> tuple[Offsets, Offsets, Rows]:
        """Returns the range of elements of each list, and the rows of the elements."""
        starts, ends = list_ranges(array, alive)
        first, last = element_span(starts, ends)
        rows = self.rows([child], [array.values.slice(first, last - first)], last - first)
        empty = starts == ends
        return np.where(empty, 0, starts - first), np.where(empty, 0, ends - first), rows

    def _union(self, cells: Prepared, node: UnionNode, array: pa.Array, alive: Mask) -> None:
        n = len(array)
        # The accessors of sliced dense unions disagree about the slice: the buffers do not.
        buffers = array.buffers()
        codes = raw(buffers[1])[array.offset : array.offset + n].view(np.int8)
        places = np.arange(n)
        if array.type.mode == "dense":
            places = raw(buffers[2]).view(np.int32)[array.offset : array.offset + n].astype(np.int64)
        starts, ends = np.zeros(n, np.int64), np.zeros(n, np.int64)
        data: list[Bytes] = []
        base = 0
        for i, (code, child) in enumerate(zip(array.type.type_codes, node.children, strict=True)):
            mine = codes == code if alive is None else (codes == code) & alive
            if not mine.any():
                continue
            first, last = int(places[mine].min()), int(places[mine].max()) + 1
            rows = self.rows([child], [array.field(i).slice(first, last - first)], last - first)
            starts[mine] = rows.offsets[places[mine] - first] + base
            ends[mine] = rows.offsets[places[mine] - first + 1] + base
            data.append(rows.data)
            base += len(rows.data)
        ids = codes.astype(np.uint8)
        if alive is not None:
            null = np.frombuffer(node.children[0].null, np.uint8)
            ids = np.where(alive, ids, np.uint8(array.type.type_codes[0]))
            starts, ends = np.where(alive, starts, base), np.where(alive, ends, base + len(null))
            data.append(null)
        cells.append((node.cell, Source(ids)))
        cells.append((_RAW, Source(np.concatenate(data) if data else np.empty(0, np.uint8), starts, ends)))

    def _dictionary(self, cells: Prepared, node: DictionaryNode, array: pa.Array, alive: Mask) -> None:
        seen = self._dictionaries.get(id(node))
        if seen is None or not _same_memory(seen[0], array.dictionary):
            rows = self.rows([node.values], [array.dictionary], len(array.dictionary))
            null = np.frombuffer(node.null, np.uint8)
            rows = Rows(
                np.concatenate([rows.data, null]),
                np.append(rows.offsets, rows.offsets[-1] + len(null)).astype(np.int64),
            )
            seen = self._dictionaries[id(node)] = (array.dictionary, rows)
        rows = seen[1]
        keys = _keys(array, alive, len(array.dictionary))
        cells.append((_RAW, Source(rows.data, rows.offsets[keys], rows.offsets[keys + 1])))

    def _interned(self, cells: Prepared, node: InternedNode, array: pa.Array, alive: Mask) -> None:
        values = node.values
        shapes = self.rows([values], [array.dictionary], len(array.dictionary)) if len(array.dictionary) else None
        valid = valid_mask(array.dictionary, None)
        wanted: list[bytes | None] = []
        for i in range(len(array.dictionary)):
            assert shapes is not None
            row = shapes.data[shapes.offsets[i] : shapes.offsets[i + 1]].tobytes()
            wanted.append(row if valid is None or valid[i] else None)
        interner = self.interners.setdefault(id(node), Interner())
        mask = np.uint8(0xFF if node.cell.invert else 0)
        rows = [node.null if key is None else interner.cell(node, key, int(mask)) for key in interner.intern(wanted)]
        rows.append(node.null)
        offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
        keys = _keys(array, alive, len(wanted))
        data = np.frombuffer(b"".join(rows), np.uint8)
        cells.append((_RAW, Source(data, offsets[keys], offsets[keys + 1])))

    def _runs(self, cells: Prepared, node: RunsNode, array: pa.Array, alive: Mask) -> None:
        n = len(array)
        first, count = array.find_physical_offset(), array.find_physical_length()
        rows = self.rows([node.child], [array.values.slice(first, count)], count)
        ends = np.asarray(array.run_ends)[first : first + count]
        run = np.searchsorted(ends, np.arange(array.offset, array.offset + n), side="right")
        null = np.frombuffer(node.child.null, np.uint8)
        data = np.concatenate([rows.data, null])
        offsets = np.append(rows.offsets, len(data))
        if alive is not None:
            run = np.where(alive, run, count)
        cells.append((node.cell, Source(data, offsets[run], offsets[run + 1])))


def _literal(node: LiteralNode, array: pa.Array, alive: Mask) -> Source:
    """Returns the bytes of values that the literal interpreter encodes."""
    values = values_of(array)
    if alive is not None:
        values = [value if shown else None for value, shown in zip(values, alive.tolist(), strict=True)]
    node.form.learn(values)
    parts = [node.form.encode(value) for value in values]
    offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    return Source(np.frombuffer(b"".join(parts), np.uint8), offsets[:-1], offsets[1:])


def _with_offsets(array: pa.Array) -> pa.Array:
    """Returns a view array as an array with 64-bit offsets."""
    return array.cast(pa.large_string() if pa.types.is_string_view(array.type) else pa.large_binary())


def _keys(array: pa.Array, alive: Mask, null: int) -> Offsets:
    """Returns dictionary keys as int64, ``null`` for nulls and for keys out of range, which null parents may have."""
    indices = array.indices
    keys = fixed_values(indices, indices.type.bit_width // 8).view(indices.type.to_pandas_dtype()).astype(np.int64)
    inside = (keys >= 0) & (keys < null)
    mask = valid_mask(indices, alive)
    return np.where(inside if mask is None else inside & mask, keys, null)


def _same_memory(a: pa.Array, b: pa.Array) -> bool:
    """Returns True if two arrays are the same slice of the same buffers."""
    if a is b:
        return True
    where = [[None if part is None else part.address for part in array.buffers()] for array in (a, b)]
    return where[0] == where[1] and a.offset == b.offset and len(a) == len(b)
