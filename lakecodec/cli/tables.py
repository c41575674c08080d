"""A Spark session for commands on tables, and errors of tables in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def session(master: str) -> SparkSession:
    from lakecodec.pipeline.demo.session import local_session, missing_java

    if advice := missing_java():
        raise ValueError(advice)
    return local_session(master)


@contextmanager
def readable_errors() -> Iterator[None]:
    """Errors of the log and of Spark as errors that the command line shows in one line."""
    from lakecodec.pipeline.log import LogError

    try:
        yield
    except LogError as error:
        raise ValueError(str(error)) from error
    except Exception as error:
        if not any(kind.__module__.startswith(("pyspark.", "py4j.")) for kind in type(error).__mro__):
            raise
        from lakecodec.pipeline.spark_errors import first_line

        raise ValueError(f"Spark: {first_line(error)}") from error
