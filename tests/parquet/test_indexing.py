"""Indexes added to files: equal to those that pyarrow writes for the same pages, and used by readers."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import parquet

ROWS = 5000
TABLE = pa.table(
    {
        "n": pa.array([i if i % 7 else None for i in range(ROWS)], pa.int64()),
        "down": pa.array([-i for i in range(ROWS)], pa.int32()),
        "u": pa.array([2**32 - 1 - i for i in range(ROWS)], pa.uint32()),
        "f": pa.array([float(i % 100) for i in range(ROWS)]),
        "t": pa.array([f"é{i:05}" for i in range(ROWS)]),
        "b": pa.array([i % 2 == 0 for i in range(ROWS)]),
        "d": pa.array([datetime.date(2000, 1, 1) + datetime.timedelta(i) for i in range(ROWS)]),
        "x": pa.array([Decimal(i) / 4 for i in range(ROWS)], pa.decimal128(20, 2)),
        "at": pa.array([datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=i) for i in range(ROWS)]),
        "none": pa.array([None] * ROWS, pa.string()),
        "s": pa.array([{"y": i, "z": None if i % 3 else "z"} for i in range(ROWS)]),
        "l": pa.array([[i] * (i % 3) for i in range(ROWS)]),
    }
)


def write(path: Path, **options: Any) -> Path:
    pq.write_table(TABLE, path, row_group_size=3000, data_page_size=2000, write_batch_size=200, **options)
    return path


def indexes(path: Path) -> list[tuple[Any, Any]]:
    metadata = parquet.read_metadata(path)
    return [
        parquet.page_index(path, row_group=number, column=column)
        for number, group in enumerate(metadata.row_groups)
        for column in range(len(group.columns))
    ]


@pytest.mark.parametrize(
    "options", [{"data_page_version": "2.0"}, {"use_dictionary": False, "data_page_version": "2.0"}], ids=str
)
def test_parts_are_those_of_pyarrow(options: dict[str, Any], tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False, **options)
    expected = write(tmp_path / "expected.parquet", write_page_index=True, **options)
    report = parquet.add_indexes(plain, tmp_path / "made.parquet")
    assert report.skipped == []
    for (index, places), (said_index, said_places) in zip(
        indexes(tmp_path / "made.parquet"), indexes(expected), strict=True
    ):
        assert index == said_index
        # Pages with statistics in their headers are longer, so that their offsets are others.
        assert [each.first_row_index for each in places.page_locations] == [
            each.first_row_index for each in said_places.page_locations
        ]
        assert places.unencoded_byte_array_data_bytes == said_places.unencoded_byte_array_data_bytes
    made, said = parquet.read_metadata(tmp_path / "made.parquet"), parquet.read_metadata(expected)
    for ours, theirs in zip(made.row_groups, said.row_groups, strict=True):
        for one, other in zip(ours.columns, theirs.columns, strict=True):
            assert one.meta_data.statistics == other.meta_data.statistics
            assert one.meta_data.size_statistics == other.meta_data.size_statistics
    assert pq.read_table(tmp_path / "made.parquet") == TABLE
    assert [each for each in parquet.verify(tmp_path / "made.parquet", deep=True) if each.is_error] == []
    start, end = 4, min(chunk.column_index_offset for group in made.row_groups for chunk in group.columns)
    assert (tmp_path / "made.parquet").read_bytes()[start:end] == plain.read_bytes()[start:end]


def test_first_version_of_pages(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet", write_statistics=False)
    report = parquet.add_indexes(plain, plain, columns=["n", "l"], size_statistics=False)
    assert {(path, reason) for _, path, reason in report.skipped} == {
        ("l.list.element", "pages of the first version do not say where rows of lists begin")
    }
    assert {part for _, path, part in report.added if path == "n"} == {"statistics", "column_index", "offset_index"}
    found = parquet.row_groups_with(plain, "n", 4001)
    assert found["row_group"].to_pylist() == [1]
    assert pq.read_table(plain) == TABLE
    again = parquet.add_indexes(plain, plain, columns=["n"], size_statistics=False)
    assert again.added == []


@pytest.mark.parametrize("column", ["n", "t", "x", "d", "at", "f"])
def test_bloom_filters(column: str, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    parquet.add_indexes(plain, tmp_path / "made.parquet", bloom=[column], columns=[])
    made = tmp_path / "made.parquet"
    bloom = parquet.bloom_filter(made, 0, column)
    assert bloom is not None
    values = [each for each in TABLE[column].slice(0, 3000).to_pylist() if each is not None]
    assert all(bloom.might_contain(each) for each in values[:200])
    others = {each for each in TABLE[column].slice(3000).to_pylist() if each is not None} - set(values)
    assert sum(bloom.might_contain(each) for each in others) <= len(others) * 0.05
    assert parquet.read_metadata(made).row_groups[0].columns[0].column_index_offset is None
    if column in ("n", "t"):
        value = "4001" if column == "n" else "'é04001'"
        assert duckdb.sql(f"select count(*) from '{made}' where {column} = {value}").fetchall() == [(1,)]


def test_wrong_arguments_and_an_old_file(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.parquet")
    before = plain.read_bytes()
    with pytest.raises(KeyError, match="zz"):
        parquet.add_indexes(plain, plain, columns=["zz"])
    with pytest.raises(TypeError, match="bloom"):
        parquet.add_indexes(plain, plain, bloom="n")
    data = bytearray(before)
    data[200:2000] = b"\xff" * 1800
    plain.write_bytes(bytes(data))
    with pytest.raises((ValueError, OSError)):
        parquet.add_indexes(plain, plain)
    assert plain.read_bytes() == bytes(data)
    assert [path.name for path in tmp_path.iterdir()] == ["plain.parquet"]
