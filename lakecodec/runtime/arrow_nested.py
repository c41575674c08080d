"""Conversion of arrays to another type of the same shape: struct fields match by name, and missing ones become null."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def as_type(array: Any, kind: pa.DataType, leaf: Callable[[Any, pa.DataType], Any] | None = None) -> Any:
    """Returns ``array`` cast to the type ``kind``.

    Args:
        array: the values.
        kind: the type.
        leaf: casts all values that are not structs, lists or maps, even if they have the wanted type; None for Arrow's
            cast.

    Raises:
        pa.ArrowInvalid, pa.ArrowNotImplementedError: the values cannot be cast.
    """
    if leaf is None and array.type == kind:
        return array
    types = pa.types
    if types.is_struct(kind) and types.is_struct(array.type):
        fields = [kind.field(index) for index in range(kind.num_fields)]
        children = [_child(array, field, leaf) for field in fields]
        return (
            pa.StructArray.from_arrays(children, fields=fields, mask=pc.is_null(array)) if fields else array.cast(kind)
        )
    # Arrow's cast of list views drops the last offset, so lists are converted here.
    lists = (types.is_list, types.is_list_view, types.is_large_list_view)
    if types.is_list(kind) and any(test(array.type) for test in lists):
        values = as_type(array.flatten(), kind.value_type, leaf)
        return pa.ListArray.from_arrays(_offsets(array), values, type=kind, mask=_mask(array))
    if types.is_map(kind) and types.is_map(array.type):
        whole = array.take(pa.array(np.arange(len(array))))  # drops the entries outside the slice
        offsets = pa.Array.from_buffers(pa.int32(), len(whole) + 1, [None, whole.buffers()[1]])
        keys, items = as_type(whole.keys, kind.key_type, leaf), as_type(whole.items, kind.item_type, leaf)
        return pa.MapArray.from_arrays(offsets, keys, items, kind, mask=_mask(array))
    return array.cast(kind) if leaf is None else leaf(array, kind)


def no_rows(schema: pa.Schema) -> pa.RecordBatch:
    """Returns a batch without rows; pyarrow cannot make one from lists if a type contains an extension type."""
    return pa.RecordBatch.from_arrays([pa.nulls(0, kind) for kind in schema.types], schema=schema)


class _Relabelled:
    """Arrow data of a batch under another schema, for the C data interface."""

    def __init__(self, batch: pa.RecordBatch, schema: pa.Schema) -> None:
        self._batch, self._schema = batch, schema

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._schema.__arrow_c_schema__(), self._batch.__arrow_c_array__()[1]


def relabelled(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Returns the same data, not copied, under a schema whose types differ only in names, at any depth."""
    return (
        batch if batch.schema is schema or batch.schema.equals(schema) else pa.record_batch(_Relabelled(batch, schema))
    )


def _child(array: Any, field: pa.Field, leaf: Callable[[Any, pa.DataType], Any] | None) -> Any:
    if array.type.get_field_index(field.name) < 0:
        return pa.nulls(len(array), field.type)
    return as_type(pc.struct_field(array, field.name), field.type, leaf)


def _offsets(array: Any) -> Any:
    """Returns the offsets of each list in the flattened elements; null lists are empty."""
    lengths = pc.fill_null(pc.list_value_length(array), 0)
    return pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(lengths).cast(pa.int32())])


def _mask(array: Any) -> Any:
    return pc.is_null(array) if array.null_count else None
