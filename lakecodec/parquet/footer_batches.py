"""Footers of many files, read in batches: local files with few system calls, others in threads."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..runtime.errors import DecodeError
from ..runtime.exact import check_type
from ..runtime.file_tails import Tails
from ..runtime.tail_cache import TAIL_SIZE, TailCache
from .footer import Footer, find_footer, read_footer
from .footer_cache import CachedFooters, FooterCache
from .sources import Source
from .tail_reads import ROOM, acquire_buffer, find_metadata, release_buffer
from .threads import map_threads

#: How a file that fails is reported: as an exception, or as a row with its message.
Errors = Literal["raise", "column"]

#: The number of files up to which a second thread does not pay.
FEW_FILES = 64
#: The number of local files whose ends are read per call.
_RUN = 16
#: The most files per batch. Batches of files with long footers are smaller: their footers fill one room, or they have
#: `_RUN` files.
_FILES = 512
#: The number of files per batch if all footers are cached.
_CACHED_FILES = 4096


@dataclass(frozen=True, slots=True)
class FooterBatch:
    """Files whose footers were read.

    Attributes:
        files: the sources of the batch.
        numbers: positions in ``files`` of those whose footers were found.
        metadata: the encoded FileMetaData of each of these.
        rests: `rest_of` each of these, as far as a cache has it, else 0.
        footer: returns the `Footer` of the file at a position.
        failed: errors of the other files by position.
        done: releases the memory of the footers; called once they are no longer used.
    """

    files: Sequence[Source]
    numbers: list[int]
    metadata: list[Any]
    rests: list[int]
    footer: Callable[[int], Footer]
    failed: dict[int, Exception]
    done: Callable[[], None]


def check_errors(errors: str) -> None:
    """Raises ValueError for anything but "raise" and "column"."""
    if errors not in ("raise", "column"):
        raise ValueError(f"errors: 'raise' or 'column' is needed, not {errors!r}")


def read_batches(
    files: Sequence[Source], errors: str, threads: int | None, cache: FooterCache | None = None
) -> Iterator[FooterBatch]:
    """Yields the footers of files in order, or one empty batch without files.

    Args:
        files: the files.
        errors: "raise" raises the error of a file that fails, "column" keeps it in ``failed``.
        threads: as in `map_threads`.
        cache: footers that are known; those that were not are added to it at the end.

    Raises:
        DecodeError, OSError: a file is invalid or cannot be read, or the cache cannot be written.
    """
    if cache is not None:
        check_type("cache", cache, FooterCache)
    cached = None if cache is None else cache.look_up(files)
    all_cached = cached is not None and len(cached) == len(files)
    reads = _Reads()
    if cached is None and len(files) > reads.files:
        reads.probe(files[0])
    start = 0
    while start < max(1, len(files)):
        # The batches have about the same size.
        left = len(files) - start
        size = -(-left // -(-left // (_CACHED_FILES if all_cached else reads.files))) if left else 1
        yield _read_batch(files[start : start + size], errors, threads, reads, cached, start)
        start += size
    if cached is not None:
        cached.save()


class _Reads:
    """Bytes to read at the end of each local file, adapted to the longest footer found so far, and files of a batch."""

    def __init__(self) -> None:
        self._longest = 0

    def probe(self, file: Source) -> None:
        """Looks how long the footer of a local file is, if it has one."""
        if file.is_local:
            with contextlib.suppress(DecodeError, OSError):
                footer = _read_one(file)
                self.found(footer.tail.size - footer.start)

    @property
    def length(self) -> int:
        return min(TAIL_SIZE, self._longest + self._longest // 4) or TAIL_SIZE

    @property
    def files(self) -> int:
        return max(_RUN, min(_FILES, ROOM // max(self.length, self._longest)))

    def found(self, longest: int) -> None:
        """Records the number of bytes that the longest footer of some files takes at the end of its file."""
        self._longest = max(self._longest, longest)


def _read_batch(
    batch: Sequence[Source], errors: str, threads: int | None, reads: _Reads, cached: CachedFooters | None, start: int
) -> FooterBatch:
    """Returns the footers of a batch of files, the first of which has the number ``start``."""
    known = [None if cached is None else cached.metadata(start + number) for number in range(len(batch))]
    missing = [number for number, metadata in enumerate(known) if metadata is None]
    if not missing:
        assert cached is not None or not batch

        def held(number: int) -> Footer:
            return cached.footer(start + number)  # type: ignore[union-attr]

        rests = [cached.rest(start + number) for number in range(len(batch))] if cached is not None else []
        return FooterBatch(batch, list(range(len(batch))), known, rests, held, {}, _nothing)
    read = _read_files([batch[number] for number in missing], errors, threads, reads)
    if cached is None:
        return read
    for number, metadata in zip(read.numbers, read.metadata, strict=True):
        cached.add(start + missing[number], metadata, read.footer(number).start)
    places = {number: place for place, number in enumerate(missing)}
    metadata = dict(zip(read.numbers, read.metadata, strict=True))
    failed = {missing[number]: error for number, error in read.failed.items()}
    numbers = [number for number in range(len(batch)) if number not in failed]

    def footer(number: int) -> Footer:
        return read.footer(places[number]) if number in places else cached.footer(start + number)

    found = [metadata[places[number]] if number in places else known[number] for number in numbers]
    rests = [cached.rest(start + number) for number in numbers]
    return FooterBatch(batch, numbers, found, rests, footer, failed, read.done)


def _read_files(files: Sequence[Source], errors: str, threads: int | None, reads: _Reads) -> FooterBatch:
    """Reads the footers of some files into one buffer of the pool."""
    room = acquire_buffer()

    def attempt(find: Callable[..., Footer], *arguments: Any) -> Footer | Exception:
        try:
            return find(*arguments)
        except (DecodeError, OSError) as error:
            if errors == "raise":
                raise
            return error

    def read(number: int) -> Footer | Exception:
        part = room.view[number * TAIL_SIZE : (number + 1) * TAIL_SIZE]
        return attempt(_read_one, files[number], part if len(part) == TAIL_SIZE else None)

    tails: Tails | None = None
    found: list[Any]
    if all(file.is_local for file in files):
        tails = _read_tails(files, room.view, reads.length, threads)
        metadata, longest = find_metadata(tails)
        reads.found(longest)
        found = [attempt(_found, tails[number]) if each is None else each for number, each in enumerate(metadata)]
    else:
        found = map_threads(read, range(len(files)), threads)

    def footer(number: int) -> Footer:
        known = found[number]
        if isinstance(known, Footer):
            return known
        assert tails is not None
        return _found(tails[number])

    failed = {number: error for number, error in enumerate(found) if isinstance(error, Exception)}
    numbers = [number for number in range(len(found)) if number not in failed]
    footers = (found[number] for number in numbers)
    metadata = [each.metadata if isinstance(each, Footer) else each for each in footers]
    return FooterBatch(files, numbers, metadata, [0] * len(numbers), footer, failed, lambda: release_buffer(room))


def _read_tails(files: Sequence[Source], room: memoryview, length: int, threads: int | None) -> Tails:
    """Reads the tails of local files, several files per call."""
    tails = Tails([file.value for file in files], room, length)

    def read(start: int) -> None:
        tails.read(start, min(_RUN, len(files) - start))

    map_threads(read, range(0, len(files), _RUN), threads, weight=_RUN)
    return tails


def _read_one(source: Source, room: memoryview | None = None) -> Footer:
    """Reads the footer of one source of any kind."""
    with source.open() as ranges:
        return read_footer(ranges, room)


def _found(tail: TailCache | Exception) -> Footer:
    """Returns the footer in a file tail, or raises the error that reading the tail gave."""
    if isinstance(tail, Exception):
        raise tail
    return find_footer(tail)


def _nothing() -> None:
    pass
