"""Validation of the types, columns and rows that callers pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa

from ..generated import row as declared
from ..runtime.arrow_data import array_of, table_of
from ..runtime.exact import items_of
from ..runtime.suggest import did_you_mean, no_such
from .arrow_types import storage
from .buffers import raw
from .layout import POLARS_UNORDERED, Layout
from .options import SortOptions
from .order.cells import Bytes, Offsets
from .sort_keys import parse_sort_keys

Variant: TypeAlias = Literal["arrow", "legacy", "polars", "sql"]
Field: TypeAlias = tuple[pa.DataType, SortOptions]


def layout_of(variant: str, ordered: bool) -> Layout:
    """Returns the layout of a variant.

    Raises:
        TypeError: ``variant`` is not a str, or ``ordered`` not a bool.
        ValueError: the variant is unknown, or has no unordered form.
    """
    if not isinstance(variant, str):
        raise TypeError(f"variant: a str is needed, not {variant!r}")
    if not isinstance(ordered, bool):
        raise TypeError(f"ordered: a bool is needed, not {ordered!r}")
    if variant not in ("arrow", "legacy", "polars", "sql"):
        raise ValueError(f"variant: 'arrow', 'legacy', 'polars' or 'sql' is needed, not {variant!r}")
    if not ordered and variant != "polars":
        raise ValueError(f"ordered: only polars has an unordered form, not {variant}")
    return Layout(declared.Variant[variant.upper()]) if ordered else POLARS_UNORDERED


def fields_of(fields: Any, sort_keys: Any = None) -> tuple[list[Field], list[str] | None, frozenset[str]]:
    """Returns the types and options of the row's columns, their names (None without names), and the names of all fields.

    Raises:
        TypeError, ValueError, KeyError: as `RowConverter`.
    """
    if isinstance(fields, Mapping):
        pairs, names = [_pair(item, f"fields[{name!r}]") for name, item in fields.items()], items_of(fields)
    elif (schema := _schema(fields)) is not None:
        pairs, names = [(field.type, SortOptions()) for field in schema], list(schema.names)
    elif isinstance(fields, Sequence) and not isinstance(fields, str | bytes):
        if sort_keys is not None:
            raise ValueError("sort_keys: fields with names are needed, such as a schema")
        return [_pair(item, f"fields[{i}]") for i, item in enumerate(fields)], None, frozenset()
    else:
        raise TypeError(
            f"fields: a schema, a dict of types or a list of (type, SortOptions) is needed, not {type(fields).__name__}"
        )
    known = frozenset(names)
    if sort_keys is None:
        return pairs, names, known
    chosen: list[tuple[str, Field]] = []
    for key in parse_sort_keys(sort_keys):
        if names.count(key.name) != 1:
            raise KeyError(f"sort_keys: {_not_one(key.name, names)}")
        if key.name in (name for name, _ in chosen):
            raise ValueError(f"sort_keys: {key.name!r} is given twice")
        chosen.append((key.name, (pairs[names.index(key.name)][0], key.options)))
    return [field for _, field in chosen], [name for name, _ in chosen], known


def _schema(fields: Any) -> pa.Schema | None:
    if isinstance(fields, pa.Schema):
        return fields
    if isinstance(fields, pa.Table | pa.RecordBatch):
        return fields.schema
    if isinstance(fields, Sequence) and fields and all(isinstance(field, pa.Field) for field in fields):
        return pa.schema(fields)
    return pa.schema(fields) if hasattr(fields, "__arrow_c_schema__") and not isinstance(fields, pa.DataType) else None


def _pair(item: Any, place: str) -> Field:
    pair = (item, SortOptions()) if isinstance(item, pa.DataType) else item
    if not (
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], pa.DataType)
        and isinstance(pair[1], SortOptions)
    ):
        raise TypeError(f"{place}: a type or a pair (type, SortOptions) is needed, not {item!r}")
    return pair


def columns_of(columns: Any) -> tuple[pa.Table, bool]:
    """Returns the columns as a table, and whether they have names of their own; arrays in a list have none.

    Raises:
        TypeError: the argument is not Arrow data.
        ValueError: arrays differ in length.
    """
    if not isinstance(columns, Sequence) or isinstance(columns, str | bytes):
        return table_of(columns, "columns"), True
    arrays = []
    for i, item in enumerate(columns):
        if isinstance(item, list | tuple):
            raise TypeError(f"columns[{i}]: an Arrow array is needed, not {type(item).__name__}")
        arrays.append(array_of(item, f"columns[{i}]"))
        if len(arrays[i]) != len(arrays[0]):
            raise ValueError(f"columns[{i}]: {len(arrays[0])} values are needed, not {len(arrays[i])}")
    return pa.Table.from_arrays(arrays, names=[str(i) for i in range(len(arrays))]), False


def places_of(found: Sequence[str], wanted: Sequence[str], known: frozenset[str]) -> list[int]:
    """Returns the position of each wanted column among those found.

    Args:
        found: names of a table's columns.
        wanted: names that a converter needs.
        known: names that a table may have in addition.

    Raises:
        ValueError: a name is missing, occurs twice, or is not known.
    """
    if list(found) == list(wanted):
        return list(range(len(wanted)))
    at = {name: i for i, name in enumerate(found)}
    for name in wanted:
        if name not in at:
            raise ValueError(f"columns: {name!r} is missing{did_you_mean(name, at)}")
    for name in found:
        if name not in known:
            raise ValueError(f"columns: {name!r} is not a column of the converter{did_you_mean(name, known)}")
    if len(at) != len(found) or len(set(wanted)) != len(wanted):
        raise ValueError("columns: a name is given twice; pass a list of arrays in the order of the fields")
    return [at[name] for name in wanted]


def column_index(schema: pa.Schema, name: str, argument: str) -> int:
    """Returns the position of the only column with a name.

    Raises:
        KeyError: there is no such column, or more than one.
    """
    found = schema.get_all_field_indices(name)
    if len(found) != 1:
        raise KeyError(f"{argument}: {_not_one(name, schema.names)}")
    return int(found[0])


def same_values(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Returns True if two types are both strings or both binary, of any offset width or view."""
    return any(found in family and wanted in family for family in _FAMILIES)


