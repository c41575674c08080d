"""Choice of the files that a predicate touches, by the log's statistics as far as they go and then by Spark."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F

from ...delta import PartitionCodec
from ...lake.log import Add, Snapshot
from ...lake.log.files import files_of, with_details
from ...lake.read.bind import bind
from ...lake.read.parts import ScanFile
from ...lake.read.plan import plan_table
from ...lake.read.predicate import Bound, Tree, undecided
from ...lake.read.select import certain_files, select_files
from ..predicates import Predicate, column, predicate_column
from ..read import STAR, filtered_frame, without_undecided, written_tree
from ..sources.file_reader import file_number
from ..sources.planned import planned_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Matching:
    """A predicate on a snapshot.

    Args:
        spark: a session.
        snapshot: the version.
        where: the predicate; None for all rows.

    Raises:
        TypeError, ValueError: it is no predicate, or one over all columns (``hash(*)``).
        KeyError: it has a name that no column has.
    """

    def __init__(self, spark: SparkSession, snapshot: Snapshot, where: Predicate | None) -> None:
        self._spark, self._snapshot = spark, snapshot
        self._where: Predicate = F.lit(True) if where is None else where
        condition = F.lit(True) if where is None else predicate_column(where, "where")
        if STAR.search(str(condition if isinstance(where, Column) else where)):
            raise ValueError("where: a star cannot be used here, name the columns")
        #: True where the predicate is, never null.
        self.condition = F.coalesce(condition, F.lit(False))
        schema = snapshot.schema
        tree, self._zone = (None, "UTC") if where is None else written_tree(spark, where)
        self._tree: Tree | None = None if tree is None else without_undecided(tree, schema, self._zone)
        self._decided = tree is None or not undecided(bind(tree, schema, self._zone))
        self._names = snapshot.schema.names

    def files(self) -> tuple[list[ScanFile], list[ScanFile]]:
        """Returns the files of which the log proves that all rows match, and the others that can have matching rows."""
        plan = plan_table(self._snapshot, self._names[:1], self._tree, self._zone)
        if plan.predicate is None:
            return plan.files, []
        every = self._snapshot.files_table()
        certain = certain_files(every, self._snapshot.schema, self._codec, plan.predicate) if self._decided else set()
        return (
            [file for file in plan.files if file.number in certain],
            [file for file in plan.files if file.number not in certain],
        )

    def count(self, files: Sequence[ScanFile], tag: str) -> dict[int, int]:
        """Returns the number of matching rows by file number, for files that have some; runs a Spark job.

        Args:
            files: the files to look at.
            tag: name for the column of row numbers, which no column of the table has.
        """
        if not files:
            return {}
        frame, _ = filtered_frame(self._spark, self._snapshot, (), self._where, files=files, tag=tag)
        counted = frame.groupBy(file_number(column(tag)).alias("file")).count().collect()
        return {row[0]: row[1] for row in counted}

    def may_match(self, add: Add) -> bool:
        """Returns True if a concurrently added file can have matching rows, by its partition values and statistics."""
        return bool(select_files(with_details(files_of([add])), self._snapshot.schema, self._codec, self._bound))

    @property
    def _bound(self) -> Bound | None:
        return None if self._tree is None else bind(self._tree, self._snapshot.schema, self._zone)

    @property
    def _codec(self) -> PartitionCodec:
        return table_codec(self._snapshot)


def table_codec(snapshot: Snapshot) -> PartitionCodec:
    """Returns the codec of the table's partition values."""
    return PartitionCodec(snapshot.schema, snapshot.partition_columns or None, column_mapping="none")


def tagged_rows(
    spark: SparkSession, snapshot: Snapshot, files: Sequence[ScanFile], tag: str, columns: Sequence[str] | None = None
) -> DataFrame:
    """Returns a DataFrame of all rows of some files, with an int64 row number, unique in the scan, in a last column.

    Args:
        spark: a session.
        snapshot: the version.
        files: files of it.
        tag: name of the column of row numbers; see `sources.file_reader.file_number`.
        columns: names of the table's columns to read, None for all.
    """
    plan = plan_table(snapshot, columns)
    return planned_frame(spark, replace(plan, files=list(files)), tag)


def every_file(snapshot: Snapshot) -> list[ScanFile]:
    """Returns all data files of a snapshot."""
    return plan_table(snapshot, snapshot.schema.names[:1]).files


def adds(snapshot: Snapshot, numbers: Collection[int]) -> list[Add]:
    """Returns the add actions of the files with these numbers, in the order of the numbers."""
    return [snapshot.files[number] for number in sorted(numbers)]


def rows_of(files: Sequence[ScanFile], schema: pa.Schema) -> int | None:
    """Returns the number of rows of files by the log; None where it is unknown for one."""
    counts = [file.rows for file in files]
    return None if None in counts else sum(count or 0 for count in counts)
