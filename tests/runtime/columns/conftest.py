"""The kernels that the tests of reading columns run on."""

from __future__ import annotations

import pytest

from lakecodec.runtime.columns import backend, pure_bits, pure_read


@pytest.fixture(params=["chosen", "pure"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The backend of this process, then the one in NumPy."""
    if request.param == "pure":
        for module in (pure_bits, pure_read):
            for name in backend.__all__:
                if hasattr(module, name):
                    monkeypatch.setattr(backend, name, getattr(module, name))
    return str(request.param)
