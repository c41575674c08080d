"""Sampling of rows for a Z-order or Hilbert curve, and the function that Spark applies to every row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import arrow_udf

from ...lake.row_size import row_bytes
from ...lake.writing.zorder import ZOrder
from .plan import Plan

SAMPLE_ROWS = 1 << 15
#: The bytes of Arrow data per task, which sorts them in memory.
TASK_BYTES = 128 << 20
#: The fewest bytes that justify a task of their own.
SMALL_TASK_BYTES = 4 << 20


def z_order(frame: DataFrame, inputs: Column, plan: Plan) -> tuple[Callable[[Column], Column], int]:
    """Returns a function from ``inputs`` to a struct of task (int) and key (binary), and the number of tasks.

    Runs a Spark job that reads only the columns of ``inputs`` and samples 32768 rows.

    Args:
        frame: the rows.
        inputs: a struct: an int64 hash of the partition, and the columns to cluster by.
        plan: the ingest.
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
    order = ZOrder.of(groups, columns, tasks, plan.request.curve or "zorder", plan.halvings)
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
    """Returns the number of write tasks: about 128 MiB each at most, up to ``parallelism`` tasks of 4 MiB or more."""
    size = rows * row_bytes
    return max(-(-size // TASK_BYTES), min(parallelism, -(-size // SMALL_TASK_BYTES)), 1)


def parallelism(spark: SparkSession) -> int:
    """Returns the number of tasks that the session runs at a time; for Spark Connect, found by a small job."""
    context = getattr(spark, "_sc", None)
    if context is not None:
        return int(context.defaultParallelism)
    # Spark Connect does not expose the number, but a range has as many tasks.
    partitions = spark.range(1 << 16).select(F.spark_partition_id())
    return partitions.distinct().count()
