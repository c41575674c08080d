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
from google.protobuf.message import DecodeError as PeerError

from lakecodec import DecodeError, samples
from lakecodec.generator.compile import load_checked
from lakecodec.importing import Imported, import_files, import_idl

from .peers import SCALARS, F, RandomFile, compare, compare_extensions, fill, fill_extensions, scalar, unknown

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


@pytest.mark.parametrize("seed", range(60))
def test_random_files(seed: int, tmp_path: Path) -> None:
    """Random messages agree both ways, with groups, extensions of this file and of another one, and unknown fields."""
    near = RandomFile(seed)
    parts = [near] if near.far is None else [near, near.far]
    pool = descriptor_pool.DescriptorPool()
    for each in parts:
        (tmp_path / each.descriptor.name).write_text(each.text)
        pool.Add(each.descriptor)
    imported = import_files([tmp_path / each.descriptor.name for each in parts])
    assert not imported[0].notes
    assert not any(reason for each in imported for reason in each.writable.values())
    module, far = imported[0].module(), imported[-1].module()
    for name in ("A", "B", "A.Inner"):
        theirs: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName(f"p.q.{name}"))
        ours = getattr(module, name.replace(".", "_"))
        found = pool.FindAllExtensions(theirs.DESCRIPTOR)
        assert bool(found) == (name in near.extended)
        own, others = ([each for each in found if (each.number < 2000) == is_own] for is_own in (True, False))
        choose = random.Random(seed)
        for _ in range(6):
            message = theirs()
            fill(message, choose)
            fill_extensions(message, found, choose)
            message.MergeFromString(unknown(choose))
            check_extended(message, own, others, ours, module, far)
        for value in samples(ours, 6):
            data = theirs.FromString(value.to_bytes()).SerializeToString()
            assert ours.from_bytes(data) == value


def check_extended(message: Any, own: list[Any], others: list[Any], ours: Any, module: Any, far: Any) -> None:
    """Checks a message whose extensions of another file are the message `..._Extensions` of that file."""
    data = message.SerializeToString(deterministic=True)
    value = ours.from_bytes(data)
    compare(message, value, module)
    compare_extensions(message, own, value, module)
    if others:
        extended = getattr(far, f"{ours.__name__}_Extensions").from_bytes(value.unknown_fields)
        compare_extensions(message, others, extended, far)
        value.unknown_fields = extended.to_bytes()
        assert len(extended.unknown_fields) <= len(value.unknown_fields)
    elif not own:
        assert value.to_bytes() == data
    back = type(message).FromString(value.to_bytes())
    assert back.SerializeToString(deterministic=True) == data


@pytest.mark.timeout(7200)
@pytest.mark.skipif("GOOGLEAPIS" not in os.environ, reason="GOOGLEAPIS names no checkout")
def test_all_of_googleapis() -> None:
    """All 7,291 files of googleapis f8291d2 import and compile; services are what their notes are about."""
    made = import_files([os.environ["GOOGLEAPIS"]])
    assert {note.kind for note in made[0].notes} == {"service"}
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
def test_message_sets(seed: int) -> None:
    """A message set has its extensions as items, in the order of the bytes, with those that nobody knows."""
    file = descriptor_pb2.FileDescriptorProto(name="sets.proto", package="p.q", syntax="proto2")
    made = file.message_type.add(name="Set")
    made.options.message_set_wire_format = True
    made.extension_range.add(start=4, end=(1 << 31) - 1)
    part = file.message_type.add(name="Part")
    part.field.add(name="n", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_INT64)
    for number in (100, (1 << 31) - 2):
        part.extension.add(
            name=f"e{number}", number=number, label=F.LABEL_OPTIONAL, type=F.TYPE_MESSAGE, type_name=".p.q.Part",
            extendee=".p.q.Set",
        )  # fmt: skip
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    theirs: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName("p.q.Set"))
    imported = import_idl(
        """syntax = "proto2"; package p.q;
        message Set { option message_set_wire_format = true; extensions 4 to max; }
        message Part { optional int64 n = 1; extend Set { optional Part e100 = 100; optional Part last = 2147483646; } }""",
        kind="proto",
    )
    assert not imported.notes
    module: Any = imported.module()
    choose = random.Random(seed)
    message = theirs()
    extensions = choose.sample(pool.FindAllExtensions(theirs.DESCRIPTOR), choose.randrange(3))
    for each in extensions:
        message.Extensions[each].n = choose.randrange(1 << 40)
    value = module.Set.from_bytes(message.SerializeToString())
    assert {item.type_id: module.Part.from_bytes(item.message).n for item in value.items} == {
        each.number: message.Extensions[each].n for each in extensions
    }
    assert theirs.FromString(value.to_bytes()) == message
    value.items.append(module.Set_Item(type_id=77, message=b"\x08\x01"))
    back = theirs.FromString(value.to_bytes()).SerializeToString()
    assert len(module.Set.from_bytes(back).items) == len(extensions) + 1


def test_texts_that_are_not_utf8() -> None:
    """Texts must be UTF-8; proto2 of Google's leaves that to whoever asks for them, as ``text`` does here."""
    data = b"\x0a\x02\xff\xfe"
    for syntax in ("proto2", "proto3"):
        file = descriptor_pb2.FileDescriptorProto(name="texts.proto", syntax=syntax)
        file.message_type.add(name="A").field.add(name="s", number=1, label=F.LABEL_OPTIONAL, type=F.TYPE_STRING)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        theirs: Any = message_factory.GetMessageClass(pool.FindMessageTypeByName("A"))
        module: Any = import_idl(f'syntax = "{syntax}"; message A {{ optional string s = 1; }}', kind="proto").module()
        with pytest.raises(DecodeError, match="UTF-8"):
            module.A.from_bytes(data)
        for policy in ("surrogateescape", "bytes"):
            assert module.A.from_bytes(data, text=policy).to_bytes(text=policy) == data
        if syntax == "proto3":
            with pytest.raises(PeerError):
                theirs.FromString(data)
        else:
            assert theirs.FromString(data).SerializeToString() == data
