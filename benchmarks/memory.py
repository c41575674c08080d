"""Peak memory of a call, as the operating system (Linux) sees it."""

from __future__ import annotations

import ctypes
import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa


def added_at_peak(call: Callable[[], Any]) -> tuple[int, Any]:
    """Bytes that a call adds to this process at its peak, and the call's result.

    For a call that is to be measured alone, the process should be a fresh one: what others freed may be used again.
    """
    before = _settle()
    result = call()
    return _status("VmHWM") - before, result


def added_in_a_process(call: Callable[[], object]) -> int:
    """Bytes that a call adds at its peak to a process of its own, in which no memory that was freed waits."""
    from pyspark import cloudpickle

    code = "import pickle, sys, benchmarks.memory as m; print(m.added_at_peak(pickle.load(sys.stdin.buffer))[0])"
    done = subprocess.run(
        [sys.executable, "-c", code], input=cloudpickle.dumps(call), stdout=subprocess.PIPE, check=True
    )
    return int(done.stdout)


def held_now() -> int:
    """Bytes that this process holds, after what is free has been given back."""
    return _settle()


def _settle() -> int:
    """Gives free memory back, so that none of it is used unseen, and forgets the peak; what is in use now."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


def _status(field: str) -> int:
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])
