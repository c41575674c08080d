"""Writer of data files: rows by partition and bucket, with statistics, each file an entry of a manifest."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..generated.paimon import ADD, MANIFEST_VERSION
from ..lake.files import WriterOptions, file_format
from ..lake.log.errors import SchemaMismatchError, UnsupportedTableError
from ..runtime.arrow_nested import as_type
from ..statistics.collected import Bounds, Collector
from .binary_row import EMPTY, buckets_of, decode_row, encode_row, is_storable, plain, unscaled
from .orc_file import OrcWriter
from .paths import bucket_path
from .reading import FORMATS
from .schemas import TableSchema
from .table import PaimonTable

#: The most open files; if the data has more partitions, the largest file is closed.
_MOST_OPEN = 64
_ROW_GROUP_BYTES = 128 << 20
_FILE_BYTES = 256 << 20
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_KEYS_PER_VALUE = {"us": 1, "ms": 1000, "s": 1_000_000}
APPENDED, COMPACTED = 0, 1


def size_option(schema: TableSchema, name: str, default: int) -> int:
    """Returns an option in bytes, such as ``128 mb``.

    Raises:
        ValueError: it is none.
    """
    text = schema.options.get(name)
    if text is None:
        return default
    number = text.strip().lower().removesuffix("b").rstrip("yte").strip()
    digits = number.rstrip("kmgt")
    unit = number[len(digits) :]
    if not digits.strip().isdigit() or unit not in _UNITS:
        raise ValueError(f"options: {name} = {text!r} is not a size such as '128 mb'")
    return max(1, int(digits) * _UNITS[unit])


def check_format(schema: TableSchema) -> str:
    """Returns the format of the table's new files.

    Raises:
        ValueError: an unknown one, or one that cannot hold the columns.
    """
    name = schema.options.get("file.format", "parquet")
    if name not in FORMATS:
        raise ValueError(f"file_format: {name!r} is not one of {', '.join(FORMATS)}")
    if name != "orc":
        file_format(name).check_schema(_file_schema(schema, name))
    return name


def conform(batch: pa.RecordBatch, schema: TableSchema) -> pa.RecordBatch:
    """Returns a batch in the table's columns, matched by name; missing nullable columns are null.

    Raises:
        SchemaMismatchError: a column is unknown or missing, or a value does not fit its column's type.
    """
    names = batch.schema.names
    if extra := [name for name in names if name not in schema.by_name]:
        raise SchemaMismatchError(f"data: the table has no column {extra[0]!r}", extra)
    arrays = []
    for column in schema.columns:
        if column.name not in names:
            array = pa.nulls(batch.num_rows, column.type)
        else:
            array = batch.column(names.index(column.name))
            try:
                if pa.types.is_dictionary(array.type):
                    array = array.cast(array.type.value_type)
                array = as_type(array, column.type)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                rule = f"data: column {column.name!r} is {array.type}, not {column.type}: {error}"
                raise SchemaMismatchError(rule, [column.name]) from None
        if array.null_count and not column.nullable:
            raise SchemaMismatchError(f"data: column {column.name!r} has nulls, which it may not", [column.name])
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema.arrow)


class DataWriter:
    """Writer of the rows of one commit.

    Args:
        table: the table.
        schema: its schema.
        source: `APPENDED` or `COMPACTED`.

    Attributes:
        paths: the new files, relative to the table.
    """

    def __init__(self, table: PaimonTable, schema: TableSchema, source: int = APPENDED) -> None:
        if schema.is_on("row-tracking.enabled"):
            raise UnsupportedTableError("tables with row-tracking.enabled are not written here", "row-tracking.enabled")
        if schema.primary_keys:
            raise UnsupportedTableError("tables with a primary key are not written here", "primary-key")
        self._table, self._schema, self._source = table, schema, source
        self._format = check_format(schema)
        self._target = size_option(schema, "target-file-size", _FILE_BYTES)
        self._open: dict[tuple[bytes, int], _File] = {}
        self.paths: list[str] = []
        self._entries: list[dict[str, Any]] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes rows in the table's columns, each into the file of its partition and bucket."""
        for partition, values, bucket, rows in _groups(batch, self._schema):
            self.write_group(rows, partition, values, bucket)

    def write_group(self, rows: pa.RecordBatch, partition: bytes, values: Sequence[Any], bucket: int) -> None:
        """Writes rows of one partition and bucket."""
        key = partition, bucket
        if key not in self._open:
            if len(self._open) >= _MOST_OPEN:
                self._close(max(self._open, key=lambda each: self._open[each].writer.size))
            folder = bucket_path(self._schema, values, bucket)
            path = f"{folder}/data-{uuid4()}-0.{self._format}"
            if self._table.storage.local is not None:
                os.makedirs(self._table.storage.path(folder), exist_ok=True)
            self.paths.append(path)
            self._open[key] = _File(self._table, self._schema, self._format, path)
        file = self._open[key]
        file.write(rows)
        if file.writer.size >= self._target:
            self._close(key)

    def finish(self) -> list[dict[str, Any]]:
        """Completes all files and returns their entries."""
        while self._open:
            self._close(next(iter(self._open)))
        return self._entries

    def abort(self) -> None:
        """Deletes all files; those that cannot be deleted are orphans."""
        for file in self._open.values():
            with suppress(Exception):
                file.writer.abort()
        self._open.clear()
        delete_files(self._table, self.paths)

    def _close(self, key: tuple[bytes, int]) -> None:
        file = self._open.pop(key)
        file.writer.close()
        info = self._table.storage.info(self._table.storage.path(file.path))
        if info is None:
            raise FileNotFoundError(f"{file.path} is gone")
        names, stats = file.statistics()
        described = described_file(file.path, info.size, file.rows, self._schema.id, names, stats, source=self._source)
        self._entries.append(entry_of(ADD, key[0], key[1], self._schema.buckets, described))


