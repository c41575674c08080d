"""Consistency check of a table: compares the log with the directory, the footers and, if needed, the data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa

from ...runtime.errors import CodecError
from ...runtime.urls import with_options
from ...statistics.stated import FileStatistics, differences, row_group_mismatches
from .actions import PARQUET
from .column_mapping import has_ids, physical_schema
from .contents import data_contents, footer_contents, row_groups
from .deletion_vectors import deleted_positions
from .file_actions import Add
from .log import Log
from .needed import needed_since
from .snapshot import Snapshot
from .statistics_read import parse_statistics
from .storage import Storage
from .vacuum import data_files, unneeded

Kind = Literal[
    "log",
    "missing",
    "orphaned",
    "size",
    "unreadable",
    "statistics",
    "checkpoint",
    "partition",
    "small",
    "index",
    "lost",
    "saved",
]


@dataclass(frozen=True)
class Problem:
    """A problem that the check of a table found.

    Attributes:
        kind: "log" (broken), "missing", "orphaned" (no version needs the file), "size" (differs from the log),
            "unreadable" or "statistics" (contradicted by the file). `doctor` also finds "checkpoint" (missing or damaged) and
            "partition" (values differ from the directory), on request "small" and "index" (missing), and reports
            "lost" and "saved" parts.
        path: path of the file, relative to the table.
        message: the problem, in words.
        remedy: how to repair it; "" in the result of `check` and if there is no remedy.
        fixed: whether `doctor` has repaired it.
    """

    kind: Kind
    path: str
    message: str
    remedy: str = ""
    fixed: bool = False


def check(
    path: Any, *, deep: bool = False, filesystem: Any = None, storage_options: Mapping[str, Any] | None = None
) -> list[Problem]:
    """Returns the problems of a table's newest version and files that no version needs; empty if there are none.

    Args:
        path: path or URL of the table.
        deep: reads every page, verifies their checksums, and compares the statistics of the log and of row groups with
            the values; by default pages are read only if footers lack statistics.
        filesystem: the pyarrow or fsspec file system of ``path``; by default the local one, or that of the URL.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be read here.
    """
    log = Log(with_options(path, storage_options), filesystem)
    try:
        snapshot = log.snapshot()
        files = [(add, log.storage.locate(add.path)) for add in snapshot.files]
        problems = list(_history_problems(log))
        needed = needed_since(log, None) if not problems else None
    except CodecError as error:
        return [Problem("log", error.path, error.rule)]
    for add, where in files:
        problems += _file_problems(log, snapshot, add, where, deep)
    if needed is not None:
        for info in unneeded(log.storage, data_files(log), needed):
            problems.append(Problem("orphaned", info.path, f"no version needs the file ({info.size} bytes)"))
    return problems


def _history_problems(log: Log) -> Iterator[Problem]:
    """Yields commits that cannot be read, although the newest version does not need them because of a checkpoint."""
    for version in sorted(log.listing().commits):
        try:
            log.commit(version)
        except CodecError as error:
            yield Problem("log", error.path, error.rule)


def _file_problems(log: Log, snapshot: Snapshot, add: Add, where: str, deep: bool) -> Iterator[Problem]:
    info = log.storage.info(where)
    if info is None:
        yield Problem("missing", add.file, "the file does not exist")
        return
    if info.size != add.size:
        yield Problem("size", add.file, f"the file has {info.size} bytes, the log says {add.size}")
    if add.deletion_vector is not None:
        try:
            deleted_positions(log.storage, json.dumps(add.deletion_vector))
        except (CodecError, OSError) as error:
            yield Problem("unreadable", add.file, f"its deletion vector: {error}")
    partitions = set(snapshot.partition_columns)
    schema = physical_schema(pa.schema([field for field in snapshot.schema if field.name not in partitions]))
    # Columns that are matched by id may have any name in files.
    said = parse_statistics(add.stats, pa.schema([]) if has_ids(schema) else schema)
    try:
        find = _deep_mismatches if deep else _mismatches
        for message in find(said, log.storage, where, snapshot.format, schema):
            yield Problem("statistics", add.file, message)
    except (CodecError, OSError, OverflowError, pa.ArrowException) as error:
        yield Problem("unreadable", add.file, str(error))


def _deep_mismatches(
    said: FileStatistics, storage: Storage, where: str, format: str, schema: pa.Schema
) -> Iterator[str]:
    """Yields messages for statistics of the log or of a row group that the values contradict."""
    with row_groups(storage, where, format, schema) as groups:
        yield from row_group_mismatches(said, schema, groups)


def _mismatches(said: FileStatistics, storage: Storage, where: str, format: str, schema: pa.Schema) -> Iterable[str]:
    """Returns messages for statistics that mislead a query, from the footer or, if that is not enough, the data."""
    doubtful = {path[0] for path in (*said.min, *said.max, *said.null_count)}
    if format == PARQUET:
        footer = footer_contents(storage, where, schema)
        silent = {path[0] for path in (*said.min, *said.max) if path not in footer.max}
        silent |= {path[0] for path in said.null_count if path not in footer.null_count}
        # A footer's bounds may be truncated, so a difference alone proves nothing: the data decides.
        doubtful = silent | {path[0] for path, _ in differences(said, footer) if path}
        if not doubtful:
            return [message for _, message in differences(said, footer)]
    actual = data_contents(storage, where, format, schema, sorted(doubtful))
    return [message for _, message in differences(said, actual)]
