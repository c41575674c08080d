"""A wide file of Mosaic that grows by short batches, as in the format's own append benchmark."""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Iterator
from typing import Any

import mosaic as reference
import numpy as np
import pyarrow as pa

from lakecodec import mosaic

from .harness import Result

_PEER = "paimon-mosaic"
#: Different batches, which are written in turn.
_BATCHES = 4


def appends(quick: bool) -> list[Result]:
    """CPU time of calls with few rows, the median and nearly the slowest, and of all from the first call to closing."""
    columns, calls = (3_000, 100) if quick else (30_000, 200)
    return [result for rows in (1, 10, 100) for result in _append(columns, rows, calls)]


def _append(columns: int, rows: int, calls: int) -> Iterator[Result]:
    batches = [_batch(columns, rows, seed) for seed in range(_BATCHES)]
    ours = mosaic.MosaicWriter(found := io.BytesIO(), batches[0].schema, compression_level=3)
    theirs = reference.MosaicWriter(expected := io.BytesIO(), batches[0].schema, reference.WriterOptions(zstd_level=3))
    times: dict[str, list[float]] = {"lakecodec": [], _PEER: []}
    gc.collect()
    for call in range(calls):
        batch = batches[call % _BATCHES]
        times["lakecodec"].append(_seconds(ours.write, batch))
        times[_PEER].append(_seconds(theirs.write, batch))
    totals = {name: sum(taken) for name, taken in times.items()}
    totals["lakecodec"] += _seconds(ours.close)
    totals[_PEER] += _seconds(theirs.close)
    if found.getvalue() != expected.getvalue():
        raise AssertionError(f"{columns} columns, {rows} rows a call: the files differ")
    title = f"{columns:,} columns, {calls} calls of {rows} rows"
    for what, place in (("median", calls // 2), ("P99", calls * 99 // 100)):
        own, peer = (sorted(times[name])[place] for name in ("lakecodec", _PEER))
        yield Result(f"append, {what} call, {title}", own, peer, _PEER, bar=1.0)
    yield Result(f"append, open to close, {title}", totals["lakecodec"], totals[_PEER], _PEER, bar=1.0)


def _seconds(call: Any, *arguments: Any) -> float:
    start = time.process_time()
    call(*arguments)
    return time.process_time() - start


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
