"""Copy on write: rewrites rows of some files and commits the new files in place of the old ones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column
from pyspark.sql import functions as F

from ...lake.log import Add, CommitInfo, Log, Snapshot, Transaction, UnknownOutcomeError
from ...lake.log.file_actions import CHANGE_TYPE, DELETE, INSERT, POSTIMAGE, PREIMAGE
from ...lake.log.properties import CHANGE_DATA_FEED
from ...lake.log.protocol import check_writable
from ...lake.log.storage import table_path
from ...lake.writing.messages import DataFile
from ...lake.writing.orphans import begin, delete_orphans
from ...lake.writing.plan import free_name, plan_rewrite
from ...lake.writing.request import Request
from ..ingest.display import Display
from ..ingest.guards import broken_rule, guarded
from ..ingest.job import write_rows
from ..ingest.plan import Plan
from ..session import use_this_python

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Rewrite:
    """A change to the newest version of a table, which is written by Spark.

    Args:
        spark: a session.
        path: path or URL of the table.
        progress: True to show progress on standard error.

    Raises:
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        CommitRefusedError: the file system has no put-if-absent.
    """

    def __init__(self, spark: SparkSession, path: Any, *, progress: bool) -> None:
        use_this_python(spark)
        self.spark = spark
        self.log = Log(table_path(path))
        self.log.storage.check_put()
        self.snapshot: Snapshot = self.log.snapshot()
        check_writable(self.snapshot.protocol, self.snapshot.metadata)
        self.display = Display(spark, enabled=progress)
        #: Whether changed rows are to be written for the readers of changes.
        self.feed = CHANGE_DATA_FEED.of(self.snapshot.metadata)
        #: Name of the column that tells rows apart on their way through Spark.
        self.tag = free_name("row", self.snapshot.schema.names)
        self._started = time.monotonic()

    def plan(self, frame: DataFrame, **request: Any) -> Plan:
        """Returns the plan to write ``frame``, whose columns are the table's, with these arguments of `ingest`."""
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
        """Returns the rows that the table is to have, each change beside them, and its type in a column before the tag.

        Each expression is evaluated once for a row, so that what it is changed to and what is said of it are the same.

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
        """Context manager that yields a write id for new files, and deletes these files if the block raises.

        They stay where the outcome of the commit is unknown, and where a version has them. An error of a row constraint is
        raised as EncodeError.
        """
        write_id = begin(self.log.storage)
        try:
            yield write_id
        except UnknownOutcomeError:
            raise
        except BaseException as error:
            delete_orphans(self.log, write_id, self.snapshot.version + 1)
            rule = broken_rule(error) if isinstance(error, Exception) else None
            if rule is not None:
                raise rule from None
            raise

    def transaction(
        self, operation: str, parameters: dict[str, Any], removed: Sequence[Add], written: Sequence[DataFile]
    ) -> Transaction:
        """Returns a transaction that removes the files ``removed`` and adds the files ``written``, those of changes too."""
        found = Transaction(self.log, self.snapshot, operation, parameters=parameters)
        for add in removed:
            found.remove(add)
        for file in written:
            if (changes := file.changes) is not None:
                found.add_changes(changes)
            else:
                found.add(file.add)
        return found

    def done(self, info: CommitInfo, files: Sequence[DataFile]) -> CommitInfo:
        """Returns ``info`` after printing the summary."""
        self.display.summary(info, files, time.monotonic() - self._started)
        return info

    def unchanged(self) -> CommitInfo:
        """Returns the commit of the current version, for a change that has nothing to do."""
        return self.log.info(self.snapshot.version)
