"""Executor side of an ingest: Arrow batches to data files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...delta import PartitionCodec
from ...runtime.errors import EncodeError
from .attempt import Attempt
from .batches import Splitter
from .messages import error_message, files_message
from .sorting import z_sorted


@dataclass(frozen=True)
class WriteTask:
    """Picklable description of the write, shared by all tasks of a job.

    Attributes:
        target: path or URL of the table.
        write_id: id in the names of all files of this ingest.
        format: format of the files.
        schema: Arrow schema of the rows, partition columns included.
        codec: serializes partition values.
        key: name of the column to sort by, which is not written; None where rows come in order.
        max_rows_per_file: rows after which the next file begins.
        target_file_bytes: bytes after which the next file begins.
        stats_columns: columns with statistics, None for the first 32.
    """

    target: str
    write_id: str
    format: str
    schema: pa.Schema
    codec: PartitionCodec
    key: str | None
    max_rows_per_file: int
    target_file_bytes: int
    stats_columns: tuple[str, ...] | None

    @property
    def names(self) -> list[str]:
        """Names of the columns of the batches: those of ``schema``, and the key behind them."""
        return [*self.schema.names, *(() if self.key is None else (self.key,))]

    @property
    def positions(self) -> list[str]:
        """Names of the columns in Spark: positional, as Spark parses some names as expressions (``a.b``, ```a`b```)."""
        return [f"c{index}" for index in range(len(self.names))]

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Writes the batches of one task and yields one message; a function for ``DataFrame.mapInArrow``.

        The columns of the batches are in the order of `names`. An attempt that fails deletes its files; the files of one that
        is killed stay behind under names that no other attempt uses, and no log knows.
        """
        yield self._write(batches)

    def _write(self, batches: Iterable[pa.RecordBatch]) -> pa.RecordBatch:
        attempt = Attempt(self, _task_number())
        try:
            splitter = Splitter(self.schema, self.codec)
            tables: Iterable[pa.Table] = (
                pa.Table.from_batches([batch]).rename_columns(self.names) for batch in batches
            )
            if self.key is not None:
                tables = z_sorted(tables, self.key, splitter)
            for table in tables:
                for partition, rows in splitter.split(table):
                    attempt.write(partition, rows)
            return files_message(attempt.close())
        except EncodeError as error:
            attempt.abort()
            return error_message(error)
        except BaseException:
            with suppress(Exception):
                attempt.abort()
            raise


def _task_number() -> int:
    from pyspark import TaskContext

    context: Any = TaskContext.get()
    return 0 if context is None else int(context.partitionId())
