"""Rows of open data files in the columns of a table, without deleted rows and excluded row groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

import pyarrow as pa

from ...runtime.arrow_variant import filtered
from ..row_size import row_bytes
from .conform import batch_rows
from .deleted import ChosenRows, Positions, RowNumbers
from .expression import expression
from .late_columns import RowTest
from .open_file import OpenFile
from .parts import Counts, FilePart, Stretch
from .predicate import Bound, Name, column_names
from .pruning import Lookup, may_match

#: The most rows per batch if a predicate is tested before the other columns are read, and the fewest bytes of a file's Arrow
#: data for which this is done.
_TESTED_ROWS, _TESTED_BYTES = 1 << 16, 2 << 20


class Conforming(Protocol):
    """The interface that converts a file's columns to those of its table."""

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
        position: name of an int64 column, added last, with the row's number in its file; None for none.
    """

    schema: pa.Schema
    predicate: Bound | None
    threads: bool
    position: str | None = None

    def open(
        self,
        opened: OpenFile,
        part: FilePart[Any],
        conform: Callable[[], Conforming],
        paths: Mapping[Name, Name],
        chosen: ChosenRows | None,
    ) -> OpenPart:
        """Returns the row groups of an open file that can hold wanted rows.

        Args:
            opened: the file; the result closes it.
            part: the share of its row groups to read.
            conform: returns the conversion of its batches to `schema`; called if there are any.
            paths: the predicate's columns that the file has, with their paths there.
            chosen: the choice of rows by deletion vectors, None for all.
        """
        if self.predicate is not None and paths:
            known = opened.known(list(paths.values()))
            mine = range(part.share, len(known), part.shares)
            found = [group for group in mine if may_match(self.predicate, _renamed(known[group], paths))]
        else:
            mine = range(part.share, opened.num_row_groups, part.shares)
            found = list(mine)
        if chosen is not None:
            starts = [0, *accumulate(opened.group_rows)]
            found = [group for group in found if chosen.has_rows(starts[group], opened.group_rows[group])]
        tested = {there[0] for there in paths.values()}
        return OpenPart(self, opened, len(mine), found, conform() if found else None, chosen, tested)

    def batches(
        self, part: OpenPart, row_groups: Sequence[int], conform: Conforming, *, alone: bool
    ) -> Iterator[pa.RecordBatch]:
        """Returns the rows of some row groups for which the predicate is true, in batches of `schema`, none of them empty.

        They are fetched from a store by the call itself, and decoded by the iterator.
        """
        opened, chosen = part.opened, part.chosen
        numbered = chosen is not None or self.position is not None
        numbers = RowNumbers(row_groups, opened.group_rows) if numbered else None
        threads, test = self.threads and alone, None if numbered else self._test(part, conform)
        most = self._batch_rows if test is None else min(self._batch_rows, _TESTED_ROWS)
        found = opened.batches(part.columns, row_groups, most, threads=threads, test=test)
        return self._wanted(found, conform, numbers, chosen)

    def _wanted(
        self,
        found: Iterator[pa.RecordBatch],
        conform: Conforming,
        numbers: RowNumbers | None,
        chosen: ChosenRows | None,
    ) -> Iterator[pa.RecordBatch]:
        for read in found:
            batch = conform.batch(read)
            if numbers is not None:
                batch = self._chosen(batch, numbers.of(read.num_rows), chosen)
            kept = batch if self._condition is None else filtered(batch, self._condition)
            if kept.num_rows:
                yield kept

    def _test(self, part: OpenPart, conform: Conforming) -> RowTest | None:
        """Returns the predicate as a test of some of the columns that are read; None for all, none, or a small file."""
        if self.predicate is None or not 0 < len(part.tested) < len(part.columns):
            return None
        if part.opened.num_rows * row_bytes(self.schema) < _TESTED_BYTES:
            return None
        names = column_names(self.predicate)

        def finds(read: pa.RecordBatch) -> bool:
            return bool(filtered(conform.batch(read).select(names), self._condition).num_rows)

        return RowTest(part.tested, finds)

    @cached_property
    def _condition(self) -> Any:
        return None if self.predicate is None else expression(self.predicate)

    @cached_property
    def _batch_rows(self) -> int:
        return batch_rows(self.schema)

    def _chosen(self, batch: pa.RecordBatch, numbers: Positions, rows: ChosenRows | None) -> pa.RecordBatch:
        """Returns the wanted rows of a batch, if requested with their numbers in the file."""
        if self.position is not None:
            batch = batch.append_column(self.position, pa.array(numbers))
        if rows is None:
            return batch
        kept = rows.of(numbers)
        return batch if kept.all() else filtered(batch, pa.array(kept))


class OpenPart:
    """The row groups of an open file, or of a share of it, that can hold wanted rows.

    Attributes:
        opened: the file.
        total: number of row groups of the share.
        row_groups: numbers of the row groups to read.
        columns: names of the columns to read.
        chosen: the choice of rows by deletion vectors, None for all.
        tested: those of the columns that the predicate needs; none if it needs some that are not read by their name.
    """

    def __init__(
        self,
        rows: FileRows,
        opened: OpenFile,
        total: int,
        row_groups: list[int],
        conform: Conforming | None,
        chosen: ChosenRows | None,
        tested: Collection[str],
    ) -> None:
        self.opened, self.total, self.row_groups, self.chosen = opened, total, row_groups, chosen
        self.columns = [] if conform is None else conform.file_columns(opened.schema)
        self.tested = tuple(name for name in self.columns if name in tested)
        if len(self.tested) < len(tested):  # some are parts of variants, or missing in the file
            self.tested = ()
        self._rows, self._conform = rows, conform

    def stretches(self) -> list[Stretch]:
        """Returns the row groups in stretches, in order; several threads may read different stretches at a time."""
        return self.opened.stretches(self.columns, self.row_groups) if self.row_groups else []

    def batches(self, row_groups: Sequence[int], *, alone: bool = True) -> Iterator[pa.RecordBatch]:
        """Returns the wanted rows of a stretch, none of the batches empty; see `FileRows.batches`.

        Unless it is read ``alone``, its columns are decoded sequentially, which takes less time in total.
        """
        assert self._conform is not None
        return self._rows.batches(self, row_groups, self._conform, alone=alone)

    def count(self, counts: Counts) -> None:
        """Adds the numbers of row groups to the counts of a scan."""
        counts.row_groups += self.total
        counts.row_groups_read += len(self.row_groups)

    def close(self) -> None:
        """Closes the file."""
        self.opened.close()


def _renamed(lookup: Lookup, paths: Mapping[Name, Name]) -> Lookup:
    return lambda path: lookup(paths[path]) if path in paths else None
