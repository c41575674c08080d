"""Arrow types that Mosaic stores, and casts to them (Mosaic design, section Arrow type mapping)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pyarrow as pa

from ..generated.mosaic import NANOS_PER_MILLI, TypeParams
from ..runtime.errors import EncodeError

_types = pa.types

#: The type of nanosecond timestamps in old Paimon tables.
_SPLIT_TIMESTAMP = pa.struct([("millis", pa.int64()), ("nanos_of_milli", pa.int32())])
_NUL = "a name with a NUL character makes other readers fail"

#: Ids of Mosaic's Arrow types without parameters: such types are equal if their ids are equal.
PARAMETERLESS = frozenset(
    type.id
    for type in (
        *(pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.date32()),
        *(pa.string(), pa.binary()),
    )
    if TypeParams.from_arrow(type) is not None
)


@lru_cache(maxsize=1024)
def stored_type(type: pa.DataType, *, nested: bool = False) -> pa.DataType:
    """Returns the Arrow type that Mosaic stores values of ``type`` as; the stored values are equal.

    Args:
        type: the type of a column, or of the elements of one.
        nested: True for the type of elements.

    Raises:
        ValueError: Mosaic has no type for such values, or a name in the type has a NUL character.
    """
    if type.id in PARAMETERLESS:
        return type
    if isinstance(type, pa.BaseExtensionType):
        return stored_type(type.storage_type, nested=nested)
    if _types.is_dictionary(type):
        return stored_type(type.value_type, nested=nested)
    if type == _SPLIT_TIMESTAMP and not nested:
        return pa.timestamp("ns")
    if _types.is_map(type):
        return _stored_map(type)
    if _is_any_list(type):
        return _stored_list(type)
    type = _replaced(type)
    if TypeParams.from_arrow(type) is None:
        raise ValueError(f"Mosaic has no type for {type}")
    return type


def stored_field(field: pa.Field) -> pa.Field:
    """Returns ``field`` with its stored type and without metadata.

    Raises:
        ValueError: Mosaic has no type for the column's values, or a name has a NUL character.
    """
    if "\0" in field.name:
        raise ValueError(f"column {field.name!r}: {_NUL}")
    if field.type.id in PARAMETERLESS and field.metadata is None:
        return field
    try:
        return pa.field(field.name, stored_type(field.type), field.nullable)
    except ValueError as error:
        raise ValueError(f"column {field.name!r}: {error}") from None


def cast_column(array: pa.Array, type: pa.DataType) -> pa.Array:
    """Returns an array cast to its stored type.

    Raises:
        pa.ArrowInvalid, pa.ArrowNotImplementedError: a value does not fit.
    """
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if array.type == type:
        return array
    if _types.is_dictionary(array.type):
        # The cast comes first, since pyarrow cannot take values of all types that it can cast.
        return cast_column(array.dictionary, type).take(array.indices)
    if array.type == _SPLIT_TIMESTAMP and type == pa.timestamp("ns"):
        return _joined_timestamp(array)
    return _without_views(array).cast(type)


def _without_views(array: pa.Array) -> pa.Array:
    """Returns lists in place of list views, at all levels: Arrow casts views to lists that lack their last offset."""
    import pyarrow.compute as pc

    if not _has_views(array.type):
        return array
    if _types.is_list_view(array.type) or _types.is_large_list_view(array.type):
        lengths = pc.if_else(array.is_valid(), array.sizes, 0).cast(pa.int64())
        offsets = pa.concat_arrays([pa.array([0], pa.int64()), pc.cumulative_sum(lengths)])
        items = _without_views(array.flatten())
        type = pa.large_list(array.type.value_field.with_type(items.type))
        return pa.LargeListArray.from_arrays(offsets, items, type=type, mask=array.is_null())
    if _types.is_map(array.type):
        items = _without_views(array.items)
        type = pa.map_(array.type.key_field, array.type.item_field.with_type(items.type))
        child = pa.StructArray.from_arrays([array.keys, items], fields=[type.key_field, type.item_field])
    else:
        child = _without_views(array.values)
        field = array.type.value_field.with_type(child.type)
        fixed = _types.is_fixed_size_list(array.type)
        type = pa.list_(field, array.type.list_size) if fixed else pa.list_(field)
        type = pa.large_list(field) if _types.is_large_list(array.type) else type
    buffers = array.buffers()[: 1 if _types.is_fixed_size_list(type) else 2]
    return pa.Array.from_buffers(type, len(array), buffers, offset=array.offset, children=[child])


def _has_views(type: Any) -> bool:
    """Returns True if a type is a list view, or has one inside."""
    if _types.is_list_view(type) or _types.is_large_list_view(type):
        return True
    if _types.is_map(type):
        return _has_views(type.item_type)
    return _is_any_list(type) and _has_views(type.value_type)


def _replaced(type: pa.DataType) -> pa.DataType:
    """Returns the stored type of a scalar type; types without a replacement are returned as they are."""
    if _types.is_large_string(type) or _types.is_string_view(type):
        return pa.string()
    if _types.is_large_binary(type) or _types.is_binary_view(type) or _types.is_fixed_size_binary(type):
        return pa.binary()
    if _types.is_decimal(type) and type.precision <= 38:
        try:
            TypeParams.DECIMAL(precision=type.precision, scale=type.scale).to_bytes(TypeParams.DECIMAL.tag)
        except EncodeError as error:
            raise ValueError(f"{type}: {error.rule}") from None
        return pa.decimal128(type.precision, type.scale)
    if _types.is_float16(type):
        return pa.float32()
    if _types.is_date64(type):
        return pa.date32()
    if _types.is_time32(type):
        return pa.time32("ms")
    if _types.is_timestamp(type) and type.unit == "s":
        return pa.timestamp("ms", type.tz)
    return type


def _stored_list(type: Any) -> pa.DataType:
    """Returns the list type with the stored type of its elements."""
    item = type.value_field
    if "\0" in item.name:
        raise ValueError(f"{item.name!r}: {_NUL}")
    return pa.list_(pa.field(item.name, stored_type(item.type, nested=True), item.nullable))


def _stored_map(type: Any) -> pa.DataType:
    """Returns the map type with the stored types of its keys and items; ValueError for nested keys."""
    key, item = type.key_field, type.item_field
    key_type, item_type = stored_type(key.type, nested=True), stored_type(item.type, nested=True)
    if is_nested(key_type):
        raise ValueError(f"{type} has nested keys")
    if name := next((name for name in (key.name, item.name) if "\0" in name), None):
        raise ValueError(f"{name!r}: {_NUL}")
    if (key_type, item_type) == (key.type, item.type) and not type.keys_sorted:
        return type
    return pa.map_(pa.field(key.name, key_type, False), pa.field(item.name, item_type, item.nullable))


def is_nested(type: pa.DataType) -> bool:
    """Returns True if a stored type is a list or a map."""
    return bool(_types.is_list(type) or _types.is_map(type))


def _is_any_list(type: pa.DataType) -> bool:
    """Returns True for each of Arrow's list types."""
    return any(
        test(type)
        for test in (
            _types.is_list,
            _types.is_large_list,
            _types.is_fixed_size_list,
            _types.is_list_view,
            _types.is_large_list_view,
        )
    )


def _joined_timestamp(array: pa.StructArray) -> pa.Array:
    """Returns timestamps in nanoseconds from structs of milliseconds and the nanoseconds within them."""
    import pyarrow.compute as pc

    millis, nanos = array.flatten()
    whole = pc.multiply_checked(millis, pa.scalar(NANOS_PER_MILLI, pa.int64()))
    return pc.add_checked(whole, nanos.cast(pa.int64())).cast(pa.timestamp("ns"))
