"""Finds and repairs problems of a table. Each repair is a version that changes no rows, or deletes files that nobody
needs."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ...delta import PartitionCodec
from ...runtime.arrow_nested import relabelled
from ...runtime.errors import CodecError
from ...runtime.urls import with_options
from ..log import Add, Log, LogError, Problem, Snapshot, Statistics, Transaction, check, vacuum
from ..log.checkpoint_read import open_checkpoint
from ..log.checkpoint_write import is_due
from ..log.column_mapping import physical_schema
from ..log.file_actions import with_wide_bounds
from ..log.properties import CHECKPOINT_INTERVAL
from ..log.protocol import check_writable
from ..log.statistics import indexed_columns, physical_columns
from ..log.storage import table_path
from ..read.parts import FilePart
from ..read.plan import plan_table
from .repacking import INDEXED, JOINED, repacked, small_files, without_indexes
from .salvage import salvaged

_STATISTICS = "statistics are computed again from the file's rows"
_SIZE = "the log gets the size of the file"
_VACUUM = "it is deleted when the retention has passed"
_CHECKPOINT = "a checkpoint of the newest version is written"


def doctor(
    path: str | os.PathLike[str],
    *,
    fix: bool = False,
    join: bool = False,
    indexes: bool = False,
    salvage: str | os.PathLike[str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> list[Problem]:
    """Returns the problems of a table; with ``fix`` it repairs those that have a remedy. Needs no Spark.

    It finds what `check` finds with ``deep=True``, statistics that the log lacks, checkpoints that are missing or
    damaged, gaps of the log, and partition values that differ from the directories' names. It repairs statistics and
    sizes in the log (one version, ``dataChange`` false), checkpoints, and orphans older than the table's retention
    (deleted).

    Args:
        path: path or URL of the table.
        fix: True to repair the problems; False only reports them.
        join: True to report small files of one partition as problems; repairing joins them without decoding a page.
        indexes: True to report Parquet files without page indexes as problems; repairing adds statistics and indexes, and
            copies the pages.
        salvage: directory of a new table that gets all readable rows of the newest readable version; row
            groups that cannot be read are reported as ``"lost"``.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The problems; ``remedy`` says how to repair one, ``fixed`` whether it was repaired.

    Raises:
        TypeError, ValueError: a wrong argument.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be read here, or with ``fix`` not be written.
        FileExistsError: ``salvage`` exists.
        ConflictError: another commit came first.
    """
    for name, value in (("fix", fix), ("join", join), ("indexes", indexes)):
        if not isinstance(value, bool):
            raise TypeError(f"{name}: True or False is needed, not {value!r}")
    place = table_path(with_options(path, storage_options))
    log = Log(place)
    problems = [*_of_log(log)]
    if not any(problem.kind == "log" for problem in problems):
        problems += [_with_remedy(problem) for problem in check(place, deep=True)]
    broken = any(problem.kind == "log" for problem in problems)
    if not broken:
        snapshot = log.snapshot()
        problems += _of_files(snapshot, {problem.path for problem in problems})
        if fix and any(problem.remedy for problem in problems):
            problems = _fix(log, snapshot, problems)
            snapshot = log.snapshot()
        if join or indexes:
            problems += _repacked(log, snapshot, problems, join=join, indexes=indexes, fix=fix)
    if salvage is not None:
        problems += salvaged(log, table_path(salvage, "salvage"))
    return problems


def _repacked(
    log: Log, snapshot: Snapshot, problems: Sequence[Problem], *, join: bool, indexes: bool, fix: bool
) -> list[Problem]:
    """Returns small files and footers without indexes as problems; with ``fix`` repairs them if nothing else is wrong."""
    broken = {problem.path for problem in problems if problem.kind in ("unreadable", "missing")}
    groups = [group for group in small_files(snapshot) if broken.isdisjoint(add.file for add in group)] if join else []
    taken = {add.file for group in groups for add in group} | broken
    single = [[add] for add in without_indexes(snapshot) if add.file not in taken] if indexes else []
    gone = repacked(log, snapshot, [*groups, *single]) if fix and (groups or single) else set()
    found = []
    for group in groups:
        message = f"it and {len(group) - 1} more files of its partition are small"
        found.append(Problem("small", group[0].file, message, JOINED, group[0].file in gone))
    for (add,) in single:
        found.append(Problem("index", add.file, "its footer has no page indexes", INDEXED, add.file in gone))
    return found


def _of_log(log: Log) -> Iterator[Problem]:
    """Yields commits that are missing or broken, and checkpoints that are missing or damaged."""
    listing = log.listing()
    if listing.latest is None:
        log.snapshot()  # raises
    commits = sorted(listing.commits)
    for before, after in itertools.pairwise(commits):
        if after > before + 1:
            gone = f"{before + 1}" if after == before + 2 else f"{before + 1} to {after - 1}"
            usable = any(files.version >= after - 1 for files in listing.checkpoints)
            rest = "a later checkpoint covers it" if usable else "no checkpoint covers it"
            kind: Any = "checkpoint" if usable else "log"
            yield Problem(kind, f"_delta_log/{before + 1:020}.json", f"the log has no version {gone}; {rest}")
    damaged = []
    for files in listing.checkpoints:
        try:
            found = open_checkpoint(log.storage, files)
            _ = found.header, found.files
        except (CodecError, OSError, pa.ArrowException) as error:
            damaged.append(Problem("checkpoint", files.paths[0], f"it is damaged: {error}", _CHECKPOINT))
    try:
        snapshot = log.snapshot()
        _ = snapshot.live_files
    except CodecError as error:
        yield from (replace(problem, remedy="") for problem in damaged)
        yield Problem("log", error.path, error.rule)
        return
    yield from damaged
    if damaged:
        return
    interval = CHECKPOINT_INTERVAL.of(snapshot.metadata)
    newest = max((files.version for files in listing.checkpoints), default=-1)
    due = any(is_due(version, snapshot.metadata) for version in range(max(newest, 0) + 1, snapshot.version + 1))
    if due and snapshot.version - newest > interval:
        message = f"the newest is of version {newest}, the table's interval is {interval}"
        yield Problem("checkpoint", "_delta_log", message if newest >= 0 else "there is none", _CHECKPOINT)


def _with_remedy(problem: Problem) -> Problem:
    remedies = {"statistics": _STATISTICS, "size": _SIZE, "orphaned": _VACUUM}
    return replace(problem, remedy=remedies.get(problem.kind, ""))


def _of_files(snapshot: Snapshot, known: set[str]) -> Iterator[Problem]:
    """Yields problems of files without statistics, and of files in another partition's directory."""
    columns = snapshot.partition_columns
    codec = PartitionCodec(snapshot.schema, columns or None)
    for add in snapshot.files:
        if add.num_records is None and add.file not in known:
            yield Problem("statistics", add.file, "the log has none", _STATISTICS)
        directory = add.file.rpartition("/")[0]
        if not columns or "=" not in directory or add.file.startswith("/") or ":" in add.file:
            continue
        try:
            named = codec.parse_directory(directory)
            values = codec.parse(add.partition_values)
        except (CodecError, KeyError, ValueError):
            continue  # directories may have any names
        wrong = [name for name in named if name in values and repr(named[name]) != repr(values[name])]
        if wrong:
            message = (
                f"{wrong[0]!r} is {values[wrong[0]]!r} in the log, {named[wrong[0]]!r} in the path; the log counts"
            )
            yield Problem("partition", add.file, message)


