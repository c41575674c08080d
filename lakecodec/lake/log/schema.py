"""Conversion of Arrow schemas to Delta's schemaString and back (PROTOCOL.md, Schema Serialization Format).

Delta's types are fewer: widths of text, binary and list types, dictionaries and units of time are lost on the way,
values are not. Times are in microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import pyarrow as pa

from ...delta.types import DAY_TIME, YEAR_MONTH, from_arrow, from_name, to_arrow
from ...runtime.arrow_variant import VariantType, holds_variant, is_marked, unmarked
from .column_mapping import with_log_ids
from .errors import CorruptLogError, SchemaMismatchError, UnsupportedTableError
from .widening import merged_fields, widens

_INTERVALS = (YEAR_MONTH, DAY_TIME)
VARIANT = "variant"
#: Keys of Arrow metadata about a file, not about a column.
_FILE_METADATA = "PARQUET:"


def to_delta(schema: pa.Schema) -> str:
    """Returns the schemaString of an Arrow schema.

    Raises:
        SchemaMismatchError: a type does not exist in Delta, a name is empty or occurs twice regardless of case, or
            there is no column at all.
    """
    if not schema.names:
        raise SchemaMismatchError("a table needs a column, there is none")
    _check_names([field.name for field in schema], "")
    fields = [_field_json(field, field.name) for field in schema]
    return json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False, separators=(",", ":"))


def from_delta(schema_string: str) -> pa.Schema:
    """Returns the Arrow schema of a schemaString; metadata of columns are kept, other values than texts as JSON.

    Raises:
        CorruptLogError: it is not a schemaString.
        UnsupportedTableError: a type is unsupported, such as an interval.
    """
    if not schema_string:
        raise CorruptLogError("metaData: 'schemaString' is missing", path="metaData.schemaString")
    try:
        return _parsed(schema_string)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, CorruptLogError):
            raise
        raise CorruptLogError(f"not a schemaString ({error!r})", path="metaData.schemaString") from None


def check_fits(table: pa.Schema, data: pa.Schema, *, narrower: bool = False) -> None:
    """Raises unless data can be appended to a table; columns are matched by name, in any order.

    Nullable columns may be missing. Types must be equal in Delta's terms, or with
    ``narrower`` such that the table's types hold all their values.

    Args:
        table: the table's schema.
        data: the data's schema.
        narrower: True to accept narrower types.

    Raises:
        SchemaMismatchError: columns do not fit; the message names all of them with the reason.
    """
    wrong: dict[str, str] = {}
    known = {field.name: field for field in table}
    folded = {name.lower(): name for name in known}
    given = set(data.names)
    for field in data:
        column = known.get(field.name)
        if column is None:
            near = folded.get(field.name.lower())
            wrong[field.name] = f"the table spells it {near!r}" if near else "the table has no such column"
        elif (found := _type_name(field)) != (expected := _type_name(column)) and not (
            narrower and widens(_part_json(field, field.name), _part_json(column, field.name))
        ):
            wrong[field.name] = f"it is {found}, in the table {expected}"
        elif field.nullable and not column.nullable:
            wrong[field.name] = "it may be null, in the table it must not"
    for field in table:
        if field.name not in given and not field.nullable:
            wrong[field.name] = "it is missing, and must not be null in the table"
    if wrong:
        reasons = "; ".join(f"{name!r}: {reason}" for name, reason in wrong.items())
        raise SchemaMismatchError(f"the data does not fit the table: {reasons}", list(wrong))


def respelled(data: pa.Schema, table: pa.Schema) -> pa.Schema:
    """Returns data's columns in the table's spelling, at any depth; a table's names never differ only in case."""
    return pa.schema(_respelled(data, table), metadata=data.metadata)


def typed_nulls(data: pa.Schema, table: pa.Schema) -> pa.Schema:
    """Returns data's schema with the table's types for columns and fields of the type null."""
    return pa.schema(_typed(data, table))


