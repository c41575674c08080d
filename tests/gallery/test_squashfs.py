"""Images that mksquashfs made."""

from __future__ import annotations

import pytest

from lakecodec import EncodeError

from ..oracle.backends import BACKENDS, running
from ..paths import TESTS
from .gallery import Gallery

SQUASHFS = Gallery("squashfs", oracle=False)
FILES = {name: (TESTS / "data" / "gallery" / f"{name}.squashfs").read_bytes() for name in ("xz", "zlib", "many")}


@pytest.mark.parametrize("name", ["xz", "zlib"])
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
    names = [name for listing in found.listings.all for group in listing.groups for name in group.names]
    next(name for name in names if name.name == b"file001").name = b"FILE001"
    with pytest.raises(EncodeError, match=r"directories: it takes \d+ bytes at \d+, but its place is \d+ bytes"):
        found.to_bytes()


def test_references_into_joined_blocks() -> None:
    found = SQUASHFS.round_trip(FILES["many"])
    assert [block.start for block in found.inodes.all] == [0, 645, 1231]
    assert len(found.directories.all) == 2
    # The root's inode stands in the third block, and is the last of all.
    assert found.root >> 16 == 1231
    assert found.root_folder.inode == found.inode_table.all[-1]
    few, many, root = found.listings.all
    assert [name.name for name in root.groups[0].names] == [b"few"]
    names = [name for group in many.groups for name in group.names]
    assert [name.name for name in names] == [b"file%04d" % n for n in range(600)]
    # Each name refers to the inode of a file.
    starts = [block.start for block in found.inodes.all]
    joined = b"".join(block.data for block in found.inodes.all)
    sizes = []
    for group in few.groups:
        for name in group.names:
            place = starts.index(group.start) * 8192 + name.offset
            inode = SQUASHFS.module.Inode.read(joined, place, found.block_size)
            sizes.append((inode[0] if isinstance(inode, tuple) else inode).content.file_size)
    assert sizes == [0, 50, 100, 150, 200]


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_laid_over_blocks_agrees_with_them(backend: str) -> None:
    with running(backend):
        found = SQUASHFS.module.File.from_bytes(FILES["many"])
        found.root_folder.inode.mode = 0o700
        with pytest.raises(EncodeError, match=r"root_folder: its bytes differ at 19[0-9]+ from those of the fields"):
            found.to_bytes()
        found = SQUASHFS.module.File.from_bytes(FILES["many"])
        block = found.inodes.all[0]
        block.data = block.data[:2] + b"\xff" + block.data[3:]
        with pytest.raises(EncodeError, match="inode_table: its bytes differ at 2 from those of the fields"):
            found.to_bytes()
