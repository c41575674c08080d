"""Ingest: rows of a DataFrame or of files become a version of a partitioned, clustered table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .request import MAX_ROWS_PER_FILE, TARGET_FILE_BYTES, Format, Mode, Request, SchemaMode

if TYPE_CHECKING:
    import os

    from pyspark.sql import DataFrame, SparkSession

    from ...row.sort_keys import SortKeys
    from ..log import CommitInfo
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
    target_file_bytes: int = TARGET_FILE_BYTES,
    stats_columns: Sequence[str] | None = None,
    schema_mode: SchemaMode = "strict",
    txn_id: str | None = None,
    progress: bool = True,
    source_format: str | None = None,
    source_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Write the rows of ``source`` as one version of the table at ``target``.

    Args:
        spark: a session, classic or of Spark Connect.
        source: a DataFrame, or a path or URL that Spark reads by its suffix or as ``source_format``.
        target: the directory of the table; created where there is none.
        format: of the data files: ``"parquet"`` (default) or ``"mosaic"``. An existing table keeps its own.
        partition_by: columns that the table is partitioned by. None: those of an existing table, or none. When all of a
            table is overwritten it may get others, none with ``()``.
        sort_by: columns that rows are ordered by within each partition, over all its files: names, with ``-`` in front
            for descending order, or pairs ``(name, "ascending" | "descending")``. Nulls come first, or last if descending.
        zorder_by: columns that rows are clustered by instead, so that rows of a file are close in all of them.
        hilbert_by: as ``zorder_by``, along a Hilbert curve, which has no jumps and skips more files.
        mode: what an existing table means: ``"error"``, ``"append"`` to it, ``"overwrite"`` all of it,
            ``"overwrite_partitions"`` that new rows are in, or ``"ignore"`` the source.
        replace_where: with ``"overwrite"``: a predicate over partition columns; the partitions that it holds for are
            replaced, and all new rows must be in such.
        max_rows_per_file: rows after which the next file begins.
        target_file_bytes: bytes after which the next file begins; a file is larger by one row group at most.
        stats_columns: columns with statistics in the log; None: the first 32.
        schema_mode: what becomes of columns that an existing table does not have, nested ones too, and of types that are
            wider than its own: ``"strict"`` refuses them, ``"merge"`` gives them to the table. Narrower types are cast.
        txn_id: makes the call repeatable: if a version of that id is there, it is returned and nothing is done.
        progress: whether to show progress and a summary on standard error.
        source_format: Spark's name of the format of a path.
        source_options: Spark's options for reading a path. By default CSV is that of RFC 4180, with a header and inferred
            types, and records of CSV and JSON that do not fit are an error.

    Returns:
        The version made; that of ``txn_id`` if there is one; the current one if ``mode`` is ``"ignore"``.

    Raises:
        TypeError, ValueError, KeyError: an argument, or a column's type or name, is wrong. Nothing was written.
        FileExistsError: ``mode`` is ``"error"`` and there is a table.
        EncodeError: a partition value that the table's directories or log cannot hold.
        SchemaMismatchError: an append whose columns do not fit the table; they are named.
        ConflictError: another commit came first and contradicts this one.
        UnknownOutcomeError: the storage does not tell whether the version was made; repeating with ``txn_id`` is safe.

    Whatever is raised but the last, the table is as it was.
    """
    from ..worker_python import use_this_python
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
    )
    use_this_python(spark)
    return run(spark, source, target, request, progress, source_format, source_options)
