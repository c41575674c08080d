"""Spark sessions: parallelism, Python of the workers, number of the task."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def parallelism(spark: SparkSession) -> int:
    """Returns the session's default parallelism, or the number of processors for a session of Spark Connect."""
    context = getattr(spark, "_sc", None)
    return int(context.defaultParallelism) if context is not None else os.cpu_count() or 1


def use_this_python(spark: SparkSession) -> None:
    """Makes workers of a local session run the interpreter of this process, unless PYSPARK_PYTHON chooses another.

    Spark takes ``python3`` from the PATH, which in an environment that is not activated has neither lakecodec nor pyarrow.
    Sessions on a cluster and of Spark Connect are left alone: their workers have paths of their own.
    """
    context: Any = getattr(spark, "_sc", None)
    if context is None or os.environ.get("PYSPARK_PYTHON") or not str(context.master).startswith("local"):
        return
    context.pythonExec = sys.executable


def check_session(spark: Any) -> None:
    """Raises TypeError unless the argument is a Spark session."""
    if not hasattr(spark, "createDataFrame"):
        raise TypeError(f"spark: a SparkSession is needed, not {type(spark).__name__}")


def task_number() -> int:
    """Returns the number of the task that runs in this process of a worker, 0 outside of tasks."""
    from pyspark import TaskContext

    context: Any = TaskContext.get()
    return 0 if context is None else int(context.partitionId())
