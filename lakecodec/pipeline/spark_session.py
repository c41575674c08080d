"""Spark sessions: parallelism, Python of the workers, number of the task, one-line messages of errors."""

from __future__ import annotations

import os
import re
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


def task_number() -> int:
    """Returns the number of the task that runs in this process of a worker, 0 outside of tasks."""
    from pyspark import TaskContext

    context: Any = TaskContext.get()
    return 0 if context is None else int(context.partitionId())


#: How PySpark introduces the traceback of a worker.
_WORKER = re.compile(r"exception was thrown from the Python worker|Traceback \(most recent call last\)")
#: The last line of a traceback: an error's type and its message.
_RAISED = re.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?:: .*)?$", re.MULTILINE)

#: How py4j introduces the stack of an exception in the JVM, whose causes come last.
_BRIDGE = "An error occurred while calling"
#: An error condition of Spark and its message.
_CONDITION = re.compile(r"\[[A-Z][A-Z0-9_.]+\] .*")
#: A cause whose message may have more lines than one.
_CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*(?:\n(?!\t|Caused by: ).*)*)", re.MULTILINE)


def first_line(error: Exception) -> str:
    """Returns one line of an error's text: the exception raised in a Python worker, Spark's error condition, or line 1."""
    text = str(error).strip()
    if _WORKER.search(text) and (raised := _RAISED.findall(text)):
        return str(raised[-1]).strip()
    if text.startswith(_BRIDGE) and (causes := list(_CONDITION.finditer(text))):
        found = causes[-1][0].strip()
        below = _CAUSE.findall(text, causes[-1].end()) if ".NO_HINT]" in found else []
        return " ".join([found, *" ".join(below[:1]).split()])
    return text.splitlines()[0] if text else type(error).__name__
