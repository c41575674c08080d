"""Readable errors for those that Spark raises when it opens a source."""

from __future__ import annotations

import re
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.types import DataType, StructType

from ...lake.listing import list_files

_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_.]+)\]")
_UNREADABLE = re.compile(r"reading file (.*?)\. Could not read footer")
_SCHEMAS = re.compile(r'"(STRUCT<.*>)"')
#: Types of Parquet columns that Spark cannot read.
_BEYOND_SPARK: dict[str, Callable[[pa.DataType], bool]] = {
    "times in nanoseconds": lambda kind: pa.types.is_timestamp(kind) and kind.unit == "ns",
    "times of day": pa.types.is_time,
    "floating point numbers of 16 bits": pa.types.is_float16,
    "decimals of more than 38 digits": lambda kind: pa.types.is_decimal(kind) and kind.precision > 38,
}


def explained(error: Exception, path: str, format: str) -> Exception | None:
    """Returns a readable error for Spark's error on opening ``path``; None if Spark's own text is clear."""
    text = str(error)
    conditions = set(_CONDITION.findall(text))
    if "PATH_NOT_FOUND" in conditions:
        return FileNotFoundError(f"source: {path!r} does not exist")
    if "DATA_SOURCE_NOT_FOUND" in conditions:
        return ValueError(f"source_format: Spark has no data source {format!r}")
    if "UNABLE_TO_INFER_SCHEMA" in conditions:
        return ValueError(f"source: {path!r} has no files of the format {format}, or only empty ones")
    if found := _UNREADABLE.search(text):
        return ValueError(f"source: {found[1]} is not of the format {format}, or damaged")
    if "CANNOT_MERGE_SCHEMAS" in conditions:
        return ValueError(
            f"source: files of {path!r} have columns in types that cannot be combined{_differing(text)}; "
            "with the option mergeSchema=false columns and types are those of one of the files"
        )
    if format == "parquet":
        for kind, holds in _BEYOND_SPARK.items():
            if names := _columns(path, holds):
                return ValueError(f"source: Spark cannot read {kind}, which these columns have: {', '.join(names)}")
    return None


def _differing(text: str) -> str:
    """Returns the columns that two schemas in an error's text have in different types, as ``: id is bigint and int``."""
    schemas = [kind for found in _SCHEMAS.findall(text) if isinstance(kind := DataType.fromDDL(found), StructType)]
    if len(schemas) != 2:
        return ""
    others = {field.name: field.dataType for field in schemas[1]}
    found = [
        f"{field.name} is {field.dataType.simpleString()} and {others[field.name].simpleString()}"
        for field in schemas[0]
        if others.get(field.name, field.dataType) != field.dataType
    ]
    return f": {', '.join(found)}" if found else ""


def _columns(path: str, holds: Callable[[pa.DataType], bool]) -> list[str]:
    """Returns names of the columns of such types in a Parquet file, or in the first one of a directory."""
    try:
        schema = pq.read_schema(list_files([path])[0].path)
    except (OSError, ValueError, IndexError, pa.ArrowException):
        return []
    return [field.name for field in schema if holds(field.type)]
