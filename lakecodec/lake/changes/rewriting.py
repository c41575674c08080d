"""Changes of rows in this process: by deletion vectors if the table wants them, else by rewriting files."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...runtime.progress import Progress
from ...runtime.urls import is_store
from ..log import CommitInfo, Transaction
from ..log.deletion_vectors import Positions
from ..log.file_actions import DELETE, INSERT, POSTIMAGE, PREIMAGE
from ..log.row_tracking import Tracked, filled, kept_columns
from ..read.deleted import among
from ..read.parts import FilePart, ScanFile
from ..read.plan import plan_table
from ..read.predicate import Tree
from ..read.prefetch import read_ahead_by_file, read_in_turn
from ..writing.display import Display
from ..writing.messages import DataFile
from ..writing.plan import free_name, plan_rewrite
from ..writing.request import Request
from ..writing.rows import Rows
from ..writing.threads import write_batches
from .selection import rows_of
from .table_change import AffectedFile, TableChange

#: A row's key has the row's number in the file in these low bits, and the file's number above them.
_FILE_SHIFT = 40
_Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


@dataclass(frozen=True)
class Changed:
    """Rows after a change: which of them are gone, and the new values of the others.

    Attributes:
        deleted: per row whether it is deleted.
        new: the remaining rows in the table's columns, without those to compute; None if all are deleted.
    """

    deleted: _Mask
    new: pa.RecordBatch | None = None


class NumberedRows(NamedTuple):
    """Rows of a file, the number of the file in the version, and the numbers of the rows in the file."""

    file: int
    rows: pa.RecordBatch
    numbers: Positions


#: Rows per batch if only the numbers of rows are known, not their values.
_NUMBERED = 1 << 16
#: The first key of new rows.
_INSERTED = 1 << 62
#: A function called with rows that change, the number of their file, and their numbers in it.
Change = Callable[[pa.RecordBatch, int, Positions], Changed]


def delete_all(rows: pa.RecordBatch, file: int, numbers: Positions) -> Changed:
    """Returns a change that deletes all rows."""
    return Changed(np.ones(rows.num_rows, np.bool_))


class Rewrite(TableChange):
    """A change to the newest version of a table, see `TableChange` for arguments and errors.

    Args:
        progress: as of `write`.
    """

    def __init__(self, path: Any, deletion_vectors: bool | None, progress: bool | Progress) -> None:
        self.display = Display(progress)
        super().__init__(path, deletion_vectors)
        self._position = free_name("row", self.snapshot.schema.names)
        #: Row tracking columns (ids and versions of rows), which follow the table's columns.
        self.kept = kept_columns(self.snapshot.metadata)
        self._view = Tracked(self.snapshot, self.kept) if self.kept else self.snapshot
        #: The conversion of new rows to the table's columns.
        self.new_rows = Rows(self.snapshot.schema, self.snapshot.partition_columns)

    def rows(
        self,
        files: Sequence[ScanFile],
        columns: Sequence[str] | None = None,
        tree: Tree | None = None,
        *,
        ahead: bool = True,
    ) -> Iterator[NumberedRows]:
        """Yields the rows of files in their order, which threads read ``ahead``; ``tree`` excludes others.

        By default they have all columns of the table, and those of `kept`. Checksums of pages are verified: wrong values that are
        written again would get right checksums.
        """
        plan = plan_table(self._view, columns, tree, verify=True)
        reader = replace(plan.reader(threads=True), position=self._position)
        remote = is_store(plan.path)
        found = (
            read_ahead_by_file(reader, files, remote=remote) if ahead else read_in_turn(reader, map(FilePart, files))
        )
        with closing(found):
            for file, batch in found:
                numbers = batch.column(batch.num_columns - 1).to_numpy()
                rows = batch.select(list(plan.columns))
                if self.kept and columns is None:
                    rows = filled(rows, self.kept, self.snapshot.files[file.number], numbers)
                yield NumberedRows(file.number, rows, numbers)

    def search(
        self, files: Sequence[ScanFile], columns: Sequence[str], tree: Tree | None = None
    ) -> Iterator[NumberedRows]:
        """Yields rows as `rows` does, and shows which files are done."""
        add = self.display.step("Reading", rows_of(files))
        left = deque(files)
        for found in self.rows(files, columns, tree):
            while left[0].number != found.file:
                add(left.popleft().rows or 0)
            yield found
        for file in left:
            add(file.rows or 0)

    def run(
        self,
        transaction: Transaction,
        touched: Sequence[AffectedFile],
        change: Change,
        *,
        inserted: Iterable[pa.RecordBatch] = (),
        moves: bool = False,
        only_deletes: bool = False,
        old_values: bool = True,
    ) -> CommitInfo:
        """Writes the changed rows and commits the version.

        Args:
            transaction: gets the files.
            touched: the files with rows that change.
            change: changes rows.
            inserted: new rows that `new_rows` made, sorted by partition.
            moves: whether rows may move to other partitions.
            only_deletes: whether all these rows are deleted, so that files without other rows need not be read.
            old_values: whether ``change`` needs the values of rows, or only knows them by their numbers.
        """
        # The change data feed needs no change files for a version that only adds rows.
        feed = self.feed and bool(touched)
        with self.display, self.files() as write_id:
            key = free_name("key", self.snapshot.schema.names) if moves else None
            task = plan_rewrite(self.snapshot, Request.of(), self.kept).task(write_id, key, feed=feed)
            made = _ChangedRows(
                self,
                change,
                only_deletes=only_deletes,
                old_values=old_values or feed or bool(self.kept),
                feed=feed,
                keyed=moves,
            )
            with closing(made.of_files(_by_partition(touched))) as changed:
                rows = self.display.counted("Writing", chain(changed, made.inserted(inserted)))
                written = write_batches(task, rows, in_order=True)
            self.apply(transaction, touched, written, write_id)
            transaction.record_assigned(self.new_rows.marks)
            return self.done(transaction.commit(), written)

    def done(self, info: CommitInfo, files: Sequence[DataFile]) -> CommitInfo:
        """Returns ``info`` after printing the summary."""
        self.display.summary(info, files)
        return info


class _ChangedRows:
    """The rows that a change writes, in the columns that the write task takes."""

    def __init__(
        self, rewrite: Rewrite, change: Change, *, only_deletes: bool, old_values: bool, feed: bool, keyed: bool
    ) -> None:
        self._rewrite, self._change, self._old_values = rewrite, change, old_values
        self._only_deletes, self._feed, self._keyed = only_deletes, feed, keyed
        self._names = [*rewrite.snapshot.schema.names, *rewrite.kept]

    def of_files(self, touched: Sequence[AffectedFile]) -> Generator[pa.RecordBatch, None, None]:
        """Yields the rows of files that are written again, and the changes."""
        vectors, unread = self._rewrite.by_vectors, self._only_deletes and not self._feed
        #: Files of which not only the rows that change are read, and of these rows the numbers.
        whole = {part.file.number: part.positions for part in touched if not vectors and part.positions is not None}
        parts = [part for part in touched if part.file.number in whole or not unread]
        if vectors and not self._old_values:
            read: Iterator[NumberedRows] = (rows for part in parts for rows in _numbered(part))
        else:
            read = self._rewrite.rows([part.file if part.file.number in whole else part.alone() for part in parts])
        for number, rows, numbers in read:
            changes = among(numbers, whole[number]) if number in whole else np.ones(len(numbers), np.bool_)
            old = rows if changes.all() else rows.filter(pa.array(changes))
            found = self._change(old, number, numbers[changes])
            yield from self._rows(rows, numbers + (number << _FILE_SHIFT), changes, old, found)

    def inserted(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields new rows, and their changes for the feed."""
        start = _INSERTED
        for given in batches:
            rows = self._new(given, None)
            keys = np.arange(start, start + rows.num_rows)
            start += rows.num_rows
            yield self._output_rows(rows, keys, None)
            if self._feed:
                yield self._output_rows(rows, keys, INSERT)

    def _rows(
        self, rows: pa.RecordBatch, keys: Positions, changes: _Mask, old: pa.RecordBatch, found: Changed
    ) -> Iterator[pa.RecordBatch]:
        altered = keys[changes][~found.deleted]
        parts = [] if changes.all() else [(rows.filter(pa.array(~changes)), keys[~changes])]
        new = None
        if found.new is not None:
            new = self._new(self._rewrite.new_rows.of(found.new), old.filter(pa.array(~found.deleted)))
        if new is not None:
            parts.append((new, altered))
        if len(parts) == 1:
            yield self._output_rows(*parts[0], None)
        elif parts:
            order = np.concatenate([key for _, key in parts])
            places = np.argsort(order, kind="stable")
            table = pa.concat_tables([pa.table(part.columns, names=self._names) for part, _ in parts])
            for batch in table.take(pa.array(places)).combine_chunks().to_batches():
                yield self._output_rows(batch, order[places], None)
        if self._feed:
            mask = pa.array(found.deleted)
            yield self._output_rows(old.filter(mask), keys[changes][found.deleted], DELETE)
            if new is not None:
                yield self._output_rows(old.filter(pc.invert(mask)), altered, PREIMAGE)
                yield self._output_rows(new, altered, POSTIMAGE)

    def _new(self, rows: pa.RecordBatch, old: pa.RecordBatch | None) -> pa.RecordBatch:
        """Returns new rows with the row numbers of the ``old`` ones; their version is that of their file."""
        kept = self._rewrite.kept
        columns = [pa.nulls(rows.num_rows, pa.int64()) if old is None else old.column(name) for name in kept[:1]]
        columns += [pa.nulls(rows.num_rows, pa.int64()) for _ in kept[1:]]
        return pa.RecordBatch.from_arrays([*rows.columns, *columns], names=self._names) if kept else rows

    def _output_rows(self, batch: pa.RecordBatch, keys: Positions, kind: str | None) -> pa.RecordBatch:
        """Returns rows with columns for the type of change and the key, if the task wants these."""
        columns = list(batch.columns)
        if self._feed:
            columns.append(pa.repeat(pa.scalar(kind, pa.string()), batch.num_rows))
        if self._keyed:
            columns.append(pa.array(keys, pa.int64()))
        return pa.RecordBatch.from_arrays(columns, names=[str(index) for index in range(len(columns))])


def _numbered(part: AffectedFile) -> Iterator[NumberedRows]:
    """Yields the rows of a file that change, of which nothing is known but their numbers."""
    assert part.positions is not None
    for start in range(0, len(part.positions), _NUMBERED):
        numbers = part.positions[start : start + _NUMBERED]
        yield NumberedRows(part.file.number, pa.record_batch([pa.array(numbers)], names=["row"]), numbers)


def _by_partition(touched: Iterable[AffectedFile]) -> list[AffectedFile]:
    """Returns files ordered by partition, so that new files of a partition are begun only once."""
    return sorted(touched, key=lambda part: ([(text is not None, text) for text in part.file.values], part.file.number))
