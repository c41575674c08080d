"""Arrow arrays as NumPy views of their buffers, without copies where the layout allows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .order.cells import Bytes, Offsets

#: True for rows that count; None when all do.
Mask = NDArray[np.bool_] | None


def raw(buffer: pa.Buffer | None) -> Bytes:
    """Returns the bytes of a buffer (uint8), an empty array for None."""
    return np.frombuffer(buffer, np.uint8) if buffer is not None and buffer.size else np.empty(0, np.uint8)


def unpack(bitmap: Bytes, bit: int, n: int) -> NDArray[np.bool_]:
    """Returns bits ``bit`` to ``bit + n`` of an Arrow bitmap as booleans."""
    first = bit // 8
    bits = np.unpackbits(bitmap[first : (bit + n + 7) // 8], bitorder="little")
    return bits[bit - 8 * first : bit - 8 * first + n].view(np.bool_)


def pack(mask: NDArray[np.bool_]) -> Bytes:
    """Returns booleans as an Arrow bitmap."""
    return np.packbits(mask, bitorder="little")


def validity(array: pa.Array, alive: Mask) -> tuple[Bytes | None, int]:
    """Returns the bitmap of the values that are valid and alive, and its bit offset; (None, 0) if all are."""
    if alive is None:
        if array.null_count == 0:
            return None, 0
        return raw(array.buffers()[0]), array.offset
    mask = valid_mask(array, alive)
    return (None, 0) if mask is None else (pack(mask), 0)


def valid_mask(array: pa.Array, alive: Mask) -> Mask:
    """Returns a mask of the values that are valid and alive; None if all are."""
    if array.null_count:
        own = unpack(raw(array.buffers()[0]), array.offset, len(array))
        return own if alive is None else own & alive
    return None if alive is None or alive.all() else alive


def fixed_values(array: pa.Array, width: int) -> Bytes:
    """Returns the bytes of a fixed-width array's values, ``width`` bytes each."""
    return raw(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]


def string_parts(array: pa.Array, large: bool) -> tuple[Bytes, NDArray[Any]]:
    """Returns the bytes and the n + 1 offsets of a string or binary array, int64 if ``large``, else int32."""
    _, offsets, data = array.buffers()
    positions: NDArray[Any] = np.frombuffer(offsets, np.int64 if large else np.int32)
    return raw(data), positions[array.offset : array.offset + len(array) + 1]


def list_ranges(array: pa.Array, alive: Mask) -> tuple[Offsets, Offsets]:
    """Returns the first element of each list and the element after its last, an empty range for nulls (int64)."""
    offsets = np.asarray(array.offsets).astype(np.int64)
    if hasattr(array, "sizes"):
        starts, ends = offsets, offsets + np.asarray(array.sizes)
    else:
        starts, ends = offsets[:-1], offsets[1:]
    mask = valid_mask(array, alive)
    if mask is not None:
        starts, ends = np.where(mask, starts, 0), np.where(mask, ends, 0)
    return starts, ends


def element_span(starts: Offsets, ends: Offsets) -> tuple[int, int]:
    """Returns the smallest range of elements that covers all lists."""
    used = ends > starts
    if not used.any():
        return 0, 0
    return int(starts[used].min()), int(ends[used].max())
