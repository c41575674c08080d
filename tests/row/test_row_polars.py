"""The polars variants against polars itself, both ways."""

from __future__ import annotations

from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec.row import RowConverter, SortOptions

from .strategies import OPTIONS, arrays

FLAT: list[Any] = [
    pl.Boolean, pl.Int8, pl.UInt16, pl.Int32, pl.UInt64, pl.Int64, pl.Float32, pl.Float64, pl.String, pl.Binary, pl.Date,
    pl.Datetime("us"), pl.Duration("ms"), pl.Decimal(9, 2), pl.Decimal(19, 4), pl.Decimal(38, 3),
]  # fmt: skip
TYPES = st.recursive(
    st.sampled_from(FLAT),
    lambda inner: st.one_of(
        inner.map(pl.List),
        st.tuples(inner, st.integers(1, 2)).map(lambda pair: pl.Array(*pair)),
        inner.map(lambda value: pl.Map(pl.String, value)),
        st.lists(inner, min_size=1, max_size=2).map(lambda kids: pl.Struct({f"f{i}": k for i, k in enumerate(kids)})),
    ),
    max_leaves=3,
)


def as_arrow(series: pl.Series) -> pa.Array:
    array = series.to_arrow(compat_level=pl.CompatLevel.oldest())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


@st.composite
def frames(draw: st.DrawFn) -> list[tuple[pl.Series, SortOptions]]:
    n = draw(st.integers(1, 5))
    columns = []
    for i, kind in enumerate(draw(st.lists(TYPES, min_size=1, max_size=3))):
        arrow = as_arrow(pl.Series("c", [], dtype=kind)).type
        values = draw(arrays(arrow, n, sliced=False))
        columns.append((pl.Series(f"c{i}", pl.from_arrow(values)).cast(kind), draw(OPTIONS)))
    return columns


def rows_of(frame: pl.DataFrame, **options: Any) -> list[bytes]:
    rows: list[bytes] = frame._row_encode(**options).cast(pl.Binary).to_list()
    return rows


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames())
def test_rows_are_those_of_polars(columns: list[tuple[pl.Series, SortOptions]]) -> None:
    frame = pl.DataFrame([series for series, _ in columns])
    theirs = rows_of(
        frame,
        descending=[options.descending for _, options in columns],
        nulls_last=[not options.nulls_first for _, options in columns],
    )
    converted = [as_arrow(series) for series, _ in columns]
    fields = [(array.type, options) for array, (_, options) in zip(converted, columns, strict=True)]
    converter = RowConverter(fields, variant="polars")
    assert converter.convert_columns(converted).to_pylist() == theirs
    back = converter.convert_rows(theirs)
    assert converter.convert_columns(back).to_pylist() == theirs


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(frames())
def test_unordered_rows_are_those_of_polars(columns: list[tuple[pl.Series, SortOptions]]) -> None:
    frame = pl.DataFrame([series for series, _ in columns])
    converted = [as_arrow(series) for series, _ in columns]
    converter = RowConverter([array.type for array in converted], variant="polars", ordered=False)
    assert converter.convert_columns(converted).to_pylist() == rows_of(frame, unordered=True)


@pytest.mark.parametrize("options", [SortOptions(d, n) for d in (False, True) for n in (False, True)])
def test_legacy_binary_and_plain_numbers_are_those_of_polars(options: SortOptions) -> None:
    values = [b"", b"\0", b"\xff" * 32, b"a" * 33, None, b"long" * 40]
    numbers = [1, -1, None, 2**62, -(2**63), 0]
    frame = pl.DataFrame({"b": values, "n": numbers}, schema={"b": pl.Binary, "n": pl.Int64})
    theirs = rows_of(frame, descending=[options.descending] * 2, nulls_last=[not options.nulls_first] * 2)
    converter = RowConverter([(pa.binary(), options), (pa.int64(), options)], variant="legacy")
    assert converter.convert_columns([pa.array(values, pa.binary()), pa.array(numbers)]).to_pylist() == theirs


def test_text_longer_than_a_length_byte() -> None:
    values = ["x" * length for length in (0, 1, 253, 254, 255, 300)]
    frame = pl.DataFrame({"s": values})
    converter = RowConverter([pa.string()], variant="polars", ordered=False)
    rows = converter.convert_columns([pa.array(values)])
    assert rows.to_pylist() == rows_of(frame, unordered=True)
    assert converter.convert_rows(rows)[0].to_pylist() == values
