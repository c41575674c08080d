"""Fetches the bytes of buckets: ahead of decoding, and only the wanted slots of large paged buckets."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import Any

from ..generated.mosaic import BucketLayout
from ..runtime.coalesce import read_spans
from ..runtime.errors import DecodeError
from ..runtime.parallel import map_ahead
from .bucket_read import BucketRead, failed
from .decode import Slots
from .header import Header

#: Stored bytes that are fetched together.
_FETCHED = 8 * 2**20
#: Fetches that may wait for the caller.
_AHEAD = 2


def in_memory(header: Header, read: BucketRead) -> BucketRead:
    """Returns ``read`` with its bytes, from a source in memory.

    Raises:
        DecodeError: the directory of a paged bucket breaks a rule of the format.
    """
    read.whole = header.ranges.read(read.start, read.stored)
    if read.layout is BucketLayout.PAGED:
        read.slots = _slots(header, read, read.whole)
    return read


def fetched(header: Header, bands: Iterable[list[list[BucketRead]]]) -> Generator[list[BucketRead], None, None]:
    """Yields the buckets of each run with their bytes, fetched ahead by a thread, from any source.

    Raises:
        DecodeError: the directory of a paged bucket breaks a rule of the format, or the source ends early.
        OSError: the source cannot be read.
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="lakecodec-ahead")
    try:
        for runs in map_ahead(partial(_fetch, header), _together(bands), pool, _AHEAD):
            yield from runs
    finally:
        pool.shutdown(wait=False)  # see map_ahead


def _together(bands: Iterable[list[list[BucketRead]]]) -> Iterator[list[list[BucketRead]]]:
    """Yields lists of runs that are fetched together: those of whole bands, whose buckets interleave in the file."""
    found: list[list[BucketRead]] = []
    total = 0
    for band in bands:
        found += band
        total += sum(read.stored for run in band for read in run)
        if total >= _FETCHED:
            yield found
            found, total = [], 0
    if found:
        yield found


def _fetch(header: Header, runs: list[list[BucketRead]]) -> list[list[BucketRead]]:
    """Fetches whole buckets and the directories of others, then the slots that these locate."""
    source = header.ranges
    reads = list(chain.from_iterable(runs))
    spans = [(read.start, read.first_size()) for read in reads]
    blocks: list[tuple[BucketRead, int]] = []
    for read, data in zip(reads, read_spans(source, spans), strict=True):
        whole = len(data) == read.stored
        if whole:
            read.whole = data
        if read.layout == BucketLayout.PAGED:
            read.slots = _slots(header, read, data)
            blocks += [] if whole else [(read, number) for number in read.wanted.numbers]
    spans = []
    for read, number in blocks:
        assert read.slots is not None
        start, size = read.slots.span(number)
        spans.append((read.start + start, size))
    for (read, number), data in zip(blocks, read_spans(source, spans), strict=True):
        if read.blocks is None:
            read.blocks = {}
        read.blocks[number] = data
    return runs


def _slots(header: Header, read: BucketRead, data: Any) -> Slots:
    """Returns the slots of a paged bucket; errors name the bucket."""
    try:
        return Slots(read.plan, read.stored, read.num_rows, data)
    except DecodeError as error:
        raise failed(header, read, None, error) from None
