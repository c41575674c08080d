"""Values that lie, as arguments of everything that writes but ``to_bytes``: ``main(seed, count)`` returns the number of faults.

A lie stands in for one value inside of a call's arguments. The call may return, or raise an error that says that values are
not what is needed; the process must live. Where a lie can be taken for plain values, what is returned must be theirs.
"""

from __future__ import annotations

import copy
import faulthandler
import io
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from lakecodec import compile_idl
from lakecodec.delta import PartitionCodec
from lakecodec.generated import parquet
from lakecodec.mosaic import MosaicFile, MosaicWriter
from lakecodec.parquet import column_chunks
from lakecodec.row import RowConverter, sort_batches, sort_table, zorder_keys
from lakecodec.runtime.errors import CodecError
from lakecodec.runtime.objects import Value

from ..runtime.compact.footers import footer
from . import values
from .places import Path as Place

IDL = """
enum Color { RED = 1; BLUE = 2; }
struct Item { 1: required i64 id; 2: optional string name; 3: optional list<binary> parts; 4: optional map<string, i32> sizes;
  5: optional set<i32> marks; 6: optional Color color; 7: optional Item inner; 8: optional double half; 9: optional uuid key; }
message Note { 1: string name; 2: list<int64> numbers; 3: Note inner; }
record Cell { u8 n = count(text); utf8 text[n]; u32 value; }
record Cells { u16 n = count(all); Cell all[n]; u8 k = count(numbers); u16 numbers[k]; }
"""

#: What a call may raise of arguments that lie; AttributeError only of those whose own attributes are missing.
REFUSED = (CodecError, TypeError, ValueError, KeyError, OverflowError, values.OwnError, pa.ArrowException)


@dataclass(frozen=True)
class Target:
    """A call, and plain arguments that it takes."""

    name: str
    call: Callable[..., Any]
    arguments: Callable[[], list[Any]]


@cache
def _module() -> Any:
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
    return _module().Cells(all=[_module().Cell(text=text, value=1) for text in kind], numbers=rows).to_bytes()


@cache
def targets() -> list[Target]:
    """Returns the calls that write."""
    module = _module()
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
    plain = module.Item(id=5, name="a", inner=module.Item(id=6))
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
            lambda data: module.Item.from_dict(data).to_bytes(),
            lambda: [dict(item, parts=list(item["parts"]))],
        ),
        Target("Item.from_json", lambda data: module.Item.from_json(data).to_bytes(), lambda: [plain.to_json()]),
        Target("Note.from_dict", lambda data: module.Note.from_dict(data).to_bytes(), lambda: [dict(note)]),
        Target("Cells.from_dict", lambda data: module.Cells.from_dict(data).to_bytes(), lambda: [dict(cells)]),
        Target(
            "Item.replace", lambda name, parts: plain.replace(name=name, parts=parts).to_bytes(), lambda: ["b", [b"x"]]
        ),
        Target(
            "Cells.replace",
            lambda numbers: module.Cells(all=[], numbers=[]).replace(numbers=numbers).to_bytes(),
            lambda: [[1, 2]],
        ),
        Target("Cells", _encoded, lambda: [["ab", "c"], [1, 2]]),
        Target("to_json", lambda indent: plain.to_json(indent), lambda: [2]),
        Target("convert_columns", lambda columns: converter.convert_columns(columns).to_pylist(), lambda: [_columns()]),
        Target(
            "convert_rows",
            lambda rows: _lists(converter.convert_rows(rows)),
            lambda: [converter.convert_columns(table).to_pylist()],
        ),
        Target(
            "convert_columns, out",
            lambda out: bytes(converter.convert_columns(table, out=out).buffers()[2])[:20],
            lambda: [bytearray(1000)],
        ),
        Target(
            "RowConverter",
            lambda fields, variant, ordered: RowConverter(fields, variant=variant, ordered=ordered).variant,
            lambda: [{"a": pa.int64()}, "arrow", True],
        ),
        Target(
            "sort_table", lambda keys: sort_table(table, keys).to_pydict(), lambda: [["text", ("number", "descending")]]
        ),
        Target(
            "sort_batches",
            lambda keys, limit: _lists(sort_batches(table.to_batches(), keys, memory_limit=limit)),
            lambda: [["text"], 2**24],
        ),
        Target("zorder_keys", lambda columns: zorder_keys(columns).to_pylist(), lambda: [_columns()]),
        Target("MosaicWriter.write", _mosaic, lambda: [_columns()]),
        Target("MosaicWriter, options", lambda *options: _mosaic(table, *options), lambda: [100_000, 2]),
        Target("serialize", delta.serialize, lambda: [{"a": 1, "b": "x"}]),
        Target("directory", delta.directory, lambda: [{"a": 1, "b": "x"}]),
        Target("parse", delta.parse, lambda: [{"a": "1", "b": "x"}]),
        Target("add_path", delta.add_path, lambda: ["a=1/b=x", "part-0.parquet"]),
        Target(
            "directory_array",
            lambda columns: delta.directory_array(columns).to_pylist(),
            lambda: [{"a": pa.array([1, 2], pa.int32()), "b": pa.array(["x", "y"])}],
        ),
        Target(
            "PartitionCodec",
            lambda columns, profile: len(PartitionCodec(two, columns, profile=profile).columns),
            lambda: [["a"], "kernel"],
        ),
        Target(
            "fields=",
            lambda fields: parquet.FileMetaData.from_bytes(raw, fields=fields).num_rows,
            lambda: [["num_rows", "schema.name"]],
        ),
        Target("from_bytes", lambda data: parquet.FileMetaData.from_bytes(data).num_rows, lambda: [raw]),
        Target("read, pos", lambda pos: parquet.FileMetaData.read(raw, pos)[1], lambda: [0]),
        Target(
            "table, columns=", lambda columns: len(column_chunks([_parquet_file()], columns=columns)), lambda: [["a"]]
        ),
    ]


