"""Wall times of IANA zones in microseconds, also for years that ``datetime`` cannot hold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from .calendar import days

DAY = 86_400_000_000
FIRST, LAST = days(1, 1, 1) * DAY, days(10_000, 1, 1) * DAY - 1
_CYCLE = 146_097 * DAY
_MICROSECOND = timedelta(microseconds=1)


def to_local(value: int, zone: str) -> int:
    """Returns the wall time in ``zone`` of the instant ``value``, in microseconds."""
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=_within_datetime(value))
    return value + _offset(moment.astimezone(ZoneInfo(zone)))


def from_local(value: int, zone: str) -> int:
    """Returns the instant of a wall time: the first of two in an autumn fold; moved forward in a spring gap."""
    moment = datetime(1970, 1, 1) + timedelta(microseconds=_within_datetime(value))
    return value - _offset(moment.replace(tzinfo=ZoneInfo(zone)))


def _within_datetime(value: int) -> int:
    """Returns a time of the same offset that ``datetime`` and its neighbours can hold."""
    first, last = FIRST + DAY, LAST - DAY
    if value < first:
        return first
    return value if value <= last else last - (last - value) % _CYCLE


def _offset(moment: datetime) -> int:
    offset = moment.utcoffset()
    return 0 if offset is None else offset // _MICROSECOND
