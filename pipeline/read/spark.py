"""Tables as Spark DataFrames."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import Column
from pyspark.sql.types import StructType

from ..predicates import Predicate, column, predicate_column
from ..table_schema import plain_spark_schema
from .bind import bind
from .plan import chosen_columns, open_table
from .predicate import Constant, Tree, column_names, undecided
from .spark_column import parse_column
from .sql import positive, to_sql
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
    absolute = _absolute(path)
    snapshot = open_table(absolute, version, timestamp)
    schema = snapshot.schema
    wanted = chosen_columns(columns, schema.names)
    options = {"version": str(snapshot.version)}
    condition = None
    # Spark needs a column to count rows by.
    needed = set(wanted or schema.names[:1])
    if where is not None:
        condition = predicate_column(where, "where")
        zone = _time_zone(spark)
        tree = parse_column(where, zone) if isinstance(where, Column) else parse_where(where, zone)
        needed |= _referenced(spark, schema, where, condition, tree, zone)
        options |= {"where": _pushed(tree, schema, zone), "timeZone": zone}
    names = [name for name in schema.names if name in needed]
    options["columns"] = json.dumps(names)
    frame = _load(spark, absolute, plain_spark_schema(pa.schema([schema.field(name) for name in names])), options)
    if condition is not None:
        frame = frame.where(condition)
    return frame if names == list(wanted) else frame.select(*[column(name) for name in wanted])


def _load(spark: SparkSession, path: str, schema: StructType, options: dict[str, str]) -> DataFrame:
    from ..register import register_lake

    register_lake(spark)
    return spark.read.format("lake").schema(schema).options(**options).load(path)


def _pushed(tree: Tree, schema: pa.Schema, zone: str) -> str:
    """What the source decides of a predicate, as text."""
    return to_sql(_decided(positive(tree), schema, zone))


def _decided(tree: Any, schema: pa.Schema, zone: str) -> Any:
    """``tree`` with true in place of what only Spark can decide."""
    if parts := getattr(tree, "parts", None):
        return type(tree)(tuple(_decided(part, schema, zone) for part in parts))
    return Constant(True) if undecided(bind(tree, schema, zone)) else tree


def _referenced(
    spark: SparkSession, schema: pa.Schema, where: Predicate, condition: Column, tree: Tree, zone: str
) -> set[str]:
    """Columns that a predicate needs: all of the table's where that cannot be found out."""
    bound = bind(tree, schema, zone)
    if not undecided(bound):
        names = set(column_names(bound))
    else:
        text = str(condition if isinstance(where, Column) else where).lower().replace("``", "`")
        names = {name for name in schema.names if name.lower() in text}
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


def _time_zone(spark: SparkSession) -> str:
    return str(spark.conf.get("spark.sql.session.timeZone"))


def _absolute(path: Any) -> str:
    """``path`` in words that mean the same on every machine of a cluster with one file system."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path: a str or os.PathLike is needed, not {type(path).__name__}")
    text = os.fspath(path)
    return text if "://" in text else os.path.abspath(text)
