"""Data skipping by the log: selects the files that can match by partition values and statistics."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ...delta import PartitionCodec
from ..log import StatisticsReader
from ..log.deletion_vectors import cardinality
from .certain import always_matches
from .parts import ScanFile
from .predicate import Bound, Name, column_names
from .pruning import Known, Lookup, may_match
from .variant_parts import part_of


def select_files(table: pa.Table, schema: pa.Schema, codec: PartitionCodec, predicate: Bound | None) -> list[ScanFile]:
    """Returns the files that can hold rows for which ``predicate`` is true, in the log's order.

    Args:
        table: the files, see `Snapshot.files_table`.
        schema: Arrow schema of the table.
        codec: codec of the table's partition values.
        predicate: bound predicate, None for all rows.

    Raises:
        DecodeError: a partition value of the log does not fit its column's type.
    """
    partition_columns = [column.name for column in codec.columns]
    every = _scan_files(table, codec)
    if predicate is None:
        return every
    names = column_names(predicate)
    partitions = _Partitions(codec, predicate)
    chosen = [number for number, file in enumerate(every) if partitions.may_match(file.values)]
    wanted = [name for name in names if name not in partition_columns]
    if wanted:
        reader = _statistics(schema, wanted)
        stats = table["stats"].take(pa.array(chosen, pa.int64())).to_pylist()
        chosen = [
            number
            for number, text in zip(chosen, stats, strict=True)
            if may_match(predicate, _both(partitions.lookup(every[number].values), _from_log(reader, text)))
        ]
    return [every[number] for number in chosen]


def certain_files(table: pa.Table, schema: pa.Schema, codec: PartitionCodec, predicate: Bound) -> set[int]:
    """Returns the numbers of the files whose rows all match; arguments as in `select_files`."""
    partition_columns = [column.name for column in codec.columns]
    partitions = _Partitions(codec, predicate)
    reader = _statistics(schema, [name for name in column_names(predicate) if name not in partition_columns])
    return {
        file.number
        for file, text in zip(_scan_files(table, codec), table["stats"].to_pylist(), strict=True)
        if always_matches(predicate, _both(partitions.lookup(file.values), _from_log(reader, text)))
    }


def _statistics(schema: pa.Schema, names: list[str]) -> StatisticsReader:
    """Returns the reader of statistics of columns and of variants' parts; the latter have no null counts."""
    parts = {name: part for name in names if (part := part_of(name)) is not None}
    return StatisticsReader(
        schema,
        [name for name in names if name not in parts],
        {(name,): (part.column, part.steps, part.type) for name, part in parts.items()},
    )


class _Partitions:
    """Bounds from partition values; each combination is parsed once."""

    def __init__(self, codec: PartitionCodec, predicate: Bound) -> None:
        self._codec = codec
        self._predicate = predicate
        self._known: dict[tuple[str | None, ...], Mapping[Name, Known]] = {}
        self._matching: dict[tuple[str | None, ...], bool] = {}

    def may_match(self, texts: tuple[str | None, ...]) -> bool:
        if (found := self._matching.get(texts)) is None:
            found = self._matching[texts] = may_match(self._predicate, self.lookup(texts))
        return found

    def lookup(self, texts: tuple[str | None, ...]) -> Lookup:
        if (known := self._known.get(texts)) is None:
            keys = [column.key for column in self._codec.columns]
            values = self._codec.parse(dict(zip(keys, texts, strict=True)))
            known = self._known[texts] = {(name,): _constant(value) for name, value in values.items()}
        return known.get


def _constant(value: Any) -> Known:
    """Returns the bounds of a column with the same value in all rows."""
    if value is None:
        return Known(nulls=1, rows=1)
    if value != value:  # NaN is above all numbers
        return Known(math.inf, math.inf, 0)
    return Known(value, value, 0, with_nan=False)


def _from_log(reader: StatisticsReader, text: str | None) -> Lookup:
    stats = reader.parse(text)

    def lookup(path: Name) -> Known:
        high = stats.max.get(path)
        # Bounds of variants' parts include NaN, which is above all numbers.
        with_nan = high is None or part_of(path[0]) is None
        return Known(stats.min.get(path), high, stats.null_count.get(path), stats.num_records, with_nan)

    return lookup


def _both(first: Lookup, second: Lookup) -> Lookup:
    def lookup(path: Name) -> Known | None:
        return first(path) or second(path)

    return lookup


def _scan_files(table: pa.Table, codec: PartitionCodec) -> list[ScanFile]:
    keys = [column.key for column in codec.columns]
    columns = [table[name].to_pylist() for name in ("path", "size", "num_records", "deletion_vector")]
    values: list[dict[str, str | None]] = (
        [dict(pairs or ()) for pairs in table["partition_values"].to_pylist()] if keys else [{}] * table.num_rows
    )
    return [
        ScanFile(
            path,
            size,
            rows if rows is None or vector is None else rows - cardinality(json.loads(vector)),
            tuple(texts.get(key) for key in keys),
            number,
            vector,
        )
        for number, (path, size, rows, vector, texts) in enumerate(zip(*columns, values, strict=True))
    ]
