"""Scans of a table without Spark."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pyarrow as pa

from ...runtime.arrow_nested import relabelled
from ...runtime.exact import check_type
from ...runtime.short import ShortRepr
from ...runtime.urls import is_store, with_options
from .explain import ScanSummary, summarise
from .footers import TableFooters
from .parts import Counts
from .plan import ScanPlan, decided, open_table, plan_table
from .prefetch import read_ahead
from .where import Where, check_names, parse_where


class TableScan(ShortRepr):
    """A planned scan, which can be run more than once; ``footers`` are the stored footers of its files.

    Attributes:
        plan: columns, predicate and files of the scan.

    Raises:
        ValueError: the predicate has parts that only Spark can decide.
    """

    def __init__(self, plan: ScanPlan, footers: TableFooters | None = None) -> None:
        self.plan = decided(plan)
        self._footers = footers
        self._counts = Counts()

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        plan = self.plan
        parts = [("", plan.path), ("version", plan.version), ("columns", list(plan.columns))]
        return "TableScan", [*parts, ("files", len(plan.files)), ("files_total", plan.files_total)]

    def batches(self, limit: int | None = None) -> Iterator[pa.RecordBatch]:
        """Yields the rows that match, at most ``limit``, in the order of the log's files."""
        self._counts = Counts()
        schema = self.plan.schema
        for batch in first_rows(self._read(self._counts), self.plan.columns, limit):
            yield relabelled(batch, schema)

    def _read(self, counts: Counts) -> Iterator[pa.RecordBatch]:
        """Yields the rows in the columns wanted and those that the predicate needs."""
        reader = replace(self.plan.reader(counts, threads=True), footers=self._footers)
        yield from read_ahead(reader, self.plan.files, remote=is_store(self.plan.path))
        if self._footers is not None:
            self._footers.save()

    def reader(self, limit: int | None = None) -> pa.RecordBatchReader:
        """Returns a RecordBatchReader of the rows that match, at most ``limit``."""
        return pa.RecordBatchReader.from_batches(self.plan.schema, self.batches(limit))

    def summary(self) -> ScanSummary:
        """Returns the counts of the last run so far."""
        return summarise(self.plan, self._counts, self._counts.rows)


def first_rows(
    batches: Iterable[pa.RecordBatch], columns: Iterable[str], limit: int | None
) -> Iterator[pa.RecordBatch]:
    """Yields columns of batches up to ``limit`` rows; None for all rows."""
    names, left = list(columns), limit
    for batch in batches:
        if left == 0:
            return
        part = batch.select(names).slice(0, left)
        left = None if left is None else left - part.num_rows
        yield part


def open_scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
    verify: bool = False,
    footer_cache: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> TableScan:
    """Returns a scan of a table, planned but not run; arguments and errors are those of `scan`."""
    snapshot = open_table(with_options(path, storage_options), version, timestamp)
    tree = None if where is None else parse_where(where)
    if tree is not None:
        check_names(tree, snapshot.schema)
    check_type("footer_cache", footer_cache, bool)
    plan = plan_table(snapshot, columns, tree, verify=verify)
    return TableScan(plan, TableFooters(snapshot.log.storage, plan.files_total) if footer_cache else None)


def scan(
    path: str | os.PathLike[str],
    *,
    columns: Sequence[str] | None = None,
    where: Where | None = None,
    version: int | None = None,
    timestamp: datetime | str | None = None,
    verify: bool = False,
    footer_cache: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.RecordBatchReader:
    """Returns a RecordBatchReader of a table's rows, read without Spark and with data skipping.

    Partitions, files and row groups whose partition values or statistics exclude ``where`` are skipped; the remaining rows
    are filtered.

    Args:
        path: path or URL of the table.
        columns: names of the wanted columns in order; None for all.
        where: a predicate in Spark SQL of comparisons of columns with literals, ``IN``, ``BETWEEN``, ``LIKE 'prefix%'``,
            ``IS [NOT] NULL``, ``AND``, ``OR``, ``NOT``; or tuples (column, operator, value) that must all be true, or
            lists of such tuples, of which one list must be true. NaN equals itself and is above all numbers, as in
            Spark; times without a zone
            are in UTC. A name such as ``v.a.b`` may be of a part of a variant: values of another kind than the literal's match
            nothing.
        version: version of the table, by default the newest.
        timestamp: a time instead: the version that was then the newest; UTC without a zone.
        verify: True to compare checksums of Parquet pages; those of Mosaic files are always compared.
        footer_cache: True to store footers of data files in the table's directory, in ``_footers.arrow``: a scan
            uses the stored ones and adds others. Data files must never be written twice. Mosaic files on a local disk
            are mapped, so that none are stored.
        storage_options: options of the client for the table's object store, see `StoreUrl`.

    Raises:
        VersionNotFoundError: there is no table, or no such version.
        KeyError: an unknown column.
        ValueError: the predicate is invalid, or only Spark can decide it.
    """
    located = with_options(path, storage_options)
    return open_scan(
        located, columns=columns, where=where, version=version, timestamp=timestamp, verify=verify,
        footer_cache=footer_cache,
    ).reader()  # fmt: skip
