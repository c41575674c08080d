"""Text codecs that IDL files name as externs: ``encode`` and ``decode`` for values, ``*_array`` for Arrow columns."""

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
