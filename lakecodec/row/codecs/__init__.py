"""The codecs that row.idl names as external: both directions of one value, and what the literal reading of row.idl runs.

The kernels of ``row/order`` do the same for whole columns. ``row/plan.py`` takes a kernel where a declared shape is made
of exactly these classes in a structure that the kernel knows; every other shape, and every other class, runs value by value.
"""

from __future__ import annotations

from .base import Broken, Framed, RowCodec, Transform
from .nested import Children, Elements, Hydrated, Interned, PackedRows, Selected, Sequence, ValueRow, WrappedRows
from .numbers import Canonical, FlipSign, IeeeOrder, Invert, NanOutside, PackedDecimal, Plus
from .strings import Blocks, Counted, Terminated

__all__ = [
    "Blocks",
    "Broken",
    "Canonical",
    "Children",
    "Counted",
    "Elements",
    "FlipSign",
    "Framed",
    "Hydrated",
    "IeeeOrder",
    "Interned",
    "Invert",
    "NanOutside",
    "PackedDecimal",
    "PackedRows",
    "Plus",
    "RowCodec",
    "Selected",
    "Sequence",
    "Terminated",
    "Transform",
    "ValueRow",
    "WrappedRows",
]
