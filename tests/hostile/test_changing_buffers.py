"""Buffers that somebody changes while they are read: wrong values or DecodeError, never a crash."""

from __future__ import annotations

import pytest

from .changing import FORMATS
from .processes import run


@pytest.mark.parametrize("name", FORMATS)
def test_a_writer_does_no_harm(name: str) -> None:
    run("-m", "tests.hostile.changing", name, "1")


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FORMATS)
def test_a_writer_does_no_harm_for_long(name: str) -> None:
    run("-m", "tests.hostile.changing", name, "120")
