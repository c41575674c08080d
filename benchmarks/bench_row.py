"""Row keys against polars' private row encoding and memcpy, sorting by them against pyarrow, polars and NumPy, and memory.

CPU time of this process, one thread each: 1,000,000 rows, batches of 4,096 rows of more types, and calls of one row.
"""

from __future__ import annotations

import os

os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.row import RowConverter, sort_batches, sort_indices

from .harness import Result, compare, interleave
from .memory import added_at_peak

_ENCODE_BAR, _DECODE_BAR = 1 / 2, 1 / 1.2
#: For keys of fixed width: times that a copy of as many bytes takes.
_COPY_BAR = 3.0
_SORT_BAR, _SORT_TEXT_BAR = 1 / 3, 1 / 2
#: Batches of 4,096 rows, encoded or decoded.
_BATCH_BAR = 0.4
#: Seconds of a call that converts one row.
_CALL_LIMIT = 4e-6
#: Peak memory while a call runs, against the size of its result.
_MEMORY_BAR = 1.25

#: What a sort of batches may take, and what it may add to the process.
_SORT_MEMORY, _SORT_MEMORY_BAR = 256 << 20, 1.1

KEYS = ("int64", "int64,int64,float64", "utf8 ~12", "utf8 ~100", "int64,utf8,float64 10% null")


