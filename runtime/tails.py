"""The ends of many local files at once: a small read takes less time than Python's calls around it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from typing import overload

from .errors import DecodeError
from .native import WANTED
from .ranges import TAIL_SIZE, Buffer, RangeReader, TailCache, open_ranges

#: Fills parts of ``length`` bytes of a room; gives the size, the bytes read and the error number of each file.
Fill = Callable[[list[bytes], memoryview, int], list[tuple[int, int, int]]]


class Tails(Sequence["TailCache | Exception"]):
    """The ends of some files, each made an object when it is asked for, or the error of a file that cannot be read.

    Attributes:
        room: the end of file ``i``, ``length`` bytes at most, is at ``room[i * length:]``.
        length: see there.
        filled: (size, bytes held, error number) of each file.
    """

    def __init__(self, paths: Sequence[str], room: memoryview, length: int, filled: list[tuple[int, int, int]]) -> None:
        self._paths = paths
        self.room = room
        self.length = length
        self.filled = filled

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, key: int) -> TailCache | Exception: ...
    @overload
    def __getitem__(self, key: slice) -> list[TailCache | Exception]: ...
    def __getitem__(self, key: int | slice) -> TailCache | Exception | list[TailCache | Exception]:
        if isinstance(key, slice):
            return [self[number] for number in range(len(self))[key]]
        number = range(len(self))[key]
        path, (size, held, error) = self._paths[number], self.filled[number]
        if error:
            return _problem(path, error)
        if held != min(size, self.length):
            offset = max(0, size - self.length) + held
            return DecodeError(f"the source ends early: it has {size} bytes", path=path, offset=offset)
        return _tail(path, size, self.room[number * self.length :][:held])


def read_tails(paths: Sequence[str], room: memoryview, length: int = TAIL_SIZE) -> Tails:
    """The last ``length`` bytes of each file, or the DecodeError or OSError of one that cannot be read.

    The files are closed again; a read before what is held opens one once more.

    Args:
        paths: of local files.
        room: ``length`` bytes for each file, which the results are views of.

    Raises:
        ValueError: a path has a null byte.
    """
    return Tails(paths, room, length, fill(list(map(os.fsencode, paths)), room, length))


def _tail(path: str, size: int, tail: memoryview) -> TailCache:
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
