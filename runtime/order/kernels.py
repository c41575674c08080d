"""The row kernels of the backend that runs: compiled when it was built, else NumPy. ``LAKECODEC_PURE=1`` forces NumPy."""

from __future__ import annotations

from ..native import WANTED
from . import pure_read, pure_sort, pure_write

BACKEND = "pure"
measure, write, read, argsort = pure_write.measure, pure_write.write, pure_read.read, pure_sort.argsort

if WANTED:
    try:
        from ..native import row_decode, row_encode, row_sort
    except ImportError:
        pass
    else:
        BACKEND = "native"
        measure, write, read, argsort = row_encode.measure, row_encode.write, row_decode.read, row_sort.argsort

__all__ = ["BACKEND", "argsort", "measure", "read", "write"]
