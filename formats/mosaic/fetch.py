"""The bytes of buckets: fetched ahead where that takes time, blocks alone where buckets are large."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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


def fetched(header: Header, reads: Iterator[BucketRead]) -> Iterator[BucketRead]:
    """The reads with their bytes.

    Raises:
        DecodeError: the blocks of a bucket do not fill it.
    """
    source = header.ranges
    if source.in_memory:
        for read in reads:
            read.whole = source.read(read.ref.start, read.ref.stored)
            if read.layout is BucketLayout.PAGED:
                read.slots = _slots(header, read, read.whole)
            yield read
        return
    with ThreadPoolExecutor(1, thread_name_prefix="lakecodec-ahead") as pool:
        for run in map_ahead(partial(_fetch, header), runs(reads, _FETCHED), pool, _AHEAD):
            yield from run


def runs(reads: Iterator[BucketRead], size: int) -> Iterator[list[BucketRead]]:
    """Runs of reads that are of some stored size together."""
    run: list[BucketRead] = []
    total = 0
    for read in reads:
        run.append(read)
        total += read.ref.stored
        if total >= size:
            yield run
            run, total = [], 0
    if run:
        yield run


def _fetch(header: Header, reads: list[BucketRead]) -> list[BucketRead]:
    """Fetches whole buckets and the fronts of others, then the blocks that these tell."""
    source = header.ranges
    spans = [(read.ref.start, read.first_size()) for read in reads]
    blocks: list[tuple[BucketRead, int]] = []
    for read, data in zip(reads, read_spans(source, spans), strict=True):
        whole = len(data) == read.ref.stored
        if whole:
            read.whole = data
        if read.layout == BucketLayout.PAGED:
            read.slots = _slots(header, read, data)
            blocks += [] if whole else [(read, number) for number in read.wanted.numbers]
    spans = []
    for read, number in blocks:
        assert read.slots is not None
        start, size = read.slots.span(number)
        spans.append((read.ref.start + start, size))
    for (read, number), data in zip(blocks, read_spans(source, spans), strict=True):
        if read.blocks is None:
            read.blocks = {}
        read.blocks[number] = data
    return reads


def _slots(header: Header, read: BucketRead, data: Any) -> Slots:
    try:
        return Slots(read.plan, read.ref, read.num_rows, data)
    except DecodeError as error:
        raise failed(header, read, None, error) from None
