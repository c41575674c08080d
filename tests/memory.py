"""Memory that calls take, as Python's allocators see it."""

from __future__ import annotations

import os
import resource
import signal
import struct
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

_SIZES = struct.Struct("<QQ")


class Traced(NamedTuple):
    """Bytes that a call's objects hold when it ends, and at their peak."""

    held: int
    peak: int


def traced(call: Callable[[], object]) -> Traced:
    """Returns what a call allocates beyond what there is.

    The call runs in a fork of this process, which has one thread: until Python 3.13.2 the interpreter crashes where
    tracemalloc is stopped while a thread of another library, such as one that reads for Arrow, waits for its lock to
    allocate (python/cpython#128679).

    Raises:
        AssertionError: the call raised an error, with its traceback.
    """
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # From Python 3.12 on: the threads that are left behind are not needed.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _report(call, writer)
    os.close(writer)
    try:
        with open(reader, "rb") as file:
            told = file.read()
        _, status = os.waitpid(child, 0)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    assert status == 0, told.decode(errors="replace") or f"the process of the call ended with {status}"
    return Traced(*_SIZES.unpack(told))


def _report(call: Callable[[], object], writer: int) -> NoReturn:
    status = 1
    try:
        tracemalloc.start()
        call()
        os.write(writer, _SIZES.pack(*tracemalloc.get_traced_memory()))
        status = 0
    except BaseException:
        os.write(writer, traceback.format_exc().encode())
    finally:
        os._exit(status)


@contextmanager
def few_gigabytes(count: int = 4) -> Iterator[None]:
    """Lets calls take so much memory besides what there is, and no more: they raise MemoryError."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + (count << 30), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
