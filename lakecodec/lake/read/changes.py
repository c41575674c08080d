"""Change data feed: the rows that versions of a table inserted, deleted and updated (PROTOCOL.md, Change Data Files).

If a version has files of changed rows, these are its changes. Otherwise the rows of its added files were inserted
and those of removed files deleted. A row's version, time and (in files without it) type of change are the same for
a whole file, so these columns are planned and read as partition columns are.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

from ...runtime.urls import is_store, with_options
from ..log import (
    Add,
    Log,
    LogError,
    Metadata,
    SchemaMismatchError,
    Snapshot,
    VersionNotFoundError,
    check_fits,
    from_delta,
)
from ..log.column_mapping import mapped_schema, mapping_mode, physical_path, remapped
from ..log.commit import Commit
from ..log.errors import no_table
from ..log.file_actions import CHANGE_TYPE, COMMIT_TIMESTAMP, COMMIT_VERSION, DELETE, INSERT, Remove
from ..log.files import files_of, identity, with_details
from ..log.log import moment
from ..log.properties import CHANGE_DATA_FEED
from .file_rows import OpenPart
from .parts import Counts, FilePart, ScanFile
from .plan import ScanPlan, chosen_columns, plan_table
from .predicate import Tree
from .prefetch import read_ahead
from .reader import TableReader
from .scan import TableScan
from .where import check_names, parse_where

#: A version by its number, or by a time.
Moment = int | datetime | str


@dataclass(frozen=True)
class Change:
    """A file whose chosen rows were all changed.

    Attributes:
        add: the file; its deletion vector excludes rows that were not changed.
        version: the version that changed them.
        kind: `INSERT` or `DELETE`; None if a column of the rows says it.
        only: descriptor of the deletion vector with the changed rows; None for all.
        removed: True for a file of the previous version.
    """

    add: Add
    version: int
    kind: str | None = None
    only: Mapping[str, Any] | None = None
    removed: bool = False


@dataclass(frozen=True)
class ChangedRows:
    """Files of changed rows as a table for `plan_table`, all with the same layout, and with or without the type of change.

    Attributes:
        snapshot: the last version, which determines the columns.
        changes: the files.
        times: times of the versions.
        typed: whether the type of change is in the files.
        layout: the partition columns of these files, which may differ from the last version's.
    """

    snapshot: Snapshot
    changes: Sequence[Change]
    times: Mapping[int, datetime]
    typed: bool
    layout: tuple[str, ...]

    @property
    def log(self) -> Log:
        return self.snapshot.log

    @property
    def version(self) -> int:
        return self.snapshot.version

    @property
    def format(self) -> str:
        return self.snapshot.format

    @property
    def schema(self) -> pa.Schema:
        return feed_schema(self.snapshot.schema)

    @property
    def partition_columns(self) -> tuple[str, ...]:
        own = (COMMIT_VERSION, COMMIT_TIMESTAMP) if self.typed else (CHANGE_TYPE, COMMIT_VERSION, COMMIT_TIMESTAMP)
        return (*self.layout, *own)

    def files_table(self) -> pa.Table:
        return with_details(files_of(map(self._file, self.changes)))

    def plan(self, columns: Sequence[str], tree: Tree | None, zone: str) -> ScanPlan:
        """Returns the plan of a scan; see `plan_table`."""
        found = plan_table(self, columns, tree, zone)
        only = [None if change.only is None else json.dumps(change.only) for change in self.changes]
        return replace(found, files=[replace(file, only=only[file.number]) for file in found.files])

    def _file(self, change: Change) -> Add:
        values = {COMMIT_VERSION: str(change.version), COMMIT_TIMESTAMP: self.times[change.version].isoformat()}
        if not self.typed:
            values[CHANGE_TYPE] = change.kind or ""
        return replace(change.add, partition_values={**change.add.partition_values, **values})


class ChangeScan(TableScan):
    """A planned scan of changes, oldest version first.

    Attributes:
        plan: all files, with the columns and schema of the scan.
    """

    def __init__(self, plans: Sequence[ScanPlan]) -> None:
        super().__init__(
            replace(
                plans[0],
                files=[file for plan in plans for file in plan.files],
                files_total=sum(plan.files_total for plan in plans),
                bytes_total=sum(plan.bytes_total for plan in plans),
            )
        )
        self._plans = tuple(plans)
        self._parts = [_ChangeFile(number, file) for number, plan in enumerate(plans) for file in plan.files]
        place = [plan.partition_columns.index(COMMIT_VERSION) for plan in plans]
        self._parts.sort(key=lambda part: int(part.file.values[place[part.plan]] or 0))

    def _read(self, counts: Counts) -> Iterator[pa.RecordBatch]:
        reader = _ChangeReader([plan.reader(threads=True) for plan in self._plans], counts)
        yield from read_ahead(reader, self._parts, remote=is_store(self.plan.path))


class _ChangeFile(NamedTuple):
    """A file of changes, and the number of its plan."""

    plan: int
    file: ScanFile

    @property
    def size(self) -> int:
        return self.file.size


class _ChangeReader(NamedTuple):
    """Reader of the files of several plans, see `PartReader`."""

    readers: Sequence[TableReader]
    counts: Counts

    def opener(self) -> Callable[[FilePart[_ChangeFile]], OpenPart]:
        openers = [reader.opener() for reader in self.readers]
        return lambda part: openers[part.file.plan](FilePart(part.file.file))


def feed_schema(table: pa.Schema) -> pa.Schema:
    """Returns a table's columns with those of the feed: `CHANGE_TYPE`, `COMMIT_VERSION` and `COMMIT_TIMESTAMP`."""
    kinds = {CHANGE_TYPE: pa.string(), COMMIT_VERSION: pa.int64(), COMMIT_TIMESTAMP: pa.timestamp("us", "UTC")}
    return pa.schema([*table, *(pa.field(name, kind) for name, kind in kinds.items())])


