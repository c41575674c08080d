"""What a module compiled from mosaic.idl does: files read and written back, broken files, types, functions and tables."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

import pyarrow as pa

from lakecodec import mosaic
from lakecodec.generated import mosaic as original
from lakecodec.runtime.columns import layout_of

from .outcomes import attempt, shown, table_text

_TYPES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.date32(), pa.string(),
    pa.binary(), pa.decimal128(9, 2), pa.decimal128(30, 2), pa.time32("ms"), pa.timestamp("ms"), pa.timestamp("us"),
    pa.timestamp("ns"), pa.timestamp("ms", "UTC"), pa.timestamp("us", "UTC"), pa.timestamp("ns", "Europe/Berlin"),
    pa.list_(pa.int32()), pa.map_(pa.string(), pa.int64()), pa.uint8(),
]  # fmt: skip


def _tables() -> list[tuple[pa.Table, dict[str, Any]]]:
    scalars = {
        "flag": pa.array([True, None, False, True]),
        "i8": pa.array([1, -2, None, 3], pa.int8()),
        "i16": pa.array([1, -2, 300, 3], pa.int16()),
        "i32": pa.array([1, 1, 1, 1], pa.int32()),
        "i64": pa.array([1, 2, 1, 2], pa.int64()),
        "f32": pa.array([1.5, None, -0.0, 2.0], pa.float32()),
        "f64": pa.array([1.5, 2.5, 1.5, 2.5]),
        "day": pa.array([1, 2, 3, 4], pa.date32()),
        "text": pa.array(["a", "b", None, "a"]),
        "bytes": pa.array([b"", b"\xff", b"\xff", None]),
        "money": pa.array([Decimal("1.25"), Decimal("-300.00"), None, Decimal(0)], pa.decimal128(9, 2)),
        "wide": pa.array([Decimal("1.25"), Decimal("-1e20"), None, Decimal(0)], pa.decimal128(30, 2)),
        "clock": pa.array([1, 2, 3, None], pa.time32("ms")),
        "ms": pa.array([datetime(2020, 1, 1), None] * 2, pa.timestamp("ms")),
        "us": pa.array([datetime(2020, 1, 1), None] * 2, pa.timestamp("us", "UTC")),
        "ns": pa.array([1_000_001, -1, None, 5], pa.timestamp("ns")),
        "nothing": pa.array([None] * 4, pa.string()),
        "zone": pa.array([7, 8, None, 1], pa.timestamp("ns", "Europe/Berlin")),
    }
    nested = {
        "list": pa.array([[1, None], [], None, [3]], pa.list_(pa.int32())),
        "map": pa.array([[("a", 1)], None, [], [("b", None)]], pa.map_(pa.string(), pa.int64())),
        "n": pa.array([1, 2, 3, None]),
    }
    named = {f"column_with_a_long_name_{i:03}": pa.array([i, i + 1]) for i in range(40)}
    return [
        (pa.table(scalars), {"compression": "none", "num_buckets": 3, "stats_columns": ["i64", "text", "f32"]}),
        (pa.table(scalars), {"compression": "zstd", "num_buckets": 2, "page_size_threshold": 1}),
        (pa.table(nested), {"compression": "none", "num_buckets": 1}),
        (pa.table(nested), {"compression": "zstd", "num_buckets": 2, "page_size_threshold": 1}),
        (pa.table(named), {"compression": "none", "num_buckets": 4}),
    ]


@cache
def _files() -> list[bytes]:
    made = []
    for table, options in _tables():
        sink = io.BytesIO()
        mosaic.write_table(table, sink, **options)
        made.append(sink.getvalue())
    return made


@cache
def _broken() -> list[bytes]:
    """Files with one or two changed bytes where schema, index and footer are, and in the buckets."""
    rng = random.Random(5)
    made = []
    for data in _files():
        footer = original.File.from_bytes(data).footer
        for start, count in ((footer.schema_offset, 40), (4, 30), (footer.index_offset, 30), (len(data) - 32, 10)):
            for _ in range(count):
                bad = bytearray(data)
                bad[rng.randrange(start, len(bad))] = rng.choice((0, 1, 2, 127, 128, 255, rng.randrange(256)))
                made.append(bytes(bad))
    return made


def outcome(module: Any) -> Iterator[str]:
    """All that a module does with the samples."""
    for enum in (module.Compression, module.NameEncoding, module.PageEncoding, module.BucketLayout):
        yield f"{[(each.name, int(each)) for each in enum]}"
    for name in ("MAGIC", "VERSION", "FOOTER_SIZE", "MAX_BLOCK", "SMALL_BLOCK", "MAX_RATIO", "NANOS_PER_MILLI"):
        yield repr(getattr(module, name))
    yield attempt(_functions, module)
    for kind in _TYPES:
        yield attempt(_type, module, kind)
    for data in _files():
        yield attempt(_read, module, data)
    yield from _types_of_files(module)
    for encoding in range(5):
        for flags in range(4):
            yield attempt(_page, module, bytes([encoding, flags]))
    yield from _edges(module)
    for data in _broken():
        yield attempt(_accepted, module, data)


def _edges(module: Any) -> Iterator[str]:
    """Footers, references to buckets and schemas on both sides of each bound."""
    good = {"index": 104, "schema": 100, "buckets": 1, "groups": 0, "how": 0, "version": 1, "reserved": 0, "size": 136}
    for change in (
        {}, {"index": 103}, {"index": 105}, {"size": 135}, {"size": 137}, {"buckets": 0}, {"buckets": 300}, {"how": 1},
        {"how": 2}, {"version": 0}, {"version": 2}, {"reserved": 1}, {"groups": 7}, {"schema": 101}, {"schema": 99},
    ):  # fmt: skip
        yield attempt(lambda each: shown(_footer(module, **each)), good | change)
    for how in (0, 1):
        for bucket, start, stored, inflated in (
            (0, 4, 0, 0), (0, 4, 0, 1), (0, 4, 5, 0), (0, 4, 5, 1), (0, 4, 5, 1 << 20), (0, 4, 5, (1 << 20) + 1),
            (0, 95, 5, 1), (0, 96, 5, 1), (2, 4, 5, 1), (3, 4, 5, 1), (0, 4, 1, 0), (0, 4, 1, 1),
        ):  # fmt: skip
            data = bytes([bucket]) + start.to_bytes(8, "big") + bytes([stored]) + _varint(inflated)
            yield attempt(_reference, module, data, {**good, "how": how, "buckets": 3})
    for data in (_files()[0], _files()[4]):
        footer = original.File.from_bytes(data).footer
        body = data[footer.schema_offset + 4 : footer.index_offset]
        columns = original.Schema.from_bytes(body).num_columns
        orders = (
            b"",
            bytes(columns),
            bytes([0] + [2] * (columns - 1)),
            bytes([2] * columns),
            bytes([0] + [4] * (columns - 1)),
            bytes([0] + [2] * (columns - 1)) + b"\0",
            bytes([0] + [2] * (columns - 2)) + _varint(1 << 40),
        )
        for order in orders:
            yield attempt(lambda each: shown(module.Schema.from_bytes(each)), body[:-columns] + order)
    for data in _SCHEMAS:
        yield attempt(_again, module.Schema, data)
    for size in (1 << 20, (1 << 20) + 1):
        for data in (b"", bytes(16), bytes(17)):
            yield attempt(_again, module.Slot, _varint(size) + data, module.TypeParams.TINYINT(), 2)
            for how in (0, 1):
                yield attempt(_again, module.SchemaBlock, size.to_bytes(4, "big") + data, how)
    for inflated, body in ((0, bytes(4)), (3, b"\0\1\2"), (0, b""), (3, b"")):
        for size in (0, 2, 3, 4, 5):
            for how in (0, 1):
                given = (how, size, inflated, [module.TypeParams.TINYINT()], 1, 2)
                yield attempt(_again, module.Bucket, body, *given)
                yield attempt(_again, module.Bucket, body + b"\0", *given)
    for precision, scale in (
        (0, 0),
        (1, 1),
        (38, 38),
        (38, 39),
        (39, 39),
        (5, -128),
        (5, -129),
        (5, -(2**31)),
        (5, -(2**31) - 1),
        (2**32, 0),
    ):
        yield attempt(_decimal, module, precision, scale)
    yield from _stats(module)
    yield from _cells(module)


def _decimal(module: Any, precision: int, scale: int) -> str:
    written: bytes = module.TypeParams.DECIMAL(precision=precision, scale=scale).to_bytes(14)
    return written.hex()


def _stats(module: Any) -> Iterator[str]:
    """Statistics of columns with none, some and only nulls, and with more nulls than rows."""
    schema = module.Schema.from_bytes(b"\1\1\0\0\1n\3\1\0")
    for nulls in range(5):
        for bounds in (b"", bytes(range(8))):
            yield attempt(_again, module.ColumnStats, bytes([0, nulls]) + bounds, schema, 3)
    yield attempt(_again, module.ColumnStats, b"\1\3", schema, 3)
    for low, high in ((None, None), (1, None), (None, 1), (1, 2)):
        for nulls in range(2, 5):
            yield attempt(_stats_written, module, schema, nulls, low, high)


def _stats_written(module: Any, schema: Any, nulls: int, low: int | None, high: int | None) -> str:
    full = module.ColumnStats.from_bytes(bytes([0, 0]) + bytes(range(8)), schema, 3)
    given = {"low": None if low is None else full.low, "high": None if high is None else full.high}
    return str(module.ColumnStats(column=0, null_count=nulls, **given).to_bytes(schema, 3).hex())


def _cells(module: Any) -> Iterator[str]:
    """Pages of a dictionary, with codes below, at and above its size, and bits after the last one."""
    for entries in range(5):
        for codes in range(0, 256, 5):
            data = bytes([2, 0, entries, *range(entries), codes])
            yield attempt(_again, module.Page, data, module.TypeParams.TINYINT(), 2)


def _again(cls: Any, data: bytes, *given: Any) -> str:
    """What bytes hold, and what that is written as."""
    found = cls.from_bytes(data, *given)
    return f"{shown(found)} {attempt(lambda: found.to_bytes(*given).hex())}"


#: Names that begin as others end, share too much, or are tokens of pair rules.
_SCHEMAS = [
    b"\1\1\0\0\1X\0\1\0",
    b"\1\1\0\1\0\0\1\0",
    b"\2\1\0\0\2Xa\0\1\1\1b\0\1\2\1",
    b"\2\1\0\0\2Xa\0\1\3\1b\0\1\2\1",
    b"\1\1\1\2ab\x80c\0\2\x81d\0\1\0",
    b"\1\1\1\2ab\x81c\0\2\x81d\0\1\0",
    b"\1\1\1\0\0\1X\0\1\0",
    b"\1\1\2\0\1X\0\1\0",
    b"\1\0\0\0\1X\0\1\0",
    b"\1\1\0\0\0\0\1\0",
    b"\2\1\0\0\1a\0\1\1\0\0\1\0\2",
    b"\2\1\0\0\1b\0\1\0\1a\0\1\0\2",
]
#: Parameters of types: a length, a precision and a scale or zone, an element, a name and a key and an item.
_PARAMETERS = [
    b"\xac\x02",
    *(bytes([precision]) + b"\x03UTC" for precision in range(2, 10)),
    b"\x01e\x03\x01",
    b"\x01m\x01k\x0a\x00\x01v\x04\x01",
    *(bytes([precision, 2]) for precision in (17, 18, 19, 38, 39)),
]


def _types_of_files(module: Any) -> Iterator[str]:
    """Every type that a file can have, and how its values lie; writers never write some of them."""
    for number in range(21):
        for parameters in _PARAMETERS:
            yield attempt(_type_of_file, module, bytes([number, 1]) + parameters)


def _page(module: Any, data: bytes) -> str:
    return shown(module.Page.from_bytes(data + b"\1\2\3", module.TypeParams.TINYINT(), 2, allow_trailing=True))


def _type_of_file(module: Any, data: bytes) -> str:
    found = module.TypeDescriptor.from_bytes(data, allow_trailing=True)
    kinds = f"{attempt(found.params.to_arrow)} {attempt(layout_of, module.Value, found.params)}"
    return f"{shown(found)} {found.to_bytes().hex()} {kinds}"


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _footer(module: Any, *, index: int, schema: int, size: int, **rest: int) -> Any:
    data = index.to_bytes(8, "big") + schema.to_bytes(8, "big") + rest["buckets"].to_bytes(4, "big")
    data += rest["groups"].to_bytes(4, "big") + bytes([rest["how"], rest["version"]])
    return module.Footer.from_bytes(data + rest["reserved"].to_bytes(2, "big") + b"MOSA", size)


def _reference(module: Any, data: bytes, given: dict[str, int]) -> str:
    return shown(module.BucketRef.from_bytes(data, _footer(module, **given)))


def _functions(module: Any) -> str:
    found = [module.max_inflated(each) for each in (0, 1, 15, 16, 17, 8191, 8192, 10**9)]
    found += [module.bucket_of(each, 10, 3) for each in range(10)]
    found += [module.first_position(each, 10, 3) for each in range(4)]
    found += [module.bit_width(each) for each in (0, 1, 2, 3, 4, 5, 256, 257)]
    found += [module.layout_of(*each) for each in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 5))]
    found += [module.rows_of(each, 2, 9, [4, 5]) for each in range(4)]
    return f"{list(map(int, found))}"


def _accepted(module: Any, data: bytes) -> str:
    """What is wrong with a broken file, if anything is found."""
    file = module.File.from_bytes(data)
    found = [f"{file.footer} {file.index}"]
    for group in file.index.row_groups:
        for ref in group.buckets:
            try:
                _stored(module, data, file, group, ref)
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}")
    return "\n".join(found)


def _type(module: Any, kind: pa.DataType) -> str:
    found = module.TypeParams.from_arrow(kind)
    return f"{found} {None if found is None else found.to_arrow()}"


def _read(module: Any, data: bytes) -> str:
    file = module.File.from_bytes(data)
    parts = [shown(file.footer), shown(file.schema), shown(file.index)]
    parts.append(attempt(lambda: file.to_bytes(start=file.footer.schema_offset).hex()))
    parts += [attempt(lambda name: table_text(getattr(module, name).of(file)), name) for name in ("buckets", "columns")]
    columns = file.schema.body.columns
    for column in columns:
        parts.append(attempt(column.type.params.to_arrow))
    for group in file.index.row_groups:
        parts += [attempt(_bucket, module, data, file, group, ref) for ref in group.buckets]
    return "\n".join(parts)


def _bucket(module: Any, data: bytes, file: Any, group: Any, ref: Any) -> str:
    content, given = _stored(module, data, file, group, ref)
    again = attempt(lambda: content.to_bytes(given[1], ref.stored, ref.inflated, *given[2:]).hex())
    return f"{shown(content)} {again} {_values(content, given[2])}"


def _stored(module: Any, data: bytes, file: Any, group: Any, ref: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a bucket holds, and the arguments that it was read with."""
    columns, count = file.schema.body.columns, file.footer.num_buckets
    own = [
        column.type.params
        for position, column in enumerate(columns)
        if module.bucket_of(position, len(columns), count) == ref.bucket_id
    ]
    kinds = [*own, *(child for type_ in own for child in _descendants(type_))]
    given = (ref, file.footer.compression, kinds, len(own), group.num_rows)
    return module.StoredBucket.from_bytes(data, *given).data, given


def _values(content: Any, kinds: list[Any]) -> str:
    """The values of all columns as Arrow arrays."""
    body = content.body
    cells = getattr(body, "cells", None) or [None if slot is None else slot.page.cells for slot in body.slots]
    found = []
    for kind, cell in zip(kinds, cells, strict=True):
        values = getattr(cell, "values", None)
        if values is not None:
            type_ = pa.int32() if kind.kind in ("ARRAY", "MAP") else kind.to_arrow()
            found.append(attempt(lambda each, arrow: each.to_arrow(arrow).to_pylist(), values, type_))
    return f"{found}"


def _descendants(kind: Any) -> list[Any]:
    children = {"ARRAY": ("element",), "MAP": ("key", "item")}.get(kind.kind, ())
    inside = [getattr(kind, name).type.params for name in children]
    return [each for child in inside for each in (child, *_descendants(child))]
