"""A change to the newest version of a table: the common part of changes with and without Spark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..log import Add, CommitInfo, Log, Snapshot, Transaction, UnknownOutcomeError
from ..log.deletion_vectors import Positions, deleted_positions
from ..log.file_actions import with_wide_bounds
from ..log.properties import CHANGE_DATA_FEED, DELETION_VECTORS
from ..log.protocol import check_writable
from ..log.storage import table_path
from ..log.vector_write import inline_descriptor, write_vectors
from ..read.open_file import open_data_file
from ..read.parts import ScanFile
from ..writing.messages import DataFile
from ..writing.orphans import begin, delete_orphans


@dataclass(frozen=True)
class AffectedFile:
    """A file with rows that change.

    Attributes:
        file: the file.
        positions: row numbers of these rows, ascending; None for all.
    """

    file: ScanFile
    positions: Positions | None = None

    def alone(self) -> ScanFile:
        """Returns the file restricted to the rows that change."""
        if self.positions is None:
            return self.file
        return replace(self.file, only=json.dumps(inline_descriptor(self.positions)))


class TableChange:
    """A change to the newest version of a table.

    Args:
        path: path or URL of the table.
        deletion_vectors: True to keep files and mark rows as deleted; None for the table's property.

    Attributes:
        log: the table's log.
        snapshot: the version read.
        feed: whether changed rows are to be written for the readers of changes.
        by_vectors: whether deletion vectors are written.

    Raises:
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        CommitRefusedError: the file system has no put-if-absent.
    """

    def __init__(self, path: Any, deletion_vectors: bool | None) -> None:
        if not isinstance(deletion_vectors, bool | None):
            raise TypeError(f"deletion_vectors: True, False or None is needed, not {deletion_vectors!r}")
        self.log = Log(table_path(path))
        self.log.storage.check_put()
        self.snapshot: Snapshot = self.log.snapshot()
        check_writable(self.snapshot.protocol, self.snapshot.metadata)
        self.feed = CHANGE_DATA_FEED.of(self.snapshot.metadata)
        self.by_vectors = DELETION_VECTORS.of(self.snapshot.metadata) if deletion_vectors is None else deletion_vectors

    @contextmanager
    def files(self) -> Iterator[str]:
        """Context manager that yields a write id for new files, and deletes these files if the block raises.

        They stay if the outcome of the commit is unknown or a version has them.
        """
        write_id = begin(self.log.storage, is_table=True)
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

    def apply(
        self, transaction: Transaction, touched: Sequence[AffectedFile], written: Sequence[DataFile], write_id: str
    ) -> None:
        """Adds new files to a transaction, and removes the files with rows that change or marks these rows as deleted."""
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
        for file in written:
            if (changes := file.changes) is not None:
                transaction.add_changes(changes)
            else:
                transaction.add(file.add)

    def unchanged(self) -> CommitInfo:
        """Returns the commit of the current version, for a change that has nothing to do."""
        return self.log.info(self.snapshot.version)

    def _vectors(self, touched: Sequence[AffectedFile]) -> dict[int, Positions]:
        """Returns a dict of file number -> rows deleted after the change, for files that keep some rows."""
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
        """Returns the number of rows in a file, including deleted ones; from its footer if the log does not have it."""
        if add.num_records is not None:
            return add.num_records
        storage = self.log.storage
        opened = open_data_file(
            self.snapshot.format, storage.filesystem, storage.locate(add.path), self.snapshot.schema, size=add.size
        )
        try:
            return opened.num_rows
        finally:
            opened.close()
