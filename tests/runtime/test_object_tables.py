"""Tables over records: columns found in bytes without objects, against the same columns of objects."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec import DecodeError, EncodeError, compile_idl, mosaic
from lakecodec.generated import mosaic as layout
from lakecodec.runtime.columns import backend as kernels

native_only = pytest.mark.skipif(kernels.offset_scans is None, reason="the pure backend has no offset scans")
IDL = """
enum Kind { RED = 1, GREEN = 2 }
record Head : big { bytes magic[3] = "HED"; u8 version; }
record Part(i32 most) : little {
  u8 i1; i8 i2; u16 i3; i16 i4; u24 i5; i24 i6; u32 i7; i32 i8; i64 i9; u64 i10;
  f16 f1; f32 f2; f64 f3; bool8 truth;
  uvarint16 v1; uvarint32 v2; uvarint64 v3; svarint16 v4; svarint32 v5; svarint64 v6;
  u8        name_size = size(name);
  utf8      name[name_size] where count(name) <= most else "a long name";
  uvarint32 data_size = size(data);
  bytes     data[data_size];
  bytes     code[2];
  u8        kind via enum(Kind);
  u16       extra if truth;
  f32       weight if i1 > 100;
  bytes     sign[1] if truth;
  u8        shade via enum(Kind) if truth;
}
record Group(i32 most) : little {
  uvarint32 id;
  u8 count = count(parts);
  Part(most) parts[count];
  u16 marks[2];
}
record File(i32 most) : little {
  Head head;
  u32 count = count(groups);
  Group(most) groups[count];
  utf8 comment[..];
}
record Lines { Line lines[..]; }
record Line { uvarint32 size = count(text); utf8 text[size]; }

