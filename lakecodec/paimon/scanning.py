"""Scans and counts of a table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from ..lake.log.errors import UnsupportedTableError
from ..lake.read.bind import bind
from ..lake.read.certain import always_matches
from ..lake.read.parts import Counts
from ..lake.read.plan import check_decided, chosen_columns
from ..lake.read.predicate import Bound, column_names, undecided
from ..lake.read.prefetch import read_ahead
from ..lake.read.pruning import Known, may_match
from ..lake.read.scan import first_rows
from ..lake.read.where import Where, check_names, parse_where
from ..runtime.exact import check_type, exact_list
from ..runtime.parallel import readers
from ..runtime.urls import is_store, with_options
from .manifests import DataFile, Vector, data_files, deletion_vectors, manifests_of, stated
from .reading import FileReader, constant, lookup_of
from .schemas import TableSchema
from .table import PaimonTable, SnapshotInfo
from .vectors import deleted_rows

_UNSUPPORTED = ("data-evolution.enabled",)


@dataclass(frozen=True)
class PaimonScan:
    """A planned scan, which can be run more than once.

    Attributes:
        table: the table.
        snapshot: the snapshot that is read, None if the table has none.
        schema: the schema of the rows.
        columns: names of the wanted columns.
        predicate: bound predicate; None for all rows.
        files: files that can hold matching rows.
        vectors: deletion vectors by the names of the files.
        verify: True to compare checksums of Parquet pages.
        counts: counts of the last run.
    """

    table: PaimonTable
    snapshot: SnapshotInfo | None
    schema: TableSchema
    columns: tuple[str, ...]
    predicate: Bound | None
    files: list[DataFile]
    vectors: Mapping[str, Vector]
    verify: bool = False
    counts: Counts = field(default_factory=Counts, compare=False)

    @property
    def arrow(self) -> pa.Schema:
        """The Arrow schema of the rows."""
        return pa.schema([self.schema.by_name[name].arrow for name in self.columns])

    def file_reader(self) -> FileReader:
        """Returns the reader of the files, of the wanted columns and those that only the predicate needs."""
        needed = () if self.predicate is None else column_names(self.predicate)
        names = tuple(dict.fromkeys((*self.columns, *needed)))
        return FileReader(
            self.table, self.schema, names, self.predicate, self.vectors, verify=self.verify, counts=self.counts
        )

    def batches(self, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yields the rows that match, at most ``limit``, in the order in which files were added."""
        yield from first_rows(self.read(self.files), self.columns, limit)

    def read(self, files: Sequence[DataFile]) -> Iterator[pa.RecordBatch]:
        """Yields the rows of files in the wanted columns and those that only the predicate needs; reads ahead in threads."""
        files = exact_list("files", files, "files")
        for file in files:
            check_type("files", file, DataFile)
        return read_ahead(self.file_reader(), files, remote=is_store(self.table.name))

    def deleted_in(self, file: DataFile) -> int:
        """Returns the number of rows of a file that its deletion vector deletes."""
        check_type("file", file, DataFile)
        vector = self.vectors.get(file.name)
        if vector is None:
            return 0
        return len(deleted_rows(self.table, vector)) if vector.cardinality is None else vector.cardinality

    def summary(self) -> str:
        """Returns a line with the numbers of files and row groups that were read so far."""
        read = f"{self.counts.row_groups_read:,} of their {self.counts.row_groups:,} row groups"
        number = "" if self.snapshot is None else f"snapshot {self.snapshot.id}: "
        return f"{number}{len(self.files):,} files, {read}"

    def reader(self) -> pa.RecordBatchReader:
        """Returns a RecordBatchReader of the rows that match."""
        return pa.RecordBatchReader.from_batches(self.arrow, self.batches())


def open_scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    snapshot: int | None = None,
    tag: str | None = None,
    timestamp: datetime | str | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> PaimonScan:
    """Returns a scan of a table, planned but not run; arguments and errors are those of `scan`."""
    table = PaimonTable(with_options(path, storage_options), branch)
    return plan(table, *table.state(snapshot, tag, timestamp), columns, where)


