"""Distribution of the files of a scan over tasks: few and large ones, as a Python task costs 30-70 ms."""

from __future__ import annotations

from collections.abc import Sequence

from ..listing import FileEntry
from ..partitioning import OPEN_COST, balance
from .parts import FilePart, ScanFile

#: Bytes of files that are worth a task of their own.
SMALL_TASK_BYTES = 4 << 20
#: Bytes of files that a task gets at most, unless a file cannot be cut.
TASK_BYTES = 128 << 20


def spread(files: Sequence[ScanFile], parallelism: int, partitions: int | None = None) -> list[list[FilePart]]:
    """Returns lists of files, or of shares of large ones, of about equal size in bytes; none is empty.

    Args:
        files: files to be read.
        parallelism: how many tasks run at a time.
        partitions: how many lists to make; None for at most 128 MiB each, up to ``parallelism`` lists of 4 MiB or more.
    """
    total = sum(file.size + OPEN_COST for file in files)
    if not files:
        return []
    count = partitions or max(-(-total // TASK_BYTES), min(parallelism, -(-total // SMALL_TASK_BYTES)))
    parts = [part for file in files for part in _shares(file, max(SMALL_TASK_BYTES, -(-total // count)))]
    entries = [FileEntry(str(number), part.file.size // part.shares) for number, part in enumerate(parts)]
    return [[parts[int(number)] for number in chosen] for chosen in balance(entries, count)]


def _shares(file: ScanFile, most: int) -> list[FilePart]:
    shares = -(-file.size // most)
    return [FilePart(file, share, shares) for share in range(shares)]
