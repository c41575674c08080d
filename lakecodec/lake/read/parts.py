"""Units of work of a scan, and its counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from .file_rows import OpenPart


#: The largest size in bytes of the column chunks of row groups that are joined into one stretch.
_STRETCH = 16 << 20
#: Files of a local disk that have at most this part of it together are read without threads.
_SMALL_PART = 4


class Sized(Protocol):
    """The interface of a data file of any kind of table."""

    @property
    def size(self) -> int:
        """The size in bytes."""
        ...


F = TypeVar("F", bound=Sized)


@dataclass(frozen=True, slots=True)
class ScanFile:
    """A data file to be read.

    Attributes:
        path: as in the log.
        size: in bytes.
        rows: number of rows from the log, without deleted ones; None if unknown.
        values: serialized partition values, in the order of the partition columns.
        number: index among the files of the version.
        deleted: its deletion vector's descriptor, as JSON; None without one.
        only: descriptor of a vector with the only rows to read; None for all.
    """

    path: str
    size: int
    rows: int | None
    values: tuple[str | None, ...]
    number: int = 0
    deleted: str | None = None
    only: str | None = None

    @property
    def by_position(self) -> bool:
        """True if rows are chosen by their position in the file, so that it is read from its start."""
        return self.deleted is not None or self.only is not None


@dataclass
class Counts:
    """Counters of a scan: row groups of the files, row groups read, and rows that matched.

    ``chosen`` has the numbers of the row groups by path of the file, if only footers are read.
    """

    row_groups: int = 0
    row_groups_read: int = 0
    rows: int = 0
    chosen: dict[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class FilePart(Generic[F]):
    """A file, or one of several equal shares of its row groups."""

    file: F
    share: int = 0
    shares: int = 1


class Stretch(NamedTuple):
    """Row groups that are read together, and their approximate size in the file in bytes."""

    row_groups: list[int]
    size: int


def stretches_of(sizes: Sequence[tuple[int, int]]) -> list[Stretch]:
    """Returns row groups, given as (number, size in bytes), with neighbours joined until they have 16 MiB."""
    found: list[Stretch] = []
    for number, size in sizes:
        if found and found[-1].size + size <= _STRETCH:
            last = found.pop()
            found.append(Stretch([*last.row_groups, number], last.size + size))
        else:
            found.append(Stretch([number], size))
    return found


def are_small(files: Iterable[Sized]) -> bool:
    """Returns True if files have so few bytes together, up to 4 MiB, that threads would cost more time than they save."""
    return sum(file.size for file in files) <= _STRETCH // _SMALL_PART


class PartReader(Protocol[F]):
    """Reader of files."""

    @property
    def counts(self) -> Counts:
        """Counts of what was read."""
        ...

    def opener(self) -> Callable[[FilePart[F]], OpenPart]:
        """Returns a thread-safe function that opens a file, or a share of it, and reads its footer."""
        ...