table parts from File {
  for g, n in groups
  for p, k in g.parts
  i32 group = n;  i32 place = k;  i64 id = g.id;  i8 version = head.version;  binary magic = head.magic;
  i16 i1 = p.i1;  i8 i2 = p.i2;  i32 i3 = p.i3;  i16 i4 = p.i4;  i32 i5 = p.i5;  i32 i6 = p.i6;
  i64 i7 = p.i7;  i32 i8 = p.i8;  i64 i9 = p.i9;  i64 i10 = p.i10;
  double f1 = p.f1;  double f2 = p.f2;  double f3 = p.f3;  bool truth = p.truth;
  i32 v1 = p.v1;  i64 v2 = p.v2;  i64 v3 = p.v3;  i16 v4 = p.v4;  i32 v5 = p.v5;  i64 v6 = p.v6;
  string name = p.name;  binary data = p.data;  binary code = p.code;  i32 kind = p.kind;
  i32 extra = p.extra;  double weight = p.weight;  binary sign = p.sign;  string comment = comment;
  string kind_name = name_of(p.kind);  string shade_name = name_of(p.shade);
}
table some from File {
  for g in groups
  i64 id = g.id;  i64 twice = g.id * 2;  string kind = name_of(g.parts[0].kind);
}
table marks from File {
  for g in groups
  for m, i in g.marks
  i32 mark = m;  i32 place = i;
}
table heads from File { i8 version = head.version; string comment = comment; }
table lines from Lines { for line, n in lines  i32 number = n;  string text = line.text; }
"""


@pytest.fixture(scope="module")
def idl(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path: Path = tmp_path_factory.mktemp("idl") / "parts.idl"
    path.write_text(IDL)
    return compile_idl(path)


def part(idl: Any, rng: random.Random) -> Any:
    def whole(bits: int, signed: bool) -> int:
        number = rng.getrandbits(rng.randint(1, bits - signed))
        return -number - 1 if signed and rng.random() < 0.5 else number

    truth = rng.random() < 0.5
    i1 = whole(8, False)
    return idl.Part(
        **{f"i{n}": whole(bits, n % 2 == 0) for n, bits in zip(range(2, 9), (8, 16, 16, 24, 24, 32, 32), strict=True)},
        i1=i1, i9=whole(64, True), i10=whole(63, False), f1=rng.choice((0.5, -2.0, float("inf"))),
        f2=rng.choice((1.5, -0.25)), f3=rng.random(), truth=truth,
        v1=whole(16, False), v2=whole(32, False), v3=whole(63, False),
        v4=whole(16, True), v5=whole(32, True), v6=whole(64, True),
        name=rng.choice(("", "né", "name", "日本")), data=rng.randbytes(rng.randrange(5)), code=rng.randbytes(2),
        kind=rng.choice((idl.Kind.RED, idl.Kind.GREEN, 7)), extra=whole(16, False) if truth else None,
        weight=1.25 if i1 > 100 else None, sign=b"+" if truth else None,
        shade=rng.choice((idl.Kind.GREEN, 9)) if truth else None,
    )  # fmt: skip


def file(idl: Any, rng: random.Random) -> bytes:
    groups = [
        idl.Group(id=rng.randrange(1000), parts=[part(idl, rng) for _ in range(rng.choice((0, 1, 7)))], marks=[1, n])
        for n in range(rng.choice((0, 1, 5)))
    ]
    data: bytes = idl.File(head=idl.Head(version=3), groups=groups, comment="ok").to_bytes(100)
    return data


def scanned(table: Any, data: bytes, *parameters: Any) -> bool:
    return table._scanned(data, parameters, table.columns) is not None


@pytest.mark.parametrize("seed", range(20))
def test_columns_are_those_of_objects(idl: Any, seed: int) -> None:
    data = file(idl, random.Random(seed))
    for table in (idl.parts, idl.marks, idl.heads):
        found, errors = table.decode([data], parameters=(100,))
        assert errors == []
        assert found.equals(table.of(idl.File.from_bytes(data, 100)))
        found.validate(full=True)
        assert scanned(table, data, 100) == (kernels.offset_scans is not None)


def test_buffers_follow_each_other_and_columns_are_chosen(idl: Any) -> None:
    files = [file(idl, random.Random(seed)) for seed in range(6)]
    found, _ = idl.parts.decode(files, parameters=(100,), columns=["name", "place"])
    expected = [idl.parts.of(idl.File.from_bytes(each, 100), columns=["name", "place"]) for each in files]
    assert found.equals(pa.concat_tables(expected))
    assert idl.parts.decode([], parameters=(100,))[0].schema == idl.parts.schema
    with pytest.raises(KeyError, match="parts: there is no column 'x'"):
        idl.parts.decode(files, columns=["x"])


def test_names_of_members_are_found_without_objects(idl: Any) -> None:
    made = [part(idl, random.Random(seed)) for seed in range(40)]
    data = idl.File(head=idl.Head(version=3), groups=[idl.Group(id=1, parts=made, marks=[1, 2])], comment="").to_bytes(
        100
    )
    table, _ = idl.parts.decode([data], parameters=(100,), columns=["kind_name", "shade_name"])
    names = {None: None, 1: "RED", 2: "GREEN", 7: "7", 9: "9"}
    assert table.column("kind_name").to_pylist() == [names[each.kind] for each in made]
    assert table.column("shade_name").to_pylist() == [names[each.shade] for each in made]
    assert {*table.column("kind_name").to_pylist()} == {"RED", "GREEN", "7"}
    assert scanned(idl.parts, data, 100) == (kernels.offset_scans is not None)


def test_columns_that_are_computed_need_objects(idl: Any) -> None:
    groups = [idl.Group(id=7, parts=[part(idl, random.Random(1))], marks=[1, 2])]
    data = idl.File(head=idl.Head(version=3), groups=groups, comment="").to_bytes(100)
    table, _ = idl.some.decode([data], parameters=(100,))
    assert table.column("twice").to_pylist() == [14]
    assert not scanned(idl.some, data, 100)
    assert idl.some.decode([data], parameters=(100,), columns=["id"])[0].to_pylist() == [{"id": 7}]


def test_lists_up_to_the_end(idl: Any) -> None:
    for texts in ([], ["a", "", "né"], [f"line {n}" for n in range(300)]):
        data = idl.Lines(lines=[idl.Line(text=text) for text in texts]).to_bytes()
        table, _ = idl.lines.decode([data])
        assert table.column("text").to_pylist() == texts
        assert table.column("number").to_pylist() == list(range(len(texts)))
        assert scanned(idl.lines, data) == (kernels.offset_scans is not None)


def test_records_with_places_are_read_as_objects() -> None:
    stream = pa.BufferOutputStream()
    mosaic.write_table(pa.table({"b": [1, 2], "a": ["x", None]}), stream)
    data = stream.getvalue().to_pybytes()
    table, _ = layout.columns.decode([data])
    assert table.to_pylist() == [
        {"position": 0, "name": "a", "nullable": True}, {"position": 1, "name": "b", "nullable": True},
    ]  # fmt: skip
    assert table.equals(layout.columns.of(layout.File.from_bytes(data)))


@native_only
def test_broken_bytes_have_the_errors_of_records(idl: Any) -> None:
    rng = random.Random(5)
    data = next(each for seed in range(99) if len(each := file(idl, random.Random(seed))) > 300)
    refused = 0
    for _ in range(1500):
        broken = bytearray(data)
        broken[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        if rng.random() < 0.3:
            del broken[rng.randrange(len(data)) :]
        try:
            expected: Any = idl.parts.of(idl.File.from_bytes(bytes(broken), 100))
        except DecodeError as error:
            expected = str(error)
        except ValueError:
            continue
        table, errors = idl.parts.decode([bytes(broken)], parameters=(100,), on_error="collect")
        if isinstance(expected, str):
            refused += 1
            assert [(0, expected)] == [(number, str(error)) for number, error in errors]
            assert not scanned(idl.parts, bytes(broken), 100)
            with pytest.raises(DecodeError):
                idl.parts.decode([bytes(broken)], parameters=(100,))
        else:
            assert str(table.to_pylist()) == str(expected.to_pylist())  # NaNs are what they are
    assert refused > 300


def test_inputs_of_any_kind(idl: Any) -> None:
    data = idl.Lines(lines=[idl.Line(text="a"), idl.Line(text="né")]).to_bytes()
    expected = idl.lines.decode([data])[0]
    for each in (bytearray(data), memoryview(b"###" + data)[3:], pa.py_buffer(data), memoryview(data).cast("b")):
        assert idl.lines.decode([each])[0].equals(expected)


def test_bytes_left_over_are_refused(idl: Any) -> None:
    data = idl.Lines(lines=[]).to_bytes() + b"\xff"
    with pytest.raises(DecodeError):
        idl.lines.decode([data])


def test_numbers_of_64_bits_without_a_sign_are_read_as_objects(idl: Any) -> None:
    made = part(idl, random.Random(1))
    made.i10 = 2**64 - 1
    data = idl.File(
        head=idl.Head(version=1), groups=[idl.Group(id=1, parts=[made], marks=[1, 2])], comment=""
    ).to_bytes(100)
    assert idl.parts.decode([data], parameters=(100,), columns=["i9"])[0].num_rows == 1
    with pytest.raises(ValueError, match="column 'i10': a value does not fit int64"):
        idl.parts.decode([data], parameters=(100,), columns=["i10"])


@pytest.mark.parametrize("data", [b"\1\2", bytearray(b"\1\2"), memoryview(b"\1\2")])
def test_one_buffer_in_the_place_of_a_list(data: Any) -> None:
    text = "record R { u8 n = count(x); u8 x[n]; } table t from R { for each in x i32 v = each; }"
    with pytest.raises(
        TypeError, match=r"^buffers: a list of bytes-like objects is needed, not one \w+: pass \[data\]$"
    ):
        compile_idl(text).t.decode(data)
    with pytest.raises(TypeError, match=r"^buffers: a list of bytes-like objects is needed"):
        compile_idl(
            "struct E { 1: i32 v } struct S { 1: list<E> x } table t from S { for e in x i32 v = e.v; }"
        ).t.decode(data)


DERIVING = (
    "record F { u8 n = count(xs); X xs[n]; } record X { u8 a; u16 b = a * 2; }",
    "record F { u8 n = count(xs); X xs[n] at 1; } record X { u8 a; u16 b = a * 2; }",
)


@pytest.mark.parametrize("text", DERIVING)
def test_edits_show_in_derived_fields(text: str) -> None:
    m: Any = compile_idl(text + "table t from F { for x, i in xs i64 a = x.a; i64 b = x.b; i64 m = n; }")
    file = m.F(xs=[m.X(a=1)])
    assert m.t.of(file).to_pylist() == [{"a": 1, "b": 2, "m": 1}]
    file = m.F.from_bytes(file.to_bytes())
    file.xs[0].a = 5
    file.xs.append(m.X(a=7))
    assert m.t.of(file).to_pylist() == [{"a": 5, "b": 10, "m": 2}, {"a": 7, "b": 14, "m": 2}]
    assert m.t.of(file) == m.t.decode([file.to_bytes()])[0]
    file.xs[0].a = 2**70
    with pytest.raises(EncodeError, match=r"xs\[0\].a"):
        m.t.of(file)


def test_a_source_that_was_not_edited_is_read_no_further() -> None:
    m: Any = compile_idl(
        "record F { u8 n = count(a); u8 a[n]; u8 far at 9; u8 at_; u8 x at at_; } table t from F { for v in a i64 v = v; }"
    )

    class Counted:
        size, reads = 10, list[int]()

        def read(self, offset: int, size: int) -> bytes:
            self.reads.append(offset)
            return b"\1\2\5\0\0\0\0\0\0\0"[offset : offset + size]

    opened = m.F.open(Counted())
    assert m.t.of(opened)["v"].to_pylist() == [2]
    assert max(Counted.reads) == 0
