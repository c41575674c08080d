"""Ranges that are read together."""

from __future__ import annotations

import io
import random

import pytest

from lakecodec.runtime.coalesce import coalesce, read_spans
from lakecodec.runtime.ranges import open_ranges


def test_neighbours_are_joined() -> None:
    assert coalesce([(0, 10), (15, 5), (40, 10)], gap=5) == [((0, 20), [0, 1]), ((40, 10), [2])]


def test_no_read_grows_beyond_the_longest() -> None:
    assert coalesce([(0, 10), (10, 10), (20, 10)], gap=5, longest=20) == [((0, 20), [0, 1]), ((20, 10), [2])]


def test_a_span_that_is_too_long_stands_alone() -> None:
    assert coalesce([(0, 100), (100, 1)], gap=5, longest=20) == [((0, 100), [0]), ((100, 1), [1])]


def test_spans_may_overlap_and_come_in_any_order() -> None:
    assert coalesce([(20, 10), (0, 40), (5, 0)], gap=0) == [((0, 40), [1, 2, 0])]


@pytest.mark.parametrize("seed", range(20))
def test_each_span_gets_its_bytes(seed: int) -> None:
    rng = random.Random(seed)
    data = rng.randbytes(3_000_000 if seed == 0 else 5000)
    spans = []
    for _ in range(rng.randint(0, 30)):
        start = rng.randrange(len(data))
        spans.append((start, rng.randint(0, min(300, len(data) - start))))
    for source in (io.BytesIO(data), data):
        parts = read_spans(open_ranges(source), spans)
        assert [bytes(part) for part in parts] == [data[start : start + size] for start, size in spans]


def test_nothing_is_read_for_no_bytes() -> None:
    ranges = open_ranges(io.BytesIO(b"0123456789"))
    assert read_spans(ranges, [(3, 0), (0, 0)]) == [b"", b""]
    assert read_spans(ranges, []) == []
    assert ranges.reads == 0
    assert list(map(bytes, read_spans(ranges, [(9, 0), (2, 3), (0, 0)]))) == [b"", b"234", b""]
    assert ranges.reads == 1
