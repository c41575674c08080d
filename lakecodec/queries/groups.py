"""Aggregates of grouped rows: pyarrow's, except for sums and products that may not fit 64 bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def grouped(table: pa.Table, keys: Sequence[str], aggregates: Mapping[str, str]) -> pa.Table:
    """Returns one row per group of equal keys; without keys, one row of all.

    Args:
        aggregates: column -> pyarrow's aggregate of it.

    Raises:
        ValueError: an aggregate does not fit 64 bits, or has no meaning for the type of its column.
    """
    import pyarrow as pa

    columns: dict[str, Any] = {}
    exact, wanted, names = set(), [], {key: key for key in keys}
    for name, function in aggregates.items():
        if function in ("sum", "product") and _may_overflow(table[name], function):
            exact.add(name)
            function = "list"
        if function == "list" and not keys:
            columns[name] = pa.ListArray.from_arrays([0, table.num_rows], table[name].combine_chunks())
        else:
            of_rows = function == "count_all"
            wanted.append(([] if of_rows else name, function))
            names[name] = function if of_rows else f"{name}_{function}"
    ordered = any(function in ("first", "last", "list") for _, function in wanted)
    try:
        found = table.group_by(list(keys), use_threads=not ordered).aggregate(wanted)
    except pa.ArrowNotImplementedError as error:
        raise ValueError(f"select: an aggregate has no meaning for its column: {error}") from None
    columns |= {name: found[place] for name, place in names.items()}
    for name in exact:
        columns[name] = _exact(columns[name].to_pylist(), name, aggregates[name], table[name].type)
    return pa.table({name: columns[name] for name in (*keys, *aggregates)})


def _may_overflow(column: pa.ChunkedArray, function: str) -> bool:
    """Returns whether the sum or the product of some of the numbers may not fit their type."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_decimal(column.type) and function == "product":
        raise ValueError("select: a product of decimals may not fit 38 digits: declare a double")

    if not pa.types.is_integer(column.type) or not len(column):
        return False
    most = max((abs(each.as_py() or 0) for each in pc.min_max(column).values()), default=0)
    bits = 64 if pa.types.is_unsigned_integer(column.type) else 63
    if function == "product":
        return len(column) * most.bit_length() > bits
    return len(column) * most >= 1 << bits


def _exact(lists: list[list[int | None]], name: str, function: str, type: pa.DataType) -> pa.Array:
    """Returns the sum or the product of each list; null of lists without values."""
    import pyarrow as pa

    compute = sum if function == "sum" else _product
    wide = pa.uint64() if pa.types.is_unsigned_integer(type) else pa.int64()
    numbers = [[each for each in found if each is not None] for found in lists]
    try:
        return pa.array([compute(found) if found else None for found in numbers], wide)
    except OverflowError:
        remedy = f": declare decimal<38, 0> {name} = sum(...)" if function == "sum" else ""
        raise ValueError(f"select: the {function} {name!r} does not fit {wide}{remedy}") from None


def _product(numbers: list[int]) -> int:
    if 0 in numbers:
        return 0
    found = 1
    for number in numbers:
        found *= number
        if found.bit_length() > 64:
            # It does not become smaller again.
            break
    return found
