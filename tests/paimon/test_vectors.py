"""Deletion vectors of 64-bit numbers, put together by hand as the IDL declares them."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from lakecodec import DecodeError
from lakecodec.paimon.manifests import Vector
from lakecodec.paimon.table import PaimonTable
from lakecodec.paimon.vectors import deleted_rows


def stored(positions: list[int]) -> bytes:
    """A vector in a file, of arrays alone."""
    buckets: dict[int, dict[int, list[int]]] = {}
    for each in positions:
        buckets.setdefault(each >> 32, {}).setdefault(each >> 16 & 0xFFFF, []).append(each & 0xFFFF)
    body = struct.pack("<IQ", 1681511377, len(buckets))
    for upper, containers in buckets.items():
        body += struct.pack("<III", upper, 12346, len(containers))
        place = 8 + 8 * len(containers)
        body += b"".join(struct.pack("<HH", key, len(values) - 1) for key, values in containers.items())
        for values in containers.values():
            body += struct.pack("<I", place)
            place += 2 * len(values)
        body += b"".join(struct.pack(f"<{len(values)}H", *values) for values in containers.values())
    return struct.pack(">I", len(body)) + body + struct.pack(">I", zlib.crc32(body))


FIRST, SECOND = [0, 3, 70_000, 2**32 + 5, 2**40], [1, 2]


@pytest.mark.parametrize("envelope", [0, 8], ids=["without", "with"])
def test_vectors_of_64_bits(tmp_path: Path, envelope: int) -> None:
    """Manifests of Java state the length of such a vector with its envelope, those of 32 bits without."""
    parts = stored(FIRST), stored(SECOND), stored([])
    (tmp_path / "v").write_bytes(b"\1" + b"".join(parts))
    table, offset = PaimonTable(tmp_path), 1
    for part, expected in zip(parts, (FIRST, SECOND, []), strict=True):
        vector = Vector("v", offset, len(part) - 8 + envelope, len(expected))
        assert deleted_rows(table, vector).tolist() == expected
        offset += len(part)


def test_broken_vectors_of_64_bits(tmp_path: Path) -> None:
    whole = stored(FIRST)
    table = PaimonTable(tmp_path)
    vector = Vector("v", 0, len(whole) - 8, len(FIRST))
    for place in range(len(whole)):
        (tmp_path / "v").write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DecodeError):
            deleted_rows(table, vector)
    (tmp_path / "v").write_bytes(whole)
    with pytest.raises(DecodeError, match="has 5 rows, the manifest says 4"):
        deleted_rows(table, Vector("v", 0, vector.length, 4))
