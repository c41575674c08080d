"""The column kernels of the active backend: compiled if they were built, else NumPy.

``LAKECODEC_PURE=1`` forces NumPy.
"""

from __future__ import annotations

from typing import Any

from ..native import load
from . import pure_read, results

decode, end_of = pure_read.decode, pure_read.end_of
#: Offset scans and the decoders of the locations that they return; None in the pure backend.
offset_scans: Any = None
decode_blocks: Any = None
record_batch: Any = None
BlockTypes: Any = None
ColumnMemory: Any = None
plan_of: Any = results.result_of

_scan, _read = (load(f"runtime.native.columns.{name}") for name in ("offset_scan", "read"))
BACKEND = "pure" if None in (_scan, _read) else "native"
if BACKEND == "native":
    decode, end_of = _read.decode, _read.end_of
    # Offset scans use the record reader's kinds of numbers, so they need its module.
    offset_scans = None if load("runtime.native._record") is None else _scan
    decode_blocks, record_batch = _read.decode_blocks, _read.record_batch
    BlockTypes, ColumnMemory, plan_of = _read.BlockTypes, _read.ColumnMemory, _read.plan_of

__all__ = [
    "BACKEND",
    "BlockTypes",
    "ColumnMemory",
    "decode",
    "decode_blocks",
    "end_of",
    "offset_scans",
    "plan_of",
    "record_batch",
]
