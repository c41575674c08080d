"""Arrow tables in the exact types that Spark's Python data sources accept."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema
from pyspark.sql.types import StructField, StructType


def plain_type(type: pa.DataType) -> pa.DataType:
    """The type without dictionary and large offsets, which Spark refuses."""
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
    """The Spark schema of an Arrow schema, every column nullable."""
    return StructType([StructField(field.name, from_arrow_type(plain_type(field.type)), True) for field in schema])


def as_spark_batches(table: pa.Table, schema: StructType) -> Iterator[pa.RecordBatch]:
    """Cut a table into batches of exactly the Arrow schema that Spark compares them with."""
    target = to_arrow_schema(schema, timezone="UTC")
    plain = pa.table([table[name].cast(target.field(name).type) for name in target.names], schema=target)
    yield from plain.to_batches()
