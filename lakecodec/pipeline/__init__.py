"""Spark layer of lakecodec: ingest, scans and changes of Delta tables, and Spark data sources backed by generated codecs.

Needs PySpark 4 and Java 17 or later. Without them work `scan`, `count`, `history`, `properties`, `vacuum`, `check`,
`restore` and `convert`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..lazy import names_elsewhere

# Now, so that these do not take the names of functions when they are imported later.
from . import read as _read  # noqa: F401
from .ingest import ingest
from .sources import register_sources
from .spark_session import use_this_python

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..runtime.urls import StoreUrl
    from .changes.convert import convert
    from .changes.count import count
    from .changes.delete_update import delete, update
    from .changes.merge import merge
    from .changes.optimize import optimize
    from .changes.properties import properties, set_properties, unset_properties
    from .changes.restore import restore
    from .log import CommitInfo, Problem, check, vacuum
    from .log.errors import (
        CommitRefusedError,
        ConflictError,
        CorruptLogError,
        LogError,
        SchemaMismatchError,
        UnknownOutcomeError,
        UnsupportedTableError,
        VersionNotFoundError,
    )
    from .predicates import Predicate
    from .read.changes import open_changes, scan_changes
    from .read.explain import ScanSummary, explain
    from .read.scan import TableScan, open_scan, scan
    from .spark_errors import SparkJobError

__all__ = [
    "CommitInfo",
    "CommitRefusedError",
    "ConflictError",
    "CorruptLogError",
    "LogError",
    "Problem",
    "ScanSummary",
    "SchemaMismatchError",
    "SparkJobError",
    "StoreUrl",
    "TableScan",
    "UnknownOutcomeError",
    "UnsupportedTableError",
    "VersionNotFoundError",
    "check",
    "convert",
    "count",
    "delete",
    "explain",
    "history",
    "ingest",
    "merge",
    "open_changes",
    "open_scan",
    "optimize",
    "properties",
    "read",
    "read_changes",
    "register",
    "restore",
    "scan",
    "scan_changes",
    "set_properties",
    "unset_properties",
    "update",
    "vacuum",
]

#: Where the rest is. Spark's workers import this package for each query: they should not wait for what they do not use.
_LAZY = {
    **dict.fromkeys(("CommitInfo", "Problem", "check", "vacuum"), "log"),
    **dict.fromkeys(
        (
            "CommitRefusedError",
            "ConflictError",
            "CorruptLogError",
            "LogError",
            "SchemaMismatchError",
            "UnknownOutcomeError",
            "UnsupportedTableError",
            "VersionNotFoundError",
        ),
        "log.errors",
    ),
    **dict.fromkeys(("open_changes", "scan_changes"), "read.changes"),
    "StoreUrl": ".runtime.urls",
    "SparkJobError": "spark_errors",
    **dict.fromkeys(("ScanSummary", "explain"), "read.explain"),
    **dict.fromkeys(("TableScan", "open_scan", "scan"), "read.scan"),
    **dict.fromkeys(("delete", "update"), "changes.delete_update"),
    **dict.fromkeys(("properties", "set_properties", "unset_properties"), "changes.properties"),
    **{name: f"changes.{name}" for name in ("convert", "count", "merge", "optimize", "restore")},
}


_elsewhere = names_elsewhere(__name__, _LAZY)


def __getattr__(name: str) -> Any:
    try:
        return _elsewhere(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pyspark", "py4j"):
            raise
        return _needs_spark(name)


def _needs_spark(name: str) -> Any:
    """Returns a function that says what to install: the others can be imported and listed where Spark is missing."""

    def missing(*arguments: Any, **options: Any) -> Any:
        advice = f"pipeline.{name} needs pyspark, which is not installed: pip install 'lakecodec[spark]'"
        raise ModuleNotFoundError(advice, name="pyspark")

    missing.__name__ = missing.__qualname__ = name
    missing.__doc__ = "Raises ModuleNotFoundError: pyspark is not installed; pip install 'lakecodec[spark]'."
    return missing


def __dir__() -> list[str]:
    return sorted(__all__)


def history(path: Any, *, storage_options: Mapping[str, Any] | None = None) -> list[CommitInfo]:
    """Returns the commits of the table at ``path`` that its log still has, newest version first.

    One `CommitInfo` stands for each commit file (``_delta_log/<version>.json``); versions before log cleanup are missing.

    Args:
        path: path or URL of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no Delta table at ``path``.
    """
    from ..runtime.urls import with_options
    from .log import Log, VersionNotFoundError

    found = Log(with_options(path, storage_options)).history()
    if not found:
        raise VersionNotFoundError(f"there is no Delta table at {os.fspath(path)!r}")
    return found


def register(spark: SparkSession) -> None:
    """Registers the data sources ``lake``, ``mosaic`` and ``parquet_metadata`` with a session.

    The session's default parallelism becomes the upper bound of their default partition counts. Without this call Spark
    finds the sources through the packages ``pyspark_lakecodec*``, and the number of processors of the driver is used
    instead; it is also used where the session is one of Spark Connect.

    Args:
        spark: a session, classic or of Spark Connect.
    """
    use_this_python(spark)
    register_sources(spark)


def read(
    spark: SparkSession,
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
    verify: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Returns a DataFrame of one version of a Delta table, with projection and data skipping applied.

    Partitions, files and row groups whose partition values or statistics exclude ``where`` are skipped; columns that are
    not asked for are not read.

    Args:
        spark: a session, classic or of Spark Connect.
        path: path or URL of the table.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate in Spark SQL, a ``Column``, tuples (column, operator, value) that must all hold, or lists of
            such of which one must. Spark applies all of it; the parts that `scan` understands skip files as well.
        version: version of the table, by default the newest.
        timestamp: or the version that was the newest at this time; in UTC where it has no zone.
        verify: True to compare checksums of Parquet pages; those of Mosaic files are always compared.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        A DataFrame that stays at this version, whatever is committed later.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        KeyError: an unknown name in ``columns``.
        TypeError, ValueError: a wrong argument, or a predicate that Spark does not understand.
    """
    from ..runtime.urls import with_options
    from .read.spark import read_table

    use_this_python(spark)
    return read_table(spark, with_options(path, storage_options), columns, where, version, timestamp, verify=verify)


def read_changes(
    spark: SparkSession,
    path: str | os.PathLike[str],
    start: int | datetime | str,
    end: int | datetime | str | None = None,
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Returns a DataFrame of the rows that versions of a table inserted, deleted and updated (Delta protocol, Change Data Files).

    The table must have had ``delta.enableChangeDataFeed`` in all of these versions. Columns are those of the last one, and
    ``_change_type`` (insert, delete, update_preimage, update_postimage), ``_commit_version`` and ``_commit_timestamp``.

    Args:
        spark: a session, classic or of Spark Connect.
        path: path or URL of the table.
        start: the first version, or the first at this time or later; a time is a datetime or a text in ISO 8601, in UTC
            where it has no zone.
        end: the last version, or the last at this time; None for the newest.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate as of `read`, over all these columns.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        LogError: a version was made without the feed, or with columns that do not fit those of the last one.
        KeyError: an unknown name in ``columns``.
        TypeError, ValueError: a wrong argument, or a predicate that Spark does not understand.
    """
    from ..runtime.urls import with_options
    from .read.spark import read_changed

    use_this_python(spark)
    return read_changed(spark, with_options(path, storage_options), start, end, columns, where)
