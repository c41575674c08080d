"""Conversion of Python, NumPy and Arrow scalars to the plain values of the text codecs, and back."""

from __future__ import annotations

import decimal
import math
import operator
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from ..runtime.errors import CodecError, DecodeError, EncodeError
from .text.base import WIDE
from .text.interval import months_of
from .types import PartitionType, from_arrow

_EPOCH = date(1970, 1, 1).toordinal()
_UTC_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOCAL_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_SHOWN = 80
_DAY_MILLIS = 86_400_000


def shown(value: object) -> str:
    """Returns the repr of a value for a message, cut when it is long."""
    if isinstance(value, str | bytes) and len(value) > _SHOWN:
        return f"{value[:_SHOWN]!r}... ({len(value)} long)"
    try:
        text = repr(value)
    except Exception:  # an int of thousands of digits, an Arrow date that Python cannot hold
        text = object.__repr__(value)
    return text if len(text) <= 2 * _SHOWN else text[: 2 * _SHOWN] + "..."


def located(error: CodecError, column: str, value: object) -> CodecError:
    """Returns ``error`` with the column as its path and the value in its rule."""
    return type(error)(f"{error.rule}: {shown(value)}", format="delta", path=column, offset=error.offset)


def is_null_like(value: object) -> bool:
    """Returns True for values without a text in the log: None, an empty text, empty bytes, and Arrow scalars of them."""
    if isinstance(value, pa.Scalar):
        return not value.is_valid or is_null_like(_unwrapped(value))
    return value is None or (isinstance(value, str | bytes | bytearray | memoryview) and len(value) == 0)


def plain_value(value: object, kind: PartitionType) -> Any:
    """Returns a value that is not null-like in the form that the text codec of ``kind`` reads.

    Accepts Python's int, float, Decimal, str, bytes, bool, date, datetime and timedelta, NumPy's scalars, and Arrow scalars
    of the column's own type.

    Raises:
        EncodeError: the value is not exactly of the column's type.
    """
    if isinstance(value, pa.Scalar):
        return _from_scalar(value, kind)
    return _FROM_PYTHON[kind.pattern](value, kind)


def python_value(value: Any, kind: PartitionType) -> object:
    """Returns the Python object of a plain value.

    Raises:
        DecodeError: a time whose year ``datetime`` cannot hold.
    """
    try:
        return _TO_PYTHON[kind.pattern](value, kind)
    except (OverflowError, ValueError):
        raise DecodeError("the year is outside 0001 to 9999, which Python's dates cannot hold") from None


def widened(value: Any, kind: PartitionType, wide: PartitionType) -> Any:
    """Returns a plain value of the type ``kind`` as one of ``wide``, which holds all values of it.

    Raises:
        DecodeError: it does not hold them.
    """
    if wide.pattern == kind.pattern and wide.pattern != "decimal128":
        return value
    if wide.pattern == "decimal128" and (kind.pattern == "decimal128" or kind.pattern.startswith("int")):
        shift = wide.scale - (kind.scale if kind.pattern == "decimal128" else 0)
        if shift >= 0 and abs(number := value * 10**shift) < 10**wide.precision:
            return number
    elif wide.pattern == "float64" and (kind.pattern == "float32" or kind.pattern.startswith("int")):
        return float(value)
    elif wide.pattern == "timestamp" and not wide.zoned and kind.pattern == "date32":
        return value * _DAY_MILLIS * 1000
    elif wide.pattern.startswith("int") and kind.pattern.startswith("int"):
        return value
    raise DecodeError(f"the type {kind.name} is not widened to {wide.name}")


def _wrong(kind: PartitionType) -> EncodeError:
    return EncodeError(f"the value is not of the column's type {kind.name}")


def _boolean(value: object, kind: PartitionType) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise _wrong(kind)
    return bool(value)


def _integer(value: object, kind: PartitionType) -> int:
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise _wrong(kind)
    number = operator.index(value)
    bits = int(kind.pattern[3:])
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise EncodeError(f"the value does not fit in the column's type {kind.name}")
    return number


def _float(value: object, kind: PartitionType) -> float:
    if not isinstance(value, float | np.floating):
        raise _wrong(kind)
    number = float(value)
    if kind.pattern == "float64":
        return number
    with np.errstate(over="ignore"):
        single = float(np.float32(number))
    if math.isinf(single) and not math.isinf(number):
        raise EncodeError(f"the value does not fit in the column's type {kind.name}")
    return single


def _decimal(value: object, kind: PartitionType) -> int:
    if not isinstance(value, decimal.Decimal):
        raise _wrong(kind)
    if not value.is_finite():
        raise EncodeError(f"the value does not fit in the column's type {kind.name}")
    sign, digits, exponent = value.as_tuple()
    number = int("".join(map(str, digits)) or "0")
    shift = int(exponent) + kind.scale
    if number and (shift > kind.precision or -shift > len(digits)):
        raise EncodeError(f"the value does not fit in the column's type {kind.name}")
    if number and shift >= 0:
        number *= 10**shift
    elif number:
        number, rest = divmod(number, 10**-shift)
        if rest:
            raise EncodeError(f"the value has more than {kind.scale} digits after the point")
    if number >= 10**kind.precision:
        raise EncodeError(f"the value does not fit in the column's type {kind.name}")
    return -number if sign else number


