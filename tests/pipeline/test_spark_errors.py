"""One line of what Spark says."""

from __future__ import annotations

import pytest

from lakecodec.pipeline.spark_session import first_line

WORKER = """
  An exception was thrown from the Python worker. Please see the stack trace below.
Traceback (most recent call last):
  File "attempt.py", line 5, in write
    raise OSError(28, "No space left on device")
OSError: [Errno 28] Error writing bytes to file. Detail: [errno 28] No space left on device

"""

JVM = """An error occurred while calling o758.getResult.
: org.apache.spark.SparkException: Exception thrown in awaitResult: [FAILED_READ_FILE.NO_HINT] Encountered error while reading
	at org.apache.spark.util.ThreadUtils$.awaitResult(ThreadUtils.scala:1)
Caused by: org.apache.spark.SparkException: [MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records are detected
	at org.apache.spark.sql.Foo.bar(Foo.scala:2)
"""

FILE = """An error occurred while calling o93.getResult.
Caused by: org.apache.spark.SparkException: [FAILED_READ_FILE.NO_HINT] Encountered error. SQLSTATE: KD001
	at org.apache.spark.sql.Foo.bar(Foo.scala:2)
Caused by: org.apache.spark.SparkIllegalArgumentException: The header does not fit.
 Header: a
	at org.apache.spark.sql.Foo.bar(Foo.scala:2)
Caused by: java.io.IOException: deeper
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
        (JVM, "[MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION] Malformed records"),
        (
            FILE,
            "[FAILED_READ_FILE.NO_HINT] Encountered error. SQLSTATE: KD001 The header does not fit. Header: a",
        ),
        ("", "ValueError"),
    ],
)
def test_first_line(text: str, line: str) -> None:
    assert first_line(ValueError(text)).startswith(line)
