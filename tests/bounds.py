"""Bounds on the time of calls: whether it grows with the input as it should, not how fast the code is."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def _alone() -> Iterator[None]:
    """Holds the collector, which walks whatever the tests before have left."""
    held = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if held:
            gc.enable()


def cpu_seconds(call: Callable[[], object]) -> float:
    """Returns the CPU seconds that a call takes in this thread; other threads and processes do not count."""
    with _alone():
        start = time.thread_time()
        call()
        return time.thread_time() - start


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fails where the body takes more CPU seconds of this thread. Bounds are far above what is needed.

    Raises:
        AssertionError: the body took longer.
    """
    with _alone():
        start = time.thread_time()
        try:
            yield
        finally:
            taken = time.thread_time() - start
            assert taken < seconds, f"{taken:.2f} CPU seconds, where {seconds} bound the input"
