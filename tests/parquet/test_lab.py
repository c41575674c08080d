"""Candidates for Parquet's next footer: footers of many files, turned into each and back, and columns that are found in them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from lakecodec import DecodeError, parquet
from lakecodec.generated.parquet import ColumnMetaData, FileMetaData, Statistics, Type
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


def same(candidate: Candidate, found: FileMetaData, metadata: FileMetaData) -> None:
    """Fails where a footer is another in what the candidate can hold."""
    ours, theirs = (FileMetaData.from_bytes(each.to_bytes()) for each in (found, metadata))
    if candidate.shortens:
        for a, b in zip(_chunks(ours), _chunks(theirs), strict=True):
            _check_bounds(b.type, a.statistics or Statistics(), b.statistics or Statistics())
        if any(order.kind != "TYPE_ORDER" for order in theirs.column_orders or ()):
            assert ours.column_orders is None
            theirs.column_orders = None
    for each in (ours, theirs):
        for path in candidate.lost:
            _clear([each], path.split("."))
        # Meanings that are not known, and statistics of nothing.
        for element in each.schema:
            if element.logicalType is not None and element.logicalType.kind is None:
                element.logicalType = None
        for meta in _chunks(each):
            meta.statistics = None if meta.statistics == Statistics() else meta.statistics
    assert ours == theirs


def _chunks(metadata: FileMetaData) -> list[ColumnMetaData]:
    return [chunk.meta_data for group in metadata.row_groups for chunk in group.columns if chunk.meta_data is not None]


def _check_bounds(kind: object, found: Statistics, known: Statistics) -> None:
    """Fails where bounds are no bounds any more, or were dropped without need; clears them."""
    low, high, at_least, at_most = known.min_value, known.max_value, found.min_value, found.max_value
    if at_least is None or at_most is None:
        assert at_least is at_most is None
        is_odd = low == b"" or (high or b"").endswith(b"\xff" * 16) or (low is None) != (high is None)
        assert low is high is None or kind == Type.BOOLEAN or is_odd
    else:
        assert low is not None
        assert high is not None
        assert at_least == low or (not found.is_min_value_exact and low.startswith(at_least) and len(at_least) >= 16)
        assert at_most == high or (not found.is_max_value_exact and at_most > high and 16 <= len(at_most) < len(high))
        assert found.is_min_value_exact <= bool(known.is_min_value_exact) or low == at_least == b""
        assert found.is_max_value_exact <= bool(known.is_max_value_exact)
    found.min_value = found.max_value = known.min_value = known.max_value = None


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
    same(candidate, found, metadata)
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
    places = candidate.find(Reads(MemoryReader(data)), [paths[number] for number in numbers], statistics=False)
    assert places == [chunk.place() for chunk in expected]
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
    refused, places = 0, range(0, len(data), len(data) // 250)
    for number in places:
        for bad in (data[:number], data[:number] + bytes((data[number] ^ 1 << number % 8,)) + data[number + 1 :]):
            for call in calls:
                try:
                    call(bad)
                except (DecodeError, KeyError):
                    refused += 1
    assert refused > len(places)


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
        same(candidate, found, metadata)
        read += 1
    assert read > 50
