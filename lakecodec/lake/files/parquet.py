"""Parquet data files: pyarrow writes them, our codec reads their statistics back from the footer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...parquet import read_metadata
from ...runtime.arrow_nested import no_rows
from ...statistics.columns import leaves
from ..log import footer_statistics
from ..log.file_actions import NO_NAN
from ..log.schema import uses_variant
from .base import DataFileWriter, WriterOptions, slices
from .variants import VariantColumns

ROW_GROUP_ROWS = 1 << 20
_COMPRESSION, _LEVEL = "zstd", 1
#: The dictionary size in bytes at which a Parquet writer abandons the dictionary of a column chunk.
_DICTIONARY = 1 << 20
_DIFFERENCES = "DELTA_BINARY_PACKED"
#: Rows by whose differences the encoding is chosen.
_DIFFERENT = 1 << 12


class ParquetFormat:
    """The data file format ``parquet``, compressed with zstd, see `FileFormat`."""

    name = "parquet"
    suffix = ".zstd.parquet"

    def check_schema(self, schema: pa.Schema) -> None:
        """Raises ValueError for a column with a struct without fields."""
        for field in schema:
            if _has_empty_struct(field.type):
                raise ValueError(f"source: {field.name!r} has a struct without fields, which Parquet cannot hold")

    def open_writer(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> DataFileWriter:
        return ParquetDataFile(filesystem, path, schema, options)


class ParquetDataFile:
    """Writer of a Parquet file with page checksums, see `DataFileWriter`."""

    def __init__(self, filesystem: Any, path: str, schema: pa.Schema, options: WriterOptions) -> None:
        self._schema = schema
        self._options = options
        self._pending: list[pa.Table] = []
        self._rows = self._bytes = 0
        self._closed: int | None = None  # size of the closed file in bytes
        self._raw = 0  # bytes of Arrow data in the file so far
        self._floats = [path for path, kind in leaves(schema) if pa.types.is_floating(kind)]
        self._with_nan: set[tuple[str, ...]] = set()
        self._sink = filesystem.open_output_stream(path)
        self._variants = (
            VariantColumns(schema, self._sink, shredding=options.shredding) if uses_variant(schema) else None
        )
        self._writer: pq.ParquetWriter | None = None

    def _open(self, first: pa.Table) -> pq.ParquetWriter:
        dictionaries, encodings = _encodings(first)
        return pq.ParquetWriter(
            self._sink if self._variants is None else self._variants,
            first.schema,
            use_dictionary=dictionaries,
            column_encoding=encodings,
            compression=_COMPRESSION,
            compression_level=_LEVEL,
            store_decimal_as_integer=True,
            write_page_checksum=True,
        )

    @property
    def size(self) -> int:
        if self._closed is not None:
            return self._closed
        written = self._sink.tell()
        # Buffered rows are assumed to shrink like those already written.
        return int(written + self._bytes * (written / self._raw if self._raw else 1))

    @property
    def tags(self) -> dict[str, str]:
        return {NO_NAN: "true"} if self._floats and not self._with_nan else {}

    def write(self, data: pa.Table) -> None:
        self._record_nan(data)
        for part in slices(data, self._options.row_group_bytes):
            self._pending.append(part)
            self._rows += part.num_rows
            self._bytes += part.nbytes
            if self._bytes >= self._options.row_group_bytes or self._rows >= ROW_GROUP_ROWS:
                self._flush()

    def close(self) -> str:
        self._flush(last=True)
        assert self._writer is not None
        if self._variants is not None:
            self._variants.hold()
        self._writer.close()
        footer = pa.BufferOutputStream()  # the footer just written need not be read back
        self._writer.writer.metadata.write_metadata_file(footer)
        metadata = read_metadata(footer.getvalue())
        if self._variants is not None:
            self._variants.finish(metadata)
        self._closed = int(self._sink.tell())
        self._sink.close()
        sure = {".".join(path) for path in self._floats if path not in self._with_nan}
        variants = {} if self._variants is None else self._variants.bounds(metadata)
        return footer_statistics(
            metadata, self._schema, self._options.stats_columns, without_nan=sure, variants=variants
        )

    def abort(self) -> None:
        self._pending.clear()
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            self._sink.close()

    def _flush(self, *, last: bool = False) -> None:
        if not self._rows and not (last and self._writer is None):
            return
        table = pa.concat_tables(self._pending) if self._pending else pa.Table.from_batches([no_rows(self._schema)])
        if self._variants is not None:
            table = self._variants.stored(table)
        if self._writer is None:
            self._writer = self._open(table)
        if self._rows:
            self._writer.write_table(table, row_group_size=self._rows)
        self._raw += self._bytes
        self._pending.clear()
        self._rows = self._bytes = 0

    def _record_nan(self, data: pa.Table) -> None:
        for path in self._floats:
            if path in self._with_nan:
                continue
            array: Any = data[path[0]]
            for name in path[1:]:
                array = pc.struct_field(array, name)
            if pc.any(pc.is_nan(array)).as_py():
                self._with_nan.add(path)


def _encodings(first: pa.Table) -> tuple[list[str] | bool, dict[str, str] | None]:
    """Returns the columns with dictionaries by a file's first row group, True for all, and the encodings of others.

    A column whose first rows fill a dictionary gets none: to build one that is given up takes time and space. Integers
    and times are written as differences then, unless these are as large as the values: both take less time than to
    compress and decompress the values, and less space.
    """
    if any(map(pa.types.is_nested, first.schema.types)):
        return True, None
    heads = {name: _head(first[name]) for name in first.schema.names}
    filled = {name: head for name, head in heads.items() if head is not None and len(pc.unique(head)) > 0.8 * len(head)}
    encodings = {name: _DIFFERENCES for name, head in filled.items() if _has_small_differences(head)}
    return [name for name in heads if name not in filled], encodings


def _head(column: Any) -> Any:
    """Returns the first rows of a column, of which 0.8 fill a dictionary if they are distinct; None for a shorter column."""
    if column.nbytes <= _DICTIONARY or pa.types.is_decimal(column.type):  # decimals are smaller in files
        return None
    return column.slice(0, int(1.25 * _DICTIONARY / column.nbytes * len(column)))


def _has_small_differences(head: Any) -> bool:
    if not (pa.types.is_integer(head.type) or pa.types.is_temporal(head.type)):
        return False
    width = head.type.bit_width
    numbers = pc.drop_null(head).cast(pa.int64() if width == 64 else pa.int32(), safe=False).to_numpy()
    return bool(np.abs(np.diff(numbers[:_DIFFERENT].astype(np.float64))).max(initial=0) < 2.0 ** (width - 8))


def _has_empty_struct(kind: pa.DataType) -> bool:
    if not pa.types.is_nested(kind):
        return False
    if pa.types.is_struct(kind) and not kind.num_fields:
        return True
    return any(_has_empty_struct(kind.field(index).type) for index in range(kind.num_fields))
