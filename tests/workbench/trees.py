"""What every tree must keep: all bytes explained once, and the values of the ordinary reader."""

from __future__ import annotations

import math
from typing import Any

from lakecodec.runtime.columns import Bits, Values
from lakecodec.runtime.compact.base import Struct, Union
from lakecodec.runtime.records.lazy import LazyRecord
from lakecodec.runtime.records.record import Record
from lakecodec.workbench import Node, Tree


def check_tree(tree: Tree) -> None:
    """All bytes of the tree and of its views belong to one leaf each, and children have what their parents hold."""
    check_coverage(tree)
    check_places(tree)
    for node in tree.walk():
        assert node.error is None, (node.path, node.error)
        _check_values(node)


def check_coverage(tree: Tree, *, overlaps: bool = False) -> None:
    """No byte is left out; none belongs to two leaves, unless a file's metadata says so."""
    position = 0
    for leaf in sorted(leaves(tree.root), key=lambda each: (each.offset, each.size)):
        assert leaf.size >= 0
        assert leaf.offset == position or not leaf.size or (overlaps and leaf.offset < position), (
            leaf.path, leaf.offset, position,
        )  # fmt: skip
        position = max(position, leaf.end)
    assert position == tree.data.size
    for node in tree.walk(views=False):
        if node.view is not None:
            check_coverage(node.view, overlaps=overlaps)


def check_places(tree: Tree) -> None:
    """Each node's bytes are among those of the node above it, and the nodes of one stand in the order of their bytes; bit
    fields have the bytes of their number, which stands before them.
    """
    for node in tree.walk():
        whole: Node | None = None
        before = node.offset
        for each in node.children:
            if each.is_away:
                continue
            place = (each.path, each.offset, each.size, node.path, node.offset, node.size)
            assert before <= each.offset <= each.end <= node.end, place
            if " bits of " in each.type:
                assert whole is not None, place
                assert (each.offset, each.size) == (whole.offset, whole.size), place
            elif each.bits is None:
                whole = each
            before = each.offset


def leaves(node: Node) -> list[Node]:
    return [each for each in node.walk(views=False) if each.is_leaf() and each.bits is None]


def gaps(tree: Tree) -> list[Node]:
    return [each for each in tree.walk() if each.kind == "gap"]


def _check_values(node: Node) -> None:
    """A record's children have the values of its attributes, a list's those of its elements."""
    root = node if node.view is None else node.view.root
    value = node.value
    if isinstance(value, Record | Struct | LazyRecord):
        fields = (
            {field.name: field.attr for field in type(value).__spec__.fields}
            if hasattr(type(value), "__spec__")
            else {}
        )
        for each in root.children:
            if (
                each.kind == "field"
                and not each.name.startswith("(field ")
                and hasattr(value, fields.get(each.name, each.name))
            ):
                assert same(each.value, getattr(value, fields.get(each.name, each.name))), each.path
    elif isinstance(value, Union):
        (member,) = [each for each in root.children if each.kind == "field"]
        assert value.kind is None or (member.name == value.kind and same(member.value, value.value))
    elif isinstance(value, list):
        for each in root.children:
            if each.kind == "field":
                assert same(each.value, value[int(each.name[1:-1])]), each.path
    elif isinstance(value, Bits):
        assert [each.value for each in root.children] == [value[index] for index in range(value.count)]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    if isinstance(b, Values) and not isinstance(a, Values):
        return True  # a single encoded value is shown decoded
    return bool(a == b)
