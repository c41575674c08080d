"""Stream writer of the data source ``lake``: each micro-batch is one version of the table, committed exactly once.

A commit holds a txn action with the query's id and the batch's number (PROTOCOL.md, Transaction Identifiers), as Delta's
own sink writes it. A batch that Spark repeats after a crash finds it and drops its files.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamArrowWriter, WriterCommitMessage

from .lake_write import LAYOUT_OPTIONS, TableWriter, task_files
from .options import STORAGE_OPTIONS

WRITE_STREAM_OPTIONS = (*LAYOUT_OPTIONS, "checkpointLocation", "queryName", STORAGE_OPTIONS)
#: The property of Spark's jobs that holds the query's id. Python sinks have no other way to get it.
_QUERY = "sql.streaming.queryId"


class LakeStreamWriter(TableWriter, DataSourceStreamArrowWriter):
    """Writer of the micro-batches of a query, see `TableWriter`; Spark makes a new one for each batch."""

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        return self.write_files(iterator, _query_id())

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        tasks = task_files(messages)
        query = next((task.application for task in tasks), None)
        if query is None:
            return  # no task, so no rows
        # Appending nothing to a table changes nothing.
        if (
            self._plan.request.mode != "append"
            or tasks[0].base is None
            or any(task.messages.num_rows for task in tasks)
        ):
            self.commit_files(tasks, (query, batchId))

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        self.abort_files(messages)


def _query_id() -> str:
    from pyspark import TaskContext

    context = TaskContext.get()
    query = None if context is None else context.getLocalProperty(_QUERY)
    if query is None:
        raise RuntimeError(f"the task does not know its query: Spark's property {_QUERY} is missing")
    return query
