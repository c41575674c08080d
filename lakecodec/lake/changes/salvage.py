"""Rows of a damaged table that can be read, written as a table of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pyarrow as pa

from ...runtime.errors import CodecError
from ..log import Log, LogError, Problem, Snapshot
from ..log.protocol import MOSAIC
from ..read.open_file import open_data_file
from ..read.parts import FilePart, ScanFile
from ..read.plan import ScanPlan, plan_table
from ..writing.request import Format
from .write import write


def salvaged(log: Log, target: str) -> list[Problem]:
    """Writes all readable rows to a new table, and returns the saved and the lost parts.

    Raises:
        FileExistsError: there is something at ``target``.
        LogError: no version of the log can be read.
    """
    if os.path.exists(target) and (not os.path.isdir(target) or os.listdir(target)):
        raise FileExistsError(f"salvage: there is something at {target!r}")
    snapshot, problems = _newest_readable(log)
    plan = plan_table(snapshot)
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


def _newest_readable(log: Log) -> tuple[Snapshot, list[Problem]]:
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
    raise LogError(f"no version of the log of {log.path!r} can be read")


def _readable(log: Log, plan: ScanPlan, file: ScanFile, problems: list[Problem]) -> Iterator[pa.RecordBatch]:
    """Yields the rows of the row groups of a file that can be read."""
    broken = (CodecError, OSError, pa.ArrowException)
    try:
        opened = open_data_file(plan.format, log.storage.filesystem, log.storage.locate(file.path), plan.table)
        groups = opened.group_rows
        opened.close()
    except broken as error:
        problems.append(Problem("lost", file.path, f"{file.rows if file.rows is not None else 'all'} rows: {error}"))
        return
    for group, rows in enumerate(groups):
        try:
            # All of it first: half a row group would be rows that nobody can tell apart.
            batches = list(plan.reader().read([FilePart(file, group, len(groups))]))
        except broken as error:
            problems.append(Problem("lost", file.path, f"row group {group}, {rows} rows: {error}"))
            continue
        yield from batches
