"""MERGE of a DataFrame into a table: matched rows are updated or deleted, others are inserted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc
from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ...lake.changes.clauses import check_used, columns_of_source
from ...lake.changes.repeat import repeated
from ...lake.changes.selection import adds
from ...lake.changes.table_change import AffectedFile
from ...lake.log import CommitInfo
from ...lake.log.file_actions import DELETE, INSERT
from ...lake.writing.plan import free_name
from ...runtime.urls import with_options
from ..derived import absent, check_not_computed
from ..errors import first_line, job_errors
from ..ingest.casting import assigned
from ..predicates import column
from ..sources.file_reader import file_number, positions_by_file
from ..table_schema import plain_spark_schema
from .delete_update import new_values
from .matching import tagged_rows
from .merge_source import Condition, candidates, qualified
from .rewriting import Rewrite

if TYPE_CHECKING:
    import os

    from pyspark.sql import SparkSession

    from ...lake.read.parts import ScanFile

Values = Mapping[str, "str | Column"]


@job_errors()
@repeated()
def merge(
    spark: SparkSession,
    path: str | os.PathLike[str],
    source: DataFrame,
    on: str | Sequence[str] | Column,
    *,
    when_matched_update: bool | Values | None = None,
    when_matched_delete: bool | str | Column | None = None,
    when_not_matched_insert: bool | Values | None = None,
    deletion_vectors: bool | None = None,
    progress: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Merges the rows of ``source`` into a table, and returns the commit of the new version.

    Other arguments are those of `lakecodec.lake.merge`, as other errors and the result are. A row of the table is matched where
    the condition is true for it and a row of the source; null is no match. The source is cached for the call.

    Args:
        spark: a session, classic or of Spark Connect.
        source: a DataFrame.
        on: columns that both have and that must be equal, or a predicate over ``target.`` and ``source.``; a text that is
            the name of a column of both is taken for that.
        when_matched_update: True, or values by column: SQL texts or Columns over ``target.`` and ``source.``.
        when_not_matched_insert: True, or values over ``source.``; other columns are null.
        progress: True to show progress and a summary on standard error.

    Raises:
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
    """
    rewrite = Rewrite(spark, with_options(path, storage_options), deletion_vectors, progress=progress)
    if not isinstance(source, DataFrame):
        raise TypeError(f"source: a DataFrame is needed, not {type(source).__name__}")
    check_not_computed(rewrite.snapshot.schema, "merge")
    clauses = Clauses.of(rewrite, source, when_matched_update, when_matched_delete, when_not_matched_insert)
    condition = Condition.of(on, rewrite.snapshot.schema.names, source.columns)
    kept = source.persist()
    try:
        return _merge(rewrite, kept, condition, clauses)
    finally:
        kept.unpersist()


@dataclass(frozen=True)
class Clauses:
    """Clauses of a merge: values by the table's columns, None for a clause that is not used; ``delete`` is never null."""

    update: Mapping[str, Column] | None
    delete: Column | None
    insert: Mapping[str, Column] | None

    @classmethod
    def of(cls, rewrite: Rewrite, source: DataFrame, update: Any, delete: Any, insert: Any) -> Clauses:
        check_used(update, delete, insert)
        names = rewrite.snapshot.schema.names
        if delete is None or delete is False:
            deletes = None
        elif delete is True:
            deletes = F.lit(True)
        elif isinstance(delete, str | Column):
            deletes = F.coalesce(F.expr(delete) if isinstance(delete, str) else delete, F.lit(False))
        else:
            raise TypeError(f"when_matched_delete: True or a predicate is needed, not {delete!r}")
        return cls(
            _values("when_matched_update", update, names, source.columns),
            deletes,
            _values("when_not_matched_insert", insert, names, source.columns),
        )


def _values(argument: str, given: Any, names: list[str], source: Sequence[str]) -> dict[str, Column] | None:
    if given is None or given is False:
        return None
    if given is not True:
        return new_values(argument, given, names)
    return {name: qualified("source", there) for name, there in columns_of_source(argument, names, source).items()}


