"""NumPy operations on ranges of unequal length in one flat array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Bytes, Offsets


def steps(lengths: Offsets) -> tuple[Offsets, Offsets]:
    """Returns, for each position of concatenated ranges of these lengths, the number of its range and its index in the range."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    before = np.cumsum(lengths) - lengths
    return owner, np.arange(len(owner)) - before[owner]


def gather(data: Bytes, starts: Offsets, lengths: Offsets) -> Bytes:
    """Returns the bytes of all ranges, concatenated."""
    owner, place = steps(lengths)
    gathered: Bytes = data[starts[owner] + place]
    return gathered


def scatter(out: Bytes, starts: Offsets, values: Bytes, lengths: Offsets) -> None:
    """Writes concatenated values to their ranges of ``out``."""
    owner, place = steps(lengths)
    out[starts[owner] + place] = values


def bits(bitmap: Bytes, bit: int, n: int) -> NDArray[np.bool_]:
    """Returns bits ``bit`` to ``bit + n`` of an Arrow bitmap as booleans."""
    unpacked = np.unpackbits(bitmap[: (bit + n + 7) // 8], bitorder="little")
    return unpacked[bit : bit + n].view(np.bool_)


def positions(values: NDArray[Any]) -> Offsets:
    """Returns positions of any integer type as int64."""
    return values.astype(np.int64, copy=False)
