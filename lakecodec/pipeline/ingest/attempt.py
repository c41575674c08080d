"""The files of one attempt of a task."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa

from ..files import DataFileWriter, WriterOptions, file_format
from ..log.storage import Storage
from .batches import Partition
from .messages import DataFile

if TYPE_CHECKING:
    from .task import WriteTask

_ROW_GROUP_BYTES = 64 << 20
_SMALLEST_ROW_GROUP = 64 << 10
#: A file of the target's size has at least so many row groups, so that sizes can be kept.
_ROW_GROUPS = 4


class Attempt:
    """Writes rows to files, one open at a time, and begins the next one when the partition changes or a file is full.

    File names tell the ingest, the task and the attempt, and are never used twice.
    """

    def __init__(self, task: WriteTask, number: int) -> None:
        self._task = task
        self._storage = Storage(task.target)
        self._format = file_format(task.format)
        self._schema = pa.schema([field for field in task.schema if field.name not in _partition_names(task)])
        self._prefix = f"part-{number:05d}-{task.write_id}-{uuid4().hex[:12]}"
        row_group = max(_SMALLEST_ROW_GROUP, min(_ROW_GROUP_BYTES, task.target_file_bytes // _ROW_GROUPS))
        self._options = WriterOptions(row_group, task.stats_columns)
        self._files: list[DataFile] = []
        self._paths: list[str] = []
        self._writer: DataFileWriter | None = None
        self._partition = Partition((), "")
        self._path = ""
        self._rows = 0

    def write(self, partition: Partition, rows: pa.Table) -> None:
        """Appends rows to the partition's open file."""
        if partition.texts != self._partition.texts:
            self._finish()
            self._partition = partition
        while rows.num_rows:
            if self._writer is None:
                self._writer = self._open()
            part = rows.slice(0, self._task.max_rows_per_file - self._rows)
            self._writer.write(part)
            self._rows += part.num_rows
            rows = rows.slice(part.num_rows)
            if self._rows >= self._task.max_rows_per_file or self._writer.size >= self._task.target_file_bytes:
                self._finish()

    def close(self) -> list[DataFile]:
        """All files, complete and on disk."""
        self._finish()
        return self._files

    def abort(self) -> None:
        """Deletes everything that was written."""
        if self._writer is not None:
            with suppress(Exception):
                self._writer.abort()
        for path in self._paths:
            with suppress(OSError):
                self._storage.delete(path)

    def _open(self) -> DataFileWriter:
        directory = self._partition.directory
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
        if self._storage.local is not None:
            _sync(location)
        info = self._storage.info(location)
        if info is None:
            raise FileNotFoundError(f"{location!r} is gone after it was written")
        values = dict(zip(_partition_names(self._task), self._partition.texts, strict=True))
        modified = int(info.modified.timestamp() * 1000)
        self._files.append(DataFile(self._path, values, info.size, self._rows, modified, stats))
        self._writer = None
        self._rows = 0


def _partition_names(task: WriteTask) -> list[str]:
    return [item.key for item in task.codec.columns]


def _sync(path: str) -> None:
    """The log must not know a file that a crash of the machine can take away."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
