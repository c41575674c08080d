"""The footers of many local files: their ends are read into one buffer, and found there with NumPy for all files at once."""

from __future__ import annotations

import contextlib
import mmap
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..generated.parquet_file import File, Head, Tail
from ..runtime.file_tails import HEAD_SIZE, Tails
from ..runtime.tail_cache import TAIL_SIZE
from .footer import SMALLEST_FILE

if TYPE_CHECKING:
    from ..runtime.columns import RecordScan

#: The bytes per room, which is a buffer for footers.
ROOM = 8 << 20
#: The most rooms that are kept: as many as one call uses on few processors.
_MOST_KEPT = 4
_kept: list[TailBuffer] = []


def find_metadata(tails: Tails) -> tuple[list[memoryview | None], int]:
    """Returns the encoded FileMetaData of each file, and the bytes at the end of a file that the longest of the footers takes.

    An entry is None if `find_footer` has to read more of the file, or to raise its error. Views are into
    ``tails.room``.
    """
    import numpy as np

    sizes, held, errors = np.frombuffer(tails.filled, np.int64).reshape(-1, 3).T
    first = np.arange(len(tails)) * tails.length + held - sizes  # where each file's first byte would be
    heads, ends = _readers()

    start, size = File.place("tail", sizes)
    found = ends.read(tails.room, start + first, np.full(len(tails), size), file_size=np.ascontiguousarray(sizes))
    if found is None:
        return [None] * len(tails), tails.length
    good, tail = found
    start, length = File.place("meta", sizes, tail=SimpleNamespace(**tail))
    good = good & (errors == 0) & (held == np.minimum(sizes, tails.length)) & (sizes >= SMALLEST_FILE)
    longest = int((sizes - start)[good].max(initial=0))
    good &= start >= sizes - held

    at, size = File.place("head", sizes)
    found = heads.read(tails.heads, np.arange(len(tails)) * HEAD_SIZE + at, np.full(len(tails), size))
    # The head is checked only if the first read contains it, as when files are read one by one.
    good &= (sizes > TAIL_SIZE) | (found is not None and at + size <= HEAD_SIZE and found[0])

    room, begins = tails.room, (start + first).tolist()
    metadata = [
        room[begin : begin + count] if is_good else None
        for is_good, begin, count in zip(good.tolist(), begins, length.tolist(), strict=True)
    ]
    return metadata, longest


@cache
def _readers() -> tuple[RecordScan, RecordScan]:
    """Returns the column readers of the leading magic and of the last 8 bytes of files."""
    from ..runtime.columns import RecordScan

    return RecordScan(Head, []), RecordScan(Tail, ["meta_size"])


class TailBuffer:
    """A buffer of `ROOM` bytes for the tails of many files.

    Newly allocated memory costs a page fault for each of its memory pages, more than the read itself; so buffers are
    kept.
    """

    def __init__(self) -> None:
        flags: dict[str, Any] = (
            {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_ANONYMOUS") else {}
        )
        memory = mmap.mmap(-1, ROOM, **flags)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with contextlib.suppress(OSError):  # the kernel may be built without huge pages
                memory.madvise(mmap.MADV_HUGEPAGE)
        self.view = memoryview(memory)


def acquire_buffer() -> TailBuffer:
    """Returns an unused buffer of the pool, or a new one if there is none; safe to call from several threads."""
    try:
        return _kept.pop()
    except IndexError:
        return TailBuffer()


def release_buffer(room: TailBuffer) -> None:
    """Returns a buffer to the pool, which keeps at most 4; nothing may refer to the tails in ``room`` any more."""
    if len(_kept) < _MOST_KEPT:
        _kept.append(room)
