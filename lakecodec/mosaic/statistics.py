"""Null counts and bounds of columns in row groups: computed by the writer, decoded by the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..generated.mosaic import ColumnStats
from ..runtime.columns import ColumnDecode, ColumnError, decode_columns, profile_columns
from .errors import relocated
from .physical import Node

_types = pa.types


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """Statistics of a column in a row group (Mosaic design, section Statistics).

    Attributes:
        null_count: number of nulls.
        low, high: minimum and maximum as Arrow scalars; None where all values are null.
    """

    null_count: int
    low: pa.Scalar | None
    high: pa.Scalar | None

    @property
    def has_min_max(self) -> bool:
        """True if there are bounds, which means that some value is not null."""
        return self.low is not None

    @property
    def min(self) -> Any:
        """The smallest value as a Python object, None where all values are null.

        Bounds of floats ignore NaN, unless the first value that is not null was NaN: both bounds are NaN then, and tell
        nothing about the other values. A value without a Python class of its own is a NumPy scalar, such as a timestamp
        in nanoseconds where pandas is missing.
        """
        return python_value(self.low)

    @property
    def max(self) -> Any:
        """The largest value as a Python object, None where all values are null; NaN as for `min`."""
        return python_value(self.high)


def can_have_statistics(type: pa.DataType) -> bool:
    """Returns True if the format keeps bounds of a stored type: not of binary, nested or decimals over 18 digits."""
    if _types.is_decimal(type):
        return bool(type.precision <= _LONG_PRECISION)
    return not (_types.is_binary(type) or _types.is_nested(type))


#: The reference writer writes no statistics for decimals of more digits.
_LONG_PRECISION = 18


def column_stats(columns: Sequence[tuple[int, Node, Sequence[pa.Array]]]) -> list[ColumnStats]:
    """Returns the statistics of columns as records of the row group index.

    Args:
        columns: (sorted position, type, chunks of one row group) of each column.

    Raises:
        EncodeError: the format cannot hold a bound.
    """
    found = [(position, node, _nulls(chunks), _bounds(chunks)) for position, node, chunks in columns]
    arrays = [(node.layout, [bound]) for _, node, _, bounds in found for bound in bounds]
    encoded = iter(profile_columns(arrays, max_entries=0, max_nbytes=0))
    stats = []
    for position, _, nulls, bounds in found:
        low, high = (next(encoded).first(), next(encoded).first()) if bounds else (None, None)
        stats.append(ColumnStats(column=position, null_count=nulls, low=low, high=high))
    return stats


def decode_stats(
    stats: Mapping[int, ColumnStats], nodes: Sequence[Node], *, file: str, path: str, start: int
) -> list[ColumnStatistics]:
    """Returns decoded statistics of one row group, in the order of ``stats``.

    Args:
        stats: the records, by their places among those of the row group.
        nodes: the types of their columns.
        file: name of the file, for errors.
        path: path of the row group's statistics in the file, for errors.
        start: offset in bytes of the row group index, added to offsets of errors.

    Raises:
        DecodeError: a bound is not a value of its type.
    """
    bounded = [
        (place, node, entry) for (place, entry), node in zip(stats.items(), nodes, strict=True) if entry.low is not None
    ]
    requests = [
        ColumnDecode(node.layout, node.stored, 1, values=values)
        for _, node, entry in bounded
        for values in (entry.low, entry.high)
    ]
    try:
        bounds = iter(decode_columns(requests))
    except ColumnError as error:
        place = bounded[error.request // 2][0]
        raise relocated(error, file=file, path=f"{path}[{place}]", start=start) from None
    pairs = {place: (next(bounds)[0], next(bounds)[0]) for place, _, _ in bounded}
    return [ColumnStatistics(entry.null_count, *pairs.get(place, (None, None))) for place, entry in stats.items()]


def _nulls(chunks: Sequence[pa.Array]) -> int:
    """Returns the number of nulls in the chunks."""
    return sum(chunk.null_count for chunk in chunks)


def _bounds(chunks: Sequence[pa.Array]) -> tuple[pa.Array, ...]:
    """Returns minimum and maximum as arrays of one value; an empty tuple where all values are null."""
    column = pa.chunked_array(list(chunks))
    if column.null_count == len(column):
        return ()
    if _types.is_floating(column.type):
        return _float_bounds(column)
    import pyarrow.compute as pc

    bounds = pc.min_max(column)
    return pa.array([bounds["min"]], column.type), pa.array([bounds["max"]], column.type)


def _float_bounds(column: pa.ChunkedArray) -> tuple[pa.Array, ...]:
    """Returns the reference writer's bounds of floats: NaN if it comes first, and the first of equal zeros."""
    values = column.drop_null()
    first = values[0]
    if _is_nan(first):
        # A slice keeps all bits of the NaN; the Python float of a float32 would not.
        only = values.slice(0, 1).combine_chunks()
        return only, only
    import pyarrow.compute as pc

    bounds = pc.min_max(values)
    return _first_equal(values, bounds["min"]), _first_equal(values, bounds["max"])


def _first_equal(values: pa.ChunkedArray, bound: pa.Scalar) -> pa.Array:
    """Returns an array of the first value that equals the bound, which keeps the sign of zero."""
    if bound.as_py() != 0:
        return pa.array([bound], values.type)
    import pyarrow.compute as pc

    at = pc.index(pc.equal(values, bound), True).as_py()
    return values.slice(at, 1).combine_chunks()


def _is_nan(value: pa.Scalar) -> bool:
    """Returns True for NaN."""
    number = value.as_py()
    return bool(number != number)


def python_value(value: pa.Scalar | None) -> Any:
    """Returns an Arrow scalar as a Python object, as a NumPy scalar where Python has no class for it; None for None."""
    if value is None:
        return None
    try:
        return value.as_py()
    except (ValueError, OverflowError):
        # Python has no class for nanoseconds without pandas, for dates after the year 9999, or for time zones that this
        # machine does not know.
        return pa.array([value]).to_numpy(zero_copy_only=False)[0]
