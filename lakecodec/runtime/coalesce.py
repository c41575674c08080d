"""Coalescing of byte ranges, so that many ranges take few reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .parallel import readers
from .ranges import RangeReader
from .tail_cache import TailCache

#: The largest gap in bytes that is cheaper to read than to skip: what storage transfers in the time of one request.
GAP = 2**20
#: The longest joined read in bytes; longer ones would gain nothing.
LONGEST = 32 * 2**20

Span = tuple[int, int]


def coalesce(spans: Sequence[Span], gap: int = GAP, longest: int = LONGEST) -> list[tuple[Span, list[int]]]:
    """Returns reads that cover all ``spans`` (offset, size): per read its span and the indices of the spans in it."""
    reads: list[tuple[Span, list[int]]] = []
    for number in sorted(range(len(spans)), key=spans.__getitem__):
        start, size = spans[number]
        end = start + size
        if reads:
            (first, length), members = reads[-1]
            joined = max(first + length, end) - first
            if start <= first + length + gap and joined <= max(longest, length):
                members.append(number)
                reads[-1] = (first, joined), members
                continue
        reads.append(((start, size), [number]))
    return reads


def read_spans(ranges: RangeReader | TailCache, spans: Sequence[Span]) -> list[Any]:
    """Returns the bytes of each span; neighbours share a read, and separate reads run concurrently.

    Args:
        ranges: the source.
        spans: (offset, size) pairs in bytes, in any order.

    Raises:
        DecodeError: the source ends early.
        OSError: the source cannot be read.
    """
    if ranges.in_memory:
        return [ranges.read(*span) for span in spans]
    if any(size for _, size in spans):
        first = min([start for start, _ in spans])
        extent = max([start + size for start, size in spans]) - first
        if extent <= LONGEST and extent - sum([size for _, size in spans]) <= GAP:
            view = memoryview(ranges.read(first, extent))
            return [view[start - first : start - first + size] for start, size in spans]
    parts: list[Any] = [b""] * len(spans)
    wanted = [number for number, (_, size) in enumerate(spans) if size]
    reads = coalesce([spans[number] for number in wanted])
    whole = [span for span, _ in reads]
    if len(whole) == 1:
        buffers = [ranges.read(*whole[0])]
    else:
        buffers = list(readers().map(lambda span: ranges.read(*span), whole))
    for ((first, _), members), buffer in zip(reads, buffers, strict=True):
        view = memoryview(buffer)
        for member in members:
            number = wanted[member]
            start, size = spans[number]
            parts[number] = view[start - first : start - first + size]
    return parts
