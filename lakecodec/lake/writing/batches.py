"""Splitting of batches into runs of rows of one partition."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...delta import PartitionCodec
from ...row import sort_indices


@dataclass(frozen=True, slots=True)
class Partition:
    """A table partition: serialized partition values in the order of the partition columns, and the directory of its files."""

    texts: tuple[str | None, ...]
    directory: str


class Splitter:
    """Casts batches to the table's types and splits them where a serialized partition value changes.

    Partitions are distinguished by serialized values (PROTOCOL.md, Partition Value Serialization): equal values may
    have different texts (0.0 and -0.0), and different values equal texts (null and the empty text).
    """

    def __init__(self, schema: pa.Schema, codec: PartitionCodec) -> None:
        self._codec = codec
        self._names = [item.name for item in codec.columns]
        self._schema = schema
        self._file_names = [name for name in schema.names if name not in self._names]
        self._last: Partition | None = None

    def split(self, table: pa.Table) -> Iterator[tuple[Partition, pa.Table]]:
        """Yields (partition, rows without partition columns) per run of rows of one partition.

        Raises:
            EncodeError: a partition value cannot be serialized.
        """
        if not table.num_rows:
            return
        typed = pa.Table.from_arrays(
            [_cast(table[field.name], field.type) for field in self._schema], schema=self._schema
        )
        rows = typed.select(self._file_names)
        if not self._names:
            yield Partition((), ""), rows
            return
        texts = self.texts(typed)
        changes = np.flatnonzero(np.any([_changes(array) for array in texts], axis=0)) + 1
        edges = [0, *changes.tolist(), table.num_rows]
        for start, end in itertools.pairwise(edges):
            yield self._partition(typed, texts, start), rows.slice(start, end - start)

    def texts(self, table: pa.Table) -> list[pa.StringArray]:
        """Returns the serialized partition values of every row, one string array per partition column."""
        return [self._codec.serialize_array(name, table[name]) for name in self._names]

    def codes(self, table: pa.Table) -> list[pa.Int32Array]:
        """Returns int32 codes, equal for equal serialized values (null is -1), one array per partition column."""
        return [_codes(array) for array in self.texts(table)]

    def _partition(self, table: pa.Table, texts: Sequence[pa.StringArray], row: int) -> Partition:
        key = tuple(array[row].as_py() for array in texts)
        if self._last is None or self._last.texts != key:
            if self._codec.random_prefix_length:
                keys = [column.key for column in self._codec.columns]
                directory = self._codec.directory(self._codec.parse(dict(zip(keys, key, strict=True))))
            else:
                directory = self._codec.directory_array(table.select(self._names).slice(row, 1))[0].as_py()
            self._last = Partition(key, directory)
        return self._last


def _changes(texts: pa.StringArray) -> NDArray[np.bool_]:
    codes = _codes(texts).to_numpy()
    changed: NDArray[np.bool_] = codes[1:] != codes[:-1]
    return changed


def _codes(texts: pa.StringArray) -> pa.Int32Array:
    return texts.dictionary_encode().indices.fill_null(-1)


def _cast(column: Any, kind: pa.DataType) -> Any:
    return column if column.type == kind else column.cast(kind)


#: Bytes of Arrow data that are sorted together. Larger tasks are sorted in parts.
SORT_BYTES = 512 << 20
#: Rows of a sorted table that are passed on at once.
_SLICE = 1 << 16


def z_sorted(tables: Iterable[pa.Table], key: str, splitter: Splitter) -> Iterator[pa.Table]:
    """Yields the rows sorted by partition and then by ``key``, in tables without that column.

    Up to 512 MiB of Arrow data are sorted at once; of larger data each part is sorted separately.
    """
    waiting: list[pa.Table] = []
    size = 0
    for table in tables:
        waiting.append(table)
        size += table.nbytes
        if size >= SORT_BYTES:
            yield from _sorted(waiting, key, splitter)
            size = 0
    if waiting:
        yield from _sorted(waiting, key, splitter)


def _sorted(waiting: list[pa.Table], key: str, splitter: Splitter) -> Iterator[pa.Table]:
    table = pa.concat_tables(waiting).combine_chunks()
    waiting.clear()
    codes = splitter.codes(table)
    names = [str(index) for index in range(len(codes) + 1)]
    keys = pa.table([*codes, table[key]], names=names)
    order = sort_indices(keys, [(name, "ascending") for name in names])
    rows = table.drop_columns([key])
    for start in range(0, len(order), _SLICE):
        yield rows.take(order.slice(start, _SLICE))
