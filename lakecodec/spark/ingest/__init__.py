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

    Args:
        spark: a session, classic or of Spark Connect.
        source: a DataFrame, a table's path or URL, or one of files that Spark reads by their suffix or as ``source_format``.
        target: path or URL of the table's directory; created where there is none.
        format: format of the data files: ``"parquet"`` (default) or ``"mosaic"``. An existing table keeps its own, unless
            all of it is overwritten.
        partition_by: columns that the table is partitioned by. None: those of an existing table, or none. When all of a
            table is overwritten it may get others, none with ``()``.
        sort_by: columns that rows are ordered by within each partition, over all its files: names, with ``-`` in front
            for descending order, or pairs ``(name, "ascending" | "descending")``. Nulls come first, or last if descending.
        zorder_by: columns that rows are clustered by along a Z-order curve, instead of sorting.
        hilbert_by: as ``zorder_by``, along a Hilbert curve, which has no jumps and skips more files.
        mode: what to do with an existing table: ``"error"`` raises, ``"append"`` adds rows, ``"overwrite"`` replaces all
            files, ``"overwrite_partitions"`` replaces the partitions that new rows are in, ``"ignore"`` writes nothing.
        replace_where: with ``"overwrite"``: a predicate over partition columns; the partitions that it is true for are
            replaced, and all new rows must be in such.
        max_rows_per_file: rows after which the next file begins.
        target_file_bytes: bytes after which the next file begins; a file is larger by one row group at most. None: the
            property ``delta.targetFileSize``, or 128 MiB.
        stats_columns: columns with statistics in the log; None: those that the table's properties name, or the first 32.
        schema_mode: schema enforcement for columns that an existing table does not have, nested ones too, and for types
            that are wider than its own: ``"strict"`` refuses them, ``"merge"`` evolves the table's schema. Narrower types
            are cast.
        txn_id: application id of a ``txn`` action that makes the call idempotent: if the table has a version with this id,
            that version is returned and nothing is written.
        properties: of a new table, or one that is overwritten, as of `set_properties`; another table must have them.
        progress: True to show progress and a summary on standard error.
        source_format: Spark's name of the format of a path.
        source_options: Spark's options for reading a path. By default CSV is that of RFC 4180, with a header and inferred
            types, records of CSV and JSON that do not fit are an error, and so are headers that differ; of Parquet and ORC
            files, columns that only some of them have are null for the others.
        storage_options: options of the client for the target's object store, see `StoreUrl`.

    Returns:
        The version made; that of ``txn_id`` if there is one; the current one if ``mode`` is ``"ignore"``.

    Raises:
        TypeError, ValueError, KeyError: an argument, or a column's type or name, is wrong. Nothing was written.
        FileNotFoundError: there is nothing at ``source``.
        FileExistsError: ``mode`` is ``"error"`` and there is a table, or the target has files but no log.
        EncodeError: a partition value that the table's directories or log cannot hold, a null in a column that is not
            nullable, or a row outside the partitions of ``replace_where``.
        SchemaMismatchError: columns that do not fit the existing table; they are named.
        ConflictError: another commit came first and contradicts this one.
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
        UnknownOutcomeError: the storage does not tell whether the version was made; repeating with ``txn_id`` is safe.

    After any error but the last the table is unchanged.
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
