"""Executor side of an ingest: Arrow batches to data files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from ...lake.writing.task import WriteTask
from ..session import task_number


class SparkWriteTask(WriteTask):
    """A write task whose number is that of Spark's task."""

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Writes the batches of one task and yields one message; a function for ``DataFrame.mapInArrow``.

        The columns of the batches are in the order of `names`. An attempt that fails deletes its files; the files of one that
        is killed stay behind under names that no other attempt uses, and no log knows.
        """
        yield self.write(batches, task_number())
