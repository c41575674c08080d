"""Row groups of a file, the chosen columns of each: fetched ahead, decoded in parallel, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..generated.mosaic import BucketLayout, BucketRef, Compression, layout_of
from ..runtime.coalesce import read_spans
from ..runtime.columns import ColumnError, Request
from ..runtime.errors import CodecError, DecodeError
from ..runtime.parallel import map_ahead, workers
from ..runtime.record_read import OF_DECODED
from .decode import Slots, absent_requests, arrays_of, block_requests, failing_column, head_size
from .errors import ColumnFailure, broken, column_path
from .header import Header
from .layout import BucketPlan, Selection, split

#: Stored bytes of a bucket that are read at once, though some of its columns are not wanted.
_SMALL = 64 * 1024
#: Stored bytes that are fetched together, and that are decoded by one call of a thread.
_FETCHED = 8 * 2**20
_DECODED = 128 * 1024
#: Fetches and decoding calls that may wait for the caller.
_FETCHES_AHEAD = 2
_CALLS_AHEAD = 6


@dataclass(slots=True)
class BucketRead:
    """A bucket of a row group of which columns are wanted.

    Attributes:
        wanted: its columns that are.
        ref: where it is; without bytes where the file left it out.
        whole: all bytes of the bucket, if they were fetched.
        slots: where its blocks are, in a bucket with a block a column.
        blocks: bytes of such blocks, by stored column.
    """

    row_group: int
    num_rows: int
    wanted: Selection
    ref: BucketRef
    whole: Any = None
    slots: Slots | None = None
    blocks: dict[int, Any] = field(default_factory=dict)

    @property
    def layout(self) -> BucketLayout:
        layout: BucketLayout = layout_of(self.ref.stored, self.ref.inflated)
        return layout

    @property
    def plan(self) -> BucketPlan:
        return self.wanted.plan

    def first_size(self) -> int:
        """Bytes that are fetched before anything of the bucket is known."""
        stored: int = self.ref.stored
        if self.layout != BucketLayout.PAGED or stored <= _SMALL or len(self.wanted.positions) == self.plan.primaries:
            return stored
        return min(stored, head_size(self.plan))

    def block(self, number: int) -> Any:
        """The bytes of a stored column's block, which are given away."""
        if self.whole is None:
            return self.blocks.pop(number)
        assert self.slots is not None
        start, size = self.slots.span(number)
        return self.whole[start : start + size]


