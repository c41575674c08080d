"""Columns of a file that are decoded only as far as a test of others finds wanted rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import pyarrow as pa


class RowTest(NamedTuple):
    """A test of batches.

    Attributes:
        columns: names of the file's columns that it needs.
        finds: returns True if a batch of these columns can have wanted rows.
    """

    columns: tuple[str, ...]
    finds: Callable[[pa.RecordBatch], bool]


def completed(
    batches: Iterator[pa.RecordBatch],
    test: RowTest,
    others: Callable[[], Iterator[pa.RecordBatch]],
) -> Iterator[pa.RecordBatch]:
    """Yields the batches in which a test finds wanted rows, with their other columns.

    Args:
        batches: the columns of the test.
        test: the test.
        others: returns the other columns of the same rows, in batches of any size; called if there are wanted rows.

    Raises:
        ArrowInvalid: the other columns have fewer rows.
    """
    rest: _Rows | None = None
    passed = 0
    for batch in batches:
        if not test.finds(batch):
            passed += batch.num_rows
            continue
        if rest is None:
            rest = _Rows(others())
        rest.skip(passed)
        passed = 0
        found = rest.take(batch.num_rows)
        schema = pa.schema([*batch.schema, *found.schema])
        yield pa.RecordBatch.from_arrays([*batch.columns, *found.columns], schema=schema)


class _Rows:
    """Batches by numbers of rows."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = batches

    def skip(self, rows: int) -> None:
        for _ in self._parts(rows):
            pass

    def take(self, rows: int) -> pa.RecordBatch:
        parts = list(self._parts(rows))
        return parts[0] if len(parts) == 1 else pa.Table.from_batches(parts).combine_chunks().to_batches()[0]

    def _parts(self, rows: int) -> Iterator[pa.RecordBatch]:
        """Yields the next rows."""
        while rows:
            batch = next(self._batches, None)
            if batch is None:
                raise pa.ArrowInvalid(f"the columns of the rows that match end {rows} rows before the others")
            part = batch.slice(0, rows)
            if part.num_rows < batch.num_rows:
                self._batches = chain([batch.slice(part.num_rows)], self._batches)
            rows -= part.num_rows
            yield part
