"""Registration of the data sources with a Spark session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource


def register_sources(spark: SparkSession) -> None:
    """Registers the data sources with a session, see `pipeline.register`."""
    from .parquet_metadata import ParquetMetadataSource
    from .sources.lake import LakeSource
    from .sources.mosaic import MosaicSource

    sources: list[type[DataSource]] = [LakeSource, MosaicSource, ParquetMetadataSource]
    for source in sources:
        spark.dataSource.register(_with_parallelism(spark, source))


def parallelism(spark: SparkSession) -> int:
    """Returns the session's default parallelism, or the number of processors for a session of Spark Connect."""
    context = getattr(spark, "_sc", None)
    return int(context.defaultParallelism) if context is not None else os.cpu_count() or 1


def _with_parallelism(spark: SparkSession, source: type[DataSource]) -> type[DataSource]:
    """Returns a subclass of a source that carries the session's parallelism to the process that plans the scan."""
    members = {"parallelism": parallelism(spark), "__module__": source.__module__, "__doc__": source.__doc__}
    return type(source.__name__, (source,), members)