def _fix(log: Log, snapshot: Snapshot, problems: Sequence[Problem]) -> list[Problem]:
    """Returns the problems after repairing those that have a remedy."""
    check_writable(snapshot.protocol, snapshot.metadata)
    unreadable = {problem.path for problem in problems if problem.kind in ("unreadable", "missing")}
    wrong = {problem.path for problem in problems if problem.kind in ("statistics", "size")} - unreadable
    fixed: set[tuple[str, str]] = set()
    if wrong:
        transaction = Transaction(log, snapshot, "COMPUTE STATS", parameters={"files": len(wrong)})
        for number, add in enumerate(snapshot.files):
            if add.file in wrong:
                transaction.add(_corrected(snapshot, number, add))
        transaction.depends_on_files(lambda add: False)
        transaction.commit()
        fixed |= {(kind, path) for path in wrong for kind in ("statistics", "size")}
    if any(problem.kind == "checkpoint" and problem.remedy for problem in problems):
        log.checkpoint()
        newest = log.listing().checkpoints
        for files in newest:
            try:
                found = open_checkpoint(log.storage, files)
                _ = found.header, found.files
            except (CodecError, OSError, pa.ArrowException):
                for name in files.paths:  # no reader can use it
                    log.storage.delete(log.storage.path(name))
        fixed |= {("checkpoint", problem.path) for problem in problems if problem.remedy == _CHECKPOINT}
    if any(problem.kind == "orphaned" for problem in problems):
        with suppress(LogError, ValueError):  # files stay if the retention is unknown or the listing is old
            fixed |= {("orphaned", file) for file in vacuum(log.path, dry_run=False)}
    return [replace(problem, fixed=(problem.kind, problem.path) in fixed) for problem in problems]


def _corrected(snapshot: Snapshot, number: int, add: Add) -> Add:
    """Returns a file's add action with statistics and size corrected from its rows."""
    storage = snapshot.log.storage
    partitions = set(snapshot.partition_columns)
    names = [name for name in snapshot.schema.names if name not in partitions]
    schema = pa.schema([snapshot.schema.field(name) for name in names])
    plan = plan_table(snapshot, names, verify=True)
    file = replace(plan.files[number], deleted=None)
    stored = physical_schema(schema)
    found = Statistics(stored, physical_columns(schema, indexed_columns(snapshot, schema, None)))
    for batch in plan.reader().read([FilePart(file)]):
        found.update(relabelled(batch, stored))
    stats = found.to_json()
    if add.deletion_vector is not None:
        stats = with_wide_bounds(stats, found.num_records)
    info = storage.info(storage.locate(add.path))
    return replace(add, stats=stats, size=add.size if info is None else info.size, data_change=False)
