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

from .peers import SCALARS, F, RandomFile, compare, fill, scalar

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


def _extended() -> tuple[str, descriptor_pb2.FileDescriptorProto]:
    """Returns a file whose message has an extension of each scalar type, once and repeated, and one of its own type."""
    file = descriptor_pb2.FileDescriptorProto(name="extended.proto", package="p.q", syntax="proto2")
    made = file.message_type.add(name="A")
    made.extension_range.add(start=100, end=1000)
    made.field.add(name="x1", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_INT32)
    inner = made.nested_type.add(name="In")
    own, outer = [], []
    for place, (type_, name) in enumerate(SCALARS.items()):
        outer.append(f"optional {name} one{place} = {100 + place};")
        file.extension.add(
            name=f"one{place}", number=100 + place, label=F.LABEL_OPTIONAL, type=type_, extendee=".p.q.A"
        )
        packed = place % 2 == 1 and type_ not in (F.TYPE_STRING, F.TYPE_BYTES)
        own.append(f"repeated {name} many{place} = {200 + place}{' [packed = true]' if packed else ''};")
        many = inner.extension.add(
            name=f"many{place}", number=200 + place, label=F.LABEL_REPEATED, type=type_, extendee=".p.q.A"
        )
        if packed:
            many.options.packed = True
    own.append("optional A x1 = 300;")
    inner.extension.add(
        name="x1", number=300, label=F.LABEL_OPTIONAL, type=F.TYPE_MESSAGE, type_name=".p.q.A", extendee=".p.q.A"
    )
    text = f"""
        syntax = "proto2"; package p.q;
        extend A {{ {" ".join(outer)} }}
        message A {{ optional int32 x1 = 1; extensions 100 to 999; message In {{ extend .p.q.A {{ {" ".join(own)} }} }} }}
    """
    return text, file


@pytest.mark.parametrize("seed", range(12))
def test_extensions(seed: int) -> None:
    text, file = _extended()
    made = import_idl(text, kind="proto")
    assert made.notes == ()
    ours: Any = made.module().A
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    theirs: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.q.A"))
    extensions = pool.FindAllExtensions(theirs.DESCRIPTOR)
    choose = random.Random(seed)

    def filled(depth: int) -> Any:
        message = theirs(x1=choose.randrange(9))
        for each in extensions:
            if choose.random() < 0.4:
                continue
            if each.is_repeated:
                message.Extensions[each].extend(scalar(each, choose) for _ in range(choose.randrange(4)))
            elif each.message_type is None:
                message.Extensions[each] = scalar(each, choose)
            elif depth:
                message.Extensions[each].CopyFrom(filled(depth - 1))
        return message

    def check(message: Any, found: Any) -> None:
        assert found.x1 == message.x1
        for each in extensions:
            # Another field of the message is called x1.
            value = getattr(found, "In_x1" if each.name == "x1" else each.name)
            if each.is_repeated:
                assert list(value) == list(message.Extensions[each])
            elif not message.HasExtension(each):
                assert value is None
            elif each.message_type is None:
                assert value == message.Extensions[each]
            else:
                check(message.Extensions[each], value)

    message = filled(2)
    data = message.SerializeToString(deterministic=True)
    found = ours.from_bytes(data)
    check(message, found)
    assert not found.unknown_fields
    assert theirs.FromString(found.to_bytes()) == message
    for value in samples(ours, 6):
        assert ours.from_bytes(theirs.FromString(value.to_bytes()).SerializeToString()) == value


@pytest.mark.parametrize("seed", range(12))
def test_groups_stay_in_the_bytes(seed: int) -> None:
    """Groups, and the items of message sets, are kept as they stand, nested ones too."""
    file = descriptor_pb2.FileDescriptorProto(name="groups.proto", package="p.q", syntax="proto2")
    made = file.message_type.add(name="A")
    group = made.nested_type.add(name="G")
    group.field.add(name="n", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_INT64)
    group.field.add(name="inner", number=7, label=F.LABEL_REPEATED, type=F.TYPE_GROUP, type_name=".p.q.A.G")
    made.field.add(name="x", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_INT32)
    made.field.add(name="g", number=2000, label=F.LABEL_REPEATED, type=F.TYPE_GROUP, type_name=".p.q.A.G")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    theirs = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.q.A"))
    imported = import_idl(
        'syntax = "proto2"; message A { optional int32 x = 1; '
        "repeated group G = 2000 { optional int64 n = 1; repeated group Inner = 7 { optional int64 n = 1; } } }",
        kind="proto",
    )
    assert {each.kind for each in imported.notes} == {"group"}
    ours: Any = imported.module().A
    message = theirs()
    fill(message, random.Random(seed), depth=4)
    data = message.SerializeToString(deterministic=True)
    found = ours.from_bytes(data)
    assert (found.x, bool(found.unknown_fields)) == (message.x if message.HasField("x") else None, bool(message.g))
    assert found.to_bytes() == data
    found.x = 5
    again = theirs.FromString(found.to_bytes())
    assert (again.x, list(again.g)) == (5, list(message.g))
