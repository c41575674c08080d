"""Writer of Mosaic files: `MosaicWriter` and `write_table`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, Unpack

import pyarrow as pa

from ..generated.mosaic import MAX_BLOCK, Compression, File, Footer, Index, RowGroup, SchemaBlock
from ..runtime.arrow_data import TableLike
from ..runtime.sink import open_sink
from ..runtime.source_types import TargetLike
from ..runtime.suggest import no_such
from ..runtime.urls import located
from .arrow_types import is_nested
from .batches import BatchReader, as_arrow, schema_of
from .buffer import RowBuffer, measure
from .errors import ColumnFailure, column_path, unsupported_value
from .layout import plan_buckets
from .options import Options, WriterOptions
from .row_group import RowGroupWriter
from .schema import WriterSchema
from .statistics import can_have_statistics

#: Bytes of a complete row group that are written per appended byte. A row group is written during the first third of
#: the calls that fill the next one, so most calls that append a few rows write nothing.
_PACE = 3
#: Bytes that estimates of the file's size allow for schema block, index and footer.
_FRAME_ESTIMATE = 1024
#: Compression ratio assumed for zstd before the first row group.
_FIRST_RATIO = 0.3


class MosaicWriter:
    """Writer of a Mosaic file, row group by row group.

    Use it as a context manager: leaving the block completes the file. When an exception leaves the block, the file is
    given up: a path keeps its old file or none, a file object gets no footer. One thread at a time may use a writer; it
    encodes buckets in threads of its own.

    Args:
        where: a path or URL (str or os.PathLike), or a writable binary file object, which stays open.
        schema: the columns. Types that Mosaic does not have are replaced by the type that stores their values (Mosaic
            design, section Arrow type mapping); metadata is not stored.
        filesystem: the pyarrow or fsspec file system that ``where`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.
        options: the keyword arguments of `WriterOptions`.

    Raises:
        ValueError: a column's name is empty or there twice, Mosaic cannot store its type, ``stats_columns`` names an
            unknown column or one whose type has no statistics, or the value of an option is not possible.
        TypeError: an argument of a wrong type, or an unknown option.
        OSError: the file cannot be created.
    """

    #: The writer counts as closed until its arguments are checked and its file is open.
    _closed = True
    _failure: BaseException | None = None
    #: The complete row group that is being written.
    _row_group: RowGroupWriter | None = None

    def __init__(
        self,
        where: TargetLike,
        schema: pa.Schema,
        *,
        filesystem: Any = None,
        storage_options: Mapping[str, Any] | None = None,
        **options: Unpack[Options],
    ) -> None:
        for name in options:
            if name not in Options.__annotations__:
                raise TypeError(f"{no_such(name, Options.__annotations__, 'option')}")
        self._options = WriterOptions(**options)
        self._schema = WriterSchema(schema_of(schema), self._options.num_buckets)
        self._plans = plan_buckets(self._schema.nodes, self._schema.num_buckets)
        self._stats_positions = _stats_positions(self._schema, self._options.stats_columns)
        self._reader = BatchReader(self._schema.arrow, self._schema.fields, self._arrays())
        self._row_groups: list[RowGroup] = []
        self._buffer = RowBuffer(self._plans)
        #: Bytes of all buckets so far, stored and before compression.
        self._stored = self._raw = 0
        (where,) = located(storage_options, where, filesystem=filesystem)
        self._sink = open_sink(where, filesystem=filesystem)
        self._closed = False

    @property
    def schema(self) -> pa.Schema:
        """The ``pyarrow.Schema`` of the file: the caller's columns and order, with the types that are stored."""
        return self._schema.arrow

    def write(self, table: TableLike) -> None:
        """Appends the rows of a table; they are buffered until their row group is complete.

        Columns are matched by name, in any order. A row group consists of whole batches (Mosaic design, section Row
        groups); each chunk of a table is a batch. With zstd a batch in which one column takes more than 512 MiB, the
        largest block that readers inflate, is cut in halves. A complete row group of many batches is written while the
        next third of one is appended, at the latest by `close`.

        Args:
            table: a pyarrow Table, RecordBatch or RecordBatchReader, a pandas frame, a dict of arrays, or any object
                with the Arrow PyCapsule interface. Streams are consumed batch by batch.

        Raises:
            TypeError: ``table`` is no table.
            ValueError: the columns are not those of the schema, or the writer is closed or has failed.
            EncodeError: a value that its column cannot hold, or a null in a column that is not nullable.
            OSError: the file cannot be written. After an error while rows are appended the file is given up, and
                `write` and `close` raise ValueError.
        """
        self._check_open()
        data = as_arrow(table)
        self._guarded(self._append_all, data)

    def estimated_size(self) -> int:
        """Returns an estimate of the file's size in bytes, if it were closed now.

        It is that of the reference writer (Mosaic design, section Row groups): the bytes written, the buffered bytes
        times the compression ratio so far (0.3 before the first row group with zstd, 1.0 without compression), and 1024
        bytes. What is left of a complete row group is written first; errors are those of `close`. A closed file has its size.
        """
        if self._closed and self._failure is None:
            return self._sink.position
        self._guarded(self._write_complete)
        if self._raw:
            ratio = self._stored / self._raw
        else:
            ratio = _FIRST_RATIO if self._options.kind == Compression.ZSTD else 1.0
        return self._sink.position + int(self._buffer.nbytes * ratio) + _FRAME_ESTIMATE

    def close(self) -> None:
        """Writes the buffered rows, schema block, index and footer; does nothing on a closed writer.

        Raises:
            ValueError: the writer has failed before.
            EncodeError: the format cannot hold the buffered rows.
            OSError: the file cannot be written.
        """
        if self._closed and self._failure is None:
            return
        self._check_open()
        self._guarded(self._finish)
        self._closed = True

    def abort(self) -> None:
        """Gives the file up: drops buffered rows and removes the temporary file; does nothing on a closed writer."""
        if not self._closed:
            self._closed = True
            self._row_group = None
            self._buffer.clear()
            self._sink.abort()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and self._failure is None:
            self.close()
        else:
            self.abort()

    def __del__(self) -> None:
        # A writer that is collected without `close` leaves no temporary file.
        self.abort()

    def _arrays(self) -> list[int]:
        """Returns the indexes of the columns needed as pyarrow arrays: nested ones, and those with statistics."""
        counted = set(self._stats_positions)
        return [
            index
            for index, (position, field) in enumerate(zip(self._schema.order, self._schema.fields, strict=True))
            if position in counted or is_nested(field.type)
        ]

    def _check_open(self) -> None:
        """Raises ValueError if the writer is closed or has failed."""
        if self._failure is not None:
            raise ValueError("the writer has failed before, nothing more can be written") from self._failure
        if self._closed:
            raise ValueError("the writer is closed")

    def _guarded(self, step: Callable[..., None], *arguments: Any) -> None:
        """Calls a function; its error is recorded, and the file given up."""
        try:
            step(*arguments)
        except BaseException as error:
            self._failure = error
            self.abort()
            raise

    def _append_all(self, data: Any) -> None:
        for num_rows, columns in self._reader.read(data):
            self._append(num_rows, list(map(columns.__getitem__, self._schema.sorted)))

    def _append(self, num_rows: int, columns: Sequence[pa.Array]) -> None:
        """Buffers rows of columns in sorted order, and writes of a complete row group in proportion."""
        if not num_rows:
            return
        try:
            batch = measure(self._plans, num_rows, columns)
        except ColumnFailure as failure:
            name = self._schema.fields[self._schema.sorted[failure.position]].name
            raise unsupported_value(failure.error.rule, path=column_path(name)) from None
        if self._options.kind == Compression.ZSTD:
            # Readers refuse to inflate larger blocks, so a larger batch is split.
            if batch.largest > MAX_BLOCK and num_rows > 1:
                half = num_rows // 2
                self._append(half, [column.slice(0, half) for column in columns])
                self._append(num_rows - half, [column.slice(half) for column in columns])
                return
            if self._buffer.largest + batch.largest > MAX_BLOCK:
                self._complete()
        self._buffer.add(batch)
        if self._buffer.nbytes >= self._options.row_group_max_bytes:
            self._complete()
        self._write_complete(_PACE * batch.nbytes)

    def _complete(self) -> None:
        """Makes a row group of the buffered rows, which is to be written."""
        self._write_complete()
        if self._buffer.num_rows:
            statistics = [(position, self._schema.nodes[position]) for position in self._stats_positions]
            self._row_group = RowGroupWriter(self._buffer, statistics, self._options, self._sink)
            self._buffer = RowBuffer(self._plans)

    def _write_complete(self, nbytes: int | None = None) -> None:
        """Writes about so many buffered bytes of the complete row group, by default all."""
        writer = self._row_group
        if writer is not None and (written := writer.write(nbytes)) is not None:
            self._row_groups.append(written)
            self._stored += writer.stored
            self._raw += writer.raw
            self._row_group = None

    def _finish(self) -> None:
        """Writes the remaining rows, the schema block, the row group index and the footer."""
        self._complete()
        self._write_complete()
        # Offsets are set when the file is written.
        footer = Footer(  # type: ignore[call-arg]
            num_buckets=self._schema.num_buckets,
            num_row_groups=len(self._row_groups),
            compression=self._options.kind,
            reserved=0,
        )
        end = File(
            schema=SchemaBlock(body=self._schema.record()), index=Index(row_groups=self._row_groups), footer=footer
        )
        end.write_to(self._sink, start=self._sink.position, codecs=self._options.codecs())
        self._sink.commit()


def write_table(
    table: TableLike,
    where: TargetLike,
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
    **options: Unpack[Options],
) -> None:
    """Writes one table to a file; the arguments and errors are those of `MosaicWriter` and `MosaicWriter.write`."""
    data = as_arrow(table)
    with MosaicWriter(where, data.schema, filesystem=filesystem, storage_options=storage_options, **options) as writer:
        writer.write(data)


def _stats_positions(schema: WriterSchema, names: Iterable[str]) -> list[int]:
    """Returns the ascending positions of the columns with statistics; ValueError for those that cannot have them."""
    positions = []
    for name in names:
        index = schema.arrow.get_field_index(name)
        if index < 0:
            raise ValueError(f"stats_columns: there is no column {name!r}")
        type = schema.fields[index].type
        if not can_have_statistics(type):
            raise ValueError(f"stats_columns: column {name!r} is {type}, which has no statistics")
        positions.append(schema.order[index])
    return sorted(positions)
