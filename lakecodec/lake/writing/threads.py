"""Write tasks in threads of this process: batches go in, data files come out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, Full, Queue

import pyarrow as pa

from .messages import DataFile, read_messages
from .task import WriteTask

#: Bytes of Arrow data that a thread gets at a time; less is not worth a separate file.
_SHARE = 64 << 20
_MOST_THREADS = 8
#: The largest number of batches that wait for a thread.
_WAITING = 4
_SECONDS = 0.2


class _Stopped(Exception):
    """Raised in a write task that gets no more rows because the write failed."""


class _Worker:
    """A write task in a thread, and the queue of its batches."""

    def __init__(self, pool: ThreadPoolExecutor, task: WriteTask, number: int) -> None:
        self._queue: Queue[pa.RecordBatch | None] = Queue(_WAITING)
        self.stopped = False
        self._done: Future[pa.RecordBatch] = pool.submit(task.write, self._batches(), number)

    def put(self, batch: pa.RecordBatch | None) -> None:
        """Passes a batch to the task, None after the last; raises the task's error."""
        while True:
            if self._done.done():
                self.files()  # raises: a task that still expects batches has failed
                return
            try:
                self._queue.put(batch, timeout=_SECONDS)
                return
            except Full:
                continue

    def files(self) -> list[DataFile]:
        """Waits for the task's end, and returns its files."""
        return read_messages(pa.Table.from_batches([self._done.result()]))

    def _batches(self) -> Iterator[pa.RecordBatch]:
        while True:
            try:
                batch = self._queue.get(timeout=_SECONDS)
            except Empty:
                if self.stopped:
                    raise _Stopped from None
                continue
            if self.stopped:
                raise _Stopped
            if batch is None:
                return
            yield batch


def write_batches(task: WriteTask, batches: Iterable[pa.RecordBatch], *, in_order: bool) -> list[DataFile]:
    """Writes batches in threads and returns the data files, not yet committed.

    Args:
        task: the write; the columns of the batches are in the order of its `WriteTask.names`.
        batches: the rows.
        in_order: True to keep the order of the rows over all files: one thread writes while this one makes batches.
            Otherwise as many threads as there are processors get 64 MiB each in turn.

    Raises:
        EncodeError: a value cannot be written.
        OSError: the storage failed.
    """
    most = 1 if in_order else max(1, min(os.cpu_count() or 1, _MOST_THREADS))
    workers: list[_Worker] = []
    with ThreadPoolExecutor(most) as pool:
        try:
            size = 0
            for batch in batches:
                turn = size // _SHARE % most
                if turn == len(workers):
                    workers.append(_Worker(pool, task, turn))
                workers[turn].put(batch)
                size += batch.nbytes
            for worker in workers:
                worker.put(None)
            return [file for worker in workers for file in worker.files()]
        except BaseException:
            for worker in workers:
                worker.stopped = True
            raise
