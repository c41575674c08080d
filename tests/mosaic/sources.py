"""Files in memory: tables as bytes, and a source that remembers what was read of it."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa

from lakecodec import mosaic


def written(table: pa.Table, **options: Any) -> bytes:
    file = io.BytesIO()
    mosaic.write_table(table, file, **options)
    return file.getvalue()


class Recorded(io.BytesIO):
    """A file whose reads are listed as (offset, length)."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.reads: list[tuple[int, int]] = []

    def read(self, size: Any = -1) -> bytes:
        start = self.tell()
        data = super().read(size)
        self.reads.append((start, len(data)))
        return data
