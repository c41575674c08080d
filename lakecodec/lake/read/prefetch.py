"""Files of a scan read ahead in threads, their rows given out in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from queue import Full, Queue
from threading import Event
from typing import Any, Generic, TypeAlias, cast

import pyarrow as pa

from .parts import Counts, F, FilePart, PartReader

#: Files that are read at a time: on a local disk one per processor, elsewhere what hides the latency of requests.
_REMOTE, _MOST = 16, 8
#: Batches of a file that wait.
_WAITING = 2
_SECONDS = 0.1
_Item: TypeAlias = "pa.RecordBatch | BaseException | None"


def read_ahead(reader: PartReader[F], files: Sequence[F], *, remote: bool) -> Iterator[pa.RecordBatch]:
    """Yields the rows of files in their order, while the next files are read in threads.

    Up to 2 batches wait of each of the files that are read at a time: 16 of a store, or one per processor, at most 8.
    """
    width = _REMOTE if remote else max(1, min(os.cpu_count() or 1, _MOST))
    if len(files) < 2 or width < 2:
        yield from reader.read(FilePart(file) for file in files)
        return
    stop = Event()
    waiting: deque[_Ahead[F]] = deque()
    rest = iter(files)
    with ThreadPoolExecutor(width) as pool:
        try:
            waiting.extend(_Ahead(pool, reader, file, stop) for file in islice(rest, width))
            while waiting:
                yield from waiting.popleft().batches(reader.counts)
                waiting.extend(_Ahead(pool, reader, file, stop) for file in islice(rest, 1))
        finally:
            stop.set()


class _Ahead(Generic[F]):
    """A file that is read in a thread."""

    def __init__(self, pool: ThreadPoolExecutor, reader: PartReader[F], file: F, stop: Event) -> None:
        self._reader = cast(PartReader[F], replace(cast(Any, reader), counts=Counts()))
        self._queue: Queue[_Item] = Queue(_WAITING)
        self._stop = stop
        pool.submit(self._read, file)

    def batches(self, counts: Counts) -> Iterator[pa.RecordBatch]:
        """Yields the rows of the file, and adds to ``counts`` what was read of it so far."""
        before = (counts.row_groups, counts.row_groups_read, counts.rows)
        mine = self._reader.counts
        while True:
            item = self._queue.get()
            counts.row_groups, counts.row_groups_read = before[0] + mine.row_groups, before[1] + mine.row_groups_read
            if isinstance(item, BaseException):
                raise item
            if item is None:
                return
            counts.rows += item.num_rows
            yield item

    def _read(self, file: F) -> None:
        last: _Item = None
        try:
            for batch in self._reader.read([FilePart(file)]):
                if not self._put(batch):
                    return
        except BaseException as error:
            last = error
        self._put(last)

    def _put(self, item: _Item) -> bool:
        while not self._stop.is_set():
            try:
                self._queue.put(item, timeout=_SECONDS)
            except Full:
                continue
            return True
        return False
