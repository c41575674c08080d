"""Calls that write formats, and plain arguments that they take."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from lakecodec import compile_idl
from lakecodec.delta import PartitionCodec
from lakecodec.generated import parquet
from lakecodec.mosaic import MosaicFile, MosaicWriter
from lakecodec.row import RowConverter, sort_batches, sort_table, zorder_keys

from ..runtime.compact.footers import footer

IDL = """
enum Color { RED = 1; BLUE = 2; }
struct Item { 1: required i64 id; 2: optional string name; 3: optional list<binary> parts; 4: optional map<string, i32> sizes;
  5: optional set<i32> marks; 6: optional Color color; 7: optional Item inner; 8: optional double half; 9: optional uuid key; }
message Note { 1: string name; 2: list<int64> numbers; 3: Note inner; }
record Cell { u8 n = count(text); utf8 text[n]; u32 value; }
record Cells { u16 n = count(all); Cell all[n]; u8 k = count(numbers); u16 numbers[k]; }
"""


@dataclass(frozen=True)
class Target:
    """A call, and plain arguments that it takes."""

    name: str
    call: Callable[..., Any]
    arguments: Callable[[], list[Any]]


@cache
def module() -> Any:
    """Returns the generated module that calls are made on."""
    return compile_idl(IDL, name="lying")


def _columns() -> dict[str, Any]:
    return {
        "number": [1, 2, None, 4],
        "text": ["a", "b", "", "d"],
        "bytes": [b"x", b"", b"y", None],
        "half": [0.5, 1.0, None, 2.0],
    }


_TYPES = {"number": pa.int64(), "text": pa.string(), "bytes": pa.binary(), "half": pa.float64()}


def _lists(found: Iterable[Any]) -> list[Any]:
    return [each.to_pylist() for each in found]


def _bytes_of(columns: dict[str, Any]) -> pa.Table:
    return pa.table({name: pa.array(column, _TYPES[name]) for name, column in columns.items()})


def _mosaic(columns: Any, *options: Any) -> Any:
    sink = io.BytesIO()
    table = _bytes_of(_columns())
    with MosaicWriter(
        sink, table.schema, **dict(zip(("row_group_max_bytes", "num_buckets"), options, strict=False))
    ) as writer:
        writer.write(columns)
    return MosaicFile(sink.getvalue()).read().to_pydict()


def _encoded(kind: Any, rows: Any) -> Any:
    return module().Cells(all=[module().Cell(text=text, value=1) for text in kind], numbers=rows).to_bytes()


def targets() -> list[Target]:
    """Returns the calls that write formats, or choose what is read of them."""
    made = module()
    item = {
        "id": 5,
        "name": "a",
        "parts": [b"x", b"yy"],
        "sizes": {"a": 1},
        "marks": {1, 2},
        "color": "RED",
        "inner": {"id": 6},
        "half": 0.5,
    }
    plain = made.Item(id=5, name="a", inner=made.Item(id=6))
    note = {"name": "n", "numbers": [1, 2], "inner": {"name": "m"}}
    cells = {"all": [{"text": "abc", "value": 5}], "numbers": [1, 2, 3]}
    converter = RowConverter(pa.schema(_TYPES))
    table = _bytes_of(_columns())
    delta = PartitionCodec(pa.schema({"a": pa.int32(), "b": pa.string(), "c": pa.float64()}), ["a", "b"])
    two = pa.schema({"a": pa.int32(), "b": pa.int32()})
    raw = footer(3, 2)
    return [
        Target(
            "Item.from_dict",
            lambda data: made.Item.from_dict(data).to_bytes(),
            lambda: [dict(item, parts=list(item["parts"]))],
        ),
        Target("Item.from_json", lambda data: made.Item.from_json(data).to_bytes(), lambda: [plain.to_json()]),
        Target("Note.from_dict", lambda data: made.Note.from_dict(data).to_bytes(), lambda: [dict(note)]),
        Target("Cells.from_dict", lambda data: made.Cells.from_dict(data).to_bytes(), lambda: [dict(cells)]),
        Target(
            "Item.replace", lambda name, parts: plain.replace(name=name, parts=parts).to_bytes(), lambda: ["b", [b"x"]]
        ),
        Target(
            "Cells.replace",
            lambda numbers: made.Cells(all=[], numbers=[]).replace(numbers=numbers).to_bytes(),
            lambda: [[1, 2]],
        ),
        Target("Cells, of lists", _encoded, lambda: [["ab", "c"], [1, 2]]),
        Target("Item.to_json", lambda indent: plain.to_json(indent), lambda: [2]),
        Target(
            "row.RowConverter.convert_columns",
            lambda columns: converter.convert_columns(columns).to_pylist(),
            lambda: [_columns()],
        ),
        Target(
            "row.RowConverter.convert_rows",
            lambda rows: _lists(converter.convert_rows(rows)),
            lambda: [converter.convert_columns(table).to_pylist()],
        ),
        Target(
            "row.RowConverter.convert_columns, out",
            lambda out: bytes(converter.convert_columns(table, out=out).buffers()[2])[:20],
            lambda: [bytearray(1000)],
        ),
        Target(
            "row.RowConverter",
            lambda fields, variant, ordered: RowConverter(fields, variant=variant, ordered=ordered).variant,
            lambda: [{"a": pa.int64()}, "arrow", True],
        ),
        Target(
            "row.sort_table",
            lambda keys: sort_table(table, keys).to_pydict(),
            lambda: [["text", ("number", "descending")]],
        ),
        Target(
            "row.sort_batches",
            lambda keys, limit: _lists(sort_batches(table.to_batches(), keys, memory_limit=limit)),
            lambda: [["text"], 2**24],
        ),
        Target("row.zorder_keys", lambda columns: zorder_keys(columns).to_pylist(), lambda: [_columns()]),
        Target("mosaic.MosaicWriter.write", _mosaic, lambda: [_columns()]),
        Target("mosaic.MosaicWriter", lambda *options: _mosaic(table, *options), lambda: [100_000, 2]),
        Target("delta.PartitionCodec.serialize", delta.serialize, lambda: [{"a": 1, "b": "x"}]),
        Target("delta.PartitionCodec.directory", delta.directory, lambda: [{"a": 1, "b": "x"}]),
        Target("delta.PartitionCodec.parse", delta.parse, lambda: [{"a": "1", "b": "x"}]),
        Target("delta.PartitionCodec.add_path", delta.add_path, lambda: ["a=1/b=x", "part-0.parquet"]),
        Target(
            "delta.PartitionCodec.directory_array",
            lambda columns: delta.directory_array(columns).to_pylist(),
            lambda: [{"a": pa.array([1, 2], pa.int32()), "b": pa.array(["x", "y"])}],
        ),
        Target(
            "delta.PartitionCodec",
            lambda columns, profile: len(PartitionCodec(two, columns, profile=profile).columns),
            lambda: [["a"], "kernel"],
        ),
        Target(
            "Item.from_bytes, fields",
            lambda fields: parquet.FileMetaData.from_bytes(raw, fields=fields).num_rows,
            lambda: [["num_rows", "schema.name"]],
        ),
        Target("Item.from_bytes", lambda data: parquet.FileMetaData.from_bytes(data).num_rows, lambda: [raw]),
        Target("Item.read, pos", lambda pos: parquet.FileMetaData.read(raw, pos)[1], lambda: [0]),
    ]
