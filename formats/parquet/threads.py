"""The same work on many files, in parallel threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Threads mostly wait for storage, so that more of them than processors help; past this number they only cost.
_MOST_THREADS = 32


def map_threads(function: Callable[[Item], Result], items: Sequence[Item], threads: int | None) -> list[Result]:
    """``[function(item) for item in items]``; the first error in the order of the items is raised.

    Args:
        threads: how many to use; 1 uses none, None chooses a number.
    """
    if threads is not None and threads < 1:
        raise ValueError(f"threads: a positive number is needed, not {threads}")
    count = min(threads or _default_threads(), len(items))
    if count <= 1:
        return [function(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    # Local footers take some 50 microseconds each: a task is a run of files, not one.
    length = max(1, min(64, len(items) // (count * 4)))
    runs = [items[start : start + length] for start in range(0, len(items), length)]
    with ThreadPoolExecutor(count, thread_name_prefix="lakecodec") as pool:
        futures = [pool.submit(lambda run: [function(item) for item in run], run) for run in runs]
        try:
            return [result for future in futures for result in future.result()]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _default_threads() -> int:
    return min(_MOST_THREADS, 4 * (os.cpu_count() or 1))