def run(quick: bool) -> list[Result]:
    """All keys; ``quick`` takes fewer rows and repetitions, and leaves out external sorts and memory."""
    rows, repeat = (50_000, 3) if quick else (1_000_000, 15)
    pa.set_cpu_count(1)
    results = []
    for name in KEYS:
        keys = table(name, rows)
        results += _conversions(name, keys, repeat)
        results += _sorting(name, keys, max(3, repeat // 3))
    for name, keys in list(easy(rows))[:: 3 if quick else 1]:
        results += _sorting(name, keys, max(3, repeat // 3), bar=1.0)
    results += _batches(3 if quick else 25)
    if quick:
        return results
    results += _external(20_000_000)
    if sys.platform == "linux":
        results += _memory(rows, 20_000_000)
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


def easy(n: int) -> Iterator[tuple[str, pa.Table]]:
    """Keys of few values, and keys that are in order or nearly."""
    rng = np.random.default_rng(3)
    ordered = np.sort(rng.integers(0, 2**62, n))
    yield "int64 of 10 values", pa.table({"a": rng.integers(0, 10, n)})
    yield "int64,int64 of 10 x 100 values", pa.table({"a": rng.integers(0, 10, n), "b": rng.integers(0, 100, n)})
    yield "utf8 of 50 values", pa.table({"a": WORDS.take(pa.array(rng.integers(0, 50, n)))})
    yield "int64 in order", pa.table({"a": ordered})
    yield "int64 in reverse", pa.table({"a": ordered[::-1].copy()})
    yield "int64 in 10 runs", pa.table({"a": np.sort(rng.permutation(ordered).reshape(10, -1), axis=1).ravel()})
    yield "utf8 in order", pa.table({"a": pa.array(np.char.mod("%019d", ordered))})


def _letters(rng: np.random.Generator, lengths: Any) -> pa.Array:
    alphabet = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789", np.uint8)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    data = alphabet[rng.integers(0, 36, offsets[-1])]
    return pa.Array.from_buffers(pa.string(), len(lengths), [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def batch(name: str, n: int) -> pa.Table:
    """A batch of one of ``BATCHES``."""
    rng = np.random.default_rng(7)
    ints, bits, nulls = rng.integers(-(2**62), 2**62, n), rng.random(n) < 0.5, rng.random(n) < 0.1
    words = pa.array([f"{value:x}" for value in rng.integers(16**9, 16**14, n)])
    runs = -(-n // 8)
    columns: dict[str, Callable[[], pa.Array]] = {
        "int64": lambda: pa.array(ints),
        "utf8": lambda: words,
        "bool": lambda: pa.array(bits),
        "bool 10% null": lambda: pa.array(bits, mask=nulls),
        "dictionary of 50": lambda: pa.DictionaryArray.from_arrays(rng.integers(0, 50, n).astype(np.int32), WORDS),
        "utf8 view": lambda: words.cast(pa.string_view()),
        "run-end of 8": lambda: pa.RunEndEncodedArray.from_arrays(
            np.minimum(np.arange(1, runs + 1) * 8, n).astype(np.int32), pa.array(ints[:runs])
        ),
        "list of 4": lambda: pa.ListArray.from_arrays(np.arange(0, 4 * n + 1, 4, dtype=np.int32), np.repeat(ints, 4)),
    }
    if name in columns:
        return pa.table({"a": columns[name]()})
    mixed = [pa.array(rng.integers(0, 1000, n)) for _ in range(20)]
    mixed += [pa.array(rng.standard_normal(n), mask=nulls) for _ in range(10)]
    mixed += [pa.array(words.to_numpy(False), mask=nulls) for _ in range(10)]
    mixed += [pa.array(bits) for _ in range(5)]
    mixed += [pa.array(rng.integers(0, 20_000, n).astype(np.int32)).cast(pa.date32()) for _ in range(5)]
    mixed += [pa.array(rng.integers(0, 2**50, n)).cast(pa.timestamp("us")) for _ in range(3)]
    return pa.Table.from_arrays(mixed, names=[f"c{i}" for i in range(len(mixed))])


WORDS = pa.array([f"word{i}" for i in range(50)])
BATCHES = (
    "int64",
    "utf8",
    "bool",
    "bool 10% null",
    "dictionary of 50",
    "utf8 view",
    "run-end of 8",
    "list of 4",
    "53 columns",
)


def _batches(repeat: int) -> list[Result]:
    results = []
    for name in BATCHES:
        keys, one = batch(name, 4096), batch(name, 1)
        converter = RowConverter(keys.schema)
        rows = converter.convert_columns(one)
        calls = {
            "encode": lambda converter=converter, one=one: converter.convert_columns(one),
            "decode": lambda converter=converter, rows=rows: converter.convert_rows(rows),
        }
        for what, call in calls.items():
            seconds = interleave({what: call}, repeat=repeat, clock=time.process_time)[what]
            bar = None if name == "53 columns" else 1.0
            results.append(Result(f"{what} one row, {name}", seconds, _CALL_LIMIT, "the limit", bar=bar))
        if name != "run-end of 8":  # polars has no such type
            results += _conversions(name, keys, repeat, prefix="4,096 rows, ", bars=(_BATCH_BAR, _BATCH_BAR))
    return results


def _unsorted(rows: int) -> Iterator[pa.RecordBatch]:
    """Batches with 16 bytes a row."""
    rng = np.random.default_rng(7)
    for start in range(0, rows, 1_000_000):
        keys = rng.integers(-(2**62), 2**62, 1_000_000)
        yield pa.record_batch({"k": keys, "v": np.arange(start, start + len(keys))})


def _sort(rows: int, limit: int) -> None:
    for _ in sort_batches(_unsorted(rows), "k", memory_limit=limit):
        pass


def sort_peak(rows: int, limit: int) -> int:
    """Bytes that a sort in files adds to this process at its peak."""
    next(_unsorted(rows))
    return added_at_peak(lambda: _sort(rows, limit))[0]


def _external(rows: int) -> list[Result]:
    """A sort of batches; 20 million rows do not fit into the memory that is allowed."""
    limit = _SORT_MEMORY

    def theirs() -> None:
        source = pa.RecordBatchReader.from_batches(next(_unsorted(rows)).schema, _unsorted(rows))
        with duckdb.connect(config={"memory_limit": f"{limit // 1_000_000}MB", "threads": 1}) as connection:
            connection.register("source", source)
            for _ in connection.sql("SELECT * FROM source ORDER BY k").to_arrow_reader(1_000_000):
                pass

    return _cpu(
        f"sort batches, {rows / 1e6:g}M rows, {limit >> 20} MiB", 3, 1.0, ours=lambda: _sort(rows, limit), duckdb=theirs
    )


def _conversions(
    name: str,
    keys: pa.Table,
    repeat: int,
    *,
    prefix: str = "",
    bars: tuple[float, float] = (_ENCODE_BAR, _DECODE_BAR),
) -> list[Result]:
    frame = pl.from_arrow(keys)
    assert isinstance(frame, pl.DataFrame)
    width = len(frame.columns)
    options: dict[str, Any] = {"descending": [False] * width, "nulls_last": [False] * width}
    converter = RowConverter(keys.schema)
    theirs, ours = frame._row_encode(**options), converter.convert_columns(keys)
    results = _cpu(
        f"encode {prefix}{name}",
        repeat,
        bars[0],
        ours=lambda: converter.convert_columns(keys),
        polars=lambda: frame._row_encode(**options),
    )
    results += _cpu(
        f"decode {prefix}{name}",
        repeat,
        bars[1],
        ours=lambda: converter.convert_rows(ours),
        polars=lambda: theirs._row_decode(frame.columns, frame.dtypes, **options),
    )
    if "utf8" in name or prefix:
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


def _sorting(name: str, keys: pa.Table, repeat: int, bar: float | None = None) -> list[Result]:
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
    if bar is None:
        bar = _SORT_BAR if len(names) > 1 else _SORT_TEXT_BAR if "utf8" in name else None
    return _cpu(f"sort {name}", repeat, bar, **runs)


def _cpu(what: str, repeat: int, bar: float | None, **runs: Callable[[], object]) -> list[Result]:
    bars = {} if bar is None else dict.fromkeys(runs, bar)
    return compare(what, runs, bars=bars, repeat=repeat, clock=time.process_time)


def _memory(rows: int, sorted_rows: int) -> list[Result]:
    """Every key in a process of its own."""
    context = multiprocessing.get_context("spawn")
    results = []
    with ProcessPoolExecutor(1, context, max_tasks_per_child=1) as pool:
        for name in KEYS:
            for what, (added, size) in pool.submit(peaks, name, rows).result().items():
                results.append(
                    Result(f"peak memory, {what} {name}", added, size, "the result", bar=_MEMORY_BAR, unit="bytes")
                )
        added = pool.submit(sort_peak, sorted_rows, _SORT_MEMORY).result()
    what = f"peak memory, sort batches, {sorted_rows // 1_000_000}M rows"
    results.append(Result(what, added, _SORT_MEMORY, "the limit", bar=_SORT_MEMORY_BAR, unit="bytes"))
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