def plan(
    table: PaimonTable,
    snapshot: SnapshotInfo | None,
    schema: TableSchema,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    zone: str = "UTC",
) -> PaimonScan:
    """Returns a scan of a snapshot; see `scan` for the arguments and errors. ``zone`` is the zone of times without one."""
    for option in _UNSUPPORTED:
        if schema.is_on(option):
            raise UnsupportedTableError(f"tables with {option} are not read here", option)
    if table.branch is None and (other := schema.options.get("scan.fallback-branch")):
        rule = f"by its option, the branch {other!r} has partitions that the table lacks: name a branch, such as 'main'"
        raise UnsupportedTableError(rule, "scan.fallback-branch")
    names = chosen_columns(columns, schema.arrow.names)
    predicate = None
    if where is not None:
        tree = parse_where(where, zone)
        check_names(tree, schema.arrow)
        predicate = bind(tree, schema.arrow, zone)
        check_decided(undecided(predicate), schema.arrow)
    if snapshot is None:
        return PaimonScan(table, None, schema, names, predicate, [], {})
    # Fetched while the manifests are read, to wait for a store only once.
    deleted = None if snapshot.index_manifest is None else readers().submit(deletion_vectors, table, schema, snapshot)
    files = _select(table, schema, snapshot, predicate)
    vectors = {} if deleted is None else deleted.result()
    if schema.primary_keys:
        check_sorted_runs(schema, files)
    found = PaimonScan(table, snapshot, schema, names, predicate, files, vectors)
    if predicate is None:
        return found
    reader = found.file_reader()
    kept = [file for file in files if may_match(predicate, reader.known(file))]
    return PaimonScan(table, snapshot, schema, names, predicate, kept, vectors)


def _select(table: PaimonTable, schema: TableSchema, snapshot: SnapshotInfo, predicate: Bound | None) -> list[DataFile]:
    """Returns the files of the partitions that can match."""
    manifests = manifests_of(table, snapshot)
    keys = schema.partition_keys
    if predicate is None or not keys or not set(column_names(predicate)) & set(keys):
        return data_files(table, schema, manifests)
    bound = predicate

    def overlaps(manifest: Mapping[str, Any]) -> bool:
        known = stated(manifest["_PARTITION_STATS"], schema.partition_kinds, None, "_PARTITION_STATS")
        # A null count above zero does not tell the number of other values.
        parts = [Known(each.low, each.high, 0 if each.nulls == 0 else None) for each in known]
        return may_match(bound, lookup_of(keys, parts))

    def matches(values: tuple[Any, ...]) -> bool:
        return may_match(bound, lookup_of(keys, map(constant, values)))

    return data_files(table, schema, [each for each in manifests if overlaps(each)], matches)


def check_sorted_runs(schema: TableSchema, files: Sequence[DataFile]) -> None:
    """Raises UnsupportedTableError unless each bucket of a table with primary keys holds each key once."""
    levels: dict[tuple[Any, ...], set[int]] = {}
    for file in files:
        levels.setdefault((file.partition, file.bucket), set()).add(int(file.fields["_LEVEL"]))
        if file.bucket < 0 or 0 in levels[file.partition, file.bucket] or file.fields.get("_DELETE_ROW_COUNT"):
            break
    else:
        if all(len(each) == 1 for each in levels.values()):
            return
    raise UnsupportedTableError(
        f"the table has the primary key {', '.join(schema.primary_keys)}, and some buckets are not fully compacted: "
        "several versions of a row would have to be merged; compact the table with Paimon first",
        "primary-key",
    )


def scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    snapshot: int | None = None,
    tag: str | None = None,
    timestamp: datetime | str | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.RecordBatchReader:
    """Returns a RecordBatchReader of the rows of a Paimon table.

    Partitions, files and row groups whose partition values or statistics exclude ``where`` are skipped; the remaining rows
    are filtered. Columns are matched by their ids, so that renamed, widened and added ones are read from older files.

    Args:
        path: path or URL of the table.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate as `lakecodec.lake.scan` takes it.
        snapshot: number of the snapshot, by default the newest.
        tag: or the name of a tag.
        timestamp: or the snapshot that was the newest at this time; in UTC where it has no zone.
        branch: name of a branch of the table.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, snapshot or tag.
        UnsupportedTableError: the table has a primary key and is not fully compacted, or uses what is not read here.
        KeyError: an unknown column.
        ValueError: an invalid predicate, or one that only Spark can evaluate.
    """
    return open_scan(
        path, columns=columns, where=where, snapshot=snapshot, tag=tag, timestamp=timestamp, branch=branch,
        storage_options=storage_options,
    ).reader()  # fmt: skip


def count(
    path: str | os.PathLike[str],
    *,
    where: Where | None = None,
    snapshot: int | None = None,
    tag: str | None = None,
    timestamp: datetime | str | None = None,
    branch: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> int:
    """Returns the number of rows that match, from manifests where they suffice; arguments and errors are those of `scan`."""
    found = open_scan(
        path, columns=[], where=where, snapshot=snapshot, tag=tag, timestamp=timestamp, branch=branch,
        storage_options=storage_options,
    )  # fmt: skip
    reader = found.file_reader()
    certain, rest = 0, []
    for file in found.files:
        if found.predicate is None or always_matches(found.predicate, reader.known(file)):
            certain += file.rows - found.deleted_in(file)
        else:
            rest.append(file)
    return certain + sum(int(batch.num_rows) for batch in found.read(rest))


__all__ = ["PaimonScan", "count", "open_scan", "plan", "scan"]
