"""Spark data sources for Delta and Paimon tables, Mosaic files, metadata of Parquet files and queries, and their registration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..session import parallelism, use_this_python

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource


def register(spark: SparkSession) -> None:
    """Registers the data sources ``lake``, ``lakecodec``, ``mosaic``, ``paimon_append`` and ``parquet_metadata`` with a session.

    The session's default parallelism becomes the upper bound of their default partition counts. Without this call Spark
    finds the sources through the packages ``pyspark_lakecodec*``, and the number of processors of the driver is used
    instead; it is also used where the session is one of Spark Connect.

    Args:
        spark: a session, classic or of Spark Connect.
    """
    use_this_python(spark)
    from .lake import LakeSource
    from .mosaic import MosaicSource
    from .paimon import PaimonSource
    from .parquet_metadata import ParquetMetadataSource
    from .query import QuerySource

    sources: list[type[DataSource]] = [LakeSource, MosaicSource, PaimonSource, ParquetMetadataSource, QuerySource]
    for source in sources:
        spark.dataSource.register(_with_parallelism(spark, source))


def _with_parallelism(spark: SparkSession, source: type[DataSource]) -> type[DataSource]:
    """Returns a subclass of a source that carries the session's parallelism to the process that plans the scan."""
    members = {"parallelism": parallelism(spark), "__module__": source.__module__, "__doc__": source.__doc__}
    return type(source.__name__, (source,), members)
