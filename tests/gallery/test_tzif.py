"""Time zones of the system, or of the package tzdata, compared with the standard library's zoneinfo."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest

from .gallery import Gallery

TZIF = Gallery("tzif")
NAMES = ("Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Etc/UTC", "Africa/Casablanca")


def zone(name: str) -> bytes:
    pytest.importorskip("tzdata")
    found = files("tzdata.zoneinfo")
    for part in name.split("/"):
        found = found / part
    return found.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_zones(name: str) -> None:
    data = zone(name)
    found = TZIF.round_trip(data)
    judge = ZoneInfo.from_file(io.BytesIO(data))
    for time, kind in zip(found.wide.times, found.wide.kinds, strict=True):
        if abs(time) < 1 << 33:
            local = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=time)).astimezone(judge)
            ours = found.wide.types[kind]
            assert local.utcoffset() == timedelta(seconds=ours.offset_seconds)
            start = ours.designation
            assert local.tzname() == found.wide.letters[start : found.wide.letters.index(0, start)].decode()


def test_changed_zone() -> None:
    found = TZIF.round_trip(zone("Etc/UTC"))
    found.wide.types[0].offset_seconds = 5400
    found.wide.letters = b"XYZ\0"
    found.footer.rule = "XYZ-1:30"
    judge = ZoneInfo.from_file(io.BytesIO(TZIF.write(found)))
    local = datetime(2026, 1, 1, tzinfo=judge)
    assert (local.utcoffset(), local.tzname()) == (timedelta(minutes=90), "XYZ")


def test_counts_that_contradict_each_other() -> None:
    found = TZIF.round_trip(zone("Europe/Berlin"))
    found.wide.kinds = found.wide.kinds[:-1]
    with pytest.raises(ValueError, match="kinds"):
        found.to_bytes()


def test_damage() -> None:
    assert TZIF.damage(zone("Asia/Kathmandu")) > 80
