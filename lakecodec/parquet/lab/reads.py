"""Reads of footers, counted, and the chunks that they look for."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...generated.parquet import ColumnChunk
from ...runtime.coalesce import Span, read_spans
from ...runtime.errors import DecodeError
from ...runtime.ranges import RangeReader
from ...runtime.tail_cache import TAIL_SIZE


class Chunk(NamedTuple):
    """A column chunk, as a reader needs to know it before it reads it or leaves it out.

    Attributes:
        start: offset of the first data page.
        size: bytes as they are stored.
        nulls: number of nulls, None where it is not known.
        min, max: bounds of the values, plainly encoded, None where there are none.
    """

    start: int
    size: int
    nulls: int | None
    min: bytes | None
    max: bytes | None

    @classmethod
    def of(cls, chunk: ColumnChunk) -> Chunk:
        """Returns a chunk of today's footer.

        Raises:
            DecodeError: it has none, as the chunk is encrypted.
        """
        meta = chunk.meta_data
        if meta is None:
            raise DecodeError("a column chunk without metadata", format="parquet.ColumnChunk", path="meta_data")
        found = meta.statistics
        bounds = (None, None, None) if found is None else (found.null_count, found.min_value, found.max_value)
        return cls(meta.data_page_offset, meta.total_compressed_size, *bounds)

    def place(self) -> Chunk:
        """Returns the chunk without its statistics."""
        return self._replace(nulls=None, min=None, max=None)


class Reads(RangeReader):
    """A file whose end is read first. It counts all further reads.

    Args:
        ranges: the file.
        tail: bytes at the end that the first read asks for.

    Attributes:
        rounds: reads that waited for the one before; those of one call of `spans` go side by side.
        fetched: bytes that were read.
    """

    def __init__(self, ranges: RangeReader, tail: int = TAIL_SIZE) -> None:
        super().__init__(ranges.name, ranges.size, self.read, ranges.close)
        self._ranges = ranges
        self._held: list[tuple[int, Any]] = []
        self.rounds = self.fetched = 0
        self.read(max(0, self.size - tail), min(tail, self.size))

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Any:
        """Returns bytes of the file, as those of `RangeReader`."""
        return self.spans((offset, length))[0]

    def spans(self, *wanted: Span) -> list[Any]:
        """Returns the bytes of spans (offset, size). Missing bytes are read concurrently.

        Raises:
            DecodeError: a span is not within the file.
        """
        parts = [self._cached_part(*span) for span in wanted]
        missing = [number for number, part in enumerate(parts) if part is None]
        spans = [self._uncached_part(*wanted[number]) for number in missing]
        if missing:
            self.rounds += 1
            self.fetched += sum(size for _, size in spans)
            for number, (start, size), part in zip(missing, spans, read_spans(self._ranges, spans), strict=True):
                rest = wanted[number][1] - size
                parts[number] = memoryview(b"".join((part, self._cached_part(start + size, rest))) if rest else part)
            if len(missing) == 1:
                self._held.append((spans[0][0], parts[missing[0]]))
        return parts

    def _uncached_part(self, offset: int, length: int) -> Span:
        """Returns the part of a span before the part of the file that was already read."""
        if offset < 0 or length < 0 or offset + length > self.size:
            raise DecodeError(f"{length} bytes at {offset} are outside of the {self.size} of the file", path=self.name)
        tail = self._held[0][0] if self._held else self.size
        return offset, (tail - offset if offset < tail < offset + length else length)

    def _cached_part(self, offset: int, length: int) -> Any:
        for start, data in self._held:
            if start <= offset and offset + length <= start + len(data):
                return data[offset - start : offset - start + length]
        return None
