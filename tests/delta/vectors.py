"""The vector file, with typed values."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa

from ..paths import DATA

FILE = DATA / "delta-partition-vectors.csv"
ZONE = "America/Los_Angeles"
TYPES = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us", "UTC"),
    "TIMESTAMP_NTZ": pa.timestamp("us"),
    "STRING": pa.string(),
    "BINARY": pa.binary(),
}
#: Days of the dates that Python's date cannot hold.
FAR_DAYS = {"+10000-01-01": 2932897, "0000-01-01": -719528}


@dataclass(frozen=True)
class Vector:
    """One row; ``value`` is a Python value, an Arrow scalar for dates that Python cannot hold, None for NULL."""

    row: int
    type: pa.DataType
    value: Any
    directory: str
    add_path: str
    text: str | None
    note: str

    @property
    def fails(self) -> bool:
        return self.directory.startswith("!")


def read_vectors() -> list[Vector]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return [_vector(row) for row in csv.DictReader(file)]


def _vector(row: dict[str, str]) -> Vector:
    arrow = _type(row["type"])
    text = row["partition_value"]
    return Vector(
        row=int(row["row"]),
        type=arrow,
        value=None if row["input"] == "NULL" else _value(row["input"], arrow),
        directory=row["partition_dir"],
        add_path=row["add_path"],
        text=None if text.startswith("!") else json.loads(text),
        note=row["note"],
    )


def _type(name: str) -> pa.DataType:
    if match := re.fullmatch(r"DECIMAL\((\d+),(\d+)\)", name):
        return pa.decimal128(int(match[1]), int(match[2]))
    return TYPES[name]


def _value(text: str, arrow: pa.DataType) -> Any:
    if pa.types.is_boolean(arrow):
        return text == "true"
    if pa.types.is_integer(arrow):
        return int(text)
    if pa.types.is_floating(arrow):
        return float(text)
    if pa.types.is_decimal(arrow):
        return Decimal(text)
    if pa.types.is_date(arrow):
        return pa.scalar(FAR_DAYS[text], arrow) if text in FAR_DAYS else date.fromisoformat(text)
    if pa.types.is_string(arrow):
        return json.loads(text)
    if pa.types.is_binary(arrow):
        return bytes.fromhex(text[2:-1])
    return _time(text, zoned=arrow.tz is not None)


def _time(text: str, *, zoned: bool) -> datetime:
    if not zoned:
        return datetime.fromisoformat(text)
    if text.endswith("Z"):
        return datetime.fromisoformat(text).astimezone(UTC)
    wall, _, zone = text.rpartition(" ")
    return datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
