"""Destinations of files: copies between any two places, space that is announced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lakecodec.runtime import sink
from lakecodec.runtime.ranges import open_ranges


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("before", "start"), [(0, 0), (4096, 8192), (4, 4), (5, 4), (4093, 0), (2**20 + 1, 3)])
def test_copies(before: int, start: int, native: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr(sink, "_file_reads", None)
        monkeypatch.delattr(os, "copy_file_range", raising=False)
    data = os.urandom(3 * 2**20 + 77)
    (tmp_path / "source").write_bytes(data)
    target = sink.open_sink(tmp_path / "target")
    target.write(b"x" * before)
    target.reserve(2 * len(data))
    with open_ranges(tmp_path / "source") as source:
        target.copy(source, start, len(data))
        target.copy(source, 10, 10)
        target.copy(source, 1, 2)
    target.commit()
    assert (tmp_path / "target").read_bytes() == b"x" * before + data[start:] + data[1:2]
    assert target.position == before + len(data) - start + 1
    assert sorted(os.listdir(tmp_path)) == ["source", "target"]


def test_space_that_is_not_there(tmp_path: Path) -> None:
    """More than the disk has: nothing is reserved, and nothing fails."""
    target = sink.open_sink(tmp_path / "target")
    target.reserve(2**62)
    target.reserve(-1)
    target.write(b"abc")
    target.abort()
    assert os.listdir(tmp_path) == []
