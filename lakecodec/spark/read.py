"""Scans of tables as Spark DataFrames."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import Column

from ..lake.log import Log, Snapshot
from ..lake.read.bind import bind, find_column
from ..lake.read.changes import change_plans, feed_schema, version_range
from ..lake.read.parts import ScanFile
from ..lake.read.plan import chosen_columns, open_table, plan_table
from ..lake.read.predicate import Anything, Constant, Tree, positive, undecided, written_names
from ..lake.read.sql import settings_decide
from ..lake.read.where import parse_where
from ..runtime.exact import exact_path
from ..runtime.urls import with_options
from .column_tree import parse_column
from .errors import first_line
from .predicates import Predicate, column, predicate_column
from .session import use_this_python
from .sources.planned import planned_frame
from .sources.spark_files import spark_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: All columns, as in ``hash(*)`` and ``struct(id, t.*)``; not a multiplication.
STAR = re.compile(r"[(,.]\s*\*")


def read(
    spark: SparkSession,
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
    verify: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Returns a DataFrame of one version of a Delta table, with projection and data skipping applied.

    Partitions, files and row groups whose partition values or statistics exclude ``where`` are skipped; columns that are
    not asked for are not read.

    Args:
        spark: a session, classic or of Spark Connect.
        path: path or URL of the table.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate in Spark SQL, a ``Column``, tuples (column, operator, value) that must all hold, or lists of
            such of which one must. Spark applies all of it; the parts that `scan` understands skip files as well.
        version: version of the table, by default the newest.
        timestamp: or the version that was the newest at this time; in UTC where it has no zone.
        verify: True to compare checksums of Parquet pages; those of Mosaic files are always compared.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        A DataFrame that stays at this version, whatever is committed later.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        KeyError: an unknown name in ``columns``.
        TypeError, ValueError: a wrong argument, or a predicate that Spark does not understand.
    """
    use_this_python(spark)
    snapshot = open_table(absolute(with_options(path, storage_options)), version, timestamp)
    every = snapshot.schema.names
    wanted = chosen_columns(columns, every)
    # Spark needs at least one column to count rows.
    least = wanted or every[:1]
    if where is None:
        names = _in_order(snapshot.schema, least)
        plan = plan_table(snapshot, names, verify=verify)
        frame = spark_frame(spark, snapshot, plan) or planned_frame(spark, plan)
    else:
        frame, names = filtered_frame(spark, snapshot, least, where, verify=verify)
    return frame if names == list(wanted) else frame.select(*[column(name) for name in wanted])


