"""Batch writer of the data source ``paimon_append``: tasks write files, the driver commits them as one snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ...lake.log import respelled
from ...lake.log.errors import UnknownOutcomeError
from ...paimon.data_write import DataWriter, conform, delete_files
from ...paimon.table import PaimonTable
from ...paimon.writing import check_arguments, commit_entries, writable_schema
from ...runtime.arrow_nested import relabelled
from ..read import absolute
from ..table_schema import table_schema
from .options import STORAGE_OPTIONS, TABLE_OPTIONS, Options

WRITE_OPTIONS = (
    "partitionBy", "format", "branch", "commitUser", "commitIdentifier", TABLE_OPTIONS, STORAGE_OPTIONS,
)  # fmt: skip


class TaskEntries(WriterCommitMessage):
    """Commit message of a task: entries of a manifest, and the paths of their files."""

    def __init__(self, entries: Sequence[Mapping[str, Any]], paths: Sequence[str]) -> None:
        self.entries = tuple(entries)
        self.paths = tuple(paths)


class PaimonWriter(DataSourceArrowWriter):
    """Writer of the rows of one job as one snapshot; a table that is not there is made first, without rows.

    Args:
        options: options of the data source.
        schema: Spark's schema of the rows.
        overwrite: True to replace the partitions that the rows have, see `lakecodec.paimon.write`.

    Raises:
        ValueError: a wrong option, or columns of types that the table or its files cannot hold.
        KeyError: a partition column that is no column.
        SchemaMismatchError: rows that do not fit the table.
        UnsupportedTableError: the table has a primary key, or uses what is not written here.
    """

    def __init__(self, options: Options, schema: StructType, *, overwrite: bool) -> None:
        self._mode: Literal["append", "overwrite"] = "overwrite" if overwrite else "append"
        self._commit = options.text("commitUser"), options.number("commitIdentifier")
        self._table = PaimonTable(absolute(options.path()), options.text("branch"))
        given = () if options.text("partitionBy") == "" else options.names("partitionBy") or ()
        check_arguments(self._mode, given, *self._commit)
        data, kind = table_schema(schema), options.text("format")
        self._schema = writable_schema(self._table, data, self._mode, given, kind, options.table_options())
        DataWriter(self._table, self._schema)  # raises errors of unsupported tables before tasks begin

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        writer = DataWriter(self._table, self._schema)
        try:
            for batch in iterator:
                named = relabelled(batch, respelled(batch.schema, self._schema.arrow))
                writer.write(conform(named, self._schema))
            return TaskEntries(writer.finish(), writer.paths)
        except BaseException:
            writer.abort()
            raise

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        entries = [entry for message in _tasks(messages) for entry in message.entries]
        try:
            commit_entries(
                self._table, self._schema, entries, self._mode, *self._commit, discard=lambda: self._discard(messages)
            )
        except BaseException as error:
            if not isinstance(error, UnknownOutcomeError):
                self._discard(messages)
            raise

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Deletes the files of tasks whose job failed; a commit that failed has deleted them itself, where it may."""
        if not messages or any(message is None for message in messages):
            self._discard(messages)

    def _discard(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        delete_files(self._table, [path for message in _tasks(messages) for path in message.paths])


def _tasks(messages: Sequence[WriterCommitMessage | None]) -> list[TaskEntries]:
    return [message for message in messages if isinstance(message, TaskEntries)]
