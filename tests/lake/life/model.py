"""A table as plain rows: what each version has, and which rows a predicate is true for, as Spark's SQL means it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, timedelta
from typing import Any

import pyarrow as pa

from tests.lake.life.columns import EPOCH, array, exact, literal, values

Row = dict[str, Any]
OPERATORS: dict[str, Callable[[int], bool]] = {
    "=": lambda order: order == 0, "!=": lambda order: order != 0, "<": lambda order: order < 0,
    "<=": lambda order: order <= 0, ">": lambda order: order > 0, ">=": lambda order: order >= 0,
}  # fmt: skip


@dataclass
class Version:
    """Schema, partition columns and rows of a version."""

    schema: pa.Schema
    partition_by: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)

    def arrow(self, rows: Iterable[Row] | None = None) -> pa.Table:
        """The rows, or others of the schema, as an Arrow table."""
        chosen = list(self.rows if rows is None else rows)
        return pa.table(
            [array([row.get(item.name) for row in chosen], item.type) for item in self.schema], schema=self.schema
        )

    def settled(self, rows: Iterable[Row]) -> list[Row]:
        """Rows as the table has them: an empty text or binary value of a partition column is null."""
        return [
            {name: None if name in self.partition_by and value in ("", b"") else value for name, value in row.items()}
            for row in rows
        ]


def bag(rows: Iterable[Row], names: Iterable[str]) -> Counter[tuple[Any, ...]]:
    """Rows without an order."""
    names = list(names)
    return Counter(tuple(exact(row.get(name)) for name in names) for row in rows)


def rows_of(table: pa.Table) -> list[Row]:
    """The rows of an Arrow table in the model's form."""
    columns = [values(column) for column in table.columns]
    return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def compare(left: Any, right: Any) -> int:
    """The order of two values in Spark: NaN is equal to itself and greater than any number."""
    if isinstance(left, float) or isinstance(right, float):
        left, right = ((value != value, 0.0 if value != value else value) for value in (left, right))
    if isinstance(left, str):
        left, right = left.encode(), right.encode()
    return int((left > right) - (left < right))


@dataclass(frozen=True)
class Test:
    """A comparison of a column with a value, or with null."""

    __test__ = False
    column: str
    type: pa.DataType
    operator: str
    value: Any

    def holds(self, row: Row) -> bool:
        """Whether it is true for a row."""
        found = row.get(self.column)
        if self.operator in ("is null", "is not null"):
            return bool((found is None) == (self.operator == "is null"))
        return found is not None and OPERATORS[self.operator](compare(found, self.value))

    def sql(self) -> str:
        """As Spark's SQL."""
        if self.operator in ("is null", "is not null"):
            return f"`{self.column}` {self.operator}"
        return f"`{self.column}` {self.operator} {literal(self.value, self.type)}"

    def item(self) -> tuple[str, str, Any]:
        """As a tuple; times with a zone or without one stand for the same moment, as ``scan`` promises."""
        if self.operator in ("is null", "is not null"):
            return (self.column, "=" if self.operator == "is null" else "!=", None)
        value = self.value
        if pa.types.is_date(self.type):
            value = date(1970, 1, 1) + timedelta(days=value)
        elif pa.types.is_timestamp(self.type):
            value = EPOCH + timedelta(microseconds=value)
            if self.type.tz is not None and value.microsecond % 2 == 0:
                value = value.replace(tzinfo=UTC)
        return (self.column, self.operator, value)


def any_test(chance: random.Random, schema: pa.Schema, rows: list[Row], names: Iterable[str] | None = None) -> Test:
    """A test of one of the columns that can be compared, with a value near those that there are."""
    plain = [item for item in schema if not pa.types.is_nested(item.type) and item.name != "far"]
    item = chance.choice([item for item in plain if names is None or item.name in names])
    found = [row[item.name] for row in rows if row.get(item.name) is not None]
    if not found or chance.random() < 0.15:
        return Test(item.name, item.type, chance.choice(["is null", "is not null"]), None)
    operators = ["=", "!="] if pa.types.is_boolean(item.type) or pa.types.is_binary(item.type) else list(OPERATORS)
    return Test(item.name, item.type, chance.choice(operators), chance.choice(found))
