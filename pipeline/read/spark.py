"""Tables as Spark DataFrames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import Column

from ..predicates import Predicate, column, predicate_column
from ..register import parallelism
from ..sources.file_reader import file_reader
from ..sources.planned import planned_frame
from ..table_schema import plain_spark_schema
from .bind import bind
from .plan import chosen_columns, open_table, plan_table
from .predicate import Bound, Constant, column_names, undecided
from .spark_column import parse_column
from .sql import positive
from .where import parse_where

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read_table(
    spark: SparkSession,
    path: str | os.PathLike[str],
    columns: Sequence[str] | None,
    where: Predicate | None,
    version: int | None,
    timestamp: datetime | str | None,
) -> DataFrame:
    """See `pipeline.read`."""
    snapshot = open_table(_absolute(path), version, timestamp)
    schema = snapshot.schema
    wanted = chosen_columns(columns, schema.names)
    # Spark needs a column to count rows by.
    needed = set(wanted or schema.names[:1])
    condition, tree, zone = None, None, "UTC"
    if where is not None:
        condition = predicate_column(where, "where")
        zone = str(spark.conf.get("spark.sql.session.timeZone"))
        written = parse_column(where, zone) if isinstance(where, Column) else parse_where(where, zone)
        needed |= _referenced(spark, schema, where, condition, bind(written, schema, zone))
        tree = _without_undecided(positive(written), schema, zone)
    names = [name for name in schema.names if name in needed]
    plan = plan_table(snapshot, names, tree, zone)
    fields = plain_spark_schema(plan.schema)
    frame = planned_frame(spark, file_reader(plan, fields, parallelism(spark), None), fields)
    if condition is not None:
        frame = frame.where(condition)
    return frame if names == list(wanted) else frame.select(*[column(name) for name in wanted])


def _without_undecided(tree: Any, schema: pa.Schema, zone: str) -> Any:
    """``tree`` with true in place of what only Spark can decide."""
    if parts := getattr(tree, "parts", None):
        return type(tree)(tuple(_without_undecided(part, schema, zone) for part in parts))
    return Constant(True) if undecided(bind(tree, schema, zone)) else tree


def _referenced(spark: SparkSession, schema: pa.Schema, where: Predicate, condition: Column, bound: Bound) -> set[str]:
    """Columns that a predicate needs: all of the table's where that cannot be found out."""
    names = set(column_names(bound))
    if undecided(bound):
        text = str(condition if isinstance(where, Column) else where).lower().replace("``", "`")
        names |= {name for name in schema.names if name.lower() in text}
    try:
        _check(spark, schema, names, condition)
    except AnalysisException:
        names = set(schema.names)
        try:
            _check(spark, schema, names, condition)
        except AnalysisException as error:
            raise ValueError(f"where: {str(error).splitlines()[0]}") from None
    return names


def _check(spark: SparkSession, schema: pa.Schema, names: set[str], condition: Column) -> None:
    """AnalysisException where Spark cannot apply ``condition`` to a table of the named columns."""
    fields = plain_spark_schema(pa.schema([field for field in schema if field.name in names]))
    _ = spark.createDataFrame([], fields).where(condition).schema


def _absolute(path: Any) -> str:
    """``path`` in words that mean the same on every machine of a cluster with one file system."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path: a str or os.PathLike is needed, not {type(path).__name__}")
    text = os.fspath(path)
    return text if "://" in text else os.path.abspath(text)
