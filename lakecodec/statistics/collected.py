"""Statistics of data files, computed from their rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..runtime.exact import exact_list
from .columns import DAY_MICROSECONDS, Path, has_bounds, is_text, leaves

#: The number of columns that have statistics by default, as in Delta's other writers.
DEFAULT_COLUMNS = 32


@dataclass
class Bounds:
    """Minimum, maximum and null count of a column; dates are in days and times in microseconds since 1970.

    ``null_count`` is None where it is not known; a column that is not ``bounded`` has no minimum and maximum.
    """

    type: Any
    minimum: Any = None
    maximum: Any = None
    null_count: int | None = 0
    bounded: bool = True

    def include(self, minimum: Any, maximum: Any) -> None:
        """Widens the bounds to include these values; None leaves a bound as it is."""
        if minimum is not None:
            self.minimum = minimum if self.minimum is None else min(self.minimum, minimum)
        if maximum is not None:
            self.maximum = maximum if self.maximum is None else max(self.maximum, maximum)


class Collector:
    """Statistics of one data file, collected from its rows.

    Args:
        schema: Arrow schema of the data file: without the partition columns.
        columns: names of the columns, or dotted paths of fields below them; by default the first 32.

    Raises:
        KeyError: a name fits no column.
    """

    def __init__(self, schema: pa.Schema, columns: Iterable[str] | None = None) -> None:
        self.num_records = 0
        self.columns = {path: Bounds(kind, bounded=has_bounds(kind)) for path, kind in chosen(schema, columns)}

    def update(self, data: pa.Table | pa.RecordBatch) -> None:
        """Adds rows to the statistics; columns are matched by name, missing ones count as null."""
        self.num_records += data.num_rows
        for path, bounds in self.columns.items():
            array = _column(data, path)
            if array is None:
                bounds.null_count = (bounds.null_count or 0) + data.num_rows
            else:
                _include(bounds, array)


def chosen(schema: pa.Schema, columns: Iterable[str] | None, argument: str = "columns") -> list[tuple[Path, Any]]:
    """Returns path and Arrow type of the columns that get statistics, in the schema's order.

    Args:
        schema: Arrow schema of the data file.
        columns: names or dotted paths, None for the first 32.
        argument: the name of ``columns`` in errors.

    Raises:
        KeyError: a name fits no column.
        TypeError: ``columns`` is one str.
    """
    every = list(leaves(schema))
    if columns is None:
        return every[:DEFAULT_COLUMNS]
    found: dict[Path, Any] = {}
    for name in exact_list(argument, columns):
        fitting = [(path, kind) for path, kind in every if path[0] == name or is_below(path, name)]
        if not fitting:
            raise KeyError(f"{argument}: {name!r} is not a column")
        found.update(fitting)
    return [(path, kind) for path, kind in every if path in found]


def is_below(path: Path, name: str) -> bool:
    dotted = ".".join(path)
    return dotted == name or dotted.startswith(f"{name}.")


def _column(data: pa.Table | pa.RecordBatch, path: Sequence[str]) -> Any:
    if path[0] not in data.schema.names:
        return None
    array: Any = data.column(path[0])
    for name in path[1:]:
        if array.type.get_field_index(name) < 0:
            return None
        array = pc.struct_field(array, name)
    if pa.types.is_dictionary(array.type):
        array = pc.cast(array, array.type.value_type)
    if pa.types.is_run_end_encoded(array.type):
        array = pc.run_end_decode(array)
    return array


def _include(bounds: Bounds, array: Any) -> None:
    bounds.null_count = (bounds.null_count or 0) + array.null_count
    if not bounds.bounded or array.null_count == len(array):
        return
    kind = array.type
    if pa.types.is_floating(kind) and pc.any(pc.is_nan(array)).as_py():
        # Engines sort NaN above all numbers, so no bounds may exclude a file with NaN.
        bounds.bounded = False
        return
    if is_text(kind) and kind != pa.string():
        array = pc.cast(array, pa.large_string())
    if pa.types.is_float16(kind):
        array = pc.cast(array, pa.float32())
    if pa.types.is_timestamp(kind):
        low, high = pc.min_max(pc.cast(array, pa.int64())).as_py().values()
        low, high = _microseconds(low, kind.unit, math.floor), _microseconds(high, kind.unit, math.ceil)
    elif pa.types.is_date(kind):
        low, high = pc.min_max(pc.cast(pc.cast(array, pa.date32()), pa.int32())).as_py().values()
        if pa.types.is_timestamp(bounds.type):  # the column was widened from date
            low, high = low * DAY_MICROSECONDS, high * DAY_MICROSECONDS
    else:
        low, high = pc.min_max(array).as_py().values()
    bounds.include(low, high)


def _microseconds(value: int, unit: str, round_: Any) -> int:
    if unit == "ns":
        return value // 1000 if round_ is math.floor else -(-value // 1000)
    return value * {"us": 1, "ms": 1000, "s": 1_000_000}[unit]
