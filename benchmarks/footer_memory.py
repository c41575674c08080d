"""Prints the bytes that reading a footer adds to a fresh process, at its peak and while the result is held."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from lakecodec import parquet

from . import parquet_peers as peers
from .footer_shapes import floats
from .memory import added_at_peak, held_now


def added(reader: str, path: Path) -> tuple[int, int]:
    """Bytes that ``reader``, "lakecodec" or "pyarrow", adds: (at the peak, held)."""
    command = [sys.executable, "-m", "benchmarks.footer_memory", reader, str(path)]
    peak, held = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[1]
    ).stdout.split()
    return int(peak), int(held)


def main() -> None:
    reader, path = sys.argv[1:]
    file = Path(path).read_bytes()

    def read() -> Any:
        return parquet.read_metadata(file) if reader == "lakecodec" else peers.pyarrow_decode(file)

    # What the first call imports and prepares is not the footer's.
    small = floats(1)
    parquet.read_metadata(small) if reader == "lakecodec" else peers.pyarrow_decode(small)
    before = held_now()
    peak, metadata = added_at_peak(read)
    print(peak, held_now() - before)
    del metadata


if __name__ == "__main__":
    main()
