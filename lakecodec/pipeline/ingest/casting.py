"""Casts of a source's columns to a table's types, as Spark expressions."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as spark


def cast_to(column: Column, given: spark.DataType, wanted: spark.DataType) -> Column:
    """Returns ``column`` cast to the type ``wanted``; fields of structs are matched by name, missing ones are null."""
    if given == wanted:
        return column
    if isinstance(given, spark.StructType) and isinstance(wanted, spark.StructType):
        kinds = {field.name: field.dataType for field in given.fields}
        fields = [
            (
                cast_to(column.getField(field.name), kinds[field.name], field.dataType)
                if field.name in kinds
                else F.lit(None).cast(field.dataType)
            ).alias(field.name)
            for field in wanted.fields
        ]
        return F.when(column.isNotNull(), F.struct(*fields))
    if isinstance(given, spark.ArrayType) and isinstance(wanted, spark.ArrayType):
        element, to = given.elementType, wanted.elementType
        return F.transform(column, lambda item: cast_to(item, element, to))
    if isinstance(given, spark.MapType) and isinstance(wanted, spark.MapType):
        value, to = given.valueType, wanted.valueType
        values = F.transform_values(column, lambda _, item: cast_to(item, value, to))
        if given.keyType == wanted.keyType:
            return values
        key, to_key = given.keyType, wanted.keyType
        return F.transform_keys(values, lambda item, _: cast_to(item, key, to_key))
    return column.cast(wanted)
