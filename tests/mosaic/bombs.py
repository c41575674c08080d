"""Small files that stand for much: in blocks, names, types, row groups and rows."""

from __future__ import annotations

import struct

from .raw import (
    BYTE,
    INT,
    LIST,
    TEXT,
    ZSTD,
    column,
    entry,
    file,
    one_bucket,
    one_paged_bucket,
    paged,
    row_group,
    schema,
    sized,
    uvarint,
)

_MANY = [column(b"%06d" % number, b"\1\1") for number in range(1000)]


def long_frame(size: int, byte: bytes = b"\0", window: int = 0x58) -> bytes:
    """A zstd frame of equal bytes, which does not say how many; ``window`` is the descriptor of the window's size."""
    blocks, most = [], 2**17
    for start in range(0, size, most):
        length = min(most, size - start)
        last = start + length == size
        blocks.append((length << 3 | 0b10 | last).to_bytes(3, "little") + byte)
    return b"\x28\xb5\x2f\xfd\0" + bytes((window,)) + b"".join(blocks)


def block(stored: bytes, inflated: int) -> bytes:
    """A compressed bucket of two BYTE values."""
    return file(stored, schema(BYTE), row_group(2, entry(0, 0, len(stored), inflated)), compression=ZSTD)


def _doubling_rules() -> bytes:
    """The number of pair rules, and rules each of which is the one before twice: token 128 + i is 2 ** (i + 1) characters."""
    return b"\1\x14aa" + b"".join(bytes((token, token)) for token in range(128, 147))


BLOCKS = {
    "a block of 1 GB that says 10 bytes": block(long_frame(2**30), 10),
    "a block of 1 GB that says 256 MB": block(long_frame(2**30), 2**28),
    "a block of 1 GB that says 1 GB": block(long_frame(2**30), 2**30),
    "a window of 2 GB": block(long_frame(2, window=0xA8), 2),
    "a schema of 1 GB": file(b"", b"", compression=ZSTD, stored=long_frame(2**30, b"\1"), inflated=2**28),
    "a page of 1 GB": one_paged_bucket(
        struct.pack("<I", 1 + len(long_frame(2**30))) + b"\4" + long_frame(2**30), 2, BYTE
    ),
}

SCHEMAS = {
    "names that grow by a letter": file(
        b"", schema(*(column(b"a", b"\1\1", shared) for shared in range(40_000))), compression=ZSTD
    ),
    "names that grow by rules": file(
        b"", schema(*(column(b"%06d\x92" % number, b"\1\1") for number in range(1000)), names=_doubling_rules())
    ),
    "one name that grows by rules": file(b"", schema(column(b"\x93" * 1000, b"\1\1"), names=_doubling_rules())),
    "types in types": file(b"", schema(*(column(b"%06d" % n, b"\x12\1\1i" * 200 + b"\3\1") for n in range(1000)))),
}

#: Rows and elements of which there is next to nothing in the file.
ROWS = {
    "equal rows": one_bucket(b"\1\0\0\0\0\7", 2**32 - 1, INT),
    "equal texts": one_bucket(b"\1\0" + sized(bytes(1000)), 10**6, TEXT),
    "nulls": one_bucket(b"\3\0", 2**32 - 1, INT),
    "nulls in pages": one_paged_bucket(paged(b""), 2**32 - 1, INT),
    "a dictionary of one entry": one_bucket(b"\2\0\1\0\0\0\7", 2**32 - 1, INT),
    "a dictionary of a large entry": one_bucket(b"\2\0\2\0" + sized(bytes(10**5)) + b"\xff" * 200, 1600, TEXT),
    "equal elements": one_bucket(b"\1\1" + uvarint(2**31 - 1) + b"\4\0\7" + struct.pack(">i", 2**31 - 1), 1, LIST),
    "null elements": one_bucket(b"\1\1" + uvarint(2**31 - 1) + b"\x0c\0" + struct.pack(">i", 2**31 - 1), 1, LIST),
    "lists of the same length": one_bucket(b"\1\1\0\x0d\0" + bytes(4), 2**32 - 1, LIST),
    "columns of equal rows": one_bucket(b"\x55" * 250 + bytes(125) + b"\7" * 1000, 10**6, *_MANY),
    "columns without a bucket": file(b"", schema(*_MANY), row_group(2**20)),
}
