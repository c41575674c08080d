"""Nodes as JSON, and values as short text."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

from ..runtime.columns import Bits, Values
from ..runtime.compact.pure import collector_paused
from ..runtime.objects import Value
from ..runtime.records.record import Variant
from ..runtime.short import BYTES, short
from .excerpt import Excerpt
from .tree import Node, Tree
from .values import plain_values

#: The most bytes or elements that are shown per value.
_MOST = 256


def tree_to_dict(
    tree: Tree, node: Node | None = None, depth: int | None = None, most: int | None = None
) -> dict[str, Any]:
    """Returns a tree, or a node of it, as JSON has it.

    A node has ``path``, ``offset``, ``size``, ``type``, and where there is something to say: ``value`` (of nodes without
    children), ``children``, ``view`` (the root of the decoded form, with offsets of its own), ``codec``, ``doc``, ``rules``,
    ``header`` (bytes of the field header in front of the value), ``bits`` (lowest bit and number of bits), ``gap``, ``error``,
    ``more`` (how many children are left out; null if they were not counted).

    Args:
        depth: levels below the node; all by default.
        most: nodes, roughly; all by default.
    """
    chosen = tree.root if node is None else node
    with collector_paused():
        found = _node(chosen, Excerpt(chosen, depth, most))
    return {"format": tree.format, "size": tree.data.size, **found} if chosen is tree.root else found


def _node(node: Node, excerpt: Excerpt) -> dict[str, Any]:
    found: dict[str, Any] = {"path": node.path, "offset": node.offset, "size": node.size, "type": node.type}
    if has_own_value(node):
        found["value"] = plain(_own(node))
    if isinstance(node.known, Variant):
        found["alternative"] = node.known.kind
    if node.kind != "field":
        found["kind"] = node.kind
    if node.header:
        found["header"] = node.header
    if node.bits is not None:
        found["bits"] = list(node.bits)
    if node.doc:
        found["doc"] = node.doc
    if node.rules:
        found["rules"] = list(node.rules)
    if node.error is not None:
        found["error"] = {"rule": node.error.rule, "path": node.error.path, "offset": node.error.offset}
    if (children := excerpt.children(node)) is not None:
        found["children"] = [_node(each, excerpt) for each in children]
        if node.view is not None:
            found["view"] = {"codec": node.view.codec, **_node(node.view.root, excerpt)}
    if (more := excerpt.missing(node)) != 0:
        found["more"] = more
    return found


def plain(value: Any) -> Any:
    """Returns a value for JSON: bytes as hexadecimal digits, enum members by name, long values cut with their
    length."""
    if isinstance(value, IntEnum):
        return value.name
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        cut = "" if len(value) <= _MOST else f"... ({len(value)} bytes)"
        return bytes(value[:_MOST]).hex() + cut
    if isinstance(value, Values):
        return _cut([plain(each) for each in plain_values(value)[:_MOST]], value.count)
    if isinstance(value, Bits):
        return _cut([int(value[index]) for index in range(min(value.count, _MOST))], value.count)
    if isinstance(value, dict):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    isoformat = getattr(value, "isoformat", None)
    return isoformat() if callable(isoformat) else str(value)


def _cut(first: list[Any], count: int) -> list[Any]:
    return first if len(first) == count else [*first, f"... ({count} elements)"]


def has_own_value(node: Node) -> bool:
    """Returns whether a node has a value beyond its children: a number, text, bytes, or packed or encoded ones."""
    known = node.known
    if node.kind == "gap" or isinstance(known, Value | dict):
        return False
    if node.is_closed:
        return known is not None and not isinstance(known, list | set | tuple | Values)
    if isinstance(known, list | set | tuple | Values | Bits):
        return node.is_leaf() and node.view is None
    return known is not None or node.is_leaf()


def _own(node: Node) -> Any:
    """Returns the value of a node that has a value beyond its children. Long bytes are a view."""
    return node.value if node.known is None else node.known


def shown(node: Node) -> str:
    """Returns a node's value in a few words, with the sign that leads to it; empty if its children show it."""
    known = node.known
    if isinstance(known, Variant):
        return f" = {known.kind}"
    if has_own_value(node):
        value = _own(node)
        if value is None:
            return ""
        if isinstance(value, IntEnum):
            return f" = {value.name} ({int(value)})"
        if isinstance(value, memoryview):
            return f" = {bytes(value[:BYTES])!r}... ({len(value):,} bytes)"
        return f" = {short(plain(value) if isinstance(value, Bits | Values) else value)}"
    count = len(known) if isinstance(known, list | tuple | set | dict) else node.count
    return "" if count is None else f", {count} element{'s' * (count != 1)}"
