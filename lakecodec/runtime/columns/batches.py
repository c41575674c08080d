"""Columns of record batches for the functions of `profile`, without one pyarrow array per column."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ..native import load

_native = load("runtime.native.columns.write")


class BatchColumns:
    """Reader of the columns of record batches with one schema.

    Each column has a length, a ``null_count`` and a ``slice(start, length)``; it need not be a pyarrow array.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = None if _native is None else _native.BatchSchema(schema.__arrow_c_schema__())

    def of(self, batch: pa.RecordBatch) -> list[Any]:
        """Returns the columns of a batch; they keep the batch alive."""
        columns: list[Any] = batch.columns if _native is None else _native.batch_columns(batch, self._schema)
        return columns


class CollectedColumns:
    """Columns of many short batches, copied one behind the other, so that each batch's own memory can be freed.

    Args:
        columns: columns of the first batch, as pyarrow arrays or of `BatchColumns`.
    """

    def __init__(self, columns: list[Any]) -> None:
        #: One copy per column. Arrays without simple buffers, and all of the pure backend, are collected in lists.
        self._grown: list[Any] = [_grown(column) for column in columns]
        self.add(columns)

    def add(self, columns: list[Any]) -> None:
        """Adds the rows of another batch with the same types and the same kinds of columns.

        Raises:
            OverflowError: a column has more than 2 GiB.
        """
        if _native is not None:
            _native.grow(self._grown, columns)
            return
        for arrays, column in zip(self._grown, columns, strict=True):
            arrays.append(column)

    def columns(self) -> list[Any]:
        """Returns columns with all rows; afterwards none can be added."""
        return [pa.concat_arrays(grown) if isinstance(grown, list) else grown.column() for grown in self._grown]


def _grown(column: Any) -> Any:
    grown = None if _native is None else _native.grown_column(column)
    return [] if grown is None else grown
