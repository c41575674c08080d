"""Stretches of unequal length in one flat array, the way NumPy can work on them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import Bytes, Offsets


def steps(lengths: Offsets) -> tuple[Offsets, Offsets]:
    """For stretches of these lengths, laid end to end: which stretch each place is in, and its number in the stretch."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    before = np.cumsum(lengths) - lengths
    return owner, np.arange(len(owner)) - before[owner]


def gather(data: Bytes, starts: Offsets, lengths: Offsets) -> Bytes:
    """The bytes of all stretches, one after another."""
    owner, place = steps(lengths)
    gathered: Bytes = data[starts[owner] + place]
    return gathered


def scatter(out: Bytes, starts: Offsets, values: Bytes, lengths: Offsets) -> None:
    """Writes values that lie end to end to their stretches of ``out``."""
    owner, place = steps(lengths)
    out[starts[owner] + place] = values


def bits(bitmap: Bytes, bit: int, n: int) -> NDArray[np.bool_]:
    """Bits ``bit`` to ``bit + n`` of an Arrow bitmap."""
    unpacked = np.unpackbits(bitmap[: (bit + n + 7) // 8], bitorder="little")
    return unpacked[bit : bit + n].view(np.bool_)


def positions(values: NDArray[Any]) -> Offsets:
    """Positions of any integer type as int64."""
    return values.astype(np.int64, copy=False)
