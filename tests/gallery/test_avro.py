"""Avro container files of fastavro, read and changed by their declaration."""

from __future__ import annotations

import io
from typing import Any

import pytest

from lakecodec import compile_idl

from .gallery import Gallery

AVRO = Gallery("avro")
#: The objects of SCHEMA.
OBJECTS: Any = compile_idl(
    """
    record Readings(i64 num_objects) { Reading readings[num_objects]; }
    record Reading : little {
      svarint64 size_of_station = size(station);
      utf8      station[size_of_station];
      svarint64 number;
      f64       measured;
      bool8     flag;
      svarint64 branch = tag(note);
      Note(branch) note;
    }
    variant Note(i64 branch) on branch {
      0: NOTHING;
      1: TEXT { svarint64 size_of_text = size(words); utf8 words[size_of_text]; };
    }
    """
)
SCHEMA = {
    "type": "record",
    "name": "Reading",
    "fields": [
        {"name": "station", "type": "string"},
        {"name": "count", "type": "long"},
        {"name": "value", "type": "double"},
        {"name": "flag", "type": "boolean"},
        {"name": "note", "type": ["null", "string"]},
    ],
}
ROWS = [
    {"station": f"söd {n}", "count": (-7) ** n, "value": n / 7, "flag": n % 2 == 0, "note": "x" * n if n % 3 else None}
    for n in range(20)
]
#: Metadata in a block of negative count, with its size; one block of one object; by the text of the specification.
BY_HAND = b"Obj\x01" + b"\x01\x0c\x02a\x06xyz\x00" + bytes(range(16)) + b"\x02\x02\x36" + bytes(range(16))


def written(codec: str) -> bytes:
    fastavro = pytest.importorskip("fastavro")
    stream = io.BytesIO()
    fastavro.writer(stream, SCHEMA, ROWS, codec=codec, sync_interval=300, metadata={"who": "test"})
    return stream.getvalue()


def read_again(data: bytes) -> tuple[dict[str, Any], list[Any]]:
    reader = pytest.importorskip("fastavro").reader(io.BytesIO(data))
    return reader.metadata, list(reader)


def rows(container: Any) -> list[dict[str, Any]]:
    found = []
    for block in container.blocks:
        readings = OBJECTS.Readings.from_bytes(block.objects, block.num_objects)
        found += [
            {"station": r.station, "count": r.number, "value": r.measured, "flag": r.flag, "note": _words(r.note)}
            for r in readings.readings
        ]
    return found


def _words(note: Any) -> str | None:
    return note.words if note.kind == "TEXT" else None


@pytest.mark.parametrize("codec", ["null", "deflate"])
def test_files_of_fastavro(codec: str) -> None:
    data = written(codec)
    # fastavro leaves a part of zlib's checksum behind each stream.
    container = AVRO.round_trip(data) if codec == "null" else AVRO.read("File", data)
    assert len(container.blocks) > 1
    assert container.blocks[0].how == codec.encode()
    assert rows(container) == ROWS


@pytest.mark.parametrize("codec", ["null", "deflate"])
def test_added_metadata_and_block(codec: str) -> None:
    a, o, container = AVRO.module, OBJECTS, AVRO.read("File", written(codec))
    row = {"station": "new", "count": 2**40, "value": -0.5, "flag": True, "note": None}
    note = o.Note.NOTHING()
    reading = o.Reading(station="new", number=2**40, measured=-0.5, flag=True, note=note)
    container.blocks.append(a.Block(num_objects=1, objects=o.Readings(readings=[reading]).to_bytes(1)))
    entry = a.Entry(key="added", value_of_key=b"entry")
    container.metadata.insert(0, a.Metadata(word=-1, entries=[entry]))
    data = container.to_bytes()
    metadata, found = read_again(data)
    assert found == [*ROWS, row]
    assert metadata["added"] == "entry"
    assert rows(AVRO.read("File", data)) == [*ROWS, row]


def test_blocks_that_say_their_size() -> None:
    container = AVRO.round_trip(BY_HAND)
    assert [(part.word, part.num_bytes) for part in container.metadata] == [(-1, 6), (0, None)]
    assert [(entry.key, entry.value_of_key) for entry in container.metadata[0].entries] == [("a", b"xyz")]
    assert [(block.num_objects, block.objects) for block in container.blocks] == [(1, b"\x36")]


def test_damage() -> None:
    assert AVRO.refuses("File", BY_HAND[:-1] + b"\0")
    assert AVRO.refuses("File", b"Obj\2" + BY_HAND[4:])
    assert [place for place in range(len(BY_HAND)) if not AVRO.refuses("File", BY_HAND[:place])] == [29]
    assert AVRO.damage(written("null")) > 50
    assert AVRO.damage(written("deflate")) > 50
