"""Fixtures that tests of records share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ...oracle.backends import BACKENDS, running


@pytest.fixture(params=BACKENDS)
def each_backend(request: pytest.FixtureRequest) -> Iterator[None]:
    """Runs a test once on each backend."""
    with running(request.param):
        yield
