"""Conversion of batches to a table's columns, order and types, with checks of the rules for its rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...runtime.arrow_nested import no_rows, relabelled
from ...runtime.errors import EncodeError
from ...variant.unshredding import in_table
from ..log import SchemaMismatchError, UnsupportedTableError, from_delta, respelled, to_delta
from ..log.column_rules import Identity, default_of, generated_by, identity_of
from ..read.casts import Refused, cast
from ..read.values import column_of
from .constraints import parsed

#: The batch over which a default is computed.
_NO_COLUMNS = pa.RecordBatch.from_pylist([], pa.schema([]))


def table_types(schema: pa.Schema) -> pa.Schema:
    """Returns the schema that a table has for data of a schema: Delta's types, in Arrow's widths; NOT NULL stays.

    Raises:
        SchemaMismatchError: no table can have a type or a name.
    """
    return from_delta(to_delta(schema.remove_metadata()))


class Rows:
    """The conversion of batches to the schema of a table.

    Args:
        schema: schema of the table.
        partition_by: its partition columns, whose empty texts are null.
        creates: whether the table is new; then nulls in its identity columns are numbered.

    Attributes:
        marks: identity column -> last number assigned here.
    """

    def __init__(self, schema: pa.Schema, partition_by: Sequence[str], *, creates: bool = False) -> None:
        self._schema, self._creates = schema, creates
        self._partition_by = frozenset(partition_by)
        self._computed = {field.name: text for field in schema if (text := generated_by(field)) is not None}
        self._defaults = {field.name: text for field in schema if (text := default_of(field)) is not None}
        self._identities = {field.name: found for field in schema if (found := identity_of(field)) is not None}
        self.marks: dict[str, int] = {}

    def of(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Returns a batch in the table's schema; missing columns get their defaults or are computed, else they are null.

        Raises:
            EncodeError: a value does not fit its column's type, a null is not allowed, or a value of a
                generated column differs from the computed one.
        """
        batch = relabelled(batch, respelled(batch.schema, self._schema))
        given = {name: self._as_type(batch.column(index), name) for index, name in enumerate(batch.schema.names)}
        plain = [field for field in self._schema if field.name not in self._computed]
        found = {field.name: self._column(field, given.get(field.name), batch.num_rows) for field in plain}
        rows = pa.RecordBatch.from_arrays(list(found.values()), schema=pa.schema(plain))
        for name, text in self._computed.items():
            value = self._value(name, text, rows, batch.num_rows)
            found[name] = self._column(self._schema.field(name), value, batch.num_rows)
            if name in given:
                self._check_computed(name, text, found[name], given[name])
        return pa.RecordBatch.from_arrays([found[name] for name in self._schema.names], schema=self._schema)

    def check_rules(self) -> None:
        """Raises UnsupportedTableError if a default or a generated column cannot be computed here."""
        plain = pa.schema([field for field in self._schema if field.name not in self._computed])
        rules = [
            (self._defaults, "allowColumnDefaults", "default", _NO_COLUMNS),
            (self._computed, "generatedColumns", "expression", no_rows(plain)),
        ]
        for texts, feature, what, rows in rules:
            for name, text in texts.items():
                try:
                    self._value(name, text, rows, 0)
                except (ValueError, KeyError, pa.ArrowException) as error:
                    reason = error.args[0] if error.args else error
                    rule = f"the {what} of the column {name!r} ({text}) cannot be computed here: {reason}"
                    raise UnsupportedTableError(rule, feature) from None

    def _value(self, name: str, text: str, rows: pa.RecordBatch, count: int) -> Any:
        array = parsed(text, name).of(lambda path: column_of(rows, rows.schema, path), count)
        return self._as_type(array, name)

    def _as_type(self, array: Any, name: str) -> Any:
        """Returns the values of a column in its type, unchanged if the table has no such column."""
        index = self._schema.get_field_index(name)
        if index < 0:
            return array
        array, wanted = _plain(array), self._schema.field(index).type
        if array.type == wanted:
            return array
        try:
            return in_table(array, wanted, cast)
        except Refused as error:
            rule = f"{error} is not computed here; Spark may compute it"
            raise EncodeError(rule, format="delta", path=name) from None
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            rule = f"a value does not fit: {' '.join(str(error).split())}"
            raise EncodeError(rule, format="delta", path=name) from None

    def _column(self, field: pa.Field, array: Any, count: int) -> Any:
        identity = self._identities.get(field.name)
        if identity is not None and (array is None or (self._creates and array.null_count == count)):
            array = self._numbered(field.name, identity, count)
        elif identity is not None and self._creates and not identity.takes_values:
            raise EncodeError("the identity column numbers all rows itself", format="delta", path=field.name)
        elif array is None and (text := self._defaults.get(field.name)) is not None:
            array = self._value(field.name, text, _NO_COLUMNS, count)
        elif array is None:
            array = pa.nulls(count, field.type)
        if field.name in self._partition_by and pa.types.is_string(field.type):
            array = pc.if_else(pc.equal(array, ""), pa.scalar(None, field.type), array)
        elif field.name in self._partition_by and pa.types.is_binary(field.type):
            array = pc.if_else(pc.equal(array, b""), pa.scalar(None, field.type), array)
        if array.null_count and not field.nullable:
            rule = "the column is not nullable, a value is null or empty"
            raise EncodeError(rule, format="delta", path=field.name)
        check_nested(array, field.type, field.name)
        return array

    def _numbered(self, name: str, identity: Identity, count: int) -> Any:
        try:
            numbers = replace(identity, mark=self.marks.get(name, identity.mark)).numbers(count)
        except pa.ArrowInvalid as error:
            raise EncodeError(str(error), format="delta", path=name) from None
        if count:
            self.marks[name] = numbers[-1].as_py()
        return numbers

    def _check_computed(self, name: str, text: str, computed: Any, given: Any) -> None:
        """Raises EncodeError if given values of a generated column are not the computed ones."""
        same = pc.or_(pc.fill_null(pc.equal(given, computed), False), pc.and_(pc.is_null(given), pc.is_null(computed)))
        if not pc.all(same, min_count=0).as_py():
            row = pc.index(same, False).as_py()
            values = f"{given[row].as_py()!r} is given, {computed[row].as_py()!r} is computed"
            raise EncodeError(f"the column is generated by {text}: {values}", format="delta", path=name)


def check_given(schema: pa.Schema, given: Collection[str]) -> None:
    """Raises SchemaMismatchError if rows have values of an identity column that accepts none."""
    for field in schema:
        identity = identity_of(field) if field.name in given else None
        if identity is not None and not identity.takes_values:
            rule = f"{field.name!r} is an identity column that numbers all rows itself: leave it out"
            raise SchemaMismatchError(rule, [field.name])


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
    """Returns an array without dictionary or run-length encoding."""
    if pa.types.is_dictionary(array.type):
        return array.dictionary_decode()
    if pa.types.is_run_end_encoded(array.type):
        return pc.run_end_decode(array)
    return array
