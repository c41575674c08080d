"""Wall time of a named zone, in microseconds, for years that ``datetime`` cannot hold as well."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from .calendar import days

DAY = 86_400_000_000
FIRST, LAST = days(1, 1, 1) * DAY, days(10_000, 1, 1) * DAY - 1
_CYCLE = 146_097 * DAY
_MICROSECOND = timedelta(microseconds=1)


def to_local(value: int, zone: str) -> int:
    """The wall time in ``zone`` of the instant ``value``."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=_within_datetime(value))
    return value + _offset(moment.astimezone(ZoneInfo(zone)))


def from_local(value: int, zone: str) -> int:
    """The instant of a wall time; of the two in an autumn fold the first, and one in a spring gap moves forward."""
    moment = datetime(1970, 1, 1) + timedelta(microseconds=_within_datetime(value))
    return value - _offset(moment.replace(tzinfo=ZoneInfo(zone)))


def _within_datetime(value: int) -> int:
    """``value`` moved to where datetime holds it and its neighbours, to a moment with the same offset.

    Rules repeat with the calendar, every 400 years; before the first year all zones have their mean solar time.
    """
    first, last = FIRST + DAY, LAST - DAY
    if value < first:
        return first
    return value if value <= last else last - (last - value) % _CYCLE


def _offset(moment: datetime) -> int:
    offset = moment.utcoffset()
    return 0 if offset is None else offset // _MICROSECOND
