"""Imported formats: files of Kaitai's gallery beside Kaitai's Python runtime, descriptors beside Google's protobuf (upb).

CPU time of this process.

Kaitai's classes are what its compiler made of the same .ksy files. Both sides give all fields and instances of a file; ours has
checked more of them. The values are the same: tests/importing compares them.
"""

from __future__ import annotations

import importlib
import io
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2
from kaitaistruct import KaitaiStream, KaitaiStruct

from lakecodec import import_idl
from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.records.values import Fields
from tests.importing import kaitai_specs
from tests.importing.kaitai_golden import ARCHIVE, compiled_class
from tests.importing.test_kaitai_gallery import _PARTS

from .harness import Result, compare


def run(quick: bool) -> list[Result]:
    repeat = 3 if quick else 9
    return [*_gallery(repeat), *_descriptors(repeat)]


def _gallery(repeat: int) -> list[Result]:
    files: list[tuple[Any, Any, bytes]] = []
    larger: dict[str, tuple[Any, Any, bytes]] = {}
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
        sys.path.append(f"{folder}/compiled")
        for path in sorted((Path(folder) / "files").iterdir()):
            name = path.name.partition(".")[2]
            if name in _PARTS:
                continue
            made = import_idl(next((Path(folder) / "formats").rglob(f"{name}.ksy")))
            ours = getattr(made.module(), str(made.root))
            theirs = compiled_class(Path(folder) / "compiled" / f"{name}.py")
            data = path.read_bytes()
            files.append((ours, theirs, data))
            if name in _LARGER:
                larger[name] = ours, theirs, _LARGER[name](data)
    results = _compared(f"{len(files)} files of {len({each[0] for each in files})} formats", files, repeat)
    for name, each in larger.items():
        results += _compared(name, [each], repeat)
    return results


#: Files of their own rows: 500 times the packets, and a picture with a table of colors.
_LARGER: dict[str, Callable[[bytes], bytes]] = {
    "pcap": lambda data: data[:24] + data[24:] * 500,
    "bmp": lambda data: data,
}


def _compared(title: str, files: list[tuple[Any, Any, bytes]], repeat: int) -> list[Result]:
    title = f"{title}, {sum(len(data) for _, _, data in files):,} bytes"
    readers = {
        "ours": lambda visit=None: [_seen(kaitai_specs.read(ours, data), visit) for ours, _, data in files],
        "kaitaistruct": lambda visit=None: [
            _seen(theirs(KaitaiStream(io.BytesIO(data))), visit) for _, theirs, data in files
        ],
    }
    visits = {"ours": _visit, "kaitaistruct": _visit_kaitai}
    results = compare(f"decode {title}", readers, repeat=repeat, clock=time.process_time)
    both = {who: partial(read, visits[who]) for who, read in readers.items()}
    return results + compare(f"and visit all: {title}", both, repeat=repeat, clock=time.process_time)


def _seen(value: Any, visit: Callable[[Any], None] | None) -> None:
    if visit is not None:
        visit(value)


def _visit(value: Any) -> None:
    """Looks at all fields and computed attributes, as `_visit_kaitai`."""
    _walk(value, Fields, lambda each: each.__rows__, CodecError)


def _visit_kaitai(value: Any) -> None:
    """Looks at all fields and instances; what Kaitai cannot read is no value."""
    _walk(value, KaitaiStruct, _kaitai_names, Exception)


def _kaitai_names(value: Any) -> Iterable[str]:
    return (*[name for name in vars(value) if name[0] != "_"], *_instances(type(value)))


def _walk(value: Any, kind: type[Any], names: Callable[[Any], Iterable[str]], unreadable: type[Exception]) -> None:
    for name in names(value):
        try:
            inner = getattr(value, name)
        except unreadable:
            continue
        if isinstance(inner, kind):
            _walk(inner, kind, names, unreadable)
        elif isinstance(inner, list) and inner and isinstance(inner[0], kind):
            for each in inner:
                _walk(each, kind, names, unreadable)


@cache
def _instances(cls: type[Any]) -> tuple[str, ...]:
    return tuple(name for name, each in vars(cls).items() if isinstance(each, property))


def _descriptors(repeat: int) -> list[Result]:
    """The descriptors of googleapis' common files, as one message of the imported descriptor.proto."""
    made = import_idl(
        'import "google/protobuf/descriptor.proto";\n'
        "message Holder { optional google.protobuf.FileDescriptorSet held = 1; }",
        kind="proto",
    )
    ours = type(made.module().Holder.from_bytes(b"\x0a\x00").held)
    found = descriptor_pb2.FileDescriptorSet()
    for each in metadata.distribution("googleapis-common-protos").files or ():
        if str(each).endswith(".proto"):
            name = str(each).removesuffix(".proto").replace("/", ".") + "_pb2"
            importlib.import_module(name).DESCRIPTOR.CopyToProto(found.file.add())
    data = found.SerializeToString()
    own = ours.from_bytes(data)
    assert _visit_descriptors(own) == _visit_descriptors(found)
    # What was looked at is written again; nothing of it is copied.
    assert len(own.to_bytes()) == len(data)
    cases: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "parse and visit": (
            lambda: _visit_descriptors(ours.from_bytes(data)),
            lambda: _visit_descriptors(descriptor_pb2.FileDescriptorSet.FromString(data)),
        ),
        "serialize": (own.to_bytes, found.SerializeToString),
    }
    results: list[Result] = []
    for name, (mine, other) in cases.items():
        title = f"{name}: imported descriptor.proto, {len(found.file)} files, {len(data):,} bytes"
        results += compare(title, {"ours": mine, "protobuf": other}, repeat=repeat, clock=time.process_time)
    return results


def _visit_descriptors(files: Any) -> int:
    """Returns a sum over names, numbers, labels and types of all messages, fields and enums."""
    total = 0
    for file in files.file:
        total += len(file.name) + len(file.package) + len(file.dependency)
        total += sum(map(_message, file.message_type)) + sum(map(_enum, file.enum_type))
    return total


def _message(message: Any) -> int:
    total = len(message.name)
    for field in message.field:
        total += len(field.name) + field.number + field.label + field.type
    return total + sum(map(_message, message.nested_type)) + sum(map(_enum, message.enum_type))


def _enum(enum: Any) -> int:
    return len(enum.name) + sum(len(each.name) + each.number for each in enum.value)
