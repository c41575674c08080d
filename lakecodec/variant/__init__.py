"""Variants: semi-structured values of Parquet, Delta and Iceberg, one by one, as columns, and shredded.

The binary encoding is declared in ``idl/variant.idl``; shredding is that of "Variant Shredding" of apache/parquet-format.
"""

from __future__ import annotations

from .arrow import EXTENSION_NAME, STORAGE, array, field
from .build import from_json, from_python
from .files import write_table
from .parts import to_columns
from .shredding import shred
from .unshredding import unshred
from .value import Variant

__all__ = [
    "EXTENSION_NAME",
    "STORAGE",
    "Variant",
    "array",
    "field",
    "from_json",
    "from_python",
    "shred",
    "to_columns",
    "unshred",
    "write_table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
