"""The fixture `peer`: pypaimon, skipped with the reason where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .peer import MISSING, PYTHON, Peer


@pytest.fixture(scope="session")
def peer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peer]:
    if not PYTHON.exists():
        pytest.skip(MISSING)
    found = Peer(tmp_path_factory.mktemp("pypaimon"))
    yield found
    found.close()
