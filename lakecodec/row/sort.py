"""Sorting tables by row keys, with the results of ``pyarrow.compute.sort_indices`` and for more types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from ..runtime.arrow_data import TableLike, table_of
from ..runtime.parallel import map_ahead, workers
from .arguments import Field, column_index
from .converter import RowConverter
from .layout import SORT
from .options import SortOptions
from .order import kernels
from .sort_keys import Placement, SortKeys, parse_sort_keys, placed_first

#: Integers in a range smaller than this are sorted by counting.
_FEW = 4096
#: Numbers that are tested before all of them are, to reject quickly.
_SAMPLE = 1024
#: The number of rows from which threads put the columns in order.
_MANY = 1 << 17


def sort_indices(table: TableLike, sort_keys: SortKeys, *, null_placement: Placement | None = None) -> pa.UInt64Array:
    """Returns the row numbers of a table in sorted order (uint64); the sort is stable.

    The order is that of ``pyarrow.compute.sort_indices``: nulls at the end in both directions, NaN next to them, -0.0
    equal to 0.0.

    Args:
        table: a table of any library that exports Arrow data, or a dict of arrays.
        sort_keys: one key or a list of keys, each ``"a"``, ``"-a"``, ``("a", "descending")`` or
            ``("a", SortOptions(...))``; a pair may have the null placement of that key as a third item.
        null_placement: ``"at_end"`` or ``"at_start"`` for all keys, which takes precedence over the keys; None for that
            of each key.

    Raises:
        KeyError: the table does not have a name, or has it twice.
        TypeError: ``table`` is not Arrow data, or a key has the wrong type.
        ValueError: there is no key, a direction or null placement is unknown, or a column's type has no order.
    """
    data = table_of(table)
    order = _order_of_numbers(data, sort_keys, null_placement)
    return order_of(SortColumns.of(data.schema, sort_keys, null_placement).keys(data)) if order is None else order


def sort_table(table: TableLike, sort_keys: SortKeys, *, null_placement: Placement | None = None) -> pa.Table:
    """Returns the table in the order of `sort_indices`: a RecordBatch as a RecordBatch, all others as a ``pyarrow.Table``.

    Args:
        table: as in `sort_indices`.
        sort_keys: as in `sort_indices`.
        null_placement: as in `sort_indices`.

    Raises:
        KeyError, TypeError, ValueError: as in `sort_indices`.
    """
    data = table if isinstance(table, pa.RecordBatch) else table_of(table)
    return arranged(data, sort_indices(data, sort_keys, null_placement=null_placement))


def order_of(keys: pa.LargeBinaryArray) -> pa.UInt64Array:
    """Returns the numbers of the keys in their order (uint64), equal ones in the order in which they come."""
    if not len(keys):
        return pa.array([], pa.uint64())
    _, offsets, data = keys.buffers()
    positions = np.frombuffer(offsets, np.int64)[keys.offset : keys.offset + len(keys) + 1]
    order = kernels.argsort(np.frombuffer(data, np.uint8) if data.size else np.empty(0, np.uint8), positions)
    return pa.Array.from_buffers(pa.uint64(), len(keys), [None, pa.py_buffer(order)], 0)


def _order_of_numbers(data: pa.Table, sort_keys: SortKeys, null_placement: Placement | None) -> pa.UInt64Array | None:
    """Returns the order of one column of whole numbers that needs no keys: in order or reverse, or of few values; else None."""
    placed_first(null_placement)
    keys = parse_sort_keys(sort_keys)
    column = data.column(column_index(data.schema, keys[0].name, "sort_keys")) if len(keys) == 1 else None
    if column is None or column.null_count or not len(column):
        return None
    kind, descending = column.type, keys[0].descending
    if pa.types.is_temporal(kind) and kind.bit_width <= 64:
        kind = pa.int32() if kind.bit_width == 32 else pa.int64()
    elif not pa.types.is_integer(kind):
        return None
    numbers = (column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()).view(kind).to_numpy()
    before, after = (numbers[1:], numbers[:-1]) if descending else (numbers[:-1], numbers[1:])
    first, second, some = before[:_SAMPLE], after[:_SAMPLE], numbers[:_SAMPLE]
    order: Any = None
    if (first <= second).all() and (before <= after).all():
        order = kernels.numbers(len(numbers))
    elif (first > second).all() and (before > after).all():
        order = np.arange(len(numbers) - 1, -1, -1)
    elif kernels.argsort_few is not None and int(some.max()) - int(some.min()) < _FEW:
        low, high = numbers.min(), numbers.max()
        if int(high) - int(low) < min(_FEW, len(numbers)) and len(numbers) < 2**32:
            order = kernels.argsort_few(numbers, low, high, descending)
    return None if order is None else pa.Array.from_buffers(pa.uint64(), len(numbers), [None, pa.py_buffer(order)], 0)


def arranged(data: Any, order: pa.UInt64Array) -> Any:
    """Returns a table, or a RecordBatch, with its rows in the given order; itself if they already are."""
    numbers = order.to_numpy()
    ends_fit = not len(numbers) or (numbers[0] == 0 and numbers[-1] == len(numbers) - 1)
    if ends_fit and bool((numbers[1:] > numbers[:-1]).all()):
        return data
    plain = data.schema
    for i, kind in enumerate(plain.types):
        # pyarrow cannot take items of views by index.
        if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
            large = pa.large_string() if pa.types.is_string_view(kind) else pa.large_binary()
            plain = plain.set(i, plain.field(i).with_type(large))
    return _taken(data.cast(plain), order).cast(data.schema) if plain != data.schema else _taken(data, order)


def _taken(data: Any, order: pa.UInt64Array) -> Any:
    """Returns the rows of a table, or a RecordBatch, in the given order; threads take the columns of many rows."""
    if len(order) < _MANY or data.num_columns < 2:
        return data.take(order)
    columns = map_ahead(lambda column: column.take(order), data.columns, workers(), data.num_columns)
    return type(data).from_arrays(list(columns), schema=data.schema)


@dataclass(frozen=True, slots=True)
class SortColumns:
    """The columns of a schema by which rows are sorted.

    Attributes:
        schema: the schema of all rows.
        names: the columns, the most significant first.
        converter: encodes them to keys that compare as the rows do.
    """

    schema: pa.Schema
    names: list[str]
    converter: RowConverter

    @classmethod
    def of(cls, schema: pa.Schema, sort_keys: SortKeys, null_placement: Placement | None) -> SortColumns:
        """Returns the columns that sort keys name.

        Raises:
            KeyError, TypeError, ValueError: as `sort_indices`.
        """
        placed = placed_first(null_placement)
        names: list[str] = []
        fields: list[Field] = []
        for key in parse_sort_keys(sort_keys):
            kind = schema.field(column_index(schema, key.name, "sort_keys")).type
            nulls_first = key.nulls_first if placed is None else placed
            names.append(key.name)
            fields.append((kind, SortOptions(key.descending, bool(nulls_first))))
        if not fields:
            raise ValueError("sort_keys: at least one is needed")
        return cls(schema, names, _converter(fields))

    def keys(self, data: pa.Table | pa.RecordBatch) -> pa.LargeBinaryArray:
        """Returns the key of each row."""
        return self.converter.convert_columns([data.column(name) for name in self.names])


def _converter(fields: list[Field]) -> RowConverter:
    """Returns a converter of columns to sort keys; planning takes longer than sorting a few rows."""
    # Extension types of users may have no hash.
    if any(isinstance(kind, pa.ExtensionType) for kind, _ in fields):
        return RowConverter._planned(fields, SORT)
    return _kept_converter(tuple(fields))


@lru_cache(64)
def _kept_converter(fields: tuple[Field, ...]) -> RowConverter:
    return RowConverter._planned(list(fields), SORT)
