"""Names and properties of Arrow types, as row.idl uses them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

_NAMES = {
    "NA": "null",
    "BOOL": "bool",
    **{f"{kind}INT{bits}": f"{kind.lower()}int{bits}" for kind in ("", "U") for bits in (8, 16, 32, 64)},
    "HALF_FLOAT": "float16",
    "FLOAT": "float32",
    "DOUBLE": "float64",
    **{f"DECIMAL{bits}": f"decimal{bits}" for bits in (32, 64, 128, 256)},
    **{name.upper(): name for name in ("date32", "date64", "time32", "time64", "timestamp", "duration")},
    **{f"INTERVAL_{unit}": f"interval_{unit.lower()}" for unit in ("MONTHS", "DAY_TIME", "MONTH_DAY_NANO")},
    "FIXED_SIZE_BINARY": "fixed_size_binary",
    "STRING": "utf8",
    "LARGE_STRING": "large_utf8",
    "STRING_VIEW": "utf8_view",
    **{name.upper(): name for name in ("binary", "large_binary", "binary_view", "struct", "fixed_size_list", "list")},
    **{name.upper(): name for name in ("large_list", "list_view", "large_list_view", "map", "dictionary")},
    "SPARSE_UNION": "union",
    "DENSE_UNION": "union",
    "RUN_END_ENCODED": "run_end_encoded",
}
_BY_ID = {getattr(pa.lib, f"Type_{arrow}"): name for arrow, name in _NAMES.items() if hasattr(pa.lib, f"Type_{arrow}")}


def type_name(type: pa.DataType) -> str:
    """Returns the name of a type in row.idl, without parameters; that of the storage type for an extension type."""
    if isinstance(type, pa.BaseExtensionType):
        return type_name(type.storage_type)
    return _BY_ID.get(type.id, str(type))


def bytes_of(type: pa.DataType) -> int:
    """Returns the size of a fixed-width value in bytes, 1 for a bool, 0 for other types."""
    if pa.types.is_boolean(type):
        return 1
    if pa.types.is_fixed_size_binary(type) and not pa.types.is_decimal(type):
        return int(type.byte_width)
    try:
        return int(type.bit_width) // 8 if type.num_fields == 0 else 0
    except ValueError:
        return 0


def is_bounded(type: pa.DataType) -> bool:
    """Returns True if a type cannot hold every number of its width: decimals by precision, times and date64 by the day."""
    return bool(pa.types.is_decimal(type) or pa.types.is_time(type) or pa.types.is_date64(type))


def entry_type(kind: pa.DataType) -> pa.DataType:
    """Returns the struct type of a map's entries."""
    return pa.struct([kind.key_field, kind.item_field])


def plain_type(type: pa.DataType) -> pa.DataType:
    """Returns the type of decoded values: storage types for extension types, value types for dictionaries and runs."""
    if isinstance(type, pa.BaseExtensionType):
        return plain_type(type.storage_type)
    match type_name(type):
        case "dictionary" | "run_end_encoded":
            return plain_type(type.value_type)
        case "struct":
            return pa.struct([_plain(type.field(i)) for i in range(type.num_fields)])
        case "union":
            fields = [_plain(type.field(i)) for i in range(type.num_fields)]
            return pa.union(fields, mode=type.mode, type_codes=type.type_codes)
        case "map":
            return pa.map_(_plain(type.key_field), _plain(type.item_field), keys_sorted=type.keys_sorted)
        case "fixed_size_list":
            return pa.list_(_plain(type.value_field), type.list_size)
        case "list":
            return pa.list_(_plain(type.value_field))
        case "large_list" | "list_view" | "large_list_view" as name:
            build: Any = getattr(pa, name)
            return build(_plain(type.value_field))
    return type


def _plain(field: pa.Field) -> pa.Field:
    return field.with_type(plain_type(field.type))


def storage(array: pa.Array) -> pa.Array:
    """Returns the storage of an extension array, any other array unchanged."""
    return array.storage if isinstance(array, pa.ExtensionArray) else array
