"""The ends of many local files at once: a small read takes less time than Python's calls around it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence

from .errors import DecodeError
from .native import WANTED
from .ranges import TAIL_SIZE, Buffer, RangeReader, TailCache, open_ranges

#: Fills parts of ``length`` bytes of a room; gives the size, the bytes read and the error number of each file.
Fill = Callable[[list[bytes], memoryview, int], list[tuple[int, int, int]]]


def read_tails(paths: Sequence[str], room: memoryview) -> list[TailCache | Exception]:
    """The last TAIL_SIZE bytes of each file, or the DecodeError or OSError of one that cannot be read.

    The files are closed again; a read before what is held opens one once more.

    Args:
        paths: of local files.
        room: TAIL_SIZE bytes for each file, which the results are views of.

    Raises:
        ValueError: a path has a null byte.
    """
    filled = fill(list(map(os.fsencode, paths)), room, TAIL_SIZE)
    return [
        _tail(path, size, room[number * TAIL_SIZE :][:held]) if not error else _problem(path, error)
        for number, (path, (size, held, error)) in enumerate(zip(paths, filled, strict=True))
    ]


def _tail(path: str, size: int, tail: memoryview) -> TailCache | DecodeError:
    if len(tail) != min(size, TAIL_SIZE):
        offset = max(0, size - TAIL_SIZE) + len(tail)
        return DecodeError(f"the source ends early: it has {size} bytes", path=path, offset=offset)

    def fetch(offset: int, length: int) -> Buffer:
        with open_ranges(path) as ranges:
            return ranges.read(offset, min(length, max(0, ranges.size - offset)))

    ranges = RangeReader(path, size, fetch, _nothing)
    ranges.reads = 1
    return TailCache(ranges, tail=tail)


def _problem(path: str, number: int) -> OSError:
    if number == errno.EISDIR:
        return IsADirectoryError(f"source: {path!r} is a directory")
    return OSError(number, os.strerror(number), path)


def _nothing() -> None:
    pass


def pure_fill(paths: list[bytes], room: memoryview, length: int) -> list[tuple[int, int, int]]:
    """`Fill` in Python."""
    found = []
    for number, path in enumerate(paths):
        size = held = error = 0
        part = room[number * length : (number + 1) * length]
        try:
            with open(path, "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(0, size - length))
                while held < min(size, length) and (more := file.readinto(part[held : min(size, length)])):
                    held += more
        except OSError as problem:
            error = problem.errno or errno.EIO
        found.append((size, held, error))
    return found


fill: Fill = pure_fill
BACKEND = "pure"

if WANTED:
    try:
        from .native import file_reads
    except ImportError:
        pass
    else:
        BACKEND = "native"
        fill = file_reads.fill