def _date(value: object, kind: PartitionType) -> int:
    if isinstance(value, np.datetime64) and np.datetime_data(value)[0] == "D" and not np.isnat(value):
        return int(value.astype(np.int64))
    if not isinstance(value, date) or isinstance(value, datetime):
        raise _wrong(kind)
    return value.toordinal() - _EPOCH


def _timestamp(value: object, kind: PartitionType) -> int:
    if isinstance(value, np.datetime64) and not kind.zoned:
        return _numpy_micros(value, kind)
    if not isinstance(value, datetime) or value != value:
        raise _wrong(kind)
    if getattr(value, "nanosecond", 0):
        raise EncodeError("the value has nanoseconds, the column microseconds")
    if kind.zoned:
        if value.utcoffset() is None:
            raise EncodeError("the column is a timestamp, the value has no time zone")
        return (value - _UTC_EPOCH) // _MICROSECOND
    if value.tzinfo is not None:
        raise EncodeError("the column is a timestamp_ntz, the value has a time zone")
    return (value - _LOCAL_EPOCH) // _MICROSECOND


def _duration(value: object, kind: PartitionType) -> int:
    if isinstance(value, np.timedelta64):
        return _numpy_micros(value, kind)
    if not isinstance(value, timedelta) or value != value:
        raise _wrong(kind)
    if getattr(value, "nanoseconds", 0):
        raise EncodeError("the value has nanoseconds, the column microseconds")
    return value // _MICROSECOND


def _interval(value: object, kind: PartitionType) -> int:
    if not isinstance(value, pa.MonthDayNano):
        raise _wrong(kind)
    return months_of(value)


def _text(value: object, kind: PartitionType) -> str:
    if not isinstance(value, str):
        raise _wrong(kind)
    return str(value)


def _binary(value: object, kind: PartitionType) -> bytes:
    if not isinstance(value, bytes | bytearray | memoryview):
        raise _wrong(kind)
    return bytes(value)


def _numpy_micros(value: np.datetime64 | np.timedelta64, kind: PartitionType) -> int:
    unit, step = np.datetime_data(value)
    if np.isnat(value) or unit not in _PER_SECOND:
        raise _wrong(kind)
    return _micros(int(value.astype(np.int64)) * step, unit)


def _micros(value: int, unit: str) -> int:
    micros, rest = divmod(value * 1_000_000, _PER_SECOND[unit])
    if rest:
        raise EncodeError("the value has nanoseconds, the column microseconds")
    return micros


def _from_scalar(value: Any, kind: PartitionType) -> Any:
    if from_arrow(value.type) != kind:
        raise EncodeError(f"the value is of the type {value.type}, the column is of the type {kind.name}")
    inner = _unwrapped(value)
    arrow = value.type.value_type if pa.types.is_dictionary(value.type) else value.type
    if kind.pattern in ("timestamp", "duration"):
        return _micros(inner, arrow.unit)
    if kind.pattern == "date32":
        return inner // _DAY_MILLIS if pa.types.is_date64(arrow) else inner
    return _FROM_PYTHON[kind.pattern](inner, kind)


def _unwrapped(value: Any) -> Any:
    """Returns an Arrow scalar's value; for dates and times the bare count, which need not fit in Python's types."""
    if isinstance(value, pa.DictionaryScalar):
        return _unwrapped(value.value)
    counts = isinstance(value, pa.Date32Scalar | pa.Date64Scalar | pa.TimestampScalar | pa.DurationScalar)
    return value.value if counts else value.as_py()


_FROM_PYTHON: dict[str, Callable[[object, PartitionType], Any]] = {
    "bool": _boolean,
    "int8": _integer,
    "int16": _integer,
    "int32": _integer,
    "int64": _integer,
    "float32": _float,
    "float64": _float,
    "decimal128": _decimal,
    "date32": _date,
    "timestamp": _timestamp,
    "duration": _duration,
    "interval": _interval,
    "utf8": _text,
    "binary": _binary,
}


def _interval_of(months: int) -> object:
    build: Any = pa.MonthDayNano
    return build([months, 0, 0])


def _same(value: Any, kind: PartitionType) -> object:
    return value


_TO_PYTHON: dict[str, Callable[[Any, PartitionType], object]] = dict.fromkeys(_FROM_PYTHON, _same) | {
    "decimal128": lambda value, kind: WIDE.create_decimal(value).scaleb(-kind.scale, WIDE),
    "date32": lambda value, kind: date.fromordinal(value + _EPOCH),
    "timestamp": lambda value, kind: (_UTC_EPOCH if kind.zoned else _LOCAL_EPOCH) + timedelta(microseconds=value),
    "duration": lambda value, kind: timedelta(microseconds=value),
    "interval": lambda value, kind: _interval_of(value),
}
