"""Rows of open data files: the row groups that a predicate leaves, without deleted rows, in the columns of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

import pyarrow as pa

from ...runtime.arrow_variant import filtered
from .conform import batch_rows
from .deleted import ChosenRows, Positions, RowNumbers
from .expression import expression
from .open_file import OpenFile
from .parts import Counts, FilePart
from .predicate import Bound, Name
from .pruning import Lookup, may_match


class Conforming(Protocol):
    """The columns of one file as those of its table."""

    def file_columns(self, file: pa.Schema) -> list[str]:
        """Returns the names of the columns to read from the file."""
        ...

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch of the file in the columns of the table."""
        ...


@dataclass(frozen=True)
class FileRows:
    """Reader of the rows of open files.

    Attributes:
        schema: schema of the batches.
        predicate: bound predicate that excludes row groups and rows; None for all rows.
        threads: True if a file's columns may be decoded in parallel.
        counts: counts of what was read, updated by `read`.
        position: name of an int64 column to add behind the others: the number of the row in its file; None for none.
    """

    schema: pa.Schema
    predicate: Bound | None
    threads: bool
    counts: Counts
    position: str | None = None

    def read(
        self,
        opened: OpenFile,
        part: FilePart[Any],
        conform: Conforming,
        paths: Mapping[Name, Name],
        chosen: ChosenRows | None,
    ) -> Iterator[pa.RecordBatch]:
        """Yields the rows of a file for which the predicate is true, in batches of `schema`, none of them empty.

        Args:
            opened: the file.
            part: which share of its row groups is read.
            conform: brings its batches into `schema`.
            paths: columns of the predicate that it has, with their paths there.
            chosen: the choice of rows by deletion vectors, None for all.
        """
        groups = self.row_groups(opened, part, paths, chosen)
        if not groups:
            return
        columns = conform.file_columns(opened.schema)
        numbered = chosen is not None or self.position is not None
        numbers = RowNumbers(groups, opened.group_rows) if numbered else None
        for read in opened.batches(columns, groups, self._batch_rows, threads=self.threads):
            batch = conform.batch(read)
            if numbers is not None:
                batch = self._chosen(batch, numbers.of(read.num_rows), chosen)
            kept = batch if self._condition is None else filtered(batch, self._condition)
            if kept.num_rows:
                self.counts.rows += kept.num_rows
                yield kept

    def row_groups(
        self, opened: OpenFile, part: FilePart[Any], paths: Mapping[Name, Name], chosen: ChosenRows | None = None
    ) -> list[int]:
        """Returns the numbers of the row groups of a file to read, and counts them."""
        mine = range(part.share, opened.num_row_groups, part.shares)
        found = list(mine)
        if self.predicate is not None and paths:
            known = opened.known(list(paths.values()))
            found = [group for group in mine if may_match(self.predicate, _renamed(known[group], paths))]
        if chosen is not None:
            starts = [0, *accumulate(opened.group_rows)]
            found = [group for group in found if chosen.has_rows(starts[group], opened.group_rows[group])]
        self.counts.row_groups += len(mine)
        self.counts.row_groups_read += len(found)
        return found

    @cached_property
    def _condition(self) -> Any:
        return None if self.predicate is None else expression(self.predicate)

    @cached_property
    def _batch_rows(self) -> int:
        return batch_rows(self.schema)

    def _chosen(self, batch: pa.RecordBatch, numbers: Positions, rows: ChosenRows | None) -> pa.RecordBatch:
        """Returns the wanted rows of a batch, on request with their numbers in the file."""
        if self.position is not None:
            batch = batch.append_column(self.position, pa.array(numbers))
        if rows is None:
            return batch
        kept = rows.of(numbers)
        return batch if kept.all() else filtered(batch, pa.array(kept))


def _renamed(lookup: Lookup, paths: Mapping[Name, Name]) -> Lookup:
    return lambda path: lookup(paths[path]) if path in paths else None
