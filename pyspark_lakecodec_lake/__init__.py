"""Makes the data source ``lake`` known to Spark, see ``pyspark_lakecodec``."""

from lakecodec.spark.sources.lake import LakeSource as DefaultSource

__all__ = ["DefaultSource"]
