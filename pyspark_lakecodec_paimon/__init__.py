"""Makes the data source ``paimon_append`` known to Spark, see ``pyspark_lakecodec``."""

from lakecodec.spark.sources.paimon import PaimonSource as DefaultSource

__all__ = ["DefaultSource"]
