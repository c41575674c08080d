"""Row groups that can hold a value, and bloom filters, on files that pyarrow writes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet
from lakecodec.generated.parquet import BoundaryOrder, ColumnIndex
from lakecodec.runtime.errors import DecodeError

from .files import FILES, arrow_file


@pytest.mark.parametrize("name", ["page index", "bloom filters", "no statistics", "decimals as integers", "int96"])
def test_never_a_false_negative(name: str) -> None:
    data = FILES[name]()
    file = pq.ParquetFile(io.BytesIO(data))
    for column in file.schema_arrow.names:
        if "." in column or file.schema_arrow.field(column).type == pa.null():
            continue
        for group in range(file.num_row_groups):
            values = file.read_row_group(group, [column]).column(0)
            for at in (0, 7, len(values) - 1):
                value: Any = values[at]
                value = value.value if pa.types.is_timestamp(value.type) else value.as_py()
                assert group in parquet.row_groups_with(data, column, value)["row_group"].to_pylist(), column


@pytest.mark.parametrize("writer", ["polars", "duckdb"])
def test_never_a_false_negative_in_files_of_others(writer: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    reals = rng.standard_normal(400)
    reals[::7], reals[3::11] = np.nan, -0.0
    rows = pa.table(
        {
            "n": rng.integers(-50, 50, 400),
            "x": reals,
            "t": [f"{'é' * 40}{n}" if n % 3 else "" for n in rng.integers(0, 90, 400)],
            "d": pa.array(rng.integers(0, 20_000, 400).astype(np.int32)).cast(pa.date32()),
            "b": [bytes([n % 256, 255]) for n in rng.integers(0, 900, 400)],
        }
    )
    path = tmp_path / "a.parquet"
    if writer == "polars":
        frame = pl.from_arrow(rows)
        assert isinstance(frame, pl.DataFrame)
        frame.write_parquet(path, row_group_size=100)
    else:
        duckdb.sql(f"COPY (SELECT * FROM rows) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)")
    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        for name, column in zip(rows.column_names, file.read_row_group(group).columns, strict=True):
            for value in column.to_pylist()[::9]:
                assert group in parquet.row_groups_with(path, name, value)["row_group"].to_pylist(), (name, value)


def _file(values: pa.Array, **options: Any) -> bytes:
    return arrow_file(pa.table({"a": values}), **options)


ARRAYS = [
    pa.array(range(0, 4000, 2)),
    pa.array(range(0, 4000, 2), pa.uint32()),
    pa.array([f"é{n}" for n in range(0, 4000, 2)]),
    pa.array([n / 8 for n in range(0, 4000, 2)], pa.float32()),
    pa.array(range(0, 4000, 2), pa.timestamp("ns")),
]
OTHERS: list[Any] = [
    range(1, 4000, 2), range(1, 4000, 2), [f"é{n}" for n in range(1, 4000, 2)],
    [n / 8 for n in range(1, 4000, 2)], range(1, 4000, 2),
]  # fmt: skip


@pytest.mark.parametrize(("array", "others"), list(zip(ARRAYS, OTHERS, strict=True)), ids=lambda each: "")
def test_bloom_filter(array: pa.Array, others: Any) -> None:
    data = _file(array, bloom_filter_options={"a": {"ndv": 2000, "fpp": 0.01}})
    bloom = parquet.bloom_filter(data, 0, "a")
    assert bloom is not None
    present = array.cast(pa.int64()) if pa.types.is_timestamp(array.type) else array
    assert all(map(bloom.might_contain, present.to_pylist()))
    assert sum(map(bloom.might_contain, others)) < 100


def test_what_decides() -> None:
    array = pa.array([0, 10, 20, 30, 100, 110])

    def groups(value: Any, **options: Any) -> list[tuple[int, str | None]]:
        table = parquet.row_groups_with(_file(array, row_group_size=4, **options), "a", value)
        return list(zip(table["row_group"].to_pylist(), table["decided_by"].to_pylist(), strict=True))

    assert groups(15) == [(0, "statistics")]
    assert groups(50) == groups(None) == []
    assert groups([30, 100]) == [(0, "statistics"), (1, "statistics")]
    assert groups(30, write_statistics=False) == [(0, None), (1, None)]
    assert groups(15, write_page_index=True, max_rows_per_page=2) == []
    assert groups(10, write_page_index=True) == [(0, "page index")]
    assert groups(15, bloom_filter_options={"a": True}) == []
    assert groups(10, bloom_filter_options={"a": True}) == [(0, "bloom filter")]


def test_page_indexes_that_know_nothing(tmp_path: Path) -> None:
    """Without statistics old writers call each page null, and count -1 nulls in it."""
    data = _file(pa.array(range(100)), write_page_index=True, max_rows_per_page=25)
    metadata, (index, _) = parquet.read_metadata(data), parquet.page_index(data, 0, "a")
    assert index is not None
    count = len(index.null_pages)
    blind = ColumnIndex(
        null_pages=[True] * count, min_values=[b""] * count, max_values=[b""] * count,
        boundary_order=BoundaryOrder.ASCENDING, null_counts=[-1] * count,
    ).to_bytes()  # fmt: skip
    (chunk,) = metadata.row_groups[0].columns
    start = len(data) - len(parquet.write_metadata(metadata))
    chunk.column_index_offset, chunk.column_index_length = start, len(blind)
    path = tmp_path / "a.parquet"
    path.write_bytes(data[:start] + blind + parquet.write_metadata(metadata))
    found = parquet.row_groups_with(path, "a", 70)
    assert found["rows"].to_pylist() == [[{"start": 0, "stop": 100}]]
    assert found["decided_by"].to_pylist() == ["statistics"]
    lies = parquet.verify(path, deep=True)
    assert "column a, page 0: null_page is True, where 25 values are not null" in [each.rule for each in lies]


def test_wrong_arguments() -> None:
    data = _file(pa.array([1]))
    assert parquet.bloom_filter(data, 0, "a") is None
    for wrong in ("x", ["x"], [1, "x"]):
        with pytest.raises(ValueError, match=r"^value_or_values: 'x' is not a valid int64"):
            parquet.row_groups_with(data, "a", wrong)
    with pytest.raises(KeyError, match="column"):
        parquet.row_groups_with(data, "b", 1)


def test_broken_filter() -> None:
    data = bytearray(_file(pa.array([1, 2]), bloom_filter_options={"a": True}))
    meta = parquet.read_metadata(bytes(data)).row_groups[0].columns[0].meta_data
    assert meta is not None
    assert meta.bloom_filter_offset is not None
    data[meta.bloom_filter_offset] = 0xFF
    with pytest.raises(DecodeError):
        parquet.bloom_filter(bytes(data), 0, 0)
