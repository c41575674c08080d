"""The reference implementation of Mosaic and pyarrow's Parquet, as functions of tables and paths; and our first read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import mosaic
import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.mosaic.columns import recent_columns


def anew(call: Callable[[], object]) -> Callable[[], object]:
    """Returns a function that reads a file whose schema block is not known from a file before, as the others always do."""

    def run() -> object:
        recent_columns.clear()
        return call()

    return run


def reference_write(table: pa.Table, path: Path, row_group_max_bytes: int = 2**28, level: int = 1) -> None:
    options = mosaic.WriterOptions(row_group_max_size=row_group_max_bytes, zstd_level=level)
    with path.open("wb") as file:
        mosaic.write_table(table, file, options)


def reference_read(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    with _Positioned(path) as file:
        return mosaic.read_table(file.read_at, file.size, None if columns is None else list(columns))


def reference_schema(path: Path) -> pa.Schema:
    with _Positioned(path) as file, mosaic.MosaicReader.from_input_file(file.read_at, file.size) as reader:
        return reader.schema


def parquet_write(table: pa.Table, path: Path, level: int = 1) -> None:
    pq.write_table(table, path, compression="zstd", compression_level=level)


def parquet_read(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    return pq.read_table(path, columns=None if columns is None else list(columns), partitioning=None)


class _Positioned:
    """A local file as the reference asks for it: reads at offsets, from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> _Positioned:
        self._descriptor = os.open(self._path, os.O_RDONLY)
        self.size = os.fstat(self._descriptor).st_size
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def read_at(self, offset: int, length: int) -> bytes:
        return os.pread(self._descriptor, length, offset)
