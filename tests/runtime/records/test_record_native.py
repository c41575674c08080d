"""The native reader of records: the values of generated readers from the same bytes, and nothing from any others."""

from __future__ import annotations

import gc
import io
import random
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl, mosaic
from lakecodec.generated import mosaic as m
from lakecodec.generated import parquet_file
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.records import backend as record_backend
from lakecodec.runtime.records.read import MAX_DEPTH
from lakecodec.runtime.records.reader import Reader

from ...mosaic.tables import random_options, random_table
from ...oracle.test_oracle_clauses import CLAUSES, RECORDS, SAMPLES, random_bytes
from ...parquet.files import ARROW_FILES
from ..compact.backends import load
from ..compact.records import Call, check, native, recorded
from .test_record_variants import v

pytestmark = pytest.mark.skipif(record_backend.native is None, reason="no native reader was built")

envelope = load(Path(__file__).with_name("envelope.idl"))


def _random_calls() -> list[tuple[Any, tuple[Any, ...]]]:
    calls: list[tuple[Any, tuple[Any, ...]]] = [(getattr(CLAUSES.module, name), ()) for name in RECORDS]
    calls = [call for call in calls if not hasattr(call[0], "_placed")]
    calls += [(CLAUSES.module.Held, (2, 1)), (CLAUSES.module.Shape, (1,))]
    calls += [
        (getattr(envelope, name), ()) for name in ("Numbers", "BigNumbers", "Varints", "Counted", "Framed", "Blocks")
    ]
    calls += [(envelope.Block, (3,)), (v.Shape, (2, 3)), (v.Shape, (9, 3)), (v.Choice, (True,)), (v.Choice, (False,))]
    calls += [(getattr(v, name), ()) for name in ("Drawing", "Parts", "Chunks", "Tree")]
    calls += [
        (m.TypeDescriptor, ()),
        (m.Schema, ()),
        (m.Bitmap, (9,)),
        (m.TypeParams, (14,)),
        (CLAUSES.module.Held, (2,)),
    ]
    return calls


RANDOM = _random_calls()
#: What random bytes hardly ever are.
MADE = {
    envelope.Counted: [b"ENV1" + b"\3\0" + "né".encode() + b"\2" + b"\2\4\1\0" + b"\5\0\0\1\0" + b"rest"],
    envelope.Framed: [bytes.fromhex("06 15 02 18 01 74 00  03 01 ac 02  15 04 00")],
    v.Chunks: [
        v.Chunks(
            chunks=[v.Named(body=v.Chunk.TEXT(text="é")), v.Named(body=v.Chunk.ANY(data=b"", tag=b"DONE"))]
        ).to_bytes()
    ],
}


@pytest.mark.parametrize(("cls", "parameters"), RANDOM, ids=[cls.__name__ for cls, _ in RANDOM])
def test_random_bytes(cls: Any, parameters: tuple[Any, ...]) -> None:
    rng = random.Random(cls.__name__)
    known = [Call(cls, data, 0, parameters) for data in MADE.get(cls, ())]
    known += [
        Call(cls, data, 0, parameters)
        for data in SAMPLES.get(cls.__name__, ())
        if cls.__module__ == CLAUSES.module.__name__
    ]
    assert native.program_of(cls) is not None
    accepted = 0
    for _ in range(600):
        call = rng.choice(known).changed(rng) if known and rng.random() < 0.7 else None
        call = call or Call(cls, random_bytes(rng), 0, parameters)
        if check(call):
            accepted += 1
            known.append(call)
    assert accepted


def _mosaic_calls(seed: int) -> list[Call]:
    """Everything that is read of a Mosaic file."""
    rng = random.Random(seed)
    table = random_table(rng, columns=12, rows=60)
    stream = io.BytesIO()
    mosaic.write_table(table, stream, **random_options(rng, table))
    with recorded() as calls, mosaic.MosaicFile(io.BytesIO(stream.getvalue())) as file:
        found = file.read()
        assert len(file._header.index.row_groups) == file.num_row_groups
    assert found.num_rows == table.num_rows
    return calls


@pytest.mark.parametrize("seed", range(12))
def test_mosaic_files(seed: int) -> None:
    rng = random.Random(seed)
    calls = _mosaic_calls(seed)
    assert {call.cls for call in calls} >= {m.Footer, m.SchemaBlock, m.Index}
    for call in calls:
        assert check(call)
    refused = sum(not check(changed) for call in calls for changed in (call.changed(rng), call.cut(rng)))
    assert refused


def test_parquet_tails() -> None:
    for make in ARROW_FILES.values():
        with recorded() as calls:
            parquet_file.File.from_bytes(make())
        assert list(dict.fromkeys(call.cls for call in calls)) == [parquet_file.Head, parquet_file.Tail]
        assert all(map(check, calls))


