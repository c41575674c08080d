"""The ends of many local files at once: a small read takes less time than Python's calls around it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence

from .errors import DecodeError
from .native import load
from .ranges import TAIL_SIZE, Buffer, RangeReader, TailCache, open_ranges

#: Fills parts of ``length`` bytes of a room, and equal parts of ``heads`` with the first bytes of the files; gives the
#: size, the bytes read of the end and the error number of each file.
Fill = Callable[[list[bytes], memoryview, int, memoryview], list[tuple[int, int, int]]]

#: Bytes of the beginning of each file that are read as well.
HEAD_SIZE = 16


class Tails:
    """The last TAIL_SIZE bytes of some files, each made an object when it is asked for, or the error of a file that
    cannot be read.

    They are there once `read` has been called for their numbers, by any thread. It reads ``length`` bytes of each, the
    others are read when a file is asked for. Files are closed again; a read before what is held opens one once more.

    Attributes:
        room: the end of file ``i``, ``length`` bytes at most, is at ``room[i * length:]``.
        length: see there.
        heads: the first HEAD_SIZE bytes of file ``i`` are at ``heads[i * HEAD_SIZE:]``.
        filled: (size, bytes held, error number) of each file.
    """

    def __init__(self, paths: Sequence[str], room: memoryview, length: int) -> None:
        self._paths = paths
        self.room = room
        self.length = length
        self.heads = memoryview(bytearray(HEAD_SIZE * len(paths)))
        self.filled: list[tuple[int, int, int]] = [(0, 0, 0)] * len(paths)

    def read(self, start: int, count: int) -> None:
        """Reads ``count`` files from number ``start`` on."""
        files = slice(start, start + count)
        room, heads = self.room[start * self.length :], self.heads[start * HEAD_SIZE : (start + count) * HEAD_SIZE]
        self.filled[files] = fill(list(map(os.fsencode, self._paths[files])), room, self.length, heads)

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, key: int) -> TailCache | Exception:
        number = range(len(self))[key]
        path, (size, held, error) = self._paths[number], self.filled[number]
        if error:
            return _problem(path, error)
        if held != min(size, self.length):
            offset = max(0, size - self.length) + held
            return DecodeError(f"the source ends early: it has {size} bytes", path=path, offset=offset)
        if held < min(size, TAIL_SIZE):
            return _whole(path)
        return _tail(path, size, self.room[number * self.length :][:held])


def _tail(path: str, size: int, tail: memoryview) -> TailCache:
    def fetch(offset: int, length: int) -> Buffer:
        with open_ranges(path) as ranges:
            return ranges.read(offset, min(length, max(0, ranges.size - offset)))

    ranges = RangeReader(path, size, fetch, _nothing)
    ranges.reads = 1
    return TailCache(ranges, tail=tail)


def _whole(path: str) -> TailCache | Exception:
    """The end of a file of which too little was read."""
    try:
        with open_ranges(path) as ranges:
            held = TailCache(ranges)
            return _tail(path, ranges.size, memoryview(held.read(held.start, ranges.size - held.start)))
    except (DecodeError, OSError) as error:
        return error


def _problem(path: str, number: int) -> OSError:
    if number == errno.EISDIR:
        return IsADirectoryError(f"source: {path!r} is a directory")
    return OSError(number, os.strerror(number), path)


def _nothing() -> None:
    pass


def pure_fill(paths: list[bytes], room: memoryview, length: int, heads: memoryview) -> list[tuple[int, int, int]]:
    """`Fill` in Python."""
    found = []
    head_length = len(heads) // max(1, len(paths))
    for number, path in enumerate(paths):
        size = held = error = 0
        part = room[number * length : (number + 1) * length]
        try:
            with open(path, "rb", buffering=0) as file:
                size = os.fstat(file.fileno()).st_size
                file.seek(max(0, size - length))
                while held < min(size, length) and (more := file.readinto(part[held : min(size, length)])):
                    held += more
                file.seek(0)
                file.readinto(heads[number * head_length : (number + 1) * head_length])
        except OSError as problem:
            error = problem.errno or errno.EIO
        found.append((size, held, error))
    return found


_native = load("runtime.native.file_reads")
BACKEND = "pure" if _native is None else "native"
fill: Fill = pure_fill if _native is None else _native.fill
