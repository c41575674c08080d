"""Spark layer of lakecodec: ingest, scans and changes of Delta tables, and Spark data sources backed by generated codecs.

Needs PySpark 4 and Java 17 or later. Without them work `scan`, `count`, `history`, `properties`, `vacuum`, `check`,
`restore` and `convert`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from .. import lake
from ..lazy import names_elsewhere

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

    from ..lake import (
        CommitInfo,
        CommitRefusedError,
        ConflictError,
        CorruptLogError,
        LogError,
        Problem,
        ScanSummary,
        SchemaMismatchError,
        StoreUrl,
        TableScan,
        UnknownOutcomeError,
        UnsupportedTableError,
        VersionNotFoundError,
        check,
        count,
        explain,
        history,
        open_changes,
        open_scan,
        properties,
        scan,
        scan_changes,
        set_properties,
        unset_properties,
        vacuum,
    )
    from ..spark.changes.delete_update import delete, update
    from ..spark.changes.merge import merge
    from ..spark.changes.optimize import optimize
    from ..spark.errors import SparkJobError
    from ..spark.ingest import ingest
    from ..spark.read import read, read_changes
    from ..spark.sources import register

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

_LAZY = {
    **dict.fromkeys((name for name in lake.__all__ if name in __all__), ".lake"),
    **dict.fromkeys(("delete", "update"), ".spark.changes.delete_update"),
    **dict.fromkeys(("read", "read_changes"), ".spark.read"),
    "SparkJobError": ".spark.errors",
    "ingest": ".spark.ingest",
    "merge": ".spark.changes.merge",
    "optimize": ".spark.changes.optimize",
    "register": ".spark.sources",
}


_elsewhere, __dir__ = names_elsewhere(__name__, _LAZY)


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


def restore(
    spark: SparkSession | None,
    path: str | os.PathLike[str],
    version: int | datetime | str | None = None,
    *,
    timestamp: datetime | str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Restores a table to an older version; other arguments are those of `lakecodec.lake.restore`, ``spark`` is not used."""
    return lake.restore(path, version, timestamp=timestamp, storage_options=storage_options)


def convert(
    spark: SparkSession | None,
    parquet_directory: str | os.PathLike[str],
    *,
    partition_schema: pa.Schema | Mapping[str, pa.DataType] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Converts Parquet files to a table; other arguments are those of `lakecodec.lake.convert`, ``spark`` is not used."""
    return lake.convert(parquet_directory, partition_schema=partition_schema, storage_options=storage_options)
