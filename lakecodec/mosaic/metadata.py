"""Metadata of Mosaic files: footer, schema, row groups, buckets and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import pyarrow as pa

from ..generated.mosaic import ColumnStats, Compression, layout_of
from ..runtime.short import ShortRepr, html_table
from .header import Header
from .layout import positions_of
from .statistics import ColumnStatistics, decode_stats

#: Row groups that a notebook shows.
_ROW_GROUPS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class BucketMetaData:
    """Entry of a bucket in the row group index (Mosaic design, section Row group index).

    Attributes:
        bucket_id: number of the bucket.
        layout: ``"monolithic"`` for one block, ``"paged"`` for a slot per column, ``"empty"`` for no bytes.
        offset: offset of its first byte in the file.
        stored_size: size in the file, in bytes.
        inflated_size: uncompressed bytes; None for paged buckets, whose slots have their own sizes, and for empty ones.
        columns: names of its columns, in sorted order.
    """

    bucket_id: int
    layout: str
    offset: int
    stored_size: int
    inflated_size: int | None
    columns: tuple[str, ...]


class RowGroupMetaData(ShortRepr):
    """Metadata of a row group.

    Attributes:
        num_rows: number of rows.
        num_buckets: number of buckets that the index lists.
        stored_size: bytes of these buckets in the file.
    """

    def __init__(self, header: Header, number: int) -> None:
        self._header = header
        self._number = number
        buckets = header.buckets
        self.num_rows = int(buckets.num_rows[number])
        self.num_buckets = int(buckets.counts[number])
        self.stored_size = int(buckets.stored[buckets.of_row_group(number)].sum())

    @cached_property
    def buckets(self) -> list[BucketMetaData]:
        """The row group's buckets, in the order of the index."""
        names, buckets = self._header.columns.names, self._header.buckets
        place = buckets.of_row_group(self._number)
        numbers = (
            each[place].tolist() for each in (buckets.bucket_ids, buckets.starts, buckets.stored, buckets.inflated)
        )
        return [
            BucketMetaData(
                bucket_id,
                layout_of(stored, inflated).name.lower(),
                start,
                stored,
                inflated or None,
                tuple(names[at] for at in positions_of(bucket_id, len(names), buckets.num_buckets)),
            )
            for bucket_id, start, stored, inflated in zip(*numbers, strict=True)
        ]

    @cached_property
    def statistics(self) -> dict[str, ColumnStatistics]:
        """Null count and bounds by column name, of the columns that have them (Mosaic design, section Statistics).

        Raises:
            DecodeError: the index breaks a rule of the format, or a bound is not a value of its type.
        """
        return read_statistics(self._header, self._number)

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        return "RowGroupMetaData", [(name, getattr(self, name)) for name in ("num_rows", "num_buckets", "stored_size")]


class FileMetaData(ShortRepr):
    """Contents of a file's footer, schema block and row group index.

    Attributes:
        version: version of the format.
        compression: ``"zstd"`` or ``"none"``.
        num_rows, num_columns, num_buckets, num_row_groups: numbers of each in the file.
        size: bytes of the file.
        schema_offset, index_offset: offsets in bytes of the schema block and of the row group index.
        schema: the ``pyarrow.Schema`` in the original column order.
        row_groups: a `RowGroupMetaData` per row group, made on first access.
    """

    def __init__(self, header: Header) -> None:
        footer = header.footer
        self.version: int = footer.version
        self.compression = Compression(footer.compression).name.lower()
        self.num_columns = len(header.columns)
        self.num_buckets: int = footer.num_buckets
        self.num_row_groups = header.buckets.num_row_groups
        self.num_rows = int(header.buckets.num_rows.sum())
        self.size = header.ranges.size
        self.schema_offset: int = footer.schema_offset
        self.index_offset: int = footer.index_offset
        self.schema: pa.Schema = header.columns.arrow
        self.row_groups: Sequence[RowGroupMetaData] = _RowGroups(header)

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        names = ("num_rows", "num_columns", "num_buckets", "num_row_groups", "compression", "size")
        return "FileMetaData", [(name, getattr(self, name)) for name in names]

    def _repr_html_(self) -> str:
        rows = [
            (str(number), f"{group.num_rows:,}", str(group.num_buckets), f"{group.stored_size:,}")
            for number, group in enumerate(self.row_groups[:_ROW_GROUPS_SHOWN])
        ]
        if (left_out := self.num_row_groups - len(rows)) > 0:
            rows.append((f"and {left_out:,} more", "", "", ""))
        return html_table(repr(self), rows, ("row group", "rows", "buckets", "bytes"))


class _RowGroups(Sequence[RowGroupMetaData]):
    """Sequence of the row groups' metadata, which is made on first access."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._made: dict[int, RowGroupMetaData] = {}

    def __len__(self) -> int:
        return self._header.buckets.num_row_groups

    @overload
    def __getitem__(self, key: int) -> RowGroupMetaData: ...
    @overload
    def __getitem__(self, key: slice) -> list[RowGroupMetaData]: ...
    def __getitem__(self, key: int | slice) -> RowGroupMetaData | list[RowGroupMetaData]:
        if isinstance(key, slice):
            return [self[number] for number in range(*key.indices(len(self)))]
        number = range(len(self))[key]
        if number not in self._made:
            self._made[number] = RowGroupMetaData(self._header, number)
        return self._made[number]

    def __iter__(self) -> Iterator[RowGroupMetaData]:
        return (self[number] for number in range(len(self)))


def read_statistics(
    header: Header, row_group: int, columns: Sequence[str] | None = None
) -> dict[str, ColumnStatistics]:
    """Returns the statistics of a row group by column name.

    Args:
        header: of the file.
        row_group: number of the row group.
        columns: names of the columns that are wanted; None for all that have statistics.

    Raises:
        DecodeError: the index breaks a rule of the format, or a bound is not a value of its type.
    """
    names = header.columns.names
    stats: dict[int, ColumnStats] = {
        place: entry
        for place, entry in enumerate(header.index.row_groups[row_group].stats)
        if columns is None or names[entry.column] in columns
    }
    decoded = decode_stats(
        stats,
        header.columns.nodes([entry.column for entry in stats.values()]),
        file=header.ranges.name,
        path=f"index.row_groups[{row_group}].stats",
        start=header.footer.index_offset,
    )
    return {names[entry.column]: found for entry, found in zip(stats.values(), decoded, strict=True)}
