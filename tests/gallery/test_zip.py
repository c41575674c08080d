"""ZIP archives of the standard library and of Info-ZIP, with ZIP64 and without: read, changed, and checked by both."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from .gallery import Gallery

ZIP = Gallery("zip")
CONTENTS = {"a.txt": b"hello", "folder/b": bytes(1000), "empty": b""}


class Pipe(io.RawIOBase):
    """A stream that cannot go back, so that sizes stand behind the data."""

    def __init__(self) -> None:
        self.data = io.BytesIO()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return self.data.write(data)


def archive(*, wide: bool = False, pipe: bool = False) -> bytes:
    stream: Any = Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content in CONTENTS.items():
            method = zipfile.ZIP_STORED if name == "a.txt" else zipfile.ZIP_DEFLATED
            info = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            info.compress_type = method
            with file.open(info, "w", force_zip64=wide) as member:
                member.write(content)
    data: bytes = (stream.data if pipe else stream).getvalue()
    return data


def by_tool(folder: Path, *options: str, given: bytes | None = None) -> bytes:
    if shutil.which("zip") is None:
        pytest.skip("Info-ZIP is needed")
    for name, content in CONTENTS.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    command = ["zip", "-q", *options, "made.zip", *(["-"] if given is not None else CONTENTS)]
    subprocess.run(command, cwd=folder, check=True, input=given)
    return (folder / "made.zip").read_bytes()


def contents(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def unzip_accepts(data: bytes, folder: Path) -> bool:
    (folder / "judged.zip").write_bytes(data)
    if shutil.which("unzip") is None:
        pytest.skip("Info-ZIP is needed")
    run = subprocess.run(["unzip", "-t", "judged.zip"], cwd=folder, capture_output=True, check=False)
    return run.returncode == 0


def member(name: str, content: bytes) -> tuple[Any, Any]:
    """A new member that is stored, and its entry in the directory."""
    z = ZIP.module
    about = z.Description(
        needs=20, flags=0, method=z.Method.STORED, time=0, date=0x21, crc=zlib.crc32(content), stored=len(content),
        inflated=len(content),
    )  # fmt: skip
    entry = z.Entry(
        made_by=20, about=about, internal_attributes=0, external_attributes=0, name=name, extra=z.Extra(fields=[]),
        comment="",
    )  # fmt: skip
    return z.Member(about=about, name=name, extra=z.Extra(fields=[]), content=content), entry


@pytest.mark.parametrize("pipe", [False, True])
@pytest.mark.parametrize("wide", [False, True])
def test_archives_of_zipfile(wide: bool, pipe: bool) -> None:
    found = ZIP.round_trip(archive(wide=wide, pipe=pipe))
    assert {member.name: member.content for member in found.members} == CONTENTS
    assert [entry.about.method for entry in found.directory.entries] == [0, 8, 8]
    assert [len(member.extra.fields) for member in found.members] == [int(wide)] * 3
    assert [member.descriptor is not None for member in found.members] == [pipe] * 3
    assert found.tail64 is None


def test_wide_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive as it is written where there are more members, and larger ones, than 16 and 32 bits can say."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 60)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    data = archive(wide=True)
    found = ZIP.round_trip(data)
    assert (found.tail64.num_entries, found.tail64.directory_at) == (3, data.index(b"PK\1\2"))
    assert [entry.header_at == 0xFFFFFFFF for entry in found.directory.entries] == [False, False, True]
    wide = found.directory.entries[1].extra.fields[0].content
    assert (wide.inflated, found.directory.entries[1].about.inflated) == (1000, 0xFFFFFFFF)
    assert {member.name: member.content for member in found.members} == CONTENTS
    # What is not there itself, but in the field of ZIP64, must be right there.
    found.directory.entries[2].extra.fields[0].content.start += 1
    with pytest.raises(ValueError, match=r"members\[2\]: .* its place is"):
        found.to_bytes()


@pytest.mark.parametrize("options", [(), ("-fz",), ("-0",)])
def test_archives_of_info_zip(tmp_path: Path, options: tuple[str, ...]) -> None:
    found = ZIP.round_trip(by_tool(tmp_path, *options))
    assert {member.name: member.content for member in found.members} == CONTENTS
    assert (found.tail64 is not None) == (options == ("-fz",))
    new, entry = member("new", b"0123456789")
    found.members.append(new)
    found.directory.entries.append(entry)
    data = found.to_bytes()
    assert contents(data) == {**CONTENTS, "new": b"0123456789"}
    assert unzip_accepts(data, tmp_path)
    assert ZIP.round_trip(data).members[3].name == "new"


def test_archive_from_a_pipe(tmp_path: Path) -> None:
    """Its end says all, and ZIP64's as well."""
    found = ZIP.round_trip(by_tool(tmp_path, given=b"words"))
    assert (found.tail.num_entries, found.tail64.num_entries, found.members[0].content) == (1, 1, b"words")
    found.directory.entries[0].comment = "a comment moves what follows"
    data = found.to_bytes()
    assert unzip_accepts(data, tmp_path)
    assert contents(data) == {"-": b"words"}


def test_renamed_and_added_members(tmp_path: Path) -> None:
    found = ZIP.round_trip(archive())
    members, entries = found.members, found.directory.entries
    entries[0].name = members[0].name = "ä longer name.txt"
    entries[0].about.flags = members[0].about.flags = 0x800
    new, entry = member("new", b"0123456789" * 3)
    members.append(new)
    entries.append(entry)
    # Numbers, places and sizes of members and of the directory are found again.
    data = found.to_bytes()
    wanted = {"ä longer name.txt": b"hello", "folder/b": bytes(1000), "empty": b"", "new": b"0123456789" * 3}
    assert contents(data) == wanted
    assert unzip_accepts(data, tmp_path)
    assert {each.name: each.content for each in ZIP.round_trip(data).members} == wanted


def test_checksums() -> None:
    with pytest.raises(ValueError, match="checksum"):
        ZIP.module.File.from_bytes(archive().replace(b"hello", b"hallo"))


def test_damage(tmp_path: Path) -> None:
    data = archive()
    assert ZIP.refuses("File", data + b"\0")
    for place in range(len(data) - 22, len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x41
        assert ZIP.refuses("File", bytes(damaged)), place
    assert ZIP.damage(data) > 100
    assert ZIP.damage(archive(wide=True, pipe=True), rounds=60) > 30
    assert ZIP.damage(by_tool(tmp_path, "-fz"), rounds=90) > 50
