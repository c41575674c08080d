"""Footers of many shapes through what users call, against pyarrow: CPU time of all threads, results dropped."""

from __future__ import annotations

import pickle
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec import parquet
from lakecodec.generated.parquet import KeyValue
from lakecodec.runtime.native import _compact

from . import parquet_peers as peers
from .bench_parquet import walk
from .footer_process import added, first_call
from .footer_shapes import floats, strings, wide
from .harness import Result, compare

#: Ratios to pyarrow, by what is written in the columns: those of the Rust implementation.
_DECODE = {"float": 0.36, "string": 0.45, "wide": 0.40}
_WALK = 1 / 8
#: Cost of a chunk in the largest footer to that in the smallest.
_FLAT = 1.3
#: Seconds for five columns of a file of any width.
_RANDOM = 10e-6
#: The first call in a fresh process to later ones, each on a file that was just read.
_FIRST = 1.3


def run(quick: bool) -> list[Result]:
    """All shapes; ``quick`` leaves out those of 10,000 columns, and the texts of 1,000."""
    repeat = 3 if quick else 7
    results: list[Result] = []
    shapes: list[tuple[str, Callable[[int], bytes]]] = [("float", floats), ("string", strings)]
    costs: dict[int, float] = {}
    for kind, make in shapes:
        for columns in ((100, 1000) if kind == "float" else (100,)) if quick else (100, 1000, 10_000):
            file = make(columns)
            found = _decoding(f"{kind}, 20 x {columns:,}", file, _DECODE[kind], repeat)
            if kind == "float":
                costs[columns] = found[0].ours / columns
            results += found
            if columns > 100:
                results += _parts(f"{kind}, 20 x {columns:,}", file, columns, repeat)
                results += _writing(f"{kind}, 20 x {columns:,}", file, repeat)
                results += _processes(f"{kind}, 20 x {columns:,}", file, 2 if quick else 9)
    small, large = min(costs), max(costs)
    results.append(Result(f"chunk, {large:,} and {small:,} columns", costs[large], costs[small], "itself", bar=_FLAT))
    file = wide(500 if quick else 10_000)
    results += _decoding("wide", file, _DECODE["wide"], repeat)
    results.append(_at_random(1000 if quick else 100_000, repeat))
    return results if quick else results + _columns(10_000, 100_000, repeat)


def _at_random(columns: int, repeat: int) -> Result:
    """Five columns of a file whose footer is cached, others on each call."""
    draw = random.Random(1)
    calls = [[f"column_{draw.randrange(columns)}" for _ in range(5)] for _ in range(2000)]
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/wide.parquet"
        pq.write_table(pa.table({f"column_{number}": [number] for number in range(columns)}), path)
        time.sleep(2.1)  # until another change would have another time
        cache = parquet.FooterCache(f"{folder}/footers.arrow")
        cache.chunks(path, calls[0])
        samples = []
        for _ in range(repeat):
            start = time.process_time()
            for names in calls:
                cache.chunks(path, names)
            samples.append((time.process_time() - start) / len(calls))
    return Result(f"5 of {columns:,} columns, cached footer", statistics.median(samples), _RANDOM, "the bar", bar=1)


def _columns(fewer: int, more: int, repeat: int) -> list[Result]:
    """Time that `column_chunks` takes for a row of files of many columns."""
    files = {columns: wide(columns) for columns in (fewer, more)}

    def seconds(columns: int) -> float:
        start = time.process_time()
        rows = parquet.column_chunks([files[columns]]).num_rows
        return (time.process_time() - start) / rows

    pairs = [(seconds(more), seconds(fewer)) for _ in range(repeat)]
    large, small = (statistics.median(each) for each in zip(*pairs, strict=True))
    return [Result(f"column_chunks, a row of {more:,} and {fewer:,} columns", large, small, "itself", bar=_FLAT)]


def _compare(name: str, ours: Callable[[], Any], theirs: Callable[[], Any], bar: float, repeat: int) -> list[Result]:
    functions = {"lakecodec": ours, "pyarrow": theirs}
    return compare(name, functions, bars={"pyarrow": bar}, repeat=repeat, clock=time.process_time)


