"""The sample that a z-order is made of, and the function that Spark applies to every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import arrow_udf

from ..row_size import row_bytes
from .plan import Plan
from .zorder import ZOrder

SAMPLE_ROWS = 1 << 15
#: Bytes of Arrow data that a task should get: they are sorted in memory.
TASK_BYTES = 128 << 20
#: Fewer are not worth a task of their own.
SMALL_TASK_BYTES = 4 << 20


def z_order(frame: DataFrame, inputs: Column, plan: Plan) -> tuple[Callable[[Column], Column], int]:
    """A function that gives each row its task and key, and the number of tasks.

    ``inputs`` is a struct: a number of the partition, and the columns to be clustered by. Reads only what that needs.
    """
    counted = Observation()
    sampled = (
        frame.select(inputs.alias("inputs"))
        .observe(counted, F.count(F.lit(1)).alias("rows"))
        .orderBy(F.rand(0))
        .limit(SAMPLE_ROWS)
        .toArrow()
    )
    tasks = task_count(counted.get["rows"], row_bytes(plan.schema), parallelism(plan.spark))
    groups, *columns = sampled["inputs"].combine_chunks().flatten()
    order = ZOrder.of(groups, columns, tasks, plan.request.curve or "zorder")
    return _function(order), tasks


def _function(order: ZOrder) -> Callable[[Column], Column]:
    def place(rows: pa.Array) -> pa.Array:
        groups, *columns = rows.flatten()
        keys = order.keys(columns)
        return pa.StructArray.from_arrays([order.tasks(groups, keys), keys.cast(pa.binary())], ["task", "key"])

    # The declared overloads do not agree with the documented ones.
    make: Any = arrow_udf
    function: Callable[[Column], Column] = make(place, returnType="struct<task: int, key: binary>")
    return function


def task_count(rows: int, row_bytes: int, parallelism: int) -> int:
    """How many tasks for so many rows: enough for their memory and for all processors, none too small."""
    size = rows * row_bytes
    return max(-(-size // TASK_BYTES), min(parallelism, -(-size // SMALL_TASK_BYTES)), 1)


def parallelism(spark: SparkSession) -> int:
    """How many tasks run at a time."""
    context = getattr(spark, "_sc", None)
    if context is not None:
        return int(context.defaultParallelism)
    # Spark Connect does not tell; a range is made of as many tasks.
    partitions = spark.range(1 << 16).select(F.spark_partition_id())
    return partitions.distinct().count()
