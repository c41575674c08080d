"""The workbench: files of any declared format, shown byte by byte, compared, verified, dumped and loaded."""

from __future__ import annotations

from .explorer import explore
from .tree import Node, Tree

__all__ = ["Node", "Tree", "explore"]
