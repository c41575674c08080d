"""Casts of a source's columns to a table's types, as Spark expressions."""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as spark


def cast_to(column: Column, given: spark.DataType, wanted: spark.DataType) -> Column:
    """Returns ``column`` cast to the type ``wanted``; fields of structs are matched by name, missing ones are null.

    Names match that differ in case only: Spark compares them so, and no table has two such names.
    """
    if given == wanted:
        return column
    if isinstance(given, spark.StructType) and isinstance(wanted, spark.StructType):
        known = {field.name.lower(): field for field in given.fields}
        fields = []
        for field in wanted.fields:
            there = known.get(field.name.lower())
            fields.append(
                (
                    F.lit(None).cast(field.dataType)
                    if there is None
                    else cast_to(column.getField(there.name), there.dataType, field.dataType)
                ).alias(field.name)
            )
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


def assigned(frame: DataFrame, values: Mapping[str, Column], table: spark.StructType) -> dict[str, Column]:
    """Returns values over ``frame`` cast to the types of a table's columns; Spark's cast takes fields of structs by position.

    Args:
        frame: the rows from which the values are computed.
        values: expressions by column of the table.
        table: the table's columns.

    Raises:
        ValueError: a struct that has other fields than the table's.
    """
    kinds = {field.name: field.dataType for field in table.fields}
    found = {name: value.cast(kinds[name]) for name, value in values.items()}
    nested = [name for name in values if isinstance(kinds[name], spark.StructType | spark.ArrayType | spark.MapType)]
    given = frame.select(*[values[name].alias(f"c{index}") for index, name in enumerate(nested)]).schema
    for name, field in zip(nested, given.fields, strict=True):
        if not _same_fields(field.dataType, kinds[name]):
            there, here = field.dataType.simpleString(), kinds[name].simpleString()
            raise ValueError(f"{name!r}: the value has other fields than the table's: {there}, not {here}")
        if type(field.dataType) is type(kinds[name]):
            found[name] = cast_to(values[name], field.dataType, kinds[name])
    return found


def _same_fields(given: spark.DataType, wanted: spark.DataType) -> bool:
    """Returns False if structs at the same place have fields of other names, apart from case."""
    if isinstance(given, spark.StructType) and isinstance(wanted, spark.StructType):
        known = {field.name.lower(): field.dataType for field in given.fields}
        names = {field.name.lower() for field in wanted.fields}
        return (
            len(given.fields) == len(names)
            and known.keys() == names
            and all(_same_fields(known[field.name.lower()], field.dataType) for field in wanted.fields)
        )
    if isinstance(given, spark.ArrayType) and isinstance(wanted, spark.ArrayType):
        return _same_fields(given.elementType, wanted.elementType)
    if isinstance(given, spark.MapType) and isinstance(wanted, spark.MapType):
        return _same_fields(given.keyType, wanted.keyType) and _same_fields(given.valueType, wanted.valueType)
    return True
