"""Located records are written as they are read; whole Mosaic files are read and written by their declarations."""

from __future__ import annotations

import io
import random
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import compile_idl
from lakecodec.generated import mosaic as m
from lakecodec.runtime.errors import EncodeError

from ..compact.backends import outcome

reference = pytest.importorskip("mosaic")

c: Any = compile_idl(
    """
    record File(u8 key) {
      Head    head  at 0;
      Part(key) body at head.body_at size head.end_at - head.body_at where body.key == key else "another key";
      utf8    name[..] at head.end_at size end - 2 - head.end_at;
      u16     mark  at end - 2 where mark == 0xABCD else "no mark";
    }
    record Head : big { u16 body_at; u16 end_at; u8 version = 3; }
    record Part(u8 key) { u8 n = count(items); u8 items[n]; }

    struct Row { 1: required i32 id }
    record Rows { u8 n = count(rows); Held rows[n]; }
    record Held { Row row via compact; u8 kind via enum(Kind); }
    enum Kind { RED = 1, GREEN = 2 }

    /** Kinds by name. */
    table kinds from Rows {
      for held, place in rows
      i32    position = place;
      i64    id       = held.row.id;
      string kind     = name_of(held.kind);
      bool   red      = held.kind == RED;
      i32    all      = n;
    }
    """,
    name="located",
)


def test_offsets_are_set() -> None:
    file = c.File(head=c.Head(), body=c.Part(items=[1, 2]), name="né", mark=0xABCD)
    data = file.to_bytes(7)
    assert data == b"\0\5\0\x08\3" + b"\2\1\2" + "né".encode() + b"\xcd\xab"
    found = c.File.from_bytes(data, 7)
    assert (found.body, found.name, found.mark) == (file.body, file.name, file.mark)
    assert file.head.body_at is None
    assert (found.head.body_at, found.head.end_at, found.name, found.key) == (5, 8, "né", 7)
    assert found.to_bytes() == data
    stream = io.BytesIO()
    assert found.write_to(stream) == len(data)
    assert stream.getvalue() == data


def test_what_was_read_can_be_changed() -> None:
    file = c.File.from_bytes(c.File(head=c.Head(), body=c.Part(items=[1, 2]), name="x", mark=0xABCD).to_bytes(7), 7)
    longer = c.File(head=file.head, body=c.Part(items=[1, 2, 3]), name=file.name, mark=file.mark)
    assert longer.to_bytes(7) == b"\0\5\0\x09\3" + b"\3\1\2\3" + b"x" + b"\xcd\xab"
    assert file.head.end_at == 8


@pytest.mark.parametrize(
    ("changes", "path", "rule"),
    [
        ({"mark": 0}, "mark", "no mark"),
        ({"body": c.Part(items=[256])}, "body.items[0]", "does not fit its type"),
        ({"body": None}, "body", "Part is needed, not NoneType"),
        ({"name": 5}, "name", "a str is needed, not int"),
        ({"head": None}, "body", "its offset cannot be set"),
    ],
)
def test_bad_located_values(changes: dict[str, Any], path: str, rule: str) -> None:
    values = {"head": c.Head(), "body": c.Part(items=[1]), "name": "", "mark": 0xABCD} | changes
    with pytest.raises(EncodeError, match=rule) as caught:
        c.File(**values).to_bytes(7)
    assert (caught.value.path, caught.value.format) == (path, "located.File")


def test_places_that_a_parameter_gives_must_agree() -> None:
    data = written(compression=0)
    ref, bucket = buckets(data)[-1]
    with pytest.raises(EncodeError) as caught:
        bucket.to_bytes()
    rule = f"it takes {ref.stored} bytes at 0, but its place is {ref.stored} bytes at {ref.start}"
    assert (caught.value.path, caught.value.rule) == ("data", rule)


def test_parameters_are_needed() -> None:
    with pytest.raises(TypeError, match="needs key"):
        c.File(head=c.Head(), body=c.Part(items=[1]), name="", mark=0xABCD).to_bytes()
    with pytest.raises(TypeError, match="needs key"):
        c.File.from_bytes(b"")
    with pytest.raises(TypeError, match="takes no other"):
        c.File.open(c._lazy.Bytes(b""), key=1, other=2)


def test_tables_of_records() -> None:
    rows = c.Rows(rows=[c.Held(row=c.Row(id=5), kind=1), c.Held(row=c.Row(id=6), kind=9)])
    found = c.kinds.of(c.Rows.from_bytes(rows.to_bytes()))
    assert found.to_pylist() == [
        {"position": 0, "id": 5, "kind": "RED", "red": True, "all": 2},
        {"position": 1, "id": 6, "kind": "9", "red": False, "all": 2},
    ]
    assert found.schema == c.kinds.schema
    assert c.kinds.of(rows, columns=["id"]).column_names == ["id"]
    assert c.kinds.of(c.Rows.from_bytes(b"\0")).schema == c.kinds.schema
    with pytest.raises(KeyError, match="columns: kinds: there is no column 'x'"):
        c.kinds.of(rows, columns=["x"])


# ---- Mosaic ----

WORKED = bytes.fromhex(
    "000104000000010000000200 00012c00010203616e6e03626f62026379000000 13020200000269640301000 46e616d650a010201"
    "040200000000000000000 00f0f010000000000 00000f0e0e0000000000000000340000 0000000000 1d00000002000000010001 0000"
    "4d4f5341".replace(" ", "")
)


