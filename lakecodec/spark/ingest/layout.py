"""Distribution and order of rows: produces few files of the target size from any input.

| rows are to be | how |
|---|---|
| sorted | range partitioning over partition and sort columns, then a sort in each task, both by Spark |
| along a curve | tasks by a sample's quantiles; each task sorts by key when it writes |
| only partitioned | as sorted, with a hash of the row in place of the sort columns, which spreads large partitions |
| as they come | Spark's rebalancing; files that Spark reads are evenly split already |

Range partitioning without a number lets adaptive execution choose the number of tasks by the size of the shuffled rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ...lake.writing.plan import has_map
from ...lake.writing.request import Order
from ..predicates import column
from .guards import guarded
from .plan import Plan
from .sampling import z_order

_SEED = 42


def arranged(plan: Plan, *, even: bool) -> DataFrame:
    """Returns the plan's rows distributed and sorted for the writers; for a curve, with the keys in a last column.

    Args:
        plan: the ingest.
        even: True if the source's own tasks are of sensible sizes.
    """
    frame = guarded(plan)
    if plan.request.curve_by:
        return _along_curve(plan, frame)
    grouping = [key for name in plan.partition_by for key in _grouping(plan, name)]
    if plan.request.sort_by:
        keys = [*grouping, *map(_order, plan.request.sort_by)]
        return frame.repartitionByRange(*keys).sortWithinPartitions(*keys)
    if grouping:
        return frame.repartitionByRange(*grouping, *_spread(plan)).sortWithinPartitions(*grouping)
    return frame if even else frame.hint("rebalance")


def _grouping(plan: Plan, name: str) -> list[Column]:
    """Returns sort keys that keep the rows of one directory together: Spark treats 0.0 and -0.0 as equal, their texts differ."""
    found = column(name)
    return [found, found.cast("string")] if pa.types.is_floating(plan.schema.field(name).type) else [found]


def _order(order: Order) -> Column:
    return column(order.name).desc() if order.descending else column(order.name).asc()


def _spread(plan: Plan) -> Sequence[Column]:
    # A retried task must compute the same number for the same row, so numbers are not random.
    hashed = [column(field.name) for field in plan.file_schema if not has_map(field.type)]
    return [F.xxhash64(*hashed)] if hashed else []


def _along_curve(plan: Plan, frame: DataFrame) -> DataFrame:
    group = F.xxhash64(*[column(name) for name in plan.partition_by]) if plan.partition_by else F.lit(0).cast("long")
    values = [column(name) for name in plan.request.curve_by]
    inputs = F.struct(group, *values)
    place, tasks = z_order(frame, inputs, plan)
    key = column(plan.key)
    placed = frame.withColumn(plan.key, place(inputs))
    columns = [column(name) for name in frame.columns]
    return placed.repartitionById(tasks, key["task"]).select(*columns, key["key"].alias(plan.key))
