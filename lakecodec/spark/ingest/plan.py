"""Plan of an ingest: the request, resolved against the source and the existing table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructField

from ...lake.log import Log, Snapshot
from ...lake.log.column_rules import generated_by
from ...lake.writing.plan import WritePlan, plan_write, spelled
from ...lake.writing.request import Request
from ..derived import absent, check_numbered
from ..errors import first_line
from ..predicates import column, predicate_column
from ..table_schema import plain_spark_schema, table_schema
from .casting import cast_to
from .task import SparkWriteTask


@dataclass(frozen=True, kw_only=True)
class Plan(WritePlan):
    """A validated ingest.

    Attributes:
        frame: the source's rows with the table's columns, in the table's types and order.
        replaced: the condition of ``replace_where``, None without one.
        halvings: of the request's curve, see `ZOrder`.
        given: names of the table's columns that the source has.
    """

    frame: DataFrame
    replaced: Column | None
    halvings: tuple[int, ...] = ()
    given: frozenset[str] = frozenset()

    @property
    def spark(self) -> SparkSession:
        return self.frame.sparkSession

    def task(self, write_id: str, key: str | None, *, feed: bool = False) -> SparkWriteTask:
        """Returns the write task of all Spark tasks of the plan; see `SparkWriteTask` for the arguments."""
        return SparkWriteTask(**vars(super().task(write_id, key, feed=feed)))


def make_plan(frame: DataFrame, log: Log, snapshot: Snapshot | None, request: Request) -> Plan:
    """Returns the plan of an ingest after all checks that need no rows.

    Raises:
        TypeError, ValueError, KeyError, SchemaMismatchError: as `ingest`.
    """
    given = frame.schema
    schema = spelled(table_schema(given), snapshot, request)
    columns = dict(zip(schema.names, given.fields, strict=True))
    plan = plan_write(schema, log, snapshot, request)
    check_numbered(plan.schema, columns)
    return Plan(
        **vars(plan),
        frame=_conformed(frame, columns, plan.schema),
        given=frozenset(columns),
        replaced=_replaced(request, frame.sparkSession, plan.schema, plan.partition_by),
    )


def _conformed(frame: DataFrame, columns: Mapping[str, StructField], schema: pa.Schema) -> DataFrame:
    """Returns ``frame`` in the table's column order and types; columns that it lacks are computed, have defaults or are null.

    Args:
        columns: the frame's columns by the table's names.
    """
    found = []
    computed = {}
    for field, own in zip(plain_spark_schema(schema).fields, schema, strict=True):
        there = columns.get(field.name)
        if there is not None:
            value = cast_to(column(there.name), there.dataType, field.dataType)
        elif (text := generated_by(own)) is not None:
            computed[field.name] = F.expr(text).cast(field.dataType).alias(field.name)
            continue
        else:
            value = absent(own, field.dataType)
        found.append(value.alias(field.name))
    plain = frame.select(*found)
    return plain.select(*[computed.get(name, column(name)) for name in schema.names]) if computed else plain


def _replaced(request: Request, spark: SparkSession, schema: pa.Schema, partition_by: tuple[str, ...]) -> Column | None:
    if request.replace_where is None:
        return None
    condition = predicate_column(request.replace_where, "replace_where")
    fields = plain_spark_schema(pa.schema([schema.field(name) for name in partition_by]))
    try:
        _ = spark.createDataFrame([], fields).where(condition).schema
    except AnalysisException as error:
        raise ValueError(
            f"replace_where: a predicate over the partition columns {', '.join(partition_by)} is needed: "
            f"{first_line(error)}"
        ) from None
    return condition
