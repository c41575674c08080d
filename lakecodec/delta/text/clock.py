"""Instants and local times in microseconds since 1970-01-01T00:00:00."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

import pyarrow as pa

from ...runtime.errors import DecodeError, EncodeError
from ...runtime.externs import extern_codec
from .base import Array, TextCodec, Texts, pc
from .calendar import COMMON_YEARS, EXTENDED_YEARS, check_year, civil, days, parse_date, year_text
from .zone import DAY, FIRST, LAST, from_local, to_local

_TEXT = re.compile(
    r"([+-]?)([0-9]+)-([0-9]{1,2})-([0-9]{1,2})([ Tt])([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
#: Compiled time zones have tables up to 2037; for later years Arrow ignores their rules.
_LAST_TABLED = days(2037, 1, 1) * DAY
_UTC_PATTERN = "%Y-%m-%dT%H:%M:%S.%fZ"
_LOCAL_PATTERN = "%Y-%m-%d %H:%M:%S.%f"
_PLAIN_UTC = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z$"
_PLAIN_LOCAL = r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?$"
_LOCAL_FORM = "a local time is YYYY-MM-DD HH:MM:SS with an optional fraction"
_INSTANT_FORM = "a timestamp is YYYY-MM-DD HH:MM:SS[.f], or the same with T and with Z or an offset"


class Fraction(IntEnum):
    """Form of microseconds: always 6 digits, left out when zero, or without trailing zeros."""

    SIX = 0
    NONE_WHEN_ZERO = 1
    SHORTEST = 2


@extern_codec
@dataclass(frozen=True)
class Time(TextCodec):
    """``pattern`` in strftime's terms (`%f` is optional as ``fraction`` says); without ``extended`` years 1 to 9999 only.

    With a ``zone`` the values are instants: a pattern that ends in `Z` writes them in UTC, one without writes the wall time
    of the zone, and a text without a zone is read as its wall time. Without one they are local times.
    """

    pattern: str
    fraction: Fraction = Fraction.SIX
    extended: bool = False
    zone: str = ""

    def __post_init__(self) -> None:
        if self.pattern not in (_UTC_PATTERN, _LOCAL_PATTERN):
            raise ValueError(f"pattern: {self.pattern!r} is not a known layout")

    @property
    def storage(self) -> pa.DataType:
        return pa.timestamp("us", "UTC") if self.zone else pa.timestamp("us")

    @property
    def years(self) -> tuple[int, int]:
        """The first and the last year that may be written."""
        return EXTENDED_YEARS if self.extended else COMMON_YEARS

    @property
    def shifts(self) -> bool:
        """True where the text is the wall time of a zone other than UTC."""
        return self.zone not in ("", "UTC") and self.pattern == _LOCAL_PATTERN

    def encode(self, value: int) -> str:
        day, rest = divmod(to_local(value, self.zone) if self.shifts else value, DAY)
        year, month, number = civil(day)
        check_year(year, self.years, EncodeError)
        seconds, micros = divmod(rest, 1_000_000)
        minutes, second = divmod(seconds, 60)
        hour, minute = divmod(minutes, 60)
        separator, suffix = ("T", "Z") if self.pattern == _UTC_PATTERN else (" ", "")
        clock = f"{hour:02d}:{minute:02d}:{second:02d}{self._fraction(micros)}"
        return f"{year_text(year)}-{month:02d}-{number:02d}{separator}{clock}{suffix}"

    def decode(self, text: str) -> int:
        """Returns the microseconds since 1970 of `date time`, or of ISO 8601 with a zone, which local times do not have.

        Fraction digits beyond the sixth are cut.
        """
        match = _TEXT.fullmatch(text)
        if not match or (match[10] is None and match[5] != " "):
            raise DecodeError(_INSTANT_FORM if self.zone else _LOCAL_FORM)
        if match[10] is not None and not self.zone:
            raise DecodeError(f"a local time has no zone: {_LOCAL_FORM}")
        hour, minute, second = int(match[6]), int(match[7]), int(match[8])
        if hour > 23 or minute > 59 or second > 59:
            raise DecodeError("no such time of day")
        micros = int((match[9] or "")[:6].ljust(6, "0"))
        value = parse_date(match, self.years) * DAY + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros
        if match[10] is not None:
            value -= _offset(match[10])
        elif self.zone not in ("", "UTC"):
            value = from_local(value, self.zone)
        if not FIRST <= value <= LAST:
            check_year(civil(value // DAY)[0], self.years, DecodeError)
        return value

    def encode_array(self, array: Array) -> Texts:
        numbers = array.view(pa.int64())
        bounds = pc.min_max(numbers)
        low, high = bounds["min"].as_py(), bounds["max"].as_py()
        if low is None:
            return pa.nulls(len(array), pa.string())
        first, last = (FIRST + DAY, _LAST_TABLED) if self.shifts else (FIRST, LAST)
        if not first <= low <= high <= last:
            return super().encode_array(array)
        local = numbers.view(pa.timestamp("us"))
        if self.shifts:
            local = pc.local_timestamp(numbers.view(pa.timestamp("us", self.zone)))
        return self._finish(pc.cast(local, pa.string()))

    def decode_array(self, texts: Texts) -> Array:
        plain = self._without_zone(texts)
        if plain is not None and not pc.any(pc.starts_with(plain, "0000"), min_count=0).as_py():
            try:
                return pc.cast(plain, pa.timestamp("us")).view(pa.int64()).view(self.storage)
            except pa.ArrowInvalid:  # no such day or time: the loop over single values below names the text
                pass
        return super().decode_array(texts)

    def _without_zone(self, texts: Texts) -> Texts | None:
        """``texts`` as Arrow parses them, when all have the same plain form."""
        if self.zone and _all_match(texts, _PLAIN_UTC):
            return pc.utf8_slice_codeunits(texts, 0, -1)
        return texts if self.zone in ("", "UTC") and _all_match(texts, _PLAIN_LOCAL) else None

    def _finish(self, texts: Texts) -> Texts:
        """Returns Arrow's texts `YYYY-MM-DD HH:MM:SS.ffffff` in the layout of ``pattern`` and ``fraction``."""
        if self.fraction == Fraction.NONE_WHEN_ZERO:
            texts = pc.replace_substring_regex(texts, r"\.000000$", "")
        elif self.fraction == Fraction.SHORTEST:
            texts = pc.replace_substring_regex(texts, r"\.0+$", "")
            texts = pc.replace_substring_regex(texts, r"(\.[0-9]*[1-9])0+$", r"\1")
        if self.pattern == _UTC_PATTERN:
            texts = pc.binary_join_element_wise(pc.replace_substring(texts, " ", "T", max_replacements=1), "Z", "")
        return texts

    def _fraction(self, micros: int) -> str:
        if self.fraction == Fraction.SIX or (micros and self.fraction == Fraction.NONE_WHEN_ZERO):
            return f".{micros:06d}"
        return f".{micros:06d}".rstrip("0") if micros else ""


def _all_match(texts: Texts, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def _offset(text: str) -> int:
    """Microseconds east of UTC of `Z`, `+HH`, `+HHMM` or `+HH:MM`."""
    if text in "Zz":
        return 0
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or "0")
    if hours > 23 or minutes > 59:
        raise DecodeError("no such zone offset")
    offset = (hours * 60 + minutes) * 60_000_000
    return -offset if text[0] == "-" else offset
