"""Partition columns looked up in a table's schema, with the checks that need no values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..runtime.exact import items_of
from ..runtime.suggest import no_such
from .types import PartitionType, from_arrow, from_name, is_nested, to_arrow

PHYSICAL_NAME = "delta.columnMapping.physicalName"
#: The metadata key with the earlier types of a column.
TYPE_CHANGES = "delta.typeChanges"


@dataclass(frozen=True, slots=True)
class Field:
    """A top-level column; ``type`` is None where the type cannot partition a table, ``type_name`` is for messages."""

    name: str
    physical_name: str | None
    nullable: bool
    type: PartitionType | None
    type_name: str
    nested: bool
    #: The Arrow type of parsed columns.
    arrow: pa.DataType
    #: Earlier types of the column, in which its partition values may be written.
    earlier: tuple[PartitionType, ...] = ()


def read_schema(schema: pa.Schema | str) -> tuple[Field, ...]:
    """Returns the fields of an Arrow schema or of a Delta schemaString (JSON).

    Raises:
        TypeError, ValueError: ``schema`` is neither.
    """
    if isinstance(schema, pa.Schema):
        return tuple(_arrow_field(field) for field in schema)
    if not isinstance(schema, str):
        raise TypeError(f"schema: a pyarrow.Schema or a Delta schemaString is needed, not {type(schema).__name__}")
    try:
        struct = json.loads(schema)
        fields = tuple(_json_field(field) for field in struct["fields"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"schema: not a Delta schemaString ({error!r})") from None
    return fields


def partition_fields(fields: Sequence[Field], names: Sequence[str], *, fold_case: bool) -> tuple[Field, ...]:
    """Returns the fields of the partition columns ``names``, in that order.

    Args:
        fields: the table's schema.
        names: of the partition columns.
        fold_case: compares names without regard to case.

    Raises:
        ValueError, KeyError: no columns, all columns, a nested path, a column twice, an unknown column, or a column whose
            type cannot partition a table.
    """
    if isinstance(names, str | bytes) or not isinstance(names, Sequence):
        raise TypeError("partition_columns: a list of column names is needed")
    names = items_of(names)
    if not names:
        raise ValueError("partition_columns: empty; give None for a table that is not partitioned")
    known = {_key(field.name, fold_case): field for field in fields}
    chosen: list[Field] = []
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"partition_columns: {name!r} is not the name of a top-level column")
        key = _key(name, fold_case)
        if key in seen:
            raise ValueError(f"partition_columns: {name!r} is given twice")
        seen.add(key)
        chosen.append(_partition_field(known, name, fold_case))
    if len(chosen) >= len(fields):
        raise ValueError("partition_columns: all columns of the schema; at least one data column is needed")
    return tuple(chosen)


def _partition_field(known: dict[str, Field], name: str, fold_case: bool) -> Field:
    field = known.get(_key(name, fold_case))
    if field is None:
        head = known.get(_key(name.partition(".")[0], fold_case))
        if "." in name and head is not None and head.nested:
            raise ValueError(
                f"partition_columns: {name!r} is a nested path, only top-level columns can partition a table"
            )
        raise KeyError(f"partition_columns: {no_such(name, [field.name for field in known.values()])}")
    if field.type is None:
        raise ValueError(
            f"partition_columns: {field.name!r} has the type {field.type_name}, which cannot partition a table"
        )
    return field


def _key(name: str, fold_case: bool) -> str:
    return name.lower() if fold_case else name


def _arrow_field(field: Any) -> Field:
    found = from_arrow(field.type)
    metadata = field.metadata or {}
    physical = metadata.get(PHYSICAL_NAME.encode())
    arrow = field.type
    if pa.types.is_dictionary(arrow) or pa.types.is_run_end_encoded(arrow):
        arrow = arrow.value_type
    return Field(
        name=field.name,
        physical_name=physical.decode() if physical is not None else None,
        nullable=field.nullable,
        type=found,
        type_name=found.name if found else str(field.type),
        nested=is_nested(field.type),
        arrow=arrow,
        earlier=_earlier(metadata.get(TYPE_CHANGES.encode())),
    )


def _json_field(field: dict[str, Any]) -> Field:
    name, kind, nullable = field["name"], field["type"], field.get("nullable", True)
    metadata = field.get("metadata") or {}
    if not isinstance(name, str) or not isinstance(kind, str | dict) or not isinstance(nullable, bool):
        raise ValueError(f"field {name!r}")
    nested = isinstance(kind, dict)
    found = from_name(kind) if isinstance(kind, str) else None
    return Field(
        name=name,
        physical_name=metadata.get(PHYSICAL_NAME),
        nullable=nullable,
        type=found,
        type_name=str(kind["type"] if isinstance(kind, dict) else kind),
        nested=nested,
        arrow=to_arrow(found) if found else pa.null(),
        earlier=_earlier(metadata.get(TYPE_CHANGES)),
    )


def _earlier(changes: Any) -> tuple[PartitionType, ...]:
    """Returns the types that a column had by its type changes (PROTOCOL.md, Type Widening), the latest first."""
    try:
        found = json.loads(changes) if isinstance(changes, str | bytes) else changes or ()
        types = [from_name(change["fromType"]) for change in reversed(found) if "fieldPath" not in change]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()
    return tuple(kind for kind in types if kind is not None)
