"""Proofs by bounds, against all values that bounds allow."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.lake.read.certain import always_matches
from lakecodec.lake.read.predicate import Compare
from lakecodec.lake.read.pruning import Known, Lookup, may_match

OPERATORS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def known(low: Any, high: Any, nulls: int | None = 0) -> Lookup:
    return lambda path: Known(low, high, nulls, rows=9)


@pytest.mark.parametrize("name", OPERATORS)
def test_comparisons(name: Any) -> None:
    for low, high, value in product(range(4), range(4), range(-1, 5)):
        if low > high:
            continue
        tree = Compare(("a",), pa.int64(), name, value)
        holds = [OPERATORS[name](each, value) for each in range(low, high + 1)]
        assert always_matches(tree, known(low, high)) is all(holds), (low, high, value)
        assert may_match(tree, known(low, high)) or not any(holds)
        # With nulls, or without a bound, nothing is certain.
        for each in (known(low, high, 1), known(low, high, None), known(None, high), known(low, None)):
            assert not always_matches(tree, each)


@pytest.mark.parametrize("name", OPERATORS)
def test_nothing_is_certain_of_floats(name: Any) -> None:
    assert not always_matches(Compare(("a",), pa.float64(), name, 2.0), known(2.0, 2.0))
