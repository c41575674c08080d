"""Figures of reading a footer in a fresh process: bytes added at the peak and while it is held, and the first call's time."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lakecodec import parquet

from . import parquet_peers as peers
from .footer_shapes import floats
from .memory import added_at_peak, held_now

_WARM_CALLS = 15


def added(reader: str, path: Path) -> tuple[int, int]:
    """Bytes that ``reader``, "lakecodec" or "pyarrow", adds: (at the peak, held)."""
    peak, held = _run("memory", reader, path)
    return int(peak), int(held)


def first_call(path: Path) -> tuple[float, float, float]:
    """Seconds of CPU time of the first call after the import, and medians of later ones: on a file just read, and again.

    Reading a file into fresh memory takes the processor's caches, before the first call as before later ones. Calls on the
    same bytes again find everything in them.
    """
    first, later, again = _run("first", "lakecodec", path)
    return first, later, again


def _run(what: str, reader: str, path: Path) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.footer_process", what, reader, str(path)]
    found = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[1]).stdout
    return [float(number) for number in found.split()]


def main() -> None:
    what, reader, name = sys.argv[1:]
    path = Path(name)
    read: Callable[[bytes], Any] = parquet.read_metadata if reader == "lakecodec" else peers.pyarrow_decode
    if what == "first":
        # The first look at a clock takes 7 us, which are not the reader's.
        _seconds(len, b"")
        # All are kept, so that each lies in memory that was not used before.
        files: list[bytes] = []
        calls = []
        for _ in range(1 + _WARM_CALLS):
            files.append(path.read_bytes())
            calls.append(_seconds(read, files[-1]))
        again = [_seconds(read, files[-1]) for _ in range(_WARM_CALLS)]
        print(calls[0], statistics.median(calls[1:]), statistics.median(again))
        return
    file = path.read_bytes()
    # What the first call imports and prepares is not the footer's.
    read(floats(1))
    before = held_now()
    peak, metadata = added_at_peak(lambda: read(file))
    print(peak, held_now() - before)
    del metadata


def _seconds(read: Callable[[bytes], object], file: bytes) -> float:
    start = time.process_time()
    read(file)
    return time.process_time() - start


if __name__ == "__main__":
    main()
