"""Commit of written data files as a version of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F

from ...lake.log import CommitInfo
from ...lake.log.conflicts import Matches
from ...lake.writing.commit import commit as commit_files
from ...lake.writing.messages import DataFile
from ..predicates import predicate_text
from ..table_schema import plain_spark_schema
from .plan import Plan

_Values = Mapping[str, str | None]


def commit(plan: Plan, files: Sequence[DataFile]) -> tuple[CommitInfo, bool]:
    """Commits written files, see `lake.writing.commit`."""
    where = plan.request.replace_where
    return commit_files(
        plan,
        files,
        None if plan.replaced is None else _where(plan, plan.replaced),
        None if where is None else predicate_text(where),
    )


def _where(plan: Plan, condition: Column) -> Matches:
    """Returns a test of partition values: True where Spark evaluates ``condition`` to true; one job for the table's files."""
    found: dict[tuple[str | None, ...], bool] = {}

    def key(values: _Values) -> tuple[str | None, ...]:
        return tuple(values.get(column.key) for column in plan.codec.columns)

    def ask(keys: Sequence[tuple[str | None, ...]]) -> None:
        columns = [
            plan.codec.parse_array(name, pa.array([item[index] for item in keys], pa.string()))
            for index, name in enumerate(plan.partition_by)
        ]
        table = pa.table(columns, names=list(plan.partition_by))
        # Spark would interpret times without a zone in the session's zone.
        schema = plain_spark_schema(table.schema)
        answers = plan.spark.createDataFrame(table, schema).select(F.coalesce(condition, F.lit(False))).collect()
        found.update(zip(keys, (row[0] for row in answers), strict=True))

    known = {key(add.partition_values) for add in plan.snapshot.files} if plan.snapshot is not None else set()
    if known:
        ask(sorted(known, key=repr))

    def matches(values: _Values) -> bool:
        if key(values) not in found:
            ask([key(values)])
        return found[key(values)]

    return matches
