"""The order of the rows of a row group, as their values show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..generated.parquet import SortingColumn, Type
from ..runtime.suggest import no_such
from .leaf_types import LeafType
from .leaf_values import Steps, plain_values

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class OrderKey:
    """A column that rows may be sorted by.

    Attributes:
        column: its position among the leaf columns.
        path: the names down to it.
        leaf: its type.
        descending: whether greater values come first.
    """

    column: int
    path: tuple[str, ...]
    leaf: LeafType
    descending: bool


def order_keys(
    sorted_by: Iterable[str], paths: Sequence[tuple[str, ...]], leaves: Sequence[LeafType], repeated: set[int]
) -> list[OrderKey]:
    """Returns the columns of names, before which a hyphen means descending.

    Raises:
        TypeError: it is a single str, or a name is not a str.
        KeyError: there is no leaf column of a name.
        ValueError: a column is in a list.
    """
    dotted = [".".join(path) for path in paths]
    keys = []
    for name in sorted_by:
        if not isinstance(name, str):
            raise TypeError(f"sorted_by: a dotted path is needed, not {type(name).__name__}")
        plain = name if name in dotted else name.removeprefix("-")
        if plain not in dotted:
            raise KeyError(f"sorted_by: {no_such(plain, dotted)}")
        column = dotted.index(plain)
        if column in repeated:
            raise ValueError(f"sorted_by: {plain!r} is in a list, and rows are not ordered by it")
        keys.append(OrderKey(column, paths[column], leaves[column], name != plain))
    return keys


def proven_order(batches: Iterable[pa.RecordBatch], keys: Sequence[OrderKey]) -> list[SortingColumn] | str:
    """Returns the order of rows by some columns, or why rows are not in order. Nulls may be first or last."""
    for key in keys:
        if not key.leaf.is_ordered or key.leaf.element.type == Type.INT96:
            return f"values of {'.'.join(key.path)} have no order"
    nulls: list[bool | None] = [None] * len(keys)
    last: list[pa.Array] | None = None
    for batch in batches:
        columns = []
        for key in keys:
            found = _values(batch, key)
            if found is None:
                return f"pyarrow reads {'.'.join(key.path)} as another type"
            columns.append(found)
        if last is not None:
            columns = [_concat(one, two) for one, two in zip(last, columns, strict=True)]
        if reason := _broken(columns, keys, nulls):
            return reason
        last = [column[-1:] for column in columns] if len(columns[0]) else last
    return [
        SortingColumn(column_idx=key.column, descending=key.descending, nulls_first=bool(first))
        for key, first in zip(keys, nulls, strict=True)
    ]


def _broken(columns: Sequence[pa.Array], keys: Sequence[OrderKey], nulls: list[bool | None]) -> str | None:
    """Returns why rows are not in the order of some columns, None if they are; ``nulls`` keeps where nulls were found."""
    import pyarrow.compute as pc

    tied = np.ones(max(len(columns[0]) - 1, 0), bool)
    for number, (column, key) in enumerate(zip(columns, keys, strict=True)):
        name = ".".join(key.path)
        if key.leaf.is_real and pc.any(pc.is_nan(column)).as_py():
            return f"{name} has NaNs, which have no place in the order"
        one, two = column[:-1], column[1:]
        absent = _bools(column.is_null())
        for found, is_first in ((absent[:-1] & ~absent[1:], True), (~absent[:-1] & absent[1:], False)):
            if (tied & found).any():
                if nulls[number] is (not is_first):
                    return f"nulls of {name} are before and after values"
                nulls[number] = is_first
        wrong = pc.less(one, two) if key.descending else pc.greater(one, two)
        if (tied & _bools(wrong)).any():
            return f"rows do not {'descend' if key.descending else 'ascend'} by {name}"
        tied &= _bools(pc.equal(one, two)) | (absent[:-1] & absent[1:])
    return None


def _bools(array: pa.Array) -> Any:
    """Returns booleans, null as False."""
    return array.fill_null(False).to_numpy(zero_copy_only=False)


def _values(batch: pa.RecordBatch, key: OrderKey) -> pa.Array | None:
    """Returns the values of a column, nulls among them."""
    array = batch.column(batch.schema.get_field_index(key.path[0]))
    steps: Steps = []
    kind = array.type
    for name in key.path[1:]:
        position = kind.get_field_index(name)
        steps.append(position)
        kind = kind.field(position).type
    return plain_values(array, steps, key.leaf)


def _concat(one: pa.Array, two: pa.Array) -> pa.Array:
    import pyarrow as pa

    return pa.concat_arrays([one, two])
