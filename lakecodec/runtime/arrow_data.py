"""Conversion of tables and arrays of any library to ``pyarrow``, without a copy where the library exports Arrow data."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from .exact import items_of


class ArrowStream(Protocol):
    """A table of pyarrow, polars, pandas (2.2 or newer), DuckDB or any library with Arrow's C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowArray(Protocol):
    """An array or record batch of any library with Arrow's C data interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


#: A table: a `pyarrow.Table`, `RecordBatch` or `RecordBatchReader`, a data frame, or a dict of arrays by name.
TableLike: TypeAlias = "ArrowStream | ArrowArray | Mapping[str, Any]"
#: A list of columns: a table, or arrays without names.
Columns: TypeAlias = "TableLike | Sequence[Any]"


def table_of(data: Any, argument: str = "table") -> pa.Table:
    """Returns any table as a ``pyarrow.Table``; the index of a pandas frame is dropped.

    Args:
        argument: the name of the caller's argument, for messages.

    Raises:
        TypeError: ``data`` is not a table.
        ValueError: the columns differ in length, or values do not form an Arrow column.
    """
    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    try:
        if is_pandas(data):
            return pa.Table.from_pandas(data, preserve_index=False)
        if isinstance(data, Mapping):
            return pa.table({name: array_of(value, f"{argument}[{name!r}]") for name, value in data.items()})
        if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
            return pa.table(data)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{argument}: {error}") from None
    raise TypeError(
        f"{argument}: a table is needed (pyarrow, polars, pandas, a dict of arrays, whatever has __arrow_c_stream__), "
        f"not {type(data).__name__}"
    )


def array_of(data: Any, argument: str) -> pa.Array | pa.ChunkedArray:
    """Returns one column of any library (Arrow array or series, NumPy array, list of values) as a ``pyarrow`` array.

    Args:
        argument: the name of the caller's argument, for messages.

    Raises:
        TypeError: ``data`` is not an array.
        ValueError: the values do not form an Arrow column.
    """
    if isinstance(data, pa.Array | pa.ChunkedArray):
        return data
    if hasattr(data, "__arrow_c_array__"):
        return pa.array(data)
    if hasattr(data, "__arrow_c_stream__"):
        return pa.chunked_array(data)
    if isinstance(data, str | bytes) or not (hasattr(data, "__len__") and hasattr(data, "__getitem__")):
        raise TypeError(f"{argument}: an array is needed, not {type(data).__name__}")
    try:
        # pyarrow trusts the length that a sequence reports.
        return pa.array(data if type(data) is list or hasattr(data, "__array__") else items_of(data))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise ValueError(f"{argument}: {error}") from None


def is_pandas(data: Any) -> bool:
    """Returns whether ``data`` is a pandas DataFrame, whose Arrow stream would have its index as a column."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)
