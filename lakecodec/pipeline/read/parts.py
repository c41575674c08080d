"""What a task reads, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScanFile:
    """A data file to be read.

    Attributes:
        path: as in the log.
        size: in bytes.
        rows: as the log says, without deleted ones; None where it does not.
        values: the log's texts of the partition columns, in their order.
        number: its place among the files of the version.
        deleted: its deletion vector, as JSON.
    """

    path: str
    size: int
    rows: int | None
    values: tuple[str | None, ...]
    number: int = 0
    deleted: str | None = None


@dataclass
class Counts:
    """What a scan has read so far, of the files that it was given."""

    row_groups: int = 0
    row_groups_read: int = 0
    rows: int = 0


@dataclass(frozen=True)
class FilePart:
    """A file, or one of several equal shares of its row groups."""

    file: ScanFile
    share: int = 0
    shares: int = 1
