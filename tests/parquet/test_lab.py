"""Candidates for Parquet's next footer: footers of many files, turned into each and back, and columns that are found in them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from lakecodec import DecodeError, parquet
from lakecodec.generated.parquet import FileMetaData
from lakecodec.parquet.lab import CANDIDATES, Candidate, Chunk, Reads
from lakecodec.parquet.schema import leaf_paths
from lakecodec.runtime.ranges import MemoryReader

from ..oracle.backends import BACKENDS, running
from .files import FILES

_ROOT = os.environ.get("PARQUET_TEST_DATA")
CORPUS = sorted(Path(_ROOT).glob("data/*.parquet")) if _ROOT else []
NAMES = list(CANDIDATES)


@cache
def footer(name: str) -> FileMetaData:
    return parquet.read_metadata(FILES[name]())


def turned(candidate: Candidate, metadata: FileMetaData) -> bytes:
    """The end of a file, behind as many bytes as a magic has."""
    return candidate.magic + candidate.encode(metadata, len(candidate.magic))


def without(metadata: FileMetaData, paths: frozenset[str]) -> FileMetaData:
    """The footer without some of its fields."""
    copy = FileMetaData.from_bytes(metadata.to_bytes())
    for path in paths:
        _clear([copy], path.split("."))
    return copy


def _clear(values: list[object], path: list[str]) -> None:
    for name in path[:-1]:
        inner = [getattr(each, name) for each in values if each is not None]
        values = [one for each in inner for one in (each if isinstance(each, list) else [each])]
    for each in values:
        if each is not None:
            setattr(each, path[-1], None)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("file", sorted(FILES))
@pytest.mark.parametrize("name", NAMES)
def test_there_and_back(name: str, file: str, backend: str) -> None:
    candidate, metadata = CANDIDATES[name], footer(file)
    with running(backend):
        data = turned(candidate, metadata)
        found = candidate.decode(data)
    assert without(found, candidate.lost) == without(metadata, candidate.lost)
    # What a candidate does not hold, it does not hold twice.
    assert turned(candidate, found) == data


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("file", ["nested", "many row groups", "wide", "page index", "no statistics"])
def test_columns_are_found(name: str, file: str) -> None:
    candidate, metadata = CANDIDATES[name], footer(file)
    data = turned(candidate, metadata)
    paths = leaf_paths(metadata.schema)
    numbers = sorted({0, len(paths) // 2, len(paths) - 1})
    back = candidate.decode(data)
    expected = [Chunk.of(group.columns[number]) for group in back.row_groups for number in numbers]
    for tail in (64, 2**24):
        reads = Reads(MemoryReader(data), tail)
        assert candidate.find(reads, [paths[number] for number in reversed(numbers)]) == expected
        assert reads.rounds == 1 or tail == 64
        assert reads.fetched <= 2 * len(data)
    with pytest.raises(KeyError, match="nowhere"):
        candidate.find(Reads(MemoryReader(data)), [("nowhere",)])


@pytest.mark.parametrize("name", NAMES)
def test_damage(name: str) -> None:
    candidate, metadata = CANDIDATES[name], footer("nested")
    data = turned(candidate, metadata)
    path = leaf_paths(metadata.schema)[-1]
    calls: list[Callable[[bytes], object]] = [
        candidate.decode, lambda bad: candidate.find(Reads(MemoryReader(bad)), [path])
    ]  # fmt: skip
    refused = 0
    for number in range(0, len(data), 3):
        for bad in (data[:number], data[:number] + bytes((data[number] ^ 1 << number % 8,)) + data[number + 1 :]):
            for call in calls:
                try:
                    call(bad)
                except (DecodeError, KeyError):
                    refused += 1
    assert refused > len(data) // 4


@pytest.mark.skipif(not CORPUS, reason="PARQUET_TEST_DATA does not point at a checkout of parquet-testing")
@pytest.mark.parametrize("name", NAMES)
def test_the_files_of_parquet_testing(name: str) -> None:
    candidate, read = CANDIDATES[name], 0
    for path in CORPUS:
        try:
            metadata = parquet.read_metadata(path)
        except DecodeError:
            continue
        found = candidate.decode(turned(candidate, metadata))
        assert without(found, candidate.lost) == without(metadata, candidate.lost), path.name
        read += 1
    assert read > 50
