"""The workbench: files of any declared format, shown byte by byte, compared, verified, dumped and loaded."""

from __future__ import annotations

from .diffs import Difference, diff
from .dumps import dump, dumps, load
from .explorer import explore
from .findings import Finding
from .tree import Node, Tree
from .verifying import verify

__all__ = ["Difference", "Finding", "Node", "Tree", "diff", "dump", "dumps", "explore", "load", "verify"]
