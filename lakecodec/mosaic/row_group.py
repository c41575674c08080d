"""Writing of a complete row group, some buckets at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain

from ..generated.mosaic import BucketRef, RowGroup
from ..runtime.parallel import map_ahead, workers
from ..runtime.sink import Sink
from .buffer import RowBuffer
from .encode import EncodedBucket, encode_buckets
from .options import WriterOptions
from .physical import Node
from .statistics import column_stats

#: Buffered bytes below which threads cost more than they save.
_WORTH_THREADS = 2**20
#: The least and the most buffered bytes per task. Tasks are larger if there would be many more than `_TASKS`.
_WORTH_A_TASK, _LARGEST_TASK = 256 * 1024, 2**24
_TASKS = 4 * (os.cpu_count() or 1)
#: Bytes that are worth a separate write.
_WORTH_A_WRITE = 64 * 1024
#: Tasks whose encoded buckets may wait for the file.
_AHEAD = 4


class RowGroupWriter:
    """Writer of the rows of one row group, which are complete.

    Args:
        buffer: the rows.
        statistics: sorted positions and nodes of the columns with statistics, ascending.
        options: of the file's writer.
        sink: the file, into which nothing else is written until the row group is.

    Attributes:
        stored, raw: bytes of the buckets written so far, stored and before compression.
    """

    def __init__(
        self, buffer: RowBuffer, statistics: Sequence[tuple[int, Node]], options: WriterOptions, sink: Sink
    ) -> None:
        buffer.end_run()
        self.stored = self.raw = 0
        self._buffer = buffer
        self._statistics = statistics
        self._options = options
        self._sink = sink
        self._buckets: list[BucketRef] = []

    def write(self, nbytes: int | None = None) -> RowGroup | None:
        """Writes the next buckets: those of about ``nbytes`` of the buffered bytes, by default all.

        Returns:
            The row group once all buckets are written, None before.

        Raises:
            EncodeError: the format cannot hold the rows.
            OSError: the file cannot be written.
        """
        buffer, start = self._buffer, len(self._buckets)
        end = len(buffer.plans)
        if nbytes is not None and nbytes < buffer.nbytes:
            end = min(end, start - -end * nbytes // buffer.nbytes)
        waiting, position = bytearray(), self._sink.position
        for plan, bucket in zip(buffer.plans[start:end], self._encoded(start, end), strict=True):
            begin, stored = position, sum(map(len, bucket.parts))
            position += stored
            for part in bucket.parts:
                if len(part) < _WORTH_A_WRITE:
                    waiting += part
                if len(waiting) >= _WORTH_A_WRITE or len(part) >= _WORTH_A_WRITE:
                    self._sink.write(waiting)
                    waiting = bytearray()
                if len(part) >= _WORTH_A_WRITE:
                    self._sink.write(part)
            self.stored += stored
            self.raw += bucket.raw
            ref = BucketRef(bucket_id=plan.bucket_id, start=begin, stored=stored, inflated=bucket.inflated)
            self._buckets.append(ref)
        self._sink.write(waiting)
        if end < len(buffer.plans):
            return None
        chunks = buffer.chunks([position for position, _ in self._statistics])
        stats = [(*column, parts) for column, parts in zip(self._statistics, chunks, strict=True)]
        return RowGroup(num_rows=buffer.num_rows, buckets=self._buckets, stats=column_stats(stats))

    def _encoded(self, start: int, end: int) -> Iterator[EncodedBucket]:
        """Yields buckets, encoded; small ones are encoded together."""
        buffer = self._buffer
        nbytes = buffer.nbytes * (end - start) // max(1, len(buffer.plans))

        def encode(buckets: range) -> list[EncodedBucket]:
            plans = buffer.plans[buckets.start : buckets.stop]
            return encode_buckets(plans, list(map(buffer.columns, buckets)), buffer.num_rows, self._options)

        task = min(max(_WORTH_A_TASK, nbytes // _TASKS), _LARGEST_TASK)
        size = max(1, (end - start) * task // max(1, nbytes))
        work = [range(first, min(first + size, end)) for first in range(start, end, size)]
        pool = workers() if nbytes >= _WORTH_THREADS else None
        return chain.from_iterable(map_ahead(encode, work, pool, _AHEAD))
