"""The fixture of the tests that run once on each backend."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .backends import BACKENDS, kitchen, running


@pytest.fixture(scope="module", params=BACKENDS)
def each_backend(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the backend that the test runs on."""
    kitchen()
    with running(request.param) as name:
        yield name
