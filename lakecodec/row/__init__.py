"""Order-preserving row keys: byte strings that compare as the rows' values do."""

from __future__ import annotations

from .converter import RowConverter
from .external import merge, sort_batches
from .options import SortOptions
from .sort import sort_indices, sort_table
from .sort_keys import SortKey, SortKeys
from .zorder import zorder_keys

__all__ = [
    "RowConverter",
    "SortKey",
    "SortKeys",
    "SortOptions",
    "merge",
    "sort_batches",
    "sort_indices",
    "sort_table",
    "zorder_keys",
]


def __dir__() -> list[str]:
    return sorted(__all__)
