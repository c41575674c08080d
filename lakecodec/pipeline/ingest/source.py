"""Source of an ingest: a DataFrame as it is, or files that Spark reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from ..listing import list_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Spark's format of a file name's suffix.
FORMATS = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".orc": "orc"}
FORMATS |= dict.fromkeys((".json", ".jsonl", ".ndjson"), "json")
_COMPRESSED = (".gz", ".bz2", ".zst", ".lz4", ".snappy")
#: Quotes are doubled inside quotes and fields may have line breaks, as RFC 4180 says. Records that do not fit are an
#: error: Spark would drop surplus fields, and make a column of the lines that are no JSON.
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "csv": {"header": True, "inferSchema": True, "escape": '"', "multiLine": True, "mode": "FAILFAST"},
    "json": {"mode": "FAILFAST"},
}


def open_source(
    spark: SparkSession, source: Any, source_format: str | None, options: Mapping[str, Any] | None
) -> DataFrame:
    """Returns the rows of ``source`` as a DataFrame, see `ingest`.

    Raises:
        TypeError: it is neither a DataFrame nor a path.
        ValueError: the format of a path is not known, options are given for a DataFrame, or Parquet has nanoseconds.
        FileNotFoundError: the path, whose format is to be found, does not exist.
    """
    if isinstance(source, DataFrame):
        if source_format is not None or options:
            raise ValueError("source_format, source_options: they are for paths, source is a DataFrame")
        return source
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source: a DataFrame or a path is needed, not {type(source).__name__}")
    path = os.fspath(source)
    chosen = source_format or _format_of(path)
    reading: dict[str, Any] = dict(_OPTIONS.get(chosen, {}))
    if _suffix(path) == ".tsv":
        reading["sep"] = "\t"
    for name, value in (options or {}).items():
        # Spark's names do not differ in case; the one given last would not always win.
        reading = {key: other for key, other in reading.items() if key.lower() != name.lower()} | {name: value}
    try:
        return spark.read.format(chosen).options(**reading).load(path)
    except PySparkException as error:
        if chosen == "parquet" and (nanoseconds := _nanosecond_columns(path)):
            raise ValueError(
                f"source: Spark cannot read times in nanoseconds, which these columns have: {', '.join(nanoseconds)}"
            ) from error
        raise


def _nanosecond_columns(path: str) -> list[str]:
    """Returns names of the columns of nanoseconds of a Parquet file, or of the first one of a directory."""
    try:
        schema = pq.read_schema(list_files([path])[0].path)
    except (OSError, ValueError, IndexError, pa.ArrowException):
        return []
    return [field.name for field in schema if pa.types.is_timestamp(field.type) and field.type.unit == "ns"]


def _format_of(path: str) -> str:
    """Returns Spark's format by the suffix of the path, or of the files in it; ValueError if that is not clear."""
    if found := FORMATS.get(_suffix(path)):
        return found
    suffixes = {_suffix(entry.path) for entry in list_files([path])}
    formats = {FORMATS.get(suffix) for suffix in suffixes}
    if len(formats) == 1 and (found := formats.pop()):
        return found
    raise ValueError(
        f"source: the format of {path!r} is not clear from file names ({sorted(suffixes)}); set source_format"
    )


def _suffix(path: str) -> str:
    name = PurePosixPath(path.partition("?")[0]).name.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return PurePosixPath(name).suffix
