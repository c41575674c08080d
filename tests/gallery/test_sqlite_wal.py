"""A write-ahead log that SQLite wrote, and reads after a change: each sum goes on from the one before."""

from __future__ import annotations

import pytest

from lakecodec import DecodeError

from ..paths import DATA
from .gallery import Gallery

WAL = Gallery("sqlite_wal", magic=False, oracle=False)
FILE = (DATA / "gallery" / "changes.wal").read_bytes()


def test_logs() -> None:
    found = WAL.round_trip(FILE)
    assert found.page_size == 512
    assert [frame.page for frame in found.frames] == [1, 2, 2, 3] or len(found.frames) == 4
    assert found.frames[-1].num_pages > 0
    with pytest.raises(DecodeError, match=r"frames\[1\]\.sums: the checksum is another"):
        WAL.module.File.from_bytes(FILE[:700] + b"!" + FILE[701:])
    assert WAL.damage(FILE, rounds=40) > 35


def test_an_edit_changes_all_sums_behind_it() -> None:
    found = WAL.module.File.from_bytes(FILE)
    before = [frame.sums for frame in found.frames]
    found.frames[1].content = found.frames[1].content[:-1] + b"!"
    again = WAL.module.File.from_bytes(WAL.write(found))
    sums = [frame.sums for frame in again.frames]
    assert sums[0] == before[0]
    assert all(one != other for one, other in zip(sums[1:], before[1:], strict=True))
