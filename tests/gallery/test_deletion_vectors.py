"""Deletion vectors that Delta's own library wrote, compared with CRoaring (pyroaring), which also reads the changed ones."""

from __future__ import annotations

import io
import struct
import tarfile
import zlib

import pytest
import zstandard

from ..paths import TESTS
from .gallery import Gallery
from .test_roaring import numbers

pyroaring = pytest.importorskip("pyroaring")

VECTORS = Gallery("../deletion_vector", root="VectorFile", magic=False)
GOLDEN = TESTS / "lake" / "golden"


def files(table: str) -> list[bytes]:
    data = zstandard.ZstdDecompressor().stream_reader((GOLDEN / f"{table}.tar.zst").read_bytes()).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = [each for each in archive.getnames() if each.endswith(".bin")]
        return [archive.extractfile(name).read() for name in names]  # type: ignore[union-attr]


def judged(vector: bytes) -> list[int]:
    """The numbers of a vector behind its own magic number."""
    return list(pyroaring.BitMap64.deserialize(vector[4:]))


def rows(vector: object) -> list[int]:
    return [(each.upper << 32) + n for each in vector.buckets for n in numbers(each.lower)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("table", ["dv-with-columnmapping", "log-replay-dv-key-cases", "cdf-table-with-dv"])
def test_files_of_delta(table: str) -> None:
    for data in files(table):
        found = VECTORS.round_trip(data)
        assert found.vectors
        for each in found.vectors:
            assert rows(each.vector) == judged(each.vector.to_bytes())
            assert rows(each.vector)


def test_changed_vector() -> None:
    found = VECTORS.round_trip(files("cdf-table-with-dv")[0])
    vector = found.vectors[0].vector
    (container,), key = vector.buckets[0].lower.containers, vector.buckets[0].lower.keys[0]
    container.values = [*container.values, 65000]
    key.others += 1
    wanted = rows(vector)
    data = VECTORS.write(found)
    (size,) = struct.unpack_from(">I", data, 1)
    assert judged(data[5 : 5 + size]) == wanted
    assert struct.unpack_from(">I", data, 5 + size) == (zlib.crc32(data[5 : 5 + size]),)


def test_damage() -> None:
    data = files("cdf-table-with-dv")[0]
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x10
        assert VECTORS.refuses("VectorFile", bytes(damaged)), place
    assert VECTORS.damage(data) > 100
