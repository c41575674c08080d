"""The row kernels of the backend that runs: compiled when it was built, else NumPy. ``LAKECODEC_PURE=1`` forces NumPy."""

from __future__ import annotations

import os

from . import pure_read, pure_write

BACKEND = "pure"
measure, write, read = pure_write.measure, pure_write.write, pure_read.read

if os.environ.get("LAKECODEC_PURE", "") in ("", "0"):
    try:
        from ..native import row_decode, row_encode
    except ImportError:
        pass
    else:
        BACKEND = "native"
        measure, write, read = row_encode.measure, row_encode.write, row_decode.read

__all__ = ["BACKEND", "measure", "read", "write"]
