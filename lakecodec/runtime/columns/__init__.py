"""Columns of encoded values: packed numbers, values of a declared shape, and conversion from and to Arrow."""

from __future__ import annotations

from .batches import BatchColumns, CollectedColumns
from .bits import Bits
from .blocks import Blocks, block_types, column_memory, column_plan, record_batch
from .decode import DEFAULT_LIMIT, ColumnDecode, decode_columns
from .flat import ListScan, Numbers, RecordScan
from .layout import Kind, ValueLayout, layout_of
from .profile import (
    Form,
    Forms,
    Profile,
    Profiles,
    encoded_sizes,
    profile_columns,
    profile_many,
)
from .rules import ColumnError
from .values import Values, read_values

__all__ = [
    "DEFAULT_LIMIT",
    "BatchColumns",
    "Bits",
    "Blocks",
    "CollectedColumns",
    "ColumnDecode",
    "ColumnError",
    "Form",
    "Forms",
    "Kind",
    "ListScan",
    "Numbers",
    "Profile",
    "Profiles",
    "RecordScan",
    "ValueLayout",
    "Values",
    "block_types",
    "column_memory",
    "column_plan",
    "decode_columns",
    "encoded_sizes",
    "layout_of",
    "profile_columns",
    "profile_many",
    "read_values",
    "record_batch",
]
