"""Parser of dates and times as text, as Spark SQL reads them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(?:Z|[+-]\d\d:\d\d)?")


def parse_time(text: str, zone: str) -> datetime | None:
    """Returns an ISO 8601 time in UTC; one without a zone is in the session's ``zone``. None for other texts."""
    moment = wall_time(text)
    if moment is None:
        return None
    return instant(moment, zone)


def instant(moment: datetime, zone: str) -> datetime | None:
    """Returns a time in UTC; one without a zone is in ``zone``. None for an unknown zone or a year beyond Python's."""
    try:
        return (moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None else moment).astimezone(UTC)
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def wall_time(text: str) -> datetime | None:
    """Returns an ISO 8601 time, aware only if the text has a zone; None for other texts."""
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def parse_date(text: str) -> date:
    """Returns an ISO 8601 date; raises ValueError for other texts."""
    if not _DATE.fullmatch(text):
        raise ValueError(f"not a date: {text}")
    return date.fromisoformat(text)
