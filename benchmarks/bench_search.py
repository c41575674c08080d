"""Search over many files: the first time, from a cache of footers, and against filtered scans of pyarrow, duckdb and polars."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from lakecodec import parquet

from .harness import Result, compare

#: Rows of a file, and columns beside the one that is searched.
_ROWS, _OTHERS = 1000, 9


def run(quick: bool) -> list[Result]:
    """10,000 files (``quick``: 300), each with its own range of keys: one holds the value."""
    count = 300 if quick else 10_000
    with tempfile.TemporaryDirectory() as folder:
        files = _files(Path(folder) / "lake", count)
        return _searches(Path(folder), files, count // 2 * _ROWS + 7, 3 if quick else 5)


def _files(folder: Path, count: int) -> list[str]:
    folder.mkdir()
    paths = [str(folder / f"{number:05}.parquet") for number in range(count)]
    for number, path in enumerate(paths):
        keys = pa.array(range(number * _ROWS, (number + 1) * _ROWS))
        table = pa.table({"key": keys, **{f"c{other}": keys for other in range(_OTHERS)}})
        pq.write_table(table, path, write_page_index=True, max_rows_per_page=100)
        # Files that changed just now are not kept.
        os.utime(path, ns=(0, 1_700_000_000_123_456_789))
    return paths


def _searches(folder: Path, files: list[str], key: int, repeat: int) -> list[Result]:
    where = str(folder / "lake")
    path = folder / "footers.arrow"
    time.sleep(0.1)
    parquet.row_groups_with(files, "key", key, cache=parquet.FooterCache(path))

    def first() -> Any:
        return parquet.row_groups_with(where, "key", key)

    def again() -> Any:
        return parquet.row_groups_with(where, "key", key, cache=parquet.FooterCache(path))

    def pyarrow() -> Any:
        fragments = ds.dataset(where, format="parquet").get_fragments(ds.field("key") == key)
        return [group for each in fragments for group in each.split_by_row_group(ds.field("key") == key)]

    def in_duckdb() -> Any:
        return duckdb.sql(f"SELECT * FROM '{where}/*.parquet' WHERE key = {key}").fetchall()

    def in_polars() -> Any:
        return pl.scan_parquet(f"{where}/*.parquet").filter(pl.col("key") == key).collect()

    assert first() == again()
    assert first()["rows"].to_pylist() == [[{"start": 0, "stop": 100}]]
    assert len(pyarrow()) == len(in_duckdb()) == len(in_polars()) == 1
    results: list[Result] = []
    for name, ours in (("search", first), ("search, footers cached", again)):
        functions: dict[str, Callable[[], Any]] = {
            "lakecodec": ours, "pyarrow": pyarrow, "duckdb": in_duckdb, "polars": in_polars,
        }  # fmt: skip
        bars = dict.fromkeys(("pyarrow", "duckdb", "polars"), 1.0 if ours is first else 0.2)
        title = f"{name}, {len(files):,} files"
        results += compare(title, functions, bars=bars, repeat=repeat, clock=time.process_time)
    return results
