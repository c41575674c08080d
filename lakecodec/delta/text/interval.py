"""SQL interval literals: `INTERVAL '2-6' YEAR TO MONTH` and `INTERVAL '1 12:30:45' DAY TO SECOND`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts

_YEAR_MONTH = re.compile(r"interval\s+'([+-]?)([0-9]{1,9})-([0-9]{1,2})'\s+year\s+to\s+month", re.I | re.A)
_DAY_TIME = re.compile(
    r"interval\s+'([+-]?)([0-9]{1,9}) ([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:\.([0-9]{1,9}))?'\s+day\s+to\s+second",
    re.I | re.A,
)
_SECOND = 1_000_000


@extern_codec
@dataclass(frozen=True)
class YearMonth(TextCodec):
    """Whole months, 32 bits signed; one `-` in front of the years when negative."""

    @property
    def storage(self) -> pa.DataType:
        return pa.month_day_nano_interval()

    def encode(self, value: int) -> str:
        if not -(1 << 31) <= value < 1 << 31:
            raise EncodeError(f"{value} months do not fit in 32 bits")
        years, months = divmod(abs(value), 12)
        return f"INTERVAL '{'-' if value < 0 else ''}{years}-{months}' YEAR TO MONTH"

    def decode(self, text: str) -> int:
        match = _YEAR_MONTH.fullmatch(text)
        if not match:
            raise DecodeError("a year-month interval is INTERVAL 'years-months' YEAR TO MONTH")
        months = int(match[3])
        if months > 11:
            raise DecodeError(f"{months} months in a year-month interval, at most 11 are possible")
        value = int(match[2]) * 12 + months
        value = -value if match[1] == "-" else value
        if not -(1 << 31) <= value < 1 << 31:
            raise DecodeError("the interval's months do not fit in 32 bits")
        return value

    def encode_array(self, array: Array) -> Texts:
        # Arrow has no kernels for this type.
        values = [None if v is None else self.encode(months_of(v)) for v in array.to_pylist()]
        return pa.array(values, pa.string())

    def decode_values(self, texts: Texts) -> Array:
        return _intervals([self.decode(text) for text in texts.to_pylist()])

    def decode_array(self, texts: Texts) -> Array:
        return _intervals([None if text is None else self.decode(text) for text in texts.to_pylist()])


@extern_codec
@dataclass(frozen=True)
class DayTime(TextCodec):
    """Microseconds, 64 bits signed; the fraction only when it is not zero, without trailing zeros."""

    @property
    def storage(self) -> pa.DataType:
        return pa.duration("us")

    def encode(self, value: int) -> str:
        if not -(1 << 63) <= value < 1 << 63:
            raise EncodeError(f"{value} microseconds do not fit in 64 bits")
        seconds, micros = divmod(abs(value), _SECOND)
        minutes, second = divmod(seconds, 60)
        hours, minute = divmod(minutes, 60)
        days, hour = divmod(hours, 24)
        fraction = f".{micros:06d}".rstrip("0") if micros else ""
        sign = "-" if value < 0 else ""
        return f"INTERVAL '{sign}{days} {hour:02d}:{minute:02d}:{second:02d}{fraction}' DAY TO SECOND"

    def decode(self, text: str) -> int:
        """Returns the microseconds of a day-time interval; digits of a fraction beyond the sixth are cut."""
        match = _DAY_TIME.fullmatch(text)
        if not match:
            raise DecodeError("a day-time interval is INTERVAL 'days hours:minutes:seconds' DAY TO SECOND")
        days, hour, minute, second = (int(match[group]) for group in (2, 3, 4, 5))
        if hour > 23 or minute > 59 or second > 59:
            raise DecodeError("hours, minutes or seconds of the interval are out of range")
        micros = int((match[6] or "")[:6].ljust(6, "0"))
        value = (((days * 24 + hour) * 60 + minute) * 60 + second) * _SECOND + micros
        value = -value if match[1] == "-" else value
        if not -(1 << 63) <= value < 1 << 63:
            raise DecodeError("the interval's microseconds do not fit in 64 bits")
        return value


def months_of(value: Any) -> int:
    """Returns the months of a ``pa.MonthDayNano``.

    Raises:
        EncodeError: it has days or nanoseconds as well.
    """
    if value.days or value.nanoseconds:
        raise EncodeError(f"{value!r} has days or nanoseconds, a year-month interval has whole months only")
    return int(value.months)


def _intervals(months: list[int | None]) -> Array:
    build: Any = pa.MonthDayNano
    values = [None if count is None else build([count, 0, 0]) for count in months]
    return pa.array(values, pa.month_day_nano_interval())
