"""The column kernels of the backend that runs: compiled where they were built, else NumPy. ``LAKECODEC_PURE=1`` forces NumPy."""

from __future__ import annotations

import os

from . import pure_bits, pure_read

BACKEND = "pure"
decode, end_of = pure_read.decode, pure_read.end_of
unpack, pack, total, largest = pure_bits.unpack, pure_bits.pack, pure_bits.total, pure_bits.largest

if os.environ.get("LAKECODEC_PURE", "") in ("", "0"):
    try:
        from ..native import columns_bits, columns_read
    except ImportError:
        pass
    else:
        BACKEND = "native"
        decode, end_of = columns_read.decode, columns_read.end_of
        unpack, pack = columns_bits.unpack, columns_bits.pack
        total, largest = columns_bits.total, columns_bits.largest

__all__ = ["BACKEND", "decode", "end_of", "largest", "pack", "total", "unpack"]
