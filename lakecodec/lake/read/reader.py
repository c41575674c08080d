"""Reader of the selected files of a table, used by Spark's tasks and by scans without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import pyarrow as pa

from .parts import Counts, FilePart, ScanFile
from .predicate import Bound, Name, leaf_paths
from .pruning import Lookup, may_match

if TYPE_CHECKING:
    from .deleted import ChosenRows, Positions
    from .open_file import OpenFile


@dataclass(frozen=True)
class TableReader:
    """Picklable reader of files of a table.

    Modules that only reading needs are imported when it begins, as plans pass through processes that do not read.

    Attributes:
        path: path or URL of the table.
        format: format of the data files.
        table: the table's schema, or a part of it: what is read, the partition columns, and at least one other.
        schema: schema of the batches: the wanted columns, and those that the predicate needs.
        partition_columns: names, in the table's order.
        predicate: bound predicate that excludes row groups and rows; None for all rows.
        threads: True if a file's columns may be decoded in parallel.
        verify: True if checksums of pages are compared, and rows counted.
        counts: counts of what was read, updated by `read`.
        position: name of an int64 column to add behind the others: the number of the row in its file; None for none.
    """

    path: str
    format: str
    table: pa.Schema
    schema: pa.Schema
    partition_columns: tuple[str, ...]
    predicate: Bound | None
    threads: bool = False
    verify: bool = False
    counts: Counts = field(default_factory=Counts, compare=False)
    position: str | None = None

    def read(self, parts: Iterable[FilePart]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the predicate may be true, in batches of `schema`, none of them empty.

        Raises:
            FileNotFoundError: a file of the table is gone.
            DecodeError: a file is broken.
        """
        from ...delta import PartitionCodec
        from ..log.column_mapping import physical_part, physical_schema
        from ..log.deletion_vectors import deleted_positions
        from ..log.storage import Storage
        from .conform import Conform, batch_rows
        from .deleted import ChosenRows, RowNumbers
        from .expression import expression
        from .open_file import open_data_file

        storage = Storage(self.path)
        codec = PartitionCodec(self.table, self.partition_columns or None)
        table, physical = physical_schema(self.table), physical_part(self.schema, self.table)
        rows = batch_rows(self.schema)
        condition = None if self.predicate is None else expression(self.predicate)
        for part in parts:
            location = storage.locate(part.file.path)
            opened = open_data_file(self.format, storage.filesystem, location, table, verify=self.verify)
            try:
                vectors = [
                    None if text is None else deleted_positions(storage, text)
                    for text in (part.file.deleted, part.file.only)
                ]
                chosen = ChosenRows(*vectors) if part.file.by_position else None
                groups = self._row_groups(opened, part, chosen)
                conform = Conform(self.schema, physical, codec, part.file.values, location, opened.legacy)
                columns = conform.file_columns(opened.schema) if groups else []
                numbered = chosen is not None or self.position is not None
                numbers = RowNumbers(groups, opened.group_rows) if numbered else None
                for read in opened.batches(columns, groups, rows, threads=self.threads) if groups else ():
                    batch = conform.batch(read)
                    if numbers is not None:
                        batch = self._chosen(batch, numbers.of(read.num_rows), chosen)
                    kept = batch if condition is None else batch.filter(condition)
                    if kept.num_rows:
                        self.counts.rows += kept.num_rows
                        yield kept
            finally:
                opened.close()

    def count_row_groups(self, files: Iterable[ScanFile]) -> Counts:
        """Returns the counts of row groups of the files that would be read; reads footers alone."""
        from ..log.column_mapping import physical_schema
        from ..log.storage import Storage
        from .open_file import open_data_file

        storage, table = Storage(self.path), physical_schema(self.table)
        for file in files:
            opened = open_data_file(self.format, storage.filesystem, storage.locate(file.path), table)
            try:
                self.counts.chosen[file.path] = tuple(self._row_groups(opened, FilePart(file)))
            finally:
                opened.close()
        return self.counts

    def _chosen(self, batch: pa.RecordBatch, numbers: Positions, rows: ChosenRows | None) -> pa.RecordBatch:
        """Returns the wanted rows of a batch, with their numbers in the file if these are asked for."""
        if self.position is not None:
            batch = batch.append_column(self.position, pa.array(numbers))
        if rows is None:
            return batch
        kept = rows.of(numbers)
        return batch if kept.all() else batch.filter(pa.array(kept))

    def _row_groups(self, opened: OpenFile, part: FilePart, rows: ChosenRows | None = None) -> list[int]:
        """Returns the numbers of the row groups to read, and counts them."""
        mine = range(part.share, opened.num_row_groups, part.shares)
        chosen = list(mine)
        if self.predicate is not None and (paths := self._file_paths()):
            known = opened.known(list(paths.values()))
            chosen = [group for group in mine if may_match(self.predicate, _renamed(known[group], paths))]
        if rows is not None:
            starts = [0, *accumulate(opened.group_rows)]
            chosen = [group for group in chosen if rows.has_rows(starts[group], opened.group_rows[group])]
        self.counts.row_groups += len(mine)
        self.counts.row_groups_read += len(chosen)
        return chosen

    def _file_paths(self) -> dict[Name, Name]:
        """Returns the columns of the predicate that are in files, with their paths there."""
        from ..log.column_mapping import physical_path

        assert self.predicate is not None
        paths = [path for path in leaf_paths(self.predicate) if path[0] not in self.partition_columns]
        return {path: physical_path(self.table, path) for path in paths}


def _renamed(lookup: Lookup, paths: Mapping[Name, Name]) -> Lookup:
    return lambda path: lookup(paths[path]) if path in paths else None
