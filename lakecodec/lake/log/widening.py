"""Schema evolution: changes of a schema that keep every value, and their record in the table.

Types are those of a schemaString's JSON. Supported widenings are those of PROTOCOL.md, Type Widening.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import SchemaMismatchError

#: The metadata key with a field's earlier types.
TYPE_CHANGES = "delta.typeChanges"
#: Types without decimals, from narrow to wide.
_WIDER = {
    "byte": {"short", "integer", "long", "double"},
    "short": {"integer", "long", "double"},
    "integer": {"long", "double"},
    "float": {"double"},
    "date": {"timestamp_ntz"},
}
#: The digits before the decimal point that a decimal needs for a whole number of each type.
_DIGITS = {"byte": 10, "short": 10, "integer": 10, "long": 20}
_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")


def widens(narrow: Any, wide: Any) -> bool:
    """Returns True if ``wide`` can hold all values of ``narrow``; structs need the same fields, in any order."""
    if isinstance(narrow, str) or isinstance(wide, str):
        return narrow == wide or (isinstance(narrow, str) and isinstance(wide, str) and _grows(narrow, wide))
    if narrow["type"] != wide["type"]:
        return False
    if narrow["type"] == "struct":
        fields = {field["name"]: field["type"] for field in wide["fields"]}
        found = {field["name"]: field["type"] for field in narrow["fields"]}
        return fields.keys() == found.keys() and all(widens(kind, fields[name]) for name, kind in found.items())
    return all(widens(narrow[key], wide[key]) for key in _parts(narrow))


def merged_type(table: Any, data: Any, path: str) -> Any:
    """Returns a type that holds the values of both: the union of structs' fields, else the wider type.

    Raises:
        SchemaMismatchError: there is no such type.
    """
    if isinstance(table, str) or isinstance(data, str) or table["type"] != data["type"]:
        if widens(data, table):
            return table
        if widens(table, data):
            return data
        raise SchemaMismatchError(
            f"the data does not fit the table: {path!r}: it is {_shown(data)}, in the table {_shown(table)}", [path]
        )
    if table["type"] == "struct":
        return {"type": "struct", "fields": merged_fields(table["fields"], data["fields"], f"{path}.")}
    merged = {key: merged_type(table[key], data[key], f"{path}.{name}") for key, name in _parts(table).items()}
    return {**table, **merged}


def merged_fields(table: list[Any], data: list[Any], prefix: str = "") -> list[Any]:
    """Returns the table's fields, widened where the data's are wider, followed by those that only the data has.

    Raises:
        SchemaMismatchError: types cannot be merged, or names differ only in case.
    """
    given = {field["name"]: field for field in data}
    folded = {field["name"].lower(): field["name"] for field in table}
    found = []
    for field in table:
        other = given.pop(field["name"], None)
        found.append(field if other is None else _merged_field(field, other, prefix + field["name"]))
    for name, field in given.items():
        if name.lower() in folded:
            known = folded[name.lower()]
            raise SchemaMismatchError(
                f"the data does not fit the table: {prefix + name!r}: the table spells it {prefix + known!r}", [name]
            )
        found.append({**field, "nullable": True})
    return found


def _merged_field(field: Mapping[str, Any], other: Mapping[str, Any], path: str) -> dict[str, Any]:
    kind = merged_type(field["type"], other["type"], path)
    changes = list(_changes(field["type"], kind, ()))
    metadata = dict(field.get("metadata") or {})
    if changes:
        metadata[TYPE_CHANGES] = [*metadata.get(TYPE_CHANGES, ()), *changes]
    return {**field, "type": kind, "metadata": metadata}


def _changes(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yields the type changes of a field, in lists and maps too; fields of structs keep their own."""
    if isinstance(old, str):
        if old != new:
            place = {"fieldPath": ".".join(path)} if path else {}
            yield {"fromType": old, "toType": new, **place}
        return
    if old["type"] != "struct":
        for key, name in _parts(old).items():
            yield from _changes(old[key], new[key], (*path, name))


def has_type_changes(schema_string: str) -> bool:
    """Returns True if a column of the table was widened."""
    return f'"{TYPE_CHANGES}"' in schema_string


def _parts(kind: Mapping[str, Any]) -> dict[str, str]:
    """Returns a dict of the type's key -> the protocol's name, for the parts of a list or map."""
    return {"elementType": "element"} if kind["type"] == "array" else {"keyType": "key", "valueType": "value"}


def _grows(narrow: str, wide: str) -> bool:
    if wide in _WIDER.get(narrow, ()):
        return True
    to = _DECIMAL.fullmatch(wide)
    if to is None:
        return False
    precision, scale = int(to[1]), int(to[2])
    if narrow in _DIGITS:
        return precision - scale >= _DIGITS[narrow]
    of = _DECIMAL.fullmatch(narrow)
    return of is not None and scale >= int(of[2]) and precision - scale >= int(of[1]) - int(of[2])


def _shown(kind: Any) -> str:
    return kind if isinstance(kind, str) else json.dumps(kind, ensure_ascii=False)
