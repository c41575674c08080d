"""What a module compiled from deletion_vector.idl does: vectors with all kinds of containers, whole and broken."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

from .outcomes import attempt, shown

#: Bitmaps of CRoaring: arrays without runs, and five containers of runs.
_ARRAY = bytes.fromhex("3a30000001000000000006001000000000000300040007000b0012001d00")
_RUNS = bytes.fromhex(
    "3b3004001f00002b01010021010200170103000d01040003012d00000033000000390000003f00000045000000010000"
    "002b0101000a00210101001400170101001e000d01010028000301"
)


def _plain(*counts: int) -> bytes:
    """A bitmap without runs, of containers of so many numbers."""
    data = struct.pack("<II", 12346, len(counts)) + b"".join(struct.pack("<HH", i, n - 1) for i, n in enumerate(counts))
    data += bytes(4 * len(counts))
    return data + b"".join(bytes(8192) if n > 4096 else bytes(2 * n) for n in counts)


def _with_runs(count: int, bits: bytes, places: int) -> bytes:
    """A bitmap with runs: one run of two numbers, or an array of two numbers, a container."""
    data = struct.pack("<I", 12347 | (count - 1) << 16) + bits
    data += b"".join(struct.pack("<HH", i, 1) for i in range(count)) + bytes(4 * places)
    runs = (bits[i // 8] >> i % 8 & 1 for i in range(count))
    return data + b"".join(struct.pack("<HHH", 1, 5, 1) if run else struct.pack("<HH", 5, 6) for run in runs)


_BITMAPS = [
    _ARRAY,
    _RUNS,
    _plain(),
    *(_plain(count) for count in (1, 2, 4095, 4096, 4097, 4098)),
    _plain(4097, 3),
    *(_with_runs(count, b"\x15", places) for count in (1, 2, 3, 4, 5, 8) for places in (0, count)),
    *(_with_runs(count, b"\xc2\x01", places) for count in (9, 10) for places in (0, count)),
    _with_runs(2, b"\x00", 0),
    *(struct.pack("<II", cookie, 0) for cookie in (12345, 12346, 12347, 12348, 0x1303A, 0x1303B, 0x2303B, 0)),
    *(struct.pack("<II", 12346, count) + bytes(10 * count) for count in (65536, 65537)),
]


def outcome(module: Any) -> Iterator[str]:
    """All that a module does with the samples."""
    for name in ("MAGIC", "VERSION", "PLAIN_COOKIE", "RUN_COOKIE", "FEWEST_PLACES", "MOST_IN_ARRAY"):
        yield repr(getattr(module, name))
    for data in _BITMAPS:
        yield attempt(_again, module.Bitmap, data)
    for data in (_ARRAY, _RUNS):
        for position in range(len(data)):
            yield attempt(_again, module.Bitmap, data[:position] + bytes([data[position] ^ 3]) + data[position + 1 :])
            yield attempt(_again, module.Bitmap, data[:position])
    vector = struct.pack("<IQ", 1681511377, 2) + b"\1\0\0\0" + _ARRAY + b"\3\0\0\0" + _RUNS
    none = struct.pack("<IQ", 1681511377, 0)
    for data in (vector, none, vector[:-1], vector + b"\0", b"\0" + vector[1:], vector[::-1]):
        yield attempt(_again, module.DeletionVector, data)
        for wrong in (-1, 0, 1):
            for crc in (zlib.crc32(data), 0x01020304):
                stored = struct.pack(">I", len(data) + wrong) + data + struct.pack(">I", crc)
                yield attempt(_again, module.StoredVector, stored)
                yield attempt(_again, module.VectorFile, b"\1" + stored)


def _again(cls: Any, data: bytes) -> str:
    """What bytes hold, and what that is written as."""
    found = cls.from_bytes(data)
    return f"{shown(found)} {attempt(lambda: found.to_bytes().hex())}"
