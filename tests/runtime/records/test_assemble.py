"""Images that are put together from pieces at offsets."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import EncodeError
from lakecodec.runtime.records import assemble
from lakecodec.runtime.records.assemble import MOST_ZEROS, assembled

from ...memory import traced
from ..compact.fixtures import each_backend  # noqa: F401

pytestmark = pytest.mark.usefixtures("each_backend")

a: Any = compile_idl(
    """
    record Far : gaps { u64 spot; Body body at spot; }
    record Many : gaps { u8 n; u32 places[n]; Body bodies[i < n] at places[i]; }
    record Body { u8 n = count(v); u8 v[n]; }
    """,
    name="assemble",
)


@pytest.mark.parametrize("place", [2**32 - 10, 2**40, 2**63])
def test_an_offset_far_away_is_named(place: int) -> None:
    """It is an error, not gigabytes of zeros."""

    def write() -> None:
        with pytest.raises(
            EncodeError, match=f"its offset {place} leaves more than {MOST_ZEROS} bytes empty"
        ) as caught:
            a.Far(spot=place, body=a.Body(v=[1])).to_bytes()
        assert caught.value.path == "body"

    assert traced(write).peak < 10_000_000


def test_gaps_are_counted_together() -> None:
    third = MOST_ZEROS // 3
    made = a.Many(n=3, places=[third, 2 * third, 3 * third + 100], bodies=[a.Body(v=[])] * 3)
    with pytest.raises(EncodeError, match="leaves more than") as caught:
        made.to_bytes()
    assert caught.value.path == "bodies[2]"


def test_what_was_there_is_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces can stand anywhere in an image that exists, and zeros fill what lies between them."""
    assert assembled(b"abcd", [(1, b"x", "x"), (6, b"y", "y")]) == b"axcd\0\0y"
    monkeypatch.setattr(assemble, "MOST_ZEROS", 2)
    assert assembled(bytes(9), [(8, b"z", "z")]) == bytes(8) + b"z"
