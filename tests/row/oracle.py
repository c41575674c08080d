"""Arrays as trees of Python numbers and bytes, which compare and sort by value, without anything of the product."""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa

from lakecodec.row.arrow_types import type_name


def values(array: pa.Array) -> list[Any]:
    """Raw values: ints for everything stored as a number (floats as their bits), bytes for text, None for null."""
    kind, n = array.type, len(array)
    name = type_name(kind)
    if name == "null":
        return [None] * n
    if name in ("bool", "fixed_size_binary", "binary", "large_binary", "binary_view"):
        return list(array.to_pylist())
    if "utf8" in name:
        return [None if v is None else v.encode() for v in array.to_pylist()]
    if name == "dictionary":
        shown = values(array.dictionary)
        # Under a null parent a key may point anywhere, as in what pyarrow itself builds.
        return [shown[key] if key is not None and key < len(shown) else None for key in array.indices.to_pylist()]
    if name == "run_end_encoded":
        shown, ends = values(array.values), array.run_ends.to_pylist()
        return [shown[next(j for j, end in enumerate(ends) if end > i + array.offset)] for i in range(n)]
    if name == "union":
        return _union_values(array)
    valid = array.is_valid().to_pylist()
    if name == "struct":
        children = [values(array.field(i)) for i in range(kind.num_fields)]
        return [[child[i] for child in children] if ok else None for i, ok in enumerate(valid)]
    if name == "fixed_size_list":
        shown, size = values(array.values), kind.list_size
        starts = [(array.offset + i) * size for i in range(n)]
        return [shown[start : start + size] if ok else None for start, ok in zip(starts, valid, strict=True)]
    if name in ("list", "large_list", "list_view", "large_list_view") or name == "map":
        return _list_values(array, valid, name)
    return _numbers(array, valid)


def _numbers(array: pa.Array, valid: list[bool]) -> list[Any]:
    name, width = type_name(array.type), array.type.bit_width // 8
    raw = array.buffers()[1].to_pybytes() if len(array) else b""
    cells = [raw[(array.offset + i) * width :][:width] for i in range(len(array))]
    if name == "interval_month_day_nano":
        return [struct.unpack("<iiq", cell) if ok else None for cell, ok in zip(cells, valid, strict=True)]
    signed = not name.startswith(("uint", "float"))
    numbers = [int.from_bytes(cell, "little", signed=signed) for cell in cells]
    return [number if ok else None for number, ok in zip(numbers, valid, strict=True)]


def _list_values(array: pa.Array, valid: list[bool], name: str) -> list[Any]:
    shown = values(array.values)
    offsets = array.offsets.to_pylist()
    ends = [a + b for a, b in zip(offsets, array.sizes.to_pylist(), strict=True)] if "view" in name else offsets[1:]
    return [shown[offsets[i] : ends[i]] if ok else None for i, ok in enumerate(valid)]


def _union_values(array: pa.Array) -> list[Any]:
    children = [values(array.field(i)) for i in range(array.type.num_fields)]
    codes = array.type_codes.to_pylist()
    places = array.offsets.to_pylist() if array.type.mode == "dense" else range(len(array))
    which = {code: i for i, code in enumerate(array.type.type_codes)}
    return [(code, children[which[code]][place]) for code, place in zip(codes, places, strict=True)]
