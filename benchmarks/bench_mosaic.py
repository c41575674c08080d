"""Mosaic against its reference implementation with the same options, and against pyarrow's Parquet (zstd, level 1).

Seconds of the wall clock, as all three may use every processor, of local files that the system has in memory. What the
others write is byte for byte what we write. The pure backend and peak memory are measured in processes of their own.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from lakecodec import mosaic

from . import mosaic_peers as peers
from .harness import Result, compare, interleave
from .memory import added_at_peak

_PEER = "paimon-mosaic"
_MEMORY_BAR = 1.0


@dataclass(frozen=True)
class Shape:
    """A table, and the highest ratios to the reference that are good enough (None: not asked for).

    With more than one row group each holds ``rows`` rows.
    """

    columns: int
    rows: int
    row_groups: int = 1
    write: float | None = None
    read: float | None = None
    ten: float | None = None
    open: float | None = None

    @property
    def title(self) -> str:
        groups = f"{self.row_groups} x " if self.row_groups > 1 else ""
        return f"{self.columns:,} columns x {groups}{self.rows:,} rows"


def shapes(quick: bool) -> list[Shape]:
    wide: dict[str, float] = {"write": 1.0, "read": 0.8, "ten": 0.7, "open": 0.8}
    return [
        Shape(2_000, 2_000, **wide),
        Shape(10_000, 200 if quick else 1_000, **wide),
        Shape(2_000, 20, row_groups=20 if quick else 200, ten=0.2),
        Shape(40_000, 0, write=0.2),
        Shape(12, 200_000 if quick else 2_000_000, write=0.9, read=0.7),
    ]


def run(quick: bool) -> list[Result]:
    """All shapes; ``quick`` takes fewer rows and repetitions."""
    repeat = 3 if quick else 7
    results = []
    with tempfile.TemporaryDirectory(prefix="bench-mosaic-") as name:
        for shape in shapes(quick):
            results += _speed(shape, Path(name), repeat)
            results += _pure(shape)
            if sys.platform == "linux":
                results += _memory(shape)
    return results + _growth(repeat)


def make_table(shape: Shape) -> pa.Table:
    """Columns of many types and distributions, the same for every run, in chunks of ``shape.rows`` rows."""
    rng = np.random.default_rng(7)
    names = column_names(shape.columns)
    batch = pa.table([_KINDS[n % len(_KINDS)](rng, shape.rows) for n in range(shape.columns)], names=names)
    return pa.concat_tables([batch] * shape.row_groups)


def column_names(n: int) -> list[str]:
    """Names as machines make them, in no order."""
    words = ("temperature", "pressure", "status", "voltage", "errors", "speed", "level", "state")
    names = [f"sensor_{number // len(words):05}_{words[number % len(words)]}" for number in range(n)]
    random.Random(3).shuffle(names)
    return names


def _integers(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.integers(-(2**40), 2**40, rows))


def _small(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.integers(0, 100, rows, np.int32), mask=rng.random(rows) < 0.1)


def _floats(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.normal(20, 5, rows).round(2))


def _states(rng: np.random.Generator, rows: int) -> pa.Array:
    states = pa.array(["on", "off", "starting", "failed"])
    return states.take(pa.array(rng.integers(0, 4, rows), mask=rng.random(rows) < 0.05))


def _texts(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array([f"note {number:x}" for number in rng.integers(0, 2**40, rows)], pa.string())


def _times(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(1_700_000_000_000_000 + rng.integers(0, 10**12, rows)).cast(pa.timestamp("us", "UTC"))


def _flags(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(rng.random(rows) < 0.3, mask=rng.random(rows) < 0.5)


def _decimals(rng: np.random.Generator, rows: int) -> pa.Array:
    cents = pa.array(rng.integers(1, 10**6, rows)).cast(pa.decimal128(19, 0))
    return pa.Array.from_buffers(pa.decimal128(19, 2), rows, cents.buffers())


def _days(rng: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(19_700 + rng.integers(0, 8, rows, np.int32)).cast(pa.date32())


def _constants(_: np.random.Generator, rows: int) -> pa.Array:
    return pa.array(np.full(rows, 7, np.int16))


def _nothing(_: np.random.Generator, rows: int) -> pa.Array:
    return pa.nulls(rows, pa.float32())


_KINDS: list[Callable[[np.random.Generator, int], pa.Array]] = [
    _integers, _floats, _states, _small, _times, _texts, _flags, _decimals, _days, _constants, _nothing, _floats,
]  # fmt: skip


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
    if not shape.rows:
        return results
    peers.parquet_write(table, parquet)
    assert mosaic.read_table(ours).equals(peers.reference_read(ours))
    if shape.open is not None:
        readers: dict[str, Callable[[], object]] = {
            "lakecodec": lambda: mosaic.read_schema(ours),
            _PEER: lambda: peers.reference_schema(ours),
        }
        results += _compare(f"open and schema, {shape.title}", readers, shape.open, repeat)
    chosen = random.Random(5).sample(table.column_names, min(10, shape.columns))
    for what, columns, bar in (("read", None, shape.read), ("read 10 columns", chosen, shape.ten)):
        readers = {
            "lakecodec": lambda columns=columns: mosaic.read_table(ours, columns),
            _PEER: lambda columns=columns: peers.reference_read(ours, columns),
            "pyarrow Parquet": lambda columns=columns: peers.parquet_read(parquet, columns),
        }
        results += _compare(f"{what}, {shape.title}", readers, bar, repeat)
    return results


def _compare(what: str, runs: dict[str, Callable[[], object]], bar: float | None, repeat: int) -> list[Result]:
    return compare(what, runs, bars={} if bar is None else {_PEER: bar}, repeat=repeat)


def _row_group_max_bytes(shape: Shape) -> int:
    """With more than one row group each chunk is one."""
    return 2**28 if shape.row_groups == 1 else 1


def _growth(repeat: int) -> list[Result]:
    """Writing four times as many columns without rows should take four times as long."""
    few, many = (make_table(Shape(columns, 0)) for columns in (10_000, 40_000))
    medians = interleave(
        {
            "few": lambda: mosaic.write_table(few, pa.BufferOutputStream()),
            "many": lambda: mosaic.write_table(many, pa.BufferOutputStream()),
        },
        repeat=repeat,
    )
    limit = 4 * medians["few"]
    return [Result("write 40,000 columns x 0 rows", medians["many"], limit, "4 times 10,000 columns", bar=1.3)]


def _pure(shape: Shape) -> list[Result]:
    """What the pure backend takes: no bar, it is there to be right where nothing was compiled."""
    with _fresh_process(pure=True) as pool:
        ours = pool.submit(times, shape).result()
    with _fresh_process() as pool:
        native = pool.submit(times, shape).result()
    return [Result(f"pure backend: {what}, {shape.title}", ours[what], native[what], "native") for what in ours]


def times(shape: Shape) -> dict[str, float]:
    """Seconds of one write and one read in this process."""
    table = make_table(shape)
    with tempfile.TemporaryDirectory(prefix="bench-mosaic-") as name:
        path = Path(name) / "file"
        runs: dict[str, Callable[[], object]] = {
            "write": lambda: mosaic.write_table(table, path, row_group_max_bytes=_row_group_max_bytes(shape)),
            "read": lambda: mosaic.read_table(path),
        }
        return interleave(runs, repeat=1)


def _memory(shape: Shape) -> list[Result]:
    """Every call in a process of its own."""
    found = {}
    for who in ("ours", "theirs"):
        for what in ("write", "read", "read 10 columns"):
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
        for what in ("write", "read", "read 10 columns")
    ]


def peak(shape: Shape, who: str, what: str) -> int:
    """Bytes that a call adds to this process at its peak."""
    table = make_table(shape)
    chosen = random.Random(5).sample(table.column_names, min(10, shape.columns))
    columns = chosen if what == "read 10 columns" else None
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
