"""Iterators whose next items are made in advance by threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")


class Prefetcher(Generic[T]):
    """An iterator over a generator's items; a thread runs the generator in advance as far as there is room.

    No thread waits for the consumer: it ends when there is no room, and another one continues from there later.

    Args:
        pool: its threads run the generator.
        items: the generator.
        size: returns the size of an item.
        room: largest total size of items made in advance; one item is always made.
    """

    def __init__(
        self, pool: ThreadPoolExecutor, items: Generator[T, None, None], size: Callable[[T], int], room: int
    ) -> None:
        self._pool, self._items, self._size, self._room = pool, items, size, room
        self._made: deque[tuple[T, int]] = deque()
        self._held = 0
        self._error: BaseException | None = None
        self._changed = Condition()
        self._runs = True
        self._ended = self._closed = False
        pool.submit(self._run)

    def __iter__(self) -> Prefetcher[T]:
        return self

    def __next__(self) -> T:
        with self._changed:
            while not self._made:
                if self._error is not None:
                    raise self._error
                if self._ended:
                    raise StopIteration
                self._changed.wait()
            item, size = self._made.popleft()
            self._held -= size
            if not self._runs and not self._ended:
                self._runs = True
                self._pool.submit(self._run)
        return item

    def close(self) -> None:
        """Ends the iteration; a thread that is making an item drops it."""
        with self._changed:
            self._closed = True
            self._made.clear()
            if not self._runs:
                self._items.close()

    def _run(self) -> None:
        """Makes items while there is room."""
        while True:
            try:
                item = next(self._items)
                size = self._size(item)
            except BaseException as error:
                with self._changed:
                    self._error = None if isinstance(error, StopIteration) else error
                    self._ended, self._runs = True, False
                    self._changed.notify()
                return
            with self._changed:
                if not self._closed:
                    self._made.append((item, size))
                    self._held += size
                    self._changed.notify()
                    if self._held < self._room:
                        continue
                self._runs = False
                if self._closed:
                    self._items.close()
                return
