"""Constants of footers and of their tables."""

from __future__ import annotations

from ....generated.parquet import Type

#: Members of the union LogicalType, numbered from 1.
KINDS = (
    "STRING", "MAP", "LIST", "ENUM", "DECIMAL", "DATE", "TIME", "TIMESTAMP", "INTEGER", "UNKNOWN", "JSON", "BSON", "UUID",
    "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY",
)  # fmt: skip
UNITS = ("MILLIS", "MICROS", "NANOS")
#: The bytes per value of types of fixed width.
WIDTHS = {Type.INT32: 4, Type.FLOAT: 4, Type.INT64: 8, Type.DOUBLE: 8, Type.INT96: 12}
#: The sides of a bounding box.
SIDES = ("xmin", "xmax", "ymin", "ymax", "zmin", "zmax", "mmin", "mmax")
