"""Dates as days since 1970-01-01 in the proleptic Gregorian calendar, years beyond 0001-9999 included."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

import pyarrow as pa

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, patch, pc

#: Years that every reader accepts, and those of the widest calendar library that writes such logs.
COMMON_YEARS = (1, 9999)
EXTENDED_YEARS = (-262143, 262142)

_DATE = re.compile(r"([+-]?)([0-9]+)-([0-9]{1,2})-([0-9]{1,2})")
_PLAIN_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_EPOCH = date(1970, 1, 1).toordinal()
_FIRST, _LAST = date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH
_CYCLE_DAYS, _CYCLE_YEARS = 146097, 400


@extern_codec
@dataclass(frozen=True)
class Date(TextCodec):
    """`YYYY-MM-DD`; a year above 9999 has a `+`, one below 0 a `-`. Without ``extended`` years 1 to 9999 only."""

    extended: bool = False

    @property
    def storage(self) -> pa.DataType:
        return pa.date32()

    @property
    def years(self) -> tuple[int, int]:
        """The first and the last year that may be written."""
        return EXTENDED_YEARS if self.extended else COMMON_YEARS

    def encode(self, value: int) -> str:
        if _FIRST <= value <= _LAST:
            return date.fromordinal(value + _EPOCH).isoformat()
        year, month, day = civil(value)
        check_year(year, self.years, EncodeError)
        return f"{year_text(year)}-{month:02d}-{day:02d}"

    def decode(self, text: str) -> int:
        """Returns the days since 1970 of a date. Month and day may have one digit; a year of more than 4 digits needs a sign."""
        match = _DATE.fullmatch(text)
        if not match:
            raise DecodeError("a date is YYYY-MM-DD")
        return parse_date(match, self.years)

    def encode_array(self, array: Array) -> Texts:
        first, last = (days(year, 1, 1) for year in (self.years[0], self.years[1] + 1))
        numbers = array.view(pa.int32())
        bounds = pc.min_max(numbers)
        low, high = bounds["min"].as_py(), bounds["max"].as_py()
        if low is None:
            return pa.nulls(len(array), pa.string())
        if not first <= low <= high < last:
            return super().encode_array(array)
        texts = pc.cast(array, pa.string())
        return texts if high <= _LAST else patch(array, texts, pc.greater(numbers, _LAST), self)

    def decode_array(self, texts: Texts) -> Array:
        if pc.all(pc.match_substring_regex(texts, _PLAIN_DATE), min_count=0).as_py() and not self._has_year_zero(texts):
            try:
                return pc.cast(texts, pa.date32())
            except pa.ArrowInvalid:  # no such day: the loop over single values below names the text
                pass
        return super().decode_array(texts)

    def _has_year_zero(self, texts: Texts) -> bool:
        return bool(pc.any(pc.starts_with(texts, "0000"), min_count=0).as_py())


def parse_date(match: re.Match[str], years: tuple[int, int]) -> int:
    """Returns the day number of a match with the groups sign, year, month and day."""
    sign, digits = match[1], match[2]
    if len(digits) != 4 and not (sign and 4 < len(digits) <= 6):
        raise DecodeError("the year of a date has 4 digits, or a sign and up to 6")
    year = -int(digits) if sign == "-" else int(digits)
    month, day = int(match[3]), int(match[4])
    check_year(year, years, DecodeError)
    if not 1 <= month <= 12 or not 1 <= day <= month_days(year, month):
        raise DecodeError("there is no such day")
    return days(year, month, day)


def check_year(year: int, years: tuple[int, int], error: type[EncodeError] | type[DecodeError]) -> None:
    if not years[0] <= year <= years[1]:
        first, last = (year_text(bound) for bound in years)
        raise error(f"the year {year_text(year)} is outside {first} to {last}")


def year_text(year: int) -> str:
    if 0 <= year <= 9999:
        return f"{year:04d}"
    return f"{'-' if year < 0 else '+'}{abs(year):04d}"


def civil(value: int) -> tuple[int, int, int]:
    """Returns year, month and day of a day number of any size (the calendar repeats every 400 years)."""
    cycles, within = divmod(value + _EPOCH - 1, _CYCLE_DAYS)
    found = date.fromordinal(within + 1)
    return found.year + cycles * _CYCLE_YEARS, found.month, found.day


def days(year: int, month: int, day: int) -> int:
    """Returns the day number of a date of any year; the inverse of ``civil``."""
    cycles, within = divmod(year - 1, _CYCLE_YEARS)
    return date(within + 1, month, day).toordinal() - _EPOCH + cycles * _CYCLE_DAYS


def month_days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31
