"""Ingest: writes a DataFrame or files as one version of a partitioned, clustered Delta table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...lake.writing.request import MAX_ROWS_PER_FILE, Format, Mode, Request, SchemaMode

if TYPE_CHECKING:
    import os
    from datetime import timedelta

    from pyspark.sql import DataFrame, SparkSession

    from ...lake.log import CommitInfo
    from ...row.sort_keys import SortKeys
    from ..predicates import Predicate

__all__ = ["ingest"]


def ingest(
    spark: SparkSession,
    source: DataFrame | str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    format: Format | None = None,
    partition_by: str | Sequence[str] | None = None,
    sort_by: SortKeys = (),
    zorder_by: str | Sequence[str] = (),
    hilbert_by: str | Sequence[str] = (),
    mode: Mode = "error",
    replace_where: Predicate | None = None,
    max_rows_per_file: int = MAX_ROWS_PER_FILE,
    target_file_bytes: int | None = None,
    stats_columns: Sequence[str] | None = None,
    schema_mode: SchemaMode = "strict",
    txn_id: str | None = None,
    properties: Mapping[str, str | int | bool | timedelta] | None = None,
    progress: bool = True,
    source_format: str | None = None,
    source_options: Mapping[str, Any] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Writes the rows of ``source`` as one version of the Delta table at ``target``, and returns that version's commit.

    Other arguments are those of `lakecodec.lake.write`, as other errors and the result are.

    Args:
        spark: a session, classic or of Spark Connect.
        source: a DataFrame, a table's path or URL, or one of files that Spark reads by their suffix or as ``source_format``.
        target: path or URL of the table's directory, which is created if it does not exist.
        mode: as of `lakecodec.lake.write`, but ``"error"`` by default.
        progress: True to show progress and a summary on standard error.
        source_format: Spark's name of the format of a path.
        source_options: Spark's options for reading a path. By default CSV is that of RFC 4180, with a header and inferred
            types, records of CSV and JSON that do not fit are an error, and so are headers that differ; of Parquet and ORC
            files, columns that only some of them have are null for the others.

    Raises:
        FileNotFoundError: there is nothing at ``source``.
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
    """
    from ...runtime.urls import with_options
    from ..session import use_this_python
    from .job import run

    request = Request.of(
        format=format,
        partition_by=partition_by,
        sort_by=sort_by,
        zorder_by=zorder_by,
        hilbert_by=hilbert_by,
        mode=mode,
        replace_where=replace_where,
        max_rows_per_file=max_rows_per_file,
        target_file_bytes=target_file_bytes,
        stats_columns=stats_columns,
        schema_mode=schema_mode,
        txn_id=txn_id,
        properties=properties,
    )
    use_this_python(spark)
    return run(spark, source, with_options(target, storage_options), request, progress, source_format, source_options)
