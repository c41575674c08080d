"""A tree on the terminal: fields beside the bytes that they take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .plain import shown
from .tree import Elements, Node, Tree

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

#: Bytes per row.
_BYTES = 8
#: Colours of neighbouring fields, in rotation.
_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red")


def render(tree: Tree, console: Console, *, at: str = "", depth: int = 3, limit: int = 20) -> None:
    """Prints a tree, or its part at a path, with one line per node: offset, bytes, field, value.

    Args:
        depth: levels below the node.
        limit: elements of a list.

    Raises:
        KeyError: there is no such path.
    """
    node = tree.find(at) if at else tree.root
    source = getattr(tree.data, "name", "")
    console.print(f"[bold]{_escaped(source or 'source')}[/]: {tree.format}, {tree.data.size} bytes", highlight=False)
    for line in _lines(node, depth, limit):
        console.print(line, highlight=False)


def _lines(top: Node, depth: int, limit: int) -> Iterator[Text]:
    from rich.text import Text

    digits = max(6, len(f"{top.tree.data.size:x}"))
    pending: list[tuple[Node | str, int, int, str]] = [(top, 0, 0, "")]
    while pending:
        node, level, colour, mark = pending.pop()
        indent = "  " * level
        if isinstance(node, str):
            yield Text(f"{'':{digits}}  {'':{3 * _BYTES}} {indent}{node}", style="dim")
            continue
        style = _COLOURS[colour % len(_COLOURS)]
        line = Text(f"{node.offset:0{digits}x}  ", style="dim")
        line.append(f"{_hex(node):{3 * _BYTES}} ", style="dim" if node.kind == "gap" or not node.is_leaf() else style)
        line.append(
            f"{indent}{mark}{node.name or node.type}", style=f"bold {style}" if node.error is None else "bold red"
        )
        line.append(f" {node.type}" if node.name and node.kind in ("field", "computed") else "", style="dim")
        if node.kind == "gap":
            line.append(f" {node.size} bytes that nothing explains", style="dim")
        elif value := shown(node):
            line.append(value)
        if node.error is not None:
            offset = "" if node.error.offset is None else f" (at 0x{node.error.offset:0{digits}x})"
            line.append(f"  ✗ {node.error.rule}{offset}", style="red")
        yield line
        if level < depth:
            pending += reversed(list(_below(node, level + 1, limit)))


def _below(node: Node, level: int, limit: int) -> Iterator[tuple[Node | str, int, int, str]]:
    children = node.children
    if node.bits is None and not (isinstance(children, Elements) and node.is_leaf()):
        is_list = len(children) > limit and children[limit].name.startswith("[")
        for number, each in enumerate(children[:limit] if is_list else children):
            yield each, level, number + level, ""
        if is_list:
            yield f"… {len(children) - limit} more", level, 0, ""
    if node.view is not None:
        yield f"decoded by {node.view.codec}: {node.view.data.size} bytes, with offsets of their own", level, 0, ""
        yield node.view.root, level, level, "» "


def _hex(node: Node) -> str:
    data = node.tree.data.read(node.offset, min(node.size, _BYTES))
    text = bytes(data).hex(" ")
    return text if node.size <= _BYTES else f"{text[:-3]} …"


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
