"""Imported .proto files beside Google's own classes: the same bytes and values, both ways."""

from __future__ import annotations

import importlib
import os
import random
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from lakecodec import samples
from lakecodec.generator.compile import load_checked
from lakecodec.importing import Imported, import_files, import_idl

from .peers import RandomFile, compare, fill

_GOOGLE = metadata.distribution("googleapis-common-protos")
_FILES = sorted(str(each) for each in _GOOGLE.files or () if str(each).endswith(".proto"))
#: protobuf's own, which are part of lakecodec; the newest release may know more fields, which are then unknown.
_OWN = [
    f"google/protobuf/{name}.proto"
    for name in (
        "any", "api", "descriptor", "duration", "empty", "field_mask", "source_context", "struct",
        "timestamp", "type", "wrappers",
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def folder() -> Path:
    return Path(str(_GOOGLE.locate_file("")))


@pytest.fixture(scope="module")
def imported(folder: Path) -> dict[str, Imported]:
    made = import_files([folder / each for each in _FILES])
    return dict(zip(_FILES, made, strict=True))


def check_messages(theirs: Any, module: Any, name: str, choose: random.Random) -> None:
    """Checks random messages of Google's class, and samples of the imported one."""
    cls = getattr(module, name)
    for _ in range(6):
        message = theirs()
        fill(message, choose)
        data = message.SerializeToString(deterministic=True)
        ours = cls.from_bytes(data)
        compare(message, ours, module)
        assert ours.to_bytes() == data
        assert not ours.unknown_fields
    for value in samples(cls, 6):
        data = value.to_bytes()
        back = theirs.FromString(data)
        assert cls.from_bytes(back.SerializeToString()) == value


@pytest.mark.parametrize("file", _FILES)
def test_messages_of_googleapis(file: str, imported: dict[str, Imported]) -> None:
    module = imported[file].module()
    descriptor = importlib.import_module(file.removesuffix(".proto").replace("/", ".") + "_pb2").DESCRIPTOR
    assert {each.name for each in descriptor.message_types_by_name.values()} <= set(imported[file].writable)
    for name, message in descriptor.message_types_by_name.items():
        check_messages(message_factory.GetMessageClass(message), module, name, random.Random(name))


@pytest.mark.parametrize("file", [each for each in _OWN if "descriptor" not in each])
def test_messages_of_protobuf_itself(file: str) -> None:
    importlib.import_module(file.removesuffix(".proto").replace("/", ".") + "_pb2")
    for name, message in descriptor_pool.Default().FindFileByName(file).message_types_by_name.items():
        module = _Alone(name, imported_class(file, message.full_name))
        check_messages(message_factory.GetMessageClass(message), module, name, random.Random(name))


def imported_class(file: str, name: str) -> Any:
    """Returns the class of a message of an own file of protobuf, which is there without a path."""
    made = import_idl(f'import "{file}";\nmessage Holder {{ optional {name} held = 1; }}', kind="proto")
    assert not [each for each in made.notes if each.kind != "renamed"]
    return type(made.module().Holder.from_bytes(b"\x0a\x00").held)


class _Alone:
    def __init__(self, name: str, cls: Any) -> None:
        setattr(self, name, cls)


def test_descriptors_of_all_files() -> None:
    """Descriptors are large messages of proto2: required fields, defaults, lists that are packed and such that are not."""
    cls = imported_class("google/protobuf/descriptor.proto", "google.protobuf.FileDescriptorProto")
    for file in _FILES:
        descriptor = importlib.import_module(file.removesuffix(".proto").replace("/", ".") + "_pb2").DESCRIPTOR
        message = descriptor_pb2.FileDescriptorProto()
        descriptor.CopyToProto(message)
        # Options of googleapis are extensions, which stay in the bytes.
        data = message.SerializeToString(deterministic=True)
        ours = cls.from_bytes(data)
        assert ours.name == message.name
        assert [each.name for each in ours.message_type] == [each.name for each in message.message_type]
        assert descriptor_pb2.FileDescriptorProto.FromString(ours.to_bytes()) == message


@pytest.mark.parametrize("seed", range(40))
def test_random_files(seed: int) -> None:
    file = RandomFile(seed)
    made = import_idl(file.text, kind="proto")
    assert not made.notes
    module = made.module()
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file.descriptor)
    for name in ("A", "B", "A.Inner"):
        theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName(f"p.q.{name}"))
        check_messages(theirs, module, name.replace(".", "_"), random.Random(seed))


@pytest.mark.skipif("GOOGLEAPIS" not in os.environ, reason="GOOGLEAPIS names no checkout")
def test_all_of_googleapis() -> None:
    """All 7,291 files of googleapis f8291d2 import and compile; services and extensions are what their notes are about."""
    made = import_files([os.environ["GOOGLEAPIS"]])
    assert {note.kind for note in made[0].notes} == {"service", "extension"}
    assert len(made) >= 7_291
    with tempfile.TemporaryDirectory() as folder:
        for name, text in made[0].files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        load_checked("".join(f'include "{name}"\n' for name in made[0].files), include_paths=[folder])
