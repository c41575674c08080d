"""Archives that GNU cpio wrote."""

from __future__ import annotations

import pytest

from lakecodec import DecodeError

from ..paths import DATA
from .gallery import Gallery

CPIO = Gallery("cpio", magic=False, oracle=False)
FILES = {name: (DATA / "gallery" / f"{name}.cpio").read_bytes() for name in ("tree", "sums")}


@pytest.mark.parametrize("name", FILES)
def test_archives(name: str) -> None:
    members = {each.name: each for each in CPIO.round_trip(FILES[name]).members}
    assert list(members) == [".", "empty", "hello.txt", "link", "sub", "sub/data", "TRAILER!!!"]
    assert members["hello.txt"].content == b"hello\n"
    assert members["link"].content == b"hello.txt"
    assert members["sub/data"].content == bytes(range(200))
    assert members["sub/data"].checksum == (sum(range(200)) if name == "sums" else 0)
    assert (members["sub"].is_file, members["empty"].is_file) == (False, True)
    assert CPIO.damage(FILES[name], rounds=40) > 20


def test_an_edit_changes_sizes_and_sums() -> None:
    found = CPIO.module.File.from_bytes(FILES["sums"])
    found.members[2].content = b"something longer"
    found.members[2].name = "b"
    again = CPIO.module.File.from_bytes(CPIO.write(found))
    assert (again.members[2].checksum, again.members[2].file_size) == (sum(b"something longer"), 16)
    with pytest.raises(DecodeError, match="the checksum is another"):
        CPIO.module.File.from_bytes(FILES["sums"].replace(b"hello\n", b"jello\n"))
