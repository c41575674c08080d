"""Mosaic data files, read by our codec."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Any, cast

import pyarrow as pa
import pyarrow.fs

from ...mosaic import ColumnStatistics, MosaicFile
from .footers import KeptFooter, TableFooters
from .late_columns import RowTest
from .parts import Stretch, stretches_of
from .predicate import Name
from .pruning import Known, Lookup
from .remote import remote_reader


class OpenMosaic:
    """Open Mosaic file, see `OpenFile`."""

    legacy = None

    def __init__(
        self,
        filesystem: Any,
        path: str,
        table: pa.Schema,
        size: int | None = None,
        footers: TableFooters | None = None,
    ) -> None:
        self._table = table
        self._is_remote = (remote := remote_reader(filesystem, path, size)) is not None
        if remote is not None:
            kept = None if footers is None else footers.find(path, size)
            remote.known_tail = None if kept is None else memoryview(kept.metadata)
            self._file = MosaicFile(cast(Any, remote))
            if footers is not None and kept is None:
                start = self._file.metadata.schema_offset
                footers.add(path, KeptFooter(remote.size, start, remote.read(start, remote.size - start)))
            return
        local = isinstance(filesystem, pa.fs.LocalFileSystem)
        self._file = MosaicFile(path, filesystem=None if local else filesystem)

    @property
    def schema(self) -> pa.Schema:
        return self._file.schema

    @property
    def num_row_groups(self) -> int:
        return self._file.num_row_groups

    @property
    def group_rows(self) -> list[int]:
        return [group.num_rows for group in self._file.metadata.row_groups]

    @property
    def num_rows(self) -> int:
        return self._file.num_rows

    def known(self, paths: Sequence[Name]) -> list[Lookup]:
        wanted = {path[0] for path in paths if len(path) == 1 and self._is_comparable(path[0])}
        return [self._known(number, wanted) for number in range(self._file.num_row_groups)]

    def stretches(self, columns: Sequence[str], row_groups: Sequence[int]) -> list[Stretch]:
        metadata = self._file.metadata
        sizes = [(number, metadata.row_groups[number].stored_size) for number in row_groups]
        return stretches_of([(number, size * len(columns) // metadata.num_columns) for number, size in sizes])

    def batches(
        self,
        columns: Sequence[str],
        row_groups: Sequence[int],
        batch_rows: int,
        *,
        threads: bool,
        test: RowTest | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """``threads`` has almost no effect: the codec uses all processors only for large buckets."""
        batches = self._file.iter_batches(batch_rows, list(columns), row_groups=list(row_groups))
        # The first batch waits for the store. It is made here, since few threads decode, and many read.
        return chain(list(islice(batches, int(self._is_remote))), batches)

    def close(self) -> None:
        self._file.close()

    def _is_comparable(self, name: str) -> bool:
        """Returns True if bounds of the column are comparable with values of the table's type, which may be wider."""
        here, there = self._file.schema.get_field_index(name), self._table.get_field_index(name)
        if here < 0 or there < 0:
            return False
        kinds = (self._file.schema.field(here).type, self._table.field(there).type)
        return kinds[0] == kinds[1] or all(map(pa.types.is_integer, kinds))

    def _known(self, number: int, wanted: set[str]) -> Lookup:
        rows = self._file.metadata.row_groups[number].num_rows
        found: dict[Name, Known] = {
            (name,): _known(statistics, rows)
            for name, statistics in self._file.statistics(number).items()
            if name in wanted
        }
        return found.get


def _known(statistics: ColumnStatistics, rows: int) -> Known:
    low, high = _python(statistics.low), _python(statistics.high)
    # If the first value was NaN, both bounds are NaN and mean nothing.
    if low != low or high != high:
        low = high = None
    return Known(low, high, statistics.null_count, rows)


def _python(scalar: pa.Scalar | None) -> Any:
    if scalar is None:
        return None
    try:
        value = scalar.as_py()
    except (ValueError, OverflowError):
        return None
    return value.astimezone(UTC) if isinstance(value, datetime) and value.tzinfo is not None else value
