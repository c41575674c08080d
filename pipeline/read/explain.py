"""What a scan reads, and what it skips."""

from __future__ import annotations

from dataclasses import dataclass

from .plan import ScanPlan
from .reader import Counts


@dataclass(frozen=True, slots=True)
class ScanSummary:
    """What a scan reads.

    Attributes:
        version: of the table.
        files: that are read.
        files_total: of the version.
        row_groups: that are read.
        row_groups_total: of the files that are read.
        bytes: of these files.
        bytes_total: of all files.
        rows: that matched; None where nobody looked.
        undecided: parts of the predicate that exclude no file.
    """

    version: int
    files: int
    files_total: int
    row_groups: int
    row_groups_total: int
    bytes: int
    bytes_total: int
    rows: int | None
    undecided: tuple[str, ...]

    def __str__(self) -> str:
        rows = "" if self.rows is None else f"{self.rows:,} rows from "
        skipping = f", not used for skipping: {', '.join(self.undecided)}" if self.undecided else ""
        return (
            f"version {self.version}: {rows}{self.files:,} of {self.files_total:,} files "
            f"({self.bytes:,} of {self.bytes_total:,} bytes), "
            f"{self.row_groups:,} of their {self.row_groups_total:,} row groups{skipping}"
        )


def summarise(plan: ScanPlan, counts: Counts, rows: int | None) -> ScanSummary:
    """The summary of a plan that was carried out as ``counts`` say."""
    every = plan.snapshot.live_files
    return ScanSummary(
        plan.snapshot.version,
        len(plan.files),
        every.num_rows,
        counts.row_groups_read,
        counts.row_groups,
        sum(file.size for file in plan.files),
        sum(every["size"].to_pylist()),
        rows,
        tuple(plan.undecided),
    )
