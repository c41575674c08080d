"""Distribution of files over few, large tasks: a Python task costs 30-70 ms, a footer less than 1 ms."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ..lake.listing import FileEntry
from ..lake.read.parts import F, FilePart

FILES_PER_PARTITION = 50
# The cost of opening a file, in bytes. It keeps thousands of tiny files from sharing one partition.
OPEN_COST = 1 << 20
#: The bytes of files that justify a task of their own.
SMALL_TASK_BYTES = 4 << 20
#: The most bytes of files per task, unless a file cannot be split.
TASK_BYTES = 128 << 20


def default_partitions(num_files: int, parallelism: int) -> int:
    """Returns the number of partitions for so many files: one per 50 files, at least 1 and at most ``parallelism``."""
    return max(1, min(parallelism, -(-num_files // FILES_PER_PARTITION)))


def balance(files: Sequence[FileEntry], partitions: int) -> list[list[str]]:
    """Returns at most ``partitions`` lists of paths of about equal weight, each in the order of ``files``; none is empty.

    The weight of a file is its size in bytes plus 1 MiB for opening it. Files are assigned greedily: largest first, each to
    the lightest list.
    """
    count = min(partitions, len(files))
    heap = [(0, index) for index in range(count)]
    members: list[list[int]] = [[] for _ in range(count)]
    for position in sorted(range(len(files)), key=lambda i: files[i].size, reverse=True):
        weight, index = heapq.heappop(heap)
        members[index].append(position)
        heapq.heappush(heap, (weight + files[position].size + OPEN_COST, index))
    return [[files[position].path for position in sorted(chosen)] for chosen in members]


def spread(files: Sequence[F], parallelism: int, partitions: int | None = None) -> list[list[FilePart[F]]]:
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


def _shares(file: F, most: int) -> list[FilePart[F]]:
    shares = -(-file.size // most)
    return [FilePart(file, share, shares) for share in range(shares)]
