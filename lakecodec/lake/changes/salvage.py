"""Recovery of the readable rows of a damaged table into a new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial

import pyarrow as pa

from ...delta import split_directory
from ...runtime.errors import CodecError
from ..log import Log, LogError, Problem, Snapshot
from ..log.file_actions import CHANGES
from ..log.files import identity
from ..log.protocol import MOSAIC
from ..log.vacuum import data_files
from ..read.open_file import OpenFile, open_data_file
from ..read.parts import FilePart, ScanFile
from ..read.plan import ScanPlan, plan_table
from ..writing.request import Format
from .write import write

_BATCH_ROWS = 1 << 16
_BROKEN = (CodecError, OSError, ValueError, pa.ArrowException)


def salvaged(log: Log, target: str) -> list[Problem]:
    """Writes all readable rows to a new table, and returns the saved and the lost parts.

    Raises:
        FileExistsError: something already exists at ``target``.
        LogError: neither a version of the log nor a data file can be read.
    """
    if os.path.exists(target) and (not os.path.isdir(target) or os.listdir(target)):
        raise FileExistsError(f"salvage: something already exists at {target!r}")
    snapshot, problems = _newest_readable(log)
    if snapshot is None:
        return [*problems, *_files_alone(log, target)]
    plan = plan_table(snapshot, verify=True)
    counted = [0]

    def rows() -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pylist([], plan.schema)
        for file in plan.files:
            for batch in _readable(log, plan, file, problems):
                counted[0] += batch.num_rows
                yield batch

    format: Format = "mosaic" if snapshot.format == MOSAIC else "parquet"
    write(rows(), target, partition_by=snapshot.partition_columns, format=format, mode="error", progress=False)
    message = f"{counted[0]} rows of version {snapshot.version} are in the new table"
    return [*problems, Problem("saved", target, message)]


def _newest_readable(log: Log) -> tuple[Snapshot | None, list[Problem]]:
    problems = []
    listing = log.listing()
    for version in range(-1 if listing.latest is None else listing.latest, listing.earliest - 1, -1):
        try:
            found = log.snapshot(version)
            _ = found.live_files
        except (CodecError, LogError) as error:
            problems.append(
                Problem("lost", f"_delta_log/{version:020}.json", f"version {version} cannot be read: {error}")
            )
            continue
        return found, problems
    return None, problems


def _files_alone(log: Log, target: str) -> list[Problem]:
    """Writes the rows of all data files that no readable commit removed, since nothing else tells the files that are
    current.

    Raises:
        LogError: none can be read, or the table is not in a local directory.
    """
    removed: set[str] = set()
    for version in sorted(log.listing().commits):
        with suppress(CodecError):
            commit = log.commit(version)
            removed |= {identity(remove.path) for remove in commit.removes}
            removed -= {identity(add.path) for add in commit.adds}
    problems, files = [], []
    for info in data_files(log) if log.storage.local is not None else ():
        if info.path in removed or info.path.startswith(f"{CHANGES}/"):
            continue
        try:
            with closing(_opened(log, info.path)) as opened:
                found = opened.schema.remove_metadata()
            values = split_directory(info.path.rpartition("/")[0])
        except _BROKEN as error:
            problems.append(Problem("lost", info.path, f"all rows: {error}"))
            continue
        files.append((info.path, found, values))
    if not files:
        raise LogError(f"no version of the log of {log.path!r} and no data file can be read")
    named = [_named(found.empty_table(), values).schema for _, found, values in files]
    schema = pa.unify_schemas(named, promote_options="permissive")
    counted = [0]

    def rows() -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pylist([], schema)
        for path, found, values in files:
            with closing(_opened(log, path)) as opened:
                read = partial(_group_of, opened, found.names)
                for batch in _group_by_group(path, opened.group_rows, read, problems):
                    table = pa.Table.from_batches([batch]).cast(found)
                    whole = pa.concat_tables(
                        [schema.empty_table(), _named(table, values)], promote_options="permissive"
                    )
                    counted[0] += table.num_rows
                    yield from whole.cast(schema).to_batches()

    write(rows(), target, mode="error", progress=False)
    message = (
        f"{counted[0]} rows of all data files are in the new table, for no version of the log can be read: deleted rows may be "
        "among them, and partition values are texts of directories' names"
    )
    return [*problems, Problem("saved", target, message)]


def _opened(log: Log, path: str) -> OpenFile:
    """Returns a data file of which no log tells, open; ValueError if its name is not that of one."""
    ending = os.path.splitext(path)[1]
    if ending not in (".parquet", ".mosaic"):
        raise ValueError("it is no Parquet file and no Mosaic file by its name")
    return open_data_file(ending[1:], log.storage.filesystem, log.storage.path(path), pa.schema([]), verify=True)


def _group_of(opened: OpenFile, names: list[str], group: int) -> Iterator[pa.RecordBatch]:
    return opened.batches(names, [group], _BATCH_ROWS, threads=False)


def _named(rows: pa.Table, values: Mapping[str, str | None]) -> pa.Table:
    """Returns rows with the partition values of their directory."""
    for name, text in values.items():
        rows = rows.append_column(name, pa.repeat(pa.scalar(text, pa.string()), rows.num_rows))
    return rows


def _readable(log: Log, plan: ScanPlan, file: ScanFile, problems: list[Problem]) -> Iterator[pa.RecordBatch]:
    """Yields the rows of the row groups of a file that can be read, and whose checksums are right."""
    try:
        opened = open_data_file(plan.format, log.storage.filesystem, log.storage.locate(file.path), plan.table)
        groups = opened.group_rows
        opened.close()
    except _BROKEN as error:
        problems.append(Problem("lost", file.path, f"{file.rows if file.rows is not None else 'all'} rows: {error}"))
        return
    reader = plan.reader()
    yield from _group_by_group(
        file.path, groups, lambda group: reader.read([FilePart(file, group, len(groups))]), problems
    )


def _group_by_group(
    path: str, groups: Sequence[int], read: Callable[[int], Iterator[pa.RecordBatch]], problems: list[Problem]
) -> Iterator[pa.RecordBatch]:
    """Yields the rows of row groups, given by their numbers of rows; each is read completely, or reported as lost."""
    end = 0
    for group, rows in enumerate(groups):
        start, end = end, end + rows
        try:
            batches = list(read(group))
        except _BROKEN as error:
            message = f"row group {group}, {rows} rows, {start} to {end - 1} of the file: {error}"
            problems.append(Problem("lost", path, message))
            continue
        yield from batches
