"""Packed numbers in NumPy; compiled readers and writers of records and columns have their own code for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .buffers import Buffer

#: The largest number of bytes that a 32-bit number spans.
_WINDOW = 5
#: Numbers per step, which bounds the memory; a multiple of 8.
_AT_ONCE = 1 << 14


def unpack(data: Buffer, start: int, count: int, width: int) -> NDArray[Any]:
    """Returns numbers of shape (count,) in the smallest of uint8, uint16 and uint32 that holds them."""
    dtype = np.dtype(np.uint8 if width <= 8 else np.uint16 if width <= 16 else np.uint32)
    nbytes = (count * width + 7) >> 3
    packed = np.frombuffer(data, np.uint8, nbytes, start) if nbytes else np.zeros(0, np.uint8)
    if width == 0:
        return np.zeros(count, dtype)
    if width == 1:
        return np.unpackbits(packed, count=count, bitorder="little")
    if width == dtype.itemsize * 8:
        return packed.view(dtype.newbyteorder("<")).astype(dtype)
    place = np.arange(min(count, _AT_ONCE)) * width
    first, shift, mask = place >> 3, (place & 7).astype(np.uint64), np.uint64((1 << width) - 1)
    made, padded = np.empty(count, dtype), np.append(packed, np.zeros(_WINDOW, np.uint8))
    for begin in range(0, count, _AT_ONCE):
        n, at = min(_AT_ONCE, count - begin), begin * width >> 3
        windows = np.zeros(n, np.uint64)
        for k in range(_WINDOW):
            windows |= padded[first[:n] + (at + k)].astype(np.uint64) << np.uint64(8 * k)
        made[begin : begin + n] = windows >> shift[:n] & mask
    return made


def pack(numbers: NDArray[np.uint32], width: int) -> bytes:
    """Returns numbers that fit ``width`` bits as packed bytes; the bits after the last one are 0."""
    if width == 0:
        return b""
    parts = (numbers[at : at + _AT_ONCE] for at in range(0, len(numbers), _AT_ONCE))
    bits = (np.unpackbits(part.astype("<u4").view(np.uint8), bitorder="little").reshape(-1, 32) for part in parts)
    return b"".join(np.packbits(each[:, :width], bitorder="little").tobytes() for each in bits)


def total(data: Buffer, start: int, count: int, width: int) -> int:
    # Numbers of width 0 take no bytes, so their count can be huge: they must not be unpacked.
    return 0 if width == 0 else int(unpack(data, start, count, width).sum(dtype=np.uint64))


def largest(data: Buffer, start: int, count: int, width: int) -> int:
    """Returns the largest number, 0 where there are none."""
    return 0 if width == 0 else int(unpack(data, start, count, width).max(initial=0))
