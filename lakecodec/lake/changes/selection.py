"""Choice of the files that a predicate affects, by the log's statistics."""

from __future__ import annotations

from collections.abc import Collection

from ...delta import PartitionCodec
from ..log import Add, Snapshot
from ..log.files import files_of, with_details
from ..read.bind import bind
from ..read.parts import ScanFile
from ..read.plan import plan_table
from ..read.predicate import Bound, Tree
from ..read.select import certain_files, select_files


class Selection:
    """A predicate on a snapshot.

    Args:
        snapshot: the version.
        tree: the predicate, or a weaker one that is true for all its rows; None for all rows.
        zone: time zone of times without one.
        exact: whether the tree is the whole predicate and can be decided here.
    """

    def __init__(self, snapshot: Snapshot, tree: Tree | None, zone: str = "UTC", *, exact: bool = True) -> None:
        self._snapshot, self._tree, self._zone, self._exact = snapshot, tree, zone, exact
        self._codec = table_codec(snapshot)

    def files(self) -> tuple[list[ScanFile], list[ScanFile]]:
        """Returns two lists: files of which the log proves that all rows match, and others that can have matching rows."""
        plan = plan_table(self._snapshot, self._snapshot.schema.names[:1], self._tree, self._zone)
        if plan.predicate is None:
            return (plan.files, []) if self._exact else ([], plan.files)
        every = self._snapshot.files_table()
        certain = certain_files(every, self._snapshot.schema, self._codec, plan.predicate) if self._exact else set()
        return (
            [file for file in plan.files if file.number in certain],
            [file for file in plan.files if file.number not in certain],
        )

    def may_match(self, add: Add) -> bool:
        """Returns True if a concurrently added file can have matching rows, by its partition values and statistics."""
        bound: Bound | None = None if self._tree is None else bind(self._tree, self._snapshot.schema, self._zone)
        return bool(select_files(with_details(files_of([add])), self._snapshot.schema, self._codec, bound))


def table_codec(snapshot: Snapshot) -> PartitionCodec:
    """Returns the codec of the table's partition values."""
    return PartitionCodec(snapshot.schema, snapshot.partition_columns or None)


def every_file(snapshot: Snapshot) -> list[ScanFile]:
    """Returns all data files of a snapshot."""
    return plan_table(snapshot, snapshot.schema.names[:1]).files


def rows_of(files: Collection[ScanFile]) -> int | None:
    """Returns the number of rows of files from the log; None if unknown."""
    rows = [file.rows for file in files]
    return None if None in rows else sum(number or 0 for number in rows)


def adds(snapshot: Snapshot, numbers: Collection[int]) -> list[Add]:
    """Returns the add actions of the files with these numbers, in the order of the numbers."""
    return [snapshot.files[number] for number in sorted(numbers)]