def _decoding(name: str, file: bytes, bar: float, repeat: int) -> list[Result]:
    assert walk(parquet.read_metadata(file)) == peers.pyarrow_walk(peers.pyarrow_decode(file))

    def ours() -> Any:
        return parquet.read_metadata(file)

    def theirs() -> Any:
        return peers.pyarrow_decode(file)

    return [
        *_compare(f"read_metadata, {name}", ours, theirs, bar, repeat),
        *_compare(
            f"read_metadata, all statistics, {name}",
            lambda: walk(ours()),
            lambda: peers.pyarrow_walk(theirs()),
            _WALK,
            repeat,
        ),
    ]


def _parts(name: str, file: bytes, columns: int, repeat: int) -> list[Result]:
    """What is asked for decides what is paid, beside everything that pyarrow reads in any case."""
    five = [f"column_{n}" for n in range(columns // 10, columns, columns // 5)]
    assert len(parquet.read_metadata(file, columns=five).row_groups[3].columns) == len(five)

    def theirs() -> Any:
        return peers.pyarrow_decode(file)

    results = _compare(
        f"5 columns by name, {name}",
        lambda: parquet.read_metadata(file, columns=five),
        theirs,
        0.12 if columns < 10_000 else 0.05,
        repeat,
    )
    for field in ("num_rows", "schema", "key_value_metadata"):
        results += _compare(
            f"{field} alone, {name}",
            lambda field=field: parquet.read_metadata(file, fields=[field]),
            theirs,
            0.02,
            repeat,
        )
        results += _touched(f"{field} alone, {name}", file, fields=[field])
    return results + _touched(f"5 columns by name, {name}", file, columns=five)


def _touched(name: str, file: bytes, **chosen: list[str]) -> list[Result]:
    """Bytes of the footer that are read header by header, and those that are only compared with a layout; of all of them."""
    before = _compact.touched()
    parquet.read_metadata(file, **chosen)
    by_field, compared = (after - start for after, start in zip(_compact.touched(), before, strict=True))
    size = int.from_bytes(file[-8:-4], "little")
    return [
        Result(f"bytes read, {name}", by_field, size, "footer", unit="bytes"),
        Result(f"bytes compared, {name}", compared, size, "footer", unit="bytes"),
    ]


def _processes(name: str, file: bytes, repeat: int) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "footer.parquet"
        path.write_bytes(file)
        (peak, held), (their_peak, theirs) = added("lakecodec", path), added("pyarrow", path)
        # Other processes can only add to each.
        first, later, again = map(min, zip(*(first_call(path) for _ in range(repeat)), strict=True))
    return [
        Result(f"first call in a process, {name}", first, later, "on a file just read", bar=_FIRST),
        Result(f"first call in a process, {name}", first, again, "on the same bytes again"),
        Result(f"peak memory, {name}", peak, their_peak, "pyarrow", bar=0.4, unit="bytes"),
        Result(f"held memory, {name}", held, theirs, "pyarrow", bar=0.4, unit="bytes"),
    ]


def _writing(name: str, file: bytes, repeat: int) -> list[Result]:
    """Writing trees whose statistics were kept, as they were visited twice, and trees that hold every field as an object."""
    metadata, theirs = parquet.read_metadata(file), peers.pyarrow_decode(file)
    walk(metadata)
    walk(metadata)
    whole = pickle.loads(pickle.dumps(parquet.read_metadata(file)))
    edited = parquet.read_metadata(file)
    edited.key_value_metadata = [KeyValue(key="edited", value="yes")]
    results: list[Result] = []
    for kind, tree in (("statistics kept", metadata), ("all fields kept", whole)):
        results += _compare(
            f"write_metadata, {kind}, {name}",
            lambda tree=tree: parquet.write_metadata(tree),
            lambda: peers.pyarrow_encode(theirs),
            0.55,
            repeat,
        )
    for title, written, peer, bar in (
        ("write_metadata", lambda: parquet.write_metadata(metadata), {"to_bytes": lambda: metadata.to_bytes()}, 1.05),
        ("write_metadata after one edit", lambda: parquet.write_metadata(edited), {"everything": whole.to_bytes}, 0.15),
    ):
        functions: dict[str, Callable[[], Any]] = {"lakecodec": written, **peer}
        bars = dict.fromkeys(peer, bar)
        results += compare(f"{title}, {name}", functions, bars=bars, repeat=repeat, clock=time.process_time)
    return results
