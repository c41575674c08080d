"""What a module compiled from parquet_page.idl does: pages of pyarrow's files read and written back, whole and broken."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.generated.parquet import DataPageHeader, FileMetaData, PageHeader

from .outcomes import attempt, shown

_ROWS = 40
_TABLE = pa.table(
    {
        "plain": pa.array([None if n % 5 == 0 else n * 7 for n in range(_ROWS)], pa.int64()),
        "real": pa.array([n / 3 for n in range(_ROWS)], pa.float32()),
        "text": [f"n{n % 9}" for n in range(_ROWS)],
        "word": [f"abc{n}" for n in range(_ROWS)],
        "flag": [n % 3 == 0 for n in range(_ROWS)],
        "fixed": pa.array([n.to_bytes(4, "big") for n in range(_ROWS)], pa.binary(4)),
        "steps": pa.array([n * n - 90 * n for n in range(_ROWS)], pa.int32()),
        "few": pa.array([5], pa.int32()).take([0] * _ROWS),
        "wide": pa.array([n * (1 << 40) * (-1) ** n for n in range(_ROWS)], pa.int64()),
        "lengths": [f"{n * n}" for n in range(_ROWS)],
        "prefixes": [f"shared {n}" for n in range(_ROWS)],
        "split": pa.array([n / 7 for n in range(_ROWS)], pa.float64()),
        "int": pa.array(range(_ROWS), pa.int32()),
        "double": pa.array([n / 7 for n in range(_ROWS)], pa.float64()),
        "lists": pa.array([None if n % 11 == 0 else [n] * (n % 4) for n in range(_ROWS)], pa.list_(pa.int32())),
        "nothing": pa.array([None] * _ROWS, pa.int32()),
    }
)
_ENCODINGS = {
    "steps": "DELTA_BINARY_PACKED", "few": "DELTA_BINARY_PACKED", "wide": "DELTA_BINARY_PACKED",
    "lengths": "DELTA_LENGTH_BYTE_ARRAY", "prefixes": "DELTA_BYTE_ARRAY", "split": "BYTE_STREAM_SPLIT",
}  # fmt: skip


_DELTAS, _INDEXES, _BIT_PACKED = 5, 8, 4


@cache
def _pages() -> list[tuple[bytes, tuple[int, ...]]]:
    """Pages with the parameters that they are read with, two of which are broken for each that is whole."""
    rng = random.Random(7)
    made = []
    for page, parameters in _whole():
        made.append((page, parameters))
        for _ in range(2):
            broken = bytearray(page)
            broken[rng.randrange(len(page) // 3, len(page))] = rng.choice((0, 1, 2, 3, 0x7F, 0x80, 0xFF))
            made.append((bytes(broken), parameters))
    return [*made, *((_page(*each), (0, 1, 0, int(len(each) > 2), int(len(each) > 2))) for each in _made())]


def _made() -> Iterator[tuple[Any, ...]]:
    """Contents of pages that pyarrow does not write, their encodings, and that of their levels."""
    yield bytes(33), _INDEXES  # no bits an index, and as many runs as bytes
    yield b"\x20\2\1\2\3\4", _INDEXES  # 32 bits are the most
    yield b"\x21\2\1\2\3\4\5", _INDEXES
    for head in (b"\0\1", b"\1\1", b"\x80\1\0", b"\x80\1\3", b"\x80\1\4"):
        yield head + b"\1\0", _DELTAS  # blocks of no values or one, miniblocks that do and do not divide them
    ones = b"\0\1\1\1\1"
    yield b"\x20\4\x09\0" + ones + b"\xff", _DELTAS  # the first of four miniblocks is full
    yield b"\x20\4\x22\0" + ones + bytes(4) + ones + b"\1", _DELTAS  # the second block has one difference
    for width in (32, 33):
        yield b"\x08\1\2\0\0" + bytes([width]) + bytes(range(width)), _DELTAS
    yield bytes(8), 0, _BIT_PACKED
    yield b"\xff\1", None


def _page(content: bytes, encoding: int | None, levels: int = 3) -> bytes:
    """A data page, or one of an index, which has no encoding."""
    data_page = None
    if encoding is not None:
        data_page = DataPageHeader(
            num_values=0, encoding=encoding, definition_level_encoding=levels, repetition_level_encoding=levels
        )
    header = PageHeader(
        type=0 if data_page else 1,
        uncompressed_page_size=len(content),
        compressed_page_size=len(content),
        data_page_header=data_page,
    )
    return header.to_bytes() + content


def _whole() -> Iterator[tuple[bytes, tuple[int, ...]]]:
    for version, compression in (("1.0", "none"), ("2.0", "none"), ("1.0", "snappy"), ("2.0", "zstd")):
        sink = io.BytesIO()
        pq.write_table(
            _TABLE, sink, data_page_version=version, compression=compression, use_dictionary=["text"],
            column_encoding=_ENCODINGS,
        )  # fmt: skip
        data = sink.getvalue()
        metadata, _ = FileMetaData.read(data[-8 - int.from_bytes(data[-8:-4], "little") : -8])
        schema = pq.ParquetFile(io.BytesIO(data)).schema
        for number, chunk in enumerate(metadata.row_groups[0].columns):
            meta, column = chunk.meta_data, schema.column(number)
            parameters = (
                meta.codec,
                meta.type,
                column.length,
                column.max_repetition_level,
                column.max_definition_level,
            )
            pos = meta.dictionary_page_offset or meta.data_page_offset
            end = pos + meta.total_compressed_size
            while pos < end:
                header, start = PageHeader.read(data, pos)
                stop = start + header.compressed_page_size
                yield data[pos:stop], tuple(map(int, parameters))
                pos = stop


def outcome(module: Any) -> Iterator[str]:
    for page, parameters in _pages():
        yield attempt(_read, module, page, parameters)


def _read(module: Any, page: bytes, parameters: tuple[int, ...]) -> str:
    found = module.Page.from_bytes(page, *parameters)
    return f"{shown(found)} {shown(found.header)} {found.to_bytes() == page}"
