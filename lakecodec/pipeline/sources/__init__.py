"""Spark data sources for tables, Mosaic files and the metadata of Parquet files, and their registration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..spark_session import parallelism

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource


def register_sources(spark: SparkSession) -> None:
    """Registers the data sources with a session, see `pipeline.register`."""
    from ..parquet_metadata import ParquetMetadataSource
    from .lake import LakeSource
    from .mosaic import MosaicSource

    sources: list[type[DataSource]] = [LakeSource, MosaicSource, ParquetMetadataSource]
    for source in sources:
        spark.dataSource.register(_with_parallelism(spark, source))


def _with_parallelism(spark: SparkSession, source: type[DataSource]) -> type[DataSource]:
    """Returns a subclass of a source that carries the session's parallelism to the process that plans the scan."""
    members = {"parallelism": parallelism(spark), "__module__": source.__module__, "__doc__": source.__doc__}
    return type(source.__name__, (source,), members)
