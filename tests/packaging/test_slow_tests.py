"""Tests that tests/slow.txt names tests that exist."""

import pytest

from ..conftest import SLOW
from ..paths import TESTS


@pytest.mark.parametrize("name", SLOW)
def test_slow_tests_exist(name: str) -> None:
    file, _, test = name.partition("::")
    text = (TESTS / file).read_text(encoding="utf-8")
    assert not test or f"def {test.partition('[')[0]}(" in text
