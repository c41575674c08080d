"""Messages of protobuf in the workbench: trees of their bytes, and samples."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl, explore, samples

from ..paths import TESTS

c: Any = compile_idl(Path(TESTS, "runtime", "protobuf", "kinds.idl"))
MESSAGE = c.Tree(
    plain=c.Plain(int32_=3, choice=c.Choice.leaf(c.Leaf(text="q"))),
    lists=c.Lists(int32s=[1, 2], int64s=[3, 4]),
    maps=c.Maps(leaves={"a": c.Leaf(number=5)}),
)


def test_tree() -> None:
    data = MESSAGE.to_bytes() + b"\x78\x01"
    tree = explore(data, c.Tree)
    leaves = [node for node in tree.root.walk() if not node.children]
    assert [(node.path, node.offset, node.size, node.value) for node in leaves] == [
        ("plain.(header)", 0, 2, None),
        ("plain.int32_", 2, 2, 3),
        ("plain.choice.leaf.(header)", 4, 3, None),
        ("plain.choice.leaf.text", 7, 3, "q"),
        ("lists.(header)", 10, 2, None),
        ("lists.int32s.(header)", 12, 2, None),
        ("lists.int32s[0]", 14, 1, 1),
        ("lists.int32s[1]", 15, 1, 2),
        ("lists.int64s[0]", 16, 2, 3),
        ("lists.int64s[1]", 18, 2, 4),
        ("maps.(header)", 20, 2, None),
        ("maps.leaves[0].(header)", 22, 2, None),
        ("maps.leaves[0].key", 24, 3, "a"),
        ("maps.leaves[0].value.(header)", 27, 2, None),
        ("maps.leaves[0].value.number", 29, 2, 5),
        ("(field 15)", 31, 2, b"\x01"),
    ]
    assert tree.root.size == len(data)
    assert next(node for node in tree.root.walk() if node.path == "plain").value == MESSAGE.plain


def test_groups_in_a_tree() -> None:
    message = c.Tree(right=c.Tree(groups=[c.Tree(plain=c.Plain(int32_=3))]))
    tree = explore(message.to_bytes(), c.Tree)
    leaves = [node for node in tree.root.walk() if not node.children]
    assert [(node.path, node.offset, node.size) for node in leaves] == [
        ("right.(header)", 0, 1),
        ("right.groups[0].(header)", 1, 1),
        ("right.groups[0].plain.(header)", 2, 2),
        ("right.groups[0].plain.int32_", 4, 2),
        ("right.groups[0].(end)", 6, 1),
        ("right.(end)", 7, 1),
    ]
    assert next(node for node in tree.root.walk() if node.path == "right.groups[0]").value == message.right.groups[0]
    damaged = list(explore(message.to_bytes()[:-1], c.Tree).root.walk())[-1]
    assert (damaged.path, damaged.error.rule) == ("right", "the data ends inside a value")


def test_damaged_tree() -> None:
    nodes = list(explore(b"\x0a\x04\x08\x01\x7a\x09", c.Tree).root.walk())
    assert (nodes[-1].path, nodes[-1].offset) == ("plain.string_", 4)
    assert nodes[-1].error.rule == "a length runs past the end of the data"
    assert (nodes[-2].path, nodes[-2].value) == ("plain.int32_", 1)


@pytest.mark.parametrize(
    "cls", [c.Plain, c.Present, c.Given, c.Lists, c.Maps, c.Needed, c.Tree], ids=lambda cls: cls.__name__
)
def test_samples(cls: Any) -> None:
    for sample in islice(samples(cls), 20):
        assert cls.from_bytes(sample.to_bytes()) == sample
