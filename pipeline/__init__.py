"""Spark on the codecs: tables written and read at scale, and data sources that read lake formats by generated code.

Needs PySpark 4 and Java 17 or later; `history`, `vacuum` and `check` work without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .ingest import ingest
from .log import CommitInfo, Log, Problem, check, vacuum

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["CommitInfo", "Problem", "check", "history", "ingest", "register", "vacuum"]


def history(path: Any) -> list[CommitInfo]:
    """The versions of the table at ``path``, newest first, as far back as its log goes."""
    return Log(path).history()


def register(spark: SparkSession) -> None:
    """Register the data source ``parquet_metadata`` with a session, for ``spark.read.format("parquet_metadata")``.

    The session's default parallelism becomes the bound of the source's default partition count. Without this call Spark
    finds the source through the package ``pyspark_lakecodec``; the driver's processors are counted then, and where the
    session is one of Spark Connect.
    """
    from .parquet_metadata import ParquetMetadataSource

    context = getattr(spark, "sparkContext", None)
    parallelism = context.defaultParallelism if context is not None else ParquetMetadataSource.parallelism
    spark.dataSource.register(ParquetMetadataSource.with_parallelism(parallelism))
