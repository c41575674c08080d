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
    """A buffer's bytes; none for a missing buffer."""
    return np.frombuffer(buffer, np.uint8) if buffer is not None and buffer.size else np.empty(0, np.uint8)


def unpack(bitmap: Bytes, bit: int, n: int) -> NDArray[np.bool_]:
    """Bits ``bit`` to ``bit + n`` as booleans."""
    first = bit // 8
    bits = np.unpackbits(bitmap[first : (bit + n + 7) // 8], bitorder="little")
    return bits[bit - 8 * first : bit - 8 * first + n].view(np.bool_)


def pack(mask: NDArray[np.bool_]) -> Bytes:
    """An Arrow bitmap."""
    return np.packbits(mask, bitorder="little")


def validity(array: pa.Array, alive: Mask) -> tuple[Bytes | None, int]:
    """Bitmap and bit offset of the values that are valid and alive; no bitmap when all are."""
    if alive is None:
        if array.null_count == 0:
            return None, 0
        return raw(array.buffers()[0]), array.offset
    mask = valid_mask(array, alive)
    return (None, 0) if mask is None else (pack(mask), 0)


def valid_mask(array: pa.Array, alive: Mask) -> Mask:
    """Which values are valid and alive; None when all are."""
    if array.null_count:
        own = unpack(raw(array.buffers()[0]), array.offset, len(array))
        return own if alive is None else own & alive
    return None if alive is None or alive.all() else alive


def fixed_values(array: pa.Array, width: int) -> Bytes:
    """The values of a fixed-width array, one after another."""
    return raw(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]


def string_parts(array: pa.Array, large: bool) -> tuple[Bytes, NDArray[Any]]:
    """Bytes and n + 1 positions of a binary or string array, 64-bit if it is a large one; ``array`` is not empty."""
    _, offsets, data = array.buffers()
    positions: NDArray[Any] = np.frombuffer(offsets, np.int64 if large else np.int32)
    return raw(data), positions[array.offset : array.offset + len(array) + 1]


def list_ranges(array: pa.Array, alive: Mask) -> tuple[Offsets, Offsets]:
    """First element and element after the last of every list, nothing for nulls."""
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
    """The stretch of elements that any list uses."""
    used = ends > starts
    if not used.any():
        return 0, 0
    return int(starts[used].min()), int(ends[used].max())
