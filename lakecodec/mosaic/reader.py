"""Reader of Mosaic files: `MosaicFile`, `read_table`, `read_schema` and `read_metadata`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from ..runtime.columns import DEFAULT_LIMIT
from ..runtime.errors import DecodeError
from ..runtime.exact import exact, exact_list
from ..runtime.magic import other_format
from ..runtime.ranges import map_ranges, open_ranges
from ..runtime.short import ShortRepr
from ..runtime.source_types import SourceLike
from ..runtime.suggest import no_such
from ..runtime.urls import located
from .errors import broken
from .header import Header
from .metadata import FileMetaData, read_statistics
from .scan import Scan
from .statistics import ColumnStatistics

if TYPE_CHECKING:
    from .filters import Filter, Filters


class MosaicFile(ShortRepr):
    """Reader of a Mosaic file. It is a context manager, and several threads may use it at once.

    Opening reads the footer; schema block and row group index are parsed when they are first needed.

    Args:
        source: a path or URL, bytes-like, a pyarrow or fsspec file, or a seekable binary file object.
        memory_map: map local files into memory instead of reading ranges of them.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.
        limit: bytes that the wanted columns of one bucket of a row group may take in memory beyond the bytes that store
            them, 2 GiB by default: a few stored bytes can stand for billions of equal rows or nulls.

    Raises:
        DecodeError: the source is not a Mosaic file. Methods and properties raise it as well, for schema block and
            index.
        TypeError: an argument of a wrong type.
        OSError: the source cannot be opened or read.
    """

    def __init__(
        self,
        source: SourceLike,
        *,
        memory_map: bool = True,
        filesystem: Any = None,
        storage_options: Mapping[str, Any] | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> None:
        if not isinstance(limit, int) or isinstance(limit, bool):
            raise TypeError(f"limit: an int is needed, not {limit!r}")
        self._limit = limit
        self._closed = False
        (source,) = located(storage_options, source, filesystem=filesystem)
        self._ranges = (map_ranges if memory_map else open_ranges)(source, filesystem=filesystem)
        try:
            self._header = Header(self._ranges)
        except DecodeError as error:
            other = other_format(self._ranges, "Mosaic")
            self._ranges.close()
            if other is None:
                raise
            raise broken(f"not a Mosaic file but a {other} one", file=self._ranges.name, offset=error.offset) from error
        except BaseException:
            self._ranges.close()
            raise

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        # Only the footer is used, so that a repr reads nothing and does not fail.
        footer = self._header.footer
        parts: list[tuple[str, Any]] = [("", self._ranges.name)] if self._ranges.name else []
        parts += [("num_row_groups", footer.num_row_groups), ("num_buckets", footer.num_buckets)]
        parts += [("size", self._ranges.size)]
        return "MosaicFile", [*parts, ("closed", True)] if self._closed else parts

    @property
    def schema(self) -> pa.Schema:
        """The ``pyarrow.Schema`` of the file (Mosaic design, section Original column order).

        Raises:
            DecodeError: the schema block breaks a rule of the format.
        """
        return self._header.columns.arrow

    @cached_property
    def metadata(self) -> FileMetaData:
        """The contents of footer, schema block and row group index as a `FileMetaData`.

        Raises:
            DecodeError: schema block or index break a rule of the format.
        """
        return FileMetaData(self._header)

    @property
    def num_rows(self) -> int:
        """The number of rows in all row groups."""
        return int(self._header.buckets.num_rows.sum())

    @property
    def num_row_groups(self) -> int:
        """The number of row groups."""
        return self._header.buckets.num_row_groups

    def read(self, columns: Sequence[str] | None = None, filters: Filters | None = None) -> pa.Table:
        """Returns all rows of the file, or those that match ``filters``, as a ``pyarrow.Table``.

        Args:
            columns: names of the columns, in the order in which they are returned; None for all in the file's order. An
                empty list gives a table of rows without columns.
            filters: a ``pyarrow.compute.Expression``, tuples (column, operator, value) that must all hold, or lists of
                such tuples of which one must hold. Row groups whose statistics exclude a match are not read; the rows
                of the others are filtered exactly.

        Raises:
            DecodeError: the bytes break a rule of the format, or the limit of `MosaicFile` is exceeded.
            KeyError: an unknown column.
            TypeError: ``columns`` is no list of names, or a filter does not suit the type of its column.
            ValueError: a column is named twice, a filter is malformed, or the file is closed.
            OSError: the source cannot be read.
        """
        return self._table(*self._resolved(columns, filters, None))

    def read_row_group(self, i: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Returns the rows of row group ``i`` as a ``pyarrow.Table``.

        Args:
            i: number of the row group, from 0.
            columns: see `read`.

        Raises:
            IndexError: there is no row group of that number.
            DecodeError, KeyError, TypeError, ValueError, OSError: as `read`.
        """
        return self._table(*self._resolved(columns, None, [self._number(i, "i")]))

    def iter_batches(
        self,
        batch_size: int = 65536,
        columns: Sequence[str] | None = None,
        filters: Filters | None = None,
        row_groups: Sequence[int] | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Returns an iterator of record batches of at most ``batch_size`` rows; no batch has rows of two row groups.

        It holds one decoded row group, or several small neighbours, and the fetched bytes of the next ones.

        Args:
            batch_size: the most rows of a batch, at least 1.
            columns: see `read`.
            filters: see `read`.
            row_groups: numbers of the row groups to read, in this order; None for all.

        Raises:
            IndexError: there is no row group of a number in ``row_groups``.
            KeyError, TypeError, ValueError: as `read`, by the call itself.
            DecodeError, OSError: as `read`, by the call or by the iterator.
        """
        if not isinstance(batch_size, int) or isinstance(batch_size, bool):
            raise TypeError(f"batch_size: an int is needed, not {batch_size!r}")
        if batch_size < 1:
            raise ValueError(f"batch_size: a positive number is needed, not {batch_size}")
        # Arguments are checked here; the rest runs when batches are requested.
        _, tables = self._tables(*self._resolved(columns, filters, row_groups))
        return (batch for table in tables for batch in table.to_batches(max_chunksize=batch_size) if batch.num_rows)

    def statistics(self, i: int) -> dict[str, ColumnStatistics]:
        """Returns the null count and bounds of row group ``i`` by column name, of the columns that have them.

        Raises:
            IndexError: there is no row group of that number.
            TypeError: ``i`` is not an int.
            DecodeError: the index or a bound breaks a rule of the format.
            ValueError: the file is closed.
        """
        self._check_open()
        return read_statistics(self._header, self._number(i, "i"))

    def close(self) -> None:
        """Closes the source; a file object that the caller passed stays open. Reading raises ValueError from then on.

        Tables, batches and metadata that were read before stay valid.
        """
        self._closed = True
        self._ranges.close()

    @property
    def closed(self) -> bool:
        """True once `close` was called."""
        return self._closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _resolved(
        self, columns: Sequence[str] | None, filters: Filters | None, row_groups: Sequence[int] | None
    ) -> tuple[Sequence[int], Sequence[int], Filter | None]:
        """Returns the positions of the columns to return, the numbers of the row groups to read, and their filter."""
        self._check_open()
        positions = self._header.columns.order if columns is None else self._chosen(columns)
        numbers = (
            range(self.num_row_groups)
            if row_groups is None
            else [self._number(number, "row_groups") for number in exact_list("row_groups", row_groups, "numbers")]
        )
        if filters is None:
            return positions, numbers, None
        from .filters import Filter

        condition = Filter(filters, self.schema)
        statistics = [read_statistics(self._header, number, condition.columns) for number in numbers]
        may_match = condition.may_match(statistics)
        return positions, [number for number, wanted in zip(numbers, may_match, strict=True) if wanted], condition

    def _table(self, positions: Sequence[int], numbers: Sequence[int], condition: Filter | None) -> pa.Table:
        """Returns the rows of row groups as one table; small row groups share chunks."""
        if condition is None and len(positions):
            schema, scan = self._scan(positions, numbers)
            return scan.table(schema)
        empty, tables = self._tables(positions, numbers, condition)
        if empty.num_columns:
            return pa.concat_tables([empty, *tables])
        return _rows_alone(sum(table.num_rows for table in tables))

    def _tables(
        self, positions: Sequence[int], numbers: Sequence[int], condition: Filter | None
    ) -> tuple[pa.Table, Iterator[pa.Table]]:
        """Returns an empty table of the columns, and an iterator of one table per row group."""
        read = positions
        if condition is not None:
            asked = map(self._header.columns.positions.__getitem__, condition.columns)
            read = [*positions, *set(asked).difference(positions)]
        schema, scan = self._scan(read, numbers)
        empty = pa.Table.from_batches([], schema)
        num_rows = [int(self._header.buckets.num_rows[number]) for number in numbers]
        tables = map(partial(_table, schema), scan.row_groups(), num_rows)
        if condition is None:
            return empty, tables
        wanted = range(len(positions))
        return empty.select(wanted), (condition.apply(table).select(wanted) for table in tables)

    def _scan(self, positions: Sequence[int], numbers: Sequence[int]) -> tuple[pa.Schema, Scan]:
        """Returns the schema of some columns, and the scan that reads them from row groups."""
        return self._header.columns.projected(positions), Scan(self._header, positions, numbers, self._limit)

    def _check_open(self) -> None:
        """Raises ValueError if the file is closed."""
        if self._closed:
            raise ValueError("the Mosaic file is closed")

    def _chosen(self, columns: Sequence[str]) -> list[int]:
        """Returns the positions of columns after a check that these are names of different columns of the file."""
        if isinstance(columns, str) or not isinstance(columns, Sequence):
            raise TypeError(f"columns: a list of names is needed, not {columns!r}")
        known = self._header.columns.positions
        found: dict[str, int] = {}
        for name in columns:
            if not isinstance(name, str):
                raise TypeError(f"columns: names are needed, not {name!r}")
            if name in found:
                raise ValueError(f"columns: {name!r} is named twice")
            try:
                found[name] = known[name]
            except KeyError:
                raise KeyError(f"columns: {no_such(name, known)}") from None
        return list(found.values())

    def _number(self, number: int, argument: str) -> int:
        """Returns the row group number after a check that there is such a row group."""
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"{argument}: an int is needed, not {number!r}")
        number = exact(number)
        if not 0 <= number < self.num_row_groups:
            raise IndexError(f"{argument}: there is no row group {number}, the file has {self.num_row_groups}")
        return number


def read_table(
    source: SourceLike,
    columns: Sequence[str] | None = None,
    *,
    filters: Filters | None = None,
    memory_map: bool = True,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> pa.Table:
    """Returns the rows of a file as a ``pyarrow.Table``; the arguments and errors are those of `MosaicFile` and
    `MosaicFile.read`.
    """
    with MosaicFile(source, memory_map=memory_map, filesystem=filesystem, storage_options=storage_options) as file:
        return file.read(columns, filters)


def read_schema(
    source: SourceLike, *, filesystem: Any = None, storage_options: Mapping[str, Any] | None = None
) -> pa.Schema:
    """Returns the ``pyarrow.Schema`` of a file, in the original column order; the arguments and errors are those of
    `MosaicFile`.

    Only the file tail is read, which costs less than mapping the file.
    """
    with MosaicFile(source, memory_map=False, filesystem=filesystem, storage_options=storage_options) as file:
        return file.schema


def read_metadata(
    source: SourceLike,
    *,
    memory_map: bool = True,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> FileMetaData:
    """Returns the contents of a file's footer, schema block and row group index; the arguments and errors are those of
    `MosaicFile`.
    """
    with MosaicFile(source, memory_map=memory_map, filesystem=filesystem, storage_options=storage_options) as file:
        return file.metadata


def _table(schema: pa.Schema, arrays: list[pa.Array], num_rows: int) -> pa.Table:
    """Returns a table of arrays, or of rows without columns where there are no arrays."""
    return pa.Table.from_arrays(arrays, schema=schema) if arrays else _rows_alone(num_rows)


def _rows_alone(num_rows: int) -> pa.Table:
    """Returns a table of rows without columns."""
    # The number of rows comes from a column, which is then dropped.
    return pa.table([pa.nulls(num_rows)], names=["rows"]).select([])
