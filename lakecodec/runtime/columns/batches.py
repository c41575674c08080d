"""Columns of record batches as the functions of `profile` take them, without a pyarrow array for each."""

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
        """Returns the columns of a batch, which they keep alive."""
        columns: list[Any] = batch.columns if _native is None else _native.batch_columns(batch, self._schema)
        return columns


class CollectedColumns:
    """Columns of many short batches, copied one behind the other: what a batch takes beside its values is given back.

    Args:
        columns: those of the first batch, pyarrow arrays or others.
    """

    def __init__(self, columns: list[Any]) -> None:
        #: Arrays that have no simple buffers, and all those of the pure backend, wait in lists.
        self._grown: list[Any] = [_grown(column) for column in columns]
        self.add(columns)

    def add(self, columns: list[Any]) -> None:
        """Adds the rows of another batch with the same types, arrays and others at the same places.

        Raises:
            OverflowError: a column has more than 2 GiB.
        """
        if _native is not None:
            _native.grow(self._grown, columns)
            return
        for arrays, column in zip(self._grown, columns, strict=True):
            arrays.append(column)

    def columns(self) -> list[Any]:
        """Returns columns with all rows; no more can be added then."""
        return [pa.concat_arrays(grown) if isinstance(grown, list) else grown.column() for grown in self._grown]


def _grown(column: Any) -> Any:
    grown = None if _native is None else _native.grown_column(column)
    return [] if grown is None else grown
