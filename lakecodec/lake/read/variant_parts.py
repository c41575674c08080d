"""Parts of variants in predicates, such as ``v.a.b > 5``; each becomes a column in the batches of a scan."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ...variant.arrow import storage_of
from ...variant.parts import PRESENCE, Whole, needed
from ..log.column_mapping import physical_part, physical_path, unmapped
from .predicate import Name

#: A prefix that no column's name has.
_MARK = "\1"
NUMBER, WHOLE = pa.float64(), pa.int64()
_TYPES = {
    str(kind): kind
    for kind in (
        NUMBER, WHOLE, pa.string(), pa.bool_(), pa.binary(), pa.date32(), pa.timestamp("us", "UTC"),
        pa.timestamp("us"), PRESENCE,
    )
}  # fmt: skip


class Part(NamedTuple):
    """A part of a variant as values of one type.

    Attributes:
        column: names of the column and of the structs around it.
        steps: names of fields from the column on.
        type: the type in which values are compared; `PRESENCE` for a null test.
    """

    column: Name
    steps: tuple[str, ...]
    type: pa.DataType

    @property
    def name(self) -> str:
        """The name of its column, which `part_of` reads back."""
        return _MARK + json.dumps([self.column, self.steps, str(self.type)])

    @property
    def field(self) -> pa.Field:
        """Its column."""
        return pa.field(self.name, pa.bool_() if self.type == PRESENCE else self.type)

    def physical(self, table: pa.Schema) -> Part:
        """Returns the same part under its column's name in files."""
        return self._replace(column=physical_path(table, self.column))


def part_of(name: str) -> Part | None:
    """Returns the part for a column of this name; None for a column of the table."""
    if not name.startswith(_MARK):
        return None
    column, steps, kind = json.loads(name[1:])
    return Part(tuple(column), tuple(steps), _TYPES[kind])


def column_of_part(name: str) -> str:
    """Returns the table's column from which a column of a scan is made."""
    part = part_of(name)
    return name if part is None else part.column[0]


def scan_field(table: pa.Schema, name: str) -> pa.Field:
    """Returns the field of a column of a scan."""
    part = part_of(name)
    return unmapped(table.field(name)) if part is None else part.field


def physical_columns(schema: pa.Schema, table: pa.Schema) -> pa.Schema:
    """Returns the columns of a scan under their names in files."""

    def there(field: pa.Field) -> pa.Field:
        part = part_of(field.name)
        found: Any = physical_part(pa.schema([field]), table).field(0) if part is None else part.physical(table).field
        return found

    return physical_part(schema, table) if not any(map(part_of, schema.names)) else pa.schema(map(there, schema))


def part_columns(part: Part, file: pa.Schema) -> list[str]:
    """Returns the dotted names of the file's columns from which a part is read."""
    kind: Any = pa.struct(list(file))
    for name in part.column:
        at = kind.get_field_index(name) if pa.types.is_struct(kind) else -1
        if at < 0:
            return []
        kind = kind.field(at).type
    return [".".join((*part.column, *path)) for path in needed(kind, part.steps, part.type)]


def read_part(part: Part, batch: pa.RecordBatch) -> pa.Array:
    """Returns a part's values for the rows of a file, null if the file has no such column.

    Raises:
        DecodeError: a row is not a variant.
    """
    array: Any = batch.to_struct_array()
    for name in part.column:
        if array.type.get_field_index(name) < 0:
            return pa.nulls(len(array), part.field.type)
        array = pc.struct_field(array, name)
    whole = not pa.types.is_struct(array.type) or array.type.get_field_index("metadata") >= 0
    return Whole(storage_of(array) if whole else array).part(part.steps, part.type)
