"""The vector file as Arrow arrays with their expected rows."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lakecodec.row import SortOptions

from ..paths import DATA

FILE = DATA / "row-vectors.jsonl"
OPTIONS = {
    "asc,nf": SortOptions(False, True),
    "asc,nl": SortOptions(False, False),
    "desc,nf": SortOptions(True, True),
    "desc,nl": SortOptions(True, False),
}


@dataclass(frozen=True)
class Vector:
    """One line: rows per option set; "unordered" is an option set of its own."""

    variant: str
    name: str
    array: pa.Array
    rows: dict[str, list[bytes]]


def read_vectors() -> Iterator[Vector]:
    """All lines of the file."""
    for line in FILE.read_text().splitlines():
        item = json.loads(line)
        rows = {options: [bytes.fromhex(row) for row in rows] for options, rows in item["rows"].items()}
        yield Vector(item["variant"].split("-")[0], item["type"], _array(item["type"], item["values"]), rows)


_TYPES: dict[str, pa.DataType] = {
    "bool": pa.bool_(),
    "utf8": pa.string(),
    "binary": pa.binary(),
    "struct<a:int32,b:utf8>": pa.struct({"a": pa.int32(), "b": pa.string()}),
    "struct<>": pa.struct([]),
    "struct<a:struct<b:int8>>": pa.struct({"a": pa.struct({"b": pa.int8()})}),
    "list<uint8>": pa.list_(pa.uint8()),
    "list<int8>": pa.list_(pa.int8()),
    "list<utf8>": pa.list_(pa.string()),
    "list<list<int8>>": pa.list_(pa.list_(pa.int8())),
    "list<null>": pa.list_(pa.null()),
    "list<struct<b:int8>>": pa.list_(pa.struct({"b": pa.int8()})),
    "fixed_size_list<uint8,2>": pa.list_(pa.uint8(), 2),
    "fixed_size_list<utf8,2>": pa.list_(pa.string(), 2),
    "map<utf8,int8>": pa.map_(pa.string(), pa.int8()),
    "null": pa.null(),
    "date32": pa.int32(),
    "date64": pa.int64(),
    "time32[s]": pa.time32("s"),
    "time64[ns]": pa.time64("ns"),
    "timestamp[us, UTC]": pa.timestamp("us", "UTC"),
    "duration[ms]": pa.duration("ms"),
    "decimal32(5,1)": pa.decimal32(5, 1),
    "decimal64(12,1)": pa.decimal64(12, 1),
    "decimal128(10,2)": pa.decimal128(10, 2),
    "decimal256(50,1)": pa.decimal256(50, 1),
}
_TYPES |= {f"{u}int{w}": getattr(pa, f"{u}int{w}")() for u in ("", "u") for w in (8, 16, 32, 64)}


def _array(name: str, values: list[Any]) -> pa.Array:
    values = [v["r"] * v["n"] if isinstance(v, dict) and v.keys() == {"r", "n"} else v for v in values]
    kind, _, note = name.partition(" (")
    if name.startswith("float"):
        width = int(kind[5:]) // 8
        bits = np.array([0 if v is None else int(v, 16) for v in values], f"<u{width}")
        return pa.array(bits.view(f"<f{width}"), mask=np.array([v is None for v in values]))
    if name.startswith("decimal"):
        return fixed_array(_TYPES[kind], values)
    if name.startswith("fixed_size_binary"):
        return pa.array([v if v is None else bytes.fromhex(v) for v in values], pa.binary(int(name[18])))
    if name.startswith("binary"):
        return pa.array([v if v is None else bytes.fromhex(v) for v in values], pa.binary())
    if name.startswith("dictionary"):
        return pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2], pa.int8()), pa.array(["foo", None, ""]))
    if name.startswith("run_end"):
        inner = pa.int32() if name.endswith("int32>") else pa.string()
        ends = pa.array(range(1, len(values) + 1), pa.int32())
        return pa.RunEndEncodedArray.from_arrays(ends, pa.array(values, inner))
    if name.startswith("dense_union"):
        return _union(values)
    if name.startswith("interval"):
        raw = b"".join(bytes(16) if v is None else struct.pack("<iiq", *v) for v in values)
        valid = np.packbits([v is not None for v in values], bitorder="little")
        kind_ = pa.month_day_nano_interval()
        return pa.Array.from_buffers(kind_, len(values), [pa.py_buffer(valid), pa.py_buffer(raw)])
    if note and _TYPES[kind].id in (pa.lib.Type_INT32, pa.lib.Type_INT64) and kind.startswith("date"):
        return pa.array(values, _TYPES[kind]).view(getattr(pa, kind)())
    if kind.startswith(("time", "duration")):
        return pa.array(values, pa.int32() if kind.startswith("time32") else pa.int64()).view(_TYPES[kind])
    if name.startswith("map"):
        values = [v if v is None else [tuple(pair) for pair in v] for v in values]
    return pa.array(values, _TYPES[kind])


def fixed_array(kind: pa.DataType, numbers: list[int | None]) -> pa.Array:
    """An array of a fixed-width type from the integers that are stored."""
    width = kind.bit_width // 8
    raw = b"".join((0 if v is None else v).to_bytes(width, "little", signed=True) for v in numbers)
    valid = np.packbits([v is not None for v in numbers], bitorder="little")
    return pa.Array.from_buffers(kind, len(numbers), [pa.py_buffer(valid), pa.py_buffer(raw)])


def _union(values: list[Any]) -> pa.Array:
    ids = [v[0] for v in values]
    children = [[v[1] for v in values if v[0] == code] for code in (0, 1)]
    offsets = [ids[:i].count(code) for i, code in enumerate(ids)]
    arrays = [pa.array(children[0], pa.int32()), pa.array(children[1], pa.string())]
    return pa.UnionArray.from_dense(pa.array(ids, pa.int8()), pa.array(offsets, pa.int32()), arrays)
