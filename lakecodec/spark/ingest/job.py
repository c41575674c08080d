"""Driver side of an ingest: plan, write, commit, and clean up after a failure."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...lake.log import CommitInfo, ConflictError, Log, Snapshot, UnknownOutcomeError
from ...lake.writing.messages import RESULT, DataFile, read_messages
from ...lake.writing.orphans import begin, delete_orphans
from ...lake.writing.request import Request
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
    log.storage.check_put()
    snapshot = log.snapshot() if log.exists() else None
    if snapshot is not None and (known := _known(log, snapshot, request)) is not None:
        return known
    check_session(spark)
    frame = open_source(spark, source, source_format, source_options)
    plan = make_plan(frame, log, snapshot, request)
    display = Display(spark, enabled=progress)
    write_id = begin(log.storage)
    since = 0 if snapshot is None else snapshot.version + 1
    try:
        files = write_arranged(plan, write_id, display, even=frame is not source)
        info, used = commit(plan, files)
    except UnknownOutcomeError:
        raise
    except BaseException as error:
        delete_orphans(log, write_id, since)
        if isinstance(error, ConflictError) and request.mode == "ignore" and log.exists():
            return log.info(log.snapshot().version)
        raise
    if not used:
        delete_orphans(log, write_id, since)
    display.summary(info, files, time.monotonic() - started)
    return info


def _known(log: Log, snapshot: Snapshot, request: Request) -> CommitInfo | None:
    """Returns the version that answers the request without any work, None if rows must be written."""
    if request.txn_id is not None and (version := snapshot.transactions.get(request.txn_id)) is not None:
        return log.info(version)
    if request.mode == "ignore":
        return log.info(snapshot.version)
    if request.mode == "error":
        raise FileExistsError(f"target: there is a table at {log.path!r}; choose another mode than 'error'")
    return None


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
    # Only a curve looks at rows before they are written.
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
    if isinstance(target, os.PathLike):
        target = os.fspath(target)
    if not isinstance(target, str):
        raise TypeError(f"target: a str or os.PathLike is needed, not {type(target).__name__}")
    if not target:
        raise ValueError("target: empty")
    if "://" in target:
        return target
    if os.path.isfile(target):
        raise FileExistsError(f"target: {target!r} is a file")
    return os.path.abspath(target)
