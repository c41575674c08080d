"""The format's own benchmarks: wide tables of texts, and a wide file that grows by short batches.

CPU time of all threads; that the files are the reference's byte for byte is checked before.
"""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mosaic as reference
import numpy as np
import pyarrow as pa

from lakecodec import mosaic

from . import mosaic_peers as peers
from .harness import Result, compare

_PEER = "paimon-mosaic"
#: Different batches, which are written in turn.
_BATCHES = 4
_LEVEL = 9


def wide_texts(folder: Path, quick: bool) -> list[Result]:
    """Nine columns of ten are texts, names have 80 bytes, zstd 9: writing, reading, ten columns and one."""
    columns, rows, repeat = (1_000, (10, 100), 1) if quick else (10_000, (10, 500, 4_500), 5)
    return [result for each in rows for result in _texts(folder, columns, each, repeat)]


def _texts(folder: Path, columns: int, rows: int, repeat: int) -> Iterator[Result]:
    table = _text_table(columns, rows)
    ours, theirs, parquet = folder / "ours.mosaic", folder / "theirs.mosaic", folder / "table.parquet"
    writers: dict[str, Callable[[], object]] = {
        "lakecodec": lambda: mosaic.write_table(table, ours, compression_level=_LEVEL),
        _PEER: lambda: peers.reference_write(table, theirs, level=_LEVEL),
        "pyarrow Parquet": lambda: peers.parquet_write(table, parquet, _LEVEL),
    }
    title = f"{columns:,} columns of texts x {rows:,} rows"
    yield from _compared(f"write, {title}", writers, min(repeat, 3))
    if ours.read_bytes() != theirs.read_bytes():
        raise AssertionError(f"{title}: the files differ")
    middle = columns // 2
    for what, names in (
        ("read", None),
        ("10 columns", table.column_names[middle :: columns // 20][:10]),
        ("1 column", [table.column_names[middle]]),
    ):
        readers: dict[str, Callable[[], Any]] = {
            "lakecodec": peers.anew(lambda names=names: mosaic.read_table(ours, names)),
            _PEER: lambda names=names: peers.reference_read(ours, names),
            "pyarrow Parquet": lambda names=names: peers.parquet_read(parquet, names),
        }
        if not readers["lakecodec"]().equals(readers[_PEER]()):
            raise AssertionError(f"{what}, {title}: the tables differ")
        yield from _compared(f"{what}, {title}", readers, repeat)


def _compared(what: str, runs: dict[str, Callable[[], Any]], repeat: int) -> list[Result]:
    return compare(what, runs, bars=dict.fromkeys(runs, 1.0), repeat=repeat, clock=time.process_time)


def _text_table(columns: int, rows: int) -> pa.Table:
    """Texts of eleven characters that end with seven digits; each tenth column has numbers."""
    rng = np.random.default_rng(7)
    offsets = pa.py_buffer(np.arange(0, 11 * rows + 1, 11, dtype=np.int32))
    text = np.empty((rows, 11), np.uint8)
    text[:, :4] = np.frombuffer(b"text", np.uint8)
    arrays = []
    for number in range(columns):
        values = rng.integers(0, 10**6, rows)
        if number % 10 == 0:
            arrays.append(pa.array(values))
            continue
        text[:, 4:] = values[:, None] // 10 ** np.arange(6, -1, -1) % 10 + ord("0")
        arrays.append(pa.Array.from_buffers(pa.string(), rows, [None, offsets, pa.py_buffer(text.tobytes())]))
    return pa.table(arrays, names=[f"column_{number:05}_".ljust(80, "x") for number in range(columns)])


def appends(quick: bool) -> list[Result]:
    """CPU time of calls with few rows, the median and nearly the slowest, and of all from the first call to closing."""
    if quick:
        return [result for rows in (1, 10) for result in _append(1_000, rows, 100)]
    # A call of 1,500 rows to 30,000 columns would be a row group by itself.
    sizes = ((30_000, 1, 200), (30_000, 10, 200), (30_000, 100, 200), (3_000, 1_500, 20))
    return [result for size in sizes for result in _append(*size)]


def _append(columns: int, rows: int, calls: int) -> Iterator[Result]:
    batches = [_batch(columns, rows, seed) for seed in range(_BATCHES)]
    ours = mosaic.MosaicWriter(found := io.BytesIO(), batches[0].schema, compression_level=3)
    theirs = reference.MosaicWriter(expected := io.BytesIO(), batches[0].schema, reference.WriterOptions(zstd_level=3))
    times: dict[str, list[_Times]] = {"lakecodec": [], _PEER: []}
    gc.collect()
    for call in range(calls):
        batch = batches[call % _BATCHES]
        times["lakecodec"].append(_times(ours.write, batch))
        times[_PEER].append(_times(theirs.write, batch))
    closing = {"lakecodec": _times(ours.close), _PEER: _times(theirs.close)}
    if found.getvalue() != expected.getvalue():
        raise AssertionError(f"{columns} columns, {rows} rows a call: the files differ")
    title = f"{columns:,} columns, {calls} calls of {rows} rows"
    found_times = {name: list(zip(*taken, strict=True)) for name, taken in times.items()}
    for what, place in (("median", calls // 2), ("P99", calls * 99 // 100)):
        own, peer = ([sorted(each)[place] for each in found_times[name]] for name in ("lakecodec", _PEER))
        yield _result(f"append, {what} call, {title}", own, peer)
    own, peer = (
        [sum(each) + last for each, last in zip(found_times[name], closing[name], strict=True)]
        for name in ("lakecodec", _PEER)
    )
    yield _result(f"append, open to close, {title}", own, peer)


def _result(name: str, own: list[float], peer: list[float]) -> Result:
    return Result(name, own[0], peer[0], _PEER, bar=1.0, wall=own[1] / peer[1])


class _Times(NamedTuple):
    """Seconds of CPU, of all threads, and on the wall."""

    cpu: float
    wall: float


def _times(call: Any, *arguments: Any) -> _Times:
    wall, start = time.perf_counter(), time.process_time()
    call(*arguments)
    return _Times(time.process_time() - start, time.perf_counter() - wall)


def _batch(columns: int, rows: int, seed: int) -> pa.RecordBatch:
    """Texts of eleven letters, one column of ten a number; two columns of three are mostly null."""
    rng = np.random.default_rng(seed)
    arrays: dict[str, pa.Array] = {}
    for number in range(columns):
        mask = rng.random(rows) < 0.9 if number % 3 else np.zeros(rows, bool)
        values = rng.integers(0, 10**6, rows)
        texts = values if number % 10 == 0 else np.char.mod("text%07d", values)
        arrays[f"column_{number:05}_of_a_wide_table"] = pa.array(texts, mask=mask)
    return pa.record_batch(arrays)
