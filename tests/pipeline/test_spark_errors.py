"""One line of what Spark says."""

from __future__ import annotations

import pytest

from lakecodec.pipeline.spark_errors import first_line

WORKER = """
  An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "attempt.py", line 5, in write
    raise OSError(28, "No space left on device")
OSError: [Errno 28] Error writing bytes to file. Detail: [errno 28] No space left on device

"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input.(line 1, pos 4)\n\n== SQL ==\nid >\n",
            "[PARSE_SYNTAX",
        ),
        (WORKER, "OSError: [Errno 28] Error writing bytes"),
        (
            WORKER.replace("OSError: [", "lakecodec.runtime.errors.DecodeError: ["),
            "lakecodec.runtime.errors.DecodeError",
        ),
        ("", "ValueError"),
    ],
)
def test_first_line(text: str, line: str) -> None:
    assert first_line(ValueError(text)).startswith(line)
