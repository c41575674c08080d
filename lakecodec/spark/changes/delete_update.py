"""DELETE and UPDATE with Spark. Rows for which the predicate is false or null stay unchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException
from pyspark.sql import Column
from pyspark.sql import functions as F

from ...lake.changes.repeat import repeated
from ...lake.changes.table_change import AffectedFile
from ...lake.log import CommitInfo
from ...lake.log.file_actions import DELETE
from ...lake.writing.messages import DataFile
from ...lake.writing.plan import resolve_names
from ...runtime.urls import with_options
from ..derived import check_not_computed
from ..errors import first_line, job_errors
from ..ingest.casting import assigned
from ..predicates import Predicate, column, predicate_text
from ..table_schema import plain_spark_schema
from .matching import Matching
from .rewriting import Rewrite

if TYPE_CHECKING:
    import os

    from pyspark.sql import SparkSession


@job_errors()
@repeated()
def delete(
    spark: SparkSession,
    path: str | os.PathLike[str],
    where: Predicate,
    *,
    deletion_vectors: bool | None = None,
    progress: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Deletes the rows for which a predicate is true, and returns the commit of the new version.

    Other arguments are those of `lakecodec.lake.delete`, as other errors and the result are.

    Args:
        spark: a session, classic or of Spark Connect.
        where: a predicate as of `read`. ``"true"`` deletes all rows.
        progress: True to show progress and a summary on standard error.

    Raises:
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
    """
    rewrite = Rewrite(spark, with_options(path, storage_options), deletion_vectors, progress=progress)
    snapshot, tag = rewrite.snapshot, rewrite.tag
    matching = Matching(spark, snapshot, where)
    certain, possible = matching.files()
    some, count = rewrite.display.run("find", lambda: matching.affected(possible, tag, positions=rewrite.by_vectors))
    affected = [*map(AffectedFile, certain), *some]
    if not affected:
        return rewrite.unchanged()
    # If the matching rows of a file are known, only these rows are read. The predicate is not evaluated again.
    gone = F.lit(True) if rewrite.by_vectors else matching.condition
    with rewrite.files() as write_id:
        written: list[DataFile] = []
        if some and rewrite.feed:
            every = [column(name) for name in snapshot.schema.names]
            kind = F.when(gone, F.lit(DELETE))
            written = rewrite.write(
                rewrite.with_changes(rewrite.rows(affected), every, every, kind, column(tag)), write_id
            )
        elif some and not rewrite.by_vectors:
            written = rewrite.write(rewrite.rows(some).where(~gone), write_id)
        transaction = rewrite.transaction("DELETE", {"predicate": predicate_text(where)})
        rewrite.apply(transaction, affected, written, write_id)
        transaction.depends_on_files(matching.may_match)
        whole = [file.rows for file in certain]
        if None not in whole:
            transaction.metrics["numDeletedRows"] = count + sum(rows or 0 for rows in whole)
        transaction.metrics["numCopiedRows"] = rows_in(written)
        return rewrite.done(transaction.commit(), written)


@job_errors()
@repeated()
def update(
    spark: SparkSession,
    path: str | os.PathLike[str],
    set: Mapping[str, str | Column],
    where: Predicate | None = None,
    *,
    deletion_vectors: bool | None = None,
    progress: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Updates columns of the rows for which a predicate is true, and returns the commit of the new version.

    Other arguments are those of `lakecodec.lake.update`, as other errors and the result are.

    Args:
        spark: a session, classic or of Spark Connect.
        set: new values by column: SQL texts or Columns over the row as it was, cast to the column's type.
        where: a predicate as of `read`; None for all rows.
        progress: as of `delete`.

    Raises:
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
    """
    rewrite = Rewrite(spark, with_options(path, storage_options), deletion_vectors, progress=progress)
    snapshot, tag = rewrite.snapshot, rewrite.tag
    check_not_computed(snapshot.schema, "update")
    values = new_values("set", set, snapshot.schema.names)
    matching = Matching(spark, snapshot, where)
    certain, possible = matching.files()
    some, count = rewrite.display.run("find", lambda: matching.affected(possible, tag, positions=rewrite.by_vectors))
    affected = [*map(AffectedFile, certain), *some]
    frame = rewrite.rows(affected)
    changes = F.lit(True) if rewrite.by_vectors else matching.condition
    try:
        values = assigned(frame, values, plain_spark_schema(snapshot.schema))
        old = [column(name) for name in snapshot.schema.names]
        new = [
            F.when(changes, values[name]).otherwise(column(name)).alias(name) if name in values else column(name)
            for name in snapshot.schema.names
        ]
        if rewrite.feed:
            changed = rewrite.with_changes(frame, new, old, F.when(changes, F.lit("update")), column(tag))
        else:
            changed = frame.select(*new, column(tag))
        _ = changed.schema
    except AnalysisException as error:
        raise ValueError(f"set: {first_line(error)}") from None
    if not affected:
        return rewrite.unchanged()
    with rewrite.files() as write_id:
        written = rewrite.write(changed, write_id)
        parameters: dict[str, Any] = {} if where is None else {"predicate": predicate_text(where)}
        transaction = rewrite.transaction("UPDATE", parameters)
        rewrite.apply(transaction, affected, written, write_id)
        transaction.depends_on_files(matching.may_match)
        rows = [file.rows for file in certain]
        if None not in rows:
            updated = count + sum(number or 0 for number in rows)
            transaction.metrics |= {"numUpdatedRows": updated, "numCopiedRows": rows_in(written) - updated}
        return rewrite.done(transaction.commit(), written)


def rows_in(files: Sequence[DataFile]) -> int:
    """Returns the number of the table's rows in new files, without those of the change feed."""
    return sum(file.rows for file in files if file.changes is None)


def new_values(argument: str, given: Any, names: list[str]) -> dict[str, Column]:
    """Returns the values of ``set`` or of a merge clause as Spark columns, by column in the table's spelling.

    Args:
        argument: name of the argument, for error messages.
        given: a mapping of column to SQL text or Column.
        names: names of the table's columns.

    Raises:
        TypeError: ``given`` is not such a mapping, or is empty.
        KeyError: an unknown column.
        ValueError: a column given twice.
    """
    if not isinstance(given, Mapping) or not given:
        raise TypeError(f"{argument}: a dict of column to SQL text or Column is needed, not {given!r}")
    found = resolve_names(argument, list(given), names, "table")
    values = {}
    for name, value in zip(found, given.values(), strict=True):
        if not isinstance(value, str | Column):
            raise TypeError(f"{argument}: SQL text or a Column is needed for {name!r}, not {value!r}")
        values[name] = F.expr(value) if isinstance(value, str) else value
    return values