def test_buffers() -> None:
    """Memory of any kind; packed numbers borrow it."""
    data = bytes([0b101, 0xFF])
    for buffer in (data, bytearray(data), memoryview(data), memoryview(b"x" + data)[1:]):
        found = m.Bitmap.from_bytes(buffer, 3, allow_trailing=True).null_at
        assert list(found) == [1, 0, 1]
        assert isinstance(found.data, bytes | memoryview)
    kept = bytearray(data)
    found = m.Bitmap.from_bytes(kept, 3, allow_trailing=True).null_at
    kept[0] = 0b010
    assert list(found) == [0, 1, 0]
    with pytest.raises(BufferError):
        kept.append(1)


def test_errors_are_those_of_the_generated_reader() -> None:
    for data, message in ((b"\1\1\5", "left over"), (b"", "unexpected end"), (b"\x0e\1\0\0", "decimal precision")):
        with pytest.raises(DecodeError, match=message) as native_error:
            m.TypeDescriptor.from_bytes(data)
        record_backend.native = None
        try:
            with pytest.raises(DecodeError) as pure_error:
                m.TypeDescriptor.from_bytes(data)
        finally:
            record_backend.native = native
        assert str(native_error.value) == str(pure_error.value)


def test_wrong_numbers_of_parameters() -> None:
    with pytest.raises(TypeError):
        m.Bitmap.from_bytes(b"\0")
    with pytest.raises(TypeError):
        m.TypeDescriptor.from_bytes(b"\0\0", 1)
    with pytest.raises(DecodeError):
        m.Bitmap.from_bytes(b"\0", "many")


def test_depth() -> None:
    """Values that contain others, as deep as is allowed and deeper."""
    for depth in (MAX_DEPTH // 2 - 1, MAX_DEPTH // 2, MAX_DEPTH, 100_000):
        check(Call(v.Tree, b"\1" * depth + b"\0\5" * (depth + 1)))
    assert native.read(v.Tree, Reader(b"\1" * 100_000), 0, ()) is None


class Slotless(m.Bitmap):
    """A subclass with attributes of its own."""

    extra = 5


def test_subclasses() -> None:
    found = Slotless.from_bytes(b"\5", 3)
    assert type(found) is Slotless
    assert (list(found.null_at), found.rows, found.extra) == ([1, 0, 1], 3, 5)
    assert native.program_of(Slotless) is not native.program_of(m.Bitmap)


def test_first_small_reads_make_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program takes longer to make than the generated reader takes for a few small records, but not for many."""
    monkeypatch.setattr(native, "_FIRST_READS", 3)
    module: Any = compile_idl("record Few { u8 n; u8 items[n]; }", name="seldom")
    for number in range(3):
        assert module.Few.from_bytes(bytes([1, number])).items == [number]
        assert module.Few._native is None
    assert module.Few.from_bytes(b"\2ab") == module.Few(n=2, items=[97, 98])
    assert module.Few._native == (module.Few, native.program_of(module.Few))
    large: Any = compile_idl("record Many { u8 n; u8 items[n]; }", name="large")
    assert len(large.Many.from_bytes(b"\100" + bytes(64)).items) == 64
    assert large.Many._native is not None


def test_modules_are_freed() -> None:
    """A program refers to classes, which refer to their program."""
    module: Any = compile_idl(
        """
        record Outer { u8 n = count(inner); Inner inner[n] where ascending(inner.value); }
        record Inner { u8 value; Kind(value) kind where tag(kind) == value; }
        variant Kind(u8 value) on value { 0: A; 1: B { u8 more; }; else: C; }
        """,
        name="freed",
    )
    assert len(module.Outer.from_bytes(b"\2\1\7\1\7").inner) == 2
    assert native.program_of(module.Outer) is not None
    gone = weakref.ref(module.Outer)
    for name in [name for name, each in sys.modules.items() if each is module]:
        package = sys.modules[name.rpartition(".")[0]]
        del sys.modules[name]
        delattr(package, "freed")
    del module
    gc.collect()
    assert gone() is None


def test_nothing_leaks() -> None:
    """References to what is shared stay as many, whether bytes are right, cut or wrong."""
    rng = random.Random(7)
    calls = [call for seed in range(3) for call in _mosaic_calls(seed)]
    calls += [call.changed(rng) for call in calls] + [call.cut(rng) for call in calls]

    def read_all() -> None:
        for call in calls:
            native.read(call.cls, Reader(call.data), call.pos, call.parameters)

    def counts() -> list[int]:
        gc.collect()
        shared = [None, True, False, m.Compression.ZSTD, m.PageEncoding.DICT, m.Cells.PLAIN, m.TypeParams.BIGINT]
        shared += [call.data for call in calls] + [
            each for call in calls for each in call.parameters if not isinstance(each, int)
        ]
        return [sys.getrefcount(each) for each in shared]

    # Free lists that a collection empties are full again after the second part.
    for _ in range(2):
        for _ in range(60):
            read_all()
        counts()
    before, blocks = counts(), sys.getallocatedblocks()
    for _ in range(100):
        read_all()
    after = counts()
    assert [b - a for a, b in zip(before, after, strict=True) if abs(b - a) > 10] == []
    assert sys.getallocatedblocks() - blocks < 200
