"""Columns of encoded values: packed numbers, values of a declared shape, and the way from and to Arrow."""

from __future__ import annotations

from .bits import Bits
from .blocks import Blocks, BlockTypes
from .decode import DEFAULT_LIMIT, ColumnDecode, decode_columns
from .flat import ListScan, Numbers, RecordScan
from .layout import Kind, ValueLayout, layout_of
from .profile import (
    Form,
    Forms,
    Profile,
    Profiles,
    batch_columns,
    encoded_nbytes,
    encoded_sizes,
    profile_columns,
    profile_many,
)
from .rules import ColumnError
from .values import Values, read_values

__all__ = [
    "DEFAULT_LIMIT",
    "Bits",
    "BlockTypes",
    "Blocks",
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
    "batch_columns",
    "decode_columns",
    "encoded_nbytes",
    "encoded_sizes",
    "layout_of",
    "profile_columns",
    "profile_many",
    "read_values",
]