def delete_files(table: PaimonTable, paths: Sequence[str]) -> None:
    """Deletes new files that no snapshot has; those that cannot be deleted are orphans."""
    for path in paths:
        with suppress(OSError):
            table.storage.delete(table.storage.path(path))


def entry_of(kind: int, partition: bytes, bucket: int, buckets: int, file: Any) -> dict[str, Any]:
    """Returns an entry of a manifest."""
    return {
        "_VERSION": MANIFEST_VERSION,
        "_KIND": kind,
        "_PARTITION": partition,
        "_BUCKET": bucket,
        "_TOTAL_BUCKETS": buckets,
        "_FILE": file,
    }


def described_file(
    path: str, size: int, rows: int, schema_id: int, names: Sequence[str], stats: Any, *, source: int = APPENDED
) -> dict[str, Any]:
    """Returns the object that describes a new file in a manifest; ``stats`` are of the columns ``names``."""
    return {
        "_FILE_NAME": path.rpartition("/")[2],
        "_FILE_SIZE": size,
        "_ROW_COUNT": rows,
        "_MIN_KEY": EMPTY,
        "_MAX_KEY": EMPTY,
        "_KEY_STATS": {"_MIN_VALUES": EMPTY, "_MAX_VALUES": EMPTY, "_NULL_COUNTS": []},
        "_VALUE_STATS": stats,
        "_MIN_SEQUENCE_NUMBER": 0,
        "_MAX_SEQUENCE_NUMBER": max(0, rows - 1),
        "_SCHEMA_ID": schema_id,
        "_LEVEL": 0,
        "_EXTRA_FILES": [],
        "_CREATION_TIME": int(time.time() * 1000),
        "_DELETE_ROW_COUNT": 0,
        "_FILE_SOURCE": source,
        "_VALUE_STATS_COLS": list(names),
    }