def open_changes(
    path: str | os.PathLike[str],
    start: Moment,
    end: Moment | None = None,
    *,
    columns: Sequence[str] | None = None,
    where: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> ChangeScan:
    """Returns a scan of changes, planned but not run; arguments and errors are those of `scan_changes`."""
    log = Log(with_options(path, storage_options))
    tree = None if where is None else parse_where(where)
    first, last = version_range(log, start, end)
    snapshot = log.snapshot(last)
    if tree is not None:
        check_names(tree, feed_schema(snapshot.schema))
    return ChangeScan(change_plans(snapshot, first, columns, tree))


def scan_changes(
    path: str | os.PathLike[str],
    start: Moment,
    end: Moment | None = None,
    *,
    columns: Sequence[str] | None = None,
    where: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.RecordBatchReader:
    """Returns a RecordBatchReader of the rows that versions of a table changed, oldest version first; without Spark.

    The table must have had ``delta.enableChangeDataFeed`` in all of these versions. Columns are those of the last one,
    followed by
    ``_change_type`` (insert, delete, update_preimage, update_postimage), ``_commit_version`` and ``_commit_timestamp``.

    Args:
        path: path or URL of the table.
        start: the first version, or the first at this time or later; a time is a datetime or a text in ISO 8601, in UTC
            UTC without a zone.
        end: the last version, or the last at this time; None for the newest.
        columns: names of the wanted columns in order; None for all.
        where: a predicate as in `scan`, over all these columns.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        LogError: a version was made without the feed, or its columns do not fit those of the last one.
        KeyError: an unknown column.
        TypeError, ValueError: a wrong argument, or a predicate that only Spark can decide.
    """
    return open_changes(with_options(path, storage_options), start, end, columns=columns, where=where).reader()


def version_range(log: Log, start: Moment, end: Moment | None) -> tuple[int, int]:
    """Returns the first and the last version of a range.

    Raises:
        TypeError, ValueError: the arguments are not a range.
        VersionNotFoundError: the table does not have them.
    """
    latest = log.latest()
    if latest is None:
        raise VersionNotFoundError(no_table(log.path))
    for name, given in (("start", start), ("end", end)):
        if isinstance(given, bool) or not isinstance(given, int | str | datetime | None):
            raise TypeError(f"{name}: the number of a version or a time is needed, not {given!r}")
    first = start if isinstance(start, int) else log.version_since(moment(start, "start"))
    last = latest if end is None else end if isinstance(end, int) else log.version_at(moment(end, "end"))
    for name, version in (("start", first), ("end", last)):
        if not 0 <= version <= latest:
            raise VersionNotFoundError(f"{name}: the table has versions up to {latest}, not {version}")
    if first > last:
        raise ValueError(f"start, end: version {first} is after version {last}")
    return first, last


def change_plans(
    snapshot: Snapshot, first: int, columns: Sequence[str] | None, tree: Tree | None, zone: str = "UTC"
) -> list[ScanPlan]:
    """Returns the plans of the changes from version ``first`` to that of ``snapshot``, all with the same columns.

    Raises:
        LogError: as `scan_changes`.
        KeyError: an unknown column.
    """
    found = [change for commit in _commits(snapshot, first) for change in changes_of(snapshot.log, commit)]
    return plans_of(snapshot, found, columns, tree, zone)


def plans_of(
    snapshot: Snapshot, found: Sequence[Change], columns: Sequence[str] | None, tree: Tree | None, zone: str
) -> list[ScanPlan]:
    """Returns the plans of some changes, see `change_plans`: one per layout, with and without a type of change in the files."""
    log = snapshot.log
    names = chosen_columns(columns, feed_schema(snapshot.schema).names)
    times = log.commit_times({change.version for change in found})
    groups: dict[tuple[bool, tuple[str, ...]], list[Change]] = {(False, snapshot.partition_columns): []}
    for layout, changes in by_layout(snapshot, found).items():
        for change in changes:
            groups.setdefault((change.kind is None, layout), []).append(change)
    return [
        ChangedRows(snapshot, changes, times, typed, layout).plan(names, tree, zone)
        for (typed, layout), changes in groups.items()
    ]


def by_layout(snapshot: Snapshot, found: Sequence[Change]) -> dict[tuple[str, ...], list[Change]]:
    """Returns changes grouped by the partition columns of their files, which versions may have changed.

    The keys of a file's partition values are their physical names. If they are not those of the table, a
    writer may also have omitted nulls, so that the file's version decides.
    """
    table, log = snapshot.partition_columns, snapshot.log
    keys = {physical_path(snapshot.schema, (name,))[0] for name in table}
    of_version: dict[int, tuple[str, ...] | None] = {}
    groups: dict[tuple[str, ...], list[Change]] = {}
    for change in found:
        layout = table
        if change.add.partition_values.keys() != keys:
            version = change.version - change.removed
            if version not in of_version:
                of_version[version] = _partition_columns(log, version)
            known = of_version[version]
            if known is None:  # cleaned away
                names = {physical_path(snapshot.schema, (name,))[0]: name for name in snapshot.schema.names}
                known = tuple(names[key] for key in change.add.partition_values if key in names)
            layout = known
        groups.setdefault(layout, []).append(change)
    return groups


def _partition_columns(log: Log, version: int) -> tuple[str, ...] | None:
    try:
        return log.snapshot(version).partition_columns
    except VersionNotFoundError:
        return None


def _commits(snapshot: Snapshot, first: int) -> Iterator[Commit]:
    """Yields the commits of a range; raises LogError for one without the feed or with columns that the last one lacks."""
    log = snapshot.log
    metadata = log.snapshot(first).metadata
    checked = None
    for version in range(first, snapshot.version + 1):
        commit = log.commit(version)
        if version == first and version and commit.metadata is not None and commit.removes:
            _check_columns(snapshot, log.snapshot(version - 1).metadata, version - 1)
        metadata = commit.metadata or metadata
        check_feed_on(metadata, version)
        definition = metadata.schema_string, mapping_mode(metadata.configuration)
        if definition != checked:
            checked = definition
            _check_columns(snapshot, metadata, version)
        yield commit


def _check_columns(snapshot: Snapshot, metadata: Metadata, version: int) -> None:
    """Raises LogError if files of a version lack columns of the last version under the same names or ids."""
    table = pa.schema([field.with_nullable(True) for field in snapshot.schema])
    given = mapped_schema(from_delta(metadata.schema_string), mapping_mode(metadata.configuration))
    problem = ""
    try:
        check_fits(table, from_delta(metadata.schema_string), narrower=True)
    except SchemaMismatchError as error:
        problem = str(error)
    if not problem and (other := remapped(given, snapshot.schema)):
        problem = f"the column {other!r} has another physical name"
    if problem:
        raise LogError(
            f"version {version} has columns that version {snapshot.version} cannot show its changes in; "
            f"read to an earlier end: {problem}"
        )


def check_feed_on(metadata: Metadata, version: int) -> None:
    """Raises LogError if a version was made without the feed."""
    if not CHANGE_DATA_FEED.of(metadata):
        raise LogError(f"version {version} was made without {CHANGE_DATA_FEED.name}, its changes are not known")


def changes_of(log: Log, commit: Commit) -> list[Change]:
    """Returns the files with changed rows of a version.

    Raises:
        LogError: it removes files and lacks what is needed to read them.
    """
    if commit.changes:
        return [Change(Add(file.path, file.partition_values, file.size, 0), commit.version) for file in commit.changes]
    adds = {identity(add.path): add for add in commit.adds if add.data_change}
    removes = {identity(remove.path): _removed(log, commit, remove) for remove in commit.removes if remove.data_change}
    found = []
    for key, add in adds.items():
        if key not in removes:
            found.append(Change(add, commit.version, INSERT))
            continue
        # The same file with another deletion vector.
        before, after = removes[key].deletion_vector, add.deletion_vector
        for kind, only, deleted in ((DELETE, after, before), (INSERT, before, after)):
            if only is not None:
                found.append(Change(replace(add, deletion_vector=deleted), commit.version, kind, only))
    found += [Change(add, commit.version, DELETE, removed=True) for key, add in removes.items() if key not in adds]
    return found


def _removed(log: Log, commit: Commit, remove: Remove) -> Add:
    """Returns a removed file as an add action; if the writer omitted its partition, from the previous version."""
    if remove.partition_values is not None and remove.size is not None:
        values, size = remove.partition_values, remove.size
        return Add(remove.path, values, size, 0, deletion_vector=remove.deletion_vector)
    before = log.snapshot(commit.version - 1)
    found = next((add for add in before.files if identity(add.path) == identity(remove.path)), None)
    if found is None:
        raise LogError(f"version {commit.version} removes {remove.path!r}, which version {commit.version - 1} lacks")
    return found
