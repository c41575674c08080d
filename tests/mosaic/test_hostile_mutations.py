"""Damaged files: a DecodeError or a valid table, the same from both backends."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest

from lakecodec import mosaic

from .mutations import Original
from .outcomes import Reader, equal, outcome
from .tables import random_options, random_table


def written(seed: int) -> Original:
    rng = random.Random(seed)
    table = random_table(rng, columns=6, rows=30)
    stream = io.BytesIO()
    mosaic.write_table(table, stream, **random_options(rng, table))
    return Original(stream.getvalue())


@pytest.fixture(scope="module")
def pure() -> Iterator[Reader]:
    with Reader() as backend:
        yield backend


@pytest.mark.parametrize("seed", range(100))
def test_damaged_files(seed: int, pure: Reader) -> None:
    original, rng = written(seed), random.Random(seed)
    files = [original.mutated(rng) for _ in range(40)]
    for data, theirs in zip(files, pure.outcomes(files), strict=True):
        assert equal(outcome(data), theirs), data.hex()


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_a_million_damaged_files(seed: int) -> None:
    original, rng = written(seed), random.Random(seed)
    for _ in range(1000):
        outcome(original.mutated(rng))
