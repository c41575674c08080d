"""Messages of Google's protobuf without their schema."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import DecodeError

from .gallery import Gallery

descriptor_pb2 = pytest.importorskip("google.protobuf.descriptor_pb2")

PROTOBUF = Gallery("protobuf", magic=False)


def described() -> bytes:
    """The description of descriptor.proto itself."""
    found = descriptor_pb2.FileDescriptorProto()
    descriptor_pb2.DESCRIPTOR.CopyToProto(found)
    data: bytes = found.SerializeToString()
    return data


def by_number(message: Any, number: int) -> list[Any]:
    return [field.content for field in message.fields if field.number == number]


def test_messages() -> None:
    data = described()
    found = PROTOBUF.round_trip(data)
    expected = descriptor_pb2.FileDescriptorProto.FromString(data)
    assert [each.v for each in by_number(found, 1)] == [expected.name.encode()]
    names = [by_number(PROTOBUF.module.File.from_bytes(each.v), 1)[0].v.decode() for each in by_number(found, 4)]
    assert names == [each.name for each in expected.message_type]


def test_groups_and_fixed_numbers() -> None:
    data = bytes.fromhex("0b 1001 0c 15 01000000 19 0200000000000000")
    found = PROTOBUF.round_trip(data)
    assert [each.kind for each in (field.content for field in found.fields)] == ["GROUP", "FIXED32", "FIXED64"]
    with pytest.raises(DecodeError):
        PROTOBUF.module.File.from_bytes(b"\x0b\x10\x01\x14")


def test_an_edit_is_read_by_protobuf() -> None:
    found = PROTOBUF.module.File.from_bytes(described())
    by_number(found, 1)[0].v = b"another.proto"
    assert descriptor_pb2.FileDescriptorProto.FromString(PROTOBUF.write(found)).name == "another.proto"
    assert PROTOBUF.damage(described()[:600], rounds=60) > 5
