"""Spark on the codecs: data sources that read lake formats by generated code. Needs PySpark 4 and Java 17 or later."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["register"]


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
