"""The common part of optimizations: the files that they take, the order of rows, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..log import LogError, Snapshot, StatisticsReader
from ..read.parts import ScanFile
from ..writing.messages import DataFile
from ..writing.plan import check_order, resolve_names
from ..writing.request import Request
from .cubes import CUBE, Candidate, Clustering
from .extents import Extent


def candidates_of(snapshot: Snapshot, files: Sequence[ScanFile]) -> list[Candidate]:
    """Returns files as candidates of a rewrite."""
    return [
        Candidate(
            file.number,
            file.size,
            file.values,
            snapshot.files[file.number].tags or {},
            deleted=file.deleted is not None,
        )
        for file in files
    ]


def nothing(values: object) -> bool:
    """Returns False: files that others add do not matter in any partition."""
    return False


def clustering_of(
    snapshot: Snapshot, zorder_by: str | Sequence[str], hilbert_by: str | Sequence[str], target_file_bytes: int
) -> tuple[Request, Clustering]:
    """Returns the request of a rewrite along a curve, and the tags of its files."""
    request = Request.of(zorder_by=zorder_by, hilbert_by=hilbert_by, target_file_bytes=target_file_bytes)
    schema = snapshot.schema
    request = replace(
        request,
        zorder_by=resolve_names("zorder_by", request.zorder_by, schema.names, "table"),
        hilbert_by=resolve_names("hilbert_by", request.hilbert_by, schema.names, "table"),
    )
    check_order(request, schema, tuple(snapshot.partition_columns))
    return request, Clustering(request.curve or "none", request.curve_by)


def extents(snapshot: Snapshot, clustering: Clustering) -> list[Extent]:
    """Returns the extents of all files in the columns of a curve, from the log's statistics."""
    reader = StatisticsReader(snapshot.schema, clustering.columns)
    found = []
    for number, add in enumerate(snapshot.files):
        stats = reader.parse(add.stats)
        bounds = [(stats.min.get((name,)), stats.max.get((name,))) for name in clustering.columns]
        tags = add.tags or {}
        found.append(
            Extent(
                partition=tuple(sorted(add.partition_values.items())),
                unit=tags[CUBE] if CUBE in tags and clustering.is_of(tags) else number,
                rows=stats.num_records or 1,
                ranges=tuple(None if None in each else each for each in bounds),
            )
        )
    return found


def check_rows(removed: Sequence[ScanFile], written: Sequence[DataFile]) -> None:
    """Raises LogError if the number of rows differs from the log's, as in files that were damaged after their commit."""
    counts = [file.rows for file in removed]
    found = sum(file.rows for file in written)
    if None not in counts and (expected := sum(count or 0 for count in counts)) != found:
        raise LogError(f"the log says {expected} rows, the files have {found}; check the table")


def parameters_of(clustering: Clustering, where: str | None) -> dict[str, object]:
    """Returns the ``operationParameters`` of an optimization."""
    found: dict[str, object] = {"predicate": [] if where is None else [where]}
    if clustering.columns:
        found |= {"zOrderBy": list(clustering.columns), "curve": clustering.curve}
    return found
