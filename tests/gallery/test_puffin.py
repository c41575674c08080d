"""Puffin files that Apache Iceberg's Java library wrote; what they hold is what its Rust twin expects of them."""

from __future__ import annotations

import json
import struct

import pyarrow as pa
import pytest

from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.json_object import JsonObject

from ..paths import DATA
from .gallery import Gallery

PUFFIN = Gallery("puffin", oracle=False)
FILES = DATA / "puffin"
BLOBS = [b"abcdefghi", f"some blob \0 binary data \U0001f92f that is not{' very' * 6} long, is it?".encode()]


def sample(name: str) -> bytes:
    return (FILES / f"{name}.bin").read_bytes()


def by_the_specification(data: bytes) -> dict[str, list[tuple[str, bytes]]]:
    """The blobs of a file by their types, found from its end as the specification says."""
    size, flags, magic = struct.unpack("<iI4s", data[-12:])
    assert (flags, magic, data[:4], data[-16 - size : -12 - size]) == (0, *3 * [b"PFA1"])
    footer = json.loads(data[-12 - size : -12])
    return {
        "blobs": [(each["type"], data[each["offset"] : each["offset"] + each["length"]]) for each in footer["blobs"]],
        **footer.get("properties", {}),
    }


def test_plain_blobs() -> None:
    found = PUFFIN.round_trip(sample("sample-metric-data-uncompressed"))
    first, second = found.footer.metadata.blobs
    assert found.blobs == BLOBS
    assert (first.type, first.fields, first.snapshot_id, first.sequence_number) == ("some-blob", [1], 2, 1)
    assert (second.type, second.offset, second.length, second.compression_codec) == ("some-other-blob", 13, 83, None)
    assert found.footer.metadata.properties.created_by == "Test 1234"


def test_compressed_blobs() -> None:
    found = PUFFIN.round_trip(sample("sample-metric-data-compressed-zstd"))
    assert {each.compression_codec for each in found.footer.metadata.blobs} == {"zstd"}
    pairs = zip(found.blobs, BLOBS, strict=True)
    assert [pa.decompress(blob, len(wanted), "zstd", asbytes=True) for blob, wanted in pairs] == BLOBS


def test_no_blobs() -> None:
    assert PUFFIN.round_trip(sample("empty-puffin-uncompressed")).blobs == []


def test_changed_file() -> None:
    """Places, lengths and the footer's size follow from the blobs."""
    found = PUFFIN.round_trip(sample("sample-metric-data-uncompressed"))
    found.blobs[0] = bytes(1000)
    found.blobs.insert(1, b"new")
    found.footer.metadata.blobs.insert(1, JsonObject(type="third", fields=[], snapshot_id=2, sequence_number=1))
    data = found.to_bytes()
    assert by_the_specification(data) == {
        "blobs": [("some-blob", bytes(1000)), ("third", b"new"), ("some-other-blob", BLOBS[1])],
        "created-by": "Test 1234",
    }
    assert PUFFIN.round_trip(data).blobs == found.blobs


def test_new_file() -> None:
    p = PUFFIN.module
    metadata = JsonObject(blobs=[JsonObject(type="a", fields=[1], snapshot_id=1, sequence_number=1)])
    made = p.File(blobs=[b"xyz"], footer=p.Footer(metadata=metadata), tail=p.Tail(flags=0))
    assert by_the_specification(made.to_bytes()) == {"blobs": [("a", b"xyz")]}


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (b'"offset":13', b'"offset":1e', "JSON"),
        (b'"offset":13', b'"offset":"x"', None),
        (b'"offset":13', b'"offset":1.5', None),
        (b'"offset":13', b'"offset":-4', "outside"),
        (b'"length":83', b'"length":9999', "outside"),
        (b'"length":83', b'"length":null', None),
        (b'{"blobs":[', b'{"blobs":9,"x":[', None),
        (b'{"blobs":[', b'{"others":[', None),
    ],
)
def test_footers_that_cannot_be(old: bytes, new: bytes, rule: str | None) -> None:
    data = sample("sample-metric-data-uncompressed")
    changed = data.replace(old, new)
    size = struct.unpack("<i", data[-12:-8])[0] + len(changed) - len(data)
    with pytest.raises(DecodeError, match=rule):
        PUFFIN.module.File.from_bytes(changed[:-12] + struct.pack("<i", size) + changed[-8:])


def test_damage() -> None:
    assert PUFFIN.damage(sample("sample-metric-data-uncompressed")) > 30
