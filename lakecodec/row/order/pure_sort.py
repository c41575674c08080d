"""Stable sort of row keys in NumPy; the compiled equivalent is ``row/native/sort.pyx``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .cells import Bytes, Offsets


def argsort(data: Bytes, offsets: Offsets) -> NDArray[np.uint64]:
    """Returns row numbers (uint64) in the order of the rows' bytes; the sort is stable.

    Rows are ranked by their first 8 bytes, then those of equal rank by the next 8, until no two are equal.

    Args:
        data, offsets: row i is ``data[offsets[i]:offsets[i + 1]]``.

    Raises:
        ValueError: ``offsets`` is empty, or a row is outside the data.
    """
    n = len(offsets) - 1
    if n < 0:
        raise ValueError("offsets: one more than there are rows is needed")
    if n and (offsets[0] < 0 or (np.diff(offsets) < 0).any() or offsets[-1] > len(data)):
        raise ValueError("offsets: a row lies outside the data")
    padded = np.concatenate([data, np.zeros(8, np.uint8)])
    order = np.arange(n)
    # Rows that are equal so far form a stretch of `order`: their positions in `order`, and the stretch of each.
    places, stretch = np.arange(n), np.zeros(n, np.int64)
    skip = 0
    while len(places):
        rows = order[places]
        left = offsets[rows + 1] - offsets[rows] - skip
        words, sizes = _words(padded, offsets[rows] + skip, left), np.clip(left, 0, 9)
        by = np.lexsort((sizes, words, stretch))
        order[places] = rows[by]
        words, sizes, stretch = words[by], sizes[by], stretch[by]
        new = np.append(True, (words[1:] != words[:-1]) | (sizes[1:] != sizes[:-1]) | (stretch[1:] != stretch[:-1]))
        stretch = np.cumsum(new)
        tied = (np.bincount(stretch)[stretch] > 1) & (sizes == 9)
        places, stretch = places[tied], stretch[tied]
        skip += 8
    return order.astype(np.uint64)


def _words(padded: Bytes, starts: Offsets, left: Offsets) -> NDArray[np.uint64]:
    """Returns the eight bytes at each start as a big-endian number, with zeros after the end of the row."""
    inside = np.arange(8) < left[:, None]
    places = np.where(inside, starts[:, None] + np.arange(8), len(padded) - 1)
    return np.ascontiguousarray(padded[places]).view(">u8").reshape(-1).astype(np.uint64)
