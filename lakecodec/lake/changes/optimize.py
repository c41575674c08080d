"""OPTIMIZE in this process: compaction and clustering of files, which drop deleted rows; all other rows stay."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ...runtime.progress import Progress
from ...runtime.urls import is_store, with_options
from ..log import CommitInfo
from ..read.parts import FilePart, ScanFile
from ..read.plan import plan_table
from ..read.prefetch import read_ahead
from ..read.where import Where, check_names, parse_where
from ..writing.messages import DataFile, read_messages
from ..writing.plan import plan_rewrite, target_bytes
from ..writing.request import Request
from .clustering import candidates_of, check_rows, clustering_of, extents, nothing, parameters_of
from .cubes import Clustering, files_to_rewrite, packed
from .extents import halvings
from .repeat import repeated
from .rewriting import Rewrite
from .selection import Selection, adds, every_file, rows_of
from .write import MEMORY_LIMIT, check_limit, write_rows

_MOST_THREADS = 8


@repeated(always=True)
def optimize(
    path: str | os.PathLike[str],
    *,
    where: Where | None = None,
    zorder_by: str | Sequence[str] = (),
    hilbert_by: str | Sequence[str] = (),
    target_file_bytes: int | None = None,
    memory_limit: int = MEMORY_LIMIT,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Compacts small files, or clusters rows along a curve, without Spark, and returns the commit of the new version.

    Files with deletion vectors are rewritten without the deleted rows. Files of earlier runs with the same columns stay
    unchanged, until so many of about one size are there that writing them together is worth it. All actions have
    ``dataChange`` false, so the commit does not conflict with appends.

    Args:
        path: path or URL of the table.
        where: a predicate; the run only takes files that can have matching rows. None for all files.
        zorder_by: columns to cluster by along a Z-order curve; without columns, small files are only compacted.
        hilbert_by: columns to cluster by along a Hilbert curve instead.
        target_file_bytes: target size of a file in bytes; None: the property ``delta.targetFileSize``, or 128 MiB.
        memory_limit: memory for sorting in bytes, at least 1 MiB; more rows are sorted in temporary files.
        progress: as of `write`.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made; the current version's if there is nothing to do.

    Raises:
        TypeError, ValueError, KeyError: a wrong argument.
        VersionNotFoundError: there is no table.
        UnsupportedTableError: the table uses a feature that cannot be written here.
        LogError: the number of rows in the files differs from the log's.
        ConflictError: other commits removed some of the files in every attempt.
        UnknownOutcomeError: the storage does not tell whether the version was made.
    """
    check_limit(memory_limit)
    rewrite = Rewrite(with_options(path, storage_options), None, progress)
    snapshot = rewrite.snapshot
    target = target_bytes(target_file_bytes, snapshot)
    request, clustering = clustering_of(snapshot, zorder_by, hilbert_by, target)
    if where is None:
        files = every_file(snapshot)
    else:
        tree = parse_where(where)
        check_names(tree, snapshot.schema)
        certain, possible = Selection(snapshot, tree).files()
        files = [*certain, *possible]
    groups = files_to_rewrite(candidates_of(snapshot, files), clustering, target)
    chosen = {file.number: file for file in files}
    parts = [[chosen[number] for number in group] for group in groups]
    parameters = parameters_of(clustering, None if where is None else str(where))
    return _rewritten(rewrite, parts, request, clustering, target, memory_limit, "OPTIMIZE", parameters)


@repeated(always=True)
def purge(
    path: str | os.PathLike[str],
    *,
    progress: bool | Progress = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Rewrites all files with deletion vectors without the deleted rows, and returns the commit of the new version.

    Args:
        path: path or URL of the table.
        progress: as of `write`.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Returns:
        The commit made; the current version's if no file has a deletion vector.

    Errors are those of `optimize`.
    """
    rewrite = Rewrite(with_options(path, storage_options), None, progress)
    target = target_bytes(None, rewrite.snapshot)
    groups = [[file] for file in every_file(rewrite.snapshot) if file.deleted is not None]
    request = Request.of(target_file_bytes=target)
    parameters: dict[str, Any] = {"applyPurge": True, "predicate": []}
    return _rewritten(rewrite, groups, request, Clustering(), target, MEMORY_LIMIT, "REORG", parameters)


def _rewritten(
    rewrite: Rewrite,
    groups: Sequence[Sequence[ScanFile]],
    request: Request,
    clustering: Clustering,
    target: int,
    memory_limit: int,
    operation: str,
    parameters: Mapping[str, Any],
) -> CommitInfo:
    """Rewrites the rows of files, each group separately, and returns the commit."""
    removed = [file for group in groups for file in group]
    if not removed:
        return rewrite.unchanged()
    snapshot = rewrite.snapshot
    total = rows_of(removed)
    with rewrite.display, rewrite.files() as write_id:
        plan = plan_rewrite(snapshot, request, rewrite.kept)
        if clustering.columns:
            found = extents(snapshot, clustering)
            shares = halvings(found, {file.number for file in removed})
            given = _rows(rewrite, removed, ahead=True)
            written = write_rows(plan, given, write_id, memory_limit, rewrite.display, total, shares)
        else:
            numbers = {file.number: file for file in removed}
            candidates = [candidates_of(snapshot, group) for group in groups]
            bins = [[numbers[each.number] for each in part] for group in candidates for part in packed(group, target)]
            task = plan.task(write_id, None)
            done = rewrite.display.step("Writing", total)

            def compacted(number: int) -> list[DataFile]:
                given = _rows(rewrite, bins[number], ahead=len(bins) == 1)
                written = read_messages(pa.Table.from_batches([task.write(given, number)]))
                done(sum(file.rows for file in written))
                return written

            with ThreadPoolExecutor(min(os.cpu_count() or 1, _MOST_THREADS)) as pool:
                written = [file for part in pool.map(compacted, range(len(bins))) for file in part]
        check_rows(removed, written)
        transaction = rewrite.transaction(operation, parameters)
        for add in adds(snapshot, [file.number for file in removed]):
            transaction.remove(add, data_change=False)
        for data_file in written:
            transaction.add(replace(data_file.tagged(clustering.tags(write_id)), data_change=False))
        transaction.depends_on(nothing)
        return rewrite.done(transaction.commit(), written)


def _rows(rewrite: Rewrite, files: Sequence[ScanFile], *, ahead: bool) -> Iterator[pa.RecordBatch]:
    """Yields the rows of files; threads read ``ahead``, see `read_ahead`."""
    if rewrite.kept:
        return (found.rows for found in rewrite.rows(files, ahead=ahead))
    plan = plan_table(rewrite.snapshot, verify=True)
    reader = plan.reader()
    if ahead:
        return read_ahead(reader, files, remote=is_store(plan.path))
    return reader.read(FilePart(file) for file in files)
