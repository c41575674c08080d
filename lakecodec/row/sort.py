"""Sorting tables by row keys, with the results of ``pyarrow.compute.sort_indices`` and for more types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from .converter import RowConverter
from .layout import SORT
from .options import SortOptions
from .order import kernels

Placement: TypeAlias = Literal["at_start", "at_end"]
SortKeys: TypeAlias = "str | Sequence[tuple[str, str] | tuple[str, str, str]]"


def sort_indices(
    table: pa.Table | pa.RecordBatch, sort_keys: SortKeys, *, null_placement: Placement | None = None
) -> pa.UInt64Array:
    """Row numbers of a table in sorted order, equal rows in their own order.

    The order is pyarrow's: nulls at the end in both directions, NaN next to them, -0.0 equal to 0.0.

    Args:
        table: what to sort.
        sort_keys: ``[("a", "ascending"), ("b", "descending")]`` as in pyarrow, a third item being the null placement
            of that key; or the name of one column.
        null_placement: ``"at_end"`` or ``"at_start"`` for all keys, over what they say.

    Raises:
        KeyError: a name that the table does not have, or has twice.
        TypeError, ValueError: malformed keys, or a column of a type that has no order.
    """
    if not isinstance(table, pa.Table | pa.RecordBatch):
        raise TypeError(f"table: a table or a batch is needed, not {type(table).__name__}")
    columns: list[Any] = []
    fields: list[tuple[pa.DataType, SortOptions]] = []
    for name, descending, placement in _keys(sort_keys, null_placement):
        found = table.schema.get_all_field_indices(name)
        if len(found) != 1:
            raise KeyError(f"sort_keys: {name!r} names {len(found)} columns")
        column = table.column(found[0])
        columns.append(column)
        fields.append((column.type, SortOptions(descending, placement == "at_start")))
    if not fields:
        raise ValueError("sort_keys: at least one is needed")
    rows = RowConverter._planned(fields, SORT).convert_columns(columns)
    _, offsets, data = rows.buffers()
    if not len(rows):
        return pa.array([], pa.uint64())
    order = kernels.argsort(
        np.frombuffer(data, np.uint8) if data.size else np.empty(0, np.uint8), np.frombuffer(offsets, np.int64)
    )
    return pa.Array.from_buffers(pa.uint64(), len(rows), [None, pa.py_buffer(order)], 0)


def sort_table(table: pa.Table, sort_keys: SortKeys, *, null_placement: Placement | None = None) -> pa.Table:
    """The table in the order of ``sort_indices``."""
    return table.take(sort_indices(table, sort_keys, null_placement=null_placement))


def _keys(sort_keys: SortKeys, null_placement: str | None) -> list[tuple[str, bool, str]]:
    if isinstance(sort_keys, str):
        sort_keys = [(sort_keys, "ascending")]
    if not isinstance(sort_keys, Sequence):
        raise TypeError(f"sort_keys: a list of (name, order) is needed, not {type(sort_keys).__name__}")
    keys = []
    for key in sort_keys:
        if not isinstance(key, Sequence) or isinstance(key, str | bytes) or len(key) not in (2, 3):
            raise ValueError(f"sort_keys: a pair (name, order) is needed, not {key!r}")
        name, order, placement = (*key, "at_end")[:3]
        if order not in ("ascending", "descending"):
            raise ValueError(f"sort_keys: 'ascending' or 'descending' is needed, not {order!r}")
        placement = placement if null_placement is None else null_placement
        if placement not in ("at_start", "at_end"):
            raise ValueError(f"null_placement: 'at_start' or 'at_end' is needed, not {placement!r}")
        keys.append((name, order == "descending", placement))
    return keys
