"""Ingest against Spark's own sort, partitionBy and write: 2 million rows of 12 columns, two of them partition columns.

Needs Java. Both sides read the same Parquet files and run in one session, in turn.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .harness import Result

_ROWS = 2_000_000
_PARTITION_BY = ("region", "day")
_SORT_BAR, _ZORDER_BAR = 1.4, 2.5


def run(quick: bool) -> list[Result]:
    """``quick`` takes a fortieth of the rows, once, and sorts only."""
    from lakecodec.pipeline import ingest
    from lakecodec.spark.local import local_session, missing_java

    if advice := missing_java():
        raise RuntimeError(advice)
    spark = local_session("local[2]")
    with tempfile.TemporaryDirectory(prefix="bench-ingest-") as folder:
        root = Path(folder)
        write_source(root / "source", _ROWS // 40 if quick else _ROWS)
        frame = spark.read.parquet(str(root / "source"))

        def ours(**layout: Any) -> None:
            shutil.rmtree(root / "ours", ignore_errors=True)
            ingest(spark, frame, root / "ours", partition_by=_PARTITION_BY, progress=False, **layout)

        def native() -> None:
            path = str(root / "native")
            rows = frame.sort(*_PARTITION_BY, "customer")
            rows.write.mode("overwrite").partitionBy(*_PARTITION_BY).parquet(path)

        runs = {"native": native, "sort": lambda: ours(sort_by=["customer"])}
        if not quick:
            runs["zorder"] = lambda: ours(zorder_by=["x", "ts"])
        medians = _medians(runs, repeat=1 if quick else 3)
    spark.stop()
    peer = "Spark's sort, partitionBy and write"
    bars = {"sort": _SORT_BAR, "zorder": _ZORDER_BAR}
    names = {"sort": "ingest, sorted", "zorder": "ingest, z-order"}
    return [
        Result(names[kind], medians[kind], medians["native"], peer, bar=bar)
        for kind, bar in bars.items()
        if kind in medians
    ]


def _medians(functions: Mapping[str, Callable[[], None]], repeat: int) -> dict[str, float]:
    """Median seconds of functions that take turns; the first turn, in which the JVM warms up, does not count."""
    samples: dict[str, list[float]] = {name: [] for name in functions}
    for turn in range(repeat + 1):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            if turn:
                samples[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in samples.items()}


def write_source(directory: Path, rows: int) -> None:
    """Four Parquet files of unsorted rows."""
    directory.mkdir()
    table = make_rows(rows)
    for index in range(4):
        part = table.slice(index * rows // 4, rows // 4)
        pq.write_table(part, directory / f"part-{index}.parquet", compression="snappy")


def make_rows(rows: int) -> pa.Table:
    """Numbers, texts, times and decimals in random order: 5 regions, 8 days."""
    rng = np.random.default_rng(1)
    texts = np.array([f"name {number:05d} of something" for number in range(5000)])
    regions = np.array(["north", "south", "east", "west", "São/Paulo"])
    days = (19_700 + rng.integers(0, 8, rows)).astype(np.int32)
    cents = pa.array(rng.integers(1, 10**6, rows)).cast(pa.decimal128(19, 0))
    return pa.table(
        {
            "region": regions[rng.integers(0, 5, rows)],
            "day": pa.array(days).view(pa.date32()),
            "id": rng.permutation(rows),
            "customer": rng.integers(0, 200_000, rows).astype(np.int32),
            "x": rng.normal(0, 1000, rows),
            "y": rng.normal(500, 200, rows),
            "price": pa.Array.from_buffers(pa.decimal128(19, 2), rows, cents.buffers()),
            "ts": pa.array(1_700_000_000_000_000 + rng.integers(0, 8 * 86_400 * 10**6, rows)).view(
                pa.timestamp("us", "UTC")
            ),
            "name": texts[rng.integers(0, len(texts), rows)],
            "flag": rng.random(rows) < 0.3,
            "small": pa.array(rng.integers(0, 100, rows).astype(np.int16), mask=rng.random(rows) < 0.1),
            "note": np.char.add("n", rng.integers(0, 10**9, rows).astype(str)),
        }
    )
