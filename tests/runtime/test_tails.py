"""The ends of local files, read by both backends."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lakecodec.runtime import file_tails as tails
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.file_tails import HEAD_SIZE, pure_fill
from lakecodec.runtime.ranges import open_ranges
from lakecodec.runtime.tail_cache import TAIL_SIZE, TailCache

from ..parquet.tails import read_tails

HEADS = memoryview(bytearray(64))
FOUND = memoryview(bytearray(24)).cast("q")
SIZES = [0, 1, 1000, TAIL_SIZE - 1, TAIL_SIZE, TAIL_SIZE + 1, 3 * TAIL_SIZE]
FILLS: list[Any] = [pure_fill]
if tails.BACKEND == "native":
    FILLS.append(tails.fill)


@pytest.fixture(params=FILLS, ids=["pure", "native"][: len(FILLS)])
def fill(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(tails, "fill", request.param)
    return request.param


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    found = []
    for number, size in enumerate(SIZES):
        path = tmp_path / f"{number} é.bin"
        path.write_bytes(os.urandom(size))
        found.append(str(path))
    return found


def test_same_as_one_after_the_other(fill: Any, paths: list[str]) -> None:
    room = memoryview(bytearray(len(paths) * TAIL_SIZE))
    for path, found in zip(paths, read_tails(paths, room), strict=True):
        assert isinstance(found, TailCache)
        with open_ranges(path) as ranges:
            expected = TailCache(ranges)
            assert (found.name, found.size, found.start, found.reads) == (path, expected.size, expected.start, 1)
            assert bytes(found.read(found.start, found.size - found.start)) == bytes(
                expected.read(found.start, found.size - found.start)
            )
        found.extend(0)
        assert bytes(found.read(0, found.size)) == Path(path).read_bytes()


@pytest.mark.parametrize("length", [1, 999, TAIL_SIZE])
def test_fewer_bytes_at_first(fill: Any, paths: list[str], length: int) -> None:
    found = read_tails(paths, memoryview(bytearray(len(paths) * length)), length)
    for number, (path, tail) in enumerate(zip(paths, found, strict=True)):
        data = Path(path).read_bytes()
        size, held, error = found.filled[3 * number : 3 * number + 3]
        assert (size, held, error) == (len(data), min(length, len(data)), 0)
        assert found.room[number * length :][:held] == data[len(data) - held :]
        assert found.heads[number * HEAD_SIZE :][: min(HEAD_SIZE, size)] == data[:HEAD_SIZE]
        assert isinstance(tail, TailCache)
        assert (tail.start, tail.read(tail.start, size - tail.start)) == (max(0, size - TAIL_SIZE), data[-TAIL_SIZE:])
    os.remove(paths[-1])
    assert isinstance(found[-1], FileNotFoundError) == (length < TAIL_SIZE)


def test_errors_stay_with_their_files(fill: Any, paths: list[str], tmp_path: Path) -> None:
    asked = [paths[2], str(tmp_path / "nothing"), str(tmp_path), paths[3]]
    found = read_tails(asked, memoryview(bytearray(4 * TAIL_SIZE)))
    assert isinstance(found[0], TailCache)
    assert isinstance(found[3], TailCache)
    for number, kind in ((1, FileNotFoundError), (2, IsADirectoryError)):
        assert type(found[number]) is kind
        with pytest.raises(kind) as caught:
            open_ranges(asked[number])
        assert str(found[number]) == str(caught.value)


def test_files_that_shrink(fill: Any, paths: list[str]) -> None:
    (found,) = read_tails(paths[-1:], memoryview(bytearray(TAIL_SIZE)))
    assert isinstance(found, TailCache)
    os.truncate(paths[-1], 100)
    with pytest.raises(DecodeError, match="ends early") as caught:
        found.extend(0)
    assert (caught.value.path, caught.value.offset) == (paths[-1], 100)


def test_a_file_that_gives_less_than_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(paths: Any, room: Any, length: int, heads: Any, found: memoryview) -> None:
        found[0], found[1] = TAIL_SIZE + 5, 7

    monkeypatch.setattr(tails, "fill", fill)
    (found,) = read_tails(["some"], memoryview(bytearray(TAIL_SIZE)))
    assert isinstance(found, DecodeError)
    assert (found.path, found.offset) == ("some", 12)


def test_wrong_arguments(fill: Any, paths: list[str]) -> None:
    with pytest.raises(ValueError, match="null byte"):
        read_tails(["a\0b"], memoryview(bytearray(TAIL_SIZE)))
    assert list(read_tails([], memoryview(bytearray()))) == []


@pytest.mark.skipif(tails.BACKEND == "pure", reason="nothing was built")
def test_rooms_that_are_too_small() -> None:
    with pytest.raises(ValueError, match="room"):
        tails.fill(["a", "b"], memoryview(bytearray(7)), 4, HEADS, FOUND)
    with pytest.raises(ValueError, match="room"):
        tails.fill(["a"], memoryview(bytearray(7)), 0, HEADS, FOUND)
    with pytest.raises(ValueError, match="heads"):
        tails.fill(["a"], memoryview(bytearray(7)), 4, memoryview(bytearray()), FOUND)
    with pytest.raises(ValueError, match="found"):
        tails.fill(["a"], memoryview(bytearray(7)), 4, HEADS, FOUND[:2])
    with pytest.raises((BufferError, TypeError, ValueError)):
        tails.fill(["a"], memoryview(b"1234"), 4, HEADS, FOUND)


@pytest.mark.parametrize("states", [tails.pure_states, tails.states])
def test_states_of_files(states: Any, tmp_path: Path) -> None:
    path = tmp_path / "ä"
    path.write_bytes(b"four")
    os.utime(path, ns=(0, -1_500_000_001))
    found = np.empty((4, 4), np.int64)
    states([os.fsencode(path), os.fsencode(tmp_path / "gone"), b"a\0b", os.fsencode(tmp_path)], found)
    stat = path.stat()
    assert found[0].tolist() == [4, stat.st_ctime_ns, stat.st_ino, -1_500_000_001]
    assert (found[1:3] == -1).all()
    assert found[3, 2] == tmp_path.stat().st_ino
    with pytest.raises(ValueError, match="room"):
        states([b"x"], found)
