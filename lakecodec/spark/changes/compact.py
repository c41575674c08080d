"""Compaction of small files without a shuffle: each task reads the files of one bin and writes their rows in order."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa

from ...lake.read.parts import FilePart, ScanFile
from ...lake.read.plan import plan_table
from ...lake.read.reader import TableReader
from ...lake.writing.messages import RESULT, DataFile, read_messages
from ..ingest.task import SparkWriteTask

if TYPE_CHECKING:
    from .rewriting import Rewrite


@dataclass(frozen=True)
class CompactTask:
    """Picklable task of a compaction, for `DataFrame.mapInArrow`.

    Attributes:
        reader: reads all columns.
        writer: writes them.
        bins: the files of each task, pickled.
    """

    reader: TableReader
    writer: SparkWriteTask
    bins: tuple[bytes, ...]

    def run(self, rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rewrites the bins whose numbers are in the first column of ``rows``, and yields one message for each."""
        for batch in rows:
            for number in batch.column(0).to_pylist():
                yield from self.writer.run(self.reader.read(pickle.loads(self.bins[number])))


def compact(rewrite: Rewrite, bins: Sequence[Sequence[ScanFile]], write_id: str, target_bytes: int) -> list[DataFile]:
    """Writes the rows of each bin and returns the new data files, not yet committed.

    Args:
        rewrite: the change.
        bins: lists of files, each of one partition.
        write_id: id in the names of the new files.
        target_bytes: bytes after which the next file begins.
    """
    writer = rewrite.plan(rewrite.spark.range(0), target_file_bytes=target_bytes).task(write_id, None)
    reader = replace(plan_table(rewrite.snapshot, verify=True), files=[]).reader()
    task = CompactTask(reader, writer, tuple(pickle.dumps([FilePart(file) for file in files]) for files in bins))
    numbers = rewrite.spark.range(0, len(bins), 1, len(bins))
    return read_messages(rewrite.display.run("write", lambda: numbers.mapInArrow(task.run, RESULT).toArrow()))
