"""What callers may pass as types, columns and rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from ..generated import row as declared
from .arrow_types import storage
from .buffers import raw
from .layout import POLARS_UNORDERED, Layout
from .options import SortOptions
from .order.cells import Bytes, Offsets

Variant: TypeAlias = Literal["arrow", "legacy", "polars", "sql"]
Columns: TypeAlias = "pa.Table | pa.RecordBatch | Sequence[pa.Array | pa.ChunkedArray]"


def layout_of(variant: str, ordered: bool) -> Layout:
    """The layout that a variant names; errors as those of `RowConverter`."""
    if not isinstance(variant, str):
        raise TypeError(f"variant: a str is needed, not {variant!r}")
    if not isinstance(ordered, bool):
        raise TypeError(f"ordered: a bool is needed, not {ordered!r}")
    if variant not in ("arrow", "legacy", "polars", "sql"):
        raise ValueError(f"variant: 'arrow', 'legacy', 'polars' or 'sql' is needed, not {variant!r}")
    if not ordered and variant != "polars":
        raise ValueError(f"ordered: only polars has an unordered form, not {variant}")
    return Layout(declared.Variant[variant.upper()]) if ordered else POLARS_UNORDERED


def fields_of(fields: Any) -> list[tuple[pa.DataType, SortOptions]]:
    """Types and options; errors as those of `RowConverter`."""
    if isinstance(fields, pa.Schema):
        return [(field.type, SortOptions()) for field in fields]
    if not isinstance(fields, Sequence) or isinstance(fields, str | bytes):
        raise TypeError(f"fields: a schema or a list of (type, SortOptions) is needed, not {type(fields).__name__}")
    out = []
    for i, item in enumerate(fields):
        pair = (item, SortOptions()) if isinstance(item, pa.DataType) else item
        if not (
            isinstance(pair, tuple)
            and len(pair) == 2
            and isinstance(pair[0], pa.DataType)
            and isinstance(pair[1], SortOptions)
        ):
            raise TypeError(f"fields[{i}]: a type or a pair (type, SortOptions) is needed, not {item!r}")
        out.append(pair)
    return out


def as_table(columns: Any) -> pa.Table:
    """The columns as a table, lists of arrays with their numbers as names.

    Raises:
        TypeError: something else.
        ValueError: arrays of different lengths.
    """
    if isinstance(columns, pa.Table):
        return columns
    if isinstance(columns, pa.RecordBatch):
        return pa.Table.from_batches([columns])
    if isinstance(columns, Sequence) and not isinstance(columns, str | bytes):
        for i, array in enumerate(columns):
            if not isinstance(array, pa.Array | pa.ChunkedArray):
                raise TypeError(f"columns[{i}]: an Arrow array is needed, not {type(array).__name__}")
            if len(array) != len(columns[0]):
                raise ValueError(f"columns[{i}]: {len(columns[0])} values are needed, not {len(array)}")
        return pa.Table.from_arrays(list(columns), names=[str(i) for i in range(len(columns))])
    raise TypeError(f"columns: a table, a batch or a list of arrays is needed, not {type(columns).__name__}")


def writable(out: Any) -> Bytes:
    """Memory that rows are written to; ValueError for memory that they cannot be."""
    view = memoryview(out)
    if view.readonly or not view.c_contiguous:
        raise ValueError("out: writable contiguous memory is needed")
    return np.frombuffer(view, np.uint8)


def row_parts(rows: Any) -> tuple[Bytes, Offsets, Offsets]:
    """Bytes of all rows, and where each begins and ends."""
    if isinstance(rows, pa.ChunkedArray):
        rows = rows.chunk(0) if rows.num_chunks == 1 else rows.cast(pa.large_binary()).combine_chunks()
    elif not isinstance(rows, pa.Array):
        if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
            raise TypeError(f"rows: a binary array is needed, not {type(rows).__name__}")
        rows = pa.array(rows, pa.large_binary())
    rows = storage(rows)
    if rows.null_count:
        raise ValueError("rows: a row cannot be null")
    n = len(rows)
    if pa.types.is_fixed_size_binary(rows.type):
        width = rows.type.byte_width
        starts = (rows.offset + np.arange(n, dtype=np.int64)) * width
        return raw(rows.buffers()[1]), starts, starts + width
    if pa.types.is_binary_view(rows.type):
        rows = rows.cast(pa.large_binary())
    if not (pa.types.is_binary(rows.type) or pa.types.is_large_binary(rows.type)):
        raise TypeError(f"rows: a binary array is needed, not {rows.type}")
    if not n:
        return np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0, np.int64)
    kind = np.int64 if pa.types.is_large_binary(rows.type) else np.int32
    positions = np.frombuffer(rows.buffers()[1], kind)[rows.offset : rows.offset + n + 1].astype(np.int64, copy=False)
    return raw(rows.buffers()[2]), positions[:-1], positions[1:]