def merged_schema(table: pa.Schema, data: pa.Schema) -> pa.Schema:
    """Returns the table's columns, widened if the data's types are wider, followed by columns that only the data has.

    Type changes are recorded in the fields' metadata (PROTOCOL.md, Type Widening); new columns are nullable.

    Raises:
        SchemaMismatchError: neither type of a column holds the values of the other.
    """
    fields = [json.loads(to_delta(schema))["fields"] for schema in (table, data)]
    return from_delta(json.dumps({"type": "struct", "fields": merged_fields(*fields)}))


def uses_timestamp_ntz(schema: pa.Schema) -> bool:
    """Returns True if a column, at any depth, is a timestamp without time zone."""
    return any(_any_type(field.type, lambda kind: pa.types.is_timestamp(kind) and kind.tz is None) for field in schema)


def uses_variant(schema: pa.Schema) -> bool:
    """Returns True if a column, at any depth, is a variant."""
    return any(holds_variant(kind) for kind in schema.types)


def same_schema(first: str, second: str) -> bool:
    """Returns True if two schemaStrings are equal as JSON."""
    return bool(json.loads(first) == json.loads(second))


def _respelled(data: Iterable[pa.Field[Any]], table: Iterable[pa.Field[Any]]) -> list[pa.Field[Any]]:
    known = {field.name.lower(): field for field in table}
    found = []
    for field in data:
        there = known.get(field.name.lower())
        found.append(
            field if there is None else field.with_name(there.name).with_type(_named_as(field.type, there.type))
        )
    return found


def _typed(data: Iterable[pa.Field[Any]], table: Iterable[pa.Field[Any]]) -> list[pa.Field[Any]]:
    known = {field.name.lower(): field.type for field in table}
    return [field.with_type(_typed_as(field.type, known.get(field.name.lower(), field.type))) for field in data]


def _typed_as(kind: Any, table: Any) -> Any:
    if pa.types.is_null(kind):
        return table
    if pa.types.is_struct(kind) and pa.types.is_struct(table):
        return pa.struct(_typed(kind, table))
    if _is_list(kind) and pa.types.is_list(table):
        element = _typed_as(kind.value_type, table.value_type)
        return kind if element == kind.value_type else pa.list_(kind.value_field.with_type(element))
    return kind


def _named_as(kind: Any, table: Any) -> Any:
    """Returns a type with field names in the spelling of the table's type."""
    types = pa.types
    if types.is_struct(kind) and types.is_struct(table):
        return pa.struct(_respelled(kind, table))
    if types.is_list(kind) and types.is_list(table):
        return pa.list_(kind.value_field.with_type(_named_as(kind.value_type, table.value_type)))
    if types.is_map(kind) and types.is_map(table):
        key, item = _named_as(kind.key_type, table.key_type), _named_as(kind.item_type, table.item_type)
        return pa.map_(kind.key_field.with_type(key), kind.item_field.with_type(item))
    return kind


def _field_json(field: pa.Field[Any], path: str) -> dict[str, Any]:
    return {
        "name": field.name,
        "type": _part_json(field, path),
        "nullable": field.nullable,
        "metadata": _metadata_json(unmarked(field.metadata)),
    }


def _part_json(field: pa.Field[Any], path: str) -> Any:
    return VARIANT if is_marked(field) else _type_json(field.type, path)


def _type_json(kind: Any, path: str) -> Any:
    if isinstance(kind, VariantType):
        return VARIANT
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _type_json(kind.value_type, path)
    if pa.types.is_struct(kind):
        children = [kind.field(index) for index in range(kind.num_fields)]
        _check_names([child.name for child in children], f"{path}.")
        return {"type": "struct", "fields": [_field_json(child, f"{path}.{child.name}") for child in children]}
    if pa.types.is_map(kind):
        return {
            "type": "map",
            "keyType": _type_json(kind.key_type, f"{path}.key"),
            "valueType": _part_json(kind.item_field, f"{path}.value"),
            "valueContainsNull": kind.item_field.nullable,
        }
    if _is_list(kind):
        element = _part_json(kind.value_field, f"{path}.element")
        return {"type": "array", "elementType": element, "containsNull": kind.value_field.nullable}
    if pa.types.is_null(kind):
        rule = f"{path!r}: its values are all null and have no type; cast them, or leave the column out"
        raise SchemaMismatchError(rule, [path])
    found = from_arrow(kind)
    if found is None or found in _INTERVALS:
        raise SchemaMismatchError(f"{path!r}: a Delta table has no type for {kind}", [path])
    return found.name


