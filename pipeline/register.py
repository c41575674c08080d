"""Makes the data sources known to a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource


def register_sources(spark: SparkSession) -> None:
    """See `pipeline.register`."""
    from .parquet_metadata import ParquetMetadataSource
    from .sources.lake import LakeSource
    from .sources.mosaic import MosaicSource

    sources: list[type[DataSource]] = [LakeSource, MosaicSource, ParquetMetadataSource]
    for source in sources:
        spark.dataSource.register(_with_parallelism(spark, source))


def register_lake(spark: SparkSession) -> None:
    """Register the data source ``lake`` alone."""
    from .sources.lake import LakeSource

    spark.dataSource.register(_with_parallelism(spark, LakeSource))


def _with_parallelism(spark: SparkSession, source: type[DataSource]) -> type[DataSource]:
    """A source class that carries the session's parallelism to the process that plans the scan."""
    context = getattr(spark, "_sc", None)
    parallelism = context.defaultParallelism if context is not None else vars(source)["parallelism"]
    members = {"parallelism": parallelism, "__module__": source.__module__, "__doc__": source.__doc__}
    return type(source.__name__, (source,), members)
