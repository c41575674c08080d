"""Instances that are read when they are asked: one for each place as long as somebody has it."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import pytest

from lakecodec.generated.parquet import FileMetaData, SizeStatistics, Statistics

from ...memory import traced
from .backends import BACKENDS, running
from .footers import chunks, eager, footer

pytestmark = pytest.mark.skipif("native" not in BACKENDS, reason="what is there is read at once")

FOOTER = footer(24, 4)


def test_what_a_field_holds_is_one_instance_while_it_is_used() -> None:
    chunk = chunks(FileMetaData.from_bytes(FOOTER))[20]
    meta = chunk.meta_data
    assert meta is not None
    statistics = meta.statistics
    assert chunk.meta_data is meta
    assert meta.statistics is statistics is chunk.meta_data.statistics
    _ = repr(chunk), chunk.to_bytes()
    assert chunk.meta_data is meta
    assert meta.statistics is statistics


def test_many_that_are_used_at_once() -> None:
    """More than there are entries for what is used: each field gives one instance, two of one chunk's metadata, too."""
    expected = eager(FOOTER)
    for chunk in chunks(expected):
        chunk.meta_data.size_statistics = SizeStatistics(unencoded_byte_array_data_bytes=chunk.file_offset)
    found = chunks(FileMetaData.from_bytes(expected.to_bytes()))
    held: list[Any] = [
        (chunk.meta_data, chunk.meta_data.statistics, chunk.meta_data.size_statistics) for chunk in found
    ]
    for chunk, (meta, statistics, sizes) in zip(found, held, strict=True):
        assert chunk.meta_data is meta
        assert (meta.statistics is statistics, meta.size_statistics is sizes) == (True, True)
    assert found == chunks(expected)


def test_changes_outlive_the_last_reference() -> None:
    metadata, expected = FileMetaData.from_bytes(FOOTER), eager(FOOTER)
    held = []
    for found, other in zip(chunks(metadata), chunks(expected), strict=True):
        for chunk in (found, other):
            meta: Any = chunk.meta_data
            meta.statistics.null_count = 7
            _ = meta.encodings.pop()
            meta.statistics.max_value = b"changed" if chunk.file_offset % 2 else meta.statistics.max_value
            held.append(meta.statistics)
    assert metadata.to_bytes() == expected.to_bytes() != FOOTER
    held.clear()
    assert metadata.to_bytes() == expected.to_bytes()
    assert metadata == expected


def test_a_change_is_written_while_the_instance_is_used() -> None:
    metadata, expected = FileMetaData.from_bytes(FOOTER), eager(FOOTER)
    kept = []
    for tree in (metadata, expected):
        statistics: Any = chunks(tree)[11].meta_data.statistics  # type: ignore[union-attr]
        statistics.distinct_count = 12
        kept.append(statistics)
    with running("pure"):
        encoded = expected.to_bytes()
    assert metadata.to_bytes() == encoded


def test_an_instance_that_is_replaced_is_nobodys() -> None:
    chunk: Any = chunks(FileMetaData.from_bytes(FOOTER))[5]
    statistics = chunk.meta_data.statistics
    chunk.meta_data.statistics = None
    statistics.null_count = 3
    assert chunk.meta_data.statistics is None
    del statistics
    assert chunk.meta_data.statistics is None


def test_what_is_asked_for_once_is_not_kept() -> None:
    metadata = FileMetaData.from_bytes(FOOTER)
    each = chunks(metadata)

    def ask() -> None:
        for chunk in each:
            statistics: Any = chunk.meta_data.statistics  # type: ignore[union-attr]
            _ = statistics.min_value, statistics.max_value, statistics.null_count

    assert traced(ask).held < 100 * len(each)  # 500 and more if they were kept
    ask()
    assert metadata.to_bytes() == FOOTER


def test_references_are_counted_whatever_the_memory_held() -> None:
    """From Python 3.12 on, half of all counts mean that an object lives for ever."""
    blocks = [bytearray(b"\xff" * (size - 1)) for size in range(16, 513, 16) for _ in range(100)]
    del blocks
    held = [chunk.meta_data for chunk in chunks(FileMetaData.from_bytes(FOOTER))]
    # The list and the argument, and of some the slot.
    assert {sys.getrefcount(held[place]) for place in range(len(held))} <= {2, 3}


class OtherStatistics(Statistics):
    __slots__ = ()


def test_an_instance_of_another_class() -> None:
    chunk: Any = chunks(FileMetaData.from_bytes(FOOTER))[5]
    expected: Any = chunks(eager(FOOTER))[5]
    for each in (chunk, expected):
        statistics = each.meta_data.statistics
        statistics.null_count = 5
        statistics.__class__ = OtherStatistics
        assert each.meta_data.statistics is statistics
        del statistics
    assert type(chunk.meta_data.statistics) is OtherStatistics
    assert chunk == expected


@pytest.mark.parametrize("seed", range(4))
def test_references_come_and_go(seed: int) -> None:
    """What is read, held, changed, dropped and written in any order, beside the same in a tree that was read at once."""
    chance = Random(seed)
    metadata, expected = FileMetaData.from_bytes(FOOTER), eager(FOOTER)
    pairs = list(zip(chunks(metadata), chunks(expected), strict=True))
    held: list[tuple[Any, Any]] = []
    for _ in range(3000):
        found, other = chance.choice(pairs) if chance.random() < 0.7 or not held else chance.choice(held)
        for name in ("meta_data", "statistics"):
            if hasattr(found, name) and chance.random() < 0.8:
                found, other = getattr(found, name), getattr(other, name)
        what = chance.random()
        if found is None:
            assert other is None
        elif what < 0.2:
            held.append((found, other))
        elif what < 0.4 and held:
            del held[chance.randrange(len(held))]
        elif what < 0.5:
            name = chance.choice(type(found).__slots__)
            value = getattr(expected.row_groups[0].columns[3], name, None)
            if type(value) in (int, bytes):
                setattr(found, name, value)
                setattr(other, name, value)
        elif what < 0.52:
            assert found.to_bytes() == other.to_bytes()
        else:
            name = chance.choice(type(found).__slots__)
            assert getattr(found, name) == getattr(other, name)
    assert metadata == expected
    assert metadata.to_bytes() == expected.to_bytes()
