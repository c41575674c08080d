"""Parquet files changed without decoding: against copying the file, and against pyarrow reading and writing it.

Indexes and Bloom filters are added by reading all values: against pyarrow reading and writing the file with them.

CPU time of this process, of the system's copies too. Files are in the system's cache; storage takes the same time for all
that write the same bytes. A rewrite also loses page boundaries, encodings, filters and the order of the writer's choices.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lakecodec import parquet

from .harness import Result, compare

#: Of the CPU time of a rewrite with page indexes.
_INDEX_BAR = 0.5
#: At least 80 % of the speed of copying the bytes that are kept.
_BAR = 1 / 0.8


def run(quick: bool) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            result
            for name, rows, columns, group in (
                ("8 columns, 4 row groups", 640_000 if quick else 4_000_000, 8, 4),
                ("100 columns, 4 row groups", 40_000 if quick else 160_000, 100, 4),
                ("1,000 columns of 8 KB chunks", 4_000, 1_000, 4),
            )
            for result in _shape(Path(folder), name, rows, columns, group, 1 if quick else 7)
        ] + _indexes(Path(folder), 200_000 if quick else 1_000_000, 1 if quick else 7)


def _indexes(folder: Path, rows: int, repeat: int) -> list[Result]:
    """Statistics, page indexes and size statistics for a table of events; Bloom filters of single columns."""
    numbers = np.random.default_rng(35)
    table = pa.table(
        {
            "at": pa.array(np.cumsum(numbers.integers(0, 10**6, rows)), pa.timestamp("us")),
            "user": numbers.integers(0, 50_000, rows),
            "kind": pa.array(np.array(["click", "view", "sale", "login"])[numbers.integers(0, 4, rows)]),
            "place": pa.array([f"city {n}" for n in numbers.integers(0, 500, rows)]),
            "amount": np.round(numbers.random(rows) * 100, 2),
            "weight": numbers.random(rows),
        }
    )
    results = []
    for name, options in (
        ("snappy, dictionaries", {"compression": "snappy"}),
        ("zstd, dictionaries", {"compression": "zstd"}),
        ("neither compressed nor encoded", {"compression": "none", "use_dictionary": False}),
    ):
        results += _added(f"add indexes: {rows:,} events, {name}", table, folder, repeat, {}, options)
    numbers_only = numbers.permutation(rows)
    for name, column in (
        ("distinct numbers", pa.array(numbers_only * 7919)),
        ("unique texts", pa.array([f"user {n * 7919} of {n}" for n in numbers_only.tolist()])),
        ("repeated texts", table["place"]),
    ):
        for options in ({"compression": "snappy"}, {"compression": "none", "use_dictionary": False}):
            filters = {"a": {"ndv": pc.count_distinct(column).as_py(), "fpp": 0.01}}
            what = f"add a Bloom filter: {rows:,} {name}, {options['compression']}"
            results += _added(what, pa.table({"a": column}), folder, repeat, filters, options)
    return results


def _added(
    what: str, table: pa.Table, folder: Path, repeat: int, filters: dict[str, Any], options: dict[str, Any]
) -> list[Result]:
    """Indexes and Bloom filters added to a file whose writer left them out, and a rewrite with them."""
    source, target = folder / "events.parquet", folder / "indexed.parquet"
    pq.write_table(table, source, write_statistics=False, **options)

    def add() -> None:
        target.unlink(missing_ok=True)
        parquet.add_indexes(source, target, bloom=filters)

    def rewrite() -> None:
        target.unlink(missing_ok=True)
        read = pq.read_table(source, use_threads=False)
        pq.write_table(read, target, write_page_index=True, bloom_filter_options=filters or None, **options)

    return compare(
        what,
        {"ours": add, "pyarrow rewrite": rewrite},
        bars={"pyarrow rewrite": _INDEX_BAR},
        repeat=repeat,
        clock=time.process_time,
    )


def _shape(folder: Path, name: str, rows: int, columns: int, groups: int, repeat: int) -> list[Result]:
    numbers = np.random.default_rng(18)
    table = pa.table({f"c{n}": numbers.random(rows) for n in range(columns)})
    source, target = folder / "source.parquet", folder / "target.parquet"
    pq.write_table(
        table,
        source,
        row_group_size=-(-rows // groups),
        use_dictionary=False,
        compression="none",
        write_page_index=True,
    )
    half = table.column_names[: columns // 2]
    cut = folder / "half.parquet"
    parquet.select_columns(source, cut, half)
    # Small chunks cost what their metadata costs, which a copy does not look at.
    bar = _BAR if os.path.getsize(source) / (columns * groups) > 4 * 2**20 else None
    megabytes = f"{name}, {os.path.getsize(source) / 1e6:,.0f} MB"

    def fresh(operation):  # type: ignore[no-untyped-def]
        def called() -> None:
            target.unlink(missing_ok=True)
            operation()

        return called

    def measured(what, ours, copied, rewritten):  # type: ignore[no-untyped-def]
        calls = {
            "ours": fresh(ours),
            "shutil.copyfile": fresh(lambda: shutil.copyfile(copied, target)),
            "pyarrow rewrite": fresh(rewritten),
        }
        return compare(
            f"{what}: {megabytes}",
            calls,
            bars={} if bar is None else {"shutil.copyfile": bar},
            repeat=repeat,
            clock=time.process_time,
        )

    options = {"compression": "none", "use_dictionary": False, "write_page_index": True}

    def rewrite(columns: list[str] | None = None) -> None:
        pq.write_table(pq.read_table(source, columns=columns), target, **options)

    return [
        *measured("concat", lambda: parquet.concat([source], target), source, rewrite),
        *measured("rename", lambda: parquet.rename_columns(source, target, {"c0": "x"}), source, rewrite),
        *measured("drop indexes", lambda: parquet.drop_indexes(source, target), source, rewrite),
        *measured("select half", lambda: parquet.select_columns(source, target, half), cut, lambda: rewrite(half)),
    ]
