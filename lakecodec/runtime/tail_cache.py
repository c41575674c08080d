"""The end of a source, read at once."""

from __future__ import annotations

from .ranges import Buffer, RangeReader

#: Bytes at the end of a file that one read fetches: covers most footers.
TAIL_SIZE = 64 * 1024


class TailCache:
    """The end of a source, read at once, with the interface of `RangeReader`; reads inside it cost no I/O.

    Args:
        ranges: the source.
        length: number of bytes at the end to read.
        room: buffer for the end, used if the end fits.
        tail: the end, if it was read before.
    """

    def __init__(
        self,
        ranges: RangeReader,
        length: int = TAIL_SIZE,
        room: memoryview | None = None,
        tail: memoryview | None = None,
    ) -> None:
        self._ranges = ranges
        self.name = ranges.name
        self.size = ranges.size
        self.in_memory = ranges.in_memory
        tail = ranges.known_tail if tail is None else tail
        #: Offset of the first cached byte.
        self.start = 0 if ranges.in_memory else max(0, self.size - (length if tail is None else len(tail)))
        self._tail = memoryview(ranges.read(self.start, self.size - self.start, room)) if tail is None else tail

    @property
    def reads(self) -> int:
        return self._ranges.reads

    def extend(self, start: int) -> None:
        """Extends the cache to all bytes from ``start`` on, with one more read if needed."""
        if start < self.start:
            ranges = self._ranges
            if ranges.descriptor is None:
                self._tail = memoryview(b"".join((ranges.read(start, self.start - start), self._tail)))
            else:
                # Reading the end again is faster than joining everything in new memory.
                self._tail = memoryview(ranges.read(start, self.size - start))
            self.start = start

    def read(self, offset: int, length: int) -> Buffer:
        """Returns bytes as `RangeReader.read`."""
        if offset < self.start or offset + length > self.size or length < 0:
            return self._ranges.read(offset, length)
        begin = offset - self.start
        return self._tail[begin : begin + length]
