"""The rules of a table's schema for the values of its columns: invariants, defaults, generated and identity columns.

The rules are metadata of fields (PROTOCOL.md, Column Invariants, Default Columns, Generated Columns, Identity Columns).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from .errors import CorruptLogError
from .widening import TYPE_CHANGES

_INVARIANT, _GENERATED, _DEFAULT = b"delta.invariants", b"delta.generationExpression", b"CURRENT_DEFAULT"
_IDENTITY = "delta.identity."
#: The metadata key of the last number that an identity column has assigned.
MARK = f"{_IDENTITY}highWaterMark"
#: Prefixes of metadata keys, and the writer features that tables with them need.
_FEATURES = {
    _INVARIANT: "invariants",
    _GENERATED: "generatedColumns",
    _DEFAULT: "allowColumnDefaults",
    _IDENTITY.encode(): "identityColumns",
}
_INT64 = 1 << 63


@dataclass(frozen=True)
class Identity:
    """The numbers of an identity column.

    Attributes:
        start: the first one.
        step: the difference between two.
        mark: the last assigned number; None if there is none.
        takes_values: whether rows may bring their own values.
    """

    start: int
    step: int
    mark: int | None
    takes_values: bool

    def numbers(self, count: int) -> pa.Array:
        """Returns the next numbers, int64.

        Raises:
            pa.ArrowInvalid: the numbers exceed 64 bits.
        """
        first = self.start if self.mark is None else self.mark + self.step
        last = first + self.step * max(0, count - 1)
        if not (-_INT64 <= first < _INT64 and -_INT64 <= last < _INT64):
            raise pa.ArrowInvalid("the numbers of the identity column are used up")
        return pa.array(range(first, first + self.step * count, self.step), pa.int64())


def generated_by(field: pa.Field) -> str | None:
    """Returns the SQL of a generated column; None for other columns."""
    return _text(field, _GENERATED)


def default_of(field: pa.Field) -> str | None:
    """Returns the SQL of a column's default value; None without one."""
    return _text(field, _DEFAULT)


def identity_of(field: pa.Field) -> Identity | None:
    """Returns the numbers of an identity column, None for other columns.

    Raises:
        CorruptLogError: its metadata break the protocol.
    """
    start, step, mark, takes = (
        _text(field, f"{_IDENTITY}{name}".encode())
        for name in ("start", "step", "highWaterMark", "allowExplicitInsert")
    )
    if start is None and step is None:
        return None
    try:
        found = Identity(int(start or ""), int(step or ""), None if mark is None else int(mark), takes == "true")
    except ValueError:
        found = None
    if found is None or not found.step:
        raise CorruptLogError(f"identity column {field.name!r}: wrong metadata", path="metaData.schemaString")
    return found


def is_derived(field: pa.Field) -> bool:
    """Returns True if rows may lack the column because the table computes its values."""
    return any(text is not None for text in (generated_by(field), default_of(field))) or identity_of(field) is not None


def invariants(schema: pa.Schema) -> Iterator[tuple[str, str]]:
    """Yields (dotted path of a column at any depth, SQL that must be true for every row).

    Raises:
        CorruptLogError: its metadata break the protocol.
    """
    for path, field in _fields(schema, ()):
        if (text := _text(field, _INVARIANT)) is not None:
            try:
                yield ".".join(path), str(json.loads(text)["expression"]["expression"])
            except (ValueError, KeyError, TypeError):
                rule = f"the invariant of {'.'.join(path)!r} does not follow the protocol"
                raise CorruptLogError(rule, path="metaData.schemaString") from None


def features_of(schema: pa.Schema) -> list[str]:
    """Returns the features of writers that the rules of a schema need."""
    keys = [key for _, field in _fields(schema, ()) for key in field.metadata or {}]
    return [name for start, name in _FEATURES.items() if any(key.startswith(start) for key in keys)]


def with_rules(data: pa.Schema, table: pa.Schema, *, redefined: bool) -> pa.Schema:
    """Returns a schema of data extended by missing columns whose values the table computes.

    Args:
        data: schema of the data, in the spelling of the table.
        table: schema of the table.
        redefined: whether ``data`` becomes the table's schema; then rules of columns with unchanged types are kept.
    """
    known = {field.name: field for field in table}
    found = [_taken_over(field, known.get(field.name)) if redefined else field for field in data]
    return pa.schema([*found, *(field for field in table if field.name not in data.names and is_derived(field))])


def with_marks(schema: pa.Schema, marks: Mapping[str, int]) -> pa.Schema:
    """Returns a schema with the last numbers of its identity columns."""
    return pa.schema(
        [
            field.with_metadata({**field.metadata, MARK.encode(): str(marks[field.name]).encode()})
            if field.name in marks
            else field
            for field in schema
        ]
    )


def later_marks(first: pa.Schema, second: pa.Schema) -> dict[str, int]:
    """Returns the last assigned number per identity column, the later one of two versions of a table."""
    found = {}
    for field in first:
        identity = identity_of(field)
        index = second.get_field_index(field.name)
        other = identity_of(second.field(index)) if index >= 0 else None
        marks = [each.mark for each in (identity, other) if each is not None and each.mark is not None]
        if identity is not None and marks:
            found[field.name] = max(marks) if identity.step > 0 else min(marks)
    return found


def _taken_over(field: pa.Field, old: pa.Field | None) -> pa.Field:
    if old is None or old.type != field.type or not old.metadata:
        return field
    kept = {key: value for key, value in old.metadata.items() if key != TYPE_CHANGES.encode()}
    # Equal types may differ in the metadata of their fields.
    return field.with_type(old.type).with_metadata({**kept, **(field.metadata or {})})


def _fields(fields: Iterable[pa.Field], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], pa.Field]]:
    for field in fields:
        yield (*path, field.name), field
        kind: Any = field.type
        if pa.types.is_struct(kind):
            yield from _fields([kind.field(index) for index in range(kind.num_fields)], (*path, field.name))


def _text(field: pa.Field, key: bytes) -> str | None:
    found = (field.metadata or {}).get(key)
    return None if found is None else found.decode()
