"""Conversion of Arrow tables to the exact Arrow types that Spark's Python data sources accept."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
from pyspark.sql.types import StructField, StructType


def plain_type(type: pa.DataType) -> pa.DataType:
    """Returns the type without dictionary encoding and 64-bit offsets, which Spark refuses; list elements likewise."""
    if pa.types.is_dictionary(type):
        return plain_type(type.value_type)
    if pa.types.is_large_string(type):
        return pa.string()
    if pa.types.is_large_binary(type):
        return pa.binary()
    if pa.types.is_list(type) or pa.types.is_large_list(type):
        return pa.list_(plain_type(type.value_type))
    return type


def spark_schema(schema: pa.Schema) -> StructType:
    """Returns the Spark schema of an Arrow schema; every column is nullable."""
    return StructType([StructField(field.name, from_arrow_type(plain_type(field.type)), True) for field in schema])


def as_spark_batches(table: pa.Table, schema: StructType) -> Iterator[pa.RecordBatch]:
    """Yields the batches of a table, cast to the Arrow schema that Spark expects for ``schema`` (instants in UTC)."""
    target = to_arrow_schema(schema, timezone="UTC")
    plain = pa.table([table[name].cast(target.field(name).type) for name in target.names], schema=target)
    yield from plain.to_batches()
