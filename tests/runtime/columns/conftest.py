"""The backends that the tests of columns run on."""

from __future__ import annotations

import pytest

from lakecodec.runtime.columns import backend, profile, pure_profile, pure_read, pure_write


@pytest.fixture(params=["chosen", "pure"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The backend of this process, then the one in NumPy."""
    if request.param == "pure":
        for name in backend.__all__:
            if hasattr(pure_read, name):
                monkeypatch.setattr(backend, name, getattr(pure_read, name))
    return str(request.param)


@pytest.fixture(params=["chosen", "pure"])
def profiling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The backend of profiles of this process, then the one in NumPy."""
    if request.param == "pure":
        monkeypatch.setattr(profile, "_profile", pure_profile.profile)
        monkeypatch.setattr(profile, "_encoded_sizes", pure_write.encoded_sizes)
    return str(request.param)
