"""Choice of the files that an optimization rewrites.

Files that one run wrote together are a cube: they were ordered, or at least packed, together. A run writes the
files that are in no cube yet. Existing cubes are only merged if there are enough of about the same size to make it
worth it. So a row is written once when it is new, and once for each power of `FANOUT` by which the table grows later,
and few cubes of each size remain, all of which a query must read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: The number of cubes of similar size from which they are merged.
FANOUT = 10
#: Compactions do not rewrite files of at least this share of the target size.
_LARGE = 0.75

#: Delta's names of the tags that describe a file's cube.
CUBE, COLUMNS, CURVE = "ZCUBE_ID", "ZCUBE_ZORDER_BY", "ZCUBE_ZORDER_CURVE"


@dataclass(frozen=True)
class Clustering:
    """The curve and columns by which a cube is ordered; no columns if files are only compacted."""

    curve: str = "none"
    columns: tuple[str, ...] = ()

    def tags(self, cube: str) -> dict[str, str]:
        """Returns the ``add.tags`` of the files of a cube with this id."""
        return {CUBE: cube, COLUMNS: json.dumps(list(self.columns)), CURVE: self.curve}

    def is_of(self, tags: Mapping[str, Any]) -> bool:
        """Returns True if a file with these ``add.tags`` is ordered by the same curve and columns."""
        return tags.get(CURVE) == self.curve and tags.get(COLUMNS) == json.dumps(list(self.columns))


@dataclass(frozen=True)
class Candidate:
    """A file of the table: number in the snapshot, bytes, serialized partition values, tags, whether rows are deleted."""

    number: int
    size: int
    partition: tuple[str | None, ...]
    tags: Mapping[str, Any] = field(default_factory=dict)
    deleted: bool = False


def files_to_rewrite(files: Iterable[Candidate], clustering: Clustering, target_bytes: int) -> list[list[int]]:
    """Returns the numbers of the files to rewrite, one sorted list per partition that has any.

    Args:
        files: the files that may be rewritten.
        clustering: the wanted order.
        target_bytes: target size of a file; in compaction, files of 75 % of it stay.
    """
    partitions: dict[tuple[str | None, ...], list[Candidate]] = {}
    for file in files:
        partitions.setdefault(file.partition, []).append(file)
    chosen = [_chosen(members, clustering, target_bytes) for members in partitions.values()]
    return [sorted(file.number for file in members) for members in chosen if members]


def _chosen(files: Sequence[Candidate], clustering: Clustering, target_bytes: int) -> list[Candidate]:
    cubes: dict[str, list[Candidate]] = {}
    chosen = []
    for file in files:
        if file.deleted:
            chosen.append(file)
        elif CUBE in file.tags and clustering.is_of(file.tags):
            cubes.setdefault(str(file.tags[CUBE]), []).append(file)
        elif clustering.columns or (CUBE not in file.tags and file.size < _LARGE * target_bytes):
            chosen.append(file)
    if not chosen:
        return []
    waiting = list(cubes.values())
    while len(similar := [cube for cube in waiting if _size(cube) <= 2 * _size(chosen)]) >= FANOUT - 1:
        chosen += [file for cube in similar for file in cube]
        waiting = [cube for cube in waiting if not any(cube is other for other in similar)]
    return chosen if clustering.columns or len(chosen) > 1 or any(file.deleted for file in chosen) else []


def _size(files: Iterable[Candidate]) -> int:
    return sum(file.size for file in files)


def packed(files: Sequence[Candidate], target_bytes: int) -> list[list[Candidate]]:
    """Returns the files in their order, split into bins of about ``target_bytes`` each."""
    bins: list[list[Candidate]] = []
    size = target_bytes
    for file in files:
        if size + file.size / 2 > target_bytes:
            bins.append([])
            size = 0
        bins[-1].append(file)
        size += file.size
    return bins
