"""Choice of the files that a predicate touches, by the log's statistics as far as they go and then by Spark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

from ...lake.changes.selection import Selection
from ...lake.changes.table_change import AffectedFile
from ...lake.log import Snapshot
from ...lake.log.deletion_vectors import Positions
from ...lake.read.bind import bind
from ...lake.read.parts import ScanFile
from ...lake.read.plan import plan_table
from ...lake.read.predicate import undecided
from ..predicates import Predicate, column, predicate_column
from ..read import STAR, filtered_frame, without_undecided, written_tree
from ..sources.file_reader import file_number, positions_by_file
from ..sources.planned import planned_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Matching(Selection):
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
        self._spark = spark
        self._where: Predicate = F.lit(True) if where is None else where
        condition = F.lit(True) if where is None else predicate_column(where, "where")
        if STAR.search(str(condition if isinstance(where, Column) else where)):
            raise ValueError("where: a star cannot be used here, name the columns")
        #: True if the predicate is true, otherwise false, never null.
        self.condition = F.coalesce(condition, F.lit(False))
        schema = snapshot.schema
        tree, zone = (None, "UTC") if where is None else written_tree(spark, where)
        exact = where is None or (tree is not None and not undecided(bind(tree, schema, zone)))
        super().__init__(snapshot, None if tree is None else without_undecided(tree, schema, zone), zone, exact=exact)

    def affected(self, files: Sequence[ScanFile], tag: str, *, positions: bool) -> tuple[list[AffectedFile], int]:
        """Returns the files that have matching rows, and the number of these rows; runs a Spark job.

        Args:
            files: the files to look at.
            tag: name for the column of row numbers, which no column of the table has.
            positions: True to find out which rows these are: their numbers come to this process.
        """
        if not files:
            return [], 0
        frame, _ = filtered_frame(self._spark, self._snapshot, (), self._where, files=files, tag=tag, verify=True)
        if positions:
            found = positions_by_file(tags_of(frame, tag))
            parts = [AffectedFile(file, found[file.number]) for file in files if file.number in found]
            return parts, sum(map(len, found.values()))
        counted = frame.groupBy(file_number(column(tag)).alias("file")).count().collect()
        counts = {row[0]: row[1] for row in counted}
        return [AffectedFile(file) for file in files if file.number in counts], sum(counts.values())


def tags_of(frame: DataFrame, tag: str) -> Positions:
    """Returns a column of row numbers."""
    found: Positions = frame.select(column(tag)).toArrow().column(0).to_numpy()
    return found


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
    plan = plan_table(snapshot, columns, verify=True)
    return planned_frame(spark, replace(plan, files=list(files)), tag)
