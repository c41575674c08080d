"""Columns by name: searched for or looked up, with the same answers."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec.mosaic.positions import Positions

NAMES = sorted(["é", "\U0001f600", "\uffff", "a", "ab", "b"] + [f"c{number:04}" for number in range(500)])


def made() -> Positions:
    return Positions(NAMES)


@pytest.mark.parametrize("asked_before", [0, 1, 1000])
def test_every_name_has_its_position(asked_before: int) -> None:
    for position, name in enumerate(NAMES):
        positions = made()
        for _ in range(asked_before):
            assert positions["b"] == NAMES.index("b")
        assert positions[name] == position
        assert name in positions


@pytest.mark.parametrize("asked_before", [0, 1000])
@pytest.mark.parametrize("name", ["", "aa", "c0500", "\U0010ffff", "\ud800", 7, None, b"a"])
def test_names_that_are_not_there(name: Any, asked_before: int) -> None:
    positions = made()
    for _ in range(asked_before):
        assert "a" in positions
    assert name not in positions
    with pytest.raises(KeyError):
        positions[name]


def test_all_of_them() -> None:
    assert dict(made()) == {name: position for position, name in enumerate(NAMES)}
    assert len(made()) == len(NAMES)
    assert list(made()) == NAMES
    assert not Positions([])
    assert "a" not in Positions([])
