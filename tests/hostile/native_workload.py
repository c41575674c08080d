"""Work that calls every function of the compiled modules, for who records the calls."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec import compile_idl, parquet, row, variant
from lakecodec.generated.parquet import KeyValue
from lakecodec.mosaic import MosaicFile, MosaicWriter
from lakecodec.runtime.checksums import _packed_table
from lakecodec.runtime.columns import Bits, Kind, ValueLayout, Values
from lakecodec.runtime.columns.buffers import flat
from lakecodec.runtime.json_object import JsonObject
from lakecodec.runtime.native import _compact, _record, file_reads, split_blocks, text_ends
from lakecodec.runtime.native.columns import offset_scan, read, write
from lakecodec.runtime.records import backend
from lakecodec.runtime.records.programs import _Programs, _Rows
from lakecodec.runtime.records.struct_of_arrays import StructOfArrays, Texts
from lakecodec.runtime.records.values import Fields

IDL = """
struct Item { 1: required i64 id; 2: optional string name; 3: optional list<binary> parts; }
record Cell { u8 n = count(text); utf8 text[n]; u32 value; }
record Cells { u16 n = count(all); Cell all[n]; u8 k = count(numbers); u16 numbers[k]; }
"""


def table() -> pa.Table:
    rows = 5000
    return pa.table({
        "number": pa.array(range(rows), pa.int64()),
        "text": pa.array([f"name {i % 40}" for i in range(rows)]),
        "unique": pa.array([f"{i * 7919} text" for i in range(rows)]),
        "maybe": pa.array([None if i % 3 else i / 7 for i in range(rows)]),
        "flag": pa.array([i % 5 == 0 for i in range(rows)]),
        "one": pa.array(["same"] * rows),
        "bytes": pa.array([bytes([i % 256]) * (i % 9) for i in range(rows)], pa.binary()),
    })  # fmt: skip


def run(calls: Any, note: Callable[..., None]) -> None:
    """Reads and writes all formats; notes the calls of classes that cannot note theirs."""
    backend.native._FIRST_READS = 0
    with tempfile.TemporaryDirectory() as folder:
        _mosaic(Path(folder))
        _rows()
        _parquet(Path(folder))
        _records(calls, note)
        _alone(Path(folder))


def _mosaic(folder: Path) -> None:
    wide = pa.table({f"column_{i}": pa.array(range(i, i + 300), pa.int64()) for i in range(200)})
    for number, made in enumerate((table(), wide, table().slice(0, 100))):
        path = folder / f"{number}.mosaic"
        with MosaicWriter(path, made.schema) as writer:
            for batch in made.to_batches(max_chunksize=700):
                writer.write(batch)
        with MosaicFile(path) as file:
            assert file.read() == made
            file.read(columns=made.column_names[:2])
        with MosaicFile(path, memory_map=False) as file:
            file.read(columns=made.column_names[1:2])


def _rows() -> None:
    made = table()
    nested = pa.table({"list": pa.array([[1, 2], None, [], [3]] * 50), "struct": pa.array([{"a": 1, "b": "x"}] * 200)})
    for each in (made, nested):
        converter = row.RowConverter(each.schema)
        keys = converter.convert_columns(each)
        assert converter.convert_rows(keys) is not None
    row.sort_table(made, [("text", "ascending"), ("number", "descending")])
    row.sort_table(made, [("flag", "ascending")])
    few = pa.table({"few": pa.array([i * 7 % 10 for i in range(3000)], pa.int32()), "order": range(3000)})
    row.sort_table(few, [("few", "descending")])
    row.sort_table(few, [("order", "ascending")])
    interned = pa.table({"text": made.column("text").dictionary_encode(), "number": made.column("number")})
    for kind in ("legacy", "polars", "sql"):
        for each in (made, interned, nested):
            with suppress(ValueError):  # not every variant has every type
                other = row.RowConverter(each.schema, variant=kind)
                other.convert_rows(other.convert_columns(each))
                other.convert_rows(other.convert_columns(each).to_pylist())


def _parquet(folder: Path) -> None:
    paths = []
    for number in range(5):
        paths.append(str(folder / f"{number}.parquet"))
        pq.write_table(table(), paths[-1], row_group_size=1000, write_page_index=True)
    parquet.column_chunks(paths)
    parquet.read_metadatas(paths)
    parquet.statistics(paths)


def _records(calls: Any, note: Callable[..., None]) -> None:
    """Uses structs and records through their classes, and notes what these call of classes that are final."""
    module: Any = compile_idl(IDL, name="native_calls")
    item = module.Item(id=5, name="a", parts=[b"x", b""])
    cells = module.Cells(all=[module.Cell(text="abc", value=i) for i in range(50)], numbers=list(range(9)))
    for value in (item, cells):
        assert type(value).from_bytes(value.to_bytes()) == value
    codec = module.Item.__codec__
    data = item.to_bytes()
    name = "runtime.native._compact.Codec"
    note(calls, f"{name}.decode", codec.decode, (data, 0, 64, 1000, False, "strict"))
    note(calls, f"{name}.decode", codec.decode, (memoryview(data), 0, 64, 1000, True, "bytes", True))
    note(calls, f"{name}.encode", codec.encode, (item, "strict"))
    note(calls, f"{name}.encode", codec.encode, (item, "strict", lambda size: bytes(4)))
    note(calls, f"{name}.project", codec.project, ({"name": None, "parts": None},))
    for cls, value in ((module.Cells, cells), (module.Cell, cells.all[0])):
        _program(cls, value, calls, note)
    _record.attributes(cells.all, ("text",), None)
    _record.by_structural_key(cells.all, {}, lambda record: record)
    _record.same(cells, type(cells).from_bytes(cells.to_bytes()), Fields)
    _record.kept_parameters(cells)
    _record.is_settled(cells)
    _record.json_text(JsonObject.of({"a": [1, 2.5, "x"], "b": None}))
    _record.crc(b"abc", 32, _packed_table(32, 0x04C11DB7, True), 0xFFFFFFFF, True)
    _record.texts_at(b"abcdef", np.array([2, 4, 6], np.int64).tobytes(), [0, 2], False)


class _Spy:
    """Stands in for a program, and notes how it is called."""

    def __init__(self, program: Any, calls: Any, note: Callable[..., None]) -> None:
        self._program, self._calls, self._note = program, calls, note

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._program, name)
        if not callable(method):
            return method

        def noted(*arguments: Any) -> Any:
            self._note(self._calls, f"runtime.native._record.Program.{name}", method, arguments)
            return method(*arguments)

        return noted


def _program(cls: Any, value: Any, calls: Any, note: Callable[..., None]) -> None:
    cls.from_bytes(value.to_bytes())
    reader, writer = cls._native[1], cls._native_writer[1]
    cls._native, cls._native_writer = (cls, _Spy(reader, calls, note)), (cls, _Spy(writer, calls, note))
    assert cls.from_bytes(value.to_bytes()).to_bytes() == value.to_bytes()
    assert cls.feeder().feed(value.to_bytes()) == [value]
    cls._native, cls._native_writer = (cls, reader), (cls, writer)
    rows = _Rows(_Programs(), cls._table(), None, frozenset())
    name = "runtime.native._record.Program"
    note(calls, name, _record.Program, (cls,))
    note(calls, f"{name}.fill_body", lambda *row: _record.Program(cls).fill_body(*row), rows.row())

    def fill_writer(*row: Any) -> None:
        program = _record.Program(cls)
        program.fill_body(*_Rows(_Programs(), cls._table(), None, frozenset()).row())
        program.fill_writer(*row)
        program.write(value, None, None, 64, (), False)

    note(calls, f"{name}.fill_writer", fill_writer, rows.writer())


def _alone(folder: Path) -> None:
    """Calls what larger data, other types or other files need."""
    numbers = np.arange(8, dtype=np.int64)
    _compact.skip(b"\x02", 0, 6, 64)
    state = KeyValue.__codec__.decode_parts(b"\x18", 0, None, 64, 100)[3]
    KeyValue.__codec__.decode_parts(b"\x18\1a\0", 0, state, 64, 100)
    _compact.list_length(compile_idl(IDL, name="native_calls").Item(parts=[b"x"]), "parts")
    _compact.touched()
    text_ends.ends(b"\1\0\0\0a", 1)
    words, salt = np.zeros(32, np.uint32), np.arange(1, 16, 2, dtype=np.uint32)
    split_blocks.put_fixed(words, salt, b"abcdefgh" * 9, 8)
    split_blocks.put_fixed(words, salt, b"abcdefgh" * 9, 12)
    split_blocks.put_texts(words, salt, b"abcdefgh" * 20, np.array([3, 4, 4, 90, 160], np.int64))
    split_blocks.put_prefixed(words, salt, b"\1\0\0\0a" + b"\x64\0\0\0" + bytes(100))
    places = _compact.Places(KeyValue.__codec__, KeyValue(key="a").to_bytes(), ("a",), array("I", [0]), 64, 100)
    places.named(["a"])
    places.numbered([0])
    _record.use_struct_of_arrays(StructOfArrays, Texts)
    _record.use_json_object(JsonObject)
    offset_scan.texts(b"abcdefgh", numbers[:4], np.ones(4, np.int64))
    text = ValueLayout(Kind.TEXT, 0)
    read.end_of(text, b"\x01a\x02bc", 0, 5, 2)
    batch = table().to_batches()[0]
    columns = write.batch_columns(batch, write.BatchSchema(batch.schema.__arrow_c_schema__()))
    grown = [write.grown_column(column) or [] for column in columns]
    write.grow(grown, columns)
    write.use_columns(Bits, Values)
    _record.use_columns(Bits, Values, flat)
    objects = variant.array([{"a": [1, "x"]}, {"a": 2}])
    variant.to_columns(objects, {"$.a": pa.int64(), "$.a[1]": pa.string()})
    path = folder / "file"
    path.write_bytes(bytes(1000))
    with path.open("r+b") as file:
        file_reads.gather(file.fileno(), numbers, np.full(8, 5, np.int64))
        file_reads.reserve(file.fileno(), 0, 1000)
        _compact.read(file.fileno(), 0, 100)
    file_reads.states([str(path).encode()], np.empty((1, 4), np.int64))
