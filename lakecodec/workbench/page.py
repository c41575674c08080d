"""Trees as one HTML page that needs no network: fields beside bytes, decoded blocks as views of their own."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..runtime.compact.pure import collector_paused
from .diffs import Difference
from .excerpt import MOST_NODES, Excerpt
from .plain import plain, shown
from .tree import Node, Tree

_WEB = Path(__file__).with_name("web")
_SCRIPTS = ("model.js", "panes.js", "inspector.js", "page.js")
#: Bytes per piece. In large files, pieces without small fields are left out.
_STEP = 4096
#: The most pieces: per source or decoded block, in total, and per block once the total is reached.
_MOST_PIECES, _ALL_PIECES, _FEW_PIECES = 512, 2048, 4


def page_of(tree: Tree, most: int | None = MOST_NODES) -> str:
    """Returns a tree as an HTML page. A page of a large file has fields with the bytes around them, and says what it
    leaves out.

    Args:
        most: nodes, roughly; None for all.
    """
    return _page(page_data([tree], most=most))


def diff_page_of(old: Tree, new: Tree, found: Iterable[Difference], most: int | None = MOST_NODES) -> str:
    """Returns two trees side by side as an HTML page, with the differences that `diff` found between them."""
    return _page(page_data([old, new], found, most=most))


def page_data(
    trees: Sequence[Tree], found: Iterable[Difference] = (), *, most: int | None = MOST_NODES
) -> dict[str, Any]:
    """Returns the data of the page, made of JSON's types: texts that occur often are indexes into ``texts``."""
    texts: dict[str, int] = {}
    with collector_paused():
        files = [_PageData(tree, texts, most).made for tree in trees]
    names = [str(each["name"]) for each in files]
    title = " and ".join(names) if len(set(names)) > 1 else names[0]
    differences = [_difference(each, *trees) for each in found]
    return {"title": title, "step": _STEP, "texts": list(texts), "files": files, "differences": differences}


def page_text(title: str, start: str, data: str, *scripts: str) -> str:
    """Returns the page: its style and scripts, data in JSON, and the statement that starts it."""
    text = (_WEB / "page.html").read_text(encoding="utf-8")
    code = "".join((_WEB / name).read_text(encoding="utf-8") for name in (*_SCRIPTS, *scripts))
    text = text.replace("TITLE", html.escape(title), 1).replace(
        "STYLE", (_WEB / "style.css").read_text(encoding="utf-8"), 1
    )
    # The data is inserted last, since it may contain these words.
    head, tail = text.replace("SCRIPT", code + start + "\n", 1).split("DATA", 1)
    return head + data.replace("</", "<\\/").replace("<!--", "<\\!--") + tail


def _page(data: dict[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return page_text(data["title"], 'start(JSON.parse(byId("data").textContent));', text)


def _difference(found: Difference, old: Tree, new: Tree) -> dict[str, Any]:
    """Returns a difference with the paths of its nodes in both trees: None where a tree lacks it or has another value."""
    if found.kind == "moved":
        moved = f"{found.path.rpartition('[')[0]}[{found.new}]"
        paths: list[str | None] = [found.path, moved]
    else:
        paths = [
            None if found.kind == "added" else _path(old, found.path, found.old),
            None if found.kind == "removed" else _path(new, found.path, found.new),
        ]
    return {"paths": paths, "text": str(found)}


def _path(tree: Tree, path: str, value: Any) -> str | None:
    try:
        node = tree.find(path)
    except KeyError:
        return None
    # Elements are aligned by name: the same position of the other list may hold another element.
    return path if node.is_closed or node.children or plain(node.value) == plain(value) else None


class _PageData:
    """Collects a source and its decoded blocks."""

    def __init__(self, tree: Tree, texts: dict[str, int], most: int | None) -> None:
        self._views: list[dict[str, Any]] = []
        self._texts = texts
        self._excerpt = Excerpt(tree.root, None, most)
        self._left = _ALL_PIECES
        self._add(tree, "")
        name = Path(getattr(tree.data, "name", "") or tree.format).name
        self.made = {"name": name, "format": tree.format, "views": self._views}

    def _add(self, tree: Tree, path: str) -> int:
        """Adds a source or block, and the blocks in it; returns its number."""
        number = len(self._views)
        view: dict[str, Any] = {"path": path, "codec": tree.codec, "size": tree.data.size}
        self._views.append(view)
        touched: set[int] = set()
        view["root"] = self._node(tree.root, path, touched)
        pieces = range(0, tree.data.size, _STEP)
        room = min(_MOST_PIECES, max(_FEW_PIECES, self._left))
        chosen = list(pieces) if len(pieces) <= room else sorted(touched)[:room]
        self._left -= len(chosen)
        view["pages"] = [[at, self._piece(tree, at)] for at in chosen]
        return number

    @staticmethod
    def _piece(tree: Tree, at: int) -> str:
        return base64.b64encode(tree.data.read(at, min(_STEP, tree.data.size - at))).decode()

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def _node(self, node: Node, usual: str, touched: set[int]) -> list[Any]:
        """Returns a row of the page's data; ``usual`` is the path that follows from the node above."""
        if node.size <= _STEP:
            touched.update((node.offset // _STEP * _STEP, max(node.offset, node.end - 1) // _STEP * _STEP))
        children = self._excerpt.children(node)
        below = [self._node(each, _below(node.path, each.name), touched) for each in children or ()]
        view = None if node.view is None or children is None else self._add(node.view, node.path)
        error = None if node.error is None else {"rule": node.error.rule, "offset": node.error.offset}
        return [
            node.name, node.offset, node.size, self._text(node.type), shown(node) or None, self._text(node.doc),
            [self._text(each) for each in node.rules], error, node.kind, node.bits, below, view, self._excerpt.missing(node),
            None if node.path == usual else node.path,
        ]  # fmt: skip


def _below(path: str, name: str) -> str:
    return path + name if not path or name.startswith("[") else f"{path}.{name}"
