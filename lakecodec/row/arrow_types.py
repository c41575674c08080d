"""Names of Arrow types as the layouts use them."""

from __future__ import annotations

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
    """The layouts' name of a type, parameters left out."""
    if isinstance(type, pa.BaseExtensionType):
        return type_name(type.storage_type)
    return _BY_ID.get(type.id, str(type))


def storage(array: pa.Array) -> pa.Array:
    """The array under an extension type, or the array itself."""
    return array.storage if isinstance(array, pa.ExtensionArray) else array