_FAMILIES = (
    (pa.string(), pa.large_string(), pa.string_view()),
    (pa.binary(), pa.large_binary(), pa.binary_view()),
)


def _not_one(name: str, names: Sequence[str]) -> str:
    return f"{name!r} is there twice" if name in names else no_such(name, names)


def writable(out: Any) -> Bytes:
    """Returns a uint8 view of the memory that rows are written to.

    Raises:
        TypeError: it is no memory.
        ValueError: the memory is read-only or not contiguous.
    """
    try:
        view = memoryview(out)
    except TypeError:
        raise TypeError(f"out: a writable buffer is needed, not {type(out).__name__}") from None
    if view.readonly or not view.c_contiguous:
        raise ValueError("out: writable contiguous memory is needed")
    return np.frombuffer(view, np.uint8)


def row_parts(rows: Any) -> tuple[Bytes, Offsets, Offsets]:
    """Returns the bytes of all rows (uint8), and the start and end of each row in them (int64).

    Raises:
        TypeError: ``rows`` is not binary.
        ValueError: a row is null.
    """
    if isinstance(rows, pa.ChunkedArray):
        rows = rows.chunk(0) if rows.num_chunks == 1 else rows.cast(pa.large_binary()).combine_chunks()
    elif not isinstance(rows, pa.Array):
        if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
            raise TypeError(f"rows: a binary array is needed, not {type(rows).__name__}")
        try:
            rows = pa.array(items_of(rows), pa.large_binary())
        except pa.ArrowTypeError as error:
            raise TypeError(f"rows: {error}") from None
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
    # A copy, since each row's place is looked up several times, and the owner of the memory may change it.
    positions = np.frombuffer(rows.buffers()[1], kind)[rows.offset : rows.offset + n + 1].astype(np.int64)
    return raw(rows.buffers()[2]), positions[:-1], positions[1:]
