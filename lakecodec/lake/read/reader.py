"""Reader of the selected files of a table, used by Spark's tasks and by scans without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from .parts import Counts, FilePart, ScanFile
from .predicate import Bound, Name, leaf_paths

if TYPE_CHECKING:
    from .deleted import Positions
    from .file_rows import OpenPart
    from .footers import TableFooters


@dataclass(frozen=True)
class TableReader:
    """Picklable reader of files of a table.

    Modules for reading are imported when it begins, since plans pass through processes that do not read.

    Attributes:
        path: path or URL of the table.
        format: format of the data files.
        table: the table's schema, or at least the read columns, the partition columns and one other.
        schema: schema of the batches: the wanted columns, and those that the predicate needs.
        partition_columns: names, in the table's order.
        predicate: bound predicate that excludes row groups and rows; None for all rows.
        threads: True if a file's columns may be decoded in parallel.
        verify: True if checksums of pages are compared, and rows counted.
        counts: counts of what was read, updated by `read`.
        position: name of an int64 column to add behind the others: the number of the row in its file; None for none.
        footers: stored footers; None in pickled readers.
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
    footers: TableFooters | None = field(default=None, compare=False)

    def read(self, parts: Iterable[FilePart[ScanFile]]) -> Iterator[pa.RecordBatch]:
        """Yields the rows for which the predicate may be true, in batches of `schema`, none of them empty.

        Raises:
            FileNotFoundError: a file of the table was deleted.
            DecodeError: a file is broken.
        """
        from .prefetch import read_parts

        return read_parts(self, parts)

    def opener(self) -> Callable[[FilePart[ScanFile]], OpenPart]:
        """Returns the function of `PartReader`; common properties of a table's files are looked up once."""
        from ...delta import PartitionCodec
        from ...runtime.parallel import readers
        from ..log.column_mapping import physical_schema
        from ..log.deletion_vectors import deleted_positions
        from ..log.storage import Storage
        from .conform import Conform
        from .deleted import ChosenRows
        from .file_rows import FileRows
        from .open_file import open_data_file
        from .remote import naming
        from .variant_parts import physical_columns

        storage = Storage(self.path)
        codec = PartitionCodec(self.table, self.partition_columns or None)
        table, physical = physical_schema(self.table), physical_columns(self.schema, self.table)
        rows, paths = FileRows(self.schema, self.predicate, self.threads, self.position), self._file_paths()

        def vector(text: str | None) -> Callable[[], Positions | None]:
            """Returns a function that returns the positions of a deletion vector; the request to a store starts now."""
            if text is None or storage.local is not None:
                return lambda: None if text is None else deleted_positions(storage, text)
            return readers().submit(deleted_positions, storage, text).result

        def open_part(part: FilePart[ScanFile]) -> OpenPart:
            file, location = part.file, storage.locate(part.file.path)
            with naming(location):
                vectors = [vector(text) for text in (file.deleted, file.only)]
                opened = open_data_file(
                    self.format,
                    storage.filesystem,
                    location,
                    table,
                    verify=self.verify,
                    size=file.size,
                    footers=self.footers,
                )
                try:
                    chosen = None
                    if file.by_position:
                        _ = opened.num_row_groups  # reads the footer while vectors are being fetched
                        chosen = ChosenRows(*(positions() for positions in vectors))

                    def conform() -> Conform:
                        return Conform(self.schema, physical, codec, file.values, location, opened.legacy)

                    return rows.open(opened, part, conform, paths, chosen)
                except BaseException:
                    opened.close()
                    raise

        return open_part

    def count_row_groups(self, files: Sequence[ScanFile]) -> Counts:
        """Returns the counts of row groups of the files that would be read; reads only footers."""
        from ...runtime.urls import is_store
        from .prefetch import open_ahead

        with closing(open_ahead(self, files, remote=is_store(self.path))) as parts:
            for file, part in zip(files, parts, strict=True):
                part.close()
                part.count(self.counts)
                self.counts.chosen[file.path] = tuple(part.row_groups)
        return self.counts

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
