"""The index of a pack that git wrote; its hashes are in order, counted, and summed."""

from __future__ import annotations

import hashlib

import pytest

from lakecodec import DecodeError, EncodeError

from ..paths import DATA
from .gallery import Gallery

PACK = Gallery("git_pack_index", oracle=False)
FILE = (DATA / "gallery" / "pack.idx").read_bytes()


def test_an_index() -> None:
    found = PACK.round_trip(FILE)
    assert len(found.hashes) == 36
    # What git show-index says of the first object.
    assert (found.hashes[0].digest.hex(), found.offsets[0]) == ("090d4ea8b37dd3b8e5ccaa3149e171c664c8809d", 1455)
    assert found.checksums[0] == 0x52BF69B4
    assert PACK.damage(FILE, rounds=40) > 35


def test_an_edit() -> None:
    found = PACK.module.File.from_bytes(FILE)
    found.offsets[0] += 1
    data = PACK.write(found)
    assert data[-20:] == hashlib.sha1(data[:-20]).digest()
    first = found.hashes[0].digest[0]
    del found.hashes[0], found.checksums[0], found.offsets[0]
    with pytest.raises(EncodeError, match="hashes"):
        found.to_bytes()
    found.fan_out[first:] = [count - 1 for count in found.fan_out[first:]]
    assert len(PACK.module.File.from_bytes(PACK.write(found)).hashes) == 35
    found.hashes[0], found.hashes[1] = found.hashes[1], found.hashes[0]
    with pytest.raises(EncodeError, match=r"the hash is counted otherwise|hashes are not in order"):
        found.to_bytes()
    with pytest.raises(DecodeError):
        PACK.module.File.from_bytes(FILE[:8] + b"\0\0\0\1" + FILE[12:])
