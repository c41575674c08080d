"""Writer of Mosaic files: `MosaicWriter` and `write_table`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import chain
from types import TracebackType
from typing import Any, Self, Unpack

import pyarrow as pa

from ..generated.mosaic import MAX_BLOCK, BucketRef, Compression, File, Footer, Index, RowGroup, SchemaBlock
from ..runtime.arrow_data import TableLike
from ..runtime.parallel import map_ahead, workers
from ..runtime.sink import open_sink
from ..runtime.source_types import TargetLike
from ..runtime.suggest import no_such
from .arrow_types import is_nested
from .batches import BatchReader, as_arrow, schema_of
from .buffer import RowBuffer, measure
from .encode import EncodedBucket, encode_buckets
from .errors import ColumnFailure, column_path, unfit
from .layout import plan_buckets
from .options import Options, WriterOptions
from .schema import WriterSchema
from .statistics import can_have_statistics, column_stats

#: Buffered bytes below which handing work to threads costs more than it brings.
_WORTH_THREADS = 256 * 1024
#: Buffered bytes that are worth a task of their own. Tasks are larger where there would be many more than `_TASKS`.
_WORTH_A_TASK, _LARGEST_TASK = 256 * 1024, 2**24
_TASKS = 4 * (os.cpu_count() or 1)
#: Bytes that are worth a write of their own.
_WORTH_A_WRITE = 64 * 1024
#: Tasks whose encoded buckets may wait for the file.
_AHEAD = 4
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
        options: the keyword arguments of `WriterOptions`.

    Raises:
        ValueError: a column's name is empty or there twice, Mosaic cannot store its type, ``stats_columns`` names an
            unknown column or one whose type has no statistics, or the value of an option is not possible.
        TypeError: an argument of a wrong type, or an unknown option.
        OSError: the file cannot be created.
    """

    #: Nothing is open while the arguments are checked.
    _closed = True
    _failure: BaseException | None = None

    def __init__(
        self, where: TargetLike, schema: pa.Schema, *, filesystem: Any = None, **options: Unpack[Options]
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
        largest block that readers inflate, is cut in halves.

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
        try:
            # What an earlier call has left: a table that is written by one call is encoded once it is complete.
            self._buffer.encode_ahead()
            for num_rows, columns in self._reader.read(data):
                self._append(num_rows, list(map(columns.__getitem__, self._schema.sorted)))
        except BaseException as error:
            self._fail(error)
            raise

    def estimated_size(self) -> int:
        """Returns an estimate of the file's size in bytes, if it were closed now.

        It is that of the reference writer (Mosaic design, section Row groups): the bytes written, the buffered bytes
        times the compression ratio so far (0.3 before the first row group with zstd, 1.0 without compression), and 1024
        bytes.
        """
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
        try:
            self._flush()
            self._finish()
            self._sink.commit()
        except BaseException as error:
            self._fail(error)
            raise
        finally:
            self._closed = True

    def abort(self) -> None:
        """Gives the file up: drops buffered rows and removes the temporary file; does nothing on a closed writer."""
        if not self._closed:
            self._closed = True
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

    def _fail(self, error: BaseException) -> None:
        """Records the first error and gives the file up."""
        self._failure = error
        self.abort()

    def _append(self, num_rows: int, columns: Sequence[pa.Array]) -> None:
        """Buffers rows of columns in sorted order, and writes a row group when enough is buffered."""
        if not num_rows:
            return
        try:
            batch = measure(self._plans, num_rows, columns)
        except ColumnFailure as failure:
            name = self._schema.fields[self._schema.sorted[failure.position]].name
            raise unfit(failure.error.rule, path=column_path(name)) from None
        if self._options.kind == Compression.ZSTD:
            # Readers refuse to inflate larger blocks, so such a batch is cut.
            if batch.largest > MAX_BLOCK and num_rows > 1:
                half = num_rows // 2
                self._append(half, [column.slice(0, half) for column in columns])
                self._append(num_rows - half, [column.slice(half) for column in columns])
                return
            if self._buffer.largest + batch.largest > MAX_BLOCK:
                self._flush()
        self._buffer.add(batch)
        if self._buffer.nbytes >= self._options.row_group_max_bytes:
            self._flush()

    def _flush(self) -> None:
        """Writes the buffered rows as a row group."""
        buffer, options = self._buffer, self._options
        if not buffer.num_rows:
            return
        buffer.settle()

        def encode(buckets: slice) -> list[EncodedBucket]:
            columns = [buffer.columns(bucket) for bucket in range(*buckets.indices(len(self._plans)))]
            return encode_buckets(self._plans[buckets], columns, buffer.num_rows, options)

        pool = workers() if buffer.nbytes >= _WORTH_THREADS else None
        # Small buckets are encoded together.
        task = min(max(_WORTH_A_TASK, buffer.nbytes // _TASKS), _LARGEST_TASK)
        size = max(1, len(self._plans) * task // max(1, buffer.nbytes))
        work = [slice(start, start + size) for start in range(0, len(self._plans), size)]
        encoded = chain.from_iterable(map_ahead(encode, work, pool, _AHEAD))
        buckets, waiting, position = [], bytearray(), self._sink.position
        for plan, bucket in zip(self._plans, encoded, strict=True):
            start, stored = position, sum(map(len, bucket.parts))
            position += stored
            for part in bucket.parts:
                if len(part) < _WORTH_A_WRITE:
                    waiting += part
                if len(waiting) >= _WORTH_A_WRITE or len(part) >= _WORTH_A_WRITE:
                    self._sink.write(waiting)
                    waiting = bytearray()
                if len(part) >= _WORTH_A_WRITE:
                    self._sink.write(part)
            self._stored += stored
            self._raw += bucket.raw
            buckets.append(BucketRef(bucket_id=plan.bucket_id, start=start, stored=stored, inflated=bucket.inflated))
        self._sink.write(waiting)
        nodes = [self._schema.nodes[position] for position in self._stats_positions]
        chunks = buffer.chunks(self._stats_positions)
        stats = column_stats(list(zip(self._stats_positions, nodes, chunks, strict=True)))
        self._row_groups.append(RowGroup(num_rows=buffer.num_rows, buckets=buckets, stats=stats))
        buffer.clear()

    def _finish(self) -> None:
        # Offsets are set when the file is written.
        """Writes the schema block, the row group index and the footer."""
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


def write_table(table: TableLike, where: TargetLike, *, filesystem: Any = None, **options: Unpack[Options]) -> None:
    """Writes one table to a file; the arguments and errors are those of `MosaicWriter` and `MosaicWriter.write`."""
    data = as_arrow(table)
    with MosaicWriter(where, data.schema, filesystem=filesystem, **options) as writer:
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
