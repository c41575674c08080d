"""Condition of a merge, and the files that rows of the source can match by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ...lake.changes.selection import every_file, table_codec
from ...lake.log import Add
from ...lake.log.files import files_of, with_details
from ...lake.read.bind import bind
from ...lake.read.plan import plan_table
from ...lake.read.predicate import And, Comparison, Constant, In, Tree
from ...lake.read.select import select_files
from ..predicates import column

if TYPE_CHECKING:
    from ...lake.read.parts import ScanFile
    from .rewriting import Rewrite

#: The number of distinct keys up to which each key selects files. Beyond it only the smallest and the largest key do.
_MOST_KEYS = 1000


@dataclass(frozen=True)
class Condition:
    """Join condition of a merge.

    Attributes:
        column: the condition over ``target.`` and ``source.``.
        keys: pairs of equal columns, named as in the table and in the source; empty for a predicate.
        target_columns: columns of the table that it needs; None where that is not known.
        parameters: ``operationParameters`` of the commit.
    """

    column: Column
    keys: tuple[tuple[str, str], ...]
    target_columns: list[str] | None
    parameters: dict[str, Any]

    @classmethod
    def of(cls, on: Any, target: Sequence[str], source: Sequence[str]) -> Condition:
        """Returns the condition of ``on``.

        Args:
            on: names of columns, or a predicate.
            target: names of the table's columns.
            source: names of the source's columns.

        Raises:
            TypeError: it is neither.
            ValueError: an empty predicate.
            KeyError: a name that the table or the source does not have.
        """
        if isinstance(on, Column):
            return cls(on, (), None, {"predicate": str(on)})
        if isinstance(on, str):
            if not on.strip():
                raise ValueError("on: the predicate is empty")
            if not all(on.lower() in map(str.lower, names) for names in (target, source)):
                return cls(F.expr(on), (), None, {"predicate": on})
            on = [on]
        if not isinstance(on, Sequence) or not on or not all(isinstance(name, str) for name in on):
            raise TypeError(f"on: names of columns or a predicate is needed, not {on!r}")
        keys = tuple((_found(name, target, "table"), _found(name, source, "source")) for name in on)
        equal = [qualified("target", left) == qualified("source", right) for left, right in keys]
        names = [left for left, _ in keys]
        return cls(reduce(and_, equal), keys, names, {"on": names})


def candidates(
    rewrite: Rewrite, source: DataFrame, condition: Condition
) -> tuple[list[ScanFile], Callable[[Add], bool]]:
    """Returns the files that can have matching rows, and a test whether a concurrently added file can.

    Files are chosen by the source's keys: by each of up to 1000 distinct ones, else by their minimum and maximum.
    """
    snapshot = rewrite.snapshot
    trees = [_key_tree(source, left, right, snapshot.schema.field(left).type) for left, right in condition.keys]
    known = [tree for tree in trees if tree is not None]
    if not known:
        return every_file(snapshot), lambda add: True
    predicate = bind(And(tuple(known)), snapshot.schema)
    plan = plan_table(snapshot, snapshot.schema.names[:1], And(tuple(known)))
    codec = table_codec(snapshot)

    def may_match(add: Add) -> bool:
        return bool(select_files(with_details(files_of([add])), snapshot.schema, codec, predicate))

    return plan.files, may_match


def _key_tree(source: DataFrame, target: str, name: str, kind: Any) -> Tree | None:
    """Returns a predicate on the table's column that all matching rows fulfil; None where nothing is certain."""
    import pyarrow as pa

    types = pa.types
    if not (types.is_integer(kind) or types.is_string(kind) or types.is_date(kind) or types.is_decimal(kind)):
        return None
    keys = source.select(column(name).alias("key")).where(F.col("key").isNotNull())
    distinct = [row[0] for row in keys.distinct().limit(_MOST_KEYS + 1).collect()]
    path = (target,)
    if not distinct:
        return Constant(False)
    if not all(
        isinstance(key, int | str | date | Decimal) and not isinstance(key, bool | datetime) for key in distinct
    ):
        return None
    if len({type(key) for key in distinct}) > 1:
        return None
    if len(distinct) <= _MOST_KEYS:
        return In(path, tuple(distinct))
    low, high = keys.agg(F.min("key"), F.max("key")).collect()[0]
    return And((Comparison(path, ">=", low), Comparison(path, "<=", high)))


def _found(name: str, names: Sequence[str], where: str) -> str:
    match = name if name in names else next((other for other in names if other.lower() == name.lower()), None)
    if match is None:
        raise KeyError(f"on: {name!r} is not a column of the {where}, which has {', '.join(names)}")
    return match


def qualified(side: str, name: str) -> Column:
    """Returns the column ``name`` of the side ``"target"`` or ``"source"``."""
    return F.col(f"{side}.`{name.replace('`', '``')}`")
