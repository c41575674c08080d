"""Errors of Spark in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import AnalysisException, PySparkException
else:
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import AnalysisException, PySparkException
    except ModuleNotFoundError:
        # Without Spark, except clauses still need the name. Nothing raises this error.
        class PySparkException(Exception): ...

        class AnalysisException(PySparkException): ...

        class Py4JError(Exception): ...


class SparkJobError(PySparkException):
    """Raised where a Spark job fails; the text is one line, the cause is the error of PySpark or py4j."""


@contextmanager
def job_errors() -> Iterator[None]:
    """Raises errors of Spark jobs as `SparkJobError`; errors of a query before any job runs are unchanged."""
    try:
        yield
    except (AnalysisException, SparkJobError):
        raise
    except (Py4JError, PySparkException) as error:
        raise SparkJobError(message=first_line(error)) from error


#: The text by which PySpark introduces a worker's traceback.
_WORKER = re.compile(r"exception was thrown from the Python worker|Traceback \(most recent call last\)")
#: The last line of a traceback: the error's type and message.
_RAISED = re.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?:: .*)?$", re.MULTILINE)

#: The text by which py4j introduces the stack of an exception in the JVM. The causes come last.
_BRIDGE = "An error occurred while calling"
#: An error condition of Spark and its message.
_CONDITION = re.compile(r"\[[A-Z][A-Z0-9_.]+\] .*")
#: A cause, whose message may have several lines.
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
