"""Parallel map over files, with threads only where storage is slow."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from ..runtime.exact import exact_int

Item = TypeVar("Item")
Result = TypeVar("Result")

#: The largest number of threads. They mostly wait for storage, so more threads than processors help.
_MOST_THREADS = 32
#: The number of files that are tried first, and the seconds per file from which threads pay. Footers in the page cache
#: take about 50 microseconds, and threads would only pass the interpreter's lock around.
_TRIED = 2
_SLOW = 0.001


def map_threads(
    function: Callable[[Item], Result], items: Sequence[Item], threads: int | None, *, weight: int = 1
) -> list[Result]:
    """Returns ``[function(item) for item in items]``, computed in threads if that is likely to be faster.

    Args:
        function: called once per item; must be safe to call from several threads.
        items: the items.
        threads: number of threads, 1 for none; None: 4 per processor, at most 32, if each of the first two items takes
            more than ``weight`` milliseconds, else none.
        weight: number of files per item.

    Raises:
        ValueError: ``threads`` is less than 1.
        Exception: the first error of ``function``, in the order of the items.
    """
    if threads is not None:
        threads = exact_int("threads", threads)
    if threads is not None and threads < 1:
        raise ValueError(f"threads: a positive number is needed, not {threads}")
    done: list[Result] = []
    if threads is None:
        taken = []
        for item in items[:_TRIED]:
            start = time.perf_counter()
            done.append(function(item))
            taken.append(time.perf_counter() - start)
        threads = min(_MOST_THREADS, 4 * (os.cpu_count() or 1)) if taken and min(taken) > _SLOW * weight else 1
    waiting = items[len(done) :]
    count = min(threads, len(waiting))
    if count <= 1:
        return done + [function(item) for item in waiting]
    return done + _in_threads(function, waiting, count)


def _in_threads(function: Callable[[Item], Result], items: Sequence[Item], count: int) -> list[Result]:
    """Returns the results of all items, computed by ``count`` threads in runs of items."""
    from concurrent.futures import ThreadPoolExecutor

    # A task is a run of files, so that the cost of handing it over is small.
    length = max(1, min(64, len(items) // (count * 4)))
    runs = [items[start : start + length] for start in range(0, len(items), length)]
    with ThreadPoolExecutor(count, thread_name_prefix="lakecodec") as pool:
        futures = [pool.submit(lambda run: [function(item) for item in run], run) for run in runs]
        try:
            return [result for future in futures for result in future.result()]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
