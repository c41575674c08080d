"""Sorting and merging of more rows than memory holds, by row keys."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..runtime.arrow_data import table_of
from .sort import SortColumns, arranged, order_of
from .sort_keys import Placement, SortKeys

#: The least and the most bytes of a batch in a file of sorted rows. A merge keeps one batch per file in memory.
_LEAST_PART, _MOST_PART = 64 << 10, 4 << 20
#: A merge takes about this many times the bytes of a batch per file: rows as read and decompressed, keys, order, output.
_MERGE_COPIES = 8
#: Bytes per row while keys are sorted: three numbers, besides the row, its key and the key's offset.
_SORT_BYTES = 24
#: Bytes per row while rows are reordered: the row's number, besides the row before and after.
_TAKE_BYTES = 9
#: Rows whose keys are made to estimate the size of all keys.
_SAMPLE = 1000


def sort_batches(
    batches: Any,
    sort_keys: SortKeys,
    *,
    memory_limit: int = 1 << 30,
    null_placement: Placement | None = None,
    directory: str | Path | None = None,
) -> pa.RecordBatchReader:
    """Returns a reader of all rows in the order of `sort_indices`; the sort is stable.

    Rows are sorted in runs that fit into memory and merged. Where more than one run is needed, runs are kept in temporary
    files, which are gone when the reader is exhausted, closed or dropped.

    Args:
        batches: a reader, a table or an iterable of record batches or tables with one schema.
        sort_keys: as in `sort_indices`.
        null_placement: as in `sort_indices`.
        memory_limit: about how many bytes rows and their keys may take, without the caller's own data.
        directory: parent of the temporary directory; by default the system's.

    Raises:
        TypeError: ``batches`` is not Arrow data, or ``memory_limit`` not an int.
        ValueError: there are no batches, their schemas differ, ``memory_limit`` is less than 1 MiB, or as in `sort_indices`.
        KeyError: as in `sort_indices`.
    """
    _require_limit(memory_limit)
    parts = iter(_parts(batches, "batches"))
    first = next(parts, None)
    if first is None:
        raise ValueError("batches: at least one is needed; an empty batch has the schema")
    columns = SortColumns.of(first.schema, sort_keys, null_placement)
    stack = ExitStack()
    try:
        runs = _Runs(stack, directory, columns, memory_limit)
        for part in _chain(first, parts):
            runs.add(part)
        return pa.RecordBatchReader.from_batches(first.schema, _closing(stack, runs.sorted()))
    except BaseException:
        stack.close()
        raise


def merge(
    sources: Sequence[Any], sort_keys: SortKeys, *, null_placement: Placement | None = None
) -> pa.RecordBatchReader:
    """Returns a reader of the rows of several sorted sources in order; equal rows come in the order of their sources.

    One batch of each source is in memory at a time.

    Args:
        sources: readers, tables or iterables of record batches, all with one schema, each in the order of ``sort_keys``.
        sort_keys: as in `sort_indices`.
        null_placement: as in `sort_indices`.

    Raises:
        TypeError: a source is not Arrow data.
        ValueError: there is no source, schemas differ, or as in `sort_indices`; while reading: a source is not sorted.
        KeyError: as in `sort_indices`.
    """
    if isinstance(sources, str | bytes) or not isinstance(sources, Sequence):
        raise TypeError(f"sources: a list of Arrow data is needed, not {type(sources).__name__}")
    heads: list[tuple[pa.Table, Iterator[pa.Table]]] = []
    for i, source in enumerate(sources):
        parts = iter(_parts(source, f"sources[{i}]"))
        first = next(parts, None)
        if first is None:
            continue
        if heads and first.schema != heads[0][0].schema:
            raise ValueError(f"sources[{i}]: all need one schema")
        heads.append((first, parts))
    if not heads:
        raise ValueError("sources: at least one is needed; an empty batch has the schema")
    schema = heads[0][0].schema
    columns = SortColumns.of(schema, sort_keys, null_placement)
    return pa.RecordBatchReader.from_batches(schema, _merged([_chain(*head) for head in heads], columns))


def _chain(first: pa.Table, rest: Iterator[pa.Table]) -> Iterator[pa.Table]:
    yield first
    for part in rest:
        if part.schema != first.schema:
            raise ValueError("batches: all need one schema")
        yield part


def _closing(stack: ExitStack, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    with stack:
        yield from batches


def _require_limit(limit: Any) -> None:
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise TypeError(f"memory_limit: an int is needed, not {limit!r}")
    if limit < 1 << 20:
        raise ValueError(f"memory_limit: at least 1 MiB is needed, not {limit} bytes")
    if limit >> 63:
        raise ValueError(f"memory_limit: less than 2^63 bytes are needed, not {limit}")


def _parts(source: Any, argument: str) -> Iterator[pa.Table]:
    """Yields the batches of a source, each as a table."""
    if isinstance(source, pa.RecordBatchReader):
        return (pa.Table.from_batches([batch]) for batch in source)
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__") or isinstance(source, dict):
        return iter([table_of(source, argument)])
    if not isinstance(source, Iterable) or isinstance(source, str | bytes):
        raise TypeError(f"{argument}: record batches are needed, not {type(source).__name__}")
    return (table_of(part, argument) for part in source)


class _Runs:
    """Sorted runs of the rows that were added: the last in memory, others in files."""

    def __init__(self, stack: ExitStack, directory: str | Path | None, columns: SortColumns, limit: int) -> None:
        self._stack = stack
        self._parent = directory
        self._columns = columns
        self._limit = limit // 8 * 7  # an eighth is for the new batch, and for writing the one before
        self._part = min(max(limit // 256, _LEAST_PART), _MOST_PART)
        # Merging gets half of the limit. The other half is for the last run, which stays in memory.
        self._fan_in = max(16, limit // 2 // (_MERGE_COPIES * self._part))
        self._held: list[pa.Table] = []
        self._size = 0
        self._files: list[Path] = []
        self._made = 0
        self._directory: Path | None = None

    def add(self, table: pa.Table) -> None:
        """Adds rows, the last after all before; slices of large tables are added one by one."""
        rows = max(1, int(len(table) * self._limit / max(self._cost(table), 1)))
        for start in range(0, max(len(table), 1), rows):
            part = table.slice(start, rows)
            cost = self._cost(part)
            if self._held and self._size + cost > self._limit:
                self._spill()
            self._held.append(part)
            self._size += cost

    def _cost(self, table: pa.Table) -> int:
        """Returns about how many bytes sorting the rows of a table takes at its peak.

        Rows are also counted as they come, and keys to the end: allocators and converters keep freed memory.
        """
        n, sample = len(table), table.slice(0, _SAMPLE)
        keys = self._columns.keys(sample).nbytes * n // max(len(sample), 1)
        return int(2 * table.nbytes + keys + max(_SORT_BYTES * n, table.nbytes + _TAKE_BYTES * n))

    def sorted(self) -> Iterator[pa.RecordBatch]:
        """Yields all rows in order."""
        while len(self._files) >= self._fan_in:
            # Only adjacent files are merged, so that equal rows keep their order.
            groups = [self._files[i : i + self._fan_in] for i in range(0, len(self._files), self._fan_in)]
            self._files = [self._written(_merged(list(map(_read, group)), self._columns)) for group in groups]
        last = self._last()
        if not self._files:
            yield from last.to_batches()
            return
        parts = (pa.Table.from_batches([part]) for part in self._parts(last.to_batches()))
        del last
        yield from _merged([*map(_read, self._files), parts], self._columns)

    def _last(self) -> pa.Table:
        """Returns the buffered rows in order, and empties the buffer."""
        table, self._held, self._size = pa.concat_tables(self._held).combine_chunks(), [], 0
        return arranged(table, order_of(self._columns.keys(table)))

    def _parts(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields batches in parts of the size that a merge reads."""
        for batch in batches:
            rows = max(1, len(batch) * self._part // max(batch.nbytes, 1))
            for start in range(0, len(batch), rows):
                yield batch.slice(start, rows)

    def _spill(self) -> None:
        self._files.append(self._written(iter(self._last().to_batches())))

    def _written(self, batches: Iterator[pa.RecordBatch]) -> Path:
        if self._directory is None:
            self._directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(dir=self._parent)))
        path = self._directory / f"{self._made}.arrow"
        self._made += 1
        options = pa.ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, self._columns.schema, options=options) as writer:
            for part in self._parts(batches):
                writer.write_batch(part)
        return path


