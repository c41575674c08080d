"""ZIP archives of the standard library, read from their end, changed, and checked by it."""

from __future__ import annotations

import io
import zipfile
import zlib

import pytest

from .gallery import Gallery

ZIP = Gallery("zip", oracle=False)
CONTENTS = {"a.txt": b"hello", "folder/ä": bytes(1000), "empty": b""}


def archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in CONTENTS.items():
            file.writestr(name, content, zipfile.ZIP_STORED if name == "a.txt" else None)
    return stream.getvalue()


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def test_archives_of_zipfile() -> None:
    found = ZIP.round_trip(archive())
    assert {member.name: member.content for member in found.members} == CONTENTS
    assert [entry.about.method for entry in found.directory.entries] == [0, 8, 8]


def test_renamed_and_added_members() -> None:
    z, found = ZIP.module, ZIP.round_trip(archive())
    members, entries = found.members, found.directory.entries
    entries[0].name = members[0].name = "a longer name.txt"
    new = b"0123456789" * 3
    about = z.Description(
        needs=20, flags=0, method=z.Method.STORED, time=0, date=0x21, crc=zlib.crc32(new), stored=30, inflated=30
    )
    members.append(z.Member(about=about, name="new", extra=b"", content=new))
    entries.append(
        z.Entry(
            made_by=20, about=about, internal_attributes=0, external_attributes=0, header_at=0, name="new", extra=b"",
            comment="",
        )
    )  # fmt: skip
    found.tail.num_entries = 4
    found.tail.directory_size = len(found.directory.to_bytes(4))
    # Places of members and of the directory are found again.
    data = found.to_bytes()
    assert contents(data) == {"a longer name.txt": b"hello", "folder/ä": bytes(1000), "empty": b"", "new": new}
    assert [each.name for each in ZIP.round_trip(data).members] == ["a longer name.txt", "folder/ä", "empty", "new"]


def test_checksums() -> None:
    with pytest.raises(ValueError, match="checksum"):
        ZIP.module.File.from_bytes(archive().replace(b"hello", b"hallo"))


def test_damage() -> None:
    data = archive()
    assert ZIP.refuses("File", data + b"\0")
    for place in range(len(data) - 22, len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x41
        assert ZIP.refuses("File", bytes(damaged)), place
    assert ZIP.damage(data) > 100
