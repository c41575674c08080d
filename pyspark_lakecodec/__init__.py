"""Makes lakecodec's data sources known to Spark: PySpark imports every top-level package named ``pyspark_*``.

PySpark takes one source from each such package: ``parquet_metadata`` from this one, the others from
``pyspark_lakecodec_lake``, ``pyspark_lakecodec_mosaic``, ``pyspark_lakecodec_paimon`` and ``pyspark_lakecodec_query``.
"""

from lakecodec.spark.sources.parquet_metadata import ParquetMetadataSource as DefaultSource

__all__ = ["DefaultSource"]
