"""Progress display for Spark jobs, fed by Spark's status tracker."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from pyspark import InheritableThread
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from pyspark import StatusTracker
    from pyspark.sql import SparkSession

T = TypeVar("T")
POLL_SECONDS = 0.1


def run_with_progress(
    spark: SparkSession, description: str, action: Callable[[], T], *, console: Console | None = None
) -> T:
    """Runs ``action`` and shows how many tasks of the Spark jobs it starts are done.

    Args:
        spark: a classic session.
        description: text before the bar.
        action: called without arguments in a thread of its own; the jobs it starts form one job group, which is cancelled
            when this call is interrupted.
        console: where to show progress, by default standard output.

    Returns:
        The result of ``action``. Its exception is raised here.
    """
    context = spark.sparkContext
    group = f"progress-{uuid.uuid4()}"
    outcome: Future[T] = Future()

    def work() -> None:
        context.setJobGroup(group, description)
        try:
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    total = 0
    thread = InheritableThread(target=work, daemon=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TextColumn("tasks"), TimeElapsedColumn(), console=console) as progress:
        bar = progress.add_task(description, total=None)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(POLL_SECONDS)
                done, total = task_counts(context.statusTracker(), group)
                progress.update(bar, completed=done, total=total or None)
        except BaseException:
            context.cancelJobGroup(group)
            raise
        if outcome.exception() is None:  # skipped stages do not finish, and the last numbers may be late
            progress.update(bar, completed=total, total=total)
    return outcome.result()


def task_counts(tracker: StatusTracker, group: str) -> tuple[int, int]:
    """Returns the numbers of completed tasks and of all tasks known so far in the stages of a job group."""
    done = total = 0
    for job_id in tracker.getJobIdsForGroup(group):
        job = tracker.getJobInfo(job_id)
        for stage_id in job.stageIds if job else ():
            stage = tracker.getStageInfo(stage_id)
            if stage:
                done += stage.numCompletedTasks
                total += stage.numTasks
    return done, total
