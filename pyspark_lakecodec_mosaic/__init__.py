"""Makes the data source ``mosaic`` known to Spark, see ``pyspark_lakecodec``."""

from lakecodec.spark.sources.mosaic import MosaicSource as DefaultSource

__all__ = ["DefaultSource"]
