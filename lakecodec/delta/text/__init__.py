"""Text forms of values, each a codec that an IDL names: ``encode`` and ``decode`` for one value, ``*_array`` for Arrow columns.

The codecs work on plain values, so that each has one meaning: integers for dates (days since 1970-01-01), instants
(microseconds since then), intervals (months, microseconds) and decimals (the unscaled number), else bool, float and str.
They raise EncodeError and DecodeError with the rule alone; the caller knows the column and adds it.
"""

from __future__ import annotations

from .base import TextCodec, by_distinct
from .calendar import Date
from .clock import Fraction, Time
from .floats import JavaFloat
from .interval import DayTime, YearMonth
from .numbers import Decimal, Integer, Words
from .percent import Percent, PercentUtf8
from .utf8 import Utf8

__all__ = [
    "Date",
    "DayTime",
    "Decimal",
    "Fraction",
    "Integer",
    "JavaFloat",
    "Percent",
    "PercentUtf8",
    "TextCodec",
    "Time",
    "Utf8",
    "Words",
    "YearMonth",
    "by_distinct",
]
