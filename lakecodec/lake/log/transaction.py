"""Optimistic transactions: collects actions, detects conflicts and commits the next version."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .actions import Action, Metadata, Protocol, Txn
from .attempt import Attempt
from .checkpoint_write import is_due
from .cleanup import clean_log
from .column_mapping import mapping_mode, partition_keys
from .column_rules import with_marks
from .commit import Commit
from .commit_info import CommitInfo, commit_info, count_files, milliseconds, provenance, written_time
from .conflicts import Footprint, Matches, Reads, check_conflicts
from .definition import Change, check_feed, define, evolve, redefine, since_here
from .deletion_vectors import unique_id
from .errors import ConflictError, LogError, UnknownOutcomeError
from .file_actions import Add, ChangeFile, Remove
from .files import identity
from .properties import APPEND_ONLY, DELETION_VECTORS
from .protocol import check_writable
from .row_tracking import numbered
from .schema import from_delta, to_delta

if TYPE_CHECKING:
    from .log import Log
    from .snapshot import Snapshot

_LOGGER = logging.getLogger(__name__)
_ATTEMPTS = 100
#: Pauses between attempts in seconds: random, up to `_PAUSE`, which doubles per attempt until `_LONGEST_PAUSE`.
_PAUSE = 0.005
_LONGEST_PAUSE = 0.5


class Transaction:
    """An optimistic transaction: collects adds, removes and a new definition; nothing is visible before `commit`.

    A transaction that only adds files is a blind append: if others come first, it is retried on the next version as
    long as the table's definition stays. One that removes files depends on the whole table, unless `depends_on`
    restricts this. Not thread-safe.

    Args:
        log: the table's log.
        read: the version that the work is based on; None if there was no table. If others create the same table
            meanwhile, the transaction becomes an append to it, unless it has called `depends_on`.
        operation: ``operation`` of the commitInfo: ``WRITE``, ``DELETE``, ``CREATE TABLE AS SELECT``, ...
        parameters: ``operationParameters`` of the commitInfo.
        txn_id: application id of a txn action, which makes the commit idempotent: committing another transaction of the
            same id returns the first one's commit and changes nothing. By default a random one, without a txn action.
        txn_sequence: number of this transaction among those of ``txn_id``, for an application that counts them itself: the
            commit is a repetition if the table has one of this number or a later one. By default the id stands for
            one commit, and its number is the version of the table.
        metrics: ``operationMetrics`` of the writer; numbers of files, rows and bytes are added.

    Raises:
        ValueError: ``txn_id`` is empty or not a str.
        UnsupportedTableError: the table uses a feature that cannot be written here.
    """

    def __init__(
        self,
        log: Log,
        read: Snapshot | None,
        operation: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        txn_id: str | None = None,
        txn_sequence: int | None = None,
        metrics: Mapping[str, Any] | None = None,
    ) -> None:
        if txn_id is not None and (not isinstance(txn_id, str) or not txn_id):
            raise ValueError("txn_id: a text that is not empty is needed")
        if read is not None:
            check_writable(read.protocol, read.metadata)
        self.log = log
        self.read = read
        self.operation = operation
        self.parameters = dict(parameters or {})
        self.metrics = dict(metrics or {})
        self._attempt = Attempt.of(txn_id, txn_sequence)
        #: The transaction's id in the history, given or random.
        self.txn_id = self._attempt.txn_id
        #: Whether `commit` found that a transaction of the same id was made before; its own files are then not used.
        self.repeated = False
        self._change = Change()
        self._adds: dict[str, Add] = {}
        self._removes: dict[str, tuple[Add, bool]] = {}
        self._change_files: list[ChangeFile] = []
        self._matches: list[Matches] = []
        self._files: list[Reads] = []
        self._reads: set[str] = set()
        self._replaced: Matches | None = None
        self._exclusive = False
        self._made: CommitInfo | None = None

    def set_schema(
        self,
        schema: pa.Schema,
        partition_columns: Sequence[str] = (),
        format: str = "parquet",
        properties: Mapping[str, str] | None = None,
    ) -> None:
        """Sets the definition: creates the table, or changes an existing one's definition if it differs.

        Nullable columns can be added at any time. Every other change, including that of partition columns or of the
        files' format, requires that all files are removed.

        Args:
            schema: Arrow schema, partition columns included.
            partition_columns: names of the partition columns.
            format: "parquet" or "mosaic".
            properties: properties to add, see `properties.configured`.

        Raises:
            SchemaMismatchError: a Delta table cannot have a type or a name.
            KeyError: a partition column does not exist.
            ValueError: ``format`` is neither "parquet" nor "mosaic".
        """
        self._change = define(self.read, schema, partition_columns, format, properties)

    def evolve_schema(self, schema: pa.Schema) -> None:
        """Sets the schema of an existing table to its `schema.merged_schema`; the files stay."""
        assert self.read is not None
        self._change = evolve(self.read, schema)

    def set_metadata(self, metadata: Metadata, protocol: Protocol | None = None) -> None:
        """Sets the metaData action, and the protocol if given; the caller guarantees that remaining files fit it."""
        self._change = Change(metadata, protocol, trusted=True)

    def record_assigned(self, marks: Mapping[str, int]) -> None:
        """Records the last assigned number per identity column."""
        if marks:
            metadata = self._metadata()
            schema = with_marks(from_delta(metadata.schema_string), marks)
            trusted = self._change.trusted or self._change.metadata is None
            changed = replace(metadata, schema_string=to_delta(schema))
            self._change = replace(self._change, metadata=changed, trusted=trusted)

    def add(self, add: Add) -> None:
        """Adds a data file, which must be complete and on disk.

        Raises:
            ValueError: the file was already added.
        """
        if identity(add.path) in self._adds:
            raise ValueError(f"add: {add.path!r} is added twice")
        self._adds[identity(add.path)] = add

    def remove(self, add: Add, *, data_change: bool = True) -> None:
        """Removes a data file of the version read; the file itself stays for older versions.

        Args:
            add: its add action.
            data_change: False if its rows are in files that this transaction adds.
        """
        self._removes[identity(add.path)] = (add, data_change)

    def use_deletion_vectors(self) -> None:
        """Adds the feature of deletion vectors to the table if it lacks it."""
        assert self.read is not None
        configuration = {**self.read.metadata.configuration, DELETION_VECTORS.name: "true"}
        needed = redefine(self.read, replace(self.read.metadata, configuration=configuration)).protocol
        self._change = replace(self._change, protocol=needed)

    def add_changes(self, file: ChangeFile) -> None:
        """Adds a file of changed rows; a transaction's files must have all rows that it changes, or there must be none."""
        self._change_files.append(file)

    def depends_on(self, matches: Matches | None = None) -> None:
        """Declares a read of the files for whose partition values ``matches`` is true; None for the whole table.

        The commit is refused if other transactions added or removed such files since the version read. Several
        declarations add up. ``matches`` is called with the serialized values by column, None for null.
        """
        if matches is None:
            self._exclusive = True
        else:
            self._matches.append(matches)

    def depends_on_files(self, reads: Reads, of: Iterable[Add] = ()) -> None:
        """Declares a read by files: the commit is refused if others added a file for which ``reads`` is true.

        Files that others removed do not matter, unless this transaction removes them, too, or they are among ``of`` and
        their rows were not only moved.
        """
        self._files.append(reads)
        self._reads.update(identity(add.path) for add in of)

    def replace(self, matches: Matches | None = None) -> None:
        """Removes all files for whose partition values ``matches`` is true, or all files for None; see `depends_on`.

        The files are determined when the version is made, and include files to which others moved rows meanwhile.
        """
        self.depends_on(matches)
        self._replaced = matches or (lambda values: True)
        self._remove_replaced()

    def commit(self) -> CommitInfo:
        """Commits the next version of the table and returns its description; a second call returns the same.

        A checkpoint follows if it is due by the table's interval; its failure is only logged.

        Raises:
            ConflictError: others came first and conflict with this transaction, or 100 attempts lost the race. Not
                committed.
            UnknownOutcomeError: the storage failed and the outcome is unknown; repeating with the error's ``txn_id`` is
                safe.
            CommitRefusedError: the file system has no put-if-absent. Not committed.
            LogError: the definition and the files do not fit, or there is no definition. Not committed.
            OSError: the storage failed. Not committed.
        """
        if self._made is not None:
            return self._made
        self._check()
        for attempt in range(_ATTEMPTS):
            current = self.log.newest()
            if current is not None and (earlier := self._attempt.earlier(current)) is not None:
                self.repeated = True
                self._made = earlier
                return earlier
            self._rebase(current)
            version = 0 if current is None else current.version + 1
            actions = self._actions(current, version)
            try:
                self.log.put(version, actions)
            except UnknownOutcomeError as error:
                safe = self._attempt.failed(version)
                raise UnknownOutcomeError(f"{error}; repeating with txn_id={safe!r} is safe", safe, version) from error
            except ConflictError:
                time.sleep(random.uniform(0, min(_LONGEST_PAUSE, _PAUSE * 2**attempt)))
                continue
            commit = Commit.of(version, actions)
            time_of = partial(self.log.times.of_new, version, commit.info)
            # The time is that of the commit's file. A store is asked for it only on access.
            self._made = commit_info(commit, time_of if self.log.storage.local is None else time_of())
            self._checkpoint(version)
            return self._made
        raise ConflictError(f"{_ATTEMPTS} attempts to commit {self.operation} all conflicted with other writers")

    def _check(self) -> None:
        """Raises LogError for actions that no version of the table may contain."""
        if self.read is None and self._change.metadata is None:
            raise LogError("a table that does not exist needs a schema: call set_schema")
        both = [
            path
            for path in self._adds.keys() & self._removes.keys()
            if unique_id(self._adds[path].deletion_vector) == unique_id(self._removes[path][0].deletion_vector)
        ]
        if both:
            raise LogError(f"{min(both)!r} is both added and removed")
        metadata = self._metadata()
        keys = set(metadata.partition_columns)
        if keys and mapping_mode(metadata.configuration) != "none":
            keys = set(partition_keys(from_delta(metadata.schema_string), keys))
        for add in self._adds.values():
            if set(add.partition_values) != keys:
                raise LogError(
                    f"{add.path!r} has values of the partition columns {sorted(add.partition_values)}, "
                    f"the table has {sorted(keys)}"
                )
        if self._change.metadata is not None:
            check_feed(metadata, from_delta(metadata.schema_string).names)
        if self.read is None:
            return
        if APPEND_ONLY.of(self.read.metadata) and any(data_change for _, data_change in self._removes.values()):
            raise LogError(f"the table is append-only ({APPEND_ONLY.name}), its rows cannot be removed")
        if self._change.metadata is not None:
            paths = self.read.live_files["path"].to_pylist()
            self._change.check(self.read, emptied=all(identity(path) in self._removes for path in paths))

    def _metadata(self) -> Metadata:
        """Returns the metaData action after the commit."""
        if self._change.metadata is not None:
            return self._change.metadata
        assert self.read is not None
        return self.read.metadata

    def _rebase(self, current: Snapshot | None) -> None:
        """Rebases the transaction on ``current``; ConflictError if commits since the version read contradict it."""
        read = self.read
        if current is None:
            if read is not None:
                raise ConflictError("the table was deleted")
            return
        if read is None:
            versions = range(current.version + 1)
            if self._exclusive or self._matches or self._files:
                raise ConflictError("the table was created by another transaction", versions)
            if not self._change.joins(current):
                raise ConflictError("another transaction created the table, with another definition", versions)
            self._change = Change()
        elif current.version != read.version:
            footprint = Footprint(
                metadata=read.metadata,
                # An add may only replace the statistics of an existing file, which must then still exist.
                removes=self._removes.keys() | self._adds.keys(),
                replaces=self._replaced is not None,
                reads=self._reads,
                matches=self._matches,
                files=self._files,
                whole_table=self._exclusive or (bool(self._removes) and not self._matches and not self._files),
                defines=self._change.metadata is not None,
            )
            check_conflicts(footprint, map(self.log.commit, range(read.version + 1, current.version + 1)))
            check_writable(current.protocol, current.metadata)
        changed = read is not None and current.version != read.version
        self.read = current
        if changed:
            self._remove_replaced()

    def _remove_replaced(self) -> None:
        if self._replaced is not None and self.read is not None:
            matching = [add for add in self.read.files if self._replaced(add.partition_values)]
            self._removes = {identity(add.path): (add, True) for add in matching}

    def _actions(self, current: Snapshot | None, version: int) -> list[Action]:
        now = self._time(current)
        change = self._change if current is None else since_here(self._change, current.metadata, version, now)
        base = current.protocol if current is not None else Protocol()
        adds, domains = numbered(self._adds.values(), version, current, change.protocol or base)
        # A file that only gets another deletion vector is neither new nor gone.
        new = [add for path, add in self._adds.items() if path not in self._removes]
        gone = [add for path, (add, _) in self._removes.items() if path not in self._adds]
        metrics = count_files(new, gone) | self.metrics
        if self._change_files:
            metrics["numAddedChangeFiles"] = len(self._change_files)
        described = provenance(
            self.operation,
            now=now,
            version=version,
            txn_id=self.txn_id,
            parameters=self.parameters,
            metrics=metrics,
            metadata=self._metadata(),
            append=not (self._removes or self._matches or self._files or self._exclusive),
        )
        actions: list[Action] = [described]
        actions += [action for action in (change.protocol, change.metadata, *domains) if action is not None]
        if self._attempt.given:
            sequence = self._attempt.sequence
            actions.append(Txn(self.txn_id, version if sequence is None else sequence, now))
        actions += [Remove.of(add, now, data_change=changes) for add, changes in self._removes.values()]
        return [*actions, *adds, *self._change_files]

    def _time(self, current: Snapshot | None) -> int:
        """Returns the commit time in milliseconds, later than that of the previous commit."""
        now = time.time_ns() // 1_000_000
        if current is None:
            return now
        try:
            before = written_time(self.log.commit_fields(current.version))
        except LogError:  # cleaned up; a checkpoint replaces it
            return now
        return now if before is None else max(now, milliseconds(before) + 1)

    def _checkpoint(self, version: int) -> None:
        if not is_due(version, self._metadata()):
            return
        try:
            self.log.checkpoint(version)
            clean_log(self.log, self._metadata())
        except Exception as error:
            # The commit is already made, even if the checkpoint fails.
            _LOGGER.warning("no checkpoint or cleanup of version %d of %s: %s", version, self.log.path, error)
