"""Files of every format, written by others and damaged field by field: each structural class is found, with offset and rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from lakecodec.workbench import Node, explore, verify

from .files import NAMES, file_of, type_of

#: What a field is for, by the rules that its declaration has.
CLASSES = {
    "checksum": r"crc32|checksum",
    "count": r"must be count\(|num_",
    "length": r"must be (raw_)?size\(|captured|size_of_this",
    "tag": r"must be tag\(|unknown|unsupported",
    "order": r"ascend",
    "magic": r"must be b?[\"'A-Z]|not an? |not a ",
}
#: Fields that say where others are, by their names.
OFFSET = r"offset$|start$|pointers\[\d+\]$|_at$"
#: The classes that the fields of each format have.
FOUND = {
    "arrow_ipc": {"magic", "count", "length", "offset"},
    "avro": {"magic", "count", "length"},
    "deletion_vector": {"magic", "count"},
    "der": {"length", "tag"},
    "elf": {"magic", "count", "tag", "offset"},
    "gguf": {"magic", "count", "tag"},
    "git_index": {"magic", "count", "tag"},
    "java_class": {"magic", "count", "tag"},
    "midi": {"magic", "count", "length"},
    "mo": {"magic", "count", "tag", "offset"},
    "mosaic": {"count", "length", "tag", "offset"},
    "ogg": {"magic", "count", "length", "checksum"},
    "orc": {"magic", "offset"},
    "parquet_file": {"magic", "offset"},
    "pcap": {"magic", "count", "length"},
    "plist": {"magic", "count", "offset"},
    "png": {"magic", "length", "tag", "checksum"},
    "puffin": {"magic"},
    "roaring": {"magic", "count"},
    "sqlite": {"magic", "length", "tag", "offset"},
    "tar": {"magic", "checksum"},
    "truetype": {"magic", "count", "offset"},
    "tzif": {"magic", "count", "order", "tag"},
    "wave": {"magic", "length"},
    "zip": {"magic", "count", "length", "checksum", "offset"},
}
#: Fields of a class that are damaged, and larger ones whose halves change places.
_FIELDS, _LONG = 2, 64


def of_class(name: str, kind: str) -> list[Node]:
    found = []
    for node in explore(file_of(name), type_of(name)).walk(views=False):
        if (
            node.size
            and node.kind == "field"
            and node.bits is None
            and (node.is_leaf() or kind in ("order", "checksum"))
        ):
            is_named = kind == "offset" and re.search(OFFSET, node.path)
            if is_named or (kind != "offset" and any(re.search(CLASSES[kind], rule) for rule in node.rules)):
                found.append(node)
    return found


def damages(data: bytes, node: Node) -> Iterator[bytes]:
    own = node.data
    if len(own) > _LONG:
        half = len(own) // 2
        yield data[: node.offset] + own[half:] + own[:half] + data[node.end :]
        return
    for changed in (b"\xff" * len(own), own[:-1] + bytes([own[-1] ^ 1]), bytes(len(own))):
        if changed != own:
            yield data[: node.offset] + changed + data[node.end :]


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in NAMES for kind in sorted(FOUND[name])])
def test_each_class_is_found(name: str, kind: str) -> None:
    nodes = of_class(name, kind)
    assert nodes, "no field of this class"
    caught = 0
    for node in nodes[:_FIELDS]:
        for bad in damages(file_of(name), node):
            errors = [each for each in verify(bad, type_of(name)) if each.is_error]
            assert all(each.offset is not None and each.rule for each in errors), [str(each) for each in errors]
            caught += bool(errors)
    assert caught, [node.path for node in nodes]


@pytest.mark.parametrize("name", NAMES)
def test_truncation_is_found(name: str) -> None:
    data = file_of(name)
    for size in {3, len(data) // 3, len(data) - 1}:
        errors = [each for each in verify(data[:size], type_of(name)) if each.is_error]
        assert errors, size
        assert all(each.offset is not None and each.rule for each in errors)


def test_what_sqlite_says_of_free_space_and_texts() -> None:
    data = file_of("sqlite")
    for path, bad, rule in (
        ("pages[0].free_at", 50, "free block"), ("pages[0].free_at", 0xFFFF, "free block"),
        ("pages[0].num_fragments", 61, "fragments"), ("pages[0].header.encoding", 4, "text encoding"),
    ):  # fmt: skip
        node = explore(data, type_of("sqlite")).find(path)
        found = verify(data[: node.offset] + bad.to_bytes(node.size, "big") + data[node.end :], type_of("sqlite"))
        assert any(each.is_error and rule in each.rule for each in found), path
