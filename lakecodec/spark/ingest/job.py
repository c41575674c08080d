"""Driver side of an ingest: plan, write, commit, and clean up after a failure."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...lake.log import CommitInfo, Log, Snapshot
from ...lake.writing.job import write_version
from ...lake.writing.messages import RESULT, DataFile, read_messages
from ...lake.writing.request import Request
from ...runtime.exact import exact_path
from ..errors import job_errors
from ..session import check_session
from .commit import commit
from .display import Display
from .guards import named_rules
from .layout import arranged
from .plan import Plan, make_plan
from .source import open_source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@job_errors()
def run(
    spark: SparkSession,
    source: Any,
    target: Any,
    request: Request,
    progress: bool,
    source_format: str | None,
    source_options: Mapping[str, Any] | None,
) -> CommitInfo:
    """Runs an ingest and returns its commit, see `ingest`."""
    started = time.monotonic()
    log = Log(_absolute(target))

    def prepare(snapshot: Snapshot | None) -> _Job:
        check_session(spark)
        frame = open_source(spark, source, source_format, source_options)
        return _Job(make_plan(frame, log, snapshot, request), display, even=frame is not source)

    display = Display(spark, enabled=progress)
    info, files = write_version(log, request, prepare)
    if files is not None:
        display.summary(info, files, time.monotonic() - started)
    return info


class _Job:
    """A planned ingest, see `WriteJob`."""

    def __init__(self, plan: Plan, display: Display, *, even: bool) -> None:
        self._plan, self._display, self._even = plan, display, even

    def write(self, write_id: str) -> list[DataFile]:
        return write_arranged(self._plan, write_id, self._display, even=self._even)

    def commit(self, files: Sequence[DataFile]) -> tuple[CommitInfo, bool]:
        return commit(self._plan, files)


def write_arranged(plan: Plan, write_id: str, display: Display, *, even: bool) -> list[DataFile]:
    """Writes the plan's rows in the layout of its request and returns the data files, not yet committed.

    Args:
        plan: the ingest.
        write_id: id in the names of the files.
        display: shows progress.
        even: True if the source's own tasks are of sensible sizes.

    Raises:
        EncodeError: a value that cannot be written. Other errors of the Spark job are passed on.
    """
    if not plan.request.curve_by:
        return write_rows(plan, arranged(plan, even=even), write_id, display)
    # Only a curve reads rows before they are written.
    with named_rules():
        frame = display.run("sample", lambda: arranged(plan, even=even))
    return write_rows(plan, frame, write_id, display, plan.key)


def write_rows(
    plan: Plan, frame: DataFrame, write_id: str, display: Display, key: str | None = None, *, feed: bool = False
) -> list[DataFile]:
    """Writes the rows of ``frame`` in its own Spark partitions and returns the data files, not yet committed.

    Args:
        plan: the ingest.
        frame: the columns of the plan's schema, and behind them with ``feed`` the type of change and with ``key`` the key.
        write_id: id in the names of the files.
        display: shows progress.
        key: name of that column: tasks sort by partition and by it before they write. None where rows come in order.
        feed: True to write changes to files of their own, see `WriteTask`.

    Raises:
        EncodeError: a value that cannot be written.
    """
    task = plan.task(write_id, key, feed=feed)
    named = frame.toDF(*task.positions)
    with named_rules():
        messages = display.run("write", lambda: named.mapInArrow(task.run, RESULT).toArrow())
    return read_messages(messages)


def _absolute(target: Any) -> str:
    """Returns ``target`` as a URL or absolute path, valid on every machine of a cluster with one file system."""
    path = exact_path("target", target)
    if not path:
        raise ValueError("target: empty")
    if "://" in path:
        return path
    if os.path.isfile(path):
        raise FileExistsError(f"target: {path!r} is a file")
    return os.path.abspath(path)
