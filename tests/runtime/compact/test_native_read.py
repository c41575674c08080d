"""Files that are read to memory that serves again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

compact = pytest.importorskip("lakecodec.runtime.native._compact")


@pytest.mark.parametrize(
    ("offset", "length"),
    [
        (0, 3_000_000),
        (0, 0),
        (1, 7),
        (65_536, 2_500_000),
        (2_999_999, 1),
        (3_000_000, 5),
        (2_000_000, 9_000_000),
        (4_000_000, 1),
    ],
)
def test_reads(tmp_path: Path, offset: int, length: int) -> None:
    """Ranges are those of the file, cut where it ends, while earlier ones are kept or freed."""
    path, data = tmp_path / "file", os.urandom(3_000_000)
    path.write_bytes(data)
    with path.open("rb") as file:
        kept = compact.read(file.fileno(), offset, length)
        compact.read(file.fileno(), 0, 3_000_000)
        again = compact.read(file.fileno(), 0, 3_000_000)
        assert bytes(kept) == data[offset : offset + length]
        assert len(kept) == len(data[offset : offset + length])
        assert bytes(again) == data
        assert memoryview(kept).readonly


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """Errors of the system, of files that are folders and of arguments."""
    with pytest.raises(OSError, match="Bad file descriptor"):
        compact.read(-1, 0, 10)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(IsADirectoryError):
            compact.read(descriptor, 0, 10)
        with pytest.raises(OSError, match="Invalid argument"):
            compact.read(descriptor, -1, 10)
        with pytest.raises(ValueError, match="length: -1 is none"):
            compact.read(descriptor, 0, -1)
        with pytest.raises(MemoryError):
            compact.read(descriptor, 0, 2**62)
    finally:
        os.close(descriptor)
