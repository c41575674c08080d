"""Scan of row groups: buckets are fetched ahead, decoded by threads, and returned in order."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice, repeat
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from ..generated.mosaic import BucketLayout, Compression, layout_of
from ..runtime.columns import ColumnDecode, Numbers, column_memory, record_batch
from ..runtime.compress import are_large, by_the_dozen, one_by_one
from ..runtime.errors import DecodeError
from ..runtime.parallel import map_ahead, workers
from ..runtime.ranges import MemoryReader
from .bucket_read import BucketRead, failed
from .decode import Slots, absent_requests, arrays_of, arrays_of_blocks, block_requests, failing_column
from .errors import ColumnFailure
from .fetch import fetched, in_memory
from .header import Header
from .layout import Selection, split
from .runs import Piece, Run, bands

#: Runs that may be decoded before the caller asks for them.
_CALLS_AHEAD = 6

#: Columns with at most this many rows and bytes per row group share memory, since an array per column takes longer.
_SHORT_ROWS, _SHORT_BYTES = 4096, 32 * 1024

#: Uncompressed bytes of the wanted buckets from which short columns share blocks of megabytes.
_LARGE = 8 * 2**20

#: The layouts of buckets by whether their stored and inflated sizes are above 0; a layout depends on nothing else.
_LAYOUTS = np.array([[layout_of(stored, inflated) for inflated in (0, 1)] for stored in (0, 1)], np.int8)

#: Returns the bytes of the parts of some buckets of a run, bucket by bucket: `Gather` returns the bytes of all parts,
#: and where each part begins; `Apart` yields the bytes of each part when they are needed.
Gather: TypeAlias = Callable[[Numbers], tuple[Any, Numbers]]
Apart: TypeAlias = Callable[[Numbers], Iterator[Any]]


class Scan:
    """Reader of columns of row groups, in parts: a part is one bucket of one row group that has wanted columns.

    Args:
        header: of the file.
        positions: sorted positions of the columns, each once.
        row_groups: numbers of the row groups.
        limit: bytes that the wanted columns of a bucket may take in memory beyond the bytes that store them.
    """

    def __init__(self, header: Header, positions: Sequence[int], row_groups: Sequence[int], limit: int) -> None:
        self._header = header
        self._row_groups = row_groups
        self._limit = limit
        columns, num_buckets = header.columns, header.footer.num_buckets
        if len(positions) == len(columns):
            #: The position of each column among the columns of the buckets.
            self._order = list(positions)
            self._wanted = [Selection(plan, plan.positions) for plan in columns.plans]
            self._required = columns.required
        else:
            ascending = sorted(positions)
            self._order = [bisect_left(ascending, position) for position in positions]
            parts = split(ascending, len(columns), num_buckets)
            self._wanted = [Selection(columns.plan(bucket), part) for bucket, part in parts]
            self._required = columns.required.intersection(ascending)
        self._num_rows: list[int] = header.buckets.num_rows[row_groups].tolist()
        # One row per row group, one column per bucket.
        self._starts, self._stored, self._inflated = header.buckets.find(
            row_groups, [wanted.plan.bucket_id for wanted in self._wanted]
        )
        self._layouts = _LAYOUTS[np.sign(self._stored), np.sign(self._inflated)]
        can_be = np.array([not wanted.is_nested for wanted in self._wanted], bool)
        #: Whether columns are so short that they share memory. Callers cannot free one of them alone then.
        most = len(positions) * len(row_groups) * _SHORT_BYTES
        self._short = max(self._num_rows, default=0) <= _SHORT_ROWS and self._inflated.sum() <= most
        self._is_large = self._inflated.sum() >= _LARGE
        #: Memory with free space that no thread is decoding into.
        self._memories: deque[Any] = deque()
        #: Parts that `_blocks` may decode.
        self._in_one_block = (self._layouts == BucketLayout.MONOLITHIC) & can_be
        self._all_in_one_block = bool(self._in_one_block.all())
        self._is_zstd = header.footer.compression == Compression.ZSTD
        self._are_large = self._is_zstd and are_large(self._inflated[self._in_one_block])

    def table(self, schema: pa.Schema) -> pa.Table:
        """Returns all row groups as a table of ``schema``, that of the columns in the order of the positions.

        Raises:
            DecodeError: the bytes break a rule of the format, or the limit is exceeded.
            OSError: the source cannot be read.
        """
        pieces: list[list[Piece]] = [[] for _ in self._wanted]
        for piece in self._pieces():
            pieces[piece.wanted].append(piece)
        if not self._num_rows:
            return pa.Table.from_batches([], schema)
        if self._short and _are_batches(pieces):
            bands = zip(*pieces, strict=True)
            return pa.Table.from_batches(
                [record_batch([piece.arrays for piece in band], self._order, schema) for band in bands]
            )
        chunks = [column for found in pieces for column in zip(*(piece.arrays for piece in found), strict=True)]
        columns = [chunks[place] for place in self._order]
        return pa.Table.from_arrays(
            [column[0] if len(column) == 1 else pa.chunked_array(column) for column in columns], schema=schema
        )

    def row_groups(self) -> Iterator[list[pa.Array]]:
        """Yields the columns of each row group, in the order of the positions; errors as those of `columns`."""
        waiting: list[deque[Sequence[pa.Array]]] = [deque() for _ in self._wanted]
        num_rows = [iter(self._num_rows) for _ in self._wanted]
        pieces = self._pieces()
        for _ in self._row_groups:
            for queue in waiting:
                while not queue:
                    piece = next(pieces)
                    waiting[piece.wanted] += piece.split(list(islice(num_rows[piece.wanted], piece.num_groups)))
            found = [array for queue in waiting for array in queue.popleft()]
            yield [found[place] for place in self._order]

    def _pieces(self) -> Iterator[Piece]:
        """Yields the decoded pieces of all runs, in order."""
        values = np.outer(self._num_rows, [len(wanted.numbers) for wanted in self._wanted])
        found = list(bands(self._stored, self._inflated, values)) if self._wanted else []
        runs = list(chain.from_iterable(found))
        pool = workers() if len(runs) > 1 else None
        if self._header.ranges.in_memory:
            yield from chain.from_iterable(map_ahead(self._decode_mapped, runs, pool, _CALLS_AHEAD))
            return
        parts = ([[self._read(*part) for part in run.parts()] for run in band] for band in found)
        with closing(fetched(self._header, parts)) as reads:
            together = zip(runs, reads, strict=True)
            yield from chain.from_iterable(map_ahead(self._decode_fetched, together, pool, _CALLS_AHEAD))

    def _read(self, group: int, wanted: int) -> BucketRead:
        """Returns the state of a part that is to be read."""
        start, stored, inflated = (int(each[group, wanted]) for each in (self._starts, self._stored, self._inflated))
        layout = BucketLayout(int(self._layouts[group, wanted]))
        selection = self._wanted[wanted]
        return BucketRead(self._row_groups[group], self._num_rows[group], selection, start, stored, inflated, layout)

    # ---- a run ----

    def _decode_mapped(self, run: Run) -> list[Piece]:
        """Returns the columns of a run, from a source in memory."""
        ranges = self._header.ranges
        assert isinstance(ranges, MemoryReader)

        def read(group: int, wanted: int) -> BucketRead:
            return in_memory(self._header, self._read(group, wanted))

        def places(chosen: Numbers) -> tuple[Numbers, Numbers]:
            return _by_bucket(self._starts[run], chosen), _by_bucket(self._stored[run], chosen)

        def gather(chosen: Numbers) -> tuple[Any, Numbers]:
            return ranges.gather(*places(chosen))

        def apart(chosen: Numbers) -> Iterator[Any]:
            return map(ranges.piece, *(each.tolist() for each in places(chosen)))

        return self._decode(run, gather, apart, read)

    def _decode_fetched(self, fetched_run: tuple[Run, list[BucketRead]]) -> list[Piece]:
        """Returns the columns of a run whose bytes were fetched."""
        run, reads = fetched_run
        by_part = dict(zip(run.parts(), reads, strict=True))

        def apart(chosen: Numbers) -> Iterator[Any]:
            groups = range(run.groups.start, run.groups.stop)
            return (by_part[group, run.wanted.start + at].whole for at in chosen.tolist() for group in groups)

        def gather(chosen: Numbers) -> tuple[Any, Numbers]:
            stored = list(apart(chosen))
            return b"".join(stored), np.cumsum([0, *map(len, stored[:-1])], dtype=np.int64)

        return self._decode(run, gather, apart, lambda group, wanted: by_part[group, wanted])

    def _decode(self, run: Run, gather: Gather, apart: Apart, read: Callable[[int, int], BucketRead]) -> list[Piece]:
        """Returns the columns of a run.

        Args:
            gather, apart: return the bytes of the parts of some wanted buckets.
            read: returns any part with its bytes.
        """
        num_rows = self._num_rows[run.groups]
        pieces = []
        memory = self._memory() if self._short else None
        blocks = self._blocks(run, gather, apart)
        for wanted, selection in enumerate(self._wanted[run.wanted], run.wanted.start):
            found = arrays_of_blocks(selection, next(blocks), num_rows, self._limit, memory)
            if found is None or (self._required and not self._allowed(selection, found)):
                groups = range(run.groups.start, run.groups.stop)
                pieces += [Piece(wanted, 1, self._decode_bucket(read(group, wanted))) for group in groups]
            elif len(found) == 1:
                pieces.append(Piece(wanted, run.num_groups, found[0]))
            else:
                pieces += [Piece(wanted, 1, arrays) for arrays in found]
        self._memories.append(memory)
        return pieces

    def _memory(self) -> Any:
        """Returns memory for short columns, with what room earlier runs have left."""
        try:
            return self._memories.pop()
        except IndexError:
            return column_memory(is_large=self._is_large)

    def _blocks(self, run: Run, gather: Gather, apart: Apart) -> Iterator[Sequence[Any] | None]:
        """Returns an iterator over the uncompressed blocks of the row groups, for each wanted bucket of a run.

        None stands for blocks of buckets that are not monolithic in all row groups, or that are no whole frames.
        """
        if self._all_in_one_block:
            return self._inflate(run, np.arange(run.wanted.stop - run.wanted.start), gather, apart)
        in_one_block = self._in_one_block[run].all(0)
        chosen = np.flatnonzero(in_one_block)
        if not len(chosen):
            return repeat(None)
        blocks = self._inflate(run, chosen, gather, apart)
        return (next(blocks) if is_chosen else None for is_chosen in in_one_block.tolist())

    def _inflate(self, run: Run, chosen: Numbers, gather: Gather, apart: Apart) -> Iterator[Sequence[Any] | None]:
        """Returns an iterator over the uncompressed blocks of some wanted buckets of a run."""
        inflated = _by_bucket(self._inflated[run], chosen)
        if self._are_large:
            return one_by_one(apart(chosen), inflated, run.num_groups)
        stored = _by_bucket(self._stored[run], chosen)
        return (by_the_dozen if self._is_zstd else _slices)(*gather(chosen), stored, inflated, run.num_groups)

    def _allowed(self, wanted: Selection, decoded: list[Any]) -> bool:
        """Returns True if columns that are not nullable have no nulls."""
        required = [place for place, position in enumerate(wanted.positions) if position in self._required]
        return not any(columns.null_count(place) for place in required for columns in decoded)

    # ---- a part ----

    def _decode_bucket(self, read: BucketRead) -> list[pa.Array]:
        """Returns the columns of a part, decoded from its records."""
        try:
            arrays = arrays_of(read.wanted, self._requests(read), self._limit)
        except ColumnFailure as failure:
            raise failed(self._header, read, failure.position, failure.error) from None
        for position, array in zip(read.wanted.positions, arrays, strict=True):
            if position in self._required and array.null_count:
                error = DecodeError("the column has nulls, its type allows none")
                raise failed(self._header, read, position, error)
        return arrays

    def _requests(self, read: BucketRead) -> dict[int, ColumnDecode]:
        """Returns the requests of the wanted physical columns of a part, by number."""
        numbers = read.wanted.numbers
        if read.slots is not None:
            return {number: self._page(read, read.slots, number) for number in numbers}
        if read.layout == BucketLayout.EMPTY:
            return absent_requests(read.plan, read.num_rows, numbers)
        data, read.whole = read.whole, None
        try:
            return block_requests(
                read.plan, read.stored, read.inflated, self._header.footer, read.num_rows, data, numbers
            )
        except DecodeError as error:
            raise failed(self._header, read, failing_column(read.plan, error), error) from None

    def _page(self, read: BucketRead, slots: Slots, number: int) -> ColumnDecode:
        """Returns the request of a physical column of a paged bucket."""
        try:
            return slots.request(number, read.block(number))
        except DecodeError as error:
            raise failed(self._header, read, read.plan.owner(number), error, slots.span(number)[0]) from None


def _are_batches(pieces: Sequence[Sequence[Piece]]) -> bool:
    """Returns True if the pieces of all buckets have the same row groups, and no arrays yet."""
    spans = {tuple([piece.num_groups for piece in found]) for found in pieces}
    return len(spans) == 1 and not any(type(piece.arrays) is list for found in pieces for piece in found)


def _slices(
    data: Any, starts: Numbers, stored: Numbers, inflated: Numbers, count: int
) -> Iterator[Sequence[Any] | None]:
    """Yields ``count`` blocks at a time, given where they are stored; None for blocks of other sizes."""
    view = memoryview(data)
    places = zip(starts.tolist(), stored.tolist(), inflated.tolist(), strict=True)
    while part := list(islice(places, count)):
        whole = all(size == content for _, size, content in part)
        yield [view[start : start + size] for start, size, _ in part] if whole else None


def _by_bucket(numbers: Numbers, chosen: Numbers) -> Numbers:
    """Returns numbers of the parts of some buckets of a run, bucket by bucket."""
    return (numbers if len(chosen) == numbers.shape[1] else numbers[:, chosen]).T.ravel()
