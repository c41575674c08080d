"""File tails of many local files at once; native code reads them without a Python call for each file."""

from __future__ import annotations

import errno
import os
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from .errors import DecodeError
from .native import load
from .ranges import Buffer, RangeReader, open_ranges
from .tail_cache import TAIL_SIZE, TailCache

#: Reads the tails of files. Per file it fills ``length`` bytes of a buffer, HEAD_SIZE bytes of ``heads`` with the first
#: bytes of the file, and three numbers: the file's size, the number of bytes read from its end, and the error number.
Fill = Callable[[list[str], memoryview, int, memoryview, memoryview], None]

#: Bytes that are also read from the start of each file.
HEAD_SIZE = 16
#: The largest signed 64-bit number; inodes may exceed it.
_LARGEST = 2**63 - 1


class Tails:
    """The file tails (last TAIL_SIZE bytes) of many local files.

    An item is a `TailCache`, made on access, or the exception of a file that cannot be read. Items are available once
    `read` has been called for their numbers, by any thread. `read` fetches ``length`` bytes of each file; the rest of a
    longer tail is read on access. Files are not kept open; a read before the tail opens the file again.

    Attributes:
        room: the last bytes of file ``i``, at most ``length``, begin at ``room[i * length]``.
        length: bytes of each file that `read` fetches.
        heads: the first HEAD_SIZE bytes of file ``i`` begin at ``heads[i * HEAD_SIZE]``.
        filled: size, bytes held and error number of each file, one after the other; int64.
    """

    def __init__(self, paths: Sequence[str], room: memoryview, length: int) -> None:
        self._paths = paths
        self.room = room
        self.length = length
        self.heads = memoryview(bytearray(HEAD_SIZE * len(paths)))
        self.filled = memoryview(array("q", bytes(24 * len(paths))))

    def read(self, start: int, count: int) -> None:
        """Reads the tails and heads of ``count`` files from number ``start`` on; errors are kept for the access to the item."""
        end = start + count
        heads, filled = self.heads[start * HEAD_SIZE : end * HEAD_SIZE], self.filled[3 * start : 3 * end]
        fill(list(self._paths[start:end]), self.room[start * self.length :], self.length, heads, filled)

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, key: int) -> TailCache | Exception:
        number = range(len(self))[key]
        path, (size, held, error) = self._paths[number], self.filled[3 * number : 3 * number + 3]
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
    """Returns the tail of a file of which `read` fetched too little, or the error of reading it."""
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


def pure_fill(paths: list[str], room: memoryview, length: int, heads: memoryview, found: memoryview) -> None:
    """`Fill` in pure Python."""
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
        for place, value in enumerate((size, held, error)):
            found[3 * number + place] = value


def pure_states(paths: list[bytes], room: Any) -> None:
    """Fills one row of four int64 per file: its size, the time of the last change of it or of its inode in nanoseconds
    since 1970, its inode, and its own modification time; -1 if the file cannot be examined."""
    if room.shape != (len(paths), 4):
        raise ValueError("room: four numbers per file are needed")
    for number, path in enumerate(paths):
        try:
            found = os.stat(path)
        except (OSError, ValueError):
            room[number] = -1
            continue
        modified = found.st_mtime_ns
        room[number] = found.st_size, max(modified, found.st_ctime_ns), found.st_ino & _LARGEST, modified


_native = load("runtime.native.file_reads")
BACKEND = "pure" if _native is None else "native"
fill: Fill = pure_fill if _native is None else _native.fill
states: Callable[[list[bytes], Any], None] = pure_states if _native is None else _native.states
