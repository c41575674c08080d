"""Types that a partition column can have: Delta's names and their Arrow types."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class PartitionType:
    """A primitive Delta type.

    Attributes:
        name: as a schemaString spells it: ``long``, ``decimal(5,2)``, ``timestamp_ntz``.
        pattern: the Arrow type's name in the declarations of the text forms.
        arguments: of the Arrow type there: precision and scale, or unit and zone.
    """

    name: str
    pattern: str
    arguments: tuple[Any, ...] = ()

    @property
    def scale(self) -> int:
        """Digits after the point of a decimal."""
        return int(self.arguments[1])

    @property
    def precision(self) -> int:
        """Digits of a decimal."""
        return int(self.arguments[0])

    @property
    def zoned(self) -> bool:
        """True for a time that is an instant, False for a local time."""
        return bool(self.arguments[1])


BOOLEAN = PartitionType("boolean", "bool")
BYTE = PartitionType("byte", "int8")
SHORT = PartitionType("short", "int16")
INTEGER = PartitionType("integer", "int32")
LONG = PartitionType("long", "int64")
FLOAT = PartitionType("float", "float32")
DOUBLE = PartitionType("double", "float64")
STRING = PartitionType("string", "utf8")
BINARY = PartitionType("binary", "binary")
DATE = PartitionType("date", "date32")
TIMESTAMP = PartitionType("timestamp", "timestamp", ("us", "UTC"))
TIMESTAMP_NTZ = PartitionType("timestamp_ntz", "timestamp", ("us", ""))
YEAR_MONTH = PartitionType("interval year to month", "interval")
DAY_TIME = PartitionType("interval day to second", "duration")

_ARROW: dict[PartitionType, Any] = {
    BOOLEAN: pa.bool_(),
    BYTE: pa.int8(),
    SHORT: pa.int16(),
    INTEGER: pa.int32(),
    LONG: pa.int64(),
    FLOAT: pa.float32(),
    DOUBLE: pa.float64(),
    STRING: pa.string(),
    BINARY: pa.binary(),
    DATE: pa.date32(),
    TIMESTAMP: pa.timestamp("us", "UTC"),
    TIMESTAMP_NTZ: pa.timestamp("us"),
    YEAR_MONTH: pa.month_day_nano_interval(),
    DAY_TIME: pa.duration("us"),
}
_BY_NAME = {found.name: found for found in _ARROW}
_BY_ARROW: dict[Any, PartitionType] = {arrow: found for found, arrow in _ARROW.items()} | {
    pa.date64(): DATE,
    pa.large_string(): STRING,
    pa.string_view(): STRING,
    pa.large_binary(): BINARY,
    pa.binary_view(): BINARY,
}
_DECIMAL = re.compile(r"decimal\(\s*([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*\)")


def decimal_type(precision: int, scale: int) -> PartitionType | None:
    """Returns decimal(precision,scale), or None where Delta has no such type."""
    if not 1 <= precision <= 38 or not 0 <= scale <= precision:
        return None
    return PartitionType(f"decimal({precision},{scale})", "decimal128", (precision, scale))


def from_arrow(arrow: pa.DataType) -> PartitionType | None:
    """Returns the Delta type of an Arrow type (of dictionaries and run-end arrays, of their values), or None."""
    if found := _BY_ARROW.get(arrow):
        return found
    if pa.types.is_dictionary(arrow) or pa.types.is_run_end_encoded(arrow):
        return from_arrow(arrow.value_type)
    if pa.types.is_decimal(arrow):
        return decimal_type(arrow.precision, arrow.scale)
    if pa.types.is_timestamp(arrow):
        return TIMESTAMP if arrow.tz else TIMESTAMP_NTZ
    if pa.types.is_duration(arrow):
        return DAY_TIME
    return BINARY if pa.types.is_fixed_size_binary(arrow) else None


def from_name(name: str) -> PartitionType | None:
    """Returns the type that a schemaString names, or None where it is no primitive type that can partition a table."""
    if match := _DECIMAL.fullmatch(name):
        return decimal_type(int(match[1]), int(match[2]))
    return decimal_type(10, 0) if name == "decimal" else _BY_NAME.get(name)


def to_arrow(found: PartitionType) -> pa.DataType:
    """Returns the Arrow type of the values of ``found``; times are in microseconds."""
    if found.pattern == "decimal128":
        return pa.decimal128(found.precision, found.scale)
    arrow: pa.DataType = _ARROW[found]
    return arrow


def is_nested(arrow: pa.DataType) -> bool:
    return bool(pa.types.is_nested(arrow))
