"""Tests of partition values by predicates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ..log.conflicts import Matches
from ..read.bind import bind
from ..read.expression import expression
from ..read.predicate import undecided
from ..read.where import check_names, parse_where
from ..writing.plan import WritePlan


def partition_test(argument: str, where: Any, plan: WritePlan) -> Matches:
    """Returns a test of serialized partition values: whether a predicate over partition columns is true.

    Raises:
        ValueError: the predicate has other columns, or parts that only Spark can decide.
    """
    schema = pa.schema([plan.schema.field(name) for name in plan.partition_by])
    tree = parse_where(where)
    names = ", ".join(plan.partition_by)
    try:
        check_names(tree, schema)
    except KeyError as error:
        raise ValueError(
            f"{argument}: a predicate over the partition columns {names} is needed: {error.args[0]}"
        ) from None
    bound = bind(tree, schema)
    if unclear := undecided(bound):
        raise ValueError(f"{argument}: only Spark can decide {', '.join(map(repr, unclear))}")
    condition = expression(bound)
    keys = [column.key for column in plan.codec.columns]
    known: dict[tuple[str | None, ...], bool] = {}

    def matches(values: Mapping[str, str | None]) -> bool:
        key = tuple(values.get(name) for name in keys)
        if key not in known:
            columns = [
                plan.codec.parse_array(name, pa.array([text], pa.string()))
                for name, text in zip(plan.partition_by, key, strict=True)
            ]
            known[key] = bool(pa.table(columns, names=list(plan.partition_by)).filter(condition).num_rows)
        return known[key]

    return matches
