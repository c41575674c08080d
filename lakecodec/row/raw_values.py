"""Conversion of Arrow arrays to lists of raw Python values and back, for the literal interpreter of row.idl.

A value is None for null; bytes for numbers and booleans (as in Arrow's memory, little-endian; a bool is 00 or 01),
strings and binary; a list of values for a struct or a list; a list of [key, item] for a map; (type id as a byte, value)
for a union; and the value itself for a dictionary key or a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from .arrow_types import bytes_of, storage, type_name
from .buffers import fixed_values, raw


def values_of(array: pa.Array) -> list[Any]:
    """Returns the raw values of an array."""
    array = storage(array)
    kind, n, name = array.type, len(array), type_name(array.type)
    if not n or name == "null":
        return [None] * n
    if name == "union":
        return _union_values(array)
    if name == "run_end_encoded":
        runs = np.searchsorted(np.asarray(array.run_ends), np.arange(array.offset, array.offset + n), side="right")
        return [values_of(array.values.slice(run, 1))[0] for run in runs.tolist()]
    if name == "dictionary":
        shown = values_of(array.dictionary)
        # Keys under a null parent may be out of range.
        return [shown[key] if key is not None and key < len(shown) else None for key in array.indices.to_pylist()]
    found = _valid_values(array, kind, n, name)
    return [value if ok else None for value, ok in zip(found, array.is_valid().to_pylist(), strict=True)]


def _valid_values(array: pa.Array, kind: pa.DataType, n: int, name: str) -> list[Any]:
    if name == "bool":
        return [None if value is None else bytes([value]) for value in array.to_pylist()]
    if "utf8" in name or ("binary" in name and name != "fixed_size_binary"):
        if pa.types.is_string_view(kind):
            array = array.cast(pa.large_string())
        if "utf8" in name:
            array = array.cast(pa.binary() if name == "utf8" else pa.large_binary())
        return list(array.to_pylist())
    if name == "struct":
        children = [values_of(array.field(i)) for i in range(kind.num_fields)]
        return [[child[i] for child in children] for i in range(n)]
    if name == "fixed_size_list":
        size = kind.list_size
        shown = values_of(array.values.slice(array.offset * size, n * size))
        return [shown[i * size : i * size + size] for i in range(n)]
    if name == "map" or "list" in name:
        shown = values_of(array.values)
        offsets = array.offsets.to_pylist()
        sizes = array.sizes.to_pylist() if "view" in name else np.diff(offsets).tolist()
        return [shown[start : start + size] for start, size in zip(offsets, sizes, strict=False)]
    width = bytes_of(kind)
    data = fixed_values(array, width).tobytes()
    return [data[i * width : i * width + width] for i in range(n)]


def _union_values(array: pa.Array) -> list[Any]:
    # The accessors of sliced dense unions disagree about the slice: the buffers do not.
    n, buffers = len(array), array.buffers()
    codes = raw(buffers[1])[array.offset : array.offset + n].tolist()
    places = list(range(n))
    if array.type.mode == "dense":
        places = raw(buffers[2]).view(np.int32)[array.offset : array.offset + n].tolist()
    numbers = {code: i for i, code in enumerate(array.type.type_codes)}
    children = [array.field(i) for i in range(array.type.num_fields)]
    return [
        (bytes([code]), values_of(children[numbers[code]].slice(place, 1))[0])
        for code, place in zip(codes, places, strict=True)
    ]


def array_of(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Returns an array of raw values.

    Args:
        values: as `values_of` returns them.
        kind: a type without dictionaries, runs and extension types.

    Raises:
        OverflowError: a list array would have more elements than its 32-bit offsets hold.
    """
    n, name = len(values), type_name(kind)
    if name == "null":
        return pa.nulls(n, kind)
    if name == "union":
        return _union_array(values, kind)
    valid = [value is not None for value in values]
    bitmap = None if all(valid) else pa.py_buffer(np.packbits(valid, bitorder="little"))
    nulls = n - sum(valid)
    if name == "bool":
        return pa.array([None if value is None else value != b"\0" for value in values], kind)
    if "utf8" in name or ("binary" in name and name != "fixed_size_binary"):
        plain = pa.array(values, pa.large_binary() if name.startswith("large") else pa.binary())
        if "utf8" in name:
            plain = plain.cast(pa.large_string() if name.startswith("large") else pa.string())
        return plain.cast(kind)
    if name == "struct":
        children = [
            array_of([None if value is None else value[i] for value in values], kind.field(i).type)
            for i in range(kind.num_fields)
        ]
        return pa.Array.from_buffers(kind, n, [bitmap], nulls, children=children)
    if name == "fixed_size_list":
        items = [item for value in values for item in (value if value is not None else [None] * kind.list_size)]
        return pa.Array.from_buffers(kind, n, [bitmap], nulls, children=[array_of(items, kind.value_type)])
    if name == "map" or "list" in name:
        inner = kind.field(0).type if name == "map" else kind.value_type
        items = array_of([item for value in values for item in value or ()], inner)
        sizes = [len(value or ()) for value in values]
        dtype = np.int64 if name.startswith("large") else np.int32
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        if n and offsets[-1] > np.iinfo(dtype).max:
            raise OverflowError("more elements than 32-bit offsets hold")
        parts = [offsets[:-1], np.asarray(sizes)] if "view" in name else [offsets]
        buffers = [bitmap, *(pa.py_buffer(part.astype(dtype)) for part in parts)]
        return pa.Array.from_buffers(kind, n, buffers, nulls, children=[items])
    width = bytes_of(kind)
    data = b"".join(bytes(width) if value is None else value for value in values)
    return pa.Array.from_buffers(kind, n, [bitmap, pa.py_buffer(data)], nulls)


def _union_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    codes = b"".join(code for code, _ in values)
    children: list[list[Any]] = [[] for _ in kind.type_codes]
    offsets = []
    numbers = {code: i for i, code in enumerate(kind.type_codes)}
    for code, value in values:
        mine = children[numbers[code[0]]]
        offsets.append(len(mine))
        if kind.mode == "sparse":
            for child in children:
                child.append(None)
            mine[-1] = value
        else:
            mine.append(value)
    arrays = [array_of(child, kind.field(i).type) for i, child in enumerate(children)]
    buffers = [None, pa.py_buffer(codes)]
    if kind.mode == "dense":
        buffers.append(pa.py_buffer(np.asarray(offsets, np.int32)))
    return pa.Array.from_buffers(kind, len(values), buffers, 0, children=arrays)
