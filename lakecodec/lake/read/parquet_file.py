"""Parquet data files: our codec decides on row groups by the footer, pyarrow reads their pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

from ...generated.parquet import FileMetaData
from ...parquet.footer import read_footer
from ...parquet.legacy_calendar import LegacyCalendar
from ...parquet.metadata import decode_footer
from ...runtime.arrow_nested import relabelled
from ...runtime.coalesce import Span
from ...runtime.errors import DecodeError
from ...runtime.ranges import open_ranges
from ...statistics.collected import Bounds
from ..log.column_mapping import has_ids, named_by_ids
from ..log.footer_statistics import footer_bounds, of_row_group
from .parquet_parts import PartColumns
from .predicate import Name
from .pruning import Known, Lookup
from .remote import as_file, chunk_spans, remote_reader
from .variant_parts import part_of

_FIELDS = (
    "schema",
    "num_rows",
    "key_value_metadata",
    "row_groups.num_rows",
    "row_groups.columns.meta_data.type",
    "row_groups.columns.meta_data.num_values",
    "row_groups.columns.meta_data.statistics",
)
_EPOCH = datetime(1970, 1, 1)
#: Bytes of column chunks that are fetched together.
_FETCHED = 32 << 20


class OpenParquet:
    """Open Parquet file, see `OpenFile`."""

    def __init__(
        self, filesystem: Any, path: str, table: pa.Schema, *, verify: bool = False, size: int | None = None
    ) -> None:
        self._path, self._table = path, table
        self._verify = verify
        self._by_ids = has_ids(table)
        self._remote = remote_reader(filesystem, path, size)
        self._source = filesystem.open_input_file(path) if self._remote is None else as_file(self._remote)
        self._opened: pq.ParquetFile | None = None
        self._is_local = isinstance(filesystem, pa.fs.LocalFileSystem)

    @property
    def _file(self) -> pq.ParquetFile:
        # No cached_property: until Python 3.12 it has one lock for all files, under which requests would wait.
        if self._opened is None:
            self._opened = self._open()
        return self._opened

    def _open(self) -> pq.ParquetFile:
        # Nanoseconds end in 2262: times in INT96 are only read as such where the table has them.
        unit = "ns" if any("timestamp[ns" in str(kind) for kind in self._table.types) else "us"
        try:
            return pq.ParquetFile(
                self._source, coerce_int96_timestamp_unit=unit, page_checksum_verification=self._verify
            )
        except pa.ArrowInvalid as error:
            raise DecodeError(str(error), format="parquet", path=self._path) from None

    def _footer(self) -> FileMetaData:
        """Returns the footer as our codec reads it: where a read is a request, from what pyarrow has read of it."""
        source = self._source
        if not self._is_local:
            source = pa.BufferOutputStream()
            self._file.metadata.write_metadata_file(source)
            source = source.getvalue()
        ranges = open_ranges(source)
        ranges.name = self._path
        return decode_footer(read_footer(ranges), fields=_FIELDS)

    @cached_property
    def schema(self) -> pa.Schema:
        if not self._by_ids:
            return self._file.schema_arrow
        try:
            return named_by_ids(self._file.schema_arrow, self._table)
        except KeyError as error:
            raise DecodeError(str(error.args[0]), format="parquet", path=self._path) from None

    @cached_property
    def legacy(self) -> LegacyCalendar | None:
        return LegacyCalendar.of_arrow(self._file.metadata, self._path)

    @property
    def num_row_groups(self) -> int:
        count: int = self._file.num_row_groups
        return count

    @property
    def group_rows(self) -> list[int]:
        metadata = self._file.metadata
        return [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]

    @property
    def num_rows(self) -> int:
        count: int = self._file.metadata.num_rows
        return count

    def known(self, paths: Sequence[Name]) -> list[Lookup]:
        footer = self._footer()
        parts = {path: part for path in paths if (part := part_of(path[0])) is not None}
        names = list(dict.fromkeys(path[0] for path in paths if path not in parts))
        if not paths or (self._by_ids and self.schema.names != self._file.schema_arrow.names):
            return [_nothing for _ in footer.row_groups]
        schema = pa.schema([self._table.field(name) for name in names])
        # Footers leave NaN out; predicates know that.
        unsure = [".".join(path) for path in paths]
        columns = PartColumns(footer, _known) if parts else None
        return [
            _lookup(
                footer_bounds(of_row_group(footer, group), schema, names, without_nan=unsure),
                group.num_rows,
                {} if columns is None else {path: columns.known(part, group) for path, part in parts.items()},
            )
            for group in footer.row_groups
        ]

    def batches(
        self, columns: Sequence[str], row_groups: Sequence[int], batch_rows: int, *, threads: bool
    ) -> Iterator[pa.RecordBatch]:
        names = list(columns)
        if self._by_ids:
            names = [self._own_name(name) for name in names]
        try:
            for groups in self._fetched(names, row_groups):
                for batch in self._file.iter_batches(batch_rows, groups, names, use_threads=threads):
                    yield relabelled(batch, self._named(batch.schema)) if self._by_ids else batch
        except (pa.ArrowInvalid, OSError) as error:
            raise DecodeError(str(error), format="parquet", path=self._path) from None

    def _fetched(self, names: Sequence[str], row_groups: Sequence[int]) -> Iterator[list[int]]:
        """Yields row groups to read together; of a store, some MiB of their column chunks are fetched at once before."""
        if self._remote is None:
            yield list(row_groups)
            return
        waiting: list[tuple[int, list[Span]]] = []
        for group in row_groups:
            waiting.append((group, chunk_spans(self._file.metadata, group, names)))
            if sum(size for _, spans in waiting for _, size in spans) >= _FETCHED or group == row_groups[-1]:
                self._remote.keep([span for _, spans in waiting for span in spans])
                yield [number for number, _ in waiting]
                waiting.clear()

    def _own_name(self, name: str) -> str:
        """Returns a name of the table as the file has it; behind a dot names of what is in a variant follow, which stay."""
        at, rest = self.schema.get_field_index(name), ""
        if at < 0:
            top, _, rest = name.partition(".")
            at = self.schema.get_field_index(top)
        own = str(self._file.schema_arrow.names[at])
        return f"{own}.{rest}" if rest else own

    def close(self) -> None:
        self._source.close()

    def _named(self, read: pa.Schema) -> pa.Schema:
        """Returns the schema of batches with the names that ids give, types as they are read."""
        return named_by_ids(read, self._table)


def _nothing(_: Name) -> None:
    return None


def _lookup(bounds: dict[Name, Bounds], rows: int, parts: dict[Name, Known | None]) -> Lookup:
    known = {**{path: _known(found, rows) for path, found in bounds.items()}, **parts}
    return known.get


def _known(bounds: Bounds, rows: int) -> Known:
    if not bounds.bounded:
        return Known(None, None, bounds.null_count, rows)
    low, high = (_python(value, bounds.type) for value in (bounds.minimum, bounds.maximum))
    return Known(low, high, bounds.null_count, rows)


def _python(value: Any, kind: Any) -> Any:
    """Returns a bound as a Python value; None where Python has none."""
    if value is None:
        return None
    try:
        if pa.types.is_date(kind):
            return date(1970, 1, 1) + timedelta(days=value)
        if pa.types.is_timestamp(kind):
            moment = _EPOCH + timedelta(microseconds=value)
            return moment if kind.tz is None else moment.replace(tzinfo=UTC)
    except OverflowError:
        return None
    return value
