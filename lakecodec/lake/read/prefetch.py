"""Reading of files and row groups in advance by threads; rows are returned in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from threading import BoundedSemaphore, current_thread
from typing import Any, Generic, NamedTuple

import pyarrow as pa

from ...runtime.parallel import map_ahead
from .ahead import Prefetcher
from .file_rows import OpenPart
from .parts import F, FilePart, PartReader, Stretch, are_small

#: Stretches that are read at a time: from stores `_REMOTE`, to hide the latency of requests; from a local disk one per
#: processor, at most `_MOST`. As many are decoded at a time: more would wait for each other, and for new memory.
_REMOTE, _MOST = 16, 8
#: The largest size in bytes of the stretches read at a time, as they are in files, and of their waiting Arrow data.
_HELD, _WAITING = 128 << 20, 128 << 20
#: The size in bytes of the smallest stretch whose columns are decoded in parallel: to wake threads for less takes longer.
_THREADED = 1 << 20
_THREADS = "lakecodec-scan"


def read_parts(reader: PartReader[F], parts: Iterable[FilePart[F]]) -> Iterator[pa.RecordBatch]:
    """Yields the rows of files, or of shares of them, one after the other in this thread."""
    return (batch for _, batch in read_in_turn(reader, parts))


def read_in_turn(
    reader: PartReader[F], parts: Iterable[FilePart[F]]
) -> Generator[tuple[F, pa.RecordBatch], None, None]:
    """Yields files with their rows as `read_parts` does."""
    open_part = reader.opener()
    for part in parts:
        with closing(open_part(part)) as opened:
            opened.count(reader.counts)
            for stretch in opened.stretches():
                for batch in opened.batches(stretch.row_groups, alone=stretch.size >= _THREADED):
                    reader.counts.rows += batch.num_rows
                    yield part.file, batch


def open_ahead(reader: PartReader[F], files: Sequence[F], *, remote: bool) -> Generator[OpenPart, None, None]:
    """Yields files in their order, opened, while threads open the next ones; the caller closes them."""
    most = _width(remote)
    with _pool(most) as pool:
        yield from map_ahead(reader.opener(), map(FilePart, files), pool if len(files) > 1 else None, most)


def read_ahead(reader: PartReader[F], files: Sequence[F], *, remote: bool) -> Iterator[pa.RecordBatch]:
    """Yields the rows of files in their order, as `read_ahead_by_file` does."""
    with closing(read_ahead_by_file(reader, files, remote=remote)) as found:
        for _, batch in found:
            yield batch


def read_ahead_by_file(
    reader: PartReader[F], files: Sequence[F], *, remote: bool
) -> Generator[tuple[F, pa.RecordBatch], None, None]:
    """Yields files with their rows, in their order, while threads read the next row groups and open the next files.

    From a store 16 stretches of row groups are read at a time, else one per processor, at most 8. Together they hold
    about 128 MiB of their files and 128 MiB of Arrow data, but each at least one row group and one batch. Small files of a
    local disk are read without threads.

    Raises:
        RuntimeError: the iteration continues in a forked process, which has no threads.
    """
    if (not remote and are_small(files)) or (most := _width(remote)) < 2:
        yield from read_in_turn(reader, map(FilePart, files))
        return
    process = os.getpid()
    waiting: deque[_Rows[F]] = deque()
    with _closed() as opened, _pool(2 * most) as pool:
        try:
            for rows in chain(_stretches(reader, files, pool, most, opened), [None]):
                if rows is not None:
                    waiting.append(rows)
                while waiting and (rows is None or len(waiting) >= most or _is_much(waiting)):
                    for batch in waiting[0].batches:
                        reader.counts.rows += batch.num_rows
                        assert waiting[0].file is not None
                        yield waiting[0].file, batch
                        if os.getpid() != process:
                            raise RuntimeError(
                                "a scan goes on in the process that began it: begin another after the fork"
                            )
                    if waiting.popleft().is_last:
                        opened.popleft().close()
        finally:
            if os.getpid() == process:
                for rows in waiting:
                    rows.batches.close()


class _Rows(NamedTuple, Generic[F]):
    """The batches of a stretch, its file, its size in the file, and whether it is the last one of its file."""

    batches: Prefetcher[pa.RecordBatch] | Generator[pa.RecordBatch, None, None]
    file: F | None = None
    size: int = 0
    is_last: bool = False


def _is_much(waiting: Sequence[_Rows[Any]]) -> bool:
    return len(waiting) > 1 and sum(rows.size for rows in waiting) > _HELD


def _stretches(
    reader: PartReader[F], files: Sequence[F], pool: ThreadPoolExecutor, most: int, opened: deque[OpenPart]
) -> Iterator[_Rows[F]]:
    """Yields the stretches of files, each being read; an error of a file replaces its rows.

    ``opened`` collects the open files.
    """
    open_part, gate = reader.opener(), BoundedSemaphore(_width(remote=False))

    def prepared(file: F) -> tuple[F, OpenPart, list[Stretch]]:
        part = open_part(FilePart(file))
        return file, part, part.stretches()

    try:
        for file, part, stretches in map_ahead(prepared, files, pool if len(files) > 1 else None, most):
            part.count(reader.counts)
            if not stretches:
                part.close()
                continue
            opened.append(part)
            alone = len(files) == 1 and len(stretches) < most
            for stretch in stretches:
                made = Prefetcher(pool, _decoded(part, stretch, gate, alone=alone), _size, _WAITING // most)
                yield _Rows(made, file, stretch.size, is_last=stretch is stretches[-1])
    except Exception as error:
        yield _Rows(_failing(error))


def _decoded(
    part: OpenPart, stretch: Stretch, gate: BoundedSemaphore, *, alone: bool
) -> Generator[pa.RecordBatch, None, None]:
    """Yields the rows of a stretch, which is read at once and decoded with the ``gate`` held."""
    batches = part.batches(stretch.row_groups, alone=alone)
    while True:
        with gate:
            batch = next(batches, None)
        if batch is None:
            return
        yield batch


def _size(batch: pa.RecordBatch) -> int:
    size: int = batch.nbytes
    return size


def _failing(error: Exception) -> Generator[pa.RecordBatch, None, None]:
    yield from ()
    raise error


def _width(remote: bool) -> int:
    return _REMOTE if remote else max(1, min(os.cpu_count() or 1, _MOST))


@contextmanager
def _closed() -> Iterator[deque[OpenPart]]:
    """Yields a queue of open files, and closes the remaining ones at the end."""
    opened: deque[OpenPart] = deque()
    try:
        yield opened
    finally:
        for part in opened:
            part.close()


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """Yields a pool of threads, and ends it: calls that have not begun are dropped, others are awaited."""
    pool, process = ThreadPoolExecutor(threads, thread_name_prefix=_THREADS), os.getpid()
    try:
        yield pool
    finally:
        if os.getpid() == process:
            # The garbage collector may close iterators in any thread: a thread of the pool must not wait for itself.
            pool.shutdown(wait=not current_thread().name.startswith(_THREADS), cancel_futures=True)