def read_changes(
    spark: SparkSession,
    path: str | os.PathLike[str],
    start: int | datetime | str,
    end: int | datetime | str | None = None,
    *,
    columns: Sequence[str] | None = None,
    where: Predicate | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Returns a DataFrame of the rows that versions of a table inserted, deleted and updated (Delta protocol, Change Data Files).

    The table must have had ``delta.enableChangeDataFeed`` in all of these versions. Columns are those of the last one, and
    ``_change_type`` (insert, delete, update_preimage, update_postimage), ``_commit_version`` and ``_commit_timestamp``.

    Args:
        spark: a session, classic or of Spark Connect.
        path: path or URL of the table.
        start: the first version, or the first at this time or later; a time is a datetime or a text in ISO 8601, in UTC
            where it has no zone.
        end: the last version, or the last at this time; None for the newest.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate as of `read`, over all these columns.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        LogError: a version was made without the feed, or with columns that do not fit those of the last one.
        KeyError: an unknown name in ``columns``.
        TypeError, ValueError: a wrong argument, or a predicate that Spark does not understand.
    """
    use_this_python(spark)
    log = Log(absolute(with_options(path, storage_options)))
    first, last = version_range(log, start, end)
    snapshot = log.snapshot(last)
    schema = feed_schema(snapshot.schema)
    wanted = chosen_columns(columns, schema.names)
    condition, tree, zone = None, None, "UTC"
    if where is not None:
        condition = predicate_column(where, "where")
        tree, zone = written_tree(spark, where)
        tree = without_undecided(tree, schema, zone)
    plans = change_plans(snapshot, first, wanted if where is None and wanted else schema.names, tree, zone)
    frame = functools.reduce(lambda frame, other: frame.union(other), [planned_frame(spark, plan) for plan in plans])
    if condition is not None:
        try:
            frame = frame.where(condition)
            _ = frame.isStreaming
        except AnalysisException as error:
            raise ValueError(f"where: {first_line(error)}") from None
    return frame.select(*[column(name) for name in wanted])


def filtered_frame(
    spark: SparkSession,
    snapshot: Snapshot,
    least: Iterable[str],
    where: Predicate,
    *,
    verify: bool = False,
    files: Sequence[ScanFile] | None = None,
    tag: str | None = None,
) -> tuple[DataFrame, list[str]]:
    """Returns a DataFrame of the rows for which ``where`` is true, and its columns: ``least`` and those that ``where`` needs.

    Args:
        spark: a session.
        snapshot: the version to read.
        least: names of columns.
        where: a predicate.
        verify: True to compare checksums of pages.
        files: files to read; None for all that can match.
        tag: see `planned_frame`.

    Raises:
        TypeError, ValueError: it is no predicate, or one that Spark does not understand.
    """
    schema = snapshot.schema
    condition = predicate_column(where, "where")
    tree, zone = written_tree(spark, where)
    text = str(condition if isinstance(where, Column) else where)
    for needed in _referenced(tree, schema, zone, text):
        names = _in_order(schema, (*least, *needed))
        plan = plan_table(snapshot, names, without_undecided(tree, schema, zone), zone, verify=verify)
        frame = spark_frame(spark, snapshot, plan, skipping=True) if files is None and tag is None else None
        frame = frame or planned_frame(spark, plan if files is None else replace(plan, files=list(files)), tag)
        try:
            filtered = frame.where(condition)
            _ = filtered.isStreaming  # Spark Connect analyses the predicate only at this point
        except AnalysisException as error:
            reason = first_line(error)
        else:
            return filtered, names
    raise ValueError(f"where: {reason}")


def written_tree(spark: SparkSession, where: Predicate) -> tuple[Tree, str]:
    """Returns the tree of a predicate, and the session's time zone that it is understood in."""
    zone = str(spark.conf.get("spark.sql.session.timeZone"))
    if isinstance(where, Column):
        return positive(parse_column(where, zone)), zone
    if isinstance(where, str) and settings_decide(where):
        return Anything(where), zone
    return positive(parse_where(where, zone)), zone


def _referenced(tree: Tree, schema: pa.Schema, zone: str, text: str) -> Iterator[Iterable[str]]:
    """Yields the columns that a predicate needs; where that is unclear, a guess and then all of the table's."""
    found = [find_column(schema, name) for name in written_names(tree)]
    names = {column[0][0] for column in found if column is not None}
    if not undecided(bind(tree, schema, zone)):
        yield names
        return
    if not STAR.search(text):
        text = text.lower().replace("``", "`")
        yield [name for name in schema.names if name in names or name.lower() in text]
    yield schema.names


def _in_order(schema: pa.Schema, names: Iterable[str]) -> list[str]:
    """Returns ``names``, each once, in the order of the table, which is the meaning of a star in a predicate."""
    chosen = set(names)
    return [name for name in schema.names if name in chosen]


def without_undecided(tree: Any, schema: pa.Schema, zone: str) -> Any:
    """Returns ``tree`` with true in place of what only Spark can decide."""
    if parts := getattr(tree, "parts", None):
        return type(tree)(tuple(without_undecided(part, schema, zone) for part in parts))
    return Constant(True) if undecided(bind(tree, schema, zone)) else tree


def absolute(path: Any) -> str:
    """Returns ``path`` as a URL or absolute path, valid on every machine of a cluster with one file system."""
    text = exact_path("path", path)
    return text if "://" in text else os.path.abspath(text)
