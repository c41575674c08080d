"""A Spark session for commands on tables, and errors of tables in one line."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def session(master: str) -> SparkSession:
    from lakecodec.spark.local import local_session, missing_java

    if advice := missing_java():
        raise ValueError(advice)
    return local_session(master)


def require(*, table: str | None = None, source: str | None = None) -> None:
    """Raises FileNotFoundError for a missing table or local source, before a session starts, which takes seconds."""
    from lakecodec.lake.log import Log
    from lakecodec.lake.log.errors import no_table
    from lakecodec.lake.log.storage import table_path

    if table is not None and not Log(table_path(table)).exists():
        raise FileNotFoundError(no_table(table))
    is_local = source is not None and ":" not in source and not set("*?[{,") & set(source)
    if source is not None and is_local and not os.path.exists(source):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)


@contextmanager
def readable_errors() -> Iterator[None]:
    """Errors of the log and of Spark as errors that the command line shows in one line."""
    from lakecodec.lake.log import LogError

    try:
        yield
    except LogError as error:
        raise ValueError(str(error)) from error
    except Exception as error:
        if not any(kind.__module__.startswith(("pyspark.", "py4j.")) for kind in type(error).__mro__):
            raise
        from lakecodec.spark.errors import first_line

        raise ValueError(f"Spark: {first_line(error)}") from error
