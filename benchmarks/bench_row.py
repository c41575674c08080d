"""Row keys against polars' private row encoding, and sorting by them against pyarrow, polars and NumPy.

Medians of interleaved runs, CPU time of this process with one thread each, 1,000,000 rows unless told otherwise.

    python benchmarks/bench_row.py [--rows N] [--repeat K] [encode] [decode] [sort] [memcpy] [memory]
"""

from __future__ import annotations

import os

os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.row import RowConverter, sort_indices

MEASURES = ("encode", "decode", "sort", "memcpy", "memory")


def tables(n: int) -> dict[str, pa.Table]:
    """The five keys, the same for every run."""
    rng = np.random.default_rng(7)
    ints = rng.integers(-(2**63), 2**63 - 1, n)
    small = rng.integers(0, 1000, n)
    floats = rng.standard_normal(n)
    short = [f"{value:x}" for value in rng.integers(16**9, 16**14, n)]
    alphabet = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789", np.uint8)
    letters = alphabet[rng.integers(0, 36, 130 * n)]
    ends = np.cumsum(rng.integers(75, 126, n))
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    long = pa.Array.from_buffers(pa.string(), n, [None, pa.py_buffer(offsets), pa.py_buffer(letters)])
    nulls = [rng.random(n) < 0.1 for _ in range(3)]
    mixed = {
        "a": pa.array(ints, mask=nulls[0]),
        "b": pa.array(np.array(short, object), pa.string(), mask=nulls[1]),
        "c": pa.array(floats, mask=nulls[2]),
    }
    return {
        "int64": pa.table({"a": ints}),
        "int64,int64,float64": pa.table({"a": small, "b": ints, "c": floats}),
        "utf8 ~12": pa.table({"a": pa.array(short)}),
        "utf8 ~100": pa.table({"a": long}),
        "int64,utf8,float64 10% null": pa.table(mixed),
    }


def medians(repeat: int, **runs: Callable[[], Any]) -> dict[str, float]:
    """Milliseconds of CPU time per run, interleaved; results are dropped outside the clock."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeat):
        for name, run in runs.items():
            before = time.process_time()
            result = run()
            times[name].append(time.process_time() - before)
            del result
    return {name: 1000 * statistics.median(values) for name, values in times.items()}


def line(what: str, key: str, found: dict[str, float], bar: float | None, against: list[str]) -> None:
    best = min(found[name] for name in against)
    ratio = best / found["ours"]
    times = "  ".join(f"{name} {value:8.2f} ms" for name, value in found.items())
    mark = "" if bar is None else f"  (bar {bar:g}: {'met' if ratio >= bar else 'MISSED'})"
    print(f"{what:7} {key:28} {times}  ratio {ratio:5.2f}{mark}", flush=True)


def encode_and_decode(name: str, table: pa.Table, repeat: int, wanted: set[str]) -> None:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    width = len(frame.columns)
    options: dict[str, Any] = {"descending": [False] * width, "nulls_last": [False] * width}
    converter = RowConverter(table.schema)
    theirs = frame._row_encode(**options)
    ours = converter.convert_columns(table)
    if "encode" in wanted:
        found = medians(
            repeat, ours=lambda: converter.convert_columns(table), polars=lambda: frame._row_encode(**options)
        )
        line("encode", name, found, 2, ["polars"])
    if "decode" in wanted:
        found = medians(
            repeat,
            ours=lambda: converter.convert_rows(ours),
            polars=lambda: theirs._row_decode(frame.columns, frame.dtypes, **options),
        )
        line("decode", name, found, 1.2, ["polars"])
    if "memcpy" in wanted and "utf8" not in name:
        size = len(ours) * ours[0].as_buffer().size
        source, target = np.ones(size, np.uint8), np.ones(size, np.uint8)
        found = medians(
            repeat,
            ours=lambda: converter.convert_columns(table, out=target),
            memcpy=lambda: np.copyto(target, source),
        )
        line("memcpy", name, found, 1 / 3, ["memcpy"])


def sort(name: str, table: pa.Table, repeat: int) -> None:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    keys = [(column, "ascending") for column in table.column_names]
    ordering = [(column, "ascending", "at_end") for column in table.column_names]
    runs: dict[str, Callable[[], Any]] = {
        "ours": lambda: sort_indices(table, keys),
        "pyarrow": lambda: pc.sort_indices(table, sort_keys=ordering),
        "polars": lambda: frame.select(pl.arg_sort_by(frame.columns, nulls_last=True, maintain_order=True)),
    }
    if all(
        not pa.types.is_string(kind) and not column.null_count
        for kind, column in zip(table.schema.types, table.columns, strict=True)
    ):
        arrays = [column.to_numpy() for column in table.columns]
        runs["lexsort"] = lambda: np.lexsort(arrays[::-1])
    found = medians(max(3, repeat // 3), **runs)
    bar = 3.0 if table.num_columns > 1 else 2.0 if name.startswith("utf8") else None
    line("sort", name, found, bar, [other for other in runs if other != "ours"])


def peak(name: str, rows: int) -> None:
    """In this process: peak memory that one encoding adds, against the size of its result (Linux only)."""
    table = tables(rows)[name]
    converter = RowConverter(table.schema)
    converter.convert_columns(table.slice(0, 10))
    Path("/proc/self/clear_refs").write_text("5")
    before = kilobytes("VmRSS")
    result = converter.convert_columns(table)
    added = kilobytes("VmHWM") - before
    print(f"memory  {name:28} result {result.nbytes / 2**20:7.1f} MiB  peak {added / 1024:7.1f} MiB", flush=True)


def kilobytes(field: str) -> int:
    """A line of this process's memory status; VmHWM is the peak since it was cleared."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    parser.add_argument("measures", nargs="*", default=list(MEASURES))
    arguments = parser.parse_args()
    pa.set_cpu_count(1)
    if arguments.peak:
        peak(arguments.peak, arguments.rows)
        return
    wanted = set(arguments.measures)
    if wanted - set(MEASURES):
        parser.error(f"measures: {', '.join(MEASURES)}")
    keys = tables(arguments.rows)
    for name, table in keys.items():
        encode_and_decode(name, table, arguments.repeat, wanted)
        if "sort" in wanted:
            sort(name, table, arguments.repeat)
    if "memory" in wanted:
        for name in keys:
            subprocess.run([sys.executable, __file__, "--rows", str(arguments.rows), "--peak", name], check=True)


if __name__ == "__main__":
    main()
