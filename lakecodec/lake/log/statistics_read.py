"""Reader of the log's file statistics from any writer."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from ...statistics.columns import Path, has_bounds, is_text, leaves
from ...statistics.stated import FileStatistics
from .column_mapping import physical_path
from .variant_statistics import bounds_of, normalized, upper_bound
from .widening import TYPE_CHANGES

_LARGEST_EXPONENT = 400
_ROUNDING = Decimal(2) ** -50


class StatisticsReader:
    """Reader of the statistics of many files of a table; invalid values count as unknown.

    Other writers truncate times to milliseconds, even the maximum, which is moved up to the end of its millisecond.

    Args:
        schema: schema of the table.
        columns: names of the wanted top-level columns; by default all.
        parts: wanted parts of variants: path of the result -> column, steps and type.
    """

    def __init__(
        self,
        schema: pa.Schema,
        columns: Collection[str] | None = None,
        parts: Mapping[Path, tuple[Path, Path, Any]] | None = None,
    ) -> None:
        self._parts = [
            (path, physical_path(schema, column), normalized(steps), kind)
            for path, (column, steps, kind) in (parts or {}).items()
        ]
        self._leaves = [
            (path, physical_path(schema, path), kind, has_bounds(kind), _was_float(schema, path, kind))
            for path, kind in leaves(schema)
            if columns is None or path[0] in columns
        ]

    def parse(self, stats: str | None) -> FileStatistics:
        """Returns the statistics of one file, from `Add.stats`."""
        tree = _tree(stats)
        rows = tree.get("numRecords")
        found = FileStatistics(rows if type(rows) is int and rows >= 0 else None, {}, {}, {})
        lows, highs, nulls = (_section(tree, name) for name in ("minValues", "maxValues", "nullCount"))
        for path, there, kind, bounded, was_float in self._leaves:
            if type(count := _at(nulls, there)) is int:
                found.null_count[path] = count
            if not bounded:
                continue
            if (low := _value(_at(lows, there), kind, upper=False)) is not None:
                found.min[path] = min(low, _as_float(low)) if was_float else low
            if (high := _value(_at(highs, there), kind, upper=True)) is not None:
                found.max[path] = max(high, _as_float(high)) if was_float else high
        for path, there, steps, kind in self._parts:
            low, high = (bounds_of(text).get(steps) if isinstance(text := _at(side, there), str) else None
                         for side in (lows, highs))  # fmt: skip
            if _is_value(low, kind):
                found.min[path] = low
            if _is_value(high, kind):
                found.max[path] = upper_bound(high)
        return found


def parse_statistics(stats: str | None, schema: pa.Schema) -> FileStatistics:
    """Returns the statistics of one file of a table, see `StatisticsReader`."""
    return StatisticsReader(schema).parse(stats)


def _is_value(bound: Any, kind: Any) -> bool:
    """Returns True if a bound of a variant's part has the type in which it is compared."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return isinstance(bound, int | float | Decimal) and not isinstance(bound, bool) and bound == bound
    if isinstance(bound, datetime):
        return pa.types.is_timestamp(kind) and (kind.tz is None) == (bound.tzinfo is None)
    known = {pa.string(): str, pa.date32(): date, pa.binary(): bytes, pa.bool_(): bool}
    return isinstance(bound, known.get(kind, ()))


def _was_float(schema: pa.Schema, path: Path, kind: Any) -> bool:
    """Returns True for a double that was widened from float, so that a bound may have a float's shortest digits."""
    if not pa.types.is_float64(kind):
        return False
    fields: Any = schema
    for name in path:
        field = fields.field(name)
        fields = field.type
    changes = (field.metadata or {}).get(TYPE_CHANGES.encode(), b"")
    return b'"float"' in changes


def _as_float(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _tree(stats: str | None) -> dict[str, Any]:
    try:
        tree = json.loads(stats or "null", parse_float=Decimal)
    except (ValueError, RecursionError):
        return {}
    return tree if isinstance(tree, dict) else {}


def _section(tree: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = tree.get(name)
    return section if isinstance(section, dict) else {}


def _at(tree: Any, path: Path) -> Any:
    if len(path) == 1:
        return tree.get(path[0])
    for name in path:
        if not isinstance(tree, dict):
            return None
        tree = tree.get(name)
    return tree


def _value(value: Any, kind: Any, *, upper: bool) -> Any:
    """Returns a bound as a Python value; None if it is not of the column's type."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            return _from_text(value, kind, upper=upper)
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            return None
        return _from_number(Decimal(value), kind, upper=upper)
    except (ValueError, OverflowError):
        return None


def _from_number(value: Decimal, kind: Any, *, upper: bool) -> Any:
    # No type has numbers of this size, and Python would take too long to convert them.
    if abs(value.adjusted()) > _LARGEST_EXPONENT:
        return None
    if pa.types.is_integer(kind):
        return int(value) if value == int(value) else None
    if pa.types.is_decimal(kind):
        return _decimal(value, kind.scale, upper=upper)
    if not pa.types.is_floating(kind):
        return None
    number = float(value)
    if pa.types.is_float32(kind):
        # Some writers store the shortest digits of the float32 value.
        number = _as_float(number)
    return number if math.isfinite(number) else None


def _decimal(value: Decimal, scale: int, *, upper: bool) -> Decimal:
    """Returns a decimal bound; without the column's scale it may come from a double, and a rounding error is added."""
    if value.as_tuple().exponent == -scale:
        return value
    slack = abs(value) * _ROUNDING
    return value + slack if upper else value - slack


def _from_text(text: str, kind: Any, *, upper: bool) -> Any:
    if is_text(kind):
        return text
    if pa.types.is_date(kind):
        return date.fromisoformat(text)
    if not pa.types.is_timestamp(kind):
        return None
    moment = datetime.fromisoformat(text)
    if upper and moment.microsecond % 1000 == 0:
        moment += timedelta(microseconds=999)
    if kind.tz is None:
        return moment if moment.tzinfo is None else None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