@lru_cache(maxsize=16)
def _parsed(schema_string: str) -> pa.Schema:
    """Returns the Arrow schema of a schemaString; cached, as parsing thousands of columns dominates a small scan."""
    return pa.schema(_struct_fields(json.loads(schema_string)))


def _struct_fields(struct: Mapping[str, Any]) -> list[pa.Field[Any]]:
    if struct["type"] != "struct":
        raise ValueError(f"the type {struct['type']!r} in place of a struct")
    return [_arrow_field(field) for field in struct["fields"]]


def _arrow_field(field: Mapping[str, Any]) -> pa.Field[Any]:
    metadata = {
        key: value if isinstance(value, str) else json.dumps(value)
        for key, value in (field.get("metadata") or {}).items()
    }
    return pa.field(field["name"], _arrow_type(field["type"]), bool(field.get("nullable", True)), metadata or None)


def _arrow_type(kind: Any) -> Any:
    if isinstance(kind, str):
        return _named_type(kind)
    match kind["type"]:
        case "array":
            return pa.list_(pa.field("element", _arrow_type(kind["elementType"]), bool(kind.get("containsNull", True))))
        case "map":
            value = pa.field("value", _arrow_type(kind["valueType"]), bool(kind.get("valueContainsNull", True)))
            return pa.map_(_arrow_type(kind["keyType"]), value)
        case _:
            return pa.struct(_struct_fields(kind))


@lru_cache(maxsize=256)
def _named_type(name: str) -> Any:
    """Returns the Arrow type of a primitive type name; cached, as most tables have few types."""
    if name == "void":
        return pa.null()
    if name == VARIANT:
        return VariantType()
    found = from_name(name)
    if found is None or found in _INTERVALS:
        raise UnsupportedTableError(f"columns of the type {name!r} are not supported", name)
    return to_arrow(found)


def _metadata_json(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in with_log_ids(metadata or {}).items():
        name, text = key.decode("utf-8", "replace"), value.decode("utf-8", "replace")
        if name.startswith(_FILE_METADATA):
            continue
        # Values that `_arrow_field` wrote as JSON, mostly numbers, are parsed again.
        parsed = _json_or_none(text) if name.startswith("delta.") else None
        found[name] = text if parsed is None or isinstance(parsed, str | dict) else parsed
    return found


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _type_name(field: pa.Field[Any]) -> str:
    found = _plain_type(_part_json(field, field.name))
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _plain_type(kind: Any) -> Any:
    """Returns a type without metadata and without nullability of nested fields."""
    if isinstance(kind, str):
        return kind
    if kind["type"] == "struct":
        return {"struct": {field["name"]: _plain_type(field["type"]) for field in kind["fields"]}}
    if kind["type"] == "map":
        return {"map": [_plain_type(kind["keyType"]), _plain_type(kind["valueType"])]}
    return {"array": _plain_type(kind["elementType"])}


def _check_names(names: list[str], prefix: str) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise SchemaMismatchError(f"{prefix!r}: a column has an empty name", [prefix])
        if name.lower() in seen:
            raise SchemaMismatchError(f"{prefix + name!r}: the name appears twice, apart from case", [prefix + name])
        seen.add(name.lower())


def _is_list(kind: Any) -> bool:
    types = pa.types
    kinds = (types.is_list, types.is_large_list, types.is_fixed_size_list, types.is_list_view, types.is_large_list_view)
    return any(is_kind(kind) for is_kind in kinds)


def _any_type(kind: Any, holds: Any) -> bool:
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    return bool(holds(kind)) or any(_any_type(kind.field(index).type, holds) for index in range(kind.num_fields))
