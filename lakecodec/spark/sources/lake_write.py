"""Writers of the data source ``lake``: tasks and commit are those of `lakecodec.pipeline.ingest`.

Rows are written in the tasks that have them, each of which makes files for the partitions that it meets; ``ingest``
shuffles and clusters them first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ...lake.changes.partitions import partition_test
from ...lake.log import Log
from ...lake.log.protocol import check_writable
from ...lake.writing.arrange import arranged, is_arranged
from ...lake.writing.batches import SORT_BYTES
from ...lake.writing.commit import check_replaced, commit
from ...lake.writing.messages import read_messages
from ...lake.writing.orphans import begin, delete_orphans
from ...lake.writing.plan import plan_write, spelled
from ...lake.writing.request import Request
from ...lake.writing.rows import Rows
from ..derived import check_numbered
from ..ingest.task import SparkWriteTask
from ..table_schema import table_schema
from .options import STORAGE_OPTIONS, Options

#: The options of layout and schema: those of `ingest` in Spark's spelling.
LAYOUT_OPTIONS = (
    "partitionBy", "format", "statsColumns", "sortBy", "zorderBy", "hilbertBy", "maxRowsPerFile", "targetFileBytes",
    "schemaMode",
)  # fmt: skip
WRITE_OPTIONS = (*LAYOUT_OPTIONS, "replaceWhere", "partitionOverwriteMode", "txnId", STORAGE_OPTIONS)


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
        log = Log(path if "://" in path else os.path.abspath(path))
        with _named_as_options():
            request = _request(options, overwrite=overwrite)
            snapshot = log.snapshot() if log.exists() else None
            self._base = None if snapshot is None else snapshot.version
            given = spelled(table_schema(schema, variants=True), snapshot, request)
            plan = plan_write(given, log, snapshot, request)
            if snapshot is not None:
                check_writable(snapshot.protocol, snapshot.metadata)
                check_numbered(plan.schema, given.names)
            if request.replace_where is not None:
                partition_test("replace_where", request.replace_where, plan)
        self._write_id = begin(log.storage, is_table=snapshot is not None)
        self._task = SparkWriteTask(**vars(plan.task(self._write_id, None)))
        #: The plan goes to every task, so it does not contain what was read of the log.
        self._plan = replace(plan, log=Log(log.path), snapshot=None)

    def write_files(self, batches: Iterator[pa.RecordBatch], application: str | None) -> TaskFiles:
        """Returns the message of a task after its rows are written."""
        messages = pa.Table.from_batches(self._task.run(self._arranged(batches)))
        return TaskFiles(messages, self._write_id, self._base, application)

    def commit_files(self, tasks: Sequence[TaskFiles], stream: tuple[str, int] | None = None) -> None:
        """Commits the files of all tasks as the next version, unless it is there already (see `Transaction`).

        Args:
            tasks: what they wrote.
            stream: of a stream's batch, the query and the number of the batch.

        Raises:
            EncodeError: a task met a value that cannot be written, or a row outside of ``replaceWhere``.
            LogError: as `Transaction.commit`.
        """
        log = self._plan.log
        try:
            files = read_messages(pa.concat_tables([task.messages for task in tasks])) if tasks else []
            base = tasks[0].base if tasks else self._base
            plan = replace(self._plan, snapshot=None if base is None else log.snapshot(base))
            where = plan.request.replace_where
            replaced = None if where is None else partition_test("replaceWhere", where, plan)
            check_replaced(plan, files, replaced)
            _, used = commit(plan, files, replaced, where, stream=stream)
        except BaseException:
            self.delete_files(tasks, log)
            raise
        if not used:
            self.delete_files(tasks, log)

    def abort_files(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Deletes the new files of a job whose tasks failed.

        Spark also aborts after a commit that failed, in another process, which cannot know whether the version may still be
        made. That commit has deleted the files itself where it may not.
        """
        if not messages or any(message is None for message in messages):
            self.delete_files(task_files(messages), self._plan.log)

    def delete_files(self, tasks: Iterable[TaskFiles], log: Log) -> None:
        """Deletes the new files, unless they are in the log or may yet be: a commit may fail after it was made."""
        for write_id, base in {(self._write_id, self._base), *((task.write_id, task.base) for task in tasks)}:
            delete_orphans(log, write_id, 0 if base is None else base + 1)

    def _arranged(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of a task in the table's columns and in the order that its files have."""
        rows = Rows(self._plan.schema, self._plan.partition_by)
        typed = map(rows.of, batches)
        return arranged(self._plan, typed, SORT_BYTES) if is_arranged(self._plan) else typed


class LakeWriter(TableWriter, DataSourceArrowWriter):
    """Batch writer of one version of a table, see `TableWriter`."""

    def __init__(self, options: Options, schema: StructType, *, overwrite: bool) -> None:
        super().__init__(options, schema, overwrite=overwrite)
        #: The table keeps the id forever, so only an id from the caller is written.
        self._txn_id = options.text("txnId")

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        return self.write_files(iterator, self._txn_id)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self.commit_files(task_files(messages))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self.abort_files(messages)


def task_files(messages: Iterable[WriterCommitMessage | None]) -> list[TaskFiles]:
    """Returns the messages of the tasks that succeeded."""
    return [message for message in messages if isinstance(message, TaskFiles)]


def _request(options: Options, *, overwrite: bool) -> Request:
    """Returns the arguments of the write that options stand for; those that are not given keep their defaults."""
    partition_by = [] if options.text("partitionBy") == "" else options.names("partitionBy")
    dynamic = (options.text("partitionOverwriteMode") or "static").lower()
    if dynamic not in ("static", "dynamic"):
        raise ValueError(f"partitionOverwriteMode: static or dynamic is needed, not {dynamic!r}")
    given: dict[str, Any] = {
        "partition_by": partition_by,
        "format": options.text("format"),
        "stats_columns": options.names("statsColumns"),
        "sort_by": options.names("sortBy"),
        "zorder_by": options.names("zorderBy"),
        "hilbert_by": options.names("hilbertBy"),
        "max_rows_per_file": options.number("maxRowsPerFile", 1),
        "target_file_bytes": options.number("targetFileBytes", 1),
        "schema_mode": options.text("schemaMode"),
        "replace_where": options.text("replaceWhere"),
        "txn_id": options.text("txnId"),
    }
    mode = "append" if not overwrite else "overwrite_partitions" if dynamic == "dynamic" else "overwrite"
    return Request.of(mode=mode, **{name: value for name, value in given.items() if value is not None})


@contextmanager
def _named_as_options() -> Iterator[None]:
    """Context manager whose errors name an argument of `ingest` as its option is named."""
    try:
        yield
    except (TypeError, ValueError, KeyError) as error:
        name, colon, rest = str(error.args[0] if error.args else "").partition(": ")
        option = re.sub("_(.)", lambda found: found[1].upper(), name)
        if not colon or option == name or option not in WRITE_OPTIONS:
            raise
        raise type(error)(f"{option}: {rest}") from None
