"""Types of Paimon's columns, in the JSON of schemas, as Arrow types, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa

from ..lake.log.errors import UnsupportedTableError
from ..runtime.errors import DecodeError

_NOT_NULL = " NOT NULL"
_ATOMIC = re.compile(
    r"(?P<name>[A-Z_]+)(?:\((?P<first>\d{1,4})(?:, *(?P<second>\d{1,4}))?\))?"
    r"(?P<zone> WITH LOCAL TIME ZONE)?(?: WITHOUT TIME ZONE)?"
)
_PLAIN = {
    "BOOLEAN": pa.bool_(), "TINYINT": pa.int8(), "SMALLINT": pa.int16(), "INT": pa.int32(), "INTEGER": pa.int32(),
    "BIGINT": pa.int64(), "FLOAT": pa.float32(), "DOUBLE": pa.float64(), "DATE": pa.date32(), "TIME": pa.time32("ms"),
    "CHAR": pa.string(), "VARCHAR": pa.string(), "STRING": pa.string(),
    "BINARY": pa.binary(), "VARBINARY": pa.binary(), "BYTES": pa.binary(),
}  # fmt: skip
_NAMES = {kind: name for name, kind in reversed(_PLAIN.items())} | {pa.string(): "STRING", pa.binary(): "BYTES"}
_PRECISION = {"s": 0, "ms": 3, "us": 6, "ns": 9}
_VARIANT = pa.struct(
    [pa.field("value", pa.binary(), nullable=False), pa.field("metadata", pa.binary(), nullable=False)]
)


def arrow_type(kind: Any, where: str) -> tuple[Any, bool]:
    """Returns the Arrow type of a Paimon type, and whether it may be null.

    Raises:
        DecodeError: it is not a type.
        UnsupportedTableError: the type is unsupported.
    """
    text = kind if isinstance(kind, str) else kind.get("type") if isinstance(kind, Mapping) else None
    if not isinstance(text, str):
        raise DecodeError(f"{kind!r} is not a type", format="paimon", path=where)
    nullable = not text.endswith(_NOT_NULL)
    text = text.removesuffix(_NOT_NULL)
    if isinstance(kind, Mapping):
        return _nested(text, kind, where), nullable
    return _atomic(text, where), nullable


def _atomic(text: str, where: str) -> Any:
    found = _ATOMIC.fullmatch(text)
    if found is None:
        raise DecodeError(f"{text!r} is not a type", format="paimon", path=where)
    name, first = found["name"], found["first"]
    if name in _PLAIN:
        return _PLAIN[name]
    if name in ("DECIMAL", "NUMERIC", "DEC"):
        precision, scale = int(first or 10), int(found["second"] or 0)
        if not 1 <= precision <= 38 or scale > precision:
            raise DecodeError(f"{text!r} is not a type", format="paimon", path=where)
        return pa.decimal128(precision, scale)
    if name in ("TIMESTAMP", "TIMESTAMP_LTZ"):
        precision = 6 if first is None else int(first)
        unit = "s" if precision == 0 else "ms" if precision <= 3 else "us" if precision <= 6 else "ns"
        return pa.timestamp(unit, "UTC" if name.endswith("LTZ") or found["zone"] else None)
    if name == "VARIANT":
        return _VARIANT
    raise UnsupportedTableError(f"column {where!r}: the type {text} is not supported", text)


def _nested(text: str, kind: Mapping[str, Any], where: str) -> Any:
    def part(name: str, inner: Any, label: str) -> pa.Field:
        found, nullable = arrow_type(inner, f"{where}.{name}")
        return pa.field(label, found, nullable=nullable)

    if text == "ARRAY":
        return pa.list_(part("element", kind.get("element"), "item"))
    if text == "MULTISET":
        key = part("element", kind.get("element"), "key").with_nullable(False)
        return pa.map_(key, pa.field("value", pa.int32(), nullable=False))
    if text == "MAP":
        key = part("key", kind.get("key"), "key").with_nullable(False)
        return pa.map_(key, part("value", kind.get("value"), "value"))
    if text == "ROW" and isinstance(fields := kind.get("fields"), list):
        return pa.struct([part(str(each["name"]), each.get("type"), str(each["name"])) for each in fields])
    raise UnsupportedTableError(f"column {where!r}: the type {text} is not supported", text)


def paimon_type(kind: Any, nullable: bool, next_id: Callable[[], int], where: str) -> Any:
    """Returns the type of a column in the JSON of schemas; fields of structs take the next ids.

    Raises:
        ValueError: Paimon has no such type.
    """
    end = "" if nullable else _NOT_NULL
    types = pa.types
    if types.is_struct(kind) and kind != _VARIANT:
        fields = []
        for field in kind:
            number = next_id()
            inner = paimon_type(field.type, field.nullable, next_id, f"{where}.{field.name}")
            fields.append({"id": number, "name": field.name, "type": inner})
        return {"type": f"ROW{end}", "fields": fields}
    if types.is_list(kind) or types.is_large_list(kind):
        element = kind.value_field
        return {"type": f"ARRAY{end}", "element": paimon_type(element.type, element.nullable, next_id, where)}
    if types.is_map(kind):
        key = paimon_type(kind.key_type, False, next_id, where)
        value = paimon_type(kind.item_type, kind.item_field.nullable, next_id, where)
        return {"type": f"MAP{end}", "key": key, "value": value}
    if types.is_dictionary(kind):
        return paimon_type(kind.value_type, nullable, next_id, where)
    if types.is_timestamp(kind):
        return f"TIMESTAMP{'' if kind.tz is None else '_LTZ'}({_PRECISION[kind.unit]}){end}"
    if types.is_decimal128(kind) and kind.scale >= 0:
        return f"DECIMAL({kind.precision}, {kind.scale}){end}"
    if types.is_time32(kind):
        return f"TIME({_PRECISION[kind.unit]}){end}"
    if types.is_fixed_size_binary(kind):
        return f"BINARY({kind.byte_width}){end}"
    if types.is_large_string(kind) or types.is_string_view(kind):
        kind = pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind):
        kind = pa.binary()
    if kind == _VARIANT:
        return f"VARIANT{end}"
    if kind not in _NAMES:
        raise ValueError(f"data: column {where!r} has the type {kind}, which Paimon does not have")
    return f"{_NAMES[kind]}{end}"


def renamed_type(actual: Any, old: Any, new: Any) -> Any:
    """Returns a file's type whose fields of structs have the names of the newer Paimon type ``new``, matched by id."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return actual
    if pa.types.is_struct(actual) and "fields" in old and "fields" in new:
        olds = {each["name"]: each for each in old["fields"]}
        news = {each["id"]: each for each in new["fields"]}
        made = []
        for field in actual:
            before = olds.get(field.name)
            after = None if before is None else news.get(before["id"])
            if before is None or after is None:  # dropped; another field may have its name now
                made.append(field.with_name(f"\0{field.name}"))
            else:
                made.append(
                    pa.field(after["name"], renamed_type(field.type, before["type"], after["type"]), field.nullable)
                )
        return pa.struct(made)
    if pa.types.is_list(actual):
        inner = renamed_type(actual.value_type, old.get("element"), new.get("element"))
        return pa.list_(actual.value_field.with_type(inner))
    if pa.types.is_map(actual):
        inner = renamed_type(actual.item_type, old.get("value"), new.get("value"))
        return pa.map_(actual.key_field, actual.item_field.with_type(inner))
    return actual
