"""Properties of row keys in all variants: values come back, sort as the bytes do, and bad bytes raise."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lakecodec.row import RowConverter, SortOptions
from lakecodec.runtime.errors import DecodeError

from .backends import backend
from .oracle import values
from .strategies import OPTIONS, arrays, types

VARIANTS = ["arrow", "sql", "legacy", "polars"]
slow = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def columns(draw: st.DrawFn, variant: str) -> list[tuple[pa.Array, SortOptions]]:
    n = draw(st.integers(0, 5))
    kinds = draw(st.lists(types(variant), min_size=1, max_size=3))
    return [(draw(arrays(kind, n)), draw(OPTIONS)) for kind in kinds]


def converter(given_: list[tuple[pa.Array, SortOptions]], variant: Any) -> RowConverter:
    return RowConverter([(array.type, options) for array, options in given_], variant=variant)


@pytest.mark.parametrize("variant", VARIANTS)
@slow
@given(data=st.data())
def test_values_come_back(variant: str, data: st.DataObject) -> None:
    table = data.draw(columns(variant))
    convert = converter(table, variant)
    found = convert.convert_rows(convert.convert_columns([array for array, _ in table]))
    for (array, _), back in zip(table, found, strict=True):
        back.validate(full=True)
        if variant in ("arrow", "legacy"):
            assert values(back) == values(array)
        else:
            again = RowConverter([back.type], variant=variant).convert_columns([back])
            assert again.equals(RowConverter([array.type], variant=variant).convert_columns([array]))


@pytest.mark.parametrize("variant", VARIANTS)
@slow
@given(data=st.data())
def test_backends_agree(variant: str, data: st.DataObject) -> None:
    table = data.draw(columns(variant))
    convert = converter(table, variant)
    native = convert.convert_columns([array for array, _ in table])
    with backend("pure"):
        pure = convert.convert_columns([array for array, _ in table])
        back = convert.convert_rows(native)
    assert pure.equals(native)
    again = [values(array) for array in convert.convert_rows(native)]
    assert [values(array) for array in back] == again


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_bad_bytes_raise_and_nothing_else(variant: str, data: st.DataObject) -> None:
    table = data.draw(columns(variant))
    convert = converter(table, variant)
    rows = convert.convert_columns([array for array, _ in table]).to_pylist() or [b"\x01"]
    row = data.draw(st.integers(0, len(rows) - 1))
    change = data.draw(st.sampled_from(["cut", "append", "flip", "random"]))
    bad = bytearray(rows[row])
    if change == "cut":
        bad = bad[: data.draw(st.integers(0, len(bad)))]
    elif change == "append":
        bad += data.draw(st.binary(min_size=1, max_size=3))
    elif change == "flip" and bad:
        bad[data.draw(st.integers(0, len(bad) - 1))] ^= data.draw(st.integers(1, 255))
    elif change == "random":
        bad = bytearray(data.draw(st.binary(max_size=40)))
    rows[row] = bytes(bad)
    failed: DecodeError | None = None
    try:
        found = convert.convert_rows(rows)
    except DecodeError as error:
        failed = error
    if failed is not None:
        assert failed.path == f"rows[{row}]"
        assert failed.offset is not None
        assert 0 <= failed.offset <= len(bad)
        return
    for array in found:
        array.validate(full=True)
    # What was accepted are values: the converter takes them, and for exact variants writes the same bytes.
    plain = RowConverter(
        [(array.type, options) for array, (_, options) in zip(found, table, strict=True)], variant=variant
    )
    again = plain.convert_columns(found)
    if variant in ("arrow", "legacy"):
        assert again.to_pylist() == rows


def _compare(a: Any, b: Any, kind: pa.DataType, o: SortOptions, nested_smallest: bool) -> int:
    """Order of two values, by value: row-format words "Logical order"."""
    if a is None or b is None:
        return 0 if a is b else (-1 if (a is None) == o.nulls_first else 1)
    sign = -1 if o.descending else 1
    t = pa.types
    inner = SortOptions(o.descending, not o.descending) if nested_smallest else o
    if t.is_struct(kind):
        pairs = [(kind.field(i).type, x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
    elif isinstance(a, list):
        pairs = [(kind.value_type, x, y) for x, y in zip(a, b, strict=False)]
    else:
        if t.is_floating(kind):
            a, b = (_float_rank(x, kind.bit_width, nested_smallest) for x in (a, b))
        return sign * ((a > b) - (a < b))
    for inside, x, y in pairs:
        order = _compare(x, y, inside, inner, nested_smallest)
        if order:
            return order
    return sign * ((len(a) > len(b)) - (len(a) < len(b)))


def _float_rank(bits: int, width: int, canonical: bool) -> tuple[float, int] | int:
    top = 1 << (width - 1)
    if not canonical:
        return bits ^ top if bits < top else (1 << width) - 1 - bits - top
    number = float(np.array([bits], f"<u{width // 8}").view(f"<f{width // 8}")[0])
    return (np.inf, 1) if np.isnan(number) else (number, 0)


@pytest.mark.parametrize("variant", ["arrow", "sql", "polars"])
@slow
@given(data=st.data())
def test_bytes_sort_as_values_do(variant: str, data: st.DataObject) -> None:
    banned = ("dictionary", "map", "null", "month_day_nano")
    kind = data.draw(types(variant).filter(lambda kind: not any(word in str(kind) for word in banned)))
    options = data.draw(OPTIONS)
    array = data.draw(arrays(kind, 5))
    rows = RowConverter([(kind, options)], variant=variant).convert_columns([array]).to_pylist()
    compare = functools.partial(_compare, kind=kind, o=options, nested_smallest=variant != "arrow")
    for x, row in zip(values(array), rows, strict=True):
        for y, other in zip(values(array), rows, strict=True):
            assert (row > other) - (row < other) == compare(x, y)
