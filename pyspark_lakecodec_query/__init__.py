"""Makes the data source ``lakecodec`` known to Spark, see ``pyspark_lakecodec``."""

from lakecodec.spark.sources.query import QuerySource as DefaultSource

__all__ = ["DefaultSource"]
