"""Files of the gallery that others wrote, damaged field by field: each structural class is found, with offset and rule."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.workbench import Node, explore, verify

from ..gallery import test_pcap, test_png, test_tar, test_tzif, test_wave, test_zip
from ..paths import SPECS
from .test_pointed_nodes import arrow_file

#: What a field is for, by the rules that its declaration has.
CLASSES = {
    "checksum": r"crc32|checksum",
    "count": r"must be count\(|num_",
    "length": r"must be (raw_)?size\(|captured|size_of_this",
    "tag": r"must be tag\(|unknown|unsupported",
    "order": r"ascend",
    "magic": r"must be b?[\"'A-Z]|not an? ",
}


@cache
def avro_file() -> bytes:
    fastavro = pytest.importorskip("fastavro")
    stream = io.BytesIO()
    schema = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "long"}]}
    fastavro.writer(stream, schema, [{"a": n} for n in range(50)], sync_interval=100)
    return stream.getvalue()


#: Files, and the classes that their fields have.
FILES: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "png": (lambda: test_png.saved("RGB"), {"magic", "length", "checksum"}),
    "zip": (test_zip.archive, {"magic", "count"}),
    "wave": (test_wave.sound, {"magic", "length"}),
    "tar": (test_tar.archive, {"magic", "checksum"}),
    "tzif": (lambda: test_tzif.zone("Europe/Berlin"), {"magic", "count", "order", "tag"}),
    "pcap": (test_pcap.capture, {"magic", "length"}),
    "arrow_ipc": (arrow_file, {"magic", "count", "length"}),
    "avro": (avro_file, {"magic"}),
}


@cache
def type_of(name: str) -> Any:
    return compile_idl(SPECS / "gallery" / f"{name}.idl").File


def of_class(data: bytes, name: str, kind: str) -> list[Node]:
    found = []
    for node in explore(data, type_of(name)).walk(views=False):
        is_field = (
            (node.is_leaf() or kind in ("order", "checksum"))
            and node.size
            and node.kind == "field"
            and node.bits is None
        )
        if is_field and any(re.search(CLASSES[kind], rule) for rule in node.rules):
            found.append(node)
    return found


def damages(data: bytes, node: Node) -> Iterator[bytes]:
    own = node.data
    if len(own) > 64:  # elements: two of them change places
        half = len(own) // 2
        yield data[: node.offset] + own[half:] + own[:half] + data[node.end :]
        return
    for changed in (own[:-1] + bytes([own[-1] ^ 1]), b"\xff" * len(own), bytes(len(own))):
        if changed != own:
            yield data[: node.offset] + changed + data[node.end :]


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_of_others_are_sound(name: str) -> None:
    assert [str(each) for each in verify(FILES[name][0](), type_of(name)) if each.is_error] == []


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in sorted(FILES) for kind in sorted(FILES[name][1])])
def test_each_class_is_found(name: str, kind: str) -> None:
    data = FILES[name][0]()
    nodes = of_class(data, name, kind)
    assert nodes, "no field of this class"
    caught = 0
    for node in [*nodes[:3], *nodes[-2:]]:
        for bad in damages(data, node):
            errors = [each for each in verify(bad, type_of(name)) if each.is_error]
            caught += bool(errors)
            assert all(each.offset is not None and each.rule for each in errors), [str(each) for each in errors]
    assert caught, [node.path for node in nodes]


@pytest.mark.parametrize("name", sorted(FILES))
def test_truncation_is_found(name: str) -> None:
    data = FILES[name][0]()
    for size in {3, len(data) // 3, len(data) - 1 if name != "tar" else 700}:
        errors = [each for each in verify(data[:size], type_of(name)) if each.is_error]
        assert errors, size
        assert all(each.offset is not None and each.rule for each in errors)
