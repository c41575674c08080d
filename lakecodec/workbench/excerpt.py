"""An excerpt of a tree: a bounded number of nodes, shared among the parts of each node."""

from __future__ import annotations

from collections.abc import Sequence

from .tree import Elements, Node

#: The most nodes of an excerpt, and the most elements of one width per list.
MOST_NODES = 40_000
_MOST_ELEMENTS = 256
#: The room for the first parts of a node that has too many parts. Few parts are never cut.
_SHARE = 64


class Excerpt:
    """Nodes of a tree, chosen so that a part with many of them leaves room for the others.

    Attributes:
        is_whole: False where something was left out.

    Args:
        top: the outermost node.
        depth: levels below it; None for all.
        most: nodes, roughly; None for all.
    """

    def __init__(self, top: Node, depth: int | None = None, most: int | None = MOST_NODES) -> None:
        self._below: dict[Node, Sequence[Node]] = {}
        self.is_whole = True
        self._open(top, depth, most)

    def children(self, node: Node) -> Sequence[Node] | None:
        """Returns the children of a node that are part of the excerpt; None if they were not visited."""
        return self._below.get(node)

    def missing(self, node: Node) -> int | None:
        """Returns the number of a node's children that the excerpt leaves out; None where they were not counted."""
        return None if node.is_closed else len(node.children) - len(self._below.get(node, ()))

    def _open(self, node: Node, depth: int | None, room: int | None) -> int:
        """Chooses children of a node with their descendants, and returns the number of chosen nodes."""
        if depth == 0:
            return 0
        if room is not None and room <= 0 and (node.is_closed or node.children):
            self.is_whole = False
            return 0
        children = node.children
        kept: Sequence[Node] = children[:_MOST_ELEMENTS] if isinstance(children, Elements) else children
        if room is not None and len(kept) > max(room // 2, _SHARE):
            kept = kept[: max(room // 2, _SHARE)]
            self.is_whole = False
        self._below[node] = kept
        below = None if depth is None else depth - 1
        parts = [*kept, *(() if node.view is None else (node.view.root,))]
        used = len(parts)
        for number, each in enumerate(parts):
            if each.is_closed or each.view is not None or each.children:
                left = None if room is None else room - used
                share = None if left is None else min(left, max(left // (len(parts) - number), _SHARE))
                used += self._open(each, below, share)
            elif below != 0:
                self._below[each] = ()
        return used
