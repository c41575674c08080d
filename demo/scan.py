"""The metadata scan: one row a column chunk, on Spark or in this process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from lakecodec.lake.listing import list_files
from lakecodec.parquet import column_chunks, read_metadata
from lakecodec.parquet.schema import leaves

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from lakecodec.generated.parquet import SchemaElement


def scan_with_spark(spark: SparkSession, directory: Path) -> pa.Table:
    """Scan with the data source ``parquet_metadata``; broken files are rows with an ``error``."""
    from lakecodec.pipeline import register

    register(spark)
    return spark.read.format("parquet_metadata").load(str(directory)).toArrow()


def scan_locally(directory: Path) -> pa.Table:
    """Returns the same rows without Spark, in threads of this process."""
    return column_chunks([entry.path for entry in list_files([str(directory)])], errors="column")


def dataset_columns(chunks: pa.Table) -> list[tuple[str, SchemaElement]]:
    """Dotted path and schema element of each column, from the first file that a scan could read; none if none could."""
    readable = chunks.filter(pc.is_null(chunks["error"]))["file"]
    return leaves(read_metadata(readable[0].as_py()).schema) if len(readable) else []
