"""tar archives of the standard library, read and changed by their declaration."""

from __future__ import annotations

import io
import tarfile

import pytest

from .gallery import Gallery

TAR = Gallery("tar")
CONTENTS = {"notes.txt": b"hello", "empty": b"", "exact": bytes(range(256)) * 2, "long/ä": b"x" * 1000}


def archive() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as file:
        for name, content in CONTENTS.items():
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode, info.uname = len(content), 1_700_000_000, 0o640, "someone"
            file.addfile(info, io.BytesIO(content))
        for name, kind in (("folder", tarfile.DIRTYPE), ("link", tarfile.SYMTYPE), ("tty", tarfile.CHRTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "notes.txt" if kind == tarfile.SYMTYPE else ""
            file.addfile(info)
    return stream.getvalue()


def contents(data: bytes) -> dict[str, bytes | None]:
    with tarfile.open(fileobj=io.BytesIO(data)) as file:
        return {
            member.name: file.extractfile(member).read() if member.isreg() else None  # type: ignore[union-attr]
            for member in file
        }


def test_archives_of_tarfile() -> None:
    data = archive()
    found = TAR.round_trip(data)
    assert {m.header.name: m.data for m in found.members if m.header.kind == TAR.module.Kind.FILE} == CONTENTS
    first = found.members[0].header
    assert (first.mode, first.modified, first.user_name) == (0o640, 1_700_000_000, "someone")
    assert found.members[5].header.link_name == "notes.txt"
    assert found.members[-1].header.name == ""


def test_renamed_and_rewritten_members() -> None:
    found = TAR.round_trip(archive())
    found.members[0].header.name = "renamed"
    found.members[2].data = b"shorter"
    found.members[2].header.data_size = 7
    data = found.to_bytes()
    names = ["renamed", *list(CONTENTS)[1:], "folder", "link", "tty"]
    assert list(contents(data)) == names
    wanted = {**CONTENTS, "renamed": b"hello", "exact": b"shorter"}
    assert contents(data) == {name: wanted.get(name) for name in names}
    assert TAR.read("File", data) == found


def test_sizes_are_checked_when_written() -> None:
    found = TAR.round_trip(archive())
    found.members[0].data += b"!"
    with pytest.raises(ValueError, match=r"members\[0\].*data"):
        found.to_bytes()


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"name": "a\0b"}, "name.raw: .*behind the text's end"),
        ({"name": "x" * 101}, "name.raw: 100 bytes are needed"),
        ({"mode": 8**7}, "mode.*2097152 does not fit 7 digits of base 8"),
        ({"user_id": 8**8}, "user_id"),
        ({"modified": -1}, "modified.*-1 does not fit 11 digits of base 8"),
    ],
)
def test_what_a_header_cannot_hold(changes: dict[str, object], rule: str) -> None:
    header = TAR.round_trip(archive()).members[0].header
    with pytest.raises(ValueError, match=rule):
        header.replace(**changes).to_bytes()
    assert TAR.module.Header.from_bytes(header.replace(mode=8**7 - 1, name="x" * 100).to_bytes()).mode == 8**7 - 1


def test_every_damaged_byte_of_a_header_is_refused() -> None:
    data = archive()
    backends = Gallery("tar", oracle=False)
    for place in range(512):
        damaged = bytearray(data)
        damaged[place] ^= 0x05
        # Blanks and NUL bytes around the digits of the checksum itself mean the same.
        assert backends.refuses("File", bytes(damaged)) or place in (154, 155), place
    assert backends.damage(data) > 60
    assert TAR.damage(data, rounds=15) > 4
