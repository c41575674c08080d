"""Files of pyarrow.ipc, which also reads the changed ones."""

from __future__ import annotations

import io

import pyarrow as pa
import pytest

from .gallery import Gallery

ARROW = Gallery("arrow_ipc")
SCHEMA = pa.schema([("number", pa.int64()), pa.field("word", pa.string(), nullable=False), ("real", pa.float32())])
TABLE = pa.table({"number": [1, None, 3], "word": ["a", "", "ccc"], "real": [0.5, 1, 2]}, SCHEMA)
#: Members of the union Type in Schema.fbs.
INT, FLOAT, UTF8 = 2, 3, 5


@pytest.fixture(scope="module")
def data() -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, SCHEMA) as writer:
        for start in range(3):
            writer.write_batch(TABLE.slice(start, 1).to_batches()[0])
    return stream.getvalue()


def test_schema_and_batches(data: bytes) -> None:
    found = ARROW.round_trip(data)
    fields = [(each.name.text, bool(each.nullable), each.type) for each in found.footer.schema.fields.fields]
    assert fields == [("number", True, INT), ("word", False, UTF8), ("real", True, FLOAT)]
    assert len(found.batches) == pa.ipc.open_file(data).num_record_batches == 3
    for number, batch in enumerate(found.batches):
        message = pa.ipc.read_message(pa.BufferReader(batch))
        assert pa.ipc.read_record_batch(message, SCHEMA).equals(TABLE.slice(number, 1).to_batches()[0])


def test_changed_schema(data: bytes) -> None:
    found = ARROW.round_trip(data)
    found.footer.schema.fields.fields[1].name.text = "text"
    blocks = found.footer.batches.blocks
    blocks[0], blocks[1] = blocks[1], blocks[0]
    found.batches[:2] = found.batches[1::-1]
    judge = pa.ipc.open_file(found.to_bytes())
    assert judge.schema.names == ["number", "text", "real"]
    assert judge.get_batch(0).column(2).to_pylist() == [1.0]


def test_damage(data: bytes) -> None:
    assert ARROW.damage(data) > 60
