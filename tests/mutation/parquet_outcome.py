"""What modules compiled from parquet.idl and parquet_file.idl do: structs of all fields and of few, files, tables."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lakecodec.generated.parquet import (
    ColumnChunk,
    ColumnMetaData,
    CompressionCodec,
    FileMetaData,
    RowGroup,
    SchemaElement,
    Statistics,
    Type,
)
from lakecodec.generator.compile import load_checked
from lakecodec.generator.model import Enum, ListOf, MapOf, Scalar, SetOf, Struct

from ..paths import SPECS
from .outcomes import attempt, shown, table_text

_SCALARS = {"bool": True, "i8": 5, "i16": 300, "i32": 70000, "i64": 2**40, "double": 1.5, "binary": b"\xff\1"}
_SCALARS |= {"string": "ab", "uuid": bytes(16)}


@cache
def _structs() -> list[Struct]:
    model = load_checked(SPECS / "parquet.idl")
    return [each for each in model.definitions if isinstance(each, Struct)]


@cache
def _enums() -> list[Enum]:
    return [each for each in load_checked(SPECS / "parquet.idl").definitions if isinstance(each, Enum)]


def _value(module: Any, kind: Any, depth: int) -> Any:
    """A value of a type as the original text has it."""
    match kind:
        case Scalar():
            return _SCALARS[kind.kind]
        case ListOf() | SetOf():
            item = _value(module, kind.value, depth)
            return [] if item is None else [item]
        case MapOf():
            return {}
        case Enum():
            return getattr(module, kind.name)[kind.members[-1].name]
        case Struct():
            return _struct(module, kind, depth - 1) if depth else None
    raise AssertionError(kind)


def _struct(module: Any, kind: Struct, depth: int = 6, without: str = "", only: str = "") -> Any:
    given = {}
    fields = kind.fields
    if kind.kind == "union":
        fields = [field for field in fields if field.name == only] if only else fields[:1]
    for field in fields:
        if field.name != without and not (only and field.requiredness != "required" and field.name != only):
            value = _value(module, field.type, depth)
            if value is not None:
                given[field.name] = value
    cls = getattr(module, kind.name)
    if kind.kind == "union":
        ((member, value),) = given.items()
        return getattr(cls, member)(value)
    return cls(**given)


def _sample(module: Any, kind: Struct, without: str = "", only: str = "") -> str:
    made = _struct(module, kind, without=without, only=only)
    data: bytes = made.to_bytes()
    back = getattr(module, kind.name).from_bytes(data)
    return f"{kind.name} {data.hex()} {back}"


def _defaults(module: Any, kind: Struct) -> str:
    """What the absence of each field means: it is never filled in."""
    return f"{kind.name} {[(field.name, field.default) for field in module.__spec__[kind.name].fields]}"


def structs_outcome(module: Any) -> list[str]:
    """Every struct with all fields, with each of them missing, and each alternative of unions."""
    lines = []
    for enum in _enums():
        lines.append(attempt(lambda name: [f"{each.name}={int(each)}" for each in getattr(module, name)], enum.name))
    for kind in _structs():
        lines.append(attempt(_defaults, module, kind))
        lines.append(attempt(_sample, module, kind))
        for field in kind.fields:
            lines.append(attempt(_sample, module, kind, *(("", field.name) if kind.kind == "union" else (field.name,))))
    return lines


@cache
def _file() -> bytes:
    table = pa.table({"a": [1, None, 3, 4], "b": ["x", "y", None, "z"], "c": [[1.5], [], None, [2.5]]})
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=3, compression="snappy", write_page_index=True)
    return sink.getvalue()


@cache
def _chunk() -> tuple[int, int]:
    found = pq.ParquetFile(io.BytesIO(_file())).metadata.row_group(0).column(1)
    return found.dictionary_page_offset, found.total_compressed_size


def file_outcome(module: Any) -> list[str]:
    """Heads, tails and footers, whole and broken; a whole file, a column chunk, and the table of chunks."""
    data = _file()
    lines = [module.MAGIC, module.ENCRYPTED_MAGIC, str(module.JULIAN_EPOCH_DAY), str(module.BLOOM_SALT)]
    lines.append(attempt(lambda each: shown(module.Int96.from_bytes(each)), bytes(range(12))))
    lines.append(attempt(lambda each: shown(module.Float16.from_bytes(each)), b"\x01\x3c"))
    for kind in range(9):
        for size in (1, 4, 8, 12):
            lines.append(
                attempt(lambda each, at: shown(module.Plain.from_bytes(each, at)), bytes(range(1, size + 1)), kind)
            )
    for head in (b"PAR1", b"PARE", b"XXXX", b"PAR1+"):
        lines.append(attempt(lambda each: shown(module.Head.from_bytes(each)), head))
    for size, magic, whole in (
        (100, b"PAR1", 112), (100, b"PAR1", 111), (100, b"PAR1", 1000), (0, b"PAR1", 1000), (100, b"PARE", 1000),
        (100, b"PARX", 1000), (1, b"PAR1", 13), (256, b"PAR1", 1000),
    ):  # fmt: skip
        tail = size.to_bytes(4, "little") + magic
        lines.append(attempt(lambda each, n: shown(module.Tail.from_bytes(each, n)), tail, whole))
    lines.append(attempt(lambda: shown(module.Head(magic=b"PAR1").to_bytes())))
    file = attempt(_whole, module, data)
    lines += [file, attempt(_footer, module, data), attempt(_chunks, module, data)]
    lines += [attempt(_table, module, name, data) for name in ("column_chunks", "chunk_bounds")]
    lines.append(attempt(_bounds, module))
    lines.append(attempt(_whole, module, _endless()))
    # Blocks behind a header of split blocks, xxhash and no compression: one of 32 bytes, a cut one, none.
    for size in (32, 31, 0):
        bloom = bytes([0x15, 2 * size]) + bytes.fromhex("1c1c0000" * 3 + "00") + bytes(range(256 - size, 256))
        lines.append(attempt(lambda each: shown(module.BloomFilter.from_bytes(each)), bloom))
    return lines


@cache
def _endless() -> bytes:
    """A file whose metadata has no end: the first byte of its size, a zero, would do for one."""
    for length in range(256):
        meta = FileMetaData(
            version=1, schema=[SchemaElement(name="s")], num_rows=0, row_groups=[], created_by="x" * (256 + length)
        ).to_bytes()[:-1]
        if len(meta) % 256 == 0:
            return b"PAR1" + meta + len(meta).to_bytes(4, "little") + b"PAR1"
    raise AssertionError


def _whole(module: Any, data: bytes) -> str:
    file = module.File.from_bytes(data)
    return f"{shown(file.head)} {shown(file.tail)} {file.meta} {file.span('meta')} {file.span('tail')}"


def _footer(module: Any, data: bytes) -> str:
    meta = module.File.from_bytes(data).meta
    written = module.Footer(meta=meta).to_bytes()
    found = module.Footer.from_bytes(written)
    return f"{written.hex()} {shown(found)} {found.magic!r}"


def _chunks(module: Any, data: bytes) -> str:
    start, stored = _chunk()
    chunk = module.Chunk.from_bytes(data, start, stored)
    return shown(chunk.pages)


def _table(module: Any, name: str, data: bytes) -> str:
    size = int.from_bytes(data[-8:-4], "little")
    found, errors = getattr(module, name).decode([data[-8 - size : -8]])
    return f"{table_text(found)} {errors}"


def _bounds(module: Any) -> str:
    """All bounds of a chunk, each another one."""
    bounds = Statistics(min=b"1", max=b"2", min_value=b"3", max_value=b"4", null_count=5, nan_count=6)
    about = ColumnMetaData(
        type=Type.INT32, encodings=[], path_in_schema=["a", "b"], codec=CompressionCodec.SNAPPY, num_values=2**40 + 7,
        total_uncompressed_size=8, total_compressed_size=9, data_page_offset=10, statistics=bounds,
    )  # fmt: skip
    group = RowGroup(columns=[ColumnChunk(file_offset=0, meta_data=about)], total_byte_size=0, num_rows=2**40 + 11)
    meta = FileMetaData(version=1, schema=[SchemaElement(name="s")], num_rows=2**40 + 12, row_groups=[group])
    found, errors = module.chunk_bounds.decode([meta.to_bytes(), meta.to_bytes()])
    return f"{table_text(found)} {errors}"
