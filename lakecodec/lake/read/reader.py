"""Reader of the selected files of a table, used by Spark's tasks and by scans without Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from .parts import Counts, FilePart, ScanFile
from .predicate import Bound, Name, leaf_paths

if TYPE_CHECKING:
    from .file_rows import FileRows


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

    def read(self, parts: Iterable[FilePart[ScanFile]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the predicate may be true, in batches of `schema`, none of them empty.

        Raises:
            FileNotFoundError: a file of the table is gone.
            DecodeError: a file is broken.
        """
        from ...delta import PartitionCodec
        from ..log.column_mapping import physical_schema
        from ..log.deletion_vectors import deleted_positions
        from ..log.storage import Storage
        from .conform import Conform
        from .deleted import ChosenRows
        from .open_file import open_data_file
        from .variant_parts import physical_columns

        storage = Storage(self.path)
        codec = PartitionCodec(self.table, self.partition_columns or None)
        table, physical = physical_schema(self.table), physical_columns(self.schema, self.table)
        rows, paths = self._rows(), self._file_paths()
        for part in parts:
            location = storage.locate(part.file.path)
            opened = open_data_file(
                self.format, storage.filesystem, location, table, verify=self.verify, size=part.file.size
            )
            try:
                vectors = [
                    None if text is None else deleted_positions(storage, text)
                    for text in (part.file.deleted, part.file.only)
                ]
                chosen = ChosenRows(*vectors) if part.file.by_position else None
                conform = Conform(self.schema, physical, codec, part.file.values, location, opened.legacy)
                yield from rows.read(opened, part, conform, paths, chosen)
            finally:
                opened.close()

    def count_row_groups(self, files: Iterable[ScanFile]) -> Counts:
        """Returns the counts of row groups of the files that would be read; reads footers alone."""
        from ..log.column_mapping import physical_schema
        from ..log.storage import Storage
        from .open_file import open_data_file

        storage, table = Storage(self.path), physical_schema(self.table)
        rows, paths = self._rows(), self._file_paths()
        for file in files:
            location = storage.locate(file.path)
            opened = open_data_file(self.format, storage.filesystem, location, table, size=file.size)
            try:
                self.counts.chosen[file.path] = tuple(rows.row_groups(opened, FilePart(file), paths))
            finally:
                opened.close()
        return self.counts

    def _rows(self) -> FileRows:
        from .file_rows import FileRows

        return FileRows(self.schema, self.predicate, self.threads, self.counts, self.position)

    def _file_paths(self) -> dict[Name, Name]:
        """Returns the columns of the predicate that are in files, with their paths there."""
        from ..log.column_mapping import physical_path
        from .variant_parts import part_of

        if self.predicate is None:
            return {}
        paths = [path for path in leaf_paths(self.predicate) if path[0] not in self.partition_columns]
        parts = {path: part for path in paths if (part := part_of(path[0])) is not None}
        return {
            path: (parts[path].physical(self.table).name,) if path in parts else physical_path(self.table, path)
            for path in paths
        }
