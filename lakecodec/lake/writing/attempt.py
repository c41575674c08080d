"""Data files written by one attempt of a Spark task."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa

from ...runtime.arrow_nested import relabelled
from ..files import DataFileWriter, WriterOptions, file_format
from ..log.column_mapping import physical_schema
from ..log.statistics import physical_columns
from ..log.storage import Storage
from .batches import Partition
from .messages import DataFile

if TYPE_CHECKING:
    from .task import WriteTask

_ROW_GROUP_BYTES = 64 << 20
_SMALLEST_ROW_GROUP = 64 << 10
#: The least number of row groups in a file of the target size, so that the size can be met.
_ROW_GROUPS = 4


class Attempt:
    """Writer of one task attempt: one file is open at a time; a new one begins at a change of partition or at a size limit.

    File names contain the task number, the ingest's id and a random id of the attempt, so no name is used twice.
    """

    def __init__(self, task: WriteTask, number: int) -> None:
        self._task = task
        self._storage = Storage(task.target)
        self._format = file_format(task.format)
        partitions = {column.name for column in task.codec.columns}
        given = pa.schema([field for field in task.schema if field.name not in partitions])
        self._schema = physical_schema(given)
        self._mapped = self._schema is not given
        self._prefix = f"part-{number:05d}-{task.write_id}-{uuid4().hex[:12]}"
        row_group = max(_SMALLEST_ROW_GROUP, min(_ROW_GROUP_BYTES, task.target_file_bytes // _ROW_GROUPS))
        self._options = WriterOptions(row_group, physical_columns(given, task.stats_columns), task.shredding)
        self._files: list[DataFile] = []
        self._paths: list[str] = []
        self._writer: DataFileWriter | None = None
        self._partition = Partition((), "")
        self._path = ""
        self._rows = 0

    def write(self, partition: Partition, rows: pa.Table) -> None:
        """Appends rows, which have no partition columns, to the open file of ``partition``."""
        if partition.texts != self._partition.texts:
            self._finish()
            self._partition = partition
        if self._mapped:
            batches = [relabelled(batch, self._schema) for batch in rows.to_batches()]
            rows = pa.Table.from_batches(batches, self._schema)
        while rows.num_rows:
            if self._writer is None:
                self._writer = self._open()
            part = rows.slice(0, self._task.max_rows_per_file - self._rows)
            self._writer.write(part)
            self._rows += part.num_rows
            rows = rows.slice(part.num_rows)
            if self._rows >= self._task.max_rows_per_file or self._writer.size >= self._task.target_file_bytes:
                self._finish()

    def write_all(self, parts: Iterable[tuple[Partition, pa.Table]]) -> None:
        """Appends the rows of several partitions, see `write`."""
        for partition, rows in parts:
            self.write(partition, rows)

    def close(self) -> list[DataFile]:
        """Returns all files of the attempt, closed and, on a local file system, synced to disk."""
        self._finish()
        return self._files

    def abort(self) -> None:
        """Deletes all files of the attempt; errors of deletion are ignored."""
        if self._writer is not None:
            with suppress(Exception):
                self._writer.abort()
        for path in self._paths:
            with suppress(OSError):
                self._storage.delete(path)

    def _open(self) -> DataFileWriter:
        directory = "/".join(part for part in (self._task.directory, self._partition.directory) if part)
        name = f"{self._prefix}.c{len(self._paths):03d}{self._format.suffix}"
        self._path = self._task.codec.add_path(directory, name)
        location = self._storage.locate(self._path)
        if self._storage.local is not None:
            os.makedirs(os.path.dirname(location), exist_ok=True)
        self._paths.append(location)
        return self._format.open_writer(self._storage.filesystem, location, self._schema, self._options)

    def _finish(self) -> None:
        if self._writer is None:
            return
        stats = self._writer.close()
        location = self._paths[-1]
        size, modified = self._writer.size, time.time_ns() // 1_000_000
        if self._storage.local is not None:
            size, modified = _synced(location)
        keys = [column.key for column in self._task.codec.columns]
        values = dict(zip(keys, self._partition.texts, strict=True))
        tags = self._writer.tags
        self._files.append(DataFile(self._path, values, size, self._rows, modified, stats, tags))
        self._writer = None
        self._rows = 0


def _synced(path: str) -> tuple[int, int]:
    """Syncs a file to disk, so that no crash of the machine can remove a file that the log names.

    Returns its size, and the time of its last change in milliseconds since 1970.
    """
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
        status = os.fstat(fd)
    finally:
        os.close(fd)
    return status.st_size, status.st_mtime_ns // 1_000_000