def _read(path: Path) -> Iterator[pa.Table]:
    with pa.OSFile(str(path), "rb") as file:
        reader = pa.ipc.open_file(file)
        for i in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(i)])
    path.unlink()


class _Head:
    """The rows of a source that were read and not yet returned, with their keys."""

    def __init__(self, number: int, parts: Iterator[pa.Table], columns: SortColumns) -> None:
        self.number = number
        self._parts = parts
        self._columns = columns
        self._last: bytes | None = None
        self.rows: pa.Table | None = None
        self.advance()

    def advance(self) -> None:
        """Reads the next rows; ``rows`` is None after the last."""
        self.rows = next((part for part in self._parts if len(part)), None)
        if self.rows is None:
            return
        self._keys = self._columns.keys(self.rows)
        self._start = 0
        if self._last is not None and self._keys[0].as_py() < self._last:
            raise ValueError(f"sources[{self.number}]: the rows are not in the order of sort_keys")
        self._last = self.end = self._keys[len(self._keys) - 1].as_py()

    def take(self, bound: bytes, equal: bool) -> tuple[pa.Table, pa.Array] | None:
        """Returns the rows below the bound, or equal to it where ``equal``, and their keys; None if there are none."""
        assert self.rows is not None
        low, high = self._start, len(self._keys)
        while low < high:
            middle = (low + high) // 2
            key = self._keys[middle].as_py()
            if key < bound or (equal and key == bound):
                low = middle + 1
            else:
                high = middle
        start, self._start = self._start, low
        if low == start:
            return None
        taken = self.rows.slice(start, low - start), self._keys.slice(start, low - start)
        if low == len(self._keys):
            self.advance()
        return taken


def _merged(sources: Sequence[Iterator[pa.Table]], columns: SortColumns) -> Iterator[pa.RecordBatch]:
    """Yields the rows of sorted sources in order.

    All rows up to the smallest last key of the batches in memory are returned together. Rows equal to it come from
    the source that has it and those before: one after it may have to wait for rows that are still to be read.
    """
    heads = [head for i, parts in enumerate(sources) if (head := _Head(i, parts, columns)).rows is not None]
    while heads:
        bound, number = min((head.end, head.number) for head in heads)
        taken = [found for head in heads if (found := head.take(bound, head.number <= number)) is not None]
        heads = [head for head in heads if head.rows is not None]
        rows = pa.concat_tables([table for table, _ in taken])
        if len(taken) > 1:
            rows = arranged(rows, order_of(pa.concat_arrays([keys for _, keys in taken])))
        yield from rows.combine_chunks().to_batches()
