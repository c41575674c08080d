"""Conversion of batches of data files to the table's columns, order and types, with partition values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...delta import PartitionCodec
from ...parquet.legacy_calendar import LegacyCalendar
from ...runtime.arrow_nested import relabelled
from ...runtime.errors import DecodeError
from ...variant.unshredding import in_table
from ..row_size import row_bytes
from .variant_parts import Part, part_columns, part_of, read_part

#: Approximate size of a batch's Arrow data in bytes, which bounds memory and transfers between processes.
_BATCH_BYTES = 16 << 20
_MOST_ROWS, _FEWEST_ROWS = 1 << 18, 1 << 10


def batch_rows(schema: pa.Schema) -> int:
    """Returns the number of rows for a batch of these columns: about 16 MiB, from 1024 to 262144 rows."""
    width = row_bytes(schema)
    return max(_FEWEST_ROWS, min(_MOST_ROWS, _BATCH_BYTES // max(1, width)))


class Conform:
    """The conversion of one file's batches to a schema.

    Args:
        schema: schema of the results.
        physical: the same schema with the names of columns in files.
        codec: codec of the partition values.
        values: the log's texts of the file's partition columns.
        file: name of the file for errors.
        legacy: the calendar of the file's dates and times, None for the Gregorian one.
    """

    def __init__(
        self,
        schema: pa.Schema,
        physical: pa.Schema,
        codec: PartitionCodec,
        values: Sequence[str | None],
        file: str,
        legacy: LegacyCalendar | None = None,
    ) -> None:
        self._schema = schema
        self._physical = physical
        self._file = file
        self._leaf = None if legacy is None else legacy.leaf
        self._constants: dict[str, Any] = {}
        for column, text in zip(codec.columns, values, strict=True):
            index = schema.get_field_index(column.name)
            if index >= 0:
                parsed = codec.parse_array(column.name, pa.array([text], pa.string()))
                self._constants[column.name] = parsed.cast(schema.field(index).type)[0]

    def file_columns(self, file: pa.Schema) -> list[str]:
        """Returns the names of the schema's columns that the file has, to be read from it."""
        found: list[str] = []
        for name, there in zip(self._schema.names, self._physical.names, strict=True):
            if (part := part_of(there)) is not None:
                found += part_columns(part, file)
            elif name not in self._constants and file.get_field_index(there) >= 0:
                found.append(there)
        return list(dict.fromkeys(found))

    def batch(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch of the file in the schema; columns that the file lacks are null.

        Raises:
            DecodeError: a column's type cannot be cast to the table's.
        """
        names = {name: index for index, name in enumerate(batch.schema.names)}
        arrays = [
            self._part(part, batch)
            if (part := part_of(field.name)) is not None
            else self._column(field, batch, self._constants.get(name), names.get(field.name))
            for name, field in zip(self._schema.names, self._physical, strict=True)
        ]
        if not arrays:
            return batch.select([])
        return relabelled(pa.RecordBatch.from_arrays(arrays, schema=self._physical), self._schema)

    def _part(self, part: Part, batch: pa.RecordBatch) -> pa.Array:
        try:
            return read_part(part, batch)
        except (TypeError, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            rule = f"the column is not a variant: {error}"
            raise DecodeError(rule, format="table", path=f"{self._file}: {'.'.join(part.column)}") from None

    def _column(self, field: pa.Field, batch: pa.RecordBatch, constant: Any, index: int | None) -> pa.Array:
        if constant is not None:
            return pa.repeat(constant, batch.num_rows)
        if index is None:
            return pa.nulls(batch.num_rows, field.type)
        array = batch.column(index)
        try:
            return in_table(array, field.type, self._leaf)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            rule = f"the file has {array.type}, the table {field.type}: {error}"
            raise DecodeError(rule, format="table", path=f"{self._file}: {field.name}") from None
