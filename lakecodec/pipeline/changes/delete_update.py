"""Rows deleted and changed where a predicate is true; where it is null, as where it is false, rows stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyspark.errors import AnalysisException
from pyspark.sql import Column
from pyspark.sql import functions as F

from ..ingest.messages import DataFile
from ..ingest.plan import resolve_names
from ..log import CommitInfo
from ..predicates import Predicate, column, predicate_text
from ..spark_errors import first_line
from ..table_schema import plain_spark_schema
from .matching import Matching, adds, tagged_rows
from .rewriting import Rewrite

if TYPE_CHECKING:
    import os

    from pyspark.sql import SparkSession


def delete(spark: SparkSession, path: str | os.PathLike[str], where: Predicate, *, progress: bool = True) -> CommitInfo:
    """Delete the rows for which a predicate is true, as a new version.

    Files that cannot have such rows are not read, files that have none stay, and files that have nothing else are not
    read either where the log tells. Other files are written again without the rows.

    Args:
        spark: a session, classic or of Spark Connect.
        path: of the table.
        where: as of `read`. ``"true"`` deletes all rows.
        progress: whether to show progress and a summary on standard error.

    Returns:
        The version made, with ``numDeletedRows`` in its metrics; the current one where no row matches.

    Raises:
        TypeError, ValueError, KeyError: a wrong argument.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        ConflictError: another commit came first and touched the same files, or added some that can have such rows.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    rewrite = Rewrite(spark, path, progress=progress)
    snapshot, tag = rewrite.snapshot, rewrite.tag
    matching = Matching(spark, snapshot, where)
    certain, possible = matching.files()
    counts = rewrite.display.run("find", lambda: matching.count(possible, tag))
    touched = [file for file in possible if file.number in counts]
    if not certain and not touched:
        return rewrite.unchanged()
    with rewrite.files() as write_id:
        written: list[DataFile] = []
        if touched:
            written = rewrite.write(tagged_rows(spark, snapshot, touched, tag).where(~matching.condition), write_id)
        removed = adds(snapshot, [file.number for file in (*certain, *touched)])
        transaction = rewrite.transaction("DELETE", {"predicate": predicate_text(where)}, removed, written)
        transaction.depends_on_files(matching.may_match)
        whole = [file.rows for file in certain]
        if None not in whole:
            transaction.metrics["numDeletedRows"] = sum(counts.values()) + sum(rows or 0 for rows in whole)
        transaction.metrics["numCopiedRows"] = sum(file.rows for file in written)
        return rewrite.done(transaction.commit(), written)


def update(
    spark: SparkSession,
    path: str | os.PathLike[str],
    set: Mapping[str, str | Column],
    where: Predicate | None = None,
    *,
    progress: bool = True,
) -> CommitInfo:
    """Change columns of the rows for which a predicate is true, as a new version.

    Args:
        spark: a session, classic or of Spark Connect.
        path: of the table.
        set: new values by column: SQL texts or Columns over the row as it was, cast to the column's type.
        where: as of `read`; None for all rows.
        progress: whether to show progress and a summary on standard error.

    Returns:
        The version made, with ``numUpdatedRows`` in its metrics; the current one where no row matches.

    Raises:
        As `delete`, and EncodeError: a value that the table cannot hold.
    """
    rewrite = Rewrite(spark, path, progress=progress)
    snapshot, tag = rewrite.snapshot, rewrite.tag
    values = new_values("set", set, snapshot.schema.names)
    matching = Matching(spark, snapshot, where)
    certain, possible = matching.files()
    counts = rewrite.display.run("find", lambda: matching.count(possible, tag))
    touched = [*certain, *(file for file in possible if file.number in counts)]
    frame = tagged_rows(spark, snapshot, touched, tag)
    kinds = {field.name: field.dataType for field in plain_spark_schema(snapshot.schema)}
    try:
        changed = frame.select(
            *[
                F.when(matching.condition, values[name].cast(kinds[name])).otherwise(column(name)).alias(name)
                if name in values
                else column(name)
                for name in snapshot.schema.names
            ],
            column(tag),
        )
        _ = changed.schema
    except AnalysisException as error:
        raise ValueError(f"set: {first_line(error)}") from None
    if not touched:
        return rewrite.unchanged()
    with rewrite.files() as write_id:
        written = rewrite.write(changed, write_id)
        parameters: dict[str, Any] = {} if where is None else {"predicate": predicate_text(where)}
        removed = adds(snapshot, [file.number for file in touched])
        transaction = rewrite.transaction("UPDATE", parameters, removed, written)
        transaction.depends_on_files(matching.may_match)
        rows = [file.rows for file in certain]
        if None not in rows:
            updated = sum(counts.values()) + sum(count or 0 for count in rows)
            total = sum(file.rows for file in written)
            transaction.metrics |= {"numUpdatedRows": updated, "numCopiedRows": total - updated}
        return rewrite.done(transaction.commit(), written)


def new_values(argument: str, given: Any, names: list[str]) -> dict[str, Column]:
    """The values of ``set`` or of a clause by column, as the table spells it.

    Raises:
        TypeError, ValueError, KeyError: that name the argument.
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