def stored_columns(params: list[Any]) -> list[Any]:
    """The types of a bucket's stored columns: its own, then their children, depth first."""

    def inside(type_: Any) -> list[Any]:
        children = {"ARRAY": ("element",), "MAP": ("key", "item")}.get(type_.kind, ())
        types = [getattr(type_, name).type.params for name in children]
        return [each for child in types for each in (child, *inside(child))]

    return [*params, *(each for type_ in params for each in inside(type_))]


def buckets(data: bytes) -> list[tuple[Any, Any]]:
    """(reference, bucket) of each bucket of a file."""
    file = m.File.from_bytes(data)
    columns, count = file.schema.body.columns, file.footer.num_buckets
    found = []
    for group in file.index.row_groups:
        for ref in group.buckets:
            own = [c.type.params for i, c in enumerate(columns) if m.bucket_of(i, len(columns), count) == ref.bucket_id]
            types = stored_columns(own)
            bucket = m.StoredBucket.from_bytes(data, ref, file.footer.compression, types, len(own), group.num_rows)
            found.append((ref, bucket))
    return found


def written(**options: Any) -> bytes:
    rows = 60
    table = pa.table(
        {
            "number": pa.array([1, 2, None] * 20, pa.int32()),
            "left_status": ["x", "yy", None] * 20,
            "right_status": ["red", "blue", "red"] * 20,
            "list": pa.array([[1], [], None] * 20, pa.list_(pa.int8())),
            "map": pa.array([[("k", 1.0)]] * rows, pa.map_(pa.string(), pa.float32())),
            "constant": pa.array([5] * rows, pa.decimal128(9, 2)),
            "wide": pa.array(range(rows), pa.decimal128(38, 2)),
            "instant": pa.array(range(rows), pa.timestamp("ns", "UTC")),
            "nothing": pa.array([None] * rows, pa.bool_()),
        }
    )
    stream = io.BytesIO()
    stats = ["number", "left_status", "nothing"]
    reference.write_table(table, stream, reference.WriterOptions(stats_columns=stats, **options))
    return stream.getvalue()


OPTIONS = [
    {"compression": compression, "num_buckets": count, "page_size_threshold": threshold}
    for compression in (0, 1)
    for count in (1, 4)
    for threshold in (0, 32768)
]


def test_worked_example() -> None:
    file = m.File.from_bytes(WORKED)
    assert [column.name for column in file.schema.body.columns] == ["id", "name"]
    assert file.schema.body.order == [1, 0]
    (_, first), (_, second) = buckets(WORKED)
    assert first.data.body.cells[0].values.to_bytes() == bytes.fromhex("00000001000000020000012c")
    assert second.data.body.nulls[0].null_at == m._columns.Bits.pack([0, 1, 0, 0], 1)
    footer = m.Footer(num_buckets=2, num_row_groups=1, compression=m.Compression.NONE, reserved=0)
    made = m.File(schema=file.schema, index=file.index, footer=footer)
    assert made.to_bytes(start=29) == WORKED[29:]
    assert m.columns.of(file)["name"].to_pylist() == ["id", "name"]
    assert m.buckets.of(file)["stored"].to_pylist() == [15, 14]


@pytest.mark.parametrize("options", OPTIONS)
def test_files_of_the_reference(options: dict[str, int]) -> None:
    """Every byte is read, every derived field agrees, and all is written again as it was."""
    data = written(**options)
    file = m.File.from_bytes(data)
    assert file.to_bytes(start=file.footer.schema_offset) == data[file.footer.schema_offset :]
    covered = 0
    for ref, bucket in buckets(data):
        assert bucket.to_bytes(start=ref.start) == data[ref.start : ref.start + ref.stored]
        covered += ref.stored
    assert covered == file.footer.schema_offset


@pytest.mark.parametrize("options", OPTIONS)
def test_damaged_files(options: dict[str, int]) -> None:
    """Whatever bytes change, only DecodeError comes out."""
    data = written(**options)
    random_ = random.Random(str(options))
    refused = 0
    for _ in range(150):
        bad = bytearray(data)
        for _ in range(random_.randint(1, 3)):
            at = random_.choice((random_.randrange(len(bad)), len(bad) - random_.randint(1, 200)))
            bad[at] = random_.choice((0, 1, 127, 128, 255, random_.randrange(256)))
        found, value = outcome(buckets, bytes(bad[: random_.randint(0, len(bad))] if random_.random() < 0.1 else bad))[
            :2
        ]
        refused += found == "DecodeError"
        assert value
    assert refused > 20


def test_replaced_codec() -> None:
    import zstandard

    class Checked:
        def __init__(self, inflated: int) -> None:
            pass

        def encode(self, value: bytes) -> bytes:
            return zstandard.ZstdCompressor(write_checksum=True).compress(value)

    file = m.File.from_bytes(written(compression=1))
    plain = file.schema.to_bytes(file.footer.compression)
    checked = file.schema.to_bytes(file.footer.compression, codecs={"zstd": Checked})
    assert len(checked) > len(plain)
    assert m.SchemaBlock.from_bytes(checked, file.footer.compression) == file.schema
