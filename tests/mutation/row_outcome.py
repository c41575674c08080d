"""What a module compiled from row.idl does: rows of values of all types, in all variants, with all sort options."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from lakecodec.row import RowConverter, SortOptions
from lakecodec.row.layout import Layout
from lakecodec.row.literal import Form

from .outcomes import attempt

_TEXT = ["", "a", None, "abcdefgh", "x" * 33, "y" * 300]
_OPTIONS = [SortOptions(descending, first) for descending in (False, True) for first in (False, True)]


def _arrays() -> list[pa.Array]:
    ints = [0, 1, None, 100]
    floats = [0.0, -0.0, 1.5, -2.5, None, float("nan"), -float("inf")]
    made = [pa.array([True, False, None])]
    made += [pa.array(ints, getattr(pa, f"{u}int{bits}")()) for u in ("", "u") for bits in (8, 16, 32, 64)]
    made += [pa.array([-5, None], getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)]
    made += [pa.array(floats, pa.float32()), pa.array(floats, pa.float64())]
    made += [pa.array(np.array([0.0, -0.0, 1.5, np.nan], np.float16))]
    made += [pa.array(ints, kind) for kind in (pa.date32(), pa.time32("s"), pa.time64("us"), pa.timestamp("us"))]
    made += [pa.array([0, None, 86_400_000], pa.int64()).cast(pa.date64()), pa.array(ints, pa.duration("ms"))]
    made += [pa.array(ints, kind) for kind in (pa.decimal32(5, 1), pa.decimal64(12, 1), pa.decimal128(31, 2))]
    made += [pa.array(ints, kind) for kind in (pa.decimal128(37, 2), pa.decimal128(38, 2), pa.decimal256(60, 2))]
    made += [pa.array([Decimal("1.5"), None], pa.decimal32(digits, 1)) for digits in (3, 4)]
    made += [pa.array([(1, -2, 3), None], pa.month_day_nano_interval())]
    made += [pa.array([b"abc", None], pa.binary(3)), pa.nulls(2)]
    made += [pa.array(_TEXT, kind) for kind in (pa.string(), pa.large_string(), pa.string_view())]
    binary = [None if text is None else text.encode() for text in _TEXT]
    made += [pa.array(binary, kind) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())]
    lists = [[1, None, 3], [], None, list(range(40))]
    made += [pa.array(lists, kind(pa.int8())) for kind in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view)]
    made += [pa.array([["a", None], [], None], pa.list_(pa.string()))]
    made += [pa.array([[1, None], None], pa.list_(pa.int8(), 2))]
    made += [pa.array([{"a": 1, "b": None}, None], pa.struct([("a", pa.int8()), ("b", pa.string())]))]
    made += [pa.array([[("k", 1), ("l", None)], None, []], pa.map_(pa.string(), pa.int8()))]
    made += [pa.array(["b", None, "a", "b"]).dictionary_encode()]
    made += [pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int32()), pa.array([7, None], pa.int32()))]
    union = [pa.array([3, None], pa.int32()), pa.array(["x"])]
    made += [pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()), pa.array([0, 0, 1], pa.int32()), union)]
    return made


_ARRAYS = _arrays()


class _Schema(ctypes.Structure):
    """An ArrowSchema of the C data interface."""


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))
_Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
    ("release", _RELEASE), ("private_data", ctypes.c_void_p),
]  # fmt: skip


@_RELEASE
def _release(schema: Any) -> None:
    schema.contents.release = _RELEASE(0)


def _imported(format: bytes) -> pa.DataType:
    """A type that pyarrow knows and has no constructor and no arrays for."""
    schema = _Schema(format, b"", None, 2, 0, None, None, _release, None)
    return pa.DataType._import_from_c(ctypes.addressof(schema))


_INTERVALS = [(_imported(b"tiM"), bytes([1, 2, 3, 4])), (_imported(b"tiD"), bytes([1, 2, 3, 4, 251, 250, 249, 255]))]


def outcome(module: Any) -> Iterator[str]:
    """Rows, what comes back, and errors."""
    for name in ("Variant", "Nesting"):
        yield f"{name} {[int(each) for each in getattr(module, name)]}"
    for array in _ARRAYS:
        for variant in module.Variant:
            for options in _OPTIONS:
                yield attempt(_rows, Layout(variant, module), array, options)
    for variant in module.Variant:
        for options in _OPTIONS:
            for kind, value in _INTERVALS:
                yield attempt(_form, Layout(variant, module), kind, options, value)


def _rows(layout: Layout, array: pa.Array, options: SortOptions) -> str:
    convert = RowConverter._planned([(array.type, options)], layout)
    rows = convert.convert_columns([array]).to_pylist()
    (back,) = convert.convert_rows(rows)
    return f"{layout.name} {rows} {back.type} {len(back)}"


def _form(layout: Layout, kind: pa.DataType, options: SortOptions, value: bytes) -> str:
    form = Form.of(layout, kind, options)
    rows = [form.encode(value), form.encode(None)]
    return f"{layout.name} {kind} {rows} {[form.decode(row) for row in rows]}"