class _File:
    """A file that is being written, and the statistics of its rows."""

    def __init__(self, table: PaimonTable, schema: TableSchema, format: str, path: str) -> None:
        self.path, self.rows = path, 0
        self._schema = _file_schema(schema, format)
        self._kinds = {column.name: column.type for column in schema.columns if is_storable(column.type)}
        self._collector = Collector(schema.arrow, self._kinds) if self._kinds else None
        storage = table.storage
        options = WriterOptions(_ROW_GROUP_BYTES)
        self.writer: Any
        if format == "orc":
            self.writer = OrcWriter(storage.filesystem, storage.path(path))
        else:
            place = storage.path(path)
            self.writer = file_format(format).open_writer(storage.filesystem, place, self._schema, options)

    def write(self, rows: pa.RecordBatch) -> None:
        self.rows += rows.num_rows
        table = pa.Table.from_batches([rows])
        if self._collector is not None:
            self._collector.update(table)
        self.writer.write(table.cast(self._schema))

    def statistics(self) -> tuple[list[str], dict[str, Any]]:
        """Returns the names of the columns that have statistics, and the statistics."""
        if self._collector is None:
            return [], {"_MIN_VALUES": EMPTY, "_MAX_VALUES": EMPTY, "_NULL_COUNTS": []}
        bounds = [self._collector.columns[name,] for name in self._kinds]
        kinds = list(self._kinds.values())
        low = [_plain_bound(each, each.minimum, kind) for each, kind in zip(bounds, kinds, strict=True)]
        high = [_plain_bound(each, each.maximum, kind) for each, kind in zip(bounds, kinds, strict=True)]
        nulls = [each.null_count for each in bounds]
        stats = {"_MIN_VALUES": encode_row(low, kinds), "_MAX_VALUES": encode_row(high, kinds), "_NULL_COUNTS": nulls}
        return list(self._kinds), stats


def _file_schema(schema: TableSchema, format: str) -> pa.Schema:
    """Returns the schema of data files: Mosaic cannot store seconds, and Parquet keeps the ids of columns."""
    fields = []
    for column in schema.columns:
        field = column.arrow
        if format == "mosaic" and pa.types.is_timestamp(field.type) and field.type.unit == "s":
            field = field.with_type(pa.timestamp("ms", field.type.tz))
        if format == "parquet":
            field = field.with_metadata({b"PARQUET:field_id": str(column.id).encode()})
        fields.append(field)
    return pa.schema(fields)


def _plain_bound(bounds: Bounds, value: Any, kind: Any) -> Any:
    """Returns a bound in the form of binary rows; None if there is none."""
    if value is None or not bounds.bounded:
        return None
    if pa.types.is_timestamp(kind):
        if kind.unit == "ns":
            return value * 1000
        return value // _KEYS_PER_VALUE[kind.unit]
    return unscaled(value, kind.scale) if pa.types.is_decimal(kind) else value


def _groups(batch: pa.RecordBatch, schema: TableSchema) -> Iterator[tuple[bytes, tuple[Any, ...], int, pa.RecordBatch]]:
    """Yields the row of the partition, its values, the bucket, and the rows of each group of a batch."""
    keys, kinds, buckets = schema.partition_keys, schema.partition_kinds, schema.buckets
    if not batch.num_rows:
        return
    numbers = np.zeros(batch.num_rows, np.int32)
    if buckets > 0:
        hashed = schema.bucket_keys
        columns = [batch.column(batch.schema.get_field_index(name)) for name in hashed]
        numbers = buckets_of(columns, [schema.by_name[name].type for name in hashed], buckets)
    columns = [batch.column(batch.schema.get_field_index(name)) for name in keys]
    if not keys and not numbers.any():
        yield EMPTY, (), 0, batch
        return
    codes = [_codes(column) for column in columns]
    groups: dict[tuple[int, ...], list[int]] = {}
    for index, key in enumerate(zip(*codes, numbers.tolist(), strict=True)):
        groups.setdefault(key, []).append(index)
    for key, rows in groups.items():
        first = [plain(column.slice(rows[0], 1))[0] for column in columns]
        partition = encode_row(first, kinds) if keys else EMPTY
        values = tuple(decode_row(partition, kinds)) if keys else ()
        yield partition, values, key[-1], batch.take(pa.array(rows, pa.int64()))


def _codes(column: Any) -> list[int]:
    """Returns a number per row that is the same for equal values; -1 for null."""
    return list(pc.fill_null(pc.dictionary_encode(column).indices, -1).to_pylist())


__all__ = [
    "APPENDED",
    "COMPACTED",
    "DataWriter",
    "check_format",
    "conform",
    "delete_files",
    "described_file",
    "entry_of",
    "size_option",
]
