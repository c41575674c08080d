"""Writers of the data source ``lake``: tasks and commit are those of `lakecodec.pipeline.ingest`.

Rows are written in the tasks that have them, each of which makes files for the partitions that it meets; ``ingest``
shuffles and clusters them first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ...delta import PartitionCodec
from ...lake.files import file_format
from ...lake.log import Log, Snapshot, Transaction, check_fits, respelled, to_delta
from ...lake.log.column_mapping import with_mapping
from ...lake.log.column_rules import with_rules
from ...lake.log.properties import VARIANT_SHREDDING
from ...lake.log.protocol import check_writable
from ...lake.log.statistics import configured_by, indexed_columns
from ...lake.writing.constraints import constraints_of
from ...lake.writing.messages import read_messages
from ...lake.writing.orphans import begin, delete_orphans
from ...lake.writing.plan import free_name, kept_partitions, target_bytes
from ...lake.writing.request import MAX_ROWS_PER_FILE
from ...lake.writing.rows import Rows, check_given
from ..derived import check_numbered
from ..ingest.task import SparkWriteTask
from ..table_schema import table_schema
from .options import STORAGE_OPTIONS, Options

WRITE_OPTIONS = ("partitionBy", "format", "statsColumns", "txnId", STORAGE_OPTIONS)


class TaskFiles(WriterCommitMessage):
    """Commit message of a task.

    Attributes:
        messages: the messages of `SparkWriteTask.run`.
        write_id: id in the names of the files.
        base: version of the table that the write is based on, None where there is none.
        application: id of the application of the txn action, None for the write's own.
    """

    def __init__(self, messages: pa.Table, write_id: str, base: int | None, application: str | None = None) -> None:
        self.messages = messages
        self.write_id = write_id
        self.base = base
        self.application = application


class TableWriter:
    """Writer of the rows of one job, and committer of them as one version of a table.

    The two may be objects in different processes: what the commit needs of the write is in the messages.

    Args:
        options: options of the data source.
        schema: Spark's schema of the rows.
        overwrite: True to replace the table's rows; older versions keep their files.

    Raises:
        ValueError: columns of types that the table or its files cannot hold, all of them named; or a wrong option.
        KeyError: a partition column that is no column.
        SchemaMismatchError: rows that do not fit the table they are appended to.
        FileExistsError: the path is a directory of files without a log.
        UnsupportedTableError: the table uses a feature that cannot be written here.
    """

    def __init__(self, options: Options, schema: StructType, *, overwrite: bool) -> None:
        path = options.path()
        self._path = path if "://" in path else os.path.abspath(path)
        self._overwrite = overwrite
        log = Log(self._path)
        snapshot = log.snapshot() if log.exists() else None
        self._base = None if snapshot is None else snapshot.version
        if snapshot is not None:
            check_writable(snapshot.protocol, snapshot.metadata)
        self._schema = _schema(table_schema(schema), snapshot, overwrite=overwrite)
        self._partition_by = _partition_by(options, snapshot, self._schema.names, overwrite=overwrite)
        Rows(self._schema, self._partition_by).check_rules()
        self._format = _format(options.text("format"), snapshot, overwrite=overwrite)
        codec = PartitionCodec(self._schema, self._partition_by or None)
        files = pa.schema([field for field in self._schema if field.name not in self._partition_by])
        file_format(self._format).check_schema(files)
        given = options.names("statsColumns")
        self._write_id = begin(log.storage, is_table=snapshot is not None)
        self._task = SparkWriteTask(
            target=self._path,
            write_id=self._write_id,
            format=self._format,
            schema=self._schema,
            codec=codec,
            key=free_name("order", self._schema.names),
            max_rows_per_file=MAX_ROWS_PER_FILE,
            target_file_bytes=target_bytes(None, snapshot),
            stats_columns=indexed_columns(snapshot, files, None if given is None else tuple(given)),
            constraints=constraints_of(snapshot, self._schema),
            shredding=VARIANT_SHREDDING.of(configured_by(snapshot, None)),
        )

    def write_files(self, batches: Iterator[pa.RecordBatch], application: str | None) -> TaskFiles:
        """Returns the message of a task after its rows are written."""
        messages = pa.Table.from_batches(self._task.run(self._ordered(batches)))
        return TaskFiles(messages, self._write_id, self._base, application)

    def commit_files(
        self, tasks: Sequence[TaskFiles], operation: str, txn_id: str | None, sequence: int | None = None
    ) -> None:
        """Commits the files of all tasks as the next version, unless it is there already (see `Transaction`).

        Raises:
            EncodeError: a task met a value that cannot be written.
            LogError: as `Transaction.commit`.
        """
        files = read_messages(pa.concat_tables([task.messages for task in tasks])) if tasks else []
        base = tasks[0].base if tasks else self._base
        log = Log(self._path)
        snapshot = None if base is None else log.snapshot(base)
        parameters: dict[str, object] = {"mode": "Overwrite" if self._overwrite else "Append"}
        parameters |= {"partitionBy": list(self._partition_by)} if sequence is None else {"epochId": sequence}
        transaction = Transaction(log, snapshot, operation, parameters=parameters, txn_id=txn_id, txn_sequence=sequence)
        if snapshot is None or self._overwrite:
            transaction.set_schema(self._schema, self._partition_by, self._format)
        for file in files:
            transaction.add(file.add)
        if self._overwrite:
            transaction.replace()
        try:
            transaction.commit()
        except BaseException:
            self.delete_files(tasks, log)
            raise
        if transaction.repeated:
            self.delete_files(tasks, log)

    def abort_files(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Deletes the new files of a job whose tasks failed.

        Spark also aborts after a commit that failed, in another process, which cannot know whether the version may still be
        made. That commit has deleted the files itself where it may not.
        """
        if not messages or any(message is None for message in messages):
            self.delete_files(task_files(messages), Log(self._path))

    def delete_files(self, tasks: Iterable[TaskFiles], log: Log) -> None:
        """Deletes the new files, unless they are in the log or may yet be: a commit may fail after it was made."""
        for write_id, base in {(self._write_id, self._base), *((task.write_id, task.base) for task in tasks)}:
            delete_orphans(log, write_id, 0 if base is None else base + 1)

    def _ordered(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields the rows in the table's columns, with row numbers in a last column, so that partitions keep their order."""
        start = 0
        rows = Rows(self._schema, self._partition_by)
        for given in batches:
            batch = rows.of(given)
            numbers = pa.array(np.arange(start, start + batch.num_rows))
            start += batch.num_rows
            yield pa.RecordBatch.from_arrays([*batch.columns, numbers], names=self._task.names)


class LakeWriter(TableWriter, DataSourceArrowWriter):
    """Batch writer of one version of a table, see `TableWriter`."""

    def __init__(self, options: Options, schema: StructType, *, overwrite: bool) -> None:
        super().__init__(options, schema, overwrite=overwrite)
        #: Kept in the table's state for ever, and so not made up.
        self._txn_id = options.text("txnId")

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        return self.write_files(iterator, self._txn_id)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self.commit_files(task_files(messages), "WRITE", self._txn_id)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self.abort_files(messages)


def task_files(messages: Iterable[WriterCommitMessage | None]) -> list[TaskFiles]:
    """Returns the messages of the tasks that succeeded."""
    return [message for message in messages if isinstance(message, TaskFiles)]


def _schema(given: pa.Schema, snapshot: Snapshot | None, *, overwrite: bool) -> pa.Schema:
    to_delta(given)  # refuses names that no table can have
    if snapshot is None:
        return given
    found = with_rules(respelled(given, snapshot.schema), snapshot.schema, redefined=overwrite)
    check_given(found, given.names)
    check_numbered(found, given.names)
    if overwrite:
        return with_mapping(found, snapshot.metadata.configuration)
    # Whether nulls come is only known when rows do.
    check_fits(pa.schema([field.with_nullable(True) for field in snapshot.schema]), found, narrower=True)
    return snapshot.schema


def _partition_by(
    options: Options, snapshot: Snapshot | None, names: Sequence[str], *, overwrite: bool
) -> tuple[str, ...]:
    given = [] if options.text("partitionBy") == "" else options.names("partitionBy")
    if snapshot is None or (overwrite and given is not None):
        return tuple(given or ())
    if overwrite:
        return kept_partitions(snapshot, names)
    if given is not None and [name.lower() for name in given] != [name.lower() for name in snapshot.partition_columns]:
        known = ", ".join(snapshot.partition_columns) or "nothing"
        raise ValueError(f"partitionBy: {', '.join(given)} is asked for, the table is partitioned by {known}")
    return tuple(snapshot.partition_columns)


def _format(given: str | None, snapshot: Snapshot | None, *, overwrite: bool) -> str:
    if snapshot is None or (overwrite and given is not None):
        return given or "parquet"
    if given not in (None, snapshot.format):
        raise ValueError(f"format: {given!r} is asked for, the table's files are {snapshot.format!r}")
    return snapshot.format
