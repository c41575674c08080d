"""Z-order keys: the bits of several columns' order-preserving encodings, interleaved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..runtime.arrow_data import Columns
from ..runtime.exact import exact_list
from .arguments import columns_of
from .encode import Encoder
from .layout import SQL
from .nodes import BytesNode, FixedNode
from .options import SortOptions
from .order.cells import Bytes
from .plan import plan

#: Bytes of a string that are used by default.
PREFIX = 8
_TILE = 8192


def zorder_keys(columns: Columns, *, bits: int | Sequence[int] | None = None) -> pa.LargeBinaryArray:
    """Returns one z-order key per row (``pa.LargeBinaryArray``, all of equal size); their order clusters close rows.

    A key depends only on the row's values, the columns' types and ``bits``, so keys of different batches and files are
    comparable. A column contributes one bit (0 for null), then the bits of the payload of its row encoding (integers
    with the sign flipped, one zero and one NaN, strings as their bytes padded with zeros), most significant first. The
    key consists of bit 0 of every column, then bit 1 of every column, and so on; a column without further bits is left
    out. The last byte is padded with zeros.

    Args:
        columns: a table of any library that exports Arrow data, or a dict or list of arrays; numbers, times, decimals,
            booleans, strings, binary, or dictionaries of these.
        bits: number of bits of each column, including the null bit: one number for all columns or one per column; None
            for all bits of fixed-width values and the first 8 bytes of strings.

    Raises:
        TypeError: ``columns`` is not Arrow data, or ``bits`` not a number or sequence of numbers.
        ValueError: there is no column, a column's type has no z-order key, lengths differ, or ``bits`` has another
            number of items than there are columns, or one less than 1.
    """
    table, _ = columns_of(columns)
    if not table.num_columns:
        raise ValueError("columns: at least one is needed")
    arrays = [_plain(array, i) for i, array in enumerate(table.columns)]
    n = len(arrays[0])
    wanted = _bits(bits, len(arrays))
    payloads = [_payload(array, want) for array, want in zip(arrays, wanted, strict=True)]
    used = [width if want is None else min(width, want) for (_, width), want in zip(payloads, wanted, strict=True)]
    places = _places(used)
    size = (sum(used) + 7) // 8
    out = np.empty((n, size), np.uint8)
    for start in range(0, n, _TILE):
        stop = min(n, start + _TILE)
        spread = np.zeros((stop - start, 8 * size), np.uint8)
        for (matrix, _), place in zip(payloads, places, strict=True):
            spread[:, place] = np.unpackbits(matrix[start:stop], axis=1)[:, 7 : 7 + len(place)]
        out[start:stop] = np.packbits(spread, axis=1)
    offsets = np.arange(n + 1, dtype=np.int64) * size
    return pa.Array.from_buffers(pa.large_binary(), n, [None, pa.py_buffer(offsets), pa.py_buffer(out.reshape(-1))], 0)


def _plain(array: Any, i: int) -> pa.Array:
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks() if array.num_chunks != 1 else array.chunk(0)
        if isinstance(array, pa.ChunkedArray):
            raise ValueError(f"columns[{i}]: too large for one array; pass batches")
    if not isinstance(array, pa.Array):
        raise TypeError(f"columns[{i}]: an Arrow array is needed, not {type(array).__name__}")
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _bits(bits: int | Sequence[int] | None, count: int) -> list[int | None]:
    if bits is None:
        return [None] * count
    numbers = [bits] * count if isinstance(bits, int) else exact_list("bits", bits, "numbers")
    if len(numbers) != count:
        raise ValueError(f"bits: {count} numbers are needed, not {len(numbers)}")
    for number in numbers:
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"bits: an int is needed, not {number!r}")
        if number < 1:
            raise ValueError(f"bits: at least 1 is needed, not {number}")
        if number >> 31:
            raise ValueError(f"bits: less than 2^31 are needed, not {number}")
    return list(numbers)


def _payload(array: pa.Array, want: int | None) -> tuple[Bytes, int]:
    """Returns a matrix with one row per value (a byte 1, or 0 for null, then the payload), and its number of bits."""
    node = plan(SQL, array.type, SortOptions())
    if not isinstance(node, FixedNode | BytesNode):
        raise ValueError(f"columns: {array.type} has no z-order key")
    n = len(array)
    if isinstance(node, FixedNode):
        rows = Encoder({}).rows([node], [array], n)
        return rows.data.reshape(n, 1 + node.cell.width), 1 + 8 * node.cell.width
    width = PREFIX if want is None else (want + 6) // 8
    matrix = np.zeros((n, 1 + width), np.uint8)
    if n:
        ((_, source),) = _prepared(node, array)
        assert source.starts is not None
        assert source.ends is not None
        starts, ends = source.starts.astype(np.int64), source.ends.astype(np.int64)
        valid = np.asarray(array.is_valid())
        matrix[:, 0] = valid
        inside = (starts[:, None] + np.arange(width) < ends[:, None]) & valid[:, None]
        data = np.append(source.data, np.uint8(0))
        matrix[:, 1:] = np.where(inside, data[np.where(inside, starts[:, None] + np.arange(width), 0)], 0)
    return matrix, 1 + 8 * width


def _prepared(node: BytesNode, array: pa.Array) -> list[Any]:
    cells: list[Any] = []
    Encoder({}).prepare(cells, node, array)
    return cells


def _places(used: Sequence[int]) -> list[Any]:
    """Returns the positions in the key of the bits of each column."""
    order = np.array([(bit, column) for column, width in enumerate(used) for bit in range(width)])
    ranked = np.lexsort((order[:, 1], order[:, 0]))
    place = np.empty(len(ranked), np.int64)
    place[ranked] = np.arange(len(ranked))
    ends = np.cumsum(used)
    return [place[end - width : end] for end, width in zip(ends, used, strict=True)]
