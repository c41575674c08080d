"""Images that mksquashfs made."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError

from ..paths import TESTS
from .gallery import Gallery

SQUASHFS = Gallery("squashfs", oracle=False)
FILES = {path.stem: path.read_bytes() for path in sorted((TESTS / "data" / "gallery").glob("*.squashfs"))}


@pytest.mark.parametrize("name", FILES)
def test_images(name: str) -> None:
    found = SQUASHFS.round_trip(FILES[name])
    # Folders, files of which two share an inode, a link.
    assert found.num_inodes == 3 + 63 + 1
    names = b"".join(block.data for block in found.directories.all)
    assert all(b"file%03d" % n in names for n in range(60))
    assert found.ids[0].data == bytes(4)
    assert SQUASHFS.damage(FILES[name], rounds=40) > 5


def test_an_edit_that_moves_what_others_point_to_is_refused() -> None:
    found = SQUASHFS.module.File.from_bytes(FILES["zlib"])
    found.modified = 5
    assert SQUASHFS.module.File.from_bytes(SQUASHFS.write(found)).modified == 5
    block = found.directories.all[0]
    block.data = block.data.replace(b"file001", b"FILE001")
    with pytest.raises(EncodeError, match=r"directories: it takes \d+ bytes at \d+, but its place is \d+ bytes"):
        found.to_bytes()
