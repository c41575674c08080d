"""The two tables that the demonstration makes, with Spark and without."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from lakecodec.delta import PartitionCodec
from lakecodec.lake.log import CommitInfo, Log, Transaction
from lakecodec.lake.writing.attempt import Attempt
from lakecodec.lake.writing.batches import Splitter
from lakecodec.lake.writing.orphans import begin
from lakecodec.lake.writing.request import Format
from lakecodec.lake.writing.task import WriteTask
from lakecodec.lake.writing.zorder import ZOrder
from lakecodec.row import sort_table
from lakecodec.spark.ingest import ingest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITION_BY = ("origin",)
CLUSTERED_BY = ("dest", "time_hour")
#: Small, so that there is something to skip.
ROWS_PER_FILE = 6_000
FILE_BYTES = 1 << 20
_BATCH_ROWS = 2_000
_KEY = "__zorder_key"


@dataclass(frozen=True)
class Definition:
    """A way to store the flights.

    Attributes:
        title: for people.
        format: of the data files.
        sort_by: columns that rows of a partition are sorted by,
        zorder_by: or clustered by along a Z-order curve.
    """

    title: str
    format: Format
    sort_by: tuple[str, ...] = ()
    zorder_by: tuple[str, ...] = ()

    @property
    def clustering(self) -> str:
        """For people."""
        return f"sorted by {', '.join(self.sort_by)}" if self.sort_by else f"z-order of {', '.join(self.zorder_by)}"


DEFINITIONS = (
    Definition("Parquet", "parquet", sort_by=CLUSTERED_BY),
    Definition("Mosaic", "mosaic", zorder_by=CLUSTERED_BY),
)


@dataclass(frozen=True)
class DemoTable:
    """A table that was made: its definition, its directory, its first version, and the seconds that took."""

    definition: Definition
    path: Path
    info: CommitInfo
    seconds: float


def ingest_with_spark(spark: SparkSession, source: Path, definition: Definition, target: Path) -> DemoTable:
    """Ingest a file; an earlier ``target`` is replaced."""
    shutil.rmtree(target, ignore_errors=True)
    start = time.perf_counter()
    info = ingest(
        spark,
        source,
        target,
        format=definition.format,
        partition_by=PARTITION_BY,
        sort_by=definition.sort_by,
        zorder_by=definition.zorder_by,
        max_rows_per_file=ROWS_PER_FILE,
        target_file_bytes=FILE_BYTES,
    )
    return DemoTable(definition, target, info, time.perf_counter() - start)


def write_without_spark(rows: pa.Table, definition: Definition, target: Path) -> DemoTable:
    """Make the same table in this process, with what a task of `ingest` uses; an earlier ``target`` is replaced."""
    shutil.rmtree(target, ignore_errors=True)
    start = time.perf_counter()
    log = Log(target.absolute())
    codec = PartitionCodec(rows.schema, PARTITION_BY)
    task = WriteTask(
        target=log.path,
        write_id=begin(log.storage),
        format=definition.format,
        schema=rows.schema,
        codec=codec,
        key=None,
        max_rows_per_file=ROWS_PER_FILE,
        target_file_bytes=FILE_BYTES,
        stats_columns=None,
    )
    attempt, splitter = Attempt(task, 0), Splitter(rows.schema, codec)
    for table in _clustered(rows, definition):
        for partition, part in splitter.split(table):
            attempt.write(partition, part)
    transaction = Transaction(log, None, "WRITE", parameters={"partitionBy": list(PARTITION_BY)})
    transaction.set_schema(rows.schema, PARTITION_BY, definition.format)
    for file in attempt.close():
        transaction.add(file.add)
    return DemoTable(definition, target, transaction.commit(), time.perf_counter() - start)


def _clustered(rows: pa.Table, definition: Definition) -> Iterator[pa.Table]:
    keyed, order = rows, definition.sort_by
    if definition.zorder_by:
        columns = [rows[name].combine_chunks() for name in definition.zorder_by]
        one_group = pa.array(np.zeros(len(rows), np.int64))
        keyed = rows.append_column(_KEY, ZOrder.of(one_group, columns, 1).keys(columns))
        order = (_KEY,)
    ordered = sort_table(keyed, [(name, "ascending") for name in (*PARTITION_BY, *order)]).select(rows.column_names)
    for start in range(0, len(rows), _BATCH_ROWS):
        yield ordered.slice(start, _BATCH_ROWS)
