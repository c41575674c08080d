"""Fields that stand outside of the record that points to them: nodes of their own, explained bytes, no endless walks."""

from __future__ import annotations

import io
import struct
import sys
from itertools import islice
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec.workbench import Node, Tree, explore
from lakecodec.workbench.page import page_data

from ..gallery.test_elf import TRUE
from .trees import leaves

CHAIN = lakecodec.compile_idl(
    """
    record File : little { u32 first; Link(0) top at first from source; }
    record Link(i32 n) : little { u32 next; u16 value; Link(n + 1) more at next from source if next != 0; }
    """
)


def arrow_file() -> bytes:
    stream = io.BytesIO()
    table = pa.table({"a": [1, 2], "b": ["x", "y"]})
    with pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def explained(tree: Tree) -> int:
    """How many bytes belong to a leaf that is no gap."""
    found: set[int] = set()
    for each in leaves(tree.root):
        found.update(range(each.offset, each.end) if each.kind != "gap" else ())
    return len(found)


def missing(tree: Tree) -> int:
    return sum(each.size for each in tree.root.children if each.kind == "gap")


def check(tree: Tree) -> None:
    assert explained(tree) + missing(tree) == tree.data.size
    assert tree.errors() == []
    assert tree.away
    for each in tree.away:
        assert tree.find(each.path).offset == each.offset


@pytest.mark.skipif(sys.platform != "linux" or sys.byteorder != "little", reason="programs of Linux are needed")
def test_elf() -> None:
    tree = explore(TRUE.read_bytes())
    check(tree)
    assert missing(tree) < tree.data.size / 3  # only what aligns sections
    names = [each for each in tree.away if each.path.startswith("image.names[")]
    assert tree.at(names[-1].offset).path == names[-1].path


def test_arrow() -> None:
    tree = explore(arrow_file())
    check(tree)
    assert tree.find("footer.schema.fields.fields[1].name.text").value == "b"
    place = tree.find("footer.schema.fields.fields[1].name.text").offset
    assert tree.at(place).path == "footer.schema.fields.fields[1].name.text"
    (file,) = page_data([tree])["files"]
    named = [file["views"][0]["root"]]
    for name in ("footer", "schema", "fields", "fields[1]", "name"):
        named = [each for row in named for each in row[10] if each[0] == name] or named
    assert any(row[0] == "name" for row in named)


def chain(*links: tuple[int, int]) -> bytes:
    return struct.pack("<I", 4) + b"".join(struct.pack("<IH", *each) for each in links)


def test_a_chain() -> None:
    tree = explore(chain((16, 1), (0, 3), (10, 2)), CHAIN.File)
    check(tree)
    assert [tree.find(f"top{'.more' * n}.value").value for n in range(3)] == [1, 2, 3]
    assert missing(tree) == 0


def test_a_circle_ends() -> None:
    tree = explore(chain((4, 1), (9, 9)), CHAIN.File)
    nodes: list[Node] = list(islice(tree.walk(), 5000))
    assert len(nodes) < 5000
    errors: list[Any] = [each.error for each in nodes if each.error is not None]
    assert "nested more than" in errors[-1].rule
    assert missing(tree) == 6
