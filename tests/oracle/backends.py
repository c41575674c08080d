"""Both backends of records and columns in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lakecodec.runtime.columns import backend, pure_read
from lakecodec.runtime.records import backend as record_backend

#: The backends that this process can run; the pure one alone where nothing was built or LAKECODEC_PURE=1 is set.
BACKENDS = ("native", "pure") if record_backend.native is not None else ("pure",)

_chosen: Any = record_backend.native
_kernels = {name: getattr(backend, name) for name in backend.__all__}
_pure = {name: getattr(pure_read, name) for name in _kernels if hasattr(pure_read, name)}


@contextmanager
def running(name: str) -> Iterator[None]:
    """Reads records, and the values in them, on one backend."""
    try:
        if name == "pure":
            _install(None, _pure)
        yield
    finally:
        _install(_chosen, _kernels)


def _install(native: Any, kernels: dict[str, Any]) -> None:
    record_backend.native = native
    for name, kernel in kernels.items():
        setattr(backend, name, kernel)
