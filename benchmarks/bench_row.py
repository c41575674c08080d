"""Row keys against polars' private row encoding and memcpy, sorting by them against pyarrow, polars and NumPy, and memory.

CPU time of this process, one thread each, 1,000,000 rows.
"""

from __future__ import annotations

import os

os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import multiprocessing
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.row import RowConverter, sort_indices

from .harness import Result, compare
from .memory import added_at_peak

_ENCODE_BAR, _DECODE_BAR = 1 / 2, 1 / 1.2
#: For keys of fixed width: times that a copy of as many bytes takes.
_COPY_BAR = 3.0
_SORT_BAR, _SORT_TEXT_BAR = 1 / 3, 1 / 2
#: Peak memory while a call runs, against the size of its result.
_MEMORY_BAR = 1.25

KEYS = ("int64", "int64,int64,float64", "utf8 ~12", "utf8 ~100", "int64,utf8,float64 10% null")


def run(quick: bool) -> list[Result]:
    """All keys; ``quick`` takes fewer rows and repetitions."""
    rows, repeat = (200_000, 5) if quick else (1_000_000, 15)
    pa.set_cpu_count(1)
    results = []
    for name in KEYS:
        keys = table(name, rows)
        results += _conversions(name, keys, repeat)
        results += _sorting(name, keys, max(3, repeat // 3))
    if sys.platform == "linux":
        results += _memory(rows)
    return results


def table(name: str, n: int) -> pa.Table:
    """One of ``KEYS``, the same for every run."""
    rng = np.random.default_rng(7)
    ints = rng.integers(-(2**63), 2**63 - 1, n)
    floats = rng.standard_normal(n)
    if name == "int64":
        return pa.table({"a": ints})
    if name == "int64,int64,float64":
        return pa.table({"a": rng.integers(0, 1000, n), "b": ints, "c": floats})
    if name == "utf8 ~100":
        return pa.table({"a": _letters(rng, rng.integers(75, 126, n))})
    short = np.array([f"{value:x}" for value in rng.integers(16**9, 16**14, n)], object)
    if name == "utf8 ~12":
        return pa.table({"a": pa.array(short, pa.string())})
    a, b, c = (rng.random(n) < 0.1 for _ in range(3))
    return pa.table(
        {"a": pa.array(ints, mask=a), "b": pa.array(short, pa.string(), mask=b), "c": pa.array(floats, mask=c)}
    )


def _letters(rng: np.random.Generator, lengths: Any) -> pa.Array:
    alphabet = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789", np.uint8)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    data = alphabet[rng.integers(0, 36, offsets[-1])]
    return pa.Array.from_buffers(pa.string(), len(lengths), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def _conversions(name: str, keys: pa.Table, repeat: int) -> list[Result]:
    frame = pl.from_arrow(keys)
    assert isinstance(frame, pl.DataFrame)
    width = len(frame.columns)
    options: dict[str, Any] = {"descending": [False] * width, "nulls_last": [False] * width}
    converter = RowConverter(keys.schema)
    theirs, ours = frame._row_encode(**options), converter.convert_columns(keys)
    results = _cpu(
        f"encode {name}",
        repeat,
        _ENCODE_BAR,
        ours=lambda: converter.convert_columns(keys),
        polars=lambda: frame._row_encode(**options),
    )
    results += _cpu(
        f"decode {name}",
        repeat,
        _DECODE_BAR,
        ours=lambda: converter.convert_rows(ours),
        polars=lambda: theirs._row_decode(frame.columns, frame.dtypes, **options),
    )
    if "utf8" in name:
        return results
    size = len(ours) * ours[0].as_buffer().size
    source, target = np.ones(size, np.uint8), np.ones(size, np.uint8)
    return results + _cpu(
        f"encode into memory of one's own {name}",
        repeat,
        _COPY_BAR,
        ours=lambda: converter.convert_columns(keys, out=target),
        memcpy=lambda: np.copyto(target, source),
    )


def _sorting(name: str, keys: pa.Table, repeat: int) -> list[Result]:
    frame = pl.from_arrow(keys)
    assert isinstance(frame, pl.DataFrame)
    names = keys.column_names
    ordering = [(column, "ascending", "at_end") for column in names]
    runs: dict[str, Callable[[], object]] = {
        "ours": lambda: sort_indices(keys, [(column, "ascending") for column in names]),
        "pyarrow": lambda: pc.sort_indices(keys, sort_keys=ordering),
        "polars": lambda: frame.select(pl.arg_sort_by(names, nulls_last=True, maintain_order=True)),
    }
    if "utf8" not in name:
        arrays = [column.to_numpy() for column in keys.columns]
        runs["lexsort"] = lambda: np.lexsort(arrays[::-1])
    bar = _SORT_BAR if len(names) > 1 else _SORT_TEXT_BAR if "utf8" in name else None
    return _cpu(f"sort {name}", repeat, bar, **runs)


def _cpu(what: str, repeat: int, bar: float | None, **runs: Callable[[], object]) -> list[Result]:
    bars = {} if bar is None else dict.fromkeys(runs, bar)
    return compare(what, runs, bars=bars, repeat=repeat, clock=time.process_time)


def _memory(rows: int) -> list[Result]:
    """Every key in a process of its own."""
    context = multiprocessing.get_context("spawn")
    results = []
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        for name in KEYS:
            for what, (added, size) in pool.submit(peaks, name, rows).result().items():
                results.append(
                    Result(f"peak memory, {what} {name}", added, size, "the result", bar=_MEMORY_BAR, unit="bytes")
                )
    return results


def peaks(name: str, rows: int) -> dict[str, tuple[int, int]]:
    """Bytes that encoding and decoding add to this process at their peaks, and those of their results."""
    keys = table(name, rows)
    converter = RowConverter(keys.schema)
    converter.convert_rows(converter.convert_columns(keys.slice(0, 10)))
    found = {}
    added, encoded = added_at_peak(lambda: converter.convert_columns(keys))
    found["encode"] = added, encoded.nbytes
    added, decoded = added_at_peak(lambda: converter.convert_rows(encoded))
    found["decode"] = added, sum(array.nbytes for array in decoded)
    return found
