"""Changes of rows with Spark: by deletion vectors where the table asks for them, else by rewriting files."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from ...lake.changes.table_change import AffectedFile, TableChange
from ...lake.log import CommitInfo
from ...lake.log.file_actions import CHANGE_TYPE, DELETE, INSERT, POSTIMAGE, PREIMAGE
from ...lake.log.row_tracking import check_rewrite
from ...lake.writing.messages import DataFile
from ...lake.writing.plan import free_name, plan_rewrite
from ...lake.writing.request import Request
from ..ingest.display import Display
from ..ingest.guards import broken_rule, guarded
from ..ingest.job import write_rows
from ..ingest.plan import Plan
from ..session import use_this_python
from .matching import tagged_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Rewrite(TableChange):
    """A change to the newest version of a table, which is written by Spark; see `TableChange` for its errors.

    Args:
        spark: a session.
        path: path or URL of the table.
        deletion_vectors: as of `TableChange`.
        progress: True to show progress on standard error.
    """

    def __init__(self, spark: SparkSession, path: Any, deletion_vectors: bool | None = None, *, progress: bool) -> None:
        use_this_python(spark)
        super().__init__(path, deletion_vectors)
        self.spark = spark
        self.display = Display(spark, enabled=progress)
        #: The name of the column that identifies rows on their way through Spark.
        self.tag = free_name("row", self.snapshot.schema.names)
        self._started = time.monotonic()

    def rows(self, affected: Sequence[AffectedFile]) -> DataFrame:
        """Returns the rows of files with their numbers; of those whose rows are known only the ones that change."""
        return tagged_rows(self.spark, self.snapshot, [part.alone() for part in affected], self.tag)

    def plan(self, frame: DataFrame, **request: Any) -> Plan:
        """Returns the plan to write ``frame``, whose columns are the table's, with these arguments of `ingest`."""
        check_rewrite(self.snapshot.metadata)
        plan = plan_rewrite(self.snapshot, Request.of(**request))
        return Plan(**vars(plan), frame=frame, replaced=None)

    def write(self, frame: DataFrame, write_id: str) -> list[DataFile]:
        """Writes rows, sorted by partition and tag in each task, and returns the files, not yet committed.

        Args:
            frame: the table's columns, and the tag behind them; between them the type of change, if there is one.
            write_id: id in the names of the files.
        """
        plan = self.plan(frame)
        feed = CHANGE_TYPE in frame.columns[len(plan.schema) :]
        rows = guarded(plan, *((CHANGE_TYPE,) if feed else ()), self.tag)
        return write_rows(plan, rows, write_id, self.display, self.tag, feed=feed)

    def with_changes(
        self, frame: DataFrame, new: Sequence[Column], old: Sequence[Column], kind: Column, tag: Column
    ) -> DataFrame:
        """Returns the new rows of the table and the rows of the change feed, with the type of change in a column before the tag.

        Each expression is evaluated once per row, so that the new row and its change feed agree.

        Args:
            frame: the rows.
            new: the table's columns after the change.
            old: the table's columns before it.
            kind: `DELETE`, "update", `INSERT`, or null for a row that stays.
            tag: the number of the row.
        """
        stays: list[tuple[str, str | None]] = [("new", None)]
        rows: dict[str, list[tuple[str, str | None]]] = {
            DELETE: [("old", DELETE)],
            "update": [*stays, ("old", PREIMAGE), ("new", POSTIMAGE)],
            INSERT: [*stays, ("new", INSERT)],
        }
        images = [
            F.struct(*[column.alias(f"c{index}") for index, column in enumerate(columns)]).alias(name)
            for name, columns in (("new", new), ("old", old))
        ]

        def parts(found: Sequence[tuple[str, str | None]]) -> Column:
            return F.array(
                *[F.struct(F.col(row).alias("row"), F.lit(text).cast("string").alias("type")) for row, text in found]
            )

        chosen = parts(stays)
        for name, found in rows.items():
            chosen = F.when(F.col("kind") == name, parts(found)).otherwise(chosen)
        spread = frame.select(*images, kind.alias("kind"), tag.alias("tag")).select(
            F.explode(chosen).alias("part"), "tag"
        )
        names = self.snapshot.schema.names
        return spread.select(
            *[F.col(f"part.row.c{index}").alias(name) for index, name in enumerate(names)],
            F.col("part.type").alias(CHANGE_TYPE),
            F.col("tag").alias(self.tag),
        )

    @contextmanager
    def files(self) -> Iterator[str]:
        """Context manager as of `TableChange.files`; an error of a row constraint is raised as EncodeError."""
        try:
            with super().files() as write_id:
                yield write_id
        except Exception as error:
            if (rule := broken_rule(error)) is not None:
                raise rule from None
            raise

    def done(self, info: CommitInfo, files: Sequence[DataFile]) -> CommitInfo:
        """Returns ``info`` after printing the summary."""
        self.display.summary(info, files, time.monotonic() - self._started)
        return info
