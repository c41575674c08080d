"""Columns of every type with hard values, and what stands for their values in a model: Python values that compare exactly."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa

INF, NAN = float("inf"), float("nan")
EPOCH = datetime(1970, 1, 1)


def day(text: str) -> int:
    """Days since 1970 of a date in ISO 8601."""
    return (date.fromisoformat(text) - EPOCH.date()).days


def moment(text: str) -> int:
    """Microseconds since 1970 of a time in ISO 8601."""
    past = datetime.fromisoformat(text) - EPOCH
    return (past.days * 86400 + past.seconds) * 1_000_000 + past.microseconds


def single(value: float) -> float:
    """The float32 nearest to a number."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


TEXTS = ["", "a", "A", "zürich", "😀", "__HIVE_DEFAULT_PARTITION__", "null", "a=b/c%20d", " ", "..", "'", '"\\', "x" * 70,
         "😀" * 40, "\U0010ffff" * 40, "\uffff", "a\x7f", "{}", "2024-01-01", "-0.0", "c#?&+:*"]  # fmt: skip
#: In the gaps and folds of New York, Berlin, Apia and Kolkata, before 1582 and 1900, at both ends of the calendar.
TIMES = ["2024-03-10T02:30:00", "2024-11-03T01:30:00", "2024-03-31T02:30:00", "2024-10-27T00:30:00.000001", "2011-12-30T12:00:00",
         "1969-12-31T23:59:59.999999", "1970-01-01T00:00:00", "1883-11-18T12:00:00", "1582-10-04T12:00:00", "1582-10-10T00:00:00",
         "0001-01-02T00:00:00", "9999-12-30T23:59:59.999999", "2024-03-10T07:30:00", "2024-02-29T23:59:59.999"]  # fmt: skip
DATES = [
    "2024-01-01",
    "1970-01-01",
    "1969-12-31",
    "1582-10-04",
    "1582-10-10",
    "1582-10-15",
    "0001-01-01",
    "9999-12-31",
    "2024-02-29",
]


@dataclass(frozen=True)
class Kind:
    """A type, and the values that a model draws from.

    Attributes:
        type: Arrow's type.
        values: values in the model's form.
        partition: whether a table may be partitioned by it.
    """

    type: pa.DataType
    values: tuple[Any, ...]
    partition: bool = True


KINDS: Mapping[str, Kind] = {
    "s": Kind(pa.string(), (*TEXTS, "nul\0nul")),
    "p": Kind(pa.string(), tuple(TEXTS)),
    "n": Kind(pa.int64(), (0, 1, -1, 7, 2**63 - 1, -(2**63), 2**53 + 1)),
    "i8": Kind(pa.int8(), (0, 1, -128, 127)),
    "i16": Kind(pa.int16(), (0, 1, -(2**15), 2**15 - 1)),
    "i32": Kind(pa.int32(), (0, 1, -(2**31), 2**31 - 1)),
    "f": Kind(pa.float32(), tuple(map(single, (0.0, -0.0, 0.1, 3.4, -2.5, INF, -INF, NAN, 1e-45, 3.4028234e38)))),
    "d": Kind(pa.float64(), (0.0, -0.0, 0.1, 3.4, -2.5, INF, -INF, NAN, 5e-324, 1.7976931348623157e308)),
    "b": Kind(pa.bool_(), (True, False)),
    "dec": Kind(pa.decimal128(10, 2), tuple(map(Decimal, ("0.00", "0.10", "-1.00", "99999999.99", "-99999999.99")))),
    "big": Kind(pa.decimal128(38, 10), tuple(map(Decimal, ("0", "1.5", "9" * 28 + ".0000000001", "-0.0000000001")))),
    "day": Kind(pa.date32(), tuple(map(day, DATES))),
    "far": Kind(pa.date32(), (day("2024-01-01"), day("9999-12-31") + 1, day("9999-12-31") + 400_000), partition=False),
    "ts": Kind(pa.timestamp("us", "UTC"), tuple(map(moment, TIMES))),
    "ntz": Kind(pa.timestamp("us"), tuple(map(moment, TIMES))),
    "bin": Kind(pa.binary(), (b"", b"\0", b"\xff\xfe", b"abc", b"\xc3\xbc", bytes(range(200))), partition=False),
    "st": Kind(
        pa.struct([("x", pa.int64()), ("y", pa.string())]),
        ((("x", 1), ("y", "a")), (("x", None), ("y", "")), (("x", None), ("y", None))),
        partition=False,
    ),
    "ls": Kind(pa.list_(pa.int32()), ((), (1, None), (None,), (3, 2, 1)), partition=False),
    "mp": Kind(pa.map_(pa.string(), pa.float64()), ((), (("", None),), (("k", -0.0), ("l", NAN))), partition=False),
}
#: Types that a column may grow to.
WIDER = {"i8": pa.int32(), "i16": pa.int64(), "i32": pa.float64(), "f": pa.float64(), "dec": pa.decimal128(12, 4),
         "day": pa.timestamp("us")}  # fmt: skip


