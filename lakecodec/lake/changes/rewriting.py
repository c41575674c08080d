"""Changes of rows in this process: by deletion vectors where the table asks for them, else by rewriting files."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..log import Add, CommitInfo, Log, Snapshot, Transaction, UnknownOutcomeError
from ..log.deletion_vectors import Positions, deleted_positions
from ..log.file_actions import DELETE, INSERT, POSTIMAGE, PREIMAGE, with_wide_bounds
from ..log.properties import CHANGE_DATA_FEED, DELETION_VECTORS
from ..log.protocol import check_writable
from ..log.storage import table_path
from ..log.vector_write import inline_descriptor, write_vectors
from ..read.deleted import among
from ..read.open_file import open_data_file
from ..read.parts import FilePart, ScanFile
from ..read.plan import plan_table
from ..read.predicate import Tree
from ..writing.messages import DataFile
from ..writing.orphans import begin, delete_orphans
from ..writing.plan import free_name, plan_rewrite
from ..writing.request import Request
from ..writing.rows import Rows
from ..writing.summary import summary
from ..writing.threads import write_batches

#: A row is found again by its number in the file, below that of the file.
_FILE_SHIFT = 40
_Mask: TypeAlias = "np.ndarray[Any, np.dtype[np.bool_]]"


@dataclass(frozen=True)
class Touched:
    """A file with rows that change.

    Attributes:
        file: the file.
        positions: numbers of these rows, ascending; None for all.
    """

    file: ScanFile
    positions: Positions | None = None


@dataclass(frozen=True)
class Changed:
    """Rows after a change: which of them are gone, and the others as they are to be.

    Attributes:
        deleted: for each row whether it is gone.
        new: the rows that are not, in the table's columns; None where all are gone.
    """

    deleted: _Mask
    new: pa.RecordBatch | None = None


#: Keys of new rows begin here.
_INSERTED = 1 << 62
#: Gets rows that change, the number of their file and their numbers in it.
Change = Callable[[pa.RecordBatch, int, Positions], Changed]


def delete_all(rows: pa.RecordBatch, file: int, numbers: Positions) -> Changed:
    """Returns that all rows are gone."""
    return Changed(np.ones(rows.num_rows, np.bool_))


@dataclass
class Rewrite:
    """A change to the newest version of a table.

    Args:
        path: path or URL of the table.
        deletion_vectors: True to leave files as they are and mark rows as deleted; None for the table's property.
        progress: True to print a summary on standard error.

    Raises:
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        CommitRefusedError: the file system has no put-if-absent.
    """

    path: Any
    deletion_vectors: bool | None
    progress: bool
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if not isinstance(self.deletion_vectors, bool | None):
            raise TypeError(f"deletion_vectors: True, False or None is needed, not {self.deletion_vectors!r}")
        self.log = Log(table_path(self.path))
        self.log.storage.check_put()
        self.snapshot: Snapshot = self.log.snapshot()
        check_writable(self.snapshot.protocol, self.snapshot.metadata)
        self.feed = CHANGE_DATA_FEED.of(self.snapshot.metadata)
        given = self.deletion_vectors
        self.by_vectors = DELETION_VECTORS.of(self.snapshot.metadata) if given is None else given
        self._position = free_name("row", self.snapshot.schema.names)

    def rows(
        self,
        touched: Touched,
        columns: Sequence[str] | None = None,
        tree: Tree | None = None,
    ) -> Iterator[tuple[pa.RecordBatch, Positions]]:
        """Yields rows of a file with their numbers in it: those that change, or all; ``tree`` excludes others."""
        plan = plan_table(self.snapshot, columns, tree)
        reader = replace(plan.reader(threads=True), position=self._position)
        file = touched.file
        if touched.positions is not None:
            file = replace(file, only=json.dumps(inline_descriptor(touched.positions)))
        for batch in reader.read([FilePart(file)]):
            numbers = batch.column(batch.num_columns - 1).to_numpy()
            yield batch.select(list(plan.columns)), numbers

    def positions(self, file: ScanFile, columns: Sequence[str], tree: Tree | None) -> Positions:
        """Returns the numbers of the rows of a file for which a predicate is true."""
        found = [numbers for _, numbers in self.rows(Touched(file), columns, tree)]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def run(
        self,
        transaction: Transaction,
        touched: Sequence[Touched],
        change: Change,
        *,
        inserted: Iterable[pa.RecordBatch] = (),
        moves: bool = False,
        only_deletes: bool = False,
    ) -> CommitInfo:
        """Writes the changed rows and commits the version.

        Args:
            transaction: gets the files.
            touched: files with rows that change.
            change: changes rows.
            inserted: new rows, sorted by partition.
            moves: whether rows may get into other partitions.
            only_deletes: whether all these rows are gone, so that files without others need not be read.
        """
        # A version that only adds rows needs no word of it.
        feed = self.feed and bool(touched)
        with self.files() as write_id:
            key = free_name("key", self.snapshot.schema.names) if moves else None
            task = plan_rewrite(self.snapshot, Request.of()).task(write_id, key, feed=feed)
            made = _Made(self, change, only_deletes=only_deletes, feed=feed, keyed=moves)
            batches = (batch for part in _by_partition(touched) for batch in made.of_file(part))
            written = write_batches(task, chain(batches, made.inserted(inserted)), in_order=True)
            vectors = self._vectors(touched) if self.by_vectors else {}
            descriptors = write_vectors(self.log.storage, list(vectors.values()), write_id)
            for number, descriptor in zip(vectors, descriptors, strict=True):
                old = self.snapshot.files[number]
                stats = with_wide_bounds(old.stats, self._rows_of(old))
                transaction.add(replace(old, deletion_vector=descriptor, stats=stats, data_change=True))
            if vectors:
                transaction.use_deletion_vectors()
                transaction.metrics["numDeletionVectorsAdded"] = len(vectors)
            for part in touched:
                transaction.remove(self.snapshot.files[part.file.number])
            for data_file in written:
                if (changes := data_file.changes) is not None:
                    transaction.add_changes(changes)
                else:
                    transaction.add(data_file.add)
            return self.done(transaction.commit(), written)

    def _vectors(self, touched: Sequence[Touched]) -> dict[int, Positions]:
        """Returns by number of the file the rows that are deleted after the change, for files that keep some."""
        found = {}
        for part in touched:
            if part.positions is None:
                continue
            gone = part.positions
            if part.file.deleted is not None:
                gone = np.union1d(deleted_positions(self.log.storage, part.file.deleted), gone)
            if len(gone) < self._rows_of(self.snapshot.files[part.file.number]):
                found[part.file.number] = gone
        return found

    def _rows_of(self, add: Add) -> int:
        """Returns the number of rows in a file, deleted ones included; from its footer where the log does not tell."""
        if add.num_records is not None:
            return add.num_records
        storage = self.log.storage
        opened = open_data_file(
            self.snapshot.format, storage.filesystem, storage.locate(add.path), self.snapshot.schema
        )
        try:
            return opened.num_rows
        finally:
            opened.close()

    @contextmanager
    def files(self) -> Iterator[str]:
        """Context manager that yields a write id for new files, and deletes these files if the block raises.

        They stay where the outcome of the commit is unknown, and where a version has them.
        """
        write_id = begin(self.log.storage)
        try:
            yield write_id
        except UnknownOutcomeError:
            raise
        except BaseException:
            delete_orphans(self.log, write_id, self.snapshot.version + 1)
            raise

    def transaction(self, operation: str, parameters: Mapping[str, Any]) -> Transaction:
        """Returns a transaction on the version read."""
        return Transaction(self.log, self.snapshot, operation, parameters=parameters)

    def done(self, info: CommitInfo, files: Sequence[DataFile]) -> CommitInfo:
        """Returns ``info`` after printing the summary."""
        if self.progress:
            print(summary(info, files, time.monotonic() - self.started), file=sys.stderr)
        return info

    def unchanged(self) -> CommitInfo:
        """Returns the commit of the current version, for a change that has nothing to do."""
        return self.log.info(self.snapshot.version)


class _Made:
    """The rows that a change writes, in the columns that the write task takes."""

    def __init__(self, rewrite: Rewrite, change: Change, *, only_deletes: bool, feed: bool, keyed: bool) -> None:
        self._rewrite, self._change = rewrite, change
        self._only_deletes, self._feed, self._keyed = only_deletes, feed, keyed
        snapshot = rewrite.snapshot
        self._names = snapshot.schema.names
        self._checked = Rows(snapshot.schema, snapshot.partition_columns)

    def of_file(self, touched: Touched) -> Iterator[pa.RecordBatch]:
        """Yields the rows of a file that are written again, and its changes."""
        rewrite, number = self._rewrite, touched.file.number
        alone = rewrite.by_vectors or touched.positions is None  # whether rows that change are read without the others
        if alone and self._only_deletes and not self._feed:
            return
        for rows, numbers in rewrite.rows(touched if alone else Touched(touched.file)):
            changes = np.ones(len(numbers), np.bool_)
            if not alone and touched.positions is not None:
                changes = among(numbers, touched.positions)
            old = rows if changes.all() else rows.filter(pa.array(changes))
            found = self._change(old, number, numbers[changes])
            yield from self._rows(rows, numbers + (number << _FILE_SHIFT), changes, old, found)

    def inserted(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields new rows, and the changes that they are."""
        start = _INSERTED
        for batch in batches:
            rows = self._checked.of(batch)
            keys = np.arange(start, start + rows.num_rows)
            start += rows.num_rows
            yield self._given(rows, keys, None)
            if self._feed:
                yield self._given(rows, keys, INSERT)

    def _rows(
        self, rows: pa.RecordBatch, keys: Positions, changes: _Mask, old: pa.RecordBatch, found: Changed
    ) -> Iterator[pa.RecordBatch]:
        altered = keys[changes][~found.deleted]
        parts = [] if changes.all() else [(rows.filter(pa.array(~changes)), keys[~changes])]
        new = None if found.new is None else self._checked.of(found.new)
        if new is not None:
            parts.append((new, altered))
        if len(parts) == 1:
            yield self._given(*parts[0], None)
        elif parts:
            order = np.concatenate([key for _, key in parts])
            places = np.argsort(order, kind="stable")
            table = pa.concat_tables([pa.table(part.columns, names=self._names) for part, _ in parts])
            for batch in table.take(pa.array(places)).combine_chunks().to_batches():
                yield self._given(batch, order[places], None)
        if self._feed:
            mask = pa.array(found.deleted)
            yield self._given(old.filter(mask), keys[changes][found.deleted], DELETE)
            if new is not None:
                yield self._given(old.filter(pc.invert(mask)), altered, PREIMAGE)
                yield self._given(new, altered, POSTIMAGE)

    def _given(self, batch: pa.RecordBatch, keys: Positions, kind: str | None) -> pa.RecordBatch:
        """Returns rows with the type of change and the key behind them, where the task wants these."""
        columns = list(batch.columns)
        if self._feed:
            columns.append(pa.repeat(pa.scalar(kind, pa.string()), batch.num_rows))
        if self._keyed:
            columns.append(pa.array(keys, pa.int64()))
        return pa.RecordBatch.from_arrays(columns, names=[str(index) for index in range(len(columns))])


def _by_partition(touched: Iterable[Touched]) -> list[Touched]:
    """Returns files of one partition after each other, so that its new files need not be begun more than once."""
    return sorted(touched, key=lambda part: ([(text is not None, text) for text in part.file.values], part.file.number))
