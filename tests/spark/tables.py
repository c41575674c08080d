"""Tables for tests: rows of many types, and what other engines read of a table."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

ROWS = 600


def every_type(rows: int = ROWS) -> pa.Table:
    """A column of each type that a table holds; ``id`` tells the rows apart."""
    moment = datetime(2024, 3, 1, tzinfo=UTC)
    numbers = range(rows)
    return pa.table(
        {
            "id": pa.array(numbers, pa.int64()),
            "region": [["north", "São/Paulo", None, "", "a=b c%"][i % 5] for i in numbers],
            "day": [date(2024, 1, 1 + i % 3) for i in numbers],
            "small": pa.array([None if i % 7 == 0 else i % 100 for i in numbers], pa.int16()),
            "share": pa.array([i / 3 for i in numbers], pa.float32()),
            "value": [float("nan") if i == 5 else (rows - i) / 7 for i in numbers],
            "flag": [i % 2 == 0 for i in numbers],
            "price": pa.array([Decimal(i * 37 % rows) / 100 for i in numbers], pa.decimal128(12, 2)),
            "when": [moment + timedelta(seconds=i * 977 % rows) for i in numbers],
            "local": pa.array([datetime(2024, 3, 1) + timedelta(minutes=i) for i in numbers], pa.timestamp("us")),
            "name": [f"name {i % 50:02}" for i in numbers],
            "data": [bytes([i % 256]) for i in numbers],
            "tags": [["a", "b"][: i % 3] for i in numbers],
            "place": [{"x": i, "y": {"z": str(i)}} for i in numbers],
            "counts": pa.array([[("k", i)] for i in numbers], pa.map_(pa.string(), pa.int32())),
        }
    )


def by_id(table: pa.Table) -> list[dict[str, Any]]:
    """The rows in the order of ``id``, NaN as text so that rows compare."""
    rows = sorted(table.to_pylist(maps_as_pydicts="strict"), key=lambda row: row["id"])
    return [{name: "NaN" if value != value else value for name, value in row.items()} for row in rows]


def files_in(table: Path) -> list[Path]:
    """Everything below a table that is not its log."""
    return sorted(path for path in table.rglob("*") if path.is_file() and "_delta_log" not in path.parts)


def stats_of(add: Any) -> dict[str, Any]:
    """The statistics of an add as a dict."""
    stats: dict[str, Any] = json.loads(add.stats)
    return stats
