"""Columns whose values the table computes, with Spark; identity columns, which need a single process, are refused."""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from ..lake.log import UnsupportedTableError
from ..lake.log.column_rules import default_of, generated_by, identity_of


def check_numbered(schema: pa.Schema, given: Collection[str]) -> None:
    """Raises UnsupportedTableError if rows come without an identity column: Spark's tasks cannot number rows together."""
    for field in schema:
        if field.name not in given and identity_of(field) is not None:
            rule = f"the identity column {field.name!r} cannot be numbered by Spark's tasks; lake.write numbers it"
            raise UnsupportedTableError(rule, "identityColumns")


def check_not_computed(schema: pa.Schema, operation: str) -> None:
    """Raises UnsupportedTableError if a change of rows would have to compute columns."""
    for field in schema:
        for text, feature in ((generated_by(field), "generatedColumns"), (identity_of(field), "identityColumns")):
            if text is not None:
                rule = f"pipeline.{operation} does not compute the column {field.name!r}; lake.{operation} does"
                raise UnsupportedTableError(rule, feature)


def absent(field: pa.Field, kind: DataType) -> Column:
    """Returns the value of a column that rows come without: its default, or null."""
    default = default_of(field)
    return (F.lit(None) if default is None else F.expr(default)).cast(kind)
