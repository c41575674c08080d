"""The workbench: files of any declared format, shown byte by byte, compared, verified, dumped and loaded."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diffs import Difference, diff
    from .dumping import dump, dumps, load
    from .explorer import explore
    from .findings import Finding
    from .tree import Node, Tree
    from .verifying import verify

__all__ = ["Difference", "Finding", "Node", "Tree", "diff", "dump", "dumps", "explore", "load", "verify"]

_WHERE = {
    "Difference": "diffs", "Finding": "findings", "Node": "tree", "Tree": "tree", "diff": "diffs", "dump": "dumping",
    "dumps": "dumping", "explore": "explorer", "load": "dumping", "verify": "verifying",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    # Trees need the compiler, which sound files are verified without.
    if name in _WHERE:
        return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
