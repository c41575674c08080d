"""Distribution of files over few, large partitions: a Python task costs 30-70 ms, a footer less than 1 ms."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from .listing import FileEntry

FILES_PER_PARTITION = 50
# What opening a file costs, in bytes read: keeps thousands of tiny files from landing in one partition.
OPEN_COST = 1 << 20


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
