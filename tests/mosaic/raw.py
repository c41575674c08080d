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
) -> bytes:
    index = b"".join(row_groups)
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
