"""Row groups of a file, the chosen columns of each: fetched ahead, decoded in parallel, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..generated.mosaic import BucketLayout, BucketRef, Compression
from ..runtime.columns import Request
from ..runtime.compress import inflate_frames
from ..runtime.errors import DecodeError
from ..runtime.parallel import map_ahead, workers
from .bucket_read import BucketRead, failed
from .decode import Slots, absent_requests, arrays_of, arrays_of_blocks, block_requests, failing_column
from .errors import ColumnFailure
from .fetch import fetched, runs
from .header import Header
from .layout import Selection, split

#: Stored bytes that are decoded by one call of a thread.
_DECODED = 256 * 1024
#: Such calls that may wait for the caller.
_CALLS_AHEAD = 6
#: Bytes that small blocks are inflated to together.
_INFLATED = 2**20


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
        ascending = sorted(positions)
        places = {position: place for place, position in enumerate(ascending)}
        #: The place of each column among those that the buckets give.
        self._order = [places[position] for position in positions]
        num_columns, num_buckets = len(header.schema.columns), header.footer.num_buckets
        self._wanted = [
            Selection(header.plan(bucket), part) for bucket, part in split(ascending, num_columns, num_buckets)
        ]
        required = [position for position in ascending if not header.schema.columns[position].type.nullable]
        self._required = frozenset(required)

    def row_groups(self, numbers: Sequence[int]) -> Iterator[list[pa.Array]]:
        """The columns of each row group, in the order of the positions.

        Raises:
            DecodeError: the bytes break a rule of the format.
        """
        reads = [read for number in numbers for read in self._reads(number)]
        pool = workers() if sum(read.ref.stored for read in reads) > _DECODED else None
        parts = runs(fetched(self._header, iter(reads)), _DECODED)
        decoded = (arrays for run in map_ahead(self._decode, parts, pool, _CALLS_AHEAD) for arrays in run)
        for _ in numbers:
            found: list[pa.Array] = []
            for _ in self._wanted:
                found += next(decoded)
            yield list(map(found.__getitem__, self._order))

    def _reads(self, number: int) -> Iterator[BucketRead]:
        group = self._header.index.row_groups[number]
        num_rows, refs = group.num_rows, group.buckets
        # Mostly none is left out, and they are in order.
        by_number = None if len(refs) == self._header.footer.num_buckets else self._header.refs(number)
        for wanted in self._wanted:
            bucket = wanted.plan.bucket_id
            ref = refs[bucket] if by_number is None else by_number.get(bucket)
            if ref is None:
                ref = BucketRef(bucket_id=bucket, start=0, stored=0, inflated=0)
            elif ref.bucket_id != bucket:
                by_number = self._header.refs(number)
                ref = by_number[bucket]
            yield BucketRead(number, num_rows, wanted, ref)

    # ---- many buckets at once ----

    def _decode(self, reads: list[BucketRead]) -> list[list[pa.Array]]:
        blocks: list[BucketRead] = []
        stored = inflated = 0
        for read in reads:
            stored += read.ref.stored
            if read.layout is BucketLayout.MONOLITHIC and not read.wanted.is_nested:
                blocks.append(read)
                inflated += read.ref.inflated
                if inflated >= _INFLATED:
                    self._decode_blocks(blocks)
                    blocks, inflated = [], 0
        self._decode_blocks(blocks)
        decoded = []
        for read in reads:
            decoded.append(self._decode_bucket(read) if read.decoded is None else read.decoded)
            read.whole = read.decoded = None
        self._header.ranges.forget(stored, len(reads))
        return decoded

    def _decode_blocks(self, reads: list[BucketRead]) -> None:
        """Decodes buckets in one block each; those of which anything is wrong are left as they are."""
        inflated = self._inflated(reads)
        if inflated is None:
            return
        groups: dict[Selection, tuple[list[BucketRead], list[Any]]] = {}
        for read, block in zip(reads, inflated, strict=True):
            members, blocks = groups.setdefault(read.wanted, ([], []))
            members.append(read)
            blocks.append(block)
        for wanted, (members, blocks) in groups.items():
            found = arrays_of_blocks(wanted, blocks, [read.num_rows for read in members], self._limit)
            if found is not None and self._allowed(wanted, found):
                for read, arrays in zip(members, found, strict=True):
                    read.decoded = arrays

    def _inflated(self, reads: list[BucketRead]) -> Sequence[Any] | None:
        stored = [read.whole for read in reads]
        sizes = [read.ref.inflated for read in reads]
        if self._header.footer.compression == Compression.ZSTD:
            return inflate_frames(stored, sizes) if stored else None
        return stored if sizes == list(map(len, stored)) else None

    def _allowed(self, wanted: Selection, decoded: list[list[pa.Array]]) -> bool:
        """Whether columns that allow no nulls have none."""
        required = [place for place, position in enumerate(wanted.positions) if position in self._required]
        return not any(arrays[place].null_count for place in required for arrays in decoded)

    # ---- one bucket ----

    def _decode_bucket(self, read: BucketRead) -> list[pa.Array]:
        try:
            arrays = arrays_of(read.wanted, self._requests(read), self._limit)
        except ColumnFailure as failure:
            raise failed(self._header, read, failure.position, failure.error) from None
        for position, array in zip(read.wanted.positions, arrays, strict=True):
            if position in self._required and array.null_count:
                error = DecodeError("the column has nulls, its type allows none")
                raise failed(self._header, read, position, error)
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
            raise failed(self._header, read, failing_column(read.plan, error), error) from None

    def _page(self, read: BucketRead, slots: Slots, number: int) -> Request:
        try:
            return slots.request(number, read.block(number))
        except DecodeError as error:
            raise failed(self._header, read, read.plan.owner(number), error, slots.span(number)[0]) from None
