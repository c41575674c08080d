"""What to ingest: a DataFrame as it is, or files that Spark reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from ..listing import list_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Spark's format of a file name's suffix.
FORMATS = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".orc": "orc"}
_COMPRESSED = (".gz", ".bz2", ".zst", ".lz4", ".snappy")
_CSV_OPTIONS = {"header": True, "inferSchema": True}


def open_source(
    spark: SparkSession, source: Any, source_format: str | None, options: Mapping[str, Any] | None
) -> DataFrame:
    """The rows of ``source``, see `ingest`.

    Raises:
        TypeError: it is neither a DataFrame nor a path.
        ValueError: the format of a path is not known, or options are given for a DataFrame.
        FileNotFoundError: the path does not exist.
    """
    if isinstance(source, DataFrame):
        if source_format is not None or options:
            raise ValueError("source_format, source_options: they are for paths, source is a DataFrame")
        return source
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"source: a DataFrame or a path is needed, not {type(source).__name__}")
    path = os.fspath(source)
    chosen = source_format or _format_of(path)
    reading: dict[str, Any] = dict(_CSV_OPTIONS) if chosen == "csv" else {}
    if _suffix(path) == ".tsv":
        reading["sep"] = "\t"
    return spark.read.format(chosen).options(**{**reading, **(options or {})}).load(path)


def _format_of(path: str) -> str:
    """By the suffix of the path, or of the files in it."""
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