def _merge(rewrite: Rewrite, source: DataFrame, condition: Condition, clauses: Clauses) -> CommitInfo:
    snapshot, tag = rewrite.snapshot, rewrite.tag
    read, may_match = candidates(rewrite, source, condition)
    right = source.alias("source")
    affected: list[AffectedFile] = []
    count = 0
    try:
        if read and (clauses.update is not None or clauses.delete is not None):
            affected, count = rewrite.display.run("find", lambda: _matched(rewrite, read, right, condition))
        parts = []
        # A version that only adds rows needs no change feed of its own.
        feed = rewrite.feed and bool(affected)
        if affected:
            parts.append(_changed(rewrite, affected, right, condition, clauses, feed))
        if clauses.insert is not None:
            parts.append(_inserted(rewrite, read, right, condition, clauses.insert, feed))
    except AnalysisException as error:
        raise ValueError(f"on, when_...: {first_line(error)}") from None
    if not parts:
        return rewrite.unchanged()
    rows = parts[0] if len(parts) == 1 else parts[0].unionByName(parts[1])
    with rewrite.files() as write_id:
        # Rows keep their order: the rows of one file stay together.
        arranged = rows.repartitionByRange(column(tag)).sortWithinPartitions(column(tag))
        written = rewrite.write(arranged, write_id)
        if not affected and not written:
            return rewrite.unchanged()
        transaction = rewrite.transaction("MERGE", condition.parameters)
        rewrite.apply(transaction, affected, written, write_id)
        # Whether a row of the source is inserted depends on the files that were read.
        known = adds(snapshot, [file.number for file in read]) if clauses.insert is not None else []
        transaction.depends_on_files(may_match, known)
        transaction.metrics["numTargetRowsMatched"] = count
        return rewrite.done(transaction.commit(), written)


def _matched(
    rewrite: Rewrite, files: Sequence[ScanFile], source: DataFrame, condition: Condition
) -> tuple[list[AffectedFile], int]:
    """Returns the files with matched rows, and the number of these.

    Raises:
        ValueError: several rows of the source match one of the table.
    """
    names = condition.target_columns
    target = tagged_rows(rewrite.spark, rewrite.snapshot, files, rewrite.tag, names).alias("target")
    tag = qualified("target", rewrite.tag)
    matches = target.join(source, condition.column, "inner").groupBy(tag.alias("row")).count()
    if rewrite.by_vectors:
        rows = matches.toArrow()
        most = pc.max(rows["count"]).as_py() or 0
        found = positions_by_file(rows["row"].to_numpy())
        affected = [AffectedFile(file, found[file.number]) for file in files if file.number in found]
        count = rows.num_rows
    else:
        by_file = matches.groupBy(file_number(F.col("row")).alias("file"))
        counted = by_file.agg(F.count("*"), F.max("count")).collect()
        counts = {row[0]: row[1] for row in counted}
        most = max((row[2] for row in counted), default=0)
        affected = [AffectedFile(file) for file in files if file.number in counts]
        count = sum(counts.values())
    if most > 1:
        raise ValueError("source: multiple source rows match one target row; make its keys unique")
    return affected, count


def _changed(
    rewrite: Rewrite,
    affected: Sequence[AffectedFile],
    source: DataFrame,
    condition: Condition,
    clauses: Clauses,
    feed: bool,
) -> DataFrame:
    """Returns the rows of the touched files after update and delete; with ``feed`` also those of the change feed.

    Of files whose matching rows are known, only the rows that change are returned.
    """
    names = rewrite.snapshot.schema.names
    present = free_name("present", [*names, *source.columns])
    marked = source.withColumn(present, F.lit(True)).alias("source")
    joined = rewrite.rows(affected).alias("target").join(marked, condition.column, "left_outer")
    matched = qualified("source", present).isNotNull()
    deleted = F.lit(False) if clauses.delete is None else matched & clauses.delete
    values = assigned(joined, clauses.update or {}, plain_spark_schema(rewrite.snapshot.schema))
    columns = [
        F.when(matched, values[name]).otherwise(qualified("target", name)).alias(name)
        if name in values
        else qualified("target", name).alias(name)
        for name in names
    ]
    tag = qualified("target", rewrite.tag)
    if not feed:
        return joined.where(~deleted).select(*columns, tag.alias(rewrite.tag))
    kind = F.when(deleted, F.lit(DELETE)).when(matched & F.lit(clauses.update is not None), F.lit("update"))
    return rewrite.with_changes(joined, columns, [qualified("target", name) for name in names], kind, tag)


def _inserted(
    rewrite: Rewrite,
    files: Sequence[ScanFile],
    source: DataFrame,
    condition: Condition,
    values: Mapping[str, Column],
    feed: bool,
) -> DataFrame:
    """Returns the rows of the source that match none, with the table's columns; with ``feed`` as changes, too."""
    target = tagged_rows(rewrite.spark, rewrite.snapshot, files, rewrite.tag, condition.target_columns).alias("target")
    left = source.join(target, condition.column, "left_anti").alias("source")
    table = plain_spark_schema(rewrite.snapshot.schema)
    cast = assigned(left, values, table)
    columns = [
        cast.get(field.name, absent(own, field.dataType)).alias(field.name)
        for field, own in zip(table, rewrite.snapshot.schema, strict=True)
    ]
    tag = F.lit(None).cast("long")
    if not feed:
        return left.select(*columns, tag.alias(rewrite.tag))
    return rewrite.with_changes(left, columns, columns, F.lit(INSERT), tag)
