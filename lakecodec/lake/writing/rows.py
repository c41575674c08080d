"""Batches brought into a table's columns, order and types, with the rules that all its rows keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...runtime.arrow_nested import relabelled
from ...runtime.errors import EncodeError
from ...variant.unshredding import in_table
from ..log import from_delta, respelled, to_delta


def table_types(schema: pa.Schema) -> pa.Schema:
    """Returns the schema that a table has for data of a schema: Delta's types, in Arrow's widths; NOT NULL stays.

    Raises:
        SchemaMismatchError: a type or a name that no table can have.
    """
    return from_delta(to_delta(schema.remove_metadata()))


class Rows:
    """Brings batches into the schema of a table.

    Args:
        schema: of the table.
        partition_by: its partition columns, whose empty texts are null.
    """

    def __init__(self, schema: pa.Schema, partition_by: Sequence[str]) -> None:
        self._schema = schema
        self._partition_by = frozenset(partition_by)

    def of(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch in the table's schema; columns that it lacks are null.

        Raises:
            EncodeError: a value that the column's type does not hold, or a null that the table does not allow.
        """
        batch = relabelled(batch, respelled(batch.schema, self._schema))
        return pa.RecordBatch.from_arrays([self._column(batch, field) for field in self._schema], schema=self._schema)

    def _column(self, batch: pa.RecordBatch, field: pa.Field) -> Any:
        index = batch.schema.get_field_index(field.name)
        if index < 0:
            array = pa.nulls(batch.num_rows, field.type)
        else:
            array = batch.column(index)
            try:
                array = in_table(_plain(array), field.type)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                rule = f"a value does not fit: {' '.join(str(error).split())}"
                raise EncodeError(rule, format="delta", path=field.name) from None
        if field.name in self._partition_by and pa.types.is_string(field.type):
            array = pc.if_else(pc.equal(array, ""), pa.scalar(None, field.type), array)
        elif field.name in self._partition_by and pa.types.is_binary(field.type):
            array = pc.if_else(pc.equal(array, b""), pa.scalar(None, field.type), array)
        if array.null_count and not field.nullable:
            rule = "the column is not nullable, a value is null or empty"
            raise EncodeError(rule, format="delta", path=field.name)
        check_nested(array, field.type, field.name)
        return array


def check_nested(array: Any, kind: Any, path: str) -> None:
    """Raises EncodeError for a null in a nested field, element or value that must not be null."""
    types = pa.types
    if not types.is_nested(kind) or not _requires(kind):
        return
    if types.is_struct(kind):
        present = array.filter(array.is_valid()) if array.null_count else array
        for index in range(kind.num_fields):
            field = kind.field(index)
            _check_part(pc.struct_field(present, [index]), field, f"{path}.{field.name}")
    elif types.is_map(kind):
        entries = array.filter(array.is_valid()) if array.null_count else array
        _check_part(pc.list_flatten(entries.cast(_entries(kind))).field(1), kind.item_field, f"{path}.value")
    else:
        _check_part(pc.list_flatten(array), kind.value_field, f"{path}.element")


def _entries(kind: Any) -> Any:
    return pa.list_(pa.struct([kind.key_field, kind.item_field.with_nullable(True)]))


def _check_part(array: Any, field: pa.Field, path: str) -> None:
    if array.null_count and not field.nullable:
        raise EncodeError("it is not nullable, a value is null", format="delta", path=path)
    check_nested(array, field.type, path)


def _requires(kind: Any) -> bool:
    """Returns True if a part of the type must not be null, apart from keys of maps."""
    if pa.types.is_map(kind):
        return not kind.item_field.nullable or _requires(kind.item_type)
    if not pa.types.is_nested(kind):
        return False
    parts = [kind.field(index) for index in range(kind.num_fields)]
    return any(not part.nullable or _requires(part.type) for part in parts)


def _plain(array: Any) -> Any:
    """Returns an array without a dictionary or runs."""
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    if pa.types.is_run_end_encoded(array.type):
        return pc.run_end_decode(array)
    return array
