"""A tree as one HTML page that needs no network: fields beside bytes, decoded blocks as views of their own."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path
from typing import Any

from .excerpt import MOST_NODES, Excerpt
from .plain import shown
from .tree import Node, Tree

_TEMPLATE = Path(__file__).with_name("page.html")
#: Bytes of a piece; pieces that no small field touches are left out of large files.
_STEP = 4096
#: Pieces of a source or a decoded block, of all of them, and of a block where the others have had those.
_MOST_PIECES, _ALL_PIECES, _FEW_PIECES = 512, 2048, 4


def page_of(tree: Tree, most: int | None = MOST_NODES) -> str:
    """Returns a tree as an HTML page. Of large files it has the fields and the bytes around them, and says what it leaves out.

    Args:
        most: nodes, roughly; None for all.
    """
    maker = _Maker(Excerpt(tree.root, None, most))
    maker.add(tree, "")
    title = Path(getattr(tree.data, "name", "") or tree.format).name
    data = {"title": title, "format": tree.format, "step": _STEP, "views": maker.views}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return _TEMPLATE.read_text(encoding="utf-8").replace("TITLE", html.escape(title), 1).replace("DATA", text, 1)


class _Maker:
    """Collects the source and its decoded blocks."""

    def __init__(self, excerpt: Excerpt) -> None:
        self.views: list[dict[str, Any]] = []
        self._excerpt = excerpt
        self._left = _ALL_PIECES

    def add(self, tree: Tree, path: str) -> int:
        """Adds a source or block, and the blocks in it; returns its number."""
        number = len(self.views)
        view: dict[str, Any] = {"path": path, "codec": tree.codec, "size": tree.data.size}
        self.views.append(view)
        touched: set[int] = set()
        view["root"] = self._node(tree.root, touched)
        pieces = range(0, tree.data.size, _STEP)
        room = min(_MOST_PIECES, max(_FEW_PIECES, self._left))
        chosen = list(pieces) if len(pieces) <= room else sorted(touched)[:room]
        self._left -= len(chosen)
        view["pages"] = [[at, self._piece(tree, at)] for at in chosen]
        return number

    @staticmethod
    def _piece(tree: Tree, at: int) -> str:
        return base64.b64encode(tree.data.read(at, min(_STEP, tree.data.size - at))).decode()

    def _node(self, node: Node, touched: set[int]) -> list[Any]:
        if node.size <= _STEP:
            touched.update((node.offset // _STEP * _STEP, max(node.offset, node.end - 1) // _STEP * _STEP))
        children = self._excerpt.children(node)
        below = [self._node(each, touched) for each in children or ()]
        view = None if node.view is None or children is None else self.add(node.view, node.path)
        error = None if node.error is None else {"rule": node.error.rule, "offset": node.error.offset}
        return [
            node.name, node.path, node.offset, node.size, node.type, shown(node) or None, node.doc, list(node.rules), error,
            node.kind, node.bits, below, view, self._excerpt.missing(node),
        ]  # fmt: skip
