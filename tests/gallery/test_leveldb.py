"""A sorted table, a log and a manifest that LevelDB wrote."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import DecodeError, EncodeError

from ..paths import TESTS
from .gallery import Gallery

LEVELDB = Gallery("leveldb", magic=False, oracle=False)
FILES = TESTS / "data" / "gallery"
TABLE = (FILES / "table.ldb").read_bytes()
LOG = (FILES / "leveldb_log.bin").read_bytes()


def entries(table: Any) -> list[Any]:
    return [each for block in table.blocks for run in block.content.runs for each in run.entries]


def test_tables() -> None:
    table = LEVELDB.round_trip(TABLE)
    # A key ends in the number of its change and what it was: 0 deleted it. The last change stands first.
    newest = {each.key[:-8]: each for each in reversed(entries(table))}
    assert {key: each.v for key, each in newest.items() if each.key[-8] == 1} == {
        b"key%05d" % n: b"value %d " % n * (n % 7 + 1) for n in range(120) if n % 9
    }
    assert {block.trailer.kind for block in table.blocks} == {1}
    assert LEVELDB.damage(TABLE, rounds=60) > 50


def test_an_edit_changes_places_and_checksums() -> None:
    table = LEVELDB.module.File.from_bytes(TABLE)
    edited = table.blocks[1].content.runs[0].entries[1]
    edited.v = b"longer than before"
    edited.n = len(edited.v)
    with pytest.raises(EncodeError, match=r"blocks\[1\]: it takes 4.. bytes at 394, but its place is 386"):
        table.to_bytes()
    more = int(str(_failed(table)).split("takes ")[1].split()[0]) - 386
    table.index.content.runs[1].entries[0].place.size += more
    data = table.to_bytes()
    assert len(data) == len(TABLE) + more
    again = LEVELDB.module.File.from_bytes(data)
    assert [(each.key, each.v) for each in entries(again)] == [(each.key, each.v) for each in entries(table)]
    assert [each.restarts for each in (block.content for block in again.blocks)][1][1] > 18


def _failed(table: Any) -> EncodeError:
    with pytest.raises(EncodeError) as failed:
        table.to_bytes()
    return failed.value


def test_a_checksum_of_a_block_with_its_kind() -> None:
    with pytest.raises(DecodeError, match=r"trailer\.crc"):
        LEVELDB.module.File.from_bytes(TABLE[:5] + b"!" + TABLE[6:]).to_dict()


@pytest.mark.parametrize("name", ["leveldb_log.bin", "MANIFEST.leveldb"])
def test_logs(name: str) -> None:
    data = (FILES / name).read_bytes()
    log = LEVELDB.read("Log", data)
    assert log.to_bytes() == data
    parts = [part for block in log.blocks for part in block.parts]
    assert [part.kind for part in parts] == ([1, 2, 4] if len(log.blocks) > 2 else [part.kind for part in parts])
    if name == "leveldb_log.bin":
        assert [len(block.parts) for block in log.blocks] == [2, 1]
        assert [part.kind for part in parts] == [1, 2, 4]
        assert b"x" * 39000 in b"".join(part.data for part in parts)


def test_zeros_after_the_last_part_of_a_block_are_kept() -> None:
    module = LEVELDB.module
    full = module.Part(kind=2, data=b"x" * (32768 - 7 - 5)).to_bytes() + bytes(5)
    data = full + module.Part(kind=4, data=b"end").to_bytes()
    log = module.Log.from_bytes(data)
    assert log.blocks[0].pad == bytes(5)
    assert log.to_bytes() == data
    with pytest.raises(DecodeError, match=r"blocks\[0\]\.pad: bytes that are not zero follow the parts"):
        module.Log.from_bytes(full[:-1] + b"x" + data[32768:]).to_dict()
