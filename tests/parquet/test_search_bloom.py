"""Bloom filters that pyarrow wrote, in searches: of decimals, and where the package that hashes is missing."""

from __future__ import annotations

import importlib.util
import io
from decimal import Context, Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet


def _file(column: pa.Array, **options: Any) -> bytes:
    target = io.BytesIO()
    pq.write_table(
        pa.table({"a": column}), target, bloom_filter_options={"a": {"ndv": 100}}, write_statistics=False, **options
    )
    return target.getvalue()


@pytest.mark.parametrize("is_integer", [False, True])
@pytest.mark.parametrize(
    "kind", [pa.decimal128(9, 2), pa.decimal128(18, 0), pa.decimal128(38, 6), pa.decimal256(60, 3)], ids=str
)
def test_decimals(kind: pa.DataType, is_integer: bool) -> None:
    step = Decimal(1).scaleb(-kind.scale)
    largest = Decimal("9" * kind.precision).scaleb(-kind.scale, Context(prec=100))
    held = [-step, step * 0, step, step * 12345, largest, largest.copy_negate()]
    data = _file(pa.array(held, kind), store_decimal_as_integer=is_integer)
    for value in held:
        (row,) = parquet.row_groups_with(data, "a", value).to_pylist()
        assert row["decided_by"] == "bloom filter"
    absent = [step * number for number in range(20_000, 20_200)]
    # A filter may take values for others now and then.
    assert sum(parquet.row_groups_with(data, "a", value).num_rows for value in absent) < 20


def test_a_warning_where_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "xxhash" else find(name))
    data = _file(pa.array(["x", "y"]))
    with pytest.warns(UserWarning, match=r"xxhash is not installed: pip install 'lakecodec\[bloom\]'"):
        assert parquet.row_groups_with(data, "a", "z").num_rows == 1
