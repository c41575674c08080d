"""ZIP archives of the standard library, read from their end and changed by their declaration."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from ..oracle.both import Format
from . import deflate as _externs  # noqa: F401  (names in zip.idl)

ZIP = Format(Path(__file__).with_name("zip.idl"))
CONTENTS = {"a.txt": b"hello", "folder/ä": bytes(1000), "empty": b""}


def archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in CONTENTS.items():
            file.writestr(name, content, zipfile.ZIP_STORED if name == "a.txt" else None)
    return stream.getvalue()


def members(data: bytes) -> list[tuple[Any, Any]]:
    """(entry, member) of all members."""
    found, node = ZIP.read_both("Archive", data)
    entries = zip(found.directory.entries, node.walk("directory.entries"), strict=True)
    return [(ours, ZIP.read_both("Member", data, (ours,), (theirs,))[0].file) for ours, theirs in entries]


def assembled(parts: list[tuple[Any, Any]]) -> bytes:
    """An archive of entries and members."""
    z, data = ZIP.module, bytearray()
    for entry, member in parts:
        entry.header_at = len(data)
        data += member.to_bytes(entry)
    directory = z.Directory(entries=[entry for entry, _ in parts])
    size = len(directory.to_bytes(len(parts)))
    tail = z.Tail(num_entries=len(parts), directory_size=size)
    return bytes(data + z.Archive(directory=directory, tail=tail).to_bytes(start=len(data)))


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def test_archives_of_zipfile() -> None:
    data = archive()
    found = members(data)
    assert {member.name: member.content for _, member in found} == CONTENTS
    assert [entry.about.method for entry, _ in found] == [0, 8, 8]
    assert assembled(found) == data


def test_renamed_and_added_members() -> None:
    (entry, member), *others = members(archive())
    entry.name = member.name = "renamed.txt"
    new = b"0123456789" * 3
    z = ZIP.module
    about = z.Description(
        needs=20, flags=0, method=z.Method.STORED, time=0, date=0x21, crc=zlib.crc32(new), stored=30, inflated=30
    )
    added = z.Entry(
        made_by=20,
        about=about,
        internal_attributes=0,
        external_attributes=0,
        header_at=0,
        name="new",
        extra=b"",
        comment="",
    )
    file = z.LocalFile(about=about, name="new", extra=b"", content=new)
    data = assembled([(entry, member), *others, (added, file)])
    assert contents(data) == {"renamed.txt": b"hello", "folder/ä": bytes(1000), "empty": b"", "new": new}
    assert [each.name for each, _ in members(data)] == ["renamed.txt", "folder/ä", "empty", "new"]


def test_damage() -> None:
    data = archive()
    assert ZIP.refuses("Archive", data + b"\0")
    for place in range(len(data) - 22, len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x41
        assert ZIP.refuses("Archive", bytes(damaged)), place
    with pytest.raises(ValueError, match="checksum"):
        members(data.replace(b"hello", b"hallo"))
