"""Memory that the calls of one converter reuse; page faults of new memory cost more than the encoding itself."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .order.cells import Bytes, Offsets

#: Arrays of at most this many bytes come from the C library, which keeps what is freed.
_SMALL = 1 << 16
#: References to an array that only its keeper, the loop over what is kept and the question itself hold.
_ALONE = 3


class Recycler:
    """Pool of arrays of one dtype; an array is reused once nothing refers to it.

    At most two arrays are kept, so that a caller who holds one result while making the next reuses memory too. Only one
    unused array is kept, and none that is smaller than the requested size or more than twice as large.
    """

    def __init__(self, dtype: Any) -> None:
        self._dtype = np.dtype(dtype)
        self._kept: list[NDArray[Any]] = []

    def take(self, size: int) -> NDArray[Any]:
        """Returns an array of ``size`` items with undefined content."""
        if size * self._dtype.itemsize <= _SMALL:
            return np.empty(size, self._dtype)
        # Another thread meanwhile finds nothing kept and makes an array of its own.
        kept, self._kept = self._kept, []
        busy, free = [], None
        for array in kept:
            if sys.getrefcount(array) > _ALONE:
                busy.append(array)
            elif size <= len(array) <= 2 * size:
                free = array
        if free is None:
            free = np.empty(size, self._dtype)
        self._kept = [*busy[-1:], free]
        return free[:size]


class Strides:
    """Offsets of rows of equal size: computed once for the longest result and shared by all results, read-only."""

    def __init__(self) -> None:
        self._stride = -1
        self._offsets = np.zeros(0, np.int64)

    def offsets(self, stride: int, n: int) -> Offsets:
        """Returns the n + 1 offsets 0, stride, 2 * stride ... n * stride (int64)."""
        kept = self._offsets
        if self._stride != stride or len(kept) <= n:
            kept = np.arange(0, (n + 1) * stride, stride, dtype=np.int64) if stride else np.zeros(n + 1, np.int64)
            kept.flags.writeable = False
            self._stride, self._offsets = stride, kept
        return kept[: n + 1]


class Memory:
    """Memory that one converter keeps between calls."""

    def __init__(self) -> None:
        self.rows = Recycler(np.uint8)
        self.positions = Recycler(np.int64)
        self.strides = Strides()

    def room(self, out: Bytes | None, size: int) -> Bytes:
        """Returns ``size`` bytes for rows, from ``out`` if it is given.

        Raises:
            ValueError: ``out`` is too small.
        """
        if out is None:
            data: Bytes = self.rows.take(size)
            return data
        if len(out) < size:
            raise ValueError(f"out: {size} bytes are needed, not {len(out)}")
        return out[:size]

    def offsets(self, n: int) -> Offsets:
        """Returns an array of ``n`` offsets with undefined content."""
        return self.positions.take(n)

    def more(self, data: Bytes | None, out: Bytes | None, used: int, needed: int, part: float) -> Bytes:
        """Returns memory with the ``used`` bytes of ``data``, for all rows of which a ``part`` takes ``needed`` bytes.

        Raises:
            ValueError: ``out`` is too small.
        """
        size = needed
        if out is None and part < 1:
            size = max(needed, int(1.05 * needed / part))
        larger = self.room(out, size)
        if data is not None and used:
            larger[:used] = data[:used]
        return larger
