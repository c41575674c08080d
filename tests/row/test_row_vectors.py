"""Rows of known bytes: arrow-row 59.2, arrow-row 46.0 and polars 2.1 wrote them."""

from __future__ import annotations

import pytest

from lakecodec.row import RowConverter

from .vectors import OPTIONS, Vector, read_vectors

VECTORS = list(read_vectors())
CASES = [(vector, options) for vector in VECTORS for options in vector.rows]


def converter(vector: Vector, options: str) -> RowConverter:
    if options == "unordered":
        return RowConverter([vector.array.type], variant="polars", ordered=False)
    return RowConverter([(vector.array.type, OPTIONS[options])], variant=vector.variant)


def test_the_file_is_whole() -> None:
    assert len(VECTORS) == 66


@pytest.mark.parametrize(("vector", "options"), CASES, ids=lambda part: getattr(part, "name", part))
def test_rows_are_those_of_the_original(vector: Vector, options: str) -> None:
    rows = converter(vector, options).convert_columns([vector.array])
    assert rows.to_pylist() == vector.rows[options]


@pytest.mark.parametrize(("vector", "options"), CASES, ids=lambda part: getattr(part, "name", part))
def test_rows_come_back(vector: Vector, options: str) -> None:
    convert = converter(vector, options)
    rows = convert.convert_columns([vector.array])
    (array,) = convert.convert_rows(rows)
    array.validate(full=True)
    assert len(array) == len(rows)
    # An array equals itself only up to what its rows tell apart (polars: one NaN, one zero).
    again = RowConverter(
        [(array.type, options_) for _, options_ in convert.fields],
        variant=convert.variant,
        ordered=options != "unordered",
    )
    if not vector.name.startswith("run_end"):
        assert again.convert_columns([array]).to_pylist() == rows.to_pylist()
