"""Chunks of columns, without the rest of a footer."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from ....generated.parquet import Statistics
from ....runtime.errors import DecodeError
from ..reads import Chunk, Reads
from ..trees import column_of
from .read import statistics_of
from .tables import FORMAT, View, tables

#: The numeric fields of a table of statistics.
_STATISTICS = (
    "null_count", "distinct_count", "min_lo4", "min_lo8", "min_hi8", "min_len", "max_lo4", "max_lo8", "max_hi8", "max_len",
)  # fmt: skip


def find(file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]:
    """Returns the chunks of columns, in the order of the file. Reads all bytes, but decodes only tables on the way to
    the chunks.

    The checksum is not compared.

    Raises:
        DecodeError: the file has another footer.
        KeyError: there is no column of a path.
    """
    size = tables.File.open(file).tail.flatbuffer_size
    if size + 16 > file.size:
        raise DecodeError("the footer length is over the size of the file", format=FORMAT, path="tail.flatbuffer_size")
    try:
        return list(_found(bytes(file.read(file.size - 16 - size, size)), columns, statistics))
    except (struct.error, IndexError):
        raise DecodeError("a table is not where it should be", format=FORMAT, path="flatbuffer") from None


def _found(data: bytes, columns: Sequence[tuple[str, ...]], statistics: bool) -> Iterator[Chunk]:
    root = View(data, tables.FileMetaData, struct.unpack_from("<I", data)[0])
    elements = root.vector("schema_at", tables.SchemaElement)
    children = [each.number("num_children") or 0 for each in elements]
    texts = [each.read("name_at", tables.Text) for each in elements]
    names = ["" if each is None else each.text for each in texts]
    numbers = sorted({column_of(names, children if any(children[1:]) else [], path) for path in columns})
    kinds = [each.number("type") for each in elements if not each.number("num_children")]
    for group in root.vector("row_groups_at", tables.RowGroup):
        for number in numbers:
            chunk = group.table("columns_at", tables.ColumnChunk, number)
            meta = chunk.table("metadata_at", tables.ColumnMetadata)
            places = meta.number("data_page_offset") or 0, meta.number("total_compressed_size") or 0
            is_asked = statistics and meta.number("statistics_at")
            found = _statistics(meta.table("statistics_at", tables.Statistics)) if is_asked else None
            known = statistics_of(kinds[number], found) or Statistics()
            yield Chunk(*places, known.null_count, known.min_value, known.max_value)


def _statistics(table: View) -> Any:
    """Returns the fields of a table of statistics, as attributes."""
    prefix = table.read("prefix_at", tables.Bytes)
    return SimpleNamespace(prefix=prefix, **{name: table.number(name) for name in _STATISTICS})
