"""Arrow arrays as JSON values, column by column."""

from __future__ import annotations

import base64
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_types = pa.types


def check_type(type: pa.DataType) -> None:
    """Raises ValueError if JSON cannot store values of a type: unions, run-end encoded values and intervals, nested ones too."""
    type = plain_type(type)
    if _types.is_struct(type):
        for field in type:
            check_type(field.type)
    elif _types.is_map(type):
        check_type(type.key_type)
        check_type(type.item_type)
    elif _is_list(type):
        check_type(type.value_type)
    elif _types.is_nested(type) or _types.is_run_end_encoded(type) or _types.is_interval(type):
        raise ValueError(f"JSON has no type for {type}")


def json_values(array: pa.Array) -> list[Any]:
    """Returns the values of an array as a list of JSON values, null as None.

    Integers, booleans and text are unchanged, NaN and infinities are null. Dates, times and decimals are text, binary
    values are text in base64. Maps are lists of objects with ``key`` and ``value``.
    """
    array = plain(array)
    type = array.type
    if _types.is_struct(type):
        return _objects(array)
    if _types.is_map(type):
        return _nested(array.cast(pa.list_(pa.struct([("key", type.key_type), ("value", type.item_type)]))))
    if _is_list(type):
        return _nested(array)
    if _types.is_floating(type):
        array = array.cast(pa.float64())
        array = pc.if_else(pc.is_finite(array), array, pa.scalar(None, pa.float64()))
    elif is_binary(type):
        array = in_base64(array)
    elif not (_types.is_integer(type) or _types.is_boolean(type) or _types.is_null(type) or is_text(type)):
        array = array.cast(pa.string())
    values: list[Any] = array.to_pylist()
    return values


def plain_type(type: pa.DataType) -> pa.DataType:
    """Returns the value type of a dictionary, the storage type of an extension type, any other type unchanged."""
    while True:
        if isinstance(type, pa.BaseExtensionType):
            type = type.storage_type
        elif _types.is_dictionary(type):
            type = type.value_type
        else:
            return type


def plain(array: pa.Array) -> pa.Array:
    """Returns the array with dictionaries replaced by their values and extension arrays by their storage."""
    while True:
        if isinstance(array, pa.ExtensionArray):
            array = array.storage
        elif _types.is_dictionary(array.type):
            array = array.dictionary.take(array.indices)
        else:
            return array


def is_text(type: pa.DataType) -> bool:
    """Returns True for string, large_string and string_view."""
    return bool(_types.is_string(type) or _types.is_large_string(type) or _types.is_string_view(type))


def is_binary(type: pa.DataType) -> bool:
    """Returns True for binary, large_binary, binary_view and fixed_size_binary."""
    tests = (_types.is_binary, _types.is_large_binary, _types.is_binary_view, _types.is_fixed_size_binary)
    return any(test(type) for test in tests)


def in_base64(array: pa.Array) -> pa.Array:
    """Returns binary values as a string array in base64."""
    texts = [None if value is None else base64.b64encode(value).decode() for value in array.to_pylist()]
    return pa.array(texts, pa.string())


def _objects(array: pa.StructArray) -> list[Any]:
    """Returns the values of a struct array as dicts."""
    names = [field.name for field in array.type]
    rows: Any = zip(*map(json_values, array.flatten()), strict=True) if names else [()] * len(array)
    objects = [dict(zip(names, row, strict=True)) for row in rows]
    if not array.null_count:
        return objects
    return [value if valid else None for value, valid in zip(objects, array.is_valid().to_pylist(), strict=True)]


def _nested(array: Any) -> list[Any]:
    """Returns the values of a list array as lists."""
    lengths = pc.list_value_length(array).to_pylist()
    values = iter(json_values(array.flatten()))
    return [None if length is None else [next(values) for _ in range(length)] for length in lengths]


def _is_list(type: pa.DataType) -> bool:
    """Returns True for lists of all kinds."""
    tests = (_types.is_list, _types.is_large_list, _types.is_fixed_size_list)
    return any(test(type) for test in tests) or _types.is_list_view(type) or _types.is_large_list_view(type)
