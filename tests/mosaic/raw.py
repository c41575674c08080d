"""Mosaic files put together by hand, byte by byte, whether they make sense or not."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import zstandard

NONE, ZSTD = 0, 1


def uvarint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def sized(data: bytes) -> bytes:
    return uvarint(len(data)) + data


def frame(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(data)


def column(name: bytes, descriptor: bytes, shared: int = 0) -> bytes:
    return uvarint(shared) + sized(name) + descriptor


def schema(*columns: bytes, num_buckets: int = 1, names: bytes = b"\0", order: bytes | None = None) -> bytes:
    """A schema body; without ``order`` the columns stand in sorted order."""
    if order is None:
        order = b"\0" + b"\2" * (len(columns) - 1) if columns else b""
    return uvarint(len(columns)) + uvarint(num_buckets) + names + b"".join(columns) + order


def entry(bucket: int, offset: int, stored: int, inflated: int) -> bytes:
    return uvarint(bucket) + struct.pack(">Q", offset) + uvarint(stored) + uvarint(inflated)


def row_group(num_rows: int, *entries: bytes, stats: Sequence[bytes] = ()) -> bytes:
    return uvarint(num_rows) + uvarint(len(entries)) + b"".join(entries) + uvarint(len(stats)) + b"".join(stats)


def file(
    buckets: bytes,
    body: bytes,
    *row_groups: bytes,
    num_buckets: int = 1,
    num_row_groups: int | None = None,
    compression: int = NONE,
    version: int = 1,
    magic: bytes = b"MOSA",
    inflated: int | None = None,
    stored: bytes | None = None,
) -> bytes:
    """A file of any sections; ``stored`` takes the place of the compressed schema, ``inflated`` that of its size."""
    index = b"".join(row_groups)
    if stored is None:
        stored = frame(body) if compression == ZSTD else body
    block = struct.pack(">I", len(body) if inflated is None else inflated) + stored
    count = len(row_groups) if num_row_groups is None else num_row_groups
    start = len(buckets)
    footer = struct.pack(">QQIIBBH4s", start + len(block), start, num_buckets, count, compression, version, 0, magic)
    return buckets + block + index + footer


def one_bucket(bucket: bytes, num_rows: int, *columns: bytes, stats: Sequence[bytes] = ()) -> bytes:
    """An uncompressed file of one row group and one bucket."""
    return file(bucket, schema(*columns), row_group(num_rows, entry(0, 0, len(bucket), len(bucket)), stats=stats))


def one_paged_bucket(bucket: bytes, num_rows: int, *columns: bytes) -> bytes:
    """A compressed file of one row group and one bucket with a block a column."""
    return file(bucket, schema(*columns), row_group(num_rows, entry(0, 0, len(bucket), 0)), compression=ZSTD)


def paged(*pages: bytes, head: bytes = b"") -> bytes:
    """A bucket with a block a column; no bytes for columns without values."""
    slots = [page and uvarint(len(page)) + frame(page) for page in pages]
    return head + struct.pack(f"<{len(slots)}I", *map(len, slots)) + b"".join(slots)


#: Columns called x of some types, and the front of a bucket of one such column without nulls.
BYTE = column(b"x", b"\x01\x01")
INT = column(b"x", b"\x03\x01")
TEXT = column(b"x", b"\x0a\x01")
LIST = column(b"x", b"\x12\x01" + sized(b"item") + b"\x01\x01")
MAP = column(b"x", b"\x13\x01" + sized(b"entries") + sized(b"key") + b"\x01\x00" + sized(b"value") + b"\x01\x01")
PLAIN = b"\0\0"
#: A bucket of an INT that is 1 and 2.
TWO = PLAIN + struct.pack(">ii", 1, 2)
