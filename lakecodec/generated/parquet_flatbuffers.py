# Generated from parquet_flatbuffers.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:2123800ff61494e2580e01521f86b80cb2c06750eb678fb8abad1a4d3dc7e4e8
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""A candidate for Parquet's next footer: FileMetaData in FlatBuffers, without what other fields tell.

apache/parquet-format #544 (parquet.fbs), and BinaryProtocolExtensions.md for the end of the file;
FlatBuffers' "Internals". Of a table, `start` is its place in the source; a field that is not there has its
default.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import lazy as _lazy
from ..runtime.records import record as _rec


class Kind(_enum.IntEnum):
    """The kinds of LogicalType whose tables have fields."""

    DECIMAL = 5
    """DecimalOptions."""
    TIME = 7
    """TimeOptions."""
    TIMESTAMP = 8
    """TimeOptions."""
    INT = 9
    """IntOptions."""
    VARIANT = 15
    """VariantType."""
    GEOMETRY = 16
    """GeometryType."""
    GEOGRAPHY = 17
    """GeographyType."""


_Tail_checksum = _rec.Layout("<", checksum="I", flatbuffer_size="I", size_checksum="I", magic="4s")
_VTable_size_of_this = _rec.Layout("<", size_of_this="H", size_of_table="H")


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    _gaps = True
    _overlaps = True
    tail: Tail = _rec.placed("Tail", places=True, takes=16)
    flatbuffer: bytes = _rec.placed("bytes")
    root: int = _rec.placed("u32", places=True, takes=4)
    meta: FileMetaData = _rec.placed("FileMetaData")

    def _span_tail(self: _Any) -> tuple[int, int | None]:
        return self._size - 16, 16

    def _read_tail(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("tail", Tail)

    def _write_tail(self: _Any, w: _rec.Writer) -> None:
        w.encode("tail", Tail, self.tail)

    def _span_flatbuffer(self: _Any) -> tuple[int, int | None]:
        return self._size - 16 - self.tail.flatbuffer_size, self.tail.flatbuffer_size

    def _read_flatbuffer(self: _Any, r: _rec.Reader) -> _Any:
        value = r.bytes("flatbuffer", r.left)
        r.finish("flatbuffer")
        if _fn.crc32(value) != self.tail.checksum:
            r.refuse("flatbuffer", "the checksum is another", 0)
        return value

    def _write_flatbuffer(self: _Any, w: _rec.Writer) -> None:
        w.bytes("flatbuffer", self.flatbuffer)
        if _fn.crc32(self.flatbuffer) != self.tail.checksum:
            w.refuse("flatbuffer", "the checksum is another")

    def _span_root(self: _Any) -> tuple[int, int | None]:
        return self._size - 16 - self.tail.flatbuffer_size, 4

    def _span_meta(self: _Any) -> tuple[int, int | None]:
        return self._size - 16 - self.tail.flatbuffer_size + self.root, 0

    def _read_meta(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("meta", FileMetaData, self._size - 16 - self.tail.flatbuffer_size + self.root)

    def _write_meta(self: _Any, w: _rec.Writer) -> None:
        w.encode("meta", FileMetaData, self.meta, self._size - 16 - self.tail.flatbuffer_size + self.root)


class Tail(_rec.Record):
    """The end of the file."""

    checksum: int = _rec.field("u32")
    flatbuffer_size: int = _rec.field("u32", captures=["start"])
    size_checksum: int = _rec.derived("u32", ("call", _fn.crc32, ("encoded", "flatbuffer_size")))
    magic: bytes = _rec.derived(
        "bytes[4]", b"PAR3", "bytes", length=4,
        verifies=[
            (
                "==", "size_checksum",
                (
                    "call", _fn.crc32,
                    (
                        "bytes", ("captured", "start", "flatbuffer_size"),
                        ("+", ("captured", "start", "flatbuffer_size"), 4),
                    ),
                ),
            ),
            "magic",
        ],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.checksum, self.flatbuffer_size, self.size_checksum, self.magic = r.run(_Tail_checksum)
        flatbuffer_size_at = r.tell() - 12
        r.about("size_checksum")
        if self.size_checksum != _fn.crc32(r.between(flatbuffer_size_at, flatbuffer_size_at + 4)):
            r.refuse("size_checksum", "the checksum of the size is another")
        if self.magic != b"PAR3":
            r.refuse("magic", "no footer in FlatBuffers")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.u32("checksum", self.checksum)
        with w.part("flatbuffer_size", w.offset_if_known()) as flatbuffer_size_part:
            flatbuffer_size_part.u32("flatbuffer_size", self.flatbuffer_size)
        w.put(flatbuffer_size_part)
        w.about("size_checksum")
        self.size_checksum = _fn.crc32(b"".join((bytes(flatbuffer_size_part),)))
        self.magic = b"PAR3"
        w.u32("size_checksum", self.size_checksum)
        w.bytes("magic", self.magic, 4)


class VTable(_rec.Record):
    """Where the fields of a table are, from the table's start; 0 where a field is absent. Tables of one shape share
    it.
    """

    size_of_this: int = _rec.derived("u16", ("+", 4, ("*", 2, ("count", "slots"))))
    size_of_table: int = _rec.field("u16")
    slots: list[int] = _rec.field(
        "u16[size_of_this / 2 - 2]", "u16", count=("-", ("//", "size_of_this", 2), 2), smallest=2,
        verifies=["size_of_this"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.size_of_this, self.size_of_table = r.run(_VTable_size_of_this)
        size_of_this_at = r.tell() - 4
        self.slots = r.numbers("slots", self.size_of_this // 2 - 2, "<H")
        if self.size_of_this != 4 + 2 * len(self.slots):
            r.refuse("size_of_this", "size_of_this must be 4 + 2 * count(slots)", size_of_this_at)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("size_of_this")
        self.size_of_this = 4 + 2 * len(self.slots)
        w.run(_VTable_size_of_this, self.size_of_this, self.size_of_table)
        w.numbers("slots", self.slots, "<H", self.size_of_this // 2 - 2)


class Text(_rec.Record):
    """A text behind the count of its bytes."""

    n: int = _rec.derived("u32", ("count", "text"))
    text: str = _rec.field("utf8[n]", "utf8", length="n")
    end_of_text: int = _rec.derived("u8", 0, verifies=["end_of_text"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.n = r.u32("n")
        self.text = r.text("text", self.n)
        self.end_of_text = r.u8("end_of_text")
        if self.end_of_text != 0:
            r.refuse("end_of_text", "end_of_text must be 0")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.n = len(w.utf8("text", self.text))
        w.u32("n", self.n)
        w.text("text", self.text)
        self.end_of_text = 0
        w.u8("end_of_text", self.end_of_text)


class Bytes(_rec.Record):
    """Bytes behind their count."""

    n: int = _rec.derived("u32", ("count", "data"))
    data: bytes = _rec.field("bytes[n]", "bytes", length="n")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.n = r.u32("n")
        self.data = r.bytes("data", self.n)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.n = len(w.raw("data", self.data))
        w.u32("n", self.n)
        w.bytes("data", self.data)


class Ints(_rec.Record):
    """Numbers behind their count."""

    n: int = _rec.derived("u32", ("count", "all"))
    all: list[int] = _rec.field("i32[n]", "i32", count="n", smallest=4)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.n = r.u32("n")
        self.all = r.numbers("all", self.n, "<i")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.n = w.count("all", self.all)
        w.u32("n", self.n)
        w.numbers("all", self.all, "<i")


class Distances(_rec.Record):
    """A vector of tables: how far each is from where that stands."""

    n: int = _rec.derived("u32", ("count", "all"))
    all: list[int] = _rec.field("u32[n]", "u32", count="n", smallest=4)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.n = r.u32("n")
        self.all = r.numbers("all", self.n, "<I")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.n = w.count("all", self.all)
        w.u32("n", self.n)
        w.numbers("all", self.all, "<I")


class FileMetaData(_lazy.LazyRecord):
    """The footer."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    version: int | None = _rec.placed("i32", optional=True, from_source=True)
    schema_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    schema_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    schema: list[SchemaElement] = _rec.placed(
        "SchemaElement[i < present(schema_all) ? schema_all.n : 0]", each=True, from_source=True
    )
    num_rows: int | None = _rec.placed("i64", optional=True, from_source=True)
    row_groups_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    row_groups_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    row_groups: list[RowGroup] = _rec.placed(
        "RowGroup[i < present(row_groups_all) ? row_groups_all.n : 0]", each=True, from_source=True
    )
    kv_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    kv_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    kv: list[KeyValue] = _rec.placed("KeyValue[i < present(kv_all) ? kv_all.n : 0]", each=True, from_source=True)
    created_by_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    created_by: Text | None = _rec.placed("Text", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_version(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_version(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_schema_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_schema_at(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_schema_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 1, self.schema_at), None

    def _given_schema_all(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _read_schema_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("schema_all", Distances)

    def _write_schema_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("schema_all", self.schema_all, has(self.v, 1)):
            w.encode("schema_all", Distances, self.schema_all)

    def _span_schema(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 1, self.schema_at, self.schema_all, index), 0

    def _count_schema(self: _Any) -> int:
        return self.schema_all.n if self.schema_all is not None else 0

    def _read_schema(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(at, SchemaElement, item_(self.start, self.v, 1, self.schema_at, self.schema_all, at.index))

    def _write_schema(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.schema[at.index]
        w.encode(at, SchemaElement, item, item_(self.start, self.v, 1, self.schema_at, self.schema_all, at.index))

    def _span_num_rows(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_num_rows(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_row_groups_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_row_groups_at(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_row_groups_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 3, self.row_groups_at), None

    def _given_row_groups_all(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _read_row_groups_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("row_groups_all", Distances)

    def _write_row_groups_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("row_groups_all", self.row_groups_all, has(self.v, 3)):
            w.encode("row_groups_all", Distances, self.row_groups_all)

    def _span_row_groups(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 3, self.row_groups_at, self.row_groups_all, index), 0

    def _count_row_groups(self: _Any) -> int:
        return self.row_groups_all.n if self.row_groups_all is not None else 0

    def _read_row_groups(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(
            at, RowGroup, item_(self.start, self.v, 3, self.row_groups_at, self.row_groups_all, at.index)
        )

    def _write_row_groups(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.row_groups[at.index]
        w.encode(at, RowGroup, item, item_(self.start, self.v, 3, self.row_groups_at, self.row_groups_all, at.index))

    def _span_kv_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_kv_at(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_kv_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 4, self.kv_at), None

    def _given_kv_all(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _read_kv_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("kv_all", Distances)

    def _write_kv_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("kv_all", self.kv_all, has(self.v, 4)):
            w.encode("kv_all", Distances, self.kv_all)

    def _span_kv(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 4, self.kv_at, self.kv_all, index), 0

    def _count_kv(self: _Any) -> int:
        return self.kv_all.n if self.kv_all is not None else 0

    def _read_kv(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(at, KeyValue, item_(self.start, self.v, 4, self.kv_at, self.kv_all, at.index))

    def _write_kv(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.kv[at.index]
        w.encode(at, KeyValue, item, item_(self.start, self.v, 4, self.kv_at, self.kv_all, at.index))

    def _span_created_by_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_created_by_at(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_created_by(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 5, self.created_by_at), None

    def _given_created_by(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _read_created_by(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("created_by", Text)

    def _write_created_by(self: _Any, w: _rec.Writer) -> None:
        if w.given("created_by", self.created_by, has(self.v, 5)):
            w.encode("created_by", Text, self.created_by)


class SchemaElement(_lazy.LazyRecord):
    """An element of the schema. Enums are bytes, with the numbers that they have in Thrift; members of unions count
    from 1.
    """

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    type: int | None = _rec.placed("i8", optional=True, from_source=True)
    type_length: int | None = _rec.placed("i32", optional=True, from_source=True)
    repetition_type: int | None = _rec.placed("i8", optional=True, from_source=True)
    name_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    name: Text | None = _rec.placed("Text", optional=True, from_source=True)
    num_children: int | None = _rec.placed("i32", optional=True, from_source=True)
    field_id: int | None = _rec.placed("i32", optional=True, from_source=True)
    logical_type: int | None = _rec.placed("u8", optional=True, from_source=True)
    options_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    options: Options | None = _rec.placed("Options", optional=True, from_source=True)
    column_order: int | None = _rec.placed("u8", optional=True, from_source=True)
    order_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    order: Options | None = _rec.placed("Options", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_type(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_type(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_type_length(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_type_length(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_repetition_type(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_repetition_type(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_name_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_name_at(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_name(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 3, self.name_at), None

    def _given_name(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _read_name(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("name", Text)

    def _write_name(self: _Any, w: _rec.Writer) -> None:
        if w.given("name", self.name, has(self.v, 3)):
            w.encode("name", Text, self.name)

    def _span_num_children(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_num_children(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_field_id(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_field_id(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_logical_type(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 6), None

    def _given_logical_type(self: _Any) -> bool:
        return bool(has(self.v, 6))

    def _span_options_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 7), None

    def _given_options_at(self: _Any) -> bool:
        return bool(has(self.v, 7))

    def _span_options(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 7, self.options_at), 0

    def _given_options(self: _Any) -> bool:
        return bool(has(self.v, 7))

    def _read_options(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("options", Options, to(self.start, self.v, 7, self.options_at), self.logical_type)

    def _write_options(self: _Any, w: _rec.Writer) -> None:
        if w.given("options", self.options, has(self.v, 7)):
            w.encode("options", Options, self.options, to(self.start, self.v, 7, self.options_at), self.logical_type)

    def _span_column_order(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 8), None

    def _given_column_order(self: _Any) -> bool:
        return bool(has(self.v, 8))

    def _span_order_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 9), None

    def _given_order_at(self: _Any) -> bool:
        return bool(has(self.v, 9))

    def _span_order(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 9, self.order_at), 0

    def _given_order(self: _Any) -> bool:
        return bool(has(self.v, 9))

    def _read_order(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("order", Options, to(self.start, self.v, 9, self.order_at), 0)

    def _write_order(self: _Any, w: _rec.Writer) -> None:
        if w.given("order", self.order, has(self.v, 9)):
            w.encode("order", Options, self.order, to(self.start, self.v, 9, self.order_at), 0)


class Options(_lazy.LazyRecord):
    """What a logical type says beside its kind; nothing of most."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    kind: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    scale: int | None = _rec.placed("i32", optional=True, from_source=True)
    precision: int | None = _rec.placed("i32", optional=True, from_source=True)
    is_adjusted_to_utc: bool | None = _rec.placed("bool8", optional=True, from_source=True)
    unit: int | None = _rec.placed("i8", optional=True, from_source=True)
    bit_width: int | None = _rec.placed("i8", optional=True, from_source=True)
    is_signed: bool | None = _rec.placed("bool8", optional=True, from_source=True)
    specification_version: int | None = _rec.placed("i8", optional=True, from_source=True)
    crs_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    crs: Text | None = _rec.placed("Text", optional=True, from_source=True)
    algorithm: int | None = _rec.placed("i8", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_scale(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_scale(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.DECIMAL, Kind.DECIMAL))

    def _span_precision(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_precision(self: _Any) -> bool:
        return bool(of(self.v, 1, self.kind, Kind.DECIMAL, Kind.DECIMAL))

    def _span_is_adjusted_to_utc(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_is_adjusted_to_utc(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.TIME, Kind.TIMESTAMP))

    def _span_unit(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_unit(self: _Any) -> bool:
        return bool(of(self.v, 1, self.kind, Kind.TIME, Kind.TIMESTAMP))

    def _span_bit_width(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_bit_width(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.INT, Kind.INT))

    def _span_is_signed(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_is_signed(self: _Any) -> bool:
        return bool(of(self.v, 1, self.kind, Kind.INT, Kind.INT))

    def _span_specification_version(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_specification_version(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.VARIANT, Kind.VARIANT))

    def _span_crs_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_crs_at(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.GEOMETRY, Kind.GEOGRAPHY))

    def _span_crs(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 0, self.crs_at), None

    def _given_crs(self: _Any) -> bool:
        return bool(of(self.v, 0, self.kind, Kind.GEOMETRY, Kind.GEOGRAPHY))

    def _read_crs(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("crs", Text)

    def _write_crs(self: _Any, w: _rec.Writer) -> None:
        if w.given("crs", self.crs, of(self.v, 0, self.kind, Kind.GEOMETRY, Kind.GEOGRAPHY)):
            w.encode("crs", Text, self.crs)

    def _span_algorithm(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_algorithm(self: _Any) -> bool:
        return bool(of(self.v, 1, self.kind, Kind.GEOGRAPHY, Kind.GEOGRAPHY))


class RowGroup(_lazy.LazyRecord):
    """A row group."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    columns_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    columns_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    columns: list[ColumnChunk] = _rec.placed(
        "ColumnChunk[i < present(columns_all) ? columns_all.n : 0]", each=True, from_source=True
    )
    total_byte_size: int | None = _rec.placed("i64", optional=True, from_source=True)
    num_rows: int | None = _rec.placed("i64", optional=True, from_source=True)
    sorting_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    sorting_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    sorting: list[SortingColumn] = _rec.placed(
        "SortingColumn[i < present(sorting_all) ? sorting_all.n : 0]", each=True, from_source=True
    )
    file_offset: int | None = _rec.placed("i64", optional=True, from_source=True)
    total_compressed_size: int | None = _rec.placed("i64", optional=True, from_source=True)
    ordinal: int | None = _rec.placed("i16", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_columns_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_columns_at(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_columns_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 0, self.columns_at), None

    def _given_columns_all(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _read_columns_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("columns_all", Distances)

    def _write_columns_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("columns_all", self.columns_all, has(self.v, 0)):
            w.encode("columns_all", Distances, self.columns_all)

    def _span_columns(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 0, self.columns_at, self.columns_all, index), 0

    def _count_columns(self: _Any) -> int:
        return self.columns_all.n if self.columns_all is not None else 0

    def _read_columns(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(at, ColumnChunk, item_(self.start, self.v, 0, self.columns_at, self.columns_all, at.index))

    def _write_columns(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.columns[at.index]
        w.encode(at, ColumnChunk, item, item_(self.start, self.v, 0, self.columns_at, self.columns_all, at.index))

    def _span_total_byte_size(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_total_byte_size(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_num_rows(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_num_rows(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_sorting_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_sorting_at(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_sorting_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 3, self.sorting_at), None

    def _given_sorting_all(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _read_sorting_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("sorting_all", Distances)

    def _write_sorting_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("sorting_all", self.sorting_all, has(self.v, 3)):
            w.encode("sorting_all", Distances, self.sorting_all)

    def _span_sorting(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 3, self.sorting_at, self.sorting_all, index), 0

    def _count_sorting(self: _Any) -> int:
        return self.sorting_all.n if self.sorting_all is not None else 0

    def _read_sorting(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(
            at, SortingColumn, item_(self.start, self.v, 3, self.sorting_at, self.sorting_all, at.index)
        )

    def _write_sorting(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.sorting[at.index]
        w.encode(at, SortingColumn, item, item_(self.start, self.v, 3, self.sorting_at, self.sorting_all, at.index))

    def _span_file_offset(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_file_offset(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_total_compressed_size(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_total_compressed_size(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_ordinal(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 6), None

    def _given_ordinal(self: _Any) -> bool:
        return bool(has(self.v, 6))


class SortingColumn(_lazy.LazyRecord):
    """A column that rows are sorted by."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    column_idx: int | None = _rec.placed("i32", optional=True, from_source=True)
    descending: bool | None = _rec.placed("bool8", optional=True, from_source=True)
    nulls_first: bool | None = _rec.placed("bool8", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_column_idx(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_column_idx(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_descending(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_descending(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_nulls_first(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_nulls_first(self: _Any) -> bool:
        return bool(has(self.v, 2))


class ColumnChunk(_lazy.LazyRecord):
    """A column chunk that is not encrypted."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    metadata_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    metadata: ColumnMetadata | None = _rec.placed("ColumnMetadata", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_metadata_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_metadata_at(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_metadata(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 0, self.metadata_at), 0

    def _given_metadata(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _read_metadata(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("metadata", ColumnMetadata, to(self.start, self.v, 0, self.metadata_at))

    def _write_metadata(self: _Any, w: _rec.Writer) -> None:
        if w.given("metadata", self.metadata, has(self.v, 0)):
            w.encode("metadata", ColumnMetadata, self.metadata, to(self.start, self.v, 0, self.metadata_at))


class ColumnMetadata(_lazy.LazyRecord):
    """What is known of a column chunk."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    codec: int | None = _rec.placed("i8", optional=True, from_source=True)
    num_values: int | None = _rec.placed("i64", optional=True, from_source=True)
    total_uncompressed_size: int | None = _rec.placed("i64", optional=True, from_source=True)
    total_compressed_size: int | None = _rec.placed("i64", optional=True, from_source=True)
    kv_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    kv_all: Distances | None = _rec.placed("Distances", optional=True, from_source=True, places=True)
    kv: list[KeyValue] = _rec.placed("KeyValue[i < present(kv_all) ? kv_all.n : 0]", each=True, from_source=True)
    data_page_offset: int | None = _rec.placed("i64", optional=True, from_source=True)
    index_page_offset: int | None = _rec.placed("i64", optional=True, from_source=True)
    dictionary_page_offset: int | None = _rec.placed("i64", optional=True, from_source=True)
    statistics_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    statistics: Statistics | None = _rec.placed("Statistics", optional=True, from_source=True)
    is_fully_dict_encoded: bool | None = _rec.placed("bool8", optional=True, from_source=True)
    bloom_filter_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    bloom_filter: BloomFilterInfo | None = _rec.placed("BloomFilterInfo", optional=True, from_source=True)
    geospatial_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    geospatial: GeospatialStatistics | None = _rec.placed("GeospatialStatistics", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_codec(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_codec(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_num_values(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_num_values(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_total_uncompressed_size(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_total_uncompressed_size(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_total_compressed_size(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_total_compressed_size(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_kv_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_kv_at(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_kv_all(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 4, self.kv_at), None

    def _given_kv_all(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _read_kv_all(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("kv_all", Distances)

    def _write_kv_all(self: _Any, w: _rec.Writer) -> None:
        if w.given("kv_all", self.kv_all, has(self.v, 4)):
            w.encode("kv_all", Distances, self.kv_all)

    def _span_kv(self: _Any, index: int) -> tuple[int, int | None]:
        return item_(self.start, self.v, 4, self.kv_at, self.kv_all, index), 0

    def _count_kv(self: _Any) -> int:
        return self.kv_all.n if self.kv_all is not None else 0

    def _read_kv(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        return r.decode_all(at, KeyValue, item_(self.start, self.v, 4, self.kv_at, self.kv_all, at.index))

    def _write_kv(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.kv[at.index]
        w.encode(at, KeyValue, item, item_(self.start, self.v, 4, self.kv_at, self.kv_all, at.index))

    def _span_data_page_offset(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_data_page_offset(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_index_page_offset(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 6), None

    def _given_index_page_offset(self: _Any) -> bool:
        return bool(has(self.v, 6))

    def _span_dictionary_page_offset(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 7), None

    def _given_dictionary_page_offset(self: _Any) -> bool:
        return bool(has(self.v, 7))

    def _span_statistics_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 8), None

    def _given_statistics_at(self: _Any) -> bool:
        return bool(has(self.v, 8))

    def _span_statistics(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 8, self.statistics_at), 0

    def _given_statistics(self: _Any) -> bool:
        return bool(has(self.v, 8))

    def _read_statistics(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("statistics", Statistics, to(self.start, self.v, 8, self.statistics_at))

    def _write_statistics(self: _Any, w: _rec.Writer) -> None:
        if w.given("statistics", self.statistics, has(self.v, 8)):
            w.encode("statistics", Statistics, self.statistics, to(self.start, self.v, 8, self.statistics_at))

    def _span_is_fully_dict_encoded(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 9), None

    def _given_is_fully_dict_encoded(self: _Any) -> bool:
        return bool(has(self.v, 9))

    def _span_bloom_filter_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 10), None

    def _given_bloom_filter_at(self: _Any) -> bool:
        return bool(has(self.v, 10))

    def _span_bloom_filter(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 10, self.bloom_filter_at), 0

    def _given_bloom_filter(self: _Any) -> bool:
        return bool(has(self.v, 10))

    def _read_bloom_filter(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("bloom_filter", BloomFilterInfo, to(self.start, self.v, 10, self.bloom_filter_at))

    def _write_bloom_filter(self: _Any, w: _rec.Writer) -> None:
        if w.given("bloom_filter", self.bloom_filter, has(self.v, 10)):
            w.encode(
                "bloom_filter", BloomFilterInfo, self.bloom_filter, to(self.start, self.v, 10, self.bloom_filter_at)
            )

    def _span_geospatial_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 11), None

    def _given_geospatial_at(self: _Any) -> bool:
        return bool(has(self.v, 11))

    def _span_geospatial(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 11, self.geospatial_at), 0

    def _given_geospatial(self: _Any) -> bool:
        return bool(has(self.v, 11))

    def _read_geospatial(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("geospatial", GeospatialStatistics, to(self.start, self.v, 11, self.geospatial_at))

    def _write_geospatial(self: _Any, w: _rec.Writer) -> None:
        if w.given("geospatial", self.geospatial, has(self.v, 11)):
            w.encode(
                "geospatial", GeospatialStatistics, self.geospatial, to(self.start, self.v, 11, self.geospatial_at)
            )


class Statistics(_lazy.LazyRecord):
    """Bounds without what both begin with: as numbers, `len` bytes of which count, and are not exact where it is
    negative.
    """

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    null_count: int | None = _rec.placed("i64", optional=True, from_source=True)
    distinct_count: int | None = _rec.placed("i64", optional=True, from_source=True)
    min_lo4: int | None = _rec.placed("u32", optional=True, from_source=True)
    min_lo8: int | None = _rec.placed("u64", optional=True, from_source=True)
    min_hi8: int | None = _rec.placed("u64", optional=True, from_source=True)
    min_len: int | None = _rec.placed("i8", optional=True, from_source=True)
    max_lo4: int | None = _rec.placed("u32", optional=True, from_source=True)
    max_lo8: int | None = _rec.placed("u64", optional=True, from_source=True)
    max_hi8: int | None = _rec.placed("u64", optional=True, from_source=True)
    max_len: int | None = _rec.placed("i8", optional=True, from_source=True)
    prefix_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    prefix: Bytes | None = _rec.placed("Bytes", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_null_count(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_null_count(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_distinct_count(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_distinct_count(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_min_lo4(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_min_lo4(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_min_lo8(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_min_lo8(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_min_hi8(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_min_hi8(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_min_len(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_min_len(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_max_lo4(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 6), None

    def _given_max_lo4(self: _Any) -> bool:
        return bool(has(self.v, 6))

    def _span_max_lo8(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 7), None

    def _given_max_lo8(self: _Any) -> bool:
        return bool(has(self.v, 7))

    def _span_max_hi8(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 8), None

    def _given_max_hi8(self: _Any) -> bool:
        return bool(has(self.v, 8))

    def _span_max_len(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 9), None

    def _given_max_len(self: _Any) -> bool:
        return bool(has(self.v, 9))

    def _span_prefix_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 10), None

    def _given_prefix_at(self: _Any) -> bool:
        return bool(has(self.v, 10))

    def _span_prefix(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 10, self.prefix_at), None

    def _given_prefix(self: _Any) -> bool:
        return bool(has(self.v, 10))

    def _read_prefix(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("prefix", Bytes)

    def _write_prefix(self: _Any, w: _rec.Writer) -> None:
        if w.given("prefix", self.prefix, has(self.v, 10)):
            w.encode("prefix", Bytes, self.prefix)


class BloomFilterInfo(_lazy.LazyRecord):
    """Where a Bloom filter is."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    offset: int | None = _rec.placed("i64", optional=True, from_source=True)
    length: int | None = _rec.placed("i32", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_offset(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_offset(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_length(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_length(self: _Any) -> bool:
        return bool(has(self.v, 1))


class GeospatialStatistics(_lazy.LazyRecord):
    """Bounds of geometries, and their types."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    bbox_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    bbox: BoundingBox | None = _rec.placed("BoundingBox", optional=True, from_source=True)
    types_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    types: Ints | None = _rec.placed("Ints", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_bbox_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_bbox_at(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_bbox(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 0, self.bbox_at), 0

    def _given_bbox(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _read_bbox(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("bbox", BoundingBox, to(self.start, self.v, 0, self.bbox_at))

    def _write_bbox(self: _Any, w: _rec.Writer) -> None:
        if w.given("bbox", self.bbox, has(self.v, 0)):
            w.encode("bbox", BoundingBox, self.bbox, to(self.start, self.v, 0, self.bbox_at))

    def _span_types_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_types_at(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_types(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 1, self.types_at), None

    def _given_types(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _read_types(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("types", Ints)

    def _write_types(self: _Any, w: _rec.Writer) -> None:
        if w.given("types", self.types, has(self.v, 1)):
            w.encode("types", Ints, self.types)


class BoundingBox(_lazy.LazyRecord):
    """A box."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    xmin: float | None = _rec.placed("f64", optional=True, from_source=True)
    xmax: float | None = _rec.placed("f64", optional=True, from_source=True)
    ymin: float | None = _rec.placed("f64", optional=True, from_source=True)
    ymax: float | None = _rec.placed("f64", optional=True, from_source=True)
    zmin: float | None = _rec.placed("f64", optional=True, from_source=True)
    zmax: float | None = _rec.placed("f64", optional=True, from_source=True)
    mmin: float | None = _rec.placed("f64", optional=True, from_source=True)
    mmax: float | None = _rec.placed("f64", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_xmin(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_xmin(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_xmax(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_xmax(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_ymin(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 2), None

    def _given_ymin(self: _Any) -> bool:
        return bool(has(self.v, 2))

    def _span_ymax(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 3), None

    def _given_ymax(self: _Any) -> bool:
        return bool(has(self.v, 3))

    def _span_zmin(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 4), None

    def _given_zmin(self: _Any) -> bool:
        return bool(has(self.v, 4))

    def _span_zmax(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 5), None

    def _given_zmax(self: _Any) -> bool:
        return bool(has(self.v, 5))

    def _span_mmin(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 6), None

    def _given_mmin(self: _Any) -> bool:
        return bool(has(self.v, 6))

    def _span_mmax(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 7), None

    def _given_mmax(self: _Any) -> bool:
        return bool(has(self.v, 7))


class KeyValue(_lazy.LazyRecord):
    """A key and a value."""

    _gaps = True
    _overlaps = True
    start: int = _rec.parameter()
    back: int = _rec.placed("i32", from_source=True, places=True, takes=4)
    v: VTable = _rec.placed("VTable", ("back",), from_source=True, places=True)
    key_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    key: Text | None = _rec.placed("Text", optional=True, from_source=True)
    val_at: int | None = _rec.placed("u32", optional=True, from_source=True, places=True)
    val: Text | None = _rec.placed("Text", optional=True, from_source=True)

    def _span_back(self: _Any) -> tuple[int, int | None]:
        return self.start, 4

    def _span_v(self: _Any) -> tuple[int, int | None]:
        return self.start - self.back, None

    def _pointer_v(self: _Any, place: int) -> _Any:
        return self.start - place

    def _read_v(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("v", VTable)

    def _write_v(self: _Any, w: _rec.Writer) -> None:
        w.encode("v", VTable, self.v)

    def _span_key_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 0), None

    def _given_key_at(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _span_key(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 0, self.key_at), None

    def _given_key(self: _Any) -> bool:
        return bool(has(self.v, 0))

    def _read_key(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("key", Text)

    def _write_key(self: _Any, w: _rec.Writer) -> None:
        if w.given("key", self.key, has(self.v, 0)):
            w.encode("key", Text, self.key)

    def _span_val_at(self: _Any) -> tuple[int, int | None]:
        return spot(self.start, self.v, 1), None

    def _given_val_at(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _span_val(self: _Any) -> tuple[int, int | None]:
        return to(self.start, self.v, 1, self.val_at), None

    def _given_val(self: _Any) -> bool:
        return bool(has(self.v, 1))

    def _read_val(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("val", Text)

    def _write_val(self: _Any, w: _rec.Writer) -> None:
        if w.given("val", self.val, has(self.v, 1)):
            w.encode("val", Text, self.val)


# Declarations are tables: one row a field, whatever its width.
# fmt: off

def has(v: _Any, k: _Any) -> _Any:
    """Whether a table has the field of a slot."""
    return k < len(v.slots) and v.slots[k] != 0

def spot(start: _Any, v: _Any, k: _Any) -> _Any:
    """Where the field of a slot is."""
    return start + v.slots[k]

def to(start: _Any, v: _Any, k: _Any, distance: _Any) -> _Any:
    """Where what the field of a slot refers to is."""
    return start + v.slots[k] + distance

def item_(start: _Any, v: _Any, k: _Any, distance: _Any, all: _Any, i: _Any) -> _Any:
    """Where an element of a vector of tables is."""
    return to(start, v, k, distance) + 4 + 4 * i + all.all[i]

def of(v: _Any, k: _Any, kind: _Any, first: _Any, last: _Any) -> _Any:
    """Whether a table is of a kind, and has the field of a slot."""
    return first <= kind and kind <= last and has(v, k)
# fmt: on


__spec__ = _fields.describe(globals(), "parquet_flatbuffers.idl", {
    "Kind": 72, "File": 10, "Tail": 18, "VTable": 26, "Text": 38, "Bytes": 40, "Ints": 42, "Distances": 44,
    "FileMetaData": 47, "SchemaElement": 60, "Options": 81, "RowGroup": 92, "SortingColumn": 103,
    "ColumnChunk": 109, "ColumnMetadata": 114, "Statistics": 128, "BloomFilterInfo": 138,
    "GeospatialStatistics": 143, "BoundingBox": 149, "KeyValue": 157,
})  # fmt: skip
