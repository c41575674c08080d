"""Makes the data sources known to a session."""

from __future__ import annotations

import os
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


def parallelism(spark: SparkSession) -> int:
    """How many tasks the session runs at a time; a session of Spark Connect does not tell, processors are counted."""
    context = getattr(spark, "_sc", None)
    return int(context.defaultParallelism) if context is not None else os.cpu_count() or 1


def _with_parallelism(spark: SparkSession, source: type[DataSource]) -> type[DataSource]:
    """A source class that carries the session's parallelism to the process that plans the scan."""
    members = {"parallelism": parallelism(spark), "__module__": source.__module__, "__doc__": source.__doc__}
    return type(source.__name__, (source,), members)
