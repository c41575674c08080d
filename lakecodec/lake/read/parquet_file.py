"""Parquet data files: our codec decides on row groups by the footer, pyarrow reads their pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

from ...generated.parquet import FileMetaData
from ...generated.parquet_file import MAGIC
from ...parquet.footer import Footer, frame_end, read_footer
from ...parquet.legacy_calendar import LegacyCalendar
from ...parquet.metadata import decode_footer
from ...runtime.arrow_nested import relabelled
from ...runtime.errors import DecodeError
from ...runtime.ranges import open_ranges
from ...runtime.tail_cache import TailCache
from ...statistics.collected import Bounds
from ..log.column_mapping import has_ids, named_by_ids
from ..log.footer_statistics import footer_bounds, of_row_group
from .footers import KeptFooter, TableFooters
from .late_columns import RowTest, completed
from .parquet_parts import PartColumns, filled_parts, is_rest
from .parts import Stretch, stretches_of
from .predicate import Name
from .pruning import Known, Lookup
from .remote import as_file, chunk_spans, naming, remote_reader
from .repeated_texts import in_rows, with_small_dictionaries
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
#: The size in bytes of the smallest files whose reads are joined.
_JOINED = 1 << 20
_EPOCH = datetime(1970, 1, 1)


class OpenParquet:
    """Open Parquet file, see `OpenFile`."""

    def __init__(
        self,
        filesystem: Any,
        path: str,
        table: pa.Schema,
        *,
        verify: bool = False,
        size: int | None = None,
        footers: TableFooters | None = None,
    ) -> None:
        self._footers, self._size = footers, size
        self._path, self._table = path, table
        self._verify = verify
        self._by_ids = has_ids(table)
        self._remote = remote_reader(filesystem, path, size)
        self._source = filesystem.open_input_file(path) if self._remote is None else as_file(self._remote)
        self._encoded: Footer | None = None
        self._known: FileMetaData | None = None
        self._opened: pq.ParquetFile | None = None
        self._is_small = self._remote is None and (size or _JOINED) < _JOINED
        #: The opened small file until a stretch is read by it.
        self._unused: list[pq.ParquetFile] = []

    # No cached_property: before Python 3.12 it has one lock for all files, and requests would wait for each other.

    @property
    def _footer(self) -> Footer:
        if self._encoded is None:
            ranges = open_ranges(self._source if self._remote is None else self._remote)
            ranges.name = self._path
            kept = None if self._footers is None else self._footers.find(self._path, self._size)
            if kept is not None:
                self._encoded = Footer(kept.metadata, kept.start, TailCache(ranges, tail=memoryview(b"")))
                return self._encoded
            self._encoded = read_footer(ranges)
            if self._footers is not None:
                self._footers.add(self._path, KeptFooter(ranges.size, self._encoded.start, self._encoded.metadata))
        return self._encoded

    @property
    def _file(self) -> pq.ParquetFile:
        """The footer in pyarrow's form; the file with it only if it is small and nobody needs the footer otherwise."""
        if self._opened is None and self._is_small and self._encoded is None and self._footers is None:
            # Errors are those of our own reader of footers.
            with suppress(DecodeError, OSError):
                self._opened = self._open(self._source)
                self._unused.append(self._opened)
        if self._opened is None:
            encoded = self._footer.metadata
            framed = b"".join((MAGIC.encode(), encoded, frame_end(len(encoded))))
            try:
                self._opened = self._open(pa.BufferReader(framed))
            except OSError as error:
                raise DecodeError(str(error), format="parquet", path=self._path) from None
        return self._opened

    def _open(self, source: Any, metadata: Any = None, texts: Sequence[str] = ()) -> pq.ParquetFile:
        # Nanosecond timestamps end in 2262, so INT96 is read as nanoseconds only if the table has them.
        unit = "ns" if any("timestamp[ns" in str(kind) for kind in self._table.types) else "us"
        try:
            return pq.ParquetFile(
                source,
                metadata=metadata,
                read_dictionary=list(texts),
                coerce_int96_timestamp_unit=unit,
                page_checksum_verification=self._verify,
                # Threads join reads, which saves time on local disks, too.
                pre_buffer=self._remote is None and not self._is_small,
            )
        except pa.ArrowInvalid as error:
            raise DecodeError(str(error), format="parquet", path=self._path) from None

    def _decoded(self) -> FileMetaData:
        """Returns the footer as our codec reads it."""
        if self._known is None:
            self._known = decode_footer(self._footer, fields=_FIELDS)
        return self._known

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
        count: int = self._file.num_row_groups if self._known is None else len(self._known.row_groups)
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
        footer = self._decoded()
        parts = {path: part for path in paths if (part := part_of(path[0])) is not None}
        names = list(dict.fromkeys(path[0] for path in paths if path not in parts))
        if not paths or (self._by_ids and self.schema.names != self._file.schema_arrow.names):
            return [_nothing for _ in footer.row_groups]
        schema = pa.schema([self._table.field(name) for name in names])
        # The bounds of footers ignore NaN, which predicates take into account.
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

    def stretches(self, columns: Sequence[str], row_groups: Sequence[int]) -> list[Stretch]:
        metadata = self._file.metadata
        if self._remote is not None:
            names = self._own_names(columns, row_groups)
            return stretches_of(
                [(group, sum(size for _, size in chunk_spans(metadata, group, names))) for group in row_groups]
            )
        # An estimate: adding up the column chunks of wide files would take too long.
        part = len(columns) / max(1, metadata.num_columns)
        return stretches_of([(group, int(metadata.row_group(group).total_byte_size * part)) for group in row_groups])

    def batches(
        self,
        columns: Sequence[str],
        row_groups: Sequence[int],
        batch_rows: int,
        *,
        threads: bool,
        test: RowTest | None = None,
    ) -> Iterator[pa.RecordBatch]:
        source = self._source
        if self._remote is not None:
            metadata = self._file.metadata
            names = self._own_names(columns, row_groups)
            spans = [span for group in row_groups for span in chunk_spans(metadata, group, names)]
            with naming(self._path):
                source = as_file(self._remote.with_spans(spans))
        return self._decoded_from(source, columns, row_groups, batch_rows, threads, test)

    def _decoded_from(
        self,
        source: Any,
        columns: Sequence[str],
        row_groups: Sequence[int],
        batch_rows: int,
        threads: bool,
        test: RowTest | None,
    ) -> Iterator[pa.RecordBatch]:
        def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
            own = self._own_names(names, row_groups)
            texts = with_small_dictionaries(self._file, own, row_groups)
            file = self._reader(source, texts)
            for read in file.iter_batches(batch_rows, row_groups, own, use_threads=threads):
                for batch in in_rows(read, texts) if texts else (read,):
                    yield relabelled(batch, self._named(batch.schema)) if self._by_ids else batch

        try:
            if test is None:
                yield from read(columns)
            else:
                others = [name for name in columns if name not in test.columns]
                yield from completed(read(test.columns), test, lambda: read(others))
        except (pa.ArrowInvalid, OSError) as error:
            raise DecodeError(str(error), format="parquet", path=self._path) from None

    def _reader(self, source: Any, texts: Sequence[str]) -> pq.ParquetFile:
        """Returns the reader of one stretch: its buffers are not shared between threads, and are freed with it."""
        with suppress(IndexError):
            if not texts:
                return self._unused.pop()
        return self._open(source, self._file.metadata, texts)

    def _own_names(self, columns: Sequence[str], row_groups: Sequence[int]) -> list[str]:
        """Returns the file's names of a table's columns, without parts of variants that have no values in row groups."""
        own = [self._own_name(name) for name in columns] if self._by_ids else list(columns)
        return filled_parts(self._decoded(), own, row_groups) if any(map(is_rest, own)) else own

    def _own_name(self, name: str) -> str:
        """Returns a table's column name in the file's spelling; names behind a dot are in a variant and stay unchanged."""
        at, rest = self.schema.get_field_index(name), ""
        if at < 0:
            top, _, rest = name.partition(".")
            at = self.schema.get_field_index(top)
        own = str(self._file.schema_arrow.names[at])
        return f"{own}.{rest}" if rest else own

    def close(self) -> None:
        self._source.close()

    def _named(self, read: pa.Schema) -> pa.Schema:
        """Returns the schema of batches with the names by field ids, and with the types that are read."""
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
    """Returns a bound as a Python value; None if Python has none."""
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
