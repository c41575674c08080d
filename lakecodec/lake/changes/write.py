"""Writes of Arrow data and files as one version of a table, in this process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ...runtime.urls import with_options
from ..log import CommitInfo, Log, Snapshot
from ..log.conflicts import Matches
from ..log.schema import typed_nulls
from ..log.storage import table_path
from ..writing.arrange import arranged, is_arranged
from ..writing.commit import check_replaced, commit
from ..writing.data import Data, open_data
from ..writing.display import Display
from ..writing.job import write_version
from ..writing.messages import DataFile
from ..writing.plan import WritePlan, plan_write, spelled
from ..writing.request import MAX_ROWS_PER_FILE, Format, Mode, Request, SchemaMode
from ..writing.rows import Rows, table_types
from ..writing.threads import write_batches
from .partitions import partition_test

if TYPE_CHECKING:
    from ...row.sort_keys import SortKeys
    from ...runtime.progress import Progress
    from ..read.where import Where

#: The default limit in bytes of rows and their keys while they are sorted.
MEMORY_LIMIT = 1 << 30


def write(
    data: Any,
    path: str | os.PathLike[str],
    *,
    mode: Mode = "append",
    partition_by: str | Sequence[str] | None = None,
    sort_by: SortKeys = (),
    zorder_by: str | Sequence[str] = (),
    hilbert_by: str | Sequence[str] = (),
    format: Format | None = None,
    schema_mode: SchemaMode | None = None,
    replace_where: Where | None = None,
    max_rows_per_file: int = MAX_ROWS_PER_FILE,
    target_file_bytes: int | None = None,
    stats_columns: Sequence[str] | None = None,
    txn_id: str | None = None,
    properties: Mapping[str, str | int | bool | timedelta] | None = None,
    memory_limit: int = MEMORY_LIMIT,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Writes rows as one version of the Delta table at ``path`` without Spark, and returns that version's commit.

    Rows stream through: memory is bounded by ``memory_limit`` if rows are sorted or partitioned, else by a few row groups
    per thread.

    Args:
        data: Arrow data of any library (``__arrow_c_stream__``: pyarrow, polars, pandas, DuckDB), a dict of arrays, a list
            of rows as dicts, an iterable of batches, or paths of CSV, JSON lines, Parquet, ORC and Mosaic files, of a
            directory or a table.
        path: path or URL of the table's directory, which is created if it does not exist.
        mode: what to do with an existing table: ``"append"`` adds rows, ``"error"`` raises, ``"overwrite"`` replaces all
            files, ``"overwrite_partitions"`` replaces the partitions of the new rows, ``"ignore"`` writes nothing.
        partition_by: partition columns of the table. None: those of an existing table, or none. When all of a table is
            overwritten it may get others, none with ``()``.
        sort_by: columns by which rows are ordered within each partition, over all its files: names, with ``-`` in front
            for descending order, or pairs ``(name, "ascending" | "descending")``. Nulls come first, or last if descending.
        zorder_by: columns by which rows are clustered along a Z-order curve, instead of sorting.
        hilbert_by: like ``zorder_by``, but along a Hilbert curve, which has no jumps and skips more files.
        format: format of the data files: ``"parquet"`` (default) or ``"mosaic"``. An existing table keeps its own, unless
            all of it is overwritten.
        schema_mode: ``"strict"`` (default) refuses columns that an existing table does not have, and wider types, unless
            ``mode="overwrite"`` replaces all of the table, with its columns;
            ``"merge"`` evolves the table's schema.
        replace_where: with ``"overwrite"``: a predicate over partition columns; the partitions for which it is true are
            replaced, and all new rows must be in them.
        max_rows_per_file: rows after which the next file begins.
        target_file_bytes: bytes after which the next file begins; a file is larger by one row group at most. None: the
            property ``delta.targetFileSize``, or 128 MiB.
        stats_columns: columns with statistics in the log; None: those in the table's properties, or the first 32.
        txn_id: application id of a ``txn`` action that makes the call idempotent: if the table has a version with this id,
            that version is returned and nothing is written.
        properties: properties of a new or overwritten table, as in `set_properties`.
        memory_limit: memory for sorting in bytes, at least 1 MiB; more rows are sorted in temporary files.
        progress: True for a bar, on a terminal, and a summary, both on standard error; or a function that is called with what
            is being done ("Reading types", "Sorting", "Writing"), the rows that it is done for, and how many there are, None
            where that is not known. What it raises ends the call.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        TypeError, ValueError, KeyError: an argument, or a column's type or name, is wrong; nothing was written.
        FileNotFoundError: a path of ``data`` does not exist.
        FileExistsError: ``mode`` is ``"error"`` and there is a table, or the directory has files but no log.
        DecodeError: a file of ``data`` is broken.
        EncodeError: a value that the table cannot hold, one that breaks a rule of a column (NOT NULL, an invariant, a
            generated column's expression) or a constraint, or a row outside the partitions of ``replace_where``.
        SchemaMismatchError: columns do not fit the existing table; the error names them.
        ConflictError: another commit came first and conflicts with this one.
        UnknownOutcomeError: the storage does not tell whether the version was made; repeating with ``txn_id`` is safe.

    After any error but the last the table is unchanged.
    """
    display = Display(progress)
    request = Request.of(
        format=format,
        partition_by=partition_by,
        sort_by=sort_by,
        zorder_by=zorder_by,
        hilbert_by=hilbert_by,
        mode=mode,
        replace_where=replace_where,
        max_rows_per_file=max_rows_per_file,
        target_file_bytes=target_file_bytes,
        stats_columns=stats_columns,
        schema_mode=schema_mode or "strict",
        txn_id=txn_id,
        properties=properties,
    )
    check_limit(memory_limit)
    log = _log(path, storage_options)
    opened: list[Data] = []

    def prepare(snapshot: Snapshot | None) -> _Job:
        opened.append(open_data(data, typed=lambda rows: display.report("Reading types", rows, None)))
        given = opened[0].schema
        given = given if snapshot is None else typed_nulls(given, snapshot.schema)
        schema = spelled(table_types(given), snapshot, request)
        plan = plan_write(_may_be_null(schema, snapshot), log, snapshot, request)
        test = None if replace_where is None else partition_test("replace_where", replace_where, plan)
        rows = Rows(plan.schema, plan.partition_by, creates=snapshot is None)
        return _Job(plan, opened[0], memory_limit, test, rows, display)

    try:
        with display:
            info, files = write_version(log, request, prepare, "path")
    finally:
        for source in opened:
            source.close()
    if files is not None:
        display.summary(info, files)
    return info


