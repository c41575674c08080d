"""Copy on write: rows of some files written again, and a version in which the new files stand for the old ones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...delta import PartitionCodec
from ..ingest.display import Display
from ..ingest.guards import broken_rule, guarded
from ..ingest.job import write_rows
from ..ingest.messages import DataFile
from ..ingest.orphans import begin, delete_orphans
from ..ingest.plan import Plan
from ..ingest.request import Request
from ..log import Add, CommitInfo, Log, Snapshot, Transaction, UnknownOutcomeError
from ..log.protocol import check_writable
from ..table_schema import free_name
from ..worker_python import use_this_python
from .paths import table_path

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Rewrite:
    """A change to the newest version of a table, which is written by Spark.

    Args:
        spark: a session.
        path: of the table.
        progress: whether to show progress on standard error.

    Raises:
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
    """

    def __init__(self, spark: SparkSession, path: Any, *, progress: bool) -> None:
        use_this_python(spark)
        self.spark = spark
        self.log = Log(table_path(path))
        self.log.storage.check_put()
        self.snapshot: Snapshot = self.log.snapshot()
        check_writable(self.snapshot.protocol, self.snapshot.metadata)
        self.display = Display(spark, enabled=progress)
        #: Name of the column that tells rows apart on their way through Spark.
        self.tag = free_name("row", self.snapshot.schema.names)
        self._started = time.monotonic()

    def plan(self, frame: DataFrame, **request: Any) -> Plan:
        """The plan to write ``frame``, whose columns are the table's, with these arguments of `ingest`."""
        snapshot = self.snapshot
        partition_by = tuple(snapshot.partition_columns)
        return Plan(
            request=Request.of(**request),
            log=self.log,
            snapshot=snapshot,
            frame=frame,
            schema=snapshot.schema,
            partition_by=partition_by,
            format=snapshot.format,
            replaced=None,
            codec=PartitionCodec(snapshot.schema, partition_by or None, column_mapping="none"),
        )

    def write(self, frame: DataFrame, write_id: str) -> list[DataFile]:
        """Writes rows, with their tags behind the table's columns, in the order of the tags in each task."""
        plan = self.plan(frame)
        return write_rows(plan, guarded(plan, self.tag), write_id, self.display, self.tag)

    @contextmanager
    def files(self) -> Iterator[str]:
        """An id for the names of new files, which are deleted where the change is not made."""
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
        """The transaction that puts the files ``written`` in the place of those ``removed``."""
        found = Transaction(self.log, self.snapshot, operation, parameters=parameters)
        for add in removed:
            found.remove(add)
        for file in written:
            found.add(file.add)
        return found

    def done(self, info: CommitInfo, files: Sequence[DataFile]) -> CommitInfo:
        """``info``, which is shown."""
        self.display.summary(info, files, time.monotonic() - self._started)
        return info

    def unchanged(self) -> CommitInfo:
        """The description of the version that there is."""
        return self.log.info(self.snapshot.version)
