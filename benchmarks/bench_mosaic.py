"""Mosaic against its reference implementation with the same options, and against pyarrow's Parquet (zstd, level 1).

CPU time of all threads, as all three may use every processor, of local files that the system has in memory. What the
others write is byte for byte what we write. The pure backend and peak memory are measured in processes of their own.
We map local files, the reference reads at offsets: pages of a mapped file count as our memory, though the system can
take them back.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from lakecodec import mosaic

from . import mosaic_peers as peers
from .harness import Result, compare, interleave
from .memory import added_at_peak
from .mosaic_published import appends, wide_texts
from .mosaic_tables import Shape, make_table

_PEER = "paimon-mosaic"
_TEN = "read 10 columns"
_MEMORY_BAR = 1.0
#: The most that the pure backend is given.
_PURE_ROWS, _PURE_ROW_GROUPS = 200_000, 10


def shapes(quick: bool) -> list[Shape]:
    wide: dict[str, float] = {"write": 0.6, "read": 0.5, "ten": 0.45, "open": 0.7}
    return [
        Shape(2_000, 200 if quick else 2_000, **wide),
        Shape(4_000 if quick else 10_000, 100 if quick else 1_000, **wide),
        Shape(500 if quick else 2_000, 20, row_groups=20 if quick else 200, write=0.9, ten=0.2),
        Shape(8_000 if quick else 40_000, 0, write=0.2),
        Shape(12, 100_000 if quick else 2_000_000, write=0.6, read=0.7),
    ]


def run(quick: bool) -> list[Result]:
    """All shapes; ``quick`` takes fewer rows and repetitions, and starts no processes of their own."""
    repeat = 1 if quick else 5
    results = []
    with tempfile.TemporaryDirectory(prefix="bench-mosaic-") as name:
        for shape in shapes(quick):
            results += _speed(shape, Path(name), repeat)
            if quick:
                continue
            results += _pure(shape)
            if sys.platform == "linux":
                results += _memory(shape)
        results += wide_texts(Path(name), quick)
    return results + _growth(2_000 if quick else 10_000, repeat) + appends(quick)


def _speed(shape: Shape, folder: Path, repeat: int) -> list[Result]:
    table = make_table(shape)
    ours, theirs, parquet = folder / "ours.mosaic", folder / "theirs.mosaic", folder / "table.parquet"
    limit = _row_group_max_bytes(shape)
    writers: dict[str, Callable[[], object]] = {
        "lakecodec": lambda: mosaic.write_table(table, ours, row_group_max_bytes=limit),
        _PEER: lambda: peers.reference_write(table, theirs, limit),
    }
    for write in writers.values():
        write()
    if ours.read_bytes() != theirs.read_bytes():
        raise AssertionError(f"{shape.title}: the files differ")
    if shape.row_groups == 1:
        writers["pyarrow Parquet"] = lambda: peers.parquet_write(table, parquet)
    results = _compare(f"write, {shape.title}", writers, shape.write, repeat)
    if not _reads(shape):
        return results
    peers.parquet_write(table, parquet)
    assert mosaic.read_table(ours).equals(peers.reference_read(ours))
    if shape.open is not None:
        readers: dict[str, Callable[[], object]] = {
            "lakecodec": peers.anew(lambda: mosaic.read_schema(ours)),
            _PEER: lambda: peers.reference_schema(ours),
        }
        # It takes so little time that a median of few says more of the machine.
        results += _compare(f"open and schema, {shape.title}", readers, shape.open, 10 * repeat)
        readers["lakecodec"] = lambda: mosaic.read_schema(ours)
        results += _compare(f"open and a schema that is known, {shape.title}", readers, None, 10 * repeat)
    for what, bar in zip(_reads(shape), (shape.read, shape.ten), strict=False):
        columns = _ten_of(table) if what == _TEN else None
        readers = {
            "lakecodec": peers.anew(lambda columns=columns: mosaic.read_table(ours, columns)),
            _PEER: lambda columns=columns: peers.reference_read(ours, columns),
            "pyarrow Parquet": lambda columns=columns: peers.parquet_read(parquet, columns),
        }
        results += _compare(f"{what}, {shape.title}", readers, bar, repeat)
        if columns is not None:
            readers = {"lakecodec": lambda columns=columns: mosaic.read_table(ours, columns), _PEER: readers[_PEER]}
            results += _compare(f"{what}, known schema, {shape.title}", readers, None, repeat)
    return results


def _reads(shape: Shape) -> tuple[str, ...]:
    """What there is to read in a file of a shape."""
    return () if not shape.rows else ("read", _TEN) if shape.columns > 100 else ("read",)


def _ten_of(table: pa.Table) -> list[str]:
    return random.Random(5).sample(table.column_names, 10)


def _compare(what: str, runs: dict[str, Callable[[], object]], bar: float | None, repeat: int) -> list[Result]:
    return compare(what, runs, bars={} if bar is None else {_PEER: bar}, repeat=repeat, clock=time.process_time)


def _row_group_max_bytes(shape: Shape) -> int:
    """With more than one row group each chunk is one."""
    return 2**28 if shape.row_groups == 1 else 1


def _growth(columns: int, repeat: int) -> list[Result]:
    """Writing four times as many columns without rows should take four times as long."""
    few, many = (make_table(Shape(each, 0)) for each in (columns, 4 * columns))
    medians = interleave(
        {
            "few": lambda: mosaic.write_table(few, pa.BufferOutputStream()),
            "many": lambda: mosaic.write_table(many, pa.BufferOutputStream()),
        },
        repeat=repeat,
    )
    limit = 4 * medians["few"]
    return [
        Result(
            f"write {4 * columns:,} columns x 0 rows", medians["many"], limit, f"4 times {columns:,} columns", bar=1.3
        )
    ]


def _pure(shape: Shape) -> list[Result]:
    """What the pure backend takes: no bar, it is there to be right where nothing was compiled."""
    small = replace(shape, rows=min(shape.rows, _PURE_ROWS), row_groups=min(shape.row_groups, _PURE_ROW_GROUPS))
    with _fresh_process(pure=True) as pool:
        ours = pool.submit(times, small).result()
    with _fresh_process() as pool:
        native = pool.submit(times, small).result()
    return [Result(f"pure backend: {what}, {small.title}", ours[what], native[what], "native") for what in ours]


def times(shape: Shape) -> dict[str, float]:
    """Seconds of one write and one read in this process."""
    table = make_table(shape)
    with tempfile.TemporaryDirectory(prefix="bench-mosaic-") as name:
        path = Path(name) / "file"
        start = time.perf_counter()
        mosaic.write_table(table, path, row_group_max_bytes=_row_group_max_bytes(shape))
        written = time.perf_counter()
        mosaic.read_table(path)
        return {"write": written - start, "read": time.perf_counter() - written}


def _memory(shape: Shape) -> list[Result]:
    """Every call in a process of its own."""
    found = {}
    for who in ("ours", "theirs"):
        for what in ("write", *_reads(shape)):
            with _fresh_process() as pool:
                found[who, what] = pool.submit(peak, shape, who, what).result()
    return [
        Result(
            f"peak memory: {what}, {shape.title}",
            found["ours", what],
            found["theirs", what],
            _PEER,
            bar=_MEMORY_BAR,
            unit="bytes",
        )
        for what in ("write", *_reads(shape))
    ]


def peak(shape: Shape, who: str, what: str) -> int:
    """Bytes that a call adds to this process at its peak."""
    table = make_table(shape)
    columns = _ten_of(table) if what == _TEN else None
    limit = _row_group_max_bytes(shape)
    with tempfile.TemporaryDirectory(prefix="bench-mosaic-") as name:
        path = Path(name) / "file"
        calls: dict[tuple[str, bool], Callable[[], Any]] = {
            ("ours", True): lambda: mosaic.write_table(table, path, row_group_max_bytes=limit),
            ("theirs", True): lambda: peers.reference_write(table, path, limit),
            ("ours", False): lambda: mosaic.read_table(path, columns),
            ("theirs", False): lambda: peers.reference_read(path, columns),
        }
        if what != "write":
            peers.reference_write(table, path, limit)
            del table
        # What is loaded at the first call belongs to nobody's peak.
        _warm_up(Path(name))
        return added_at_peak(calls[who, what == "write"])[0]


def _warm_up(folder: Path) -> None:
    table = pa.table({"a": [1]})
    mosaic.write_table(table, folder / "small")
    mosaic.read_table(folder / "small")
    peers.reference_write(table, folder / "small")
    peers.reference_read(folder / "small")


@contextmanager
def _fresh_process(*, pure: bool = False) -> Iterator[ProcessPoolExecutor]:
    before = os.environ.get("LAKECODEC_PURE")
    if pure:
        os.environ["LAKECODEC_PURE"] = "1"
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            yield pool
    finally:
        if pure:
            os.environ.pop("LAKECODEC_PURE")
            if before is not None:
                os.environ["LAKECODEC_PURE"] = before