class Scan:
    """Reads columns of row groups.

    Args:
        header: of the file.
        positions: sorted positions of the columns, each once.
        limit: bytes that the wanted columns of a bucket may take beyond the bytes that hold them.
    """

    def __init__(self, header: Header, positions: Sequence[int], limit: int) -> None:
        self._header = header
        self._limit = limit
        self._positions = list(positions)
        num_columns, num_buckets = len(header.schema.columns), header.footer.num_buckets
        self._wanted = [
            Selection(header.plan(bucket), part) for bucket, part in split(sorted(positions), num_columns, num_buckets)
        ]

    def row_groups(self, numbers: Sequence[int]) -> Iterator[list[pa.Array]]:
        """The columns of each row group, in the order of the positions.

        Raises:
            DecodeError: the bytes break a rule of the format.
        """
        reads = [read for number in numbers for read in self._reads(number)]
        pool = workers() if sum(read.ref.stored for read in reads) > _DECODED else None
        runs = _runs(self._fetched(reads), _DECODED)
        decoded = (arrays for run in map_ahead(self._decode, runs, pool, _CALLS_AHEAD) for arrays in run)
        for _ in numbers:
            found: dict[int, pa.Array] = {}
            for wanted in self._wanted:
                found.update(zip(wanted.positions, next(decoded), strict=True))
            yield [found[position] for position in self._positions]

    def _reads(self, number: int) -> Iterator[BucketRead]:
        refs = self._header.refs(number)
        num_rows = self._header.index.row_groups[number].num_rows
        for wanted in self._wanted:
            bucket = wanted.plan.bucket_id
            ref = refs.get(bucket) or BucketRef(bucket_id=bucket, start=0, stored=0, inflated=0)
            yield BucketRead(number, num_rows, wanted, ref)

    def _fetched(self, reads: list[BucketRead]) -> Iterator[BucketRead]:
        """The reads with their bytes."""
        if self._header.ranges.in_memory:
            for read in reads:
                yield from self._fetch([read])
            return
        with ThreadPoolExecutor(1, thread_name_prefix="lakecodec-ahead") as pool:
            for run in map_ahead(self._fetch, _runs(iter(reads), _FETCHED), pool, _FETCHES_AHEAD):
                yield from run

    def _fetch(self, reads: list[BucketRead]) -> list[BucketRead]:
        """Fetches whole buckets and the fronts of others, then the blocks that these tell."""
        source = self._header.ranges
        spans = [(read.ref.start, read.first_size()) for read in reads]
        blocks: list[tuple[BucketRead, int]] = []
        for read, data in zip(reads, read_spans(source, spans), strict=True):
            whole = len(data) == read.ref.stored
            if whole:
                read.whole = data
            if read.layout == BucketLayout.PAGED:
                read.slots = self._slots(read, data)
                blocks += [] if whole else [(read, number) for number in read.wanted.numbers]
        spans = []
        for read, number in blocks:
            assert read.slots is not None
            start, size = read.slots.span(number)
            spans.append((read.ref.start + start, size))
        for (read, number), data in zip(blocks, read_spans(source, spans), strict=True):
            read.blocks[number] = data
        return reads

    def _slots(self, read: BucketRead, data: Any) -> Slots:
        try:
            return Slots(read.plan, read.ref, read.num_rows, data)
        except DecodeError as error:
            raise self._failed(read, None, error) from None

    def _decode(self, reads: list[BucketRead]) -> list[list[pa.Array]]:
        decoded = [self._decode_bucket(read) for read in reads]
        for read in reads:
            read.whole = None
        self._header.ranges.forget(sum(read.ref.stored for read in reads))
        return decoded

    def _decode_bucket(self, read: BucketRead) -> list[pa.Array]:
        try:
            arrays = arrays_of(read.wanted, self._requests(read), self._limit)
        except ColumnFailure as failure:
            raise self._failed(read, failure.position, failure.error) from None
        for position, array in zip(read.wanted.positions, arrays, strict=True):
            if array.null_count and not self._header.schema.columns[position].type.nullable:
                raise self._failed(read, position, DecodeError("the column has nulls, its type allows none"))
        return arrays

    def _requests(self, read: BucketRead) -> dict[int, Request]:
        """The stored columns that the wanted ones are made of, by number."""
        numbers = read.wanted.numbers
        if read.slots is not None:
            return {number: self._page(read, read.slots, number) for number in numbers}
        if read.layout == BucketLayout.EMPTY:
            return absent_requests(read.plan, read.num_rows, numbers)
        data, read.whole = read.whole, None
        try:
            return block_requests(read.plan, read.ref, self._header.footer, read.num_rows, data, numbers)
        except DecodeError as error:
            raise self._failed(read, failing_column(read.plan, error), error) from None

    def _page(self, read: BucketRead, slots: Slots, number: int) -> Request:
        try:
            return slots.request(number, read.block(number))
        except DecodeError as error:
            raise self._failed(read, read.plan.owner(number), error, slots.span(number)[0]) from None

    def _failed(self, read: BucketRead, position: int | None, error: CodecError, start: int = 0) -> DecodeError:
        """``error`` as one of a bucket; ``start`` is that of the block in which it was found."""
        path = f"row_groups[{read.row_group}].buckets[{read.plan.bucket_id}]"
        if position is not None:
            path = f"{path}.{column_path(self._header.schema.columns[position].name)}"
        if not read.ref.stored:
            return broken(error.rule, file=self._header.ranges.name, path=path)
        rule = error.rule.removesuffix(OF_DECODED)
        inner = error.offset or 0
        if self._header.footer.compression == Compression.ZSTD and (
            rule != error.rule or isinstance(error, ColumnError)
        ):
            # No byte of the file is at fault alone: the block is, and a place in what it inflates to.
            rule, inner = f"{rule} (byte {inner} of the inflated block)", 0
        offset = read.ref.start + start + inner
        return broken(rule, file=self._header.ranges.name, path=path, offset=offset)


def _runs(reads: Iterator[BucketRead], size: int) -> Iterator[list[BucketRead]]:
    """Runs of reads that are of some size together."""
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
