"""The footers of many local files, found with NumPy for all files at once."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

from ..generated.parquet_file import File, Head, Tail
from ..runtime.file_tails import HEAD_SIZE, Tails
from ..runtime.ranges import TAIL_SIZE
from .footer import SMALLEST_FILE

if TYPE_CHECKING:
    from ..runtime.columns import RecordScan


def find_metadata(tails: Tails) -> tuple[list[memoryview | None], int]:
    """Returns the encoded FileMetaData of each file, and the bytes at the end of a file that the longest of the footers takes.

    An entry is None if `find_footer` has to read more of the file, or to raise its error. Views are into
    ``tails.room``.
    """
    import numpy as np

    sizes, held, errors = np.array(tails.filled, np.int64).reshape(-1, 3).T
    first = np.arange(len(tails)) * tails.length + held - sizes  # where the first byte of each file would be
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
    # As of files that are read one by one: where the first read would bring the head.
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
