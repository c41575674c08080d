"""One line of what Spark says, in the API and on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark.errors import AnalysisException, PySparkException

from lakecodec.cli.app import run
from lakecodec.pipeline import SparkJobError, delete, ingest, merge, optimize, update
from lakecodec.spark.errors import first_line, job_errors

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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


def test_errors_of_jobs_have_one_line() -> None:
    for error in (Py4JError(FILE), PySparkException(message=WORKER)):
        with pytest.raises(SparkJobError) as caught, job_errors():
            raise error
        assert str(caught.value) == first_line(error)
        assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [AnalysisException(message="a\nb"), ValueError("a\nb")])
def test_other_errors_stay(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, job_errors():
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    "change",
    [
        lambda spark, table: delete(spark, table, "id % 2 = 0", progress=False),
        lambda spark, table: update(spark, table, {"id": "id + 1"}, progress=False),
        lambda spark, table: merge(spark, table, spark.range(3), "id", when_matched_delete=True, progress=False),
        lambda spark, table: optimize(spark, table, zorder_by="id", progress=False),
    ],
    ids=["delete", "update", "merge", "optimize"],
)
def test_changes_of_damaged_tables(
    spark: SparkSession, tmp_path: Path, change: Callable[[Any, Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(spark, spark.range(10), tmp_path / "t", progress=False)
    (file,) = (tmp_path / "t").glob("*.parquet")
    file.write_bytes(bytes(file.stat().st_size))
    with pytest.raises(SparkJobError, match=file.name) as caught:
        change(spark, tmp_path / "t")
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None
    capsys.readouterr()
    assert run(["delete", str(tmp_path / "t"), "--where", "id % 2 = 0", "--quiet"]) == 1
    assert capsys.readouterr().err.startswith("lakecodec: Spark: ")
