"""Reads memory that another process changes meanwhile: ``main(format, seconds)``, where a crash is a fault.

A process can write while this one holds the interpreter's lock; a thread can only where that is released.
"""

from __future__ import annotations

import faulthandler
import io
import mmap
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from lakecodec import compile_idl
from lakecodec.generated.parquet import FileMetaData
from lakecodec.mosaic import MosaicFile, MosaicWriter
from lakecodec.row import RowConverter, sort_table
from lakecodec.runtime.columns import Bits, ColumnDecode, Kind, ValueLayout, Values, decode_columns
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.objects import Value
from lakecodec.runtime.split_blocks import put_fixed, put_prefixed, put_texts

from ..runtime.compact.footers import footer

IDL = """
record Cell { u8 n = count(text); utf8 text[n]; u32 value; }
record Cells { u16 n = count(all); Cell all[n]; u8 k = count(numbers); u16 numbers[k]; }
message Note { 1: string name; 2: list<int64> numbers; 3: Note inner; 4: map<string, string> more; }
"""

#: What reads a format: its sound bytes, and one reading of a view of them as they are now.
Reading = tuple[bytes, Callable[[memoryview], object]]


def walk(value: Any, depth: int = 0) -> None:
    """Asks for everything that is in a value."""
    if depth < 8 and isinstance(value, Value):
        for name in type(value).__match_args__:
            walk(getattr(value, name), depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            walk(item, depth + 1)


def footers() -> Reading:
    def read(view: memoryview) -> None:
        metadata = FileMetaData.from_bytes(view)
        walk(metadata)
        FileMetaData.from_bytes(view).to_bytes()
        FileMetaData.from_bytes(view, fields=["schema.name", "num_rows"], views=True)

    return footer(6, 3), read


def records() -> Reading:
    module: Any = compile_idl(IDL, name="changing")
    value = module.Cells(all=[module.Cell(text="abc" * (i % 4), value=i) for i in range(60)], numbers=list(range(50)))

    def read(view: memoryview) -> None:
        found = module.Cells.from_bytes(view)
        walk(found)
        module.Cells.from_bytes(view).to_bytes()

    return value.to_bytes(), read


def messages() -> Reading:
    module: Any = compile_idl(IDL, name="changing")
    value = None
    for i in range(20):
        value = module.Note(name="name" * i, numbers=list(range(i)), inner=value, more={str(i): "x" * i})
    assert value is not None

    def read(view: memoryview) -> None:
        walk(module.Note.from_bytes(view))
        module.Note.from_bytes(view).to_bytes()

    return value.to_bytes(), read


def columns() -> Reading:
    text, number = ValueLayout(Kind.TEXT, 0), ValueLayout(Kind.NUMBER, 4)
    size = 2500

    def read(view: memoryview) -> None:
        nulls, codes, data = view[: 2 * size], view[2 * size : 3 * size], view[3 * size :]
        values = Values(text, data, 0, len(data), 2)
        numbers = Values(number, view, 0, 4000, 1000)
        refused: DecodeError | None = None
        for request in (
            ColumnDecode(
                text, pa.string(), 8 * 2 * size, Bits(nulls, 0, 8 * 2 * size, 1), values, Bits(codes, 0, 8 * size, 1)
            ),
            ColumnDecode(text, pa.string(), 8 * size, None, values, Bits(codes, 0, 8 * size, 1)),
            ColumnDecode(number, pa.int32(), 1000, Bits(nulls, 0, 1000, 1), numbers, None),
        ):
            try:
                decode_columns([request])[0].validate(full=True)
            except DecodeError as error:
                refused = error
        if refused is not None:
            raise refused

    return bytes(size) + b"\xff" * size + bytes(size) + b"\x01a\x64" + b"b" * 100, read


def _array(view: memoryview, rows: int) -> pa.LargeBinaryArray:
    offsets, data = view[: 8 * (rows + 1)], view[8 * (rows + 1) :]
    return pa.Array.from_buffers(pa.large_binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def row_keys() -> Reading:
    rows = 500
    table = pa.table({
        "text": [f"text {i}" * (i % 3) for i in range(rows)],
        "number": pa.array([None if i % 3 else i for i in range(rows)]),
        "list": [list(range(i % 4)) for i in range(rows)],
    })  # fmt: skip
    converter = RowConverter(table.schema)
    keys = converter.convert_columns(table)
    _, offsets, data = keys.buffers()

    def read(view: memoryview) -> None:
        for array in converter.convert_rows(_array(view, rows)):
            array.validate(full=True)

    return bytes(offsets)[: 8 * (rows + 1)] + bytes(data), read


def sorted_numbers() -> Reading:
    def read(view: memoryview) -> None:
        numbers = np.frombuffer(view, np.int64)
        table = pa.table({"a": pa.array(numbers), "b": pa.array(numbers)})
        sort_table(table, [("a", "ascending")])
        RowConverter(table.schema).convert_columns(table)

    return np.arange(4000, dtype=np.int64).__mod__(3000).tobytes(), read


def mosaic() -> Reading:
    rows = 600
    table = pa.table({
        "number": pa.array(range(rows), pa.int64()),
        "text": [f"name {i % 7}" for i in range(rows)],
        "maybe": pa.array([None if i % 3 else i / 7 for i in range(rows)]),
        "unique": [f"text {i * 7919}" for i in range(rows)],
    })  # fmt: skip
    sink = io.BytesIO()
    with MosaicWriter(sink, table.schema) as writer:
        writer.write(table)

    def read(view: memoryview) -> None:
        with MosaicFile(pa.BufferReader(pa.py_buffer(view))) as file:
            file.read().validate(full=True)

    return sink.getvalue(), read


def filter_values() -> Reading:
    texts = [b"text" * (i % 30) for i in range(4000)]
    plain = b"".join(len(text).to_bytes(4, "little") + text for text in texts)
    offsets = np.cumsum([0, *map(len, texts)])

    def read(view: memoryview) -> None:
        words, salt = np.zeros(64, np.uint32), np.arange(1, 16, 2, dtype=np.uint32)
        put_fixed(words, salt, view[: len(plain) // 8 * 8], 8)
        refused: ValueError | None = None
        for put in (
            lambda: put_texts(words, salt, view[:-1], np.frombuffer(view[len(plain) :], np.int64)),
            lambda: put_prefixed(words, salt, view[: len(plain)]),
        ):
            try:
                put()
            except ValueError as error:
                refused = error
        if refused is not None:
            raise refused

    return plain + offsets.tobytes(), read


FORMATS: dict[str, Callable[[], Reading]] = {
    made.__name__: made
    for made in (footers, records, messages, columns, row_keys, sorted_numbers, mosaic, filter_values)
}


def changes(data: bytes, memory: mmap.mmap, seed: int) -> Iterator[None]:
    """Writes the sound bytes, and damages them, without an end."""
    rng = random.Random(seed)
    while True:
        memory[:] = data
        for _ in range(rng.choice([1, 3, 30])):
            at = rng.randrange(len(data))
            memory[at] = rng.choice([0, 0xFF, 0x80, 1, rng.randrange(256)])
            yield
        for _ in range(3):
            at = rng.randrange(len(data))
            size = min(rng.choice([8, 100, 3000]), len(data) - at)
            memory[at : at + size] = rng.choice([b"\xff", b"\0", b"\x80"]) * size
            yield
            memory[at : at + size] = data[at : at + size]


def main(name: str, seconds: float) -> int:
    faulthandler.enable()
    data, read = FORMATS[name]()
    read(memoryview(data))
    memory = mmap.mmap(-1, len(data))
    memory[:] = data
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        for _ in changes(data, memory, 1):
            if os.getppid() != parent:
                os._exit(0)
    # A reading that never ends is a failure that tells where it waits.
    faulthandler.dump_traceback_later(seconds + 90, exit=True)
    right, refused = 0, 0
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            try:
                read(memoryview(memory)[: len(data)])
                right += 1
            except DecodeError:
                refused += 1
            except (ValueError, pa.ArrowInvalid, OverflowError):
                refused += 1
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    print(name, "read", right, "refused", refused)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
