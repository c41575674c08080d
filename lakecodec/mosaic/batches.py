"""Conversion of tables of any library to Arrow arrays with a file's types and column order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from ..runtime.arrow_data import is_pandas, table_of
from ..runtime.columns import BatchColumns
from .arrow_types import cast_column, stored_type
from .errors import column_path, unsupported_value


def schema_of(data: Any) -> pa.Schema:
    """Returns the ``pyarrow.Schema`` of a table or schema of any library with the Arrow PyCapsule interface.

    Raises:
        TypeError: ``data`` is neither.
    """
    if isinstance(data, pa.Schema):
        return data
    if isinstance(data, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        return data.schema
    if hasattr(data, "__arrow_c_schema__"):
        return pa.schema(data)
    raise TypeError(f"schema: a pyarrow.Schema is needed, not {type(data).__name__}")


def as_arrow(data: Any) -> pa.Table | pa.RecordBatch | pa.RecordBatchReader:
    """Returns a pyarrow table, record batch or record batch reader of a table of any library; streams stay streams.

    Raises:
        TypeError: ``data`` is no table.
        ValueError: its columns have different lengths, or values that no Arrow column can hold.
    """
    if isinstance(data, pa.Table | pa.RecordBatch | pa.RecordBatchReader):
        return data
    if hasattr(data, "__arrow_c_stream__") and not is_pandas(data):
        return pa.RecordBatchReader.from_stream(data)
    return table_of(data)


class BatchReader:
    """Converter of batches to the columns of one schema; it keeps the mapping of columns from one table to the next.

    Args:
        schema: the columns with their stored types.
        fields: the fields of ``schema``.
        arrays: indexes of the columns that must be pyarrow arrays. Others may be the smaller objects of
            `runtime.columns.BatchColumns`, which are enough to encode them.
    """

    def __init__(self, schema: pa.Schema, fields: list[pa.Field], arrays: Iterable[int]) -> None:
        self._arrays = list(arrays)
        self._schema = schema
        self._fields = fields
        self._columns = BatchColumns(schema)
        self._required = [index for index, field in enumerate(fields) if not field.nullable]
        self._seen: pa.Schema = schema
        #: Per column, its index in the last table and the type to cast to; None for tables of the schema.
        self._places: list[tuple[int, pa.DataType | None]] | None = None

    def read(self, data: Any) -> Iterator[tuple[int, list[Any]]]:
        """Yields (number of rows, columns in the order of the schema) for each batch of a table.

        Raises:
            TypeError: ``data`` is no table.
            ValueError: the columns or their types are not those of the schema.
            EncodeError: a value that its column cannot hold, or a null in a column that is not nullable.
        """
        table = as_arrow(data)
        self._match(table.schema)
        for batch in _batches(table):
            if self._places is None:
                columns = self._columns.of(batch)
                for index in self._arrays:
                    columns[index] = batch.column(index)
            else:
                arrays = batch.columns
                columns = [
                    arrays[at] if type is None else self._cast(arrays[at], type, index)
                    for index, (at, type) in enumerate(self._places)
                ]
            for index in self._required:
                if columns[index].null_count:
                    raise unsupported_value(
                        "a null in a column that allows none", path=column_path(self._fields[index].name)
                    )
            yield batch.num_rows, columns

    def _match(self, schema: pa.Schema) -> None:
        """Maps the columns of the file to those of a table, by name."""
        if self._seen.equals(schema):
            return
        self._places = self._found(schema)
        self._seen = schema

    def _found(self, schema: pa.Schema) -> list[tuple[int, pa.DataType | None]] | None:
        """Returns (index in the table, type to cast to) for each column; None for a table of the schema itself."""
        if self._schema.equals(schema):
            return None
        names = schema.names
        at = {name: index for index, name in enumerate(names)}
        if len(at) != len(names):
            raise ValueError(f"table: duplicate column name {_first_twice(names)!r}")
        for field in self._fields:
            if field.name not in at:
                raise ValueError(f"table: column {field.name!r} is missing")
        if len(names) != len(self._fields):
            extra = next(name for name in names if self._schema.get_field_index(name) < 0)
            raise ValueError(f"table: column {extra!r} is not in the schema")
        types = schema.types
        places: list[tuple[int, pa.DataType | None]] = []
        for field in self._fields:
            index = at[field.name]
            same = types[index] == field.type
            if not same and not _stored_as(types[index], field.type):
                raise ValueError(f"table: column {field.name!r} is {types[index]}, not {field.type}")
            places.append((index, None if same else field.type))
        return places

    def _cast(self, array: pa.Array, type: pa.DataType, index: int) -> pa.Array:
        """Returns an array cast to its stored type; EncodeError for a value that does not fit."""
        try:
            return cast_column(array, type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise unsupported_value(str(error), path=column_path(self._fields[index].name)) from None


def _batches(table: pa.Table | pa.RecordBatch | pa.RecordBatchReader) -> Iterable[pa.RecordBatch]:
    """Returns the record batches of a table."""
    if isinstance(table, pa.RecordBatch):
        return [table]
    # Batches are made one at a time: the objects of all batches of a wide table take more memory than the data.
    batches: Iterable[pa.RecordBatch] = table.to_reader() if isinstance(table, pa.Table) else table
    return batches


def _stored_as(type: pa.DataType, stored: pa.DataType) -> bool:
    """Returns True if Mosaic stores values of ``type`` as ``stored``."""
    try:
        return bool(stored_type(type) == stored)
    except ValueError:
        return False


def _first_twice(names: list[str]) -> str:
    """Returns the first name that occurs a second time."""
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
