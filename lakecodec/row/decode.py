"""Decoding of row bytes to arrays: flat columns in one pass, nested columns node by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from .arrow_types import is_bounded
from .buffers import unpack
from .fixed import fixed_array_data
from .nodes import BytesNode, FixedNode, Node
from .order import kernels
from .order.cells import LEFTOVER, RANGE, TRUNCATED, Bytes, Cell, CellError, Column, Offsets


@dataclass(slots=True)
class Reader:
    """Rows and the read position in each.

    Attributes:
        data: bytes of all rows.
        starts, ends: start and end of each row in ``data``.
        place: position of the next value of each row in ``data``.
    """

    data: Bytes
    starts: Offsets
    ends: Offsets
    place: Offsets

    @classmethod
    def over(cls, data: Bytes, starts: Offsets, ends: Offsets) -> Reader:
        """Returns a reader positioned at the start of every row."""
        return cls(data, starts, ends, starts.copy())

    def __len__(self) -> int:
        return len(self.starts)

    def read(self, cell: Cell) -> Column:
        """Returns one cell of every row and moves past it.

        Raises:
            CellError: a cell breaks a rule.
        """
        after = np.empty_like(self.place)
        try:
            (column,) = kernels.read([cell], self.data, self.place, self.ends, False, after)
        except CellError as error:
            raise self.error(error.row, int(self.place[error.row]) + error.offset, error.rule) from None
        self.place = after
        return column

    def expect(self, value: bytes, rows: Offsets, rule: int) -> None:
        """Raises CellError unless the given rows continue with these bytes; does not move."""
        if not value or not len(rows):
            return
        at = self.place[rows]
        short = self.ends[rows] - at < len(value)
        if short.any():
            row = int(rows[np.argmax(short)])
            raise self.error(row, int(self.place[row]), TRUNCATED)
        found = self.data[at[:, None] + np.arange(len(value))]
        other = found != np.frombuffer(value, np.uint8)
        if other.any():
            which = int(np.argmax(other.any(axis=1)))
            raise self.error(int(rows[which]), int(at[which] + np.argmax(other[which])), rule)

    def error(self, row: int, position: int, rule: int) -> CellError:
        """Returns the error for a position in ``data``."""
        return CellError(row, position - int(self.starts[row]), rule)

    @contextmanager
    def subset(self, rows: Offsets) -> Iterator[Reader]:
        """Context manager for a reader of some of the rows; this reader moves along, and errors have its row numbers."""
        part = Reader(self.data, self.starts[rows], self.ends[rows], self.place[rows])
        try:
            yield part
        except CellError as error:
            raise CellError(int(rows[error.row]), error.offset, error.rule) from None
        self.place[rows] = part.place

    def finish(self, rule: int = LEFTOVER) -> None:
        """Raises CellError unless every row was read to its end."""
        left = self.place != self.ends
        if left.any():
            row = int(np.argmax(left))
            raise self.error(row, int(self.place[row]), rule)


def is_flat(node: Node) -> bool:
    """Returns True if a column is one cell whose bytes are those of an Arrow buffer."""
    if isinstance(node, FixedNode):
        return node.load == "direct" and not is_bounded(node.type)
    return isinstance(node, BytesNode)


def read_flat(nodes: Sequence[Node], data: Bytes, starts: Offsets, ends: Offsets) -> list[pa.Array]:
    """Returns the arrays of rows that consist of flat columns.

    Raises:
        CellError: a row breaks a rule.
    """
    cells = [node.cell for node in nodes if isinstance(node, FixedNode | BytesNode)]
    columns = kernels.read(cells, data, starts, ends, True)
    return [_flat_array(node, column, len(starts)) for node, column in zip(nodes, columns, strict=True)]


def _flat_array(node: Node, column: Column, n: int) -> pa.Array:
    if isinstance(node, BytesNode):
        return bytes_array(node, column, n)
    return make(node.result, n, column, [column.data])


def bytes_array(node: BytesNode, column: Column, n: int) -> pa.Array:
    """Returns the array of a binary or string column."""
    if node.view:
        plain = pa.string() if pa.types.is_string_view(node.type) else pa.binary()
        return make(plain, n, column, [column.offsets, column.data]).cast(node.type)
    return make(node.result, n, column, [column.offsets, column.data])


def read_fixed(node: FixedNode, reader: Reader) -> pa.Array:
    """Returns the array of a fixed-width column.

    Raises:
        CellError: a cell breaks a rule, or its type cannot hold the value.
    """
    before = reader.place
    column = reader.read(node.cell)
    n = len(reader)
    valid = None if column.valid is None else unpack(column.valid, 0, n)
    try:
        array = make(node.result, n, column, [fixed_array_data(node, column.data, n, valid)])
        if is_bounded(node.type):
            _check_values(array)
    except CellError as error:
        raise reader.error(error.row, int(before[error.row]) + error.offset, error.rule) from None
    return array


def _check_values(array: pa.Array) -> None:
    """Raises CellError for the first value that its type cannot hold."""
    if holds_all_values(array):
        return
    first, last = 0, len(array)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if holds_all_values(array.slice(first, middle - first)) else (first, middle)
    raise CellError(first, 0, RANGE)


def holds_all_values(array: pa.Array) -> bool:
    """Returns True if a type holds all values of an array that was read."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def is_bounded_inside(type: pa.DataType) -> bool:
    """Returns True if a type, or one nested in it, cannot hold every number of its width."""
    return is_bounded(type) or any(is_bounded_inside(type.field(i).type) for i in range(type.num_fields))


def make(
    type: pa.DataType, n: int, column: Column | None, buffers: Iterable[Any], children: Sequence[pa.Array] = ()
) -> pa.Array:
    """Returns an array over NumPy memory, with the nulls of a column."""
    valid = None if column is None or column.valid is None else pa.py_buffer(column.valid)
    parts = [valid, *(pa.py_buffer(np.ascontiguousarray(part)) for part in buffers)]
    nulls = 0 if column is None else column.nulls
    return pa.Array.from_buffers(type, n, parts, nulls, children=list(children) or None)
