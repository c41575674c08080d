"""OPTIMIZE: compaction and clustering of a table's files; the rows stay the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...lake.changes.clustering import (
    candidates_of,
    check_rows,
    clustering_of,
    extents,
    nothing,
    parameters_of,
)
from ...lake.changes.cubes import Clustering, files_to_rewrite, packed
from ...lake.changes.extents import halvings
from ...lake.changes.repeat import repeated
from ...lake.changes.selection import adds, every_file
from ...lake.log import CommitInfo
from ...lake.read.parts import ScanFile
from ...lake.writing.messages import DataFile
from ...lake.writing.plan import target_bytes
from ...lake.writing.request import Request
from ...runtime.urls import with_options
from ..errors import job_errors
from ..ingest.job import write_arranged
from ..predicates import Predicate, predicate_text
from .compact import compact
from .matching import Matching, tagged_rows
from .rewriting import Rewrite

if TYPE_CHECKING:
    import os

    from pyspark.sql import SparkSession


@job_errors()
@repeated(always=True)
def optimize(
    spark: SparkSession,
    path: str | os.PathLike[str],
    *,
    where: Predicate | None = None,
    zorder_by: str | Sequence[str] = (),
    hilbert_by: str | Sequence[str] = (),
    target_file_bytes: int | None = None,
    progress: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> CommitInfo:
    """Compacts small files, or clusters rows along a curve, and returns the commit of the new version.

    Other arguments are those of `lakecodec.lake.optimize`, as other errors and the result are.

    Args:
        spark: a session, classic or of Spark Connect.
        where: restricts the run to files that can have rows for which it is true; None for all.
        progress: True to show progress and a summary on standard error.

    Raises:
        SparkJobError: a Spark job failed; the text is one line of what Spark says, the cause its own error.
    """
    rewrite = Rewrite(spark, with_options(path, storage_options), progress=progress)
    snapshot = rewrite.snapshot
    target = target_bytes(target_file_bytes, snapshot)
    request, clustering = clustering_of(snapshot, zorder_by, hilbert_by, target)
    if where is None:
        files = every_file(snapshot)
    else:
        certain, possible = Matching(spark, snapshot, where).files()
        files = [*certain, *possible]
    candidates = candidates_of(snapshot, files)
    groups = files_to_rewrite(candidates, clustering, target)
    if not groups:
        return rewrite.unchanged()
    by_number = {file.number: file for file in files}
    parameters = parameters_of(clustering, None if where is None else predicate_text(where))
    with rewrite.files() as write_id:
        if clustering.columns:
            written = _clustered(
                rewrite, request, [by_number[number] for group in groups for number in group], write_id
            )
        else:
            sizes = {file.number: file for file in candidates}
            bins = [part for group in groups for part in packed([sizes[n] for n in group], target)]
            written = compact(rewrite, [[by_number[file.number] for file in part] for part in bins], write_id, target)
        removed = [by_number[number] for group in groups for number in group]
        check_rows(removed, written)
        transaction = rewrite.transaction("OPTIMIZE", parameters)
        for add in adds(snapshot, [file.number for file in removed]):
            transaction.remove(add, data_change=False)
        for file in written:
            transaction.add(replace(file.tagged(clustering.tags(write_id)), data_change=False))
        transaction.depends_on(nothing)
        return rewrite.done(transaction.commit(), written)


def _clustered(rewrite: Rewrite, request: Request, files: list[ScanFile], write_id: str) -> list[DataFile]:
    frame = tagged_rows(rewrite.spark, rewrite.snapshot, files, rewrite.tag).drop(rewrite.tag)
    known = extents(rewrite.snapshot, Clustering(request.curve or "none", request.curve_by))
    plan = replace(rewrite.plan(frame), request=request, halvings=halvings(known, {file.number for file in files}))
    return write_arranged(plan, write_id, rewrite.display, even=True)
