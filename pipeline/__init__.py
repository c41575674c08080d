"""Spark on the codecs: data sources that read lake formats by generated code. Needs PySpark 4 and Java 17 or later."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["register"]


def register(spark: SparkSession) -> None:
    """Register the data source ``parquet_metadata`` with a session, for ``spark.read.format("parquet_metadata")``.

    The session's default parallelism becomes the bound of the source's default partition count. Where the package
    ``pyspark_lakecodec`` is installed, Spark finds the source without this call and counts processors instead.
    """
    from .parquet_metadata import ParquetMetadataSource

    spark.dataSource.register(ParquetMetadataSource.with_parallelism(spark.sparkContext.defaultParallelism))
