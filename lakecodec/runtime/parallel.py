"""Thread pools for work that releases the GIL, with results in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Threads that wait for storage.
_READERS = 16


@cache
def workers() -> ThreadPoolExecutor:
    """Returns the pool for computation: one thread per processor except one, since the caller works, too (`map_ahead`).

    Its tasks must not wait for each other.
    """
    return _pool(max(1, (os.cpu_count() or 1) - 1), "lakecodec-work")


@cache
def readers() -> ThreadPoolExecutor:
    """Returns the pool for tasks that wait for storage."""
    return _pool(_READERS, "lakecodec-read")


def _pool(threads: int, name: str) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor  # its import takes 5 ms, since it imports `logging`

    return ThreadPoolExecutor(threads, thread_name_prefix=name)


def map_ahead(
    function: Callable[[Item], Result], items: Iterable[Item], pool: ThreadPoolExecutor | None, ahead: int
) -> Iterator[Result]:
    """Yields ``map(function, items)``, with up to ``ahead`` calls running in a pool.

    Results come in the order of the items, and so does the first error. After an error, calls that have not begun are
    dropped and running ones are awaited; if the iterator is closed, they are not awaited. While the next result is not
    ready, the caller's thread makes calls that no thread has begun; without a pool it makes all.
    """
    if pool is None:
        yield from map(function, items)
        return
    waiting: deque[tuple[Future[Result], Item]] = deque()

    def first() -> Result:
        at = 0
        while at < len(waiting) and not waiting[0][0].done():
            future, item = waiting[at]
            if future.cancel():
                waiting[at] = _called(function, item), item
            at += 1
        return waiting.popleft()[0].result()

    try:
        for item in items:
            if len(waiting) >= ahead:
                yield first()
            waiting.append((pool.submit(function, item), item))
        while waiting:
            yield first()
    except BaseException as error:
        running = [future for future, _ in waiting if not future.cancel()]
        # If the iterator is closed, do not wait: the garbage collector may close it in any thread, even in a worker.
        if not isinstance(error, GeneratorExit):
            for future in running:
                future.exception()
        raise


def _called(function: Callable[[Item], Result], item: Item) -> Future[Result]:
    """Returns a finished future with the result or the error of a call."""
    from concurrent.futures import Future

    future: Future[Result] = Future()
    try:
        future.set_result(function(item))
    except Exception as error:
        future.set_exception(error)
    return future


def _forget_pools() -> None:
    # A forked process does not have the threads of its parent.
    workers.cache_clear()
    readers.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pools)
