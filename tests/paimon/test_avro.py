"""Objects of Avro files beside fastavro, and files that are damaged or lie."""

from __future__ import annotations

import io
import json
import random
import struct
from typing import Any

import pytest

from lakecodec import DecodeError
from lakecodec.generated import paimon
from lakecodec.paimon.avro import read_objects
from lakecodec.paimon.avro_write import schema_of, write_objects
from lakecodec.runtime.block_codecs import ZstdStream

fastavro = pytest.importorskip("fastavro")

SCHEMA: dict[str, Any] = {
    "type": "record",
    "name": "Some",
    "fields": [
        {"name": "text", "type": "string"},
        {"name": "number", "type": "long"},
        {"name": "real", "type": "double"},
        {"name": "small", "type": "float"},
        {"name": "flag", "type": "boolean"},
        {"name": "maybe", "type": ["null", "bytes", "int"]},
        {"name": "inner", "type": {"type": "record", "name": "Inner", "fields": [{"name": "x", "type": "int"}]}},
        {"name": "again", "type": {"type": "array", "items": ["null", "Inner"]}},
        {"name": "pairs", "type": {"type": "map", "values": "long"}},
        {"name": "fixed", "type": {"type": "fixed", "name": "Four", "size": 4}},
    ],
}


def objects(count: int) -> list[dict[str, Any]]:
    return [
        {
            "text": "ü" * n,
            "number": (-1) ** n * 2 ** (n % 63),
            "real": n / 7,
            "small": n / 4,
            "flag": n % 2 == 0,
            "maybe": [None, b"x" * n, n][n % 3],
            "inner": {"x": n},
            "again": [None if k % 2 else {"x": k} for k in range(n % 5)],
            "pairs": {str(k): k for k in range(n % 3)},
            "fixed": struct.pack("<i", n),
        }
        for n in range(count)
    ]


def written(codec: str = "null", count: int = 70) -> bytes:
    sink = io.BytesIO()
    fastavro.writer(sink, SCHEMA, objects(count), codec=codec, sync_interval=500)
    return sink.getvalue()


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy"])
def test_objects_of_fastavro(codec: str) -> None:
    if codec == "snappy":
        pytest.importorskip("cramjam")
    assert list(read_objects(written(codec), "x")) == objects(70)
    assert list(read_objects(written(codec), "x", ["text", "again"]))[9] == {
        "text": "ü" * 9,
        "again": objects(10)[9]["again"],
    }


def test_manifests_by_fastavro() -> None:
    stats = {"_MIN_VALUES": b"low", "_MAX_VALUES": b"high", "_NULL_COUNTS": [None, 3]}
    entry = {
        "_VERSION": 2, "_FILE_NAME": "m", "_FILE_SIZE": 2**40, "_NUM_ADDED_FILES": 1, "_NUM_DELETED_FILES": 0,
        "_PARTITION_STATS": stats, "_SCHEMA_ID": 0, "_MIN_BUCKET": 0, "_MAX_BUCKET": None, "_MIN_LEVEL": None,
        "_MAX_LEVEL": None, "_MIN_ROW_ID": None, "_MAX_ROW_ID": None,
    }  # fmt: skip
    schema = schema_of(paimon.MANIFEST_FILE)
    assert list(fastavro.reader(io.BytesIO(write_objects(schema, [entry] * 500, "deflate")))) == [entry] * 500
    assert list(read_objects(write_objects(schema, [entry] * 500), "m")) == [entry] * 500
    for declared in (paimon.MANIFEST_ENTRY, paimon.INDEX_ENTRY):
        fastavro.parse_schema(json.loads(schema_of(declared)))


def test_damage_is_an_error_of_one_type() -> None:
    chance = random.Random(5)
    whole = {codec: written(codec, 9) for codec in ("null", "deflate")}
    refused = 0
    for number in range(600):
        data = bytearray(whole[("null", "deflate")[number % 2]])
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            list(read_objects(bytes(data[: chance.choice((None, chance.randrange(len(data))))]), "x"))
        except DecodeError:
            refused += 1
    assert refused > 400


def container(schema: Any, count: int, data: bytes) -> bytes:
    """A file of one block."""
    sink = io.BytesIO()
    fastavro.writer(sink, "string", ["x" * len(data)])
    found = sink.getvalue()
    text = json.dumps(schema).encode()
    from lakecodec.generated import avro

    file = avro.File.from_bytes(found)
    for entry in file.metadata[0].entries:
        if entry.key == "avro.schema":
            entry.value_of_key = text
    file.blocks = [avro.Block(num_objects=count, objects=data)]
    return bytes(file.to_bytes())


def record(*kinds: Any) -> dict[str, Any]:
    return {"type": "record", "name": "R", "fields": [{"name": f"f{n}", "type": kind} for n, kind in enumerate(kinds)]}


@pytest.mark.parametrize(
    ("schema", "data", "rule"),
    [
        (record({"type": "array", "items": "null"}), b"\xfe\xff\xff\xff\x0f", "items in"),
        (record("bytes"), b"\xfe\xff\xff\xff\x0f", "bytes needed"),
        (record("bytes"), b"\x01", "bytes needed"),
        (record("long"), b"\xff" * 12, "ten bytes"),
        (record(["null", "long"]), b"\x08", "a union of 2 types"),
        (record("R"), b"", "contains itself"),
        (record("int"), b"\x02\x02", "1 bytes follow"),
        (record("what"), b"", "not known"),
        ({"type": "string"}, b"", "not that of a record"),
    ],
)
def test_lies_are_refused(schema: Any, data: bytes, rule: str) -> None:
    with pytest.raises(DecodeError, match=rule):
        list(read_objects(container(schema, 1, data), "x"))


def test_types_that_double_are_refused() -> None:
    kind: Any = record("null", "null") | {"name": "T0"}
    for level in range(1, 40):
        kind = record(kind, f"T{level - 1}") | {"name": f"T{level}"}
    with pytest.raises(DecodeError, match="more than 100000 values"):
        list(read_objects(container(kind, 1, b""), "x"))


def test_many_objects_without_bytes() -> None:
    with pytest.raises(DecodeError):
        list(read_objects(container(record("null"), 2**40, b""), "x"))


def test_frames_that_hold_too_much() -> None:
    import zstandard

    bomb = zstandard.ZstdCompressor().compress(bytes(1 << 26))
    with pytest.raises(DecodeError, match="holds more than"):
        ZstdStream().decode(bomb)
    with pytest.raises(DecodeError, match="not a zstd frame"):
        ZstdStream().decode(b"something else")
