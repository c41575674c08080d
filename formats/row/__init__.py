"""Order-preserving row keys: bytes that sort as the columns' values do."""

from __future__ import annotations

from .converter import RowConverter
from .options import SortOptions

__all__ = ["RowConverter", "SortOptions"]
