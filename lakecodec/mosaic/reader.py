"""``MosaicFile``: a file's tables, schema and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from ..runtime.columns import DEFAULT_LIMIT
from ..runtime.errors import DecodeError
from ..runtime.magic import recognised
from ..runtime.ranges import RangeReader
from ..runtime.short import Shown
from ..runtime.source_types import SourceLike
from ..runtime.suggest import no_such
from .errors import broken
from .filters import Filter, Filters
from .header import Header, open_source
from .metadata import FileMetaData, read_statistics
from .scan import Scan
from .statistics import ColumnStatistics


class MosaicFile(Shown):
    """A file that is open for reading. It can be used as a context manager, and from several threads.

    Args:
        source: a path or URL, bytes-like, a pyarrow or fsspec file, or a seekable binary file object.
        memory_map: map local files into memory instead of reading from them.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        limit: bytes that columns of one bucket may take beyond the bytes that hold them: a few bytes can stand for
            billions of equal rows or nulls.

    Raises:
        DecodeError: the source is not a Mosaic file. Schema and index are read, and their errors raised, when first
            needed.
        TypeError: ``source`` is none of these.
        OSError: it cannot be read.
    """

    def __init__(
        self, source: SourceLike, *, memory_map: bool = True, filesystem: Any = None, limit: int = DEFAULT_LIMIT
    ) -> None:
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise TypeError(f"limit: an int is needed, not {limit!r}")
        self._limit = limit
        self._closed = False
        self._ranges = open_source(source, memory_map=memory_map, filesystem=filesystem)
        try:
            self._header = Header(self._ranges)
        except DecodeError as error:
            other = _other_format(self._ranges)
            self._ranges.close()
            if other is None:
                raise
            raise broken(f"not a Mosaic file but a {other} one", file=self._ranges.name, offset=error.offset) from error
        except BaseException:
            self._ranges.close()
            raise

    def _shown_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        # The footer alone: what is shown reads nothing and does not fail.
        footer = self._header.footer
        parts: list[tuple[str, Any]] = [("", self._ranges.name)] if self._ranges.name else []
        parts += [("num_row_groups", footer.num_row_groups), ("num_buckets", footer.num_buckets)]
        parts += [("size", self._ranges.size)]
        return "MosaicFile", [*parts, ("closed", True)] if self._closed else parts

    @property
    def schema(self) -> pa.Schema:
        """The columns, in the order of the table that was written."""
        return self._header.arrow_schema

    @cached_property
    def metadata(self) -> FileMetaData:
        """Everything that the file's footer, schema and index say."""
        return FileMetaData(self._header)

    @property
    def num_rows(self) -> int:
        return int(self._header.buckets.num_rows.sum())

    @property
    def num_row_groups(self) -> int:
        return self._header.buckets.num_row_groups

    def read(self, columns: Sequence[str] | None = None, filters: Filters | None = None) -> pa.Table:
        """All rows, or those that match.

        Args:
            columns: names of the columns, in the order in which they are returned; None for all.
            filters: a ``pyarrow.compute.Expression``, tuples (column, operator, value) that must all hold, or lists of
                such tuples of which one must hold. Row groups that cannot match by their statistics are not read.

        Raises:
            DecodeError: the bytes break a rule of the format.
            KeyError: an unknown column.
            ValueError: a column is named twice, or a filter is malformed.
        """
        return self._table(*self._resolved(columns, filters, None))

    def read_row_group(self, i: int, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of one row group; IndexError where there is none of the number."""
        return self._table(*self._resolved(columns, None, [i]))

    def iter_batches(
        self,
        batch_size: int = 65536,
        columns: Sequence[str] | None = None,
        filters: Filters | None = None,
        row_groups: Sequence[int] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """The rows in batches of at most ``batch_size``, none of which has rows of two row groups.

        One decoded row group is held, or neighbours that are small, and what was fetched of the next ones. The other
        arguments and the errors are those of `read`; ``row_groups`` are numbers of the only row groups to read, in that order.
        """
        if not isinstance(batch_size, int) or isinstance(batch_size, bool):
            raise TypeError(f"batch_size: an int is needed, not {batch_size!r}")
        if batch_size < 1:
            raise ValueError(f"batch_size: a positive number is needed, not {batch_size}")
        # Wrong arguments show here; what follows runs when batches are asked for.
        _, tables = self._tables(*self._resolved(columns, filters, row_groups))
        return (batch for table in tables for batch in table.to_batches(max_chunksize=batch_size) if batch.num_rows)

    def statistics(self, i: int) -> dict[str, ColumnStatistics]:
        """Nulls and bounds by column, of one row group; IndexError where there is none of the number."""
        self._check_open()
        return read_statistics(self._header, self._number(i))

    def close(self) -> None:
        """Closes what was opened; a file object that the caller passed stays open. Reading is a ValueError from then on.

        Tables, batches and metadata that were read before stay as they are.
        """
        self._closed = True
        self._ranges.close()

    @property
    def closed(self) -> bool:
        """Tells whether `close` was called."""
        return self._closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _resolved(
        self, columns: Sequence[str] | None, filters: Filters | None, row_groups: Sequence[int] | None
    ) -> tuple[list[str], Sequence[int], Filter | None]:
        """The columns to return, the row groups to read, and the condition on their rows."""
        self._check_open()
        names = self.schema.names if columns is None else self._chosen(columns)
        numbers = range(self.num_row_groups) if row_groups is None else [self._number(number) for number in row_groups]
        if filters is None:
            return names, numbers, None
        condition = Filter(filters, self.schema)
        statistics = [read_statistics(self._header, number, condition.columns) for number in numbers]
        may_match = condition.may_match(statistics)
        return names, [number for number, wanted in zip(numbers, may_match, strict=True) if wanted], condition

    def _table(self, names: list[str], numbers: Sequence[int], condition: Filter | None) -> pa.Table:
        """The rows of row groups in one table; small row groups share chunks."""
        if condition is None and names:
            schema, scan = self._scan(names, numbers)
            return _joined(schema, scan.columns())
        empty, tables = self._tables(names, numbers, condition)
        if empty.num_columns:
            return pa.concat_tables([empty, *tables])
        return _rows_alone(sum(table.num_rows for table in tables))

    def _tables(
        self, names: list[str], numbers: Sequence[int], condition: Filter | None
    ) -> tuple[pa.Table, Iterator[pa.Table]]:
        """An empty table, which tells the columns, and a table a row group."""
        given = set(names)
        read = names if condition is None else names + [name for name in condition.columns if name not in given]
        schema, scan = self._scan(read, numbers)
        empty = pa.Table.from_batches([], schema)
        num_rows = [int(self._header.buckets.num_rows[number]) for number in numbers]
        tables = map(partial(_table, schema), scan.row_groups(), num_rows)
        if condition is None:
            return empty, tables
        return empty.select(names), (condition.apply(table).select(names) for table in tables)

    def _scan(self, names: list[str], numbers: Sequence[int]) -> tuple[pa.Schema, Scan]:
        positions = list(map(self._header.columns.positions.__getitem__, names))
        return self._header.projected(positions), Scan(self._header, positions, numbers, self._limit)

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("the Mosaic file is closed")

    def _chosen(self, columns: Sequence[str]) -> list[str]:
        if isinstance(columns, str) or not isinstance(columns, Sequence):
            raise TypeError(f"columns: a list of names is needed, not {columns!r}")
        seen: set[str] = set()
        for name in columns:
            if not isinstance(name, str):
                raise TypeError(f"columns: names are needed, not {name!r}")
            if name not in self._header.columns.positions:
                raise KeyError(f"columns: {no_such(name, self._header.columns.positions)}")
            if name in seen:
                raise ValueError(f"columns: {name!r} is named twice")
            seen.add(name)
        return list(columns)

    def _number(self, number: int) -> int:
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"row group: an int is needed, not {number!r}")
        if not 0 <= number < self.num_row_groups:
            raise IndexError(f"row group: {number} is not in 0..{self.num_row_groups - 1}")
        return number


def read_table(
    source: SourceLike,
    columns: Sequence[str] | None = None,
    *,
    filters: Filters | None = None,
    memory_map: bool = True,
    filesystem: Any = None,
) -> pa.Table:
    """The table in a file; the arguments and errors are those of `MosaicFile` and `MosaicFile.read`."""
    with MosaicFile(source, memory_map=memory_map, filesystem=filesystem) as file:
        return file.read(columns, filters)


def read_schema(source: SourceLike, *, filesystem: Any = None) -> pa.Schema:
    """The columns of a file, in the order of the table that was written; the arguments are those of `MosaicFile`.

    Only the end of the file is read, which costs less than mapping it.
    """
    with MosaicFile(source, memory_map=False, filesystem=filesystem) as file:
        return file.schema


def read_metadata(source: SourceLike, *, memory_map: bool = True, filesystem: Any = None) -> FileMetaData:
    """What a file says about itself; the arguments are those of `MosaicFile`."""
    with MosaicFile(source, memory_map=memory_map, filesystem=filesystem) as file:
        return file.metadata


def _table(schema: pa.Schema, arrays: list[pa.Array], num_rows: int) -> pa.Table:
    return pa.Table.from_arrays(arrays, schema=schema) if arrays else _rows_alone(num_rows)


def _other_format(ranges: RangeReader) -> str | None:
    """The format that a file has instead of Mosaic."""
    length = min(16, ranges.size)
    try:
        found = recognised(bytes(ranges.read(0, length)), bytes(ranges.read(ranges.size - length, length)))
    except (OSError, ValueError):
        return None
    return None if found == "Mosaic" else found


def _joined(schema: pa.Schema, columns: list[list[pa.Array]]) -> pa.Table:
    if not columns[0]:
        return pa.Table.from_batches([], schema)
    return pa.Table.from_arrays(
        [chunks[0] if len(chunks) == 1 else pa.chunked_array(chunks) for chunks in columns], schema=schema
    )


def _rows_alone(num_rows: int) -> pa.Table:
    """A table of rows without columns."""
    # Only a column can tell how many rows there are.
    return pa.table([pa.nulls(num_rows)], names=["rows"]).select([])
