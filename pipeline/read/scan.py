"""Scans of a table without Spark."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .bind import find_column
from .explain import ScanSummary, summarise
from .plan import ScanPlan, make_plan, open_table
from .predicate import Anything, Tree
from .reader import Counts, FilePart
from .sql import parse_sql
from .terms import parse_terms

if TYPE_CHECKING:
    from ..predicates import Term


class TableScan:
    """A scan that can be run, once or more often.

    Attributes:
        plan: what it reads.
    """

    def __init__(self, plan: ScanPlan) -> None:
        if plan.undecided:
            parts = ", ".join(repr(part) for part in plan.undecided)
            raise ValueError(f"where: only Spark can decide {parts}; use pipeline.read")
        self.plan = plan
        self._counts = Counts()

    def batches(self, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """The rows that match, at most ``limit``, in the order of the log's files."""
        plan = self.plan
        self._counts = Counts()
        reader = plan.reader(self._counts, threads=True)
        left = limit
        for batch in reader.read(FilePart(file) for file in plan.files):
            if left == 0:
                return
            part = batch.select(list(plan.columns)).slice(0, left)
            left = None if left is None else left - part.num_rows
            yield part

    def reader(self, limit: int | None = None) -> pa.RecordBatchReader:
        """The same as a reader."""
        return pa.RecordBatchReader.from_batches(self.plan.schema, self.batches(limit))

    def summary(self) -> ScanSummary:
        """What the last run has read so far."""
        return summarise(self.plan, self._counts, self._counts.rows)


def open_scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: str | Sequence[Term] | Sequence[Sequence[Term]] | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
) -> TableScan:
    """A scan of a table, planned but not run; the arguments are those of `scan`."""
    snapshot = open_table(path, version, timestamp)
    tree = None if where is None else parse_where(where)
    if tree is not None:
        _check_names(tree, snapshot.schema)
    return TableScan(make_plan(snapshot, columns, tree))


def scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: str | Sequence[Term] | Sequence[Sequence[Term]] | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
) -> pa.RecordBatchReader:
    """Read a table without Spark: partitions, files and row groups that cannot match are skipped.

    Args:
        path: of the table.
        columns: names of the columns in the order wanted, None for all.
        where: a predicate in Spark SQL of comparisons of columns with literals, ``IN``, ``BETWEEN``, ``LIKE 'prefix%'``,
            ``IS [NOT] NULL``, ``AND``, ``OR``, ``NOT``; or tuples (column, operator, value) that must all hold, or lists
            of such of which one must. NaN equals itself and is above all numbers, as in Spark; times without a zone
            are in UTC.
        version: of the table, by default the newest.
        timestamp: or the version that was the newest at this time.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        KeyError: an unknown column.
        ValueError: a predicate that only Spark can decide, or that is none.
    """
    return open_scan(path, columns=columns, where=where, version=version, timestamp=timestamp).reader()


def parse_where(where: Any, zone: str = "UTC") -> Tree:
    """The tree of a predicate as text or tuples. TypeError or ValueError where it is none."""
    if not isinstance(where, str):
        return parse_terms(where)
    if not where.strip():
        raise ValueError("where: the predicate is empty")
    # A setting of Spark decides what a backslash means.
    return Anything(where) if "\\" in where else parse_sql(where, zone)


def _check_names(tree: Any, schema: pa.Schema) -> None:
    """KeyError for a column that is not there."""
    for part in getattr(tree, "parts", None) or [getattr(tree, "part", None)]:
        if part is not None:
            _check_names(part, schema)
    name = getattr(tree, "name", None)
    if name is not None and find_column(schema, name) is None:
        raise KeyError(f"where: {'.'.join(name)!r} is not a column of the table")
