"""Commit of written data files as a version of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from uuid import uuid4

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F

from ...delta import PartitionCodec
from ...lake.changes.cubes import Clustering
from ...lake.log import CommitInfo, Transaction
from ...lake.writing.messages import DataFile
from ..predicates import predicate_text
from ..table_schema import plain_spark_schema
from .plan import Plan

_Values = Mapping[str, str | None]
_Matches = Callable[[_Values], bool]


def commit(plan: Plan, files: Sequence[DataFile]) -> tuple[CommitInfo, bool]:
    """Commits written files, and returns the version and True, or an earlier version of the same ``txn_id`` and False.

    Raises:
        LogError: as `Transaction.commit`.
    """
    request = plan.request
    transaction = Transaction(
        plan.log, plan.snapshot, "WRITE", parameters=_parameters(plan), txn_id=request.txn_id, metrics=_metrics(files)
    )
    if plan.snapshot is None or (request.mode == "overwrite" and request.replace_where is None):
        transaction.set_schema(plan.schema, plan.partition_by, plan.format, request.properties)
    elif request.schema_mode == "merge":
        transaction.evolve_schema(plan.schema)
    # What is clustered now is left alone by `optimize` with the same columns.
    tags = Clustering(request.curve, request.curve_by).tags(uuid4().hex) if request.curve else {}
    for file in files:
        transaction.add(file.tagged(tags))
    _replace(plan, files, transaction)
    info = transaction.commit()
    return info, not transaction.repeated


def _replace(plan: Plan, files: Sequence[DataFile], transaction: Transaction) -> None:
    """Adds removes for the files that the mode replaces, and declares what the transaction has read."""
    mode = plan.request.mode
    if mode == "append":
        return
    matches: _Matches | None
    if mode == "overwrite_partitions" and plan.partition_by:
        matches = _in_partitions(plan.codec, files)
    elif plan.replaced is not None:
        matches = _where(plan, plan.replaced)
    else:
        matches = None
    transaction.replace(matches)


def _in_partitions(codec: PartitionCodec, files: Sequence[DataFile]) -> _Matches:
    """Returns a test of partition values: True for the partitions of new files, compared in canonical serialization."""

    def canonical(values: _Values) -> tuple[str | None, ...]:
        return tuple(codec.serialize(codec.parse(values)).values())

    touched = {canonical(file.partition_values) for file in files}
    return lambda values: canonical(values) in touched


def _where(plan: Plan, condition: Column) -> _Matches:
    """Returns a test of partition values: True where Spark evaluates ``condition`` to true; one job for the table's files."""
    found: dict[tuple[str | None, ...], bool] = {}

    def key(values: _Values) -> tuple[str | None, ...]:
        return tuple(values.get(name) for name in plan.partition_by)

    def ask(keys: Sequence[tuple[str | None, ...]]) -> None:
        columns = [
            plan.codec.parse_array(name, pa.array([item[index] for item in keys], pa.string()))
            for index, name in enumerate(plan.partition_by)
        ]
        table = pa.table(columns, names=list(plan.partition_by))
        # Spark would take times without a zone for instants in the session's zone.
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


def _parameters(plan: Plan) -> dict[str, object]:
    request = plan.request
    given = {
        "predicate": None if request.replace_where is None else predicate_text(request.replace_where),
        "sortBy": [str(order) for order in request.sort_by] or None,
        "zOrderBy": list(request.curve_by) or None,
        "curve": "hilbert" if request.hilbert_by else None,
    }
    return {
        "mode": "ErrorIfExists" if request.mode == "error" else request.mode.title().replace("_", ""),
        "partitionBy": list(plan.partition_by),
        **{name: value for name, value in given.items() if value is not None},
    }


def _metrics(files: Sequence[DataFile]) -> dict[str, int]:
    return {
        "numOutputRows": sum(file.rows for file in files),
        "numPartitions": len({tuple(file.partition_values.items()) for file in files}),
    }
