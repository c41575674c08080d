"""Scans as DataFrames that are planned in the driver.

For each query of a Python data source, Spark starts Python processes only to pass the plan on, which takes 30 to 60 ms.
Here the plan is the function of a `mapInArrow` over a range that has a number for each task.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.types import LongType, StructField, StructType

from ..partitioning import spread
from ..session import parallelism
from ..table_schema import plain_spark_schema
from .file_reader import NumberedTasks, read_task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ...lake.read.plan import ScanPlan

#: The bytes that Spark assumes per row of a range.
_RANGE_ROW_BYTES = 8
#: Spark treats all smaller scans alike.
_SMALL_BYTES = 1 << 20
#: At most 2**23 numbers per task, which take 64 MiB. Skipping them takes 15 ms; reading 64 MiB of files takes 1 s.
_MOST_BITS = 23


def planned_frame(spark: SparkSession, plan: ScanPlan, tag: str | None = None) -> DataFrame:
    """Returns a DataFrame of the rows that ``plan`` reads, in its columns.

    Args:
        spark: a session.
        plan: the scan.
        tag: name of an int64 column of unique row numbers to add behind the others, None for no such column.

    Raises:
        ValueError: the predicate has parts that only Spark can decide.
    """
    # Changes of tables tag rows and do not write variants.
    columns = pa.schema([plan.read_schema.field(name) for name in plan.columns])
    schema = plain_spark_schema(columns, variants=tag is None)
    parts = spread(plan.files, parallelism(spark))
    size = sum(file.size for file in plan.files) * len(plan.columns) // len(plan.table)
    bits = _range_bits(size, len(parts))
    tasks = NumberedTasks(read_task(plan, schema, tag), tuple(map(pickle.dumps, parts)), bits)
    numbers = spark.range(0, len(parts) << bits, 1, max(1, len(parts)))
    if bits:
        numbers = numbers.where(f"id & {(1 << bits) - 1} = 0")
    return numbers.mapInArrow(
        tasks.read, schema if tag is None else StructType([*schema, StructField(tag, LongType())])
    )


def _range_bits(size: int, tasks: int) -> int:
    """Returns the number of low bits of the range's numbers, below the task numbers.

    Spark assumes that the result of a function is as large as the range, filtered or not. It sends small results to
    every task of a join. Therefore the range is about as large as the bytes that are read.
    """
    if size < _SMALL_BYTES:
        return 0
    numbers = size // _RANGE_ROW_BYTES // max(1, tasks)
    return min(numbers.bit_length(), _MOST_BITS)
