"""Summary of what a scan reads and skips."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ...delta import decode_uri
from ...runtime.urls import with_options
from .parts import Counts
from .plan import ScanPlan, open_table, plan_table
from .where import Where, parse_where

#: The largest number of files that a summary's text names.
_SHOWN_FILES = 10


@dataclass(frozen=True, slots=True)
class ScanSummary:
    """Counts of a scan.

    Attributes:
        version: version of the table; None for files without a log.
        files: number of files that are read.
        files_total: number of files of the version.
        row_groups: number of row groups that are read.
        row_groups_total: number of row groups of the files that are read.
        bytes: size of the files that are read.
        bytes_total: size of all files.
        rows: number of rows that matched; None if no rows were read.
        undecided: parts of the predicate that exclude no file.
        chosen: only in results of `explain`: path of a file, relative to the table -> numbers of its row groups to
            read; the text shows the first ones.
    """

    version: int | None
    files: int
    files_total: int
    row_groups: int
    row_groups_total: int
    bytes: int
    bytes_total: int
    rows: int | None
    undecided: tuple[str, ...]
    chosen: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        version = "" if self.version is None else f"version {self.version}: "
        rows = "" if self.rows is None else f"{self.rows:,} rows from "
        skipping = f", not used for skipping: {', '.join(self.undecided)}" if self.undecided else ""
        lines = [f"\n  {path}: row groups {_ranges(groups)}" for path, groups in self.chosen.items() if groups]
        rest = f"\n  and {len(lines) - _SHOWN_FILES:,} more files" if len(lines) > _SHOWN_FILES else ""
        return (
            f"{version}{rows}{self.files:,} of {self.files_total:,} files "
            f"({self.bytes:,} of {self.bytes_total:,} bytes), "
            f"{self.row_groups:,} of their {self.row_groups_total:,} row groups{skipping}"
            f"{''.join(lines[:_SHOWN_FILES])}{rest}"
        )


def _ranges(numbers: Sequence[int]) -> str:
    """Returns ascending numbers as text: ``0-3, 7``."""
    ends: list[list[int]] = []
    for number in numbers:
        if ends and ends[-1][1] == number - 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in ends)


def summarise(plan: ScanPlan, counts: Counts, rows: int | None) -> ScanSummary:
    """Returns the summary of a plan and the counts of its run."""
    return ScanSummary(
        plan.version,
        len(plan.files),
        plan.files_total,
        counts.row_groups_read,
        counts.row_groups,
        sum(file.size for file in plan.files),
        plan.bytes_total,
        rows,
        tuple(plan.undecided),
        {decode_uri(path): groups for path, groups in counts.chosen.items()},
    )


def explain(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
    timezone: str = "UTC",
    storage_options: Mapping[str, Any] | None = None,
) -> ScanSummary:
    """Returns the counts of files and row groups that `lakecodec.pipeline.read` would read, from the log and footers only.

    The arguments are those of `lakecodec.pipeline.scan`; ``timezone`` is the name of the time zone of times without one.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        TypeError, ValueError, KeyError: a wrong argument.
    """
    tree = None if where is None else parse_where(where, timezone)
    plan = plan_table(open_table(with_options(path, storage_options), version, timestamp), columns, tree, timezone)
    return summarise(plan, plan.reader().count_row_groups(plan.files), None)
