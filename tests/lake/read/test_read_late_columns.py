"""Columns that a predicate does not need are decoded only as far as rows match it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from lakecodec import lake
from lakecodec.lake.read import parquet_file
from lakecodec.lake.read.late_columns import RowTest, completed

_ROWS = 1000
_TABLE = pa.table({"id": range(_ROWS), "text": [f"row {number}" for number in range(_ROWS)]})


@pytest.mark.parametrize("rows", [7, 100, 128, 5000])
def test_other_columns_are_read_up_to_the_last_batch_that_matches(rows: int) -> None:
    read: list[int] = []

    def others() -> Iterator[pa.RecordBatch]:
        for batch in _TABLE.select(["text"]).to_batches(max_chunksize=rows):
            read.append(batch.num_rows)
            yield batch

    test = RowTest(("id",), lambda batch: bool({205, 210, 420} & set(batch["id"].to_pylist())))
    found = pa.Table.from_batches(completed(iter(_TABLE.select(["id"]).to_batches(max_chunksize=100)), test, others))
    assert found == pa.concat_tables([_TABLE.slice(200, 100), _TABLE.slice(400, 100)])
    assert sum(read) <= 500 + rows


def test_without_a_match_no_other_column_is_read() -> None:
    test = RowTest(("id",), lambda batch: False)
    assert list(completed(iter(_TABLE.to_batches()), test, lambda: pytest.fail("they are read"))) == []


def test_columns_of_different_lengths() -> None:
    short = _TABLE.select(["text"]).slice(0, 990).to_batches()
    test = RowTest(("id",), lambda batch: True)
    with pytest.raises(pa.ArrowInvalid, match="10 rows before"):
        list(completed(iter(_TABLE.select(["id"]).to_batches()), test, lambda: iter(short)))


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("id = 299999", pc.field("id") == 299_999),
        ("id IN (5, 280000) AND nested.low > 1", pc.field("id").isin([5, 280_000])),
        ("text = 'row 270001' OR id < 3", (pc.field("text") == "row 270001") | (pc.field("id") < 3)),
        ("id < 0", pc.field("id") < 0),
    ],
)
def test_scans(tmp_path: Path, where: str, expected: pc.Expression) -> None:
    numbers = np.arange(300_000)
    low = pa.StructArray.from_arrays([pa.array(numbers + 2), pa.array(numbers % 7)], ["low", "high"])
    texts = pa.array([f"row {number}" for number in numbers.tolist()])
    rows = pa.table({"id": numbers, "text": texts, "nested": low, "part": pa.repeat("x", len(numbers))})
    lake.write(rows, tmp_path / "t", partition_by="part", progress=False)
    wanted = rows.filter(expected)
    assert lake.scan(tmp_path / "t", where=where).read_all().combine_chunks() == wanted.combine_chunks()
    names = ["part", "text"]
    assert (
        lake.scan(tmp_path / "t", where=where, columns=names).read_all().to_pydict() == wanted.select(names).to_pydict()
    )


@pytest.mark.parametrize(("count", "tested"), [(1000, False), (300_000, True)])
def test_small_files_are_read_at_once(
    tmp_path: Path, count: int, tested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[RowTest] = []

    def noted(batches: Iterator[pa.RecordBatch], test: RowTest, others: Any) -> Iterator[pa.RecordBatch]:
        calls.append(test)
        return completed(batches, test, others)

    monkeypatch.setattr(parquet_file, "completed", noted)
    rows = pa.table({"id": range(count), "text": ["a"] * count})
    lake.write(rows, tmp_path / "t", progress=False)
    assert lake.scan(tmp_path / "t", where="id = 7").read_all() == rows.slice(7, 1)
    assert bool(calls) == tested


def test_columns_of_distinct_values_have_no_dictionary(tmp_path: Path) -> None:
    numbers = np.random.default_rng(3).integers(0, 1 << 40, 300_000)
    texts = pa.array([f"{number:x}" for number in numbers.tolist()])
    rows = pa.table(
        {"id": numbers, "text": texts, "kind": numbers % 10, "code": pa.array(numbers).cast(pa.decimal128(19))}
    )
    lake.write(rows, tmp_path / "t", progress=False)
    (file,) = (tmp_path / "t").glob("*.parquet")
    group = pq.read_metadata(file).row_group(0)
    assert [group.column(at).has_dictionary_page for at in range(4)] == [False, False, True, True]
    assert lake.scan(tmp_path / "t").read_all().combine_chunks() == rows
