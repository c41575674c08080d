"""The thread that fetches ahead: it ends with the reading, also where that fails or is given up."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

from lakecodec.mosaic import MosaicFile, MosaicWriter
from lakecodec.runtime.errors import DecodeError


def written(path: Path) -> bytearray:
    table = pa.table({"a": range(5000), "b": [str(i * 7919) for i in range(5000)]})
    with MosaicWriter(path, table.schema, row_group_max_bytes=20_000) as writer:
        writer.write(table)
    return bytearray(path.read_bytes())


def ahead() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("lakecodec-ahead")]


def gone() -> bool:
    end = time.monotonic() + 5
    while ahead() and time.monotonic() < end:
        time.sleep(0.01)
    return not ahead()


def test_no_thread_outlives_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.mosaic"
    data = written(path)
    data[100:3000] = bytes(2900)
    path.write_bytes(data)
    gc.disable()
    try:
        for _ in range(20):
            with MosaicFile(path, memory_map=False) as file, pytest.raises(DecodeError):
                file.read()
        assert gone()
    finally:
        gc.enable()


def test_a_reading_that_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.mosaic"
    written(path)
    with MosaicFile(path, memory_map=False) as file:
        batches = file.iter_batches(batch_size=10)
        next(batches)
        circle: list[object] = [batches]
        circle.append(circle)
        del batches, circle
        gc.collect()
        assert gone()
