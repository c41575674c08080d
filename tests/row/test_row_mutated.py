"""Mutated row keys: whatever the bytes are, both backends give the same values, or a DecodeError for the same row.

Where one change breaks several rules, which of them is named depends on the order in which cells are read.
"""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.row import RowConverter
from lakecodec.runtime.errors import DecodeError

from . import mutated
from .backends import backend

VARIANTS = ["arrow", "sql", "legacy", "polars"]


def outcome(convert: RowConverter, rows: list[bytes] | pa.Array) -> Any:
    """What reading gives: texts of arrays, which are valid, or the row that is refused."""
    try:
        found = convert.convert_rows(rows)
    except DecodeError as error:
        return error.path
    for array in found:
        array.validate(full=True)
    return [(array.type, array.to_string(window=100)) for array in found]


def check(seed: int, variant: Any) -> int:
    """Mutates rows of one seed; returns how many were refused."""
    rng = random.Random(seed)
    given = mutated.columns(rng, variant)
    convert = RowConverter([(array.type, options) for array, options in given], variant=variant)
    rows = [row.as_py() for row in convert.convert_columns([array for array, _ in given])]
    refused = 0
    for number, row in enumerate(rows):
        for other in mutated.mutations(rng, row):
            changed = [*rows[:number], other, *rows[number + 1 :]]
            with backend("pure"):
                expected = outcome(convert, changed)
            # A list is read cell by cell, an array in one go.
            for given_rows in (changed, pa.array(changed, rng.choice([pa.binary(), pa.large_binary()]))):
                assert outcome(convert, given_rows) == expected, (seed, variant, convert, changed)
            refused += isinstance(expected, str)
    return refused


@pytest.mark.parametrize("variant", VARIANTS)
def test_mutated_rows_are_read_alike_or_refused(variant: str) -> None:
    assert sum(check(seed, variant) for seed in range(10)) > 100


@pytest.mark.fuzz
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_mutated_rows_are_read_alike_or_refused(variant: str) -> None:
    for seed in range(10, 3000):
        check(seed, variant)
