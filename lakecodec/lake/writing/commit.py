"""Commit of written data files as a version of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import uuid4

from ...delta import PartitionCodec
from ...runtime.errors import EncodeError
from ..changes.cubes import Clustering
from ..log import CommitInfo, Transaction
from ..log.conflicts import Matches
from .messages import DataFile
from .plan import WritePlan

_Values = Mapping[str, str | None]


def commit(
    plan: WritePlan,
    files: Sequence[DataFile],
    replaced: Matches | None,
    predicate: str | None,
    marks: Mapping[str, int] | None = None,
    stream: tuple[str, int] | None = None,
) -> tuple[CommitInfo, bool]:
    """Commits written files, and returns the version and True, or an earlier version of the same ``txn_id`` and False.

    Args:
        plan: the write.
        files: its files.
        replaced: with ``replace_where`` a function of partition values that is true for replaced partitions.
        predicate: the text of ``replace_where``.
        marks: the last assigned number per identity column.
        stream: of a stream's batch, the query and the number of the batch.

    Raises:
        LogError: as `Transaction.commit`.
    """
    request = plan.request
    query, batch = stream or (request.txn_id, None)
    transaction = Transaction(
        plan.log,
        plan.snapshot,
        "WRITE" if stream is None else "STREAMING UPDATE",
        parameters=_parameters(plan, predicate) | ({} if batch is None else {"epochId": batch}),
        txn_id=query,
        txn_sequence=batch,
        metrics=_metrics(files),
    )
    if plan.snapshot is None or (request.mode == "overwrite" and request.replace_where is None):
        transaction.set_schema(plan.schema, plan.partition_by, plan.format, request.properties)
    elif request.schema_mode == "merge":
        transaction.evolve_schema(plan.schema)
    transaction.record_assigned(marks or {})
    # By these tags a later `optimize` with the same columns leaves the files unchanged.
    tags = Clustering(request.curve, request.curve_by).tags(uuid4().hex) if request.curve else {}
    for file in files:
        transaction.add(file.tagged(tags))
    if request.mode == "overwrite_partitions" and plan.partition_by:
        transaction.replace(_in_partitions(plan.codec, files))
    elif request.mode != "append":
        transaction.replace(replaced)
    info = transaction.commit()
    return info, not transaction.repeated


def check_replaced(plan: WritePlan, files: Iterable[DataFile], replaced: Matches | None) -> None:
    """Raises EncodeError if rows were written to a partition that ``replace_where`` does not hold for."""
    if replaced is not None and not all(replaced(file.partition_values) for file in files):
        rule = "a row's partition is not one that replace_where holds for"
        raise EncodeError(rule, format="delta", path=", ".join(plan.partition_by))


def _in_partitions(codec: PartitionCodec, files: Sequence[DataFile]) -> Matches:
    """Returns a function of partition values that is true for the partitions of new files, compared in canonical form."""

    def canonical(values: _Values) -> tuple[str | None, ...]:
        return tuple(codec.serialize(codec.parse(values)).values())

    touched = {canonical(file.partition_values) for file in files}
    return lambda values: canonical(values) in touched


def _parameters(plan: WritePlan, predicate: str | None) -> dict[str, object]:
    request = plan.request
    given = {
        "predicate": predicate,
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
