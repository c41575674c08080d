"""The workbench: files of any declared format, shown byte by byte, compared, verified, dumped and loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import names_elsewhere

if TYPE_CHECKING:
    from ..verify.finding import Finding
    from .diffs import Difference, diff
    from .dumping import dump, dumps, load
    from .explorer import explore
    from .tree import Node, Tree
    from .verifying import verify

__all__ = ["Difference", "Finding", "Node", "Tree", "diff", "dump", "dumps", "explore", "load", "verify"]

# Trees need the compiler. Files without errors are verified without it.
_WHERE = {
    "Difference": "diffs", "Finding": ".verify.finding", "Node": "tree", "Tree": "tree", "diff": "diffs", "dump": "dumping",
    "dumps": "dumping", "explore": "explorer", "load": "dumping", "verify": "verifying",
}  # fmt: skip

__getattr__, __dir__ = names_elsewhere(__name__, _WHERE)
