"""Sorts and merges of more rows than memory holds give what a sort in memory gives."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakecodec import row

MIB = 1 << 20


def table(n: int, seed: int = 1) -> pa.Table:
    """Few different keys, with nulls, and the number of each row, which shows the order of equal ones."""
    rng = np.random.default_rng(seed)
    texts = np.array([None, "", "a", "b" * 40, "é"], object)[rng.integers(0, 5, n)]
    numbers = pa.array(rng.integers(-3, 4, n), mask=rng.random(n) < 0.1)
    return pa.table({"text": pa.array(texts, pa.string()), "n": numbers, "row": np.arange(n)})


def numbered(source: int, keys: list[int]) -> pa.Table:
    places = pa.array([[source, place] for place in range(len(keys))], pa.list_(pa.int64()))
    return pa.table({"k": pa.array(keys, pa.int64()), "from": places})


KEYS: Any = [("text", "descending"), "n"]
ORDERING = [("text", "descending", "at_end"), ("n", "ascending", "at_end")]


def expected(rows: pa.Table) -> pa.Table:
    return rows.take(pc.sort_indices(rows, sort_keys=ORDERING))


@pytest.mark.parametrize("rows_a_batch", [1_000, 50_000, 400_000])
def test_runs_in_files_are_merged(tmp_path: Path, rows_a_batch: int) -> None:
    rows = table(300_000)
    reader = row.sort_batches(rows.to_batches(rows_a_batch), KEYS, memory_limit=4 * MIB, directory=tmp_path)
    first = reader.read_next_batch()
    assert list(tmp_path.rglob("*.arrow")), "the limit is less than the rows"
    found = pa.Table.from_batches([first, *reader])
    assert found.combine_chunks() == expected(rows).combine_chunks()
    assert not list(tmp_path.iterdir())


def test_what_fits_into_memory_needs_no_files(tmp_path: Path) -> None:
    rows = table(10_000)
    found = row.sort_batches(rows, KEYS, directory=tmp_path / "is not there").read_all()
    assert found.combine_chunks() == expected(rows).combine_chunks()


def test_files_are_gone_when_the_reader_is(tmp_path: Path) -> None:
    reader = row.sort_batches(table(300_000), KEYS, memory_limit=MIB, directory=tmp_path)
    reader.read_next_batch()
    assert list(tmp_path.iterdir())
    del reader
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_many_runs_are_merged_in_rounds(tmp_path: Path) -> None:
    """A limit of 1 MiB merges two files at a time."""
    rows = table(120_000)
    found = row.sort_batches(rows, KEYS, memory_limit=MIB, directory=tmp_path).read_all()
    assert found.combine_chunks() == expected(rows).combine_chunks()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), max_size=30), min_size=1, max_size=5), st.integers(1, 7))
def test_merge_is_stable(values: list[list[int]], rows_a_batch: int) -> None:
    sources = [row.sort_table(numbered(i, part), "k") for i, part in enumerate(values)]
    whole = pa.concat_tables(sources)
    merged = row.merge([source.to_batches(rows_a_batch) or source for source in sources], "k").read_all()
    assert merged.to_pylist() == row.sort_table(whole, "k").to_pylist()


def test_sources_that_are_not_sorted_are_refused() -> None:
    low, high = pa.table({"k": [1, 2]}), pa.table({"k": [3, 4]})
    with pytest.raises(ValueError, match=r"sources\[1\]: the rows are not in the order"):
        row.merge([[low, high], [high, low]], "k").read_all()


def test_arguments() -> None:
    rows = pa.table({"k": [1]})
    with pytest.raises(ValueError, match="memory_limit: at least 1 MiB"):
        row.sort_batches(rows, "k", memory_limit=5)
    with pytest.raises(TypeError, match="memory_limit"):
        row.sort_batches(rows, "k", memory_limit=1e9)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="sort_keys"):
        row.sort_batches(rows, "missing")
    with pytest.raises(ValueError, match="batches: at least one"):
        row.sort_batches([], "k")
    with pytest.raises(TypeError, match="batches: "):
        row.sort_batches(5, "k")
    with pytest.raises(ValueError, match="one schema"):
        row.sort_batches([rows, pa.table({"k": ["a"]})], "k").read_all()
    with pytest.raises(ValueError, match=r"sources\[1\]: all need one schema"):
        row.merge([rows, pa.table({"k": ["a"]})], "k")
    with pytest.raises(TypeError, match="sources"):
        row.merge(5, "k")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sources: at least one"):
        row.merge([], "k")