def kind_of(name: str) -> Kind:
    """The kind of a column, which keeps the beginning of its name when it is renamed."""
    return KINDS[name.partition("~")[0]]


def array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """An Arrow array of values in the model's form."""
    if pa.types.is_date32(kind):
        return pa.array(values, pa.int32()).cast(kind)
    if pa.types.is_timestamp(kind):
        return pa.array(values, pa.int64()).cast(kind)
    if pa.types.is_struct(kind):
        return pa.array([None if value is None else dict(value) for value in values], kind)
    if pa.types.is_decimal(kind):
        return pa.array(values, pa.decimal128(38, kind.scale)).cast(kind)
    return pa.array(values, kind)


def values(column: Any) -> list[Any]:
    """The values of an Arrow column in the model's form."""
    kind = column.type
    if pa.types.is_date(kind):
        return list(column.cast(pa.date32()).cast(pa.int32()).to_pylist())
    if pa.types.is_timestamp(kind):
        return list(column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()).to_pylist())
    if pa.types.is_struct(kind):
        return [None if row is None else tuple(row.items()) for row in column.to_pylist()]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        return [None if row is None else tuple(row) for row in column.to_pylist()]
    return list(column.to_pylist())


def exact(value: Any) -> Any:
    """A text or number that is equal for equal values alone: NaN is NaN, -0.0 is not 0.0, and scale does not matter."""
    if isinstance(value, tuple):
        return tuple(map(exact, value))
    if isinstance(value, float):
        return "nan" if value != value else repr(value)
    return ("decimal", Fraction(value)) if isinstance(value, Decimal) else value


def widened(value: Any, narrow: pa.DataType, wide: pa.DataType) -> Any:
    """What a value is in a wider type."""
    if value is None:
        return None
    if pa.types.is_date(narrow) and pa.types.is_timestamp(wide):
        return value * 86_400_000_000
    if pa.types.is_integer(narrow) and pa.types.is_floating(wide):
        return float(value)
    return value


def literal(value: Any, kind: pa.DataType) -> str:
    """A value of a column in Spark's SQL."""
    name = {"int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint", "bool": "boolean"}.get(str(kind))
    if pa.types.is_decimal(kind):
        name = f"decimal({kind.precision}, {kind.scale})"
    if pa.types.is_floating(kind):
        name = "float" if kind == pa.float32() else "double"
    if value is None:
        return "NULL"
    if pa.types.is_string(kind):
        return f"decode(unhex('{value.encode().hex()}'), 'UTF-8')"
    if pa.types.is_binary(kind):
        return f"X'{value.hex()}'"
    if pa.types.is_date(kind):
        return f"date_from_unix_date({value})"
    if pa.types.is_timestamp(kind):
        text = f"timestampadd(MICROSECOND, {value}, timestamp_ntz'1970-01-01')"
        return text if kind.tz is None else f"timestamp_micros({value})"
    return f"CAST('{value}' AS {name})"
