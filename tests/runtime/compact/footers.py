"""Parquet footers as pyarrow writes them, ways to break them, and what the pure backend reads of them."""

from __future__ import annotations

import io
import random
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.generated.parquet import ColumnChunk, FileMetaData

from .backends import running

#: Bytes that mean something to the protocol: headers, stops, continuation bits.
_TELLING = (0, 1, 2, 0x08, 0x15, 0x19, 0x1B, 0x1C, 0x80, 0xFC, 0xFF)


@cache
def footer(columns: int, row_groups: int, *, statistics: bool = True) -> bytes:
    """The footer of a file of integers, floats and strings with ten rows a row group."""
    rows = range(10 * row_groups)
    kinds = ([i * 2**33 for i in rows], [i / 3 for i in rows], [f"text {i % 7}" for i in rows])
    table = pa.table({f"column_{i}": kinds[i % 3] for i in range(columns)})
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=10, write_page_index=statistics, write_statistics=statistics)
    data = sink.getvalue()
    return data[-8 - int.from_bytes(data[-8:-4], "little") : -8]


def broken(data: bytes, seed: int) -> bytes:
    """``data`` with a few bytes changed, put in or taken out."""
    chance = random.Random(seed)
    bad = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        if not bad:
            break
        at = chance.randrange(len(bad))
        match chance.randrange(4):
            case 0:
                bad[at] = chance.randrange(256)
            case 1:
                bad[at:at] = bytes(chance.choices(_TELLING, k=chance.randrange(1, 12)))
            case 2:
                del bad[at : at + chance.randrange(1, 6)]
            case _:
                del bad[at + chance.randrange(len(bad)) :]
    return bytes(bad)


def chunks(metadata: FileMetaData) -> list[ColumnChunk]:
    return [chunk for group in metadata.row_groups for chunk in group.columns]


def eager(data: bytes) -> FileMetaData:
    with running("pure"):
        return FileMetaData.from_bytes(data)