def _log(path: str | os.PathLike[str], storage_options: Mapping[str, Any] | None) -> Log:
    """Returns the log of the table at a path; the table need not exist."""
    place = table_path(with_options(path, storage_options))
    if "://" not in place and os.path.isfile(place):
        raise FileExistsError(f"path: {place!r} is a file")
    return Log(place)


def check_limit(limit: Any) -> None:
    """Raises TypeError or ValueError if ``memory_limit`` is not a number of bytes from 1 MiB on."""
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise TypeError(f"memory_limit: an int is needed, not {limit!r}")
    if limit < 1 << 20:
        raise ValueError(f"memory_limit: at least 1 MiB is needed, not {limit} bytes")
    if limit >> 63:
        raise ValueError(f"memory_limit: less than 2^63 bytes are needed, not {limit}")


@dataclass(frozen=True)
class _Job:
    """A planned write of rows in this process, see `WriteJob`."""

    plan: WritePlan
    data: Data
    memory_limit: int
    replaced: Matches | None
    rows: Rows
    display: Display

    def write(self, write_id: str) -> list[DataFile]:
        typed = (self.rows.of(batch) for batch in self.data.batches() if batch.num_rows)
        files = write_rows(self.plan, typed, write_id, self.memory_limit, self.display, self.data.rows)
        check_replaced(self.plan, files, self.replaced)
        return files

    def commit(self, files: Sequence[DataFile]) -> tuple[CommitInfo, bool]:
        where = self.plan.request.replace_where
        return commit(self.plan, files, self.replaced, None if where is None else str(where), self.rows.marks)


def write_rows(
    plan: WritePlan,
    batches: Iterator[pa.RecordBatch],
    write_id: str,
    memory_limit: int,
    display: Display,
    total: int | None,
    halvings: tuple[int, ...] = (),
) -> list[DataFile]:
    """Writes rows of the table's schema in the layout of a plan's request and returns the data files, not yet committed.

    ``display`` gets the progress; ``total`` is the number of rows, None if unknown.

    Raises:
        EncodeError: a value that the table cannot hold.
    """
    in_order = is_arranged(plan)
    if in_order:
        batches = arranged(plan, display.counted("Sorting", batches, total), memory_limit, halvings)
    written = display.counted("Writing", batches, total)
    return write_batches(plan.task(write_id, None), written, in_order=in_order)


def _may_be_null(schema: pa.Schema, snapshot: Snapshot | None) -> pa.Schema:
    """Returns the data's schema with nullable columns: nulls are only known once rows are read.

    For a new table the data's nullability stays.
    """
    return schema if snapshot is None else pa.schema([field.with_nullable(True) for field in schema])
