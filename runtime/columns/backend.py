"""The column kernels of the backend that runs: compiled where they were built, else NumPy. ``LAKECODEC_PURE=1`` forces NumPy."""

from __future__ import annotations

from typing import Any

from ..native import WANTED
from . import pure_bits, pure_read

BACKEND = "pure"
decode, end_of = pure_read.decode, pure_read.end_of
#: Outlines and the decoding of what they find; what the pure backend does not have.
outlines: Any = None
decode_places: Any = None
unpack, pack, total, largest = pure_bits.unpack, pure_bits.pack, pure_bits.total, pure_bits.largest

if WANTED:
    try:
        from ..native import columns_bits, columns_outline, columns_read
    except ImportError:
        pass
    else:
        BACKEND = "native"
        decode, end_of = columns_read.decode, columns_read.end_of
        outlines, decode_places = columns_outline, columns_read.decode_places
        unpack, pack = columns_bits.unpack, columns_bits.pack
        total, largest = columns_bits.total, columns_bits.largest

__all__ = ["BACKEND", "decode", "decode_places", "end_of", "largest", "outlines", "pack", "total", "unpack"]
