"""Verification of Mosaic files: their buckets, and their statistics against the values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ..generated.mosaic import File, StoredBucket
from ..statistics.stated import FileStatistics, row_group_mismatches
from ..verify.checks import FileChecks
from ..verify.regions import Region
from .layout import plan_buckets
from .physical import nodes_of
from .reader import MosaicFile, read_schema


def row_groups_of(source: Any) -> Iterator[tuple[FileStatistics, Iterable[pa.RecordBatch]]]:
    """Yields the statistics that each row group of a file states, and its rows."""
    file = MosaicFile(source)
    for number, group in enumerate(file.metadata.row_groups):
        stated = FileStatistics(group.num_rows, {}, {}, {})
        for name, found in file.statistics(number).items():
            stated.null_count[(name,)] = found.null_count
            if found.has_min_max and found.min == found.min:  # NaN bounds mean nothing
                stated.min[(name,)], stated.max[(name,)] = found.min, found.max
        yield stated, file.iter_batches(row_groups=[number])


def _regions(file: File) -> Iterator[Region]:
    columns = file.schema.body.columns
    nodes = nodes_of([each.type.params for each in columns])
    plans = {plan.bucket_id: plan for plan in plan_buckets(nodes, file.footer.num_buckets)}
    for group, rows in enumerate(file.index.row_groups):
        for ref in rows.buckets:
            plan = plans.get(ref.bucket_id)
            if plan is not None and ref.stored:
                arguments = (ref, file.footer.compression, plan.types, plan.primaries, rows.num_rows)
                place = ref.start, ref.stored
                yield Region(f"buckets[{group}]", f"[{ref.bucket_id}]", *place, StoredBucket, arguments)


def _contradictions(path: str) -> Iterator[tuple[str, str]]:
    for message in row_group_mismatches(FileStatistics(), read_schema(path), row_groups_of(path)):
        yield "", message


CHECKS = FileChecks(_regions, _contradictions)
