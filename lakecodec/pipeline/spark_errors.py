"""One-line messages of Spark's errors."""

from __future__ import annotations

import re

#: How PySpark introduces the traceback of a worker.
_WORKER = re.compile(r"exception was thrown from the Python worker|Traceback \(most recent call last\)")
#: The last line of a traceback: an error's type and its message.
_RAISED = re.compile(r"^(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b(?:: .*)?$", re.MULTILINE)

#: How py4j introduces the stack of an exception in the JVM, whose causes come last.
_BRIDGE = "An error occurred while calling"
#: An error condition of Spark and its message.
_CONDITION = re.compile(r"\[[A-Z][A-Z0-9_.]+\] .*")


def first_line(error: Exception) -> str:
    """Returns one line of an error's text: the exception raised in a Python worker, Spark's error condition, or line 1."""
    text = str(error).strip()
    if _WORKER.search(text) and (raised := _RAISED.findall(text)):
        return str(raised[-1]).strip()
    if text.startswith(_BRIDGE) and (causes := _CONDITION.findall(text)):
        return str(causes[-1]).strip()
    return text.splitlines()[0] if text else type(error).__name__
