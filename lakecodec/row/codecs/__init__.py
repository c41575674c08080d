"""The codecs that row.idl names as external, in both directions for one value; the literal interpreter runs them."""

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
