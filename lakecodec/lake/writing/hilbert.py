"""Hilbert curve over a grid of any number of dimensions, vectorized over cells.

The transform is that of J. Skilling, "Programming the Hilbert curve" (AIP Conference Proceedings 707, 2004): it takes the
coordinates of a cell to numbers whose interleaved bits are the cell's index on the curve.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def hilbert_axes(cells: Sequence[NDArray[np.integer]], bits: int) -> list[NDArray[np.int64]]:
    """Returns int64 arrays, one per dimension, whose interleaved bits are the cells' indexes on the Hilbert curve.

    Interleaving begins with the highest bit of the first array.

    Args:
        cells: per dimension the coordinates of all cells, from 0 to ``2**bits - 1``; all arrays have the same length.
        bits: number of bits of a coordinate.
    """
    axes = [np.asarray(axis).astype(np.int64) for axis in cells]
    if len(axes) == 1:
        return axes
    for bit in range(bits - 1, 0, -1):
        flag, below = 1 << bit, (1 << bit) - 1
        for axis in axes:
            high = (axis & flag) != 0
            # Inverts the low bits of the first axis, or swaps them with those of this one.
            exchanged = np.where(high, 0, (axes[0] ^ axis) & below)
            axes[0] ^= np.where(high, below, exchanged)
            if axis is not axes[0]:
                axis ^= exchanged
    for before, axis in itertools.pairwise(axes):
        axis ^= before
    flips = np.zeros_like(axes[-1])
    for bit in range(bits - 1, 0, -1):
        flips ^= np.where((axes[-1] >> bit) & 1, (1 << bit) - 1, 0)
    for axis in axes:
        axis ^= flips
    return axes
