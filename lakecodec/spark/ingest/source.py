"""Source of an ingest: a DataFrame, a table, or files that Spark reads."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from ...lake.listing import list_files
from ...lake.log import Log
from ...lake.log.names import LOG
from ..read import read
from .source_errors import explained

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Spark's formats by file name suffix.
FORMATS = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv", ".orc": "orc"}
FORMATS |= dict.fromkeys((".json", ".jsonl", ".ndjson"), "json")
_COMPRESSED = (".gz", ".bz2", ".zst", ".lz4", ".snappy")
_TABLE = "lake"
#: Formats whose files have bytes even without rows.
_NEVER_EMPTY = ("parquet", "orc")
#: As in RFC 4180, quotes are doubled inside quotes, and fields may have line breaks. What does not fit is an error.
#: Columns that only some files have are read. By default Spark drops surplus fields and columns, takes values of other
#: files by position whatever their headers say, makes a column of lines that are not JSON, and ignores checksums of pages.
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "csv": {
        "header": True, "inferSchema": True, "enforceSchema": False, "escape": '"', "multiLine": True, "mode": "FAILFAST",
    },
    "json": {"mode": "FAILFAST"},
    "orc": {"mergeSchema": True},
    "parquet": {"mergeSchema": True, "parquet.page.verify-checksum.enabled": True},
}  # fmt: skip


def open_source(
    spark: SparkSession, source: Any, source_format: str | None, options: Mapping[str, Any] | None
) -> DataFrame:
    """Returns the rows of ``source`` as a DataFrame, see `ingest`.

    Raises:
        TypeError: it is neither a DataFrame nor a path.
        ValueError: the format of a path is not known, it has no files that can be read, options are given for a DataFrame,
            files have a column in types that cannot be combined, or that Spark does not have.
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
    if chosen == _TABLE and not options:
        return read(spark, path, verify=True)
    reading: dict[str, Any] = dict(_OPTIONS.get(chosen, {}))
    if _suffix(path) == ".tsv":
        reading["sep"] = "\t"
    if os.path.isfile(path):
        # A single file cannot differ from others. The check would fail, since Spark invents names for empty and repeated headers.
        reading.pop("enforceSchema", None)
    for name, value in (options or {}).items():
        # Spark ignores the case of option names. Of two that differ only in case, the last one does not always win.
        reading = {key: other for key, other in reading.items() if key.lower() != name.lower()} | {name: value}
    if chosen in _NEVER_EMPTY and not _ignores_corrupt(reading):
        _check_bytes(path, chosen)
    try:
        frame = spark.read.format(chosen).options(**reading).load(_literal(path, chosen))
        _ = frame.schema  # Spark Connect reads the files only at this point
    except Exception as error:  # PySpark raises JVM exceptions as several types
        if (found := explained(error, path, chosen)) is None:
            raise
        raise found from error
    return frame


def _ignores_corrupt(options: Mapping[str, Any]) -> bool:
    return any(name.lower() == "ignorecorruptfiles" and str(value).lower() == "true" for name, value in options.items())


def _check_bytes(path: str, format: str) -> None:
    """Raises ValueError for local files without bytes, which a crash leaves behind and Spark passes over."""
    if "://" in path:
        return
    try:
        empty = [entry.path for entry in list_files([path]) if not entry.size]
    except OSError:
        return  # Spark's patterns differ, and Spark reports missing files itself
    if empty:
        more = f" and {len(empty) - 1} more files have" if len(empty) > 1 else " has"
        raise ValueError(
            f"source: {empty[0]!r}{more} no bytes, and so is not of the format {format}, or damaged; "
            "the option ignoreCorruptFiles=true leaves such files out"
        )


def _literal(path: str, format: str) -> str:
    """Returns the path of a local file or directory with what Spark's own formats take for a pattern escaped."""
    return re.sub(r"([][\\{}*?])", r"\\\1", path) if format in FORMATS.values() and os.path.exists(path) else path


def _format_of(path: str) -> str:
    """Returns Spark's format by the log or suffix of the path, or of the files in it; ValueError if that is not clear."""
    if "://" not in path:
        if os.path.isdir(os.path.join(path, LOG)):
            return _TABLE
        if table := next((above for above in Path(os.path.abspath(path)).parents if (above / LOG).is_dir()), None):
            raise ValueError(
                f"source: {path!r} lies in the table {str(table)!r}, whose log tells which rows count; "
                "read the table, or set source_format to take files as they are"
            )
    if found := FORMATS.get(_suffix(path)):
        return found
    if "://" in path and Log(path).exists():
        return _TABLE
    suffixes = {_suffix(entry.path) for entry in list_files([path])}
    if not suffixes:
        raise ValueError(f"source: {path!r} has no files")
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
