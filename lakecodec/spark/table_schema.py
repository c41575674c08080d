"""Conversion between Spark schemas and the Arrow schemas of tables."""

from __future__ import annotations

import pyarrow as pa
from pyspark.sql import types as spark
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema

from ..lake.writing.rows import table_types
from ..runtime.arrow_nested import as_type, relabelled
from ..runtime.arrow_variant import REQUIRED, holds_variant, outward

#: The Arrow type of variants in Spark.
_VARIANT = pa.struct(
    [
        pa.field("value", pa.binary(), nullable=False),
        pa.field("metadata", pa.binary(), nullable=False, metadata={b"variant": b"true"}),
    ]
)
_HELD = (
    spark.BooleanType,
    spark.ByteType,
    spark.ShortType,
    spark.IntegerType,
    spark.LongType,
    spark.FloatType,
    spark.DoubleType,
    spark.DecimalType,
    spark.BinaryType,
    spark.DateType,
    spark.TimestampType,
    spark.TimestampNTZType,
)


def table_schema(schema: spark.StructType, *, variants: bool = False) -> pa.Schema:
    """Returns the Arrow schema of a table with these columns.

    Timestamps are in microseconds, those of type TIMESTAMP in UTC; every column is nullable, at any depth; CHAR and VARCHAR
    become strings.

    Args:
        schema: Spark's schema of the rows.
        variants: whether the writer converts variants to those of tables.

    Raises:
        ValueError: names every column of a type that no table can hold.
    """
    held = (*_HELD, spark.VariantType) if variants else _HELD
    refused = [
        f"{field.name!r} is {bad.simpleString()}"
        for field in schema.fields
        if (bad := _refused(field.dataType, held)) is not None
    ]
    if refused:
        raise ValueError(f"source: a table has no type for these columns: {', '.join(refused)}")
    fields = [spark.StructField(field.name, _plain(field.dataType), True) for field in schema.fields]
    found = to_arrow_schema(
        spark.StructType(fields), error_on_duplicated_field_names_in_struct=True, timezone="UTC"
    ).remove_metadata()
    return table_types(found) if variants else found


def _refused(kind: spark.DataType, held: tuple[type[spark.DataType], ...]) -> spark.DataType | None:
    """Returns the first type inside ``kind`` that a table cannot hold, None if there is none."""
    if isinstance(kind, spark.StructType):
        return next((bad for field in kind.fields if (bad := _refused(field.dataType, held)) is not None), None)
    if isinstance(kind, spark.ArrayType):
        return _refused(kind.elementType, held)
    if isinstance(kind, spark.MapType):
        return _refused(kind.keyType, held) or _refused(kind.valueType, held)
    if isinstance(kind, spark.StringType):
        return None if kind.isUTF8BinaryCollation() else kind
    return None if isinstance(kind, (*held, spark.CharType, spark.VarcharType)) else kind


def _plain(kind: spark.DataType) -> spark.DataType:
    """Returns ``kind`` with every part of it nullable, and CHAR and VARCHAR as strings."""
    if isinstance(kind, spark.StructType):
        return spark.StructType([spark.StructField(field.name, _plain(field.dataType), True) for field in kind.fields])
    if isinstance(kind, spark.ArrayType):
        return spark.ArrayType(_plain(kind.elementType), True)
    if isinstance(kind, spark.MapType):
        return spark.MapType(_plain(kind.keyType), _plain(kind.valueType), True)
    if isinstance(kind, spark.CharType | spark.VarcharType):
        return spark.StringType()
    return kind


def plain_spark_schema(schema: pa.Schema, *, variants: bool = False) -> spark.StructType:
    """Returns the Spark schema of a table's Arrow schema, every column nullable; `table_schema` is its inverse.

    Args:
        schema: of the table.
        variants: whether variants are read, by `spark_batch`.

    Raises:
        ValueError: names the columns that are, or have, variants, where these are not read.
    """
    if variants:
        schema = outward(schema, _VARIANT)
    elif refused := [field.name for field in schema if holds_variant(field.type)]:
        names = ", ".join(map(repr, refused))
        raise ValueError(
            f"columns: the variants of {names} are not read or written by Spark here; use lakecodec.lake.scan"
        )
    return spark.StructType([spark.StructField(field.name, from_arrow_type(field.type), True) for field in schema])


def spark_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Returns a batch of a table with variants as Spark takes them."""
    plain = outward(batch.schema, REQUIRED)
    if plain is batch.schema:
        return batch
    schema = outward(batch.schema, _VARIANT)
    columns = zip(relabelled(batch, plain).columns, schema, strict=True)
    return pa.RecordBatch.from_arrays([as_type(column, field.type) for column, field in columns], schema=schema)
