"""Batch writer of the data source ``mosaic``: new files appear when the job commits, or none does."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ...lake.files import WriterOptions, file_format
from ...lake.listing import list_files
from ...lake.log import check_fits
from ...lake.log.names import LOG
from ...mosaic import read_schema
from ..session import task_number
from ..table_schema import table_schema
from .staging import Staging

_ROW_GROUP_BYTES = 64 << 20


class WrittenFiles(WriterCommitMessage):
    """Commit message of a task: names of its files in the staging directory."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)


class MosaicSourceWriter(DataSourceArrowWriter):
    """Writer of one Mosaic file for each task that has rows.

    Args:
        path: path or URL of the directory.
        schema: Spark's schema of the rows.
        overwrite: True to replace the files that are there.
        stats_columns: names of the columns with statistics, None for the first ones.
        row_group_bytes: bytes of Arrow data after which a row group ends, None for 64 MiB.

    Raises:
        ValueError: columns of types that the format has not, all of them named; or the path is a table.
        FileExistsError: the path is a file.
        SchemaMismatchError: files are there that the rows cannot be appended to.
    """

    def __init__(
        self,
        path: str,
        schema: StructType,
        *,
        overwrite: bool,
        stats_columns: Sequence[str] | None,
        row_group_bytes: int | None,
    ) -> None:
        self._schema = table_schema(schema)
        self._format = file_format("mosaic")
        self._format.check_schema(self._schema)
        columns = None if stats_columns is None else tuple(stats_columns)
        if columns is not None and (unknown := set(columns) - set(self._schema.names)):
            raise ValueError(f"statsColumns: {', '.join(sorted(unknown))}: no such column")
        self._options = WriterOptions(row_group_bytes or _ROW_GROUP_BYTES, columns)
        self._overwrite = overwrite
        self._staging = Staging(path if "://" in path else os.path.abspath(path), uuid4().hex)
        self._check_target(path)
        self._staging.begin()

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        names: list[str] = []
        writer: Any = None
        try:
            for batch in iterator:
                if batch.num_rows and writer is None:
                    names.append(f"part-{task_number():05d}-{uuid4()}{self._format.suffix}")
                    writer = self._open(names[0])
                if batch.num_rows:
                    writer.write(self._typed(batch))
            if writer is not None:
                writer.close()
        except BaseException:
            if writer is not None:
                writer.abort()
            raise
        return WrittenFiles(names)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        names = [name for message in messages if isinstance(message, WrittenFiles) for name in message.names]
        if not names:
            # A folder without files has no schema.
            names.append(f"part-00000-{uuid4()}{self._format.suffix}")
            self._open(names[0]).close()
        self._staging.publish(names, replace=self._overwrite)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._staging.discard()

    def _open(self, name: str) -> Any:
        filesystem, path = self._staging.new_file(name)
        return self._format.open_writer(filesystem, path, self._schema, self._options)

    def _typed(self, batch: pa.RecordBatch) -> pa.Table:
        columns = [
            column if column.type == field.type else column.cast(field.type)
            for column, field in zip(batch.columns, self._schema, strict=True)
        ]
        return pa.Table.from_arrays(columns, schema=self._schema)

    def _check_target(self, path: str) -> None:
        if self._staging.holds(LOG):
            raise ValueError(f"path: {path!r} is a table with a log; write to it with pipeline.ingest or format 'lake'")
        try:
            files = list_files([path])
        except FileNotFoundError:
            return
        if [file.path for file in files] == [self._staging.target]:
            raise FileExistsError(f"path: {path!r} is a file")
        if files and not self._overwrite:
            check_fits(read_schema(files[0].path), self._schema)
