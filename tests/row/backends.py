"""The row kernels of one backend, for tests that compare both."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lakecodec.row.order import kernels, pure_read, pure_write

NAMES = ("measure", "write", "read", "ArrowEncoder", "ArrowDecoder")


@contextmanager
def backend(name: str) -> Iterator[None]:
    """Context manager in which rows are encoded and decoded by the backend ``name``: "native" (if it is built) or "pure"."""
    chosen = {each: getattr(kernels, each) for each in NAMES}
    try:
        if name == "pure":
            pure = (pure_write.measure, pure_write.write, pure_read.read, None, None)
            for each, found in zip(NAMES, pure, strict=True):
                setattr(kernels, each, found)
        yield
    finally:
        for each, found in chosen.items():
            setattr(kernels, each, found)