@cache
def _parquet_file() -> str:
    import atexit
    import os
    import tempfile

    import pyarrow.parquet as pq

    handle, path = tempfile.mkstemp(".parquet")
    os.close(handle)
    atexit.register(os.unlink, path)
    pq.write_table(pa.table({"a": [1, 2]}), path)
    return path


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yields the ways to all values inside of arguments, themselves included."""
    if path:
        yield path
    if isinstance(value, list | tuple):
        for at, item in enumerate(value):
            yield from places(item, (*path, at))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))


def with_item(value: Any, path: Place, item: Any) -> Any:
    """Returns arguments with another value in a place."""
    if not path:
        return item
    if isinstance(value, tuple):
        items = list(value)
        items[path[0]] = with_item(items[path[0]], path[1:], item)
        return tuple(items)
    value[path[0]] = with_item(value[path[0]], path[1:], item)
    return value


def _at(value: Any, path: Place) -> Any:
    for key in path:
        value = value[key]
    return value


def _outcome(target: Target, place: Place, item: Any) -> tuple[str, Any]:
    try:
        return "returned", target.call(*with_item(copy.deepcopy(target.arguments()), place, item))
    except REFUSED as error:
        return "refused", error
    except Exception as error:
        return "raised", error


def wrong(target: Target, place: Place, number: int) -> str | None:
    """Returns what is wrong with a call of which one argument lies; None if nothing is."""
    plain = _at(target.arguments(), place)
    if isinstance(plain, Value) or plain is None:
        return None
    told = values.lies(plain, lambda: None)
    lie = told[number % len(told)]
    kind, found = _outcome(target, place, lie.value)
    if kind == "raised":
        return f"{lie.name}: {type(found).__name__}: {found}"
    if kind == "returned" and lie.honest and not lie.timed:
        allowed = [_outcome(target, place, honest)[1] for honest in (plain, *lie.honest)]
        if not any(found == each or repr(found) == repr(each) for each in allowed):
            return f"{lie.name}: {found!r:.200} is none of {allowed!r:.600}"
    return None


def main(seed: int, count: int) -> int:
    faulthandler.enable()
    warnings.simplefilter("ignore")
    rng = random.Random(seed)
    faults: dict[str, str] = {}
    every = [(target, place) for target in targets() for place in places(target.arguments())]
    for target, _ in every:
        assert _outcome(target, (0,), target.arguments()[0])[0] == "returned", _outcome(
            target, (0,), target.arguments()[0]
        )
    for _ in range(count):
        target, place = rng.choice(every)
        number = rng.randrange(10**6)
        told = wrong(target, place, number)
        if told is not None and (key := f"{target.name} {place} {told}"[:90]) not in faults:
            faults[key] = f"{target.name} {place} {number}: {told}"
            print(faults[key], flush=True)
    return len(faults)
