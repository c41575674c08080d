# Generated from mosaic.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:f6cb00ac21f417553dbfe7c6bf5198688716bbd41fc14fe0e7050ae9eed4964e
"""Mosaic, version 1: Apache Paimon's columnar-bucket format for wide tables.

Columns are sorted by name and cut into buckets; a row group stores each bucket as one compressed block, or as
one compressed slot a column. What a writer chooses (encodings, layouts, name compression) is not format.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import arrow_maps as _arrows
from ..runtime import columns as _columns
from ..runtime import declaration as _decl
from ..runtime import fields as _fields
from ..runtime import object_table as _objects
from ..runtime.records import functions as _fn
from ..runtime.records import lazy as _lazy
from ..runtime.records import packed as _col
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import write as _out

# Ends every file.
MAGIC: str = "MOSA"
# The only version there is.
VERSION: int = 1
# Size of the footer in bytes.
FOOTER_SIZE: int = 32
# The largest block that is inflated.
MAX_BLOCK: int = 536870912
# A block that claims to inflate to no more than this is believed, however small it is.
SMALL_BLOCK: int = 1048576
# The largest ratio that a block may claim beyond that.
MAX_RATIO: int = 65536
# Nanoseconds in a millisecond.
NANOS_PER_MILLI: int = 1000000


class Compression(_enum.IntEnum):
    """How the schema and the buckets are compressed."""

    NONE = 0
    """Stored as they are."""
    ZSTD = 1
    """One zstd frame a block."""


class NameEncoding(_enum.IntEnum):
    """How column names are stored."""

    FRONT = 0
    """Each shares a prefix with the one before."""
    BPE_FRONT = 1
    """The same, over byte pairs that rules replaced."""


class PageEncoding(_enum.IntEnum):
    """How a column's values are stored."""

    PLAIN = 0
    """One after the other."""
    CONST = 1
    """All are the same."""
    DICT = 2
    """Distinct values, and an index a row."""
    ALL_NULL = 3
    """There are none."""


class BucketLayout(_enum.IntEnum):
    """How a bucket is stored."""

    EMPTY = 0
    """No bytes."""
    MONOLITHIC = 1
    """All columns in one block."""
    PAGED = 2
    """A block a column."""


_Compression_of = Compression._value2member_map_.get
_NameEncoding_of = NameEncoding._value2member_map_.get


class File(_lazy.LazyRecord):
    """A whole file, read from its end: the footer locates the schema and the index, the index the buckets."""

    schema: SchemaBlock = _rec.placed("SchemaBlock", ("footer", "schema_offset"))
    index: Index = _rec.placed("Index", ("footer", "index_offset"))
    footer: Footer = _rec.placed("Footer", places=True, end=True, takes=FOOTER_SIZE)

    def _span_schema(self) -> tuple[int, int | None]:
        return self.footer.schema_offset, self.footer.index_offset - self.footer.schema_offset

    def _read_schema(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "schema", None, 0, 0
        try:
            value, pos = SchemaBlock._decode(span, pos, self.footer.compression)
            span.finish(pos)
            if value.body.num_buckets != self.footer.num_buckets:
                raise _in.refused("footer num_buckets does not match schema", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_schema(self: _Any, out: _rec.Writer) -> None:
        field, index = "schema", None
        try:
            _out.instance(self.schema, SchemaBlock)._encode(out, self.footer.compression)
            if self.schema.body.num_buckets != self.footer.num_buckets:
                raise _out.unfit("footer num_buckets does not match schema")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_index(self) -> tuple[int, int | None]:
        return self.footer.index_offset, self._size - FOOTER_SIZE - self.footer.index_offset

    def _read_index(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "index", None, 0, 0
        try:
            value, pos = Index._decode(span, pos, self.footer, self.schema.body)
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_index(self: _Any, out: _rec.Writer) -> None:
        field, index = "index", None
        try:
            _out.instance(self.index, Index)._encode(out, self.footer, self.schema.body)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_footer(self) -> tuple[int, int | None]:
        return self._size - FOOTER_SIZE, FOOTER_SIZE

    def _read_footer(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "footer", None, 0, 0
        try:
            value, pos = Footer._decode(span, pos, self._size)
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_footer(self: _Any, out: _rec.Writer) -> None:
        field, index = "footer", None
        try:
            _out.instance(self.footer, Footer)._encode(out, self._size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Footer_index_offset = _rec.Layout(
    ">", index_offset="Q", schema_offset="Q", num_buckets="I", num_row_groups="I", compression="B", version="B",
    reserved="H", magic="4s",
)  # fmt: skip


class Footer(_rec.Record):
    """The last bytes of a file."""

    file_size: int = _rec.parameter()
    index_offset: int = _rec.field("u64", big=True)
    schema_offset: int = _rec.field("u64", big=True)
    num_buckets: int = _rec.field("u32", big=True)
    num_row_groups: int = _rec.field("u32", big=True)
    compression: Compression | int = _rec.field("u8", enum=Compression)
    version: int = _rec.derived("u8", VERSION)
    reserved: int = _rec.field("u16", big=True)
    magic: bytes = _rec.derived(
        "bytes[4]", MAGIC.encode(), "bytes", length=4,
        checks=[
            (
                "and", ("<=", ("+", "schema_offset", 4), "index_offset"),
                ("<=", ("+", "index_offset", FOOTER_SIZE), "file_size"),
            ),
            (">", "num_buckets", 0), ("<=", "compression", Compression.ZSTD),
        ],
        verifies=["version", "magic"],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, file_size: int) -> tuple[Footer, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.file_size = file_size
        try:
            (
                obj.index_offset, obj.schema_offset, obj.num_buckets, obj.num_row_groups, obj.compression, obj.version,
                obj.reserved, obj.magic,
            ) = _Footer_index_offset.unpack(buf, pos)  # fmt: skip
            pos += 32
            start_index_offset = start
            field = "index_offset"
            if not (obj.schema_offset + 4 <= obj.index_offset and obj.index_offset + FOOTER_SIZE <= obj.file_size):
                raise _in.refused("corrupted footer offsets", start_index_offset)
            field = "num_buckets"
            if not (obj.num_buckets > 0):
                raise _in.refused("footer num_buckets must be > 0", start + 16)
            obj.compression = _Compression_of(obj.compression, obj.compression)
            field = "compression"
            if not (obj.compression <= Compression.ZSTD):
                raise _in.refused("unsupported compression", start + 24)
            field = "version"
            if obj.version != VERSION:
                raise _in.refused("unsupported version", start + 25)
            field = "magic"
            if obj.magic != MAGIC.encode():
                raise _in.refused("bad magic bytes", start + 28)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, file_size: int) -> None:
        self.file_size = file_size
        data, field, index = out.data, "", None
        try:
            self.version = VERSION
            self.magic = MAGIC.encode()
            data += _Footer_index_offset.pack(
                self.index_offset, self.schema_offset, self.num_buckets, self.num_row_groups, self.compression,
                self.version, self.reserved, self.magic,
            )  # fmt: skip
            field = "index_offset"
            if not (self.schema_offset + 4 <= self.index_offset and self.index_offset + FOOTER_SIZE <= self.file_size):
                raise _out.unfit("corrupted footer offsets")
            field = "num_buckets"
            if not (self.num_buckets > 0):
                raise _out.unfit("footer num_buckets must be > 0")
            field = "compression"
            if not (self.compression <= Compression.ZSTD):
                raise _out.unfit("unsupported compression")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_SchemaBlock_inflated = _rec.Layout(">", inflated="I")


class SchemaBlock(_rec.Record):
    """The schema, compressed as the buckets are."""

    how: Compression | int = _rec.parameter()
    inflated: int = _rec.derived(
        "u32", ("captured", "raw_size", "body"), big=True, before=[("raw", "body")],
        checks=[
            (
                "<=", "inflated",
                (
                    "let", (("bytes_stored", ("-", ("end",), ("pos",))),),
                    ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                ),
            )
        ],
    )  # fmt: skip
    body: Schema = _rec.field(
        "Schema", record="Schema", size=("-", ("end",), ("pos",)), codecs=[(("call", "block", "how", "inflated"),)],
        captures=["raw_size"], verifies=["inflated"],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, how: Compression | int) -> tuple[SchemaBlock, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.how = how
        try:
            (obj.inflated,) = _SchemaBlock_inflated.unpack(buf, pos)
            pos += 4
            start_inflated = start
            field = "inflated"
            if not (obj.inflated <= max_inflated(len(buf) - pos)):
                raise _in.refused("the declared size is over what the block can hold", start)
            field, start = "body", pos
            size = len(buf) - pos
            stop = pos + size
            outer, span = span, span.through([block(obj.how, obj.inflated).make()], pos, size)
            buf, pos = span.buf, 0
            obj.body, pos = Schema._read(span, pos)
            span.finish(pos)
            raw_body = pos
            pos = stop
            span, buf = outer, outer.buf
            field = "inflated"
            if obj.inflated != raw_body:
                raise _in.refused("inflated must be raw_size(body)", start_inflated)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, how: Compression | int) -> None:
        self.how = how
        data, field, index = out.data, "body", None
        try:
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(self.body, Schema)._write(out)
            raw_body, out, data = data, outer, outer.data
            field = "inflated"
            self.inflated = len(raw_body)
            _out.put_number(data, self.inflated, ">I")
            field = "body"
            part_body = out.through([block(self.how, self.inflated)], raw_body)
            field = "inflated"
            if not (self.inflated <= max_inflated(len(part_body))):
                raise _out.unfit("the declared size is over what the block can hold")
            data += part_body
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Schema(_rec.Record):
    """Columns in the order of their names, compared as bytes."""

    _body = {"verifies": [("==", ("pos",), ("end",))]}
    num_columns: int = _rec.derived("uvarint32", ("count", "columns"))
    num_buckets: int = _rec.field("uvarint32", checks=[(">", "num_buckets", 0)])
    name_encoding: NameEncoding | int = _rec.field("u8", enum=NameEncoding)
    num_rules: int | None = _rec.derived(
        "uvarint32", ("count", "rules"), present=("==", "name_encoding", NameEncoding.BPE_FRONT)
    )
    rules: list[BpeRule] | None = _rec.field(
        "BpeRule[num_rules]", record="BpeRule", count="num_rules", smallest=2,
        present=("==", "name_encoding", NameEncoding.BPE_FRONT), default=None,
    )  # fmt: skip
    columns: list[Column] = _rec.field(
        "Column[num_columns]", record="Column", arguments=["rules"], siblings=True, count="num_columns", smallest=4,
        checks=[("unique", ("each", "columns", "name")), ("ascending", ("each", "columns", "name"))],
    )  # fmt: skip
    order: list[int] | None = _rec.field(
        "i64[num_columns]", "i64", coder="_ZigzagDelta", state=-1, initial=0, count="num_columns", smallest=1,
        present=("!=", ("pos",), ("end",)), checks=[("or", ("is", "order", None), ("is_permutation", "order"))],
        default=None,
    )  # fmt: skip
    """Sorted position of each column in the user's order; the oldest files end before it."""

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Schema, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "num_columns", None, pos
        item: _Any
        items: list[_Any]
        try:
            obj.num_columns, pos = _in.uvarint(buf, pos, 32)
            field, start = "num_buckets", pos
            obj.num_buckets, pos = _in.uvarint(buf, pos, 32)
            if not (obj.num_buckets > 0):
                raise _in.refused("schema: num_buckets must be > 0", start)
            field, start = "name_encoding", pos
            obj.name_encoding = buf[pos]
            pos += 1
            obj.name_encoding = _NameEncoding_of(obj.name_encoding, obj.name_encoding)
            field, start = "num_rules", pos
            if obj.name_encoding == NameEncoding.BPE_FRONT:
                obj.num_rules, pos = _in.uvarint(buf, pos, 32)
            else:
                obj.num_rules = None
            field, start = "rules", pos
            if obj.name_encoding == NameEncoding.BPE_FRONT:
                obj.rules = items = []
                for index in range(_in.bounded(obj.num_rules, 2, buf, pos)):
                    start = pos
                    item, pos = BpeRule._read(span, pos)
                    items.append(item)
                index = None
            else:
                obj.rules = None
            field, start = "columns", pos
            state = Column._state()
            obj.columns = items = []
            begin = start
            for index in range(_in.bounded(obj.num_columns, 4, buf, pos)):
                start = pos
                item, pos = Column._read(span, pos, obj.rules, state=state)
                items.append(item)
            index, start = None, begin
            if not (_fn.unique([each.name for each in obj.columns])):
                raise _in.refused("schema: duplicate column name", start)
            if not (_fn.ascending([each.name for each in obj.columns])):
                raise _in.refused("schema: columns are not in the order of their names", start)
            field, start = "order", pos
            if pos != len(buf):
                previous: _Any = 0
                obj.order = items = []
                begin = start
                for index in range(_in.bounded(obj.num_columns, 1, buf, pos)):
                    start = pos
                    coded, pos = _ZigzagDelta._read(span, pos, previous)
                    item = previous = coded.value
                    items.append(item)
                index, start = None, begin
            else:
                obj.order = None
            if not (obj.order is None or _fn.is_permutation(obj.order)):
                raise _in.refused("original_order is not a valid permutation", start)
            field, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in schema", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "columns", None
        try:
            self.num_columns = len(_out.exactly(self.columns))
            field = "num_columns"
            _out.put_uvarint(data, self.num_columns, 32)
            field = "num_buckets"
            _out.put_uvarint(data, self.num_buckets, 32)
            if not (self.num_buckets > 0):
                raise _out.unfit("schema: num_buckets must be > 0")
            field = "name_encoding"
            _out.put_number(data, self.name_encoding, "<B")
            field = "num_rules"
            self.num_rules = len(self.rules) if self.name_encoding == NameEncoding.BPE_FRONT else None
            if self.name_encoding == NameEncoding.BPE_FRONT:
                _out.put_uvarint(data, self.num_rules, 32)
            field = "rules"
            if self.name_encoding == NameEncoding.BPE_FRONT:
                for index, item in enumerate(_out.exactly(self.rules)):
                    _out.instance(item, BpeRule)._write(out)
                index = None
            else:
                _out.absent(self.rules)
            field = "columns"
            state = Column._state(out)
            for index, item in enumerate(_out.exactly(self.columns)):
                _out.instance(item, Column)._write(out, self.rules, state=state)
            index = None
            if not (_fn.unique([each.name for each in self.columns])):
                raise _out.unfit("schema: duplicate column name")
            if not (_fn.ascending([each.name for each in self.columns])):
                raise _out.unfit("schema: columns are not in the order of their names")
            field = "order"
            if self.order is not None:
                previous: _Any = 0
                for index, item in enumerate(_out.exactly(self.order, self.num_columns)):
                    coded = _rec.new(_ZigzagDelta)
                    coded.value = item
                    coded._write(out, previous)
                    previous = coded.value
                index = None
            if not (self.order is None or _fn.is_permutation(self.order)):
                raise _out.unfit("original_order is not a valid permutation")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_BpeRule_left = _rec.Layout("<", left="B", right="B")


class BpeRule(_rec.Record):
    """Two tokens that one token stands for."""

    left: int = _rec.field("u8")
    right: int = _rec.field("u8")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[BpeRule, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.left, obj.right = _BpeRule_left.unpack(buf, pos)
            pos += 2
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            data += _BpeRule_left.pack(self.left, self.right)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Column(_rec.Record):
    """A top-level column."""

    _body = {"states": [b"", None], "nests": True}
    rules: list[BpeRule] = _rec.parameter()
    name: str = _rec.field(
        "utf8", coder="_FrontCoded", state=0, codecs=[(1, "bpe", "rules")], checks=[(">", ("count", "name"), 0)]
    )
    type: TypeDescriptor = _rec.field("TypeDescriptor", record="TypeDescriptor")

    @classmethod
    def _state(cls, out: _rec.Writer | None = None) -> list[_Any]:
        return [b"", _rec.CodecCache(bpe, out)]

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, rules: list[BpeRule], state: list[_Any] | None = None
    ) -> tuple[Column, int]:
        obj, field, index, start = _rec.new(cls), "", None, pos
        obj.rules = rules
        if state is None:
            state = cls._state()
        try:
            entered = span.enter(pos)
            field, start = "name", pos
            coded, pos = _FrontCoded._read(span, pos, state[0])
            obj.name = state[0] = coded.value
            span.repeats(len(coded.value) - (pos - start), start)
            obj.name = _in.decoded([state[1].of(obj.rules)], obj.name, start)
            obj.name = _in.as_text(obj.name, start)
            if not (len(obj.name.encode()) > 0):
                raise _in.refused("schema: empty column name", start)
            field, start = "type", pos
            obj.type, pos = TypeDescriptor._read(span, pos)
            span.leave(entered, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, rules: list[BpeRule], state: list[_Any] | None = None) -> None:
        self.rules = rules
        if state is None:
            state = self._state(out)
        field, index = "", None
        try:
            out.enter()
            field = "name"
            coded = _rec.new(_FrontCoded)
            coded.value = state[1].of(self.rules).encode(_out.utf8(self.name))
            coded._write(out, state[0])
            state[0] = coded.value
            if not (len(self.name.encode()) > 0):
                raise _out.unfit("schema: empty column name")
            field = "type"
            _out.instance(self.type, TypeDescriptor)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class _FrontCoded(_rec.FieldCodec):
    """The fields of codec front_coded, and the value they stand for."""

    value: bytes
    _body = {"value": ("+", ("slice", "prev", None, "shared"), "suffix"), "shape": "front_coded"}
    prev: bytes = _rec.parameter()
    shared: int = _rec.derived(
        "uvarint32", ("call", _fn.common_prefix, "prev", "value"), checks=[("<=", "shared", ("count", "prev"))]
    )
    added: int = _rec.derived("uvarint32", ("-", ("count", "value"), "shared"))
    suffix: bytes = _rec.derived("bytes[added]", ("slice", "value", "shared", None), "bytes", length="added")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, prev: bytes) -> tuple[_FrontCoded, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "shared", None, pos
        obj.prev = prev
        try:
            obj.shared, pos = _in.uvarint(buf, pos, 32)
            if not (obj.shared <= len(obj.prev)):
                raise _in.refused("schema: corrupted column name encoding", start)
            field, start = "added", pos
            obj.added, pos = _in.uvarint(buf, pos, 32)
            field, start = "suffix", pos
            obj.suffix, pos = _in.take(buf, pos, obj.added)
            field = ""
            obj.value = obj.prev[: obj.shared] + obj.suffix
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, prev: bytes) -> None:
        self.prev = prev
        data, field, index = out.data, "shared", None
        try:
            self.shared = _fn.common_prefix(self.prev, self.value)
            _out.put_uvarint(data, self.shared, 32)
            if not (self.shared <= len(self.prev)):
                raise _out.unfit("schema: corrupted column name encoding")
            field = "added"
            self.added = len(self.value) - self.shared
            _out.put_uvarint(data, self.added, 32)
            field = "suffix"
            self.suffix = self.value[self.shared :]
            data += _out.raw(self.suffix, self.added)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class _ZigzagDelta(_rec.FieldCodec):
    """The fields of codec zigzag_delta, and the value they stand for."""

    value: int
    _body = {"value": ("in_range", ("+", "prev", "step"), -(1 << 63), (1 << 63) - 1), "shape": "difference"}
    prev: int = _rec.parameter()
    step: int = _rec.derived("svarint64", ("-", "value", "prev"))

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, prev: int) -> tuple[_ZigzagDelta, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "step", None, pos
        obj.prev = prev
        try:
            obj.step, pos = _in.svarint(buf, pos, 64)
            field = ""
            obj.value = _fn.in_range(obj.prev + obj.step, -(1 << 63), (1 << 63) - 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, prev: int) -> None:
        self.prev = prev
        data, field, index = out.data, "step", None
        try:
            self.step = self.value - self.prev
            _out.put_svarint(data, self.step, 64)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class _Narrow(_rec.FieldCodec):
    """The fields of codec narrow, and the value they stand for."""

    value: int
    _body = {"value": ("in_range", ("-", ("^", ("&", "word", 255), 128), 128), -(1 << 31), (1 << 31) - 1)}
    word: int = _rec.derived("uvarint32", ("&", "value", 4294967295))

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[_Narrow, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "word", None, pos
        try:
            obj.word, pos = _in.uvarint(buf, pos, 32)
            field = ""
            obj.value = _fn.in_range((obj.word & 255 ^ 128) - 128, -(1 << 31), (1 << 31) - 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "word", None
        try:
            self.word = self.value & 4294967295
            _out.put_uvarint(data, self.word, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_TypeDescriptor_type_id = _rec.Layout("<", type_id="B", nullable="B")


class TypeDescriptor(_rec.Record):
    """A type, nested ones with those of their children."""

    _body = {"nests": True}
    type_id: int = _rec.derived("u8", ("get", "params", "tag"))
    nullable: int = _rec.field("u8")
    """0 for columns without nulls."""
    params: TypeParams = _rec.field("TypeParams", record="TypeParams", arguments=["type_id"])

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[TypeDescriptor, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            entered = span.enter(pos)
            field, start = "", pos
            obj.type_id, obj.nullable = _TypeDescriptor_type_id.unpack(buf, pos)
            pos += 2
            field, start = "params", pos
            obj.params, pos = TypeParams._read(span, pos, obj.type_id)
            span.leave(entered, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            out.enter()
            field = "type_id"
            self.type_id = self.params.tag
            field = ""
            data += _TypeDescriptor_type_id.pack(self.type_id, self.nullable)
            field = "params"
            _out.instance(self.params, TypeParams)._write(out, self.type_id)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class NamedType(_rec.Record):
    """A child of a nested type."""

    _body = {"nests": True}
    size_of_name: int = _rec.derived("uvarint32", ("count", "name"))
    name: str = _rec.field("utf8[size_of_name]", "utf8", length="size_of_name")
    type: TypeDescriptor = _rec.field("TypeDescriptor", record="TypeDescriptor")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[NamedType, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            entered = span.enter(pos)
            field, start = "size_of_name", pos
            obj.size_of_name, pos = _in.uvarint(buf, pos, 32)
            field, start = "name", pos
            obj.name, pos = _in.text(buf, pos, obj.size_of_name)
            field, start = "type", pos
            obj.type, pos = TypeDescriptor._read(span, pos)
            span.leave(entered, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            out.enter()
            field = "name"
            self.size_of_name = len(_out.utf8(self.name))
            field = "size_of_name"
            _out.put_uvarint(data, self.size_of_name, 32)
            field = "name"
            data += _out.utf8(self.name)
            field = "type"
            _out.instance(self.type, TypeDescriptor)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams(_rec.Variant, on="type_id"):
    """What a type takes, and the Arrow type it is read as."""

    BOOLEAN: _ClassVar[_rec.Class[TypeParams_BOOLEAN]]
    TINYINT: _ClassVar[_rec.Class[TypeParams_TINYINT]]
    SMALLINT: _ClassVar[_rec.Class[TypeParams_SMALLINT]]
    INTEGER: _ClassVar[_rec.Class[TypeParams_INTEGER]]
    BIGINT: _ClassVar[_rec.Class[TypeParams_BIGINT]]
    FLOAT: _ClassVar[_rec.Class[TypeParams_FLOAT]]
    DOUBLE: _ClassVar[_rec.Class[TypeParams_DOUBLE]]
    DATE: _ClassVar[_rec.Class[TypeParams_DATE]]
    CHAR: _ClassVar[_rec.Class[TypeParams_CHAR]]
    VARCHAR: _ClassVar[_rec.Class[TypeParams_VARCHAR]]
    STRING: _ClassVar[_rec.Class[TypeParams_STRING]]
    BINARY: _ClassVar[_rec.Class[TypeParams_BINARY]]
    VARBINARY: _ClassVar[_rec.Class[TypeParams_VARBINARY]]
    BYTES: _ClassVar[_rec.Class[TypeParams_BYTES]]
    DECIMAL: _ClassVar[_rec.Class[TypeParams_DECIMAL]]
    TIME: _ClassVar[_rec.Class[TypeParams_TIME]]
    TIMESTAMP: _ClassVar[_rec.Class[TypeParams_TIMESTAMP]]
    TIMESTAMP_LTZ: _ClassVar[_rec.Class[TypeParams_TIMESTAMP_LTZ]]
    ARRAY: _ClassVar[_rec.Class[TypeParams_ARRAY]]
    MAP: _ClassVar[_rec.Class[TypeParams_MAP]]
    type_id: int = _rec.parameter()

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams, int]:
        tag: _Any = type_id
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"TypeParams has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, type_id)
        return obj, pos


class TypeParams_BOOLEAN(TypeParams, kind="BOOLEAN", tags=[0]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("bool"), lambda obj: (), made=lambda bound: TypeParams_BOOLEAN()),)


class TypeParams_TINYINT(TypeParams, kind="TINYINT", tags=[1]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int8"), lambda obj: (), made=lambda bound: TypeParams_TINYINT()),)


class TypeParams_SMALLINT(TypeParams, kind="SMALLINT", tags=[2]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int16"), lambda obj: (), made=lambda bound: TypeParams_SMALLINT()),)


class TypeParams_INTEGER(TypeParams, kind="INTEGER", tags=[3]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int32"), lambda obj: (), made=lambda bound: TypeParams_INTEGER()),)


class TypeParams_BIGINT(TypeParams, kind="BIGINT", tags=[4]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int64"), lambda obj: (), made=lambda bound: TypeParams_BIGINT()),)


class TypeParams_FLOAT(TypeParams, kind="FLOAT", tags=[5]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("float32"), lambda obj: (), made=lambda bound: TypeParams_FLOAT()),)


class TypeParams_DOUBLE(TypeParams, kind="DOUBLE", tags=[6]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("float64"), lambda obj: (), made=lambda bound: TypeParams_DOUBLE()),)


class TypeParams_DATE(TypeParams, kind="DATE", tags=[7]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("date32"), lambda obj: (), made=lambda bound: TypeParams_DATE()),)


class TypeParams_CHAR(TypeParams, kind="CHAR", tags=[8]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda obj: ()),)
    length: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_CHAR, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "length", None, pos
        obj.type_id = type_id
        try:
            obj.length, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "length"
            _out.put_uvarint(data, self.length, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_VARCHAR(TypeParams, kind="VARCHAR", tags=[9]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda obj: ()),)
    length: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_VARCHAR, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "length", None, pos
        obj.type_id = type_id
        try:
            obj.length, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "length"
            _out.put_uvarint(data, self.length, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_STRING(TypeParams, kind="STRING", tags=[10]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda obj: (), made=lambda bound: TypeParams_STRING()),)


class TypeParams_BINARY(TypeParams, kind="BINARY", tags=[11]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda obj: ()),)
    length: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_BINARY, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "length", None, pos
        obj.type_id = type_id
        try:
            obj.length, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "length"
            _out.put_uvarint(data, self.length, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_VARBINARY(TypeParams, kind="VARBINARY", tags=[12]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda obj: ()),)
    length: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_VARBINARY, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "length", None, pos
        obj.type_id = type_id
        try:
            obj.length, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "length"
            _out.put_uvarint(data, self.length, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_BYTES(TypeParams, kind="BYTES", tags=[13]):
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda obj: (), made=lambda bound: TypeParams_BYTES()),)


class TypeParams_DECIMAL(TypeParams, kind="DECIMAL", tags=[14]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("decimal128", _arrows.Hole(0), _arrows.Hole(1)), lambda obj: (obj.precision, obj.scale),
            made=lambda bound: TypeParams_DECIMAL(precision=int(bound[0]), scale=int(bound[1])),
        ),
    )  # fmt: skip
    precision: int = _rec.field(
        "i32", coder="_Narrow", checks=[("and", ("<=", 1, "precision"), ("<=", "precision", 38))]
    )
    scale: int = _rec.field("i32", coder="_Narrow", checks=[(">=", "scale", -128), ("<=", "scale", "precision")])

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_DECIMAL, int]:
        obj, field, index, start = _rec.new(cls), "precision", None, pos
        obj.type_id = type_id
        try:
            coded, pos = _Narrow._read(span, pos)
            obj.precision = coded.value
            if not (1 <= obj.precision <= 38):
                raise _in.refused("decimal precision is not in 1..38", start)
            field, start = "scale", pos
            coded, pos = _Narrow._read(span, pos)
            obj.scale = coded.value
            if not (obj.scale >= -128):
                raise _in.refused("decimal scale is under -128", start)
            if not (obj.scale <= obj.precision):
                raise _in.refused("decimal scale is over its precision", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        field, index = "", None
        try:
            _out.tagged(self, self.type_id)
            field = "precision"
            coded = _rec.new(_Narrow)
            coded.value = self.precision
            coded._write(out)
            if not (1 <= self.precision <= 38):
                raise _out.unfit("decimal precision is not in 1..38")
            field = "scale"
            coded = _rec.new(_Narrow)
            coded.value = self.scale
            coded._write(out)
            if not (self.scale >= -128):
                raise _out.unfit("decimal scale is under -128")
            if not (self.scale <= self.precision):
                raise _out.unfit("decimal scale is over its precision")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_TIME(TypeParams, kind="TIME", tags=[15]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("time32", "ms"), lambda obj: (), made=lambda bound: TypeParams_TIME(precision=3)
        ),
    )
    precision: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIME, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "precision", None, pos
        obj.type_id = type_id
        try:
            obj.precision, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "precision"
            _out.put_uvarint(data, self.precision, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_TIMESTAMP(TypeParams, kind="TIMESTAMP", tags=[16]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms"), lambda obj: (), made=lambda bound: TypeParams_TIMESTAMP(precision=3),
            condition=lambda obj: obj.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us"), lambda obj: (), made=lambda bound: TypeParams_TIMESTAMP(precision=6),
            condition=lambda obj: obj.precision <= 6,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ns"), lambda obj: (), made=lambda bound: TypeParams_TIMESTAMP(precision=9)
        ),
    )  # fmt: skip
    precision: int = _rec.field("uvarint32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIMESTAMP, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "precision", None, pos
        obj.type_id = type_id
        try:
            obj.precision, pos = _in.uvarint(buf, pos, 32)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "precision"
            _out.put_uvarint(data, self.precision, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_TIMESTAMP_LTZ(TypeParams, kind="TIMESTAMP_LTZ", tags=[17]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms", _arrows.Hole(0)), lambda obj: (obj.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=3, zone=bound[0]),
            condition=lambda obj: obj.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us", _arrows.Hole(0)), lambda obj: (obj.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=6, zone=bound[0]),
            condition=lambda obj: obj.precision <= 6,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ns", _arrows.Hole(0)), lambda obj: (obj.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=9, zone=bound[0]),
        ),
    )  # fmt: skip
    precision: int = _rec.field("uvarint32")
    size_of_zone: int = _rec.derived("uvarint32", ("count", "zone"))
    zone: str = _rec.field("utf8[size_of_zone]", "utf8", length="size_of_zone")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIMESTAMP_LTZ, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "precision", None, pos
        obj.type_id = type_id
        try:
            obj.precision, pos = _in.uvarint(buf, pos, 32)
            field, start = "size_of_zone", pos
            obj.size_of_zone, pos = _in.uvarint(buf, pos, 32)
            field, start = "zone", pos
            obj.zone, pos = _in.text(buf, pos, obj.size_of_zone)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            field = "precision"
            _out.put_uvarint(data, self.precision, 32)
            field = "zone"
            self.size_of_zone = len(_out.utf8(self.zone))
            field = "size_of_zone"
            _out.put_uvarint(data, self.size_of_zone, 32)
            field = "zone"
            data += _out.utf8(self.zone)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_ARRAY(TypeParams, kind="ARRAY", tags=[18]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape(
                "list", _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2))
            ),
            lambda obj: (obj.element.name, obj.element.type.params, obj.element.type.nullable),
            made=lambda bound: TypeParams_ARRAY(
                element=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1]))
            ),
        ),
    )
    _body = {"nests": True}
    element: NamedType = _rec.field("NamedType", record="NamedType")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_ARRAY, int]:
        obj, field, index, start = _rec.new(cls), "", None, pos
        obj.type_id = type_id
        try:
            entered = span.enter(pos)
            field, start = "element", pos
            obj.element, pos = NamedType._read(span, pos)
            span.leave(entered, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        field, index = "", None
        try:
            _out.tagged(self, self.type_id)
            out.enter()
            field = "element"
            _out.instance(self.element, NamedType)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class TypeParams_MAP(TypeParams, kind="MAP", tags=[19]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape(
                "map", _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2)),
                _arrows.Shape("field", _arrows.Hole(3), _arrows.Hole(4, lambda: TypeParams), _arrows.Hole(5)),
                _arrows.Hole(6),
            ),
            lambda obj: (
                obj.key.name, obj.key.type.params, obj.key.type.nullable, obj.item.name, obj.item.type.params,
                obj.item.type.nullable, obj.entries,
            ),
            made=lambda bound: TypeParams_MAP(
                entries=bound[6],
                key=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1])),
                item=NamedType(name=bound[3], type=TypeDescriptor(nullable=int(bound[5]), params=bound[4])),
            ),
        ),
    )  # fmt: skip
    _body = {"nests": True}
    size_of_entries: int = _rec.derived("uvarint32", ("count", "entries"))
    entries: str = _rec.field("utf8[size_of_entries]", "utf8", length="size_of_entries")
    key: NamedType = _rec.field("NamedType", record="NamedType")
    item: NamedType = _rec.field("NamedType", record="NamedType")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_MAP, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type_id = type_id
        try:
            entered = span.enter(pos)
            field, start = "size_of_entries", pos
            obj.size_of_entries, pos = _in.uvarint(buf, pos, 32)
            field, start = "entries", pos
            obj.entries, pos = _in.text(buf, pos, obj.size_of_entries)
            field, start = "key", pos
            obj.key, pos = NamedType._read(span, pos)
            field, start = "item", pos
            obj.item, pos = NamedType._read(span, pos)
            span.leave(entered, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type_id: int) -> None:
        self.type_id = type_id
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type_id)
            out.enter()
            field = "entries"
            self.size_of_entries = len(_out.utf8(self.entries))
            field = "size_of_entries"
            _out.put_uvarint(data, self.size_of_entries, 32)
            field = "entries"
            data += _out.utf8(self.entries)
            field = "key"
            _out.instance(self.key, NamedType)._write(out)
            field = "item"
            _out.instance(self.item, NamedType)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Index(_rec.Record):
    """Where the buckets of each row group are."""

    _body = {"verifies": [("==", ("pos",), ("end",))]}
    footer: Footer = _rec.parameter()
    schema: Schema = _rec.parameter()
    row_groups: list[RowGroup] = _rec.field(
        "RowGroup[footer.num_row_groups]", record="RowGroup", arguments=["footer", "schema"],
        count=("get", "footer", "num_row_groups"), smallest=3,
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, footer: Footer, schema: Schema) -> tuple[Index, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "row_groups", None, pos
        obj.footer, obj.schema = footer, schema
        items: list[_Any]
        try:
            obj.row_groups = items = []
            for index in range(_in.bounded(obj.footer.num_row_groups, 3, buf, pos)):
                start = pos
                item, pos = RowGroup._read(span, pos, obj.footer, obj.schema)
                items.append(item)
            index = None
            field, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in row group index", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, footer: Footer, schema: Schema) -> None:
        self.footer, self.schema = footer, schema
        field, index = "row_groups", None
        try:
            for index, item in enumerate(_out.exactly(self.row_groups, self.footer.num_row_groups)):
                _out.instance(item, RowGroup)._write(out, self.footer, self.schema)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class RowGroup(_rec.Record):
    """Rows that are stored together."""

    footer: Footer = _rec.parameter()
    schema: Schema = _rec.parameter()
    num_rows: int = _rec.field("uvarint32")
    num_buckets: int = _rec.derived(
        "uvarint32", ("count", "buckets"), checks=[("<=", "num_buckets", ("get", "footer", "num_buckets"))]
    )
    buckets: list[BucketRef] = _rec.field(
        "BucketRef[num_buckets]", record="BucketRef", arguments=["footer"], count="num_buckets", smallest=11,
        checks=[("unique", ("each", "buckets", "bucket_id"))],
    )  # fmt: skip
    num_stats: int = _rec.derived("uvarint32", ("count", "stats"))
    stats: list[ColumnStats] = _rec.field(
        "ColumnStats[num_stats]", record="ColumnStats", arguments=["schema", "num_rows"], count="num_stats", smallest=2
    )

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, footer: Footer, schema: Schema) -> tuple[RowGroup, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "num_rows", None, pos
        obj.footer, obj.schema = footer, schema
        item: _Any
        items: list[_Any]
        try:
            obj.num_rows, pos = _in.uvarint(buf, pos, 32)
            field, start = "num_buckets", pos
            obj.num_buckets, pos = _in.uvarint(buf, pos, 32)
            if not (obj.num_buckets <= obj.footer.num_buckets):
                raise _in.refused("non_empty count exceeds num_buckets", start)
            field, start = "buckets", pos
            obj.buckets = items = []
            begin = start
            for index in range(_in.bounded(obj.num_buckets, 11, buf, pos)):
                start = pos
                item, pos = BucketRef._read(span, pos, obj.footer)
                items.append(item)
            index, start = None, begin
            if not (_fn.unique([each.bucket_id for each in obj.buckets])):
                raise _in.refused("duplicate bucket_id in row group index", start)
            field, start = "num_stats", pos
            obj.num_stats, pos = _in.uvarint(buf, pos, 32)
            field, start = "stats", pos
            obj.stats = items = []
            for index in range(_in.bounded(obj.num_stats, 2, buf, pos)):
                start = pos
                item, pos = ColumnStats._read(span, pos, obj.schema, obj.num_rows)
                items.append(item)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, footer: Footer, schema: Schema) -> None:
        self.footer, self.schema = footer, schema
        data, field, index = out.data, "num_rows", None
        try:
            _out.put_uvarint(data, self.num_rows, 32)
            field = "buckets"
            self.num_buckets = len(_out.exactly(self.buckets))
            field = "num_buckets"
            _out.put_uvarint(data, self.num_buckets, 32)
            if not (self.num_buckets <= self.footer.num_buckets):
                raise _out.unfit("non_empty count exceeds num_buckets")
            field = "buckets"
            for index, item in enumerate(_out.exactly(self.buckets)):
                _out.instance(item, BucketRef)._write(out, self.footer)
            index = None
            if not (_fn.unique([each.bucket_id for each in self.buckets])):
                raise _out.unfit("duplicate bucket_id in row group index")
            field = "stats"
            self.num_stats = len(_out.exactly(self.stats))
            field = "num_stats"
            _out.put_uvarint(data, self.num_stats, 32)
            field = "stats"
            for index, item in enumerate(_out.exactly(self.stats)):
                _out.instance(item, ColumnStats)._write(out, self.schema, self.num_rows)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_BucketRef_start = _rec.Layout(">", start="Q")


class BucketRef(_rec.Record):
    """Where a bucket is. What it inflates to is 0 where each column is a block of its own."""

    footer: Footer = _rec.parameter()
    bucket_id: int = _rec.field("uvarint32", checks=[("<", "bucket_id", ("get", "footer", "num_buckets"))])
    start: int = _rec.field("u64", big=True)
    stored: int = _rec.field("uvarint32", checks=[("<=", ("+", "start", "stored"), ("get", "footer", "schema_offset"))])
    inflated: int = _rec.field(
        "uvarint32",
        checks=[
            ("or", (">", "stored", 0), ("==", "inflated", 0)),
            (
                "or", ("==", "stored", 0), (">", "inflated", 0),
                ("==", ("get", "footer", "compression"), Compression.ZSTD),
            ),
            (
                "or", ("!=", ("get", "footer", "compression"), Compression.ZSTD),
                (
                    "<=", "inflated",
                    (
                        "let", (("bytes_stored", "stored"),),
                        ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                    ),
                ),
            ),
        ],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, footer: Footer) -> tuple[BucketRef, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "bucket_id", None, pos
        obj.footer = footer
        try:
            obj.bucket_id, pos = _in.uvarint(buf, pos, 32)
            if not (obj.bucket_id < obj.footer.num_buckets):
                raise _in.refused("corrupted row group index", start)
            field, start = "", pos
            (obj.start,) = _BucketRef_start.unpack(buf, pos)
            pos += 8
            field, start = "stored", pos
            obj.stored, pos = _in.uvarint(buf, pos, 32)
            if not (obj.start + obj.stored <= obj.footer.schema_offset):
                raise _in.refused("bucket data extends past schema block", start)
            field, start = "inflated", pos
            obj.inflated, pos = _in.uvarint(buf, pos, 32)
            if not (obj.stored > 0 or obj.inflated == 0):
                raise _in.refused("invalid bucket layout", start)
            if not (obj.stored == 0 or obj.inflated > 0 or obj.footer.compression == Compression.ZSTD):
                raise _in.refused("paged bucket requires ZSTD compression", start)
            if not (obj.footer.compression != Compression.ZSTD or obj.inflated <= max_inflated(obj.stored)):
                raise _in.refused("the declared size is over what the block can hold", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, footer: Footer) -> None:
        self.footer = footer
        data, field, index = out.data, "bucket_id", None
        try:
            _out.put_uvarint(data, self.bucket_id, 32)
            if not (self.bucket_id < self.footer.num_buckets):
                raise _out.unfit("corrupted row group index")
            field = "start"
            _out.put_number(data, self.start, ">Q")
            field = "stored"
            _out.put_uvarint(data, self.stored, 32)
            if not (self.start + self.stored <= self.footer.schema_offset):
                raise _out.unfit("bucket data extends past schema block")
            field = "inflated"
            _out.put_uvarint(data, self.inflated, 32)
            if not (self.stored > 0 or self.inflated == 0):
                raise _out.unfit("invalid bucket layout")
            if not (self.stored == 0 or self.inflated > 0 or self.footer.compression == Compression.ZSTD):
                raise _out.unfit("paged bucket requires ZSTD compression")
            if not (self.footer.compression != Compression.ZSTD or self.inflated <= max_inflated(self.stored)):
                raise _out.unfit("the declared size is over what the block can hold")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class ColumnStats(_rec.Record):
    """Nulls and bounds of a column in a row group."""

    schema: Schema = _rec.parameter()
    num_rows: int = _rec.parameter()
    column: int = _rec.field("uvarint32", checks=[("<", "column", ("count", ("get", "schema", "columns")))])
    null_count: int = _rec.field("uvarint32", checks=[("<=", "null_count", "num_rows")])
    low: _columns.Values | None = _rec.field(
        "Value", values="Value",
        arguments=[("get", ("get", ("item", ("get", "schema", "columns"), "column"), "type"), "params")],
        present=("<", "null_count", "num_rows"), default=None,
    )  # fmt: skip
    high: _columns.Values | None = _rec.field(
        "Value", values="Value",
        arguments=[("get", ("get", ("item", ("get", "schema", "columns"), "column"), "type"), "params")],
        present=("<", "null_count", "num_rows"), default=None,
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, schema: Schema, num_rows: int) -> tuple[ColumnStats, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "column", None, pos
        obj.schema, obj.num_rows = schema, num_rows
        try:
            obj.column, pos = _in.uvarint(buf, pos, 32)
            if not (obj.column < len(obj.schema.columns)):
                raise _in.refused("stats: column_index out of range", start)
            field, start = "null_count", pos
            obj.null_count, pos = _in.uvarint(buf, pos, 32)
            if not (obj.null_count <= obj.num_rows):
                raise _in.refused("stats: null_count exceeds num_rows", start)
            field, start = "low", pos
            if obj.null_count < obj.num_rows:
                obj.low, pos = _col.read_encoded(
                    buf, pos, 1, _col.layout_of(Value, _fn.item(obj.schema.columns, obj.column).type.params)
                )
            else:
                obj.low = None
            field, start = "high", pos
            if obj.null_count < obj.num_rows:
                obj.high, pos = _col.read_encoded(
                    buf, pos, 1, _col.layout_of(Value, _fn.item(obj.schema.columns, obj.column).type.params)
                )
            else:
                obj.high = None
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, schema: Schema, num_rows: int) -> None:
        self.schema, self.num_rows = schema, num_rows
        data, field, index = out.data, "column", None
        try:
            _out.put_uvarint(data, self.column, 32)
            if not (self.column < len(self.schema.columns)):
                raise _out.unfit("stats: column_index out of range")
            field = "null_count"
            _out.put_uvarint(data, self.null_count, 32)
            if not (self.null_count <= self.num_rows):
                raise _out.unfit("stats: null_count exceeds num_rows")
            field = "low"
            if self.null_count < self.num_rows:
                data += _col.encoded(
                    self.low, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params), 1
                )
            else:
                _out.absent(self.low)
            field = "high"
            if self.null_count < self.num_rows:
                data += _col.encoded(
                    self.high, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params), 1
                )
            else:
                _out.absent(self.high)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class StoredBucket(_lazy.LazyRecord):
    """A bucket where its reference says. `types` are its stored columns: `primaries` of the table, then children,
    depth first.
    """

    ref: BucketRef = _rec.parameter()
    how: Compression | int = _rec.parameter()
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    data: Bucket = _rec.placed("Bucket")

    def _span_data(self) -> tuple[int, int | None]:
        return self.ref.start, self.ref.stored

    def _read_data(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "data", None, 0, 0
        try:
            value, pos = Bucket._decode(
                span, pos, self.how, self.ref.stored, self.ref.inflated, self.types, self.primaries, self.num_rows
            )
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_data(self: _Any, out: _rec.Writer) -> None:
        field, index = "data", None
        try:
            _out.instance(self.data, Bucket)._encode(
                out, self.how, self.ref.stored, self.ref.inflated, self.types, self.primaries, self.num_rows
            )
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Bucket(
    _rec.Variant,
    on=(
        "let", (("size_stored", "size_stored"), ("inflated", "inflated")),
        (
            "if", ("==", "size_stored", 0), BucketLayout.EMPTY,
            ("if", (">", "inflated", 0), BucketLayout.MONOLITHIC, BucketLayout.PAGED),
        ),
    ),
):  # fmt: skip
    """The bytes of a bucket, by its layout."""

    EMPTY: _ClassVar[_rec.Class[Bucket_EMPTY]]
    MONOLITHIC: _ClassVar[_rec.Class[Bucket_MONOLITHIC]]
    PAGED: _ClassVar[_rec.Class[Bucket_PAGED]]
    how: Compression | int = _rec.parameter()
    size_stored: int = _rec.parameter()
    inflated: int = _rec.parameter()
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> tuple[Bucket, int]:  # fmt: skip
        tag: _Any = layout_of(size_stored, inflated)
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"Bucket has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, how, size_stored, inflated, types, primaries, num_rows)
        return obj, pos


class Bucket_EMPTY(Bucket, kind="EMPTY", tags=[BucketLayout.EMPTY]):
    __slots__ = ()

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> tuple[Bucket_EMPTY, int]:  # fmt: skip
        obj = _rec.new(cls)
        obj.how = how
        obj.size_stored = size_stored
        obj.inflated = inflated
        obj.types = types
        obj.primaries = primaries
        obj.num_rows = num_rows
        return obj, pos

    def _write(
        self: _Any, out: _rec.Writer, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> None:  # fmt: skip
        self.how = how
        self.size_stored = size_stored
        self.inflated = inflated
        self.types = types
        self.primaries = primaries
        self.num_rows = num_rows
        field, index = "", None
        try:
            _out.tagged(self, layout_of(self.size_stored, self.inflated))
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Bucket_MONOLITHIC(Bucket, kind="MONOLITHIC", tags=[BucketLayout.MONOLITHIC]):
    body: Columns = _rec.field(
        "Columns", record="Columns", arguments=["types", "primaries", "num_rows"], size="size_stored",
        codecs=[(("call", "block", "how", "inflated"),)],
    )  # fmt: skip

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> tuple[Bucket_MONOLITHIC, int]:  # fmt: skip
        obj, field, index, start = _rec.new(cls), "body", None, pos
        obj.how = how
        obj.size_stored = size_stored
        obj.inflated = inflated
        obj.types = types
        obj.primaries = primaries
        obj.num_rows = num_rows
        try:
            size = obj.size_stored
            stop = pos + size
            outer, span = span, span.through([block(obj.how, obj.inflated).make()], pos, size)
            pos = 0
            obj.body, pos = Columns._read(span, pos, obj.types, obj.primaries, obj.num_rows)
            span.finish(pos)
            pos = stop
            span = outer
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(
        self: _Any, out: _rec.Writer, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> None:  # fmt: skip
        self.how = how
        self.size_stored = size_stored
        self.inflated = inflated
        self.types = types
        self.primaries = primaries
        self.num_rows = num_rows
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, layout_of(self.size_stored, self.inflated))
            field = "body"
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(self.body, Columns)._write(out, self.types, self.primaries, self.num_rows)
            raw_body, out, data = data, outer, outer.data
            part_body = out.through([block(self.how, self.inflated)], raw_body)
            data += part_body
            if len(part_body) != self.size_stored:
                raise _out.unfit("its size is not the one that its declaration gives")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Bucket_PAGED(Bucket, kind="PAGED", tags=[BucketLayout.PAGED]):
    body: Pages = _rec.field("Pages", record="Pages", arguments=["types", "primaries", "num_rows"], size="size_stored")

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> tuple[Bucket_PAGED, int]:  # fmt: skip
        obj, field, index, start = _rec.new(cls), "body", None, pos
        obj.how = how
        obj.size_stored = size_stored
        obj.inflated = inflated
        obj.types = types
        obj.primaries = primaries
        obj.num_rows = num_rows
        try:
            outer, span = span, span.within(pos, obj.size_stored)
            obj.body, pos = Pages._read(span, pos, obj.types, obj.primaries, obj.num_rows)
            span.finish(pos)
            span = outer
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(
        self: _Any, out: _rec.Writer, how: Compression | int, size_stored: int, inflated: int, types: list[_Any],
        primaries: int, num_rows: int,
    ) -> None:  # fmt: skip
        self.how = how
        self.size_stored = size_stored
        self.inflated = inflated
        self.types = types
        self.primaries = primaries
        self.num_rows = num_rows
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, layout_of(self.size_stored, self.inflated))
            outer, out = out, out.part(out.offset_if_known())
            data = out.data
            field = "body"
            _out.instance(self.body, Pages)._write(out, self.types, self.primaries, self.num_rows)
            part_body, out, data = data, outer, outer.data
            data += part_body
            if len(part_body) != self.size_stored:
                raise _out.unfit("its size is not the one that its declaration gives")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Columns(_rec.Record):
    """All columns of a bucket, section by section."""

    _body = {"verifies": [("==", ("pos",), ("end",))]}
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    num_primary: int | None = _rec.derived(
        "uvarint32", "primaries", present=(">", ("count", "types"), "primaries"), verifies=["num_primary"]
    )
    num_children: int | None = _rec.derived(
        "uvarint32", ("-", ("count", "types"), "primaries"), present=(">", ("count", "types"), "primaries"),
        verifies=["num_children"],
    )  # fmt: skip
    elements: list[int] | None = _rec.field(
        "uvarint32[num_children]", "uvarint32", count="num_children", smallest=1,
        present=(">", ("count", "types"), "primaries"), default=None,
    )  # fmt: skip
    encodings: _columns.Bits = _rec.derived(
        "bits[i < count(types)]", ("get", ("item", "cells", ("index",)), "tag"), "bits", width=2,
        length=("count", "types"),
    )  # fmt: skip
    has_nulls: _columns.Bits = _rec.derived(
        "bits[i < count(types)]", ("int", ("not", ("is", ("item", "nulls", ("index",)), None))), "bits", width=1,
        length=("count", "types"),
    )  # fmt: skip
    consts: list[_columns.Values | None] = _rec.field(
        "Value[i < count(types)]", values="Value", arguments=[("item", "types", ("index",))], dimension="index",
        count=("count", "types"), present=("==", ("item", "encodings", ("index",)), PageEncoding.CONST),
    )  # fmt: skip
    dicts: list[Dict | None] = _rec.field(
        "Dict[i < count(types)]", record="Dict", arguments=[("item", "types", ("index",))], dimension="index",
        count=("count", "types"), present=("==", ("item", "encodings", ("index",)), PageEncoding.DICT),
    )  # fmt: skip
    nulls: list[Bitmap | None] = _rec.field(
        "Bitmap[i < count(types)]", record="Bitmap",
        arguments=[
            (
                "let",
                (
                    ("position", ("index",)), ("primaries", "primaries"), ("num_rows", "num_rows"),
                    ("elements", "elements"),
                ),
                (
                    "if", ("<", "position", "primaries"), "num_rows",
                    ("item", "elements", ("-", "position", "primaries")),
                ),
            )
        ],
        dimension="index", count=("count", "types"), present=("==", ("item", "has_nulls", ("index",)), 1),
        verifies=["has_nulls"],
    )  # fmt: skip
    cells: list[Cells] = _rec.field(
        "Cells[i < count(types)]", record="Cells",
        arguments=[
            ("item", "encodings", ("index",)), ("item", "types", ("index",)),
            (
                "let",
                (
                    (
                        "rows",
                        (
                            "let",
                            (
                                ("position", ("index",)), ("primaries", "primaries"), ("num_rows", "num_rows"),
                                ("elements", "elements"),
                            ),
                            (
                                "if", ("<", "position", "primaries"), "num_rows",
                                ("item", "elements", ("-", "position", "primaries")),
                            ),
                        ),
                    ),
                    ("nulls", ("item", "nulls", ("index",))),
                ),
                ("if", ("not", ("is", "nulls", None)), ("-", "rows", ("sum", ("get", "nulls", "null_at"))), "rows"),
            ),
            ("item", "dicts", ("index",)),
        ],
        dimension="index", count=("count", "types"), verifies=["encodings"],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, types: list[_Any], primaries: int, num_rows: int) -> tuple[Columns, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "num_primary", None, pos
        obj.types, obj.primaries, obj.num_rows = types, primaries, num_rows
        item: _Any
        items: list[_Any]
        try:
            if len(obj.types) > obj.primaries:
                obj.num_primary, pos = _in.uvarint(buf, pos, 32)
            else:
                obj.num_primary = None
            if obj.num_primary is not None and obj.num_primary != obj.primaries:
                raise _in.refused("num_primary must be primaries", start)
            field, start = "num_children", pos
            if len(obj.types) > obj.primaries:
                obj.num_children, pos = _in.uvarint(buf, pos, 32)
            else:
                obj.num_children = None
            if obj.num_children is not None and obj.num_children != len(obj.types) - obj.primaries:
                raise _in.refused("num_children must be count(types) - primaries", start)
            field, start = "elements", pos
            if len(obj.types) > obj.primaries:
                obj.elements = items = []
                for index in range(_in.bounded(obj.num_children, 1, buf, pos)):
                    start = pos
                    item, pos = _in.uvarint(buf, pos, 32)
                    items.append(item)
                index = None
            else:
                obj.elements = None
            field, start = "encodings", pos
            obj.encodings, pos = _col.read_bits(span, pos, len(obj.types), 2)
            start_encodings = start
            field, start = "has_nulls", pos
            obj.has_nulls, pos = _col.read_bits(span, pos, len(obj.types), 1)
            start_has_nulls = start
            field, start = "consts", pos
            obj.consts = items = []
            for index in range(len(obj.types)):
                if obj.encodings[index] != PageEncoding.CONST:
                    span.took_nothing(pos, 1)
                    items.append(None)
                    continue
                start = pos
                item, pos = _col.read_encoded(buf, pos, 1, _col.layout_of(Value, obj.types[index]))
                items.append(item)
                span.passed(start, pos)
            index = None
            field, start = "dicts", pos
            obj.dicts = items = []
            for index in range(len(obj.types)):
                if obj.encodings[index] != PageEncoding.DICT:
                    span.took_nothing(pos, 1)
                    items.append(None)
                    continue
                start = pos
                item, pos = Dict._read(span, pos, obj.types[index])
                items.append(item)
                span.passed(start, pos)
            index = None
            field, start = "nulls", pos
            obj.nulls = items = []
            begin = start
            for index in range(len(obj.types)):
                if obj.has_nulls[index] != 1:
                    span.took_nothing(pos, 1)
                    items.append(None)
                    continue
                start = pos
                item, pos = Bitmap._read(span, pos, rows_of(index, obj.primaries, obj.num_rows, obj.elements))
                items.append(item)
                span.passed(start, pos)
            index, start = None, begin
            field = "has_nulls"
            for index in range(len(obj.has_nulls)):
                if obj.has_nulls[index] != int(obj.nulls[index] is not None):
                    raise _in.refused("has_nulls must be present(nulls[i])", start_has_nulls)
            index = None
            field, start = "cells", pos
            obj.cells = items = []
            begin = start
            for index in range(len(obj.types)):
                start = pos
                item, pos = Cells._read(
                    span, pos, obj.encodings[index], obj.types[index],
                    live(rows_of(index, obj.primaries, obj.num_rows, obj.elements), obj.nulls[index]), obj.dicts[index],
                )  # fmt: skip
                items.append(item)
                span.passed(start, pos)
            index, start = None, begin
            field = "encodings"
            for index in range(len(obj.encodings)):
                if obj.encodings[index] != obj.cells[index].tag:
                    raise _in.refused("encodings must be tag(cells[i])", start_encodings)
            index = None
            field, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in bucket", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, types: list[_Any], primaries: int, num_rows: int) -> None:
        self.types, self.primaries, self.num_rows = types, primaries, num_rows
        data, field, index = out.data, "num_primary", None
        try:
            self.num_primary = self.primaries if len(self.types) > self.primaries else None
            if len(self.types) > self.primaries:
                _out.put_uvarint(data, self.num_primary, 32)
            field = "num_children"
            self.num_children = len(self.types) - self.primaries if len(self.types) > self.primaries else None
            if len(self.types) > self.primaries:
                _out.put_uvarint(data, self.num_children, 32)
            field = "elements"
            if len(self.types) > self.primaries:
                for index, item in enumerate(_out.exactly(self.elements, self.num_children)):
                    _out.put_uvarint(data, item, 32)
                index = None
            else:
                _out.absent(self.elements)
            field = "encodings"
            self.encodings = [self.cells[index].tag for index in range(len(self.types))]
            self.encodings = _col.packed(self.encodings, len(self.types), 2)
            data += self.encodings.to_bytes()
            field = "has_nulls"
            self.has_nulls = [int(self.nulls[index] is not None) for index in range(len(self.types))]
            self.has_nulls = _col.packed(self.has_nulls, len(self.types), 1)
            data += self.has_nulls.to_bytes()
            field = "consts"
            for index, item in enumerate(_out.exactly(self.consts, len(self.types))):
                if self.encodings[index] != PageEncoding.CONST:
                    _out.absent(item)
                    continue
                data += _col.encoded(item, _col.layout_of(Value, self.types[index]), 1)
            index = None
            field = "dicts"
            for index, item in enumerate(_out.exactly(self.dicts, len(self.types))):
                if self.encodings[index] != PageEncoding.DICT:
                    _out.absent(item)
                    continue
                _out.instance(item, Dict)._write(out, self.types[index])
            index = None
            field = "nulls"
            for index, item in enumerate(_out.exactly(self.nulls, len(self.types))):
                if self.has_nulls[index] != 1:
                    _out.absent(item)
                    continue
                _out.instance(item, Bitmap)._write(out, rows_of(index, self.primaries, self.num_rows, self.elements))
            index = None
            field = "cells"
            for index, item in enumerate(_out.exactly(self.cells, len(self.types))):
                _out.instance(item, Cells)._write(
                    out, self.encodings[index], self.types[index],
                    live(rows_of(index, self.primaries, self.num_rows, self.elements), self.nulls[index]),
                    self.dicts[index],
                )  # fmt: skip
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Dict(_rec.Record):
    """Distinct values in the order in which they came."""

    type: _Any = _rec.parameter()
    size: int = _rec.derived("uvarint32", ("count", "entries"))
    entries: _columns.Values = _rec.field("Value[size]", values="Value", arguments=["type"], length="size")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _Any) -> tuple[Dict, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "size", None, pos
        obj.type = type
        try:
            obj.size, pos = _in.uvarint(buf, pos, 32)
            field, start = "entries", pos
            obj.entries, pos = _col.read_encoded(buf, pos, obj.size, _col.layout_of(Value, obj.type))
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _Any) -> None:
        self.type = type
        data, field, index = out.data, "size", None
        try:
            self.size = len(self.entries)
            _out.put_uvarint(data, self.size, 32)
            field = "entries"
            data += _col.encoded(self.entries, _col.layout_of(Value, self.type), len(self.entries))
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Bitmap(_rec.Record):
    """A set bit marks a null."""

    rows: int = _rec.parameter()
    null_at: _columns.Bits = _rec.field("bits[rows]", "bits", width=1, length="rows")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, rows: int) -> tuple[Bitmap, int]:
        obj, field, index, start = _rec.new(cls), "null_at", None, pos
        obj.rows = rows
        try:
            obj.null_at, pos = _col.read_bits(span, pos, obj.rows, 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, rows: int) -> None:
        self.rows = rows
        data, field, index = out.data, "null_at", None
        try:
            self.null_at = _col.packed(self.null_at, self.rows, 1)
            data += self.null_at.to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Cells(_rec.Variant, on="how"):
    """The values of the rows that are not null."""

    PLAIN: _ClassVar[_rec.Class[Cells_PLAIN]]
    CONST: _ClassVar[_rec.Class[Cells_CONST]]
    DICT: _ClassVar[_rec.Class[Cells_DICT]]
    ALL_NULL: _ClassVar[_rec.Class[Cells_ALL_NULL]]
    how: PageEncoding | int = _rec.parameter()
    type: _Any = _rec.parameter()
    rows: int = _rec.parameter()
    dict: Dict = _rec.parameter()

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells, int]:
        tag: _Any = how
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"Cells has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, how, type, rows, dict)
        return obj, pos


class Cells_PLAIN(Cells, kind="PLAIN", tags=[PageEncoding.PLAIN]):
    values: _columns.Values = _rec.field("Value[rows]", values="Value", arguments=["type"], length="rows")

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_PLAIN, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "values", None, pos
        obj.how, obj.type, obj.rows, obj.dict = how, type, rows, dict
        try:
            obj.values, pos = _col.read_encoded(buf, pos, obj.rows, _col.layout_of(Value, obj.type))
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        self.how, self.type, self.rows, self.dict = how, type, rows, dict
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.how)
            field = "values"
            data += _col.encoded(self.values, _col.layout_of(Value, self.type), self.rows)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Cells_CONST(Cells, kind="CONST", tags=[PageEncoding.CONST]):
    __slots__ = ()


class Cells_DICT(Cells, kind="DICT", tags=[PageEncoding.DICT]):
    codes: _columns.Bits = _rec.field(
        "bits[rows]", "bits",
        width=(
            "let", (("entries", ("count", ("get", "dict", "entries"))),),
            ("if", ("<=", "entries", 1), 0, ("bit_length", ("-", "entries", 1))),
        ),
        length="rows", checks=[("<", ("largest", "codes"), ("count", ("get", "dict", "entries")))],
    )  # fmt: skip

    @classmethod
    def _read(
        cls, span: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_DICT, int]:
        obj, field, index, start = _rec.new(cls), "codes", None, pos
        obj.how, obj.type, obj.rows, obj.dict = how, type, rows, dict
        try:
            obj.codes, pos = _col.read_bits(span, pos, obj.rows, bit_width(len(obj.dict.entries)))
            if not (_fn.largest(obj.codes) < len(obj.dict.entries)):
                raise _in.refused("corrupt dict index", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        self.how, self.type, self.rows, self.dict = how, type, rows, dict
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.how)
            field = "codes"
            self.codes = _col.packed(self.codes, self.rows, bit_width(len(self.dict.entries)))
            data += self.codes.to_bytes()
            if not (_fn.largest(self.codes) < len(self.dict.entries)):
                raise _out.unfit("corrupt dict index")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Cells_ALL_NULL(Cells, kind="ALL_NULL", tags=[PageEncoding.ALL_NULL]):
    __slots__ = ()


class Directory(_rec.Record):
    """The front of a bucket with a block a column: enough to find each block."""

    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_children: int | None = _rec.derived(
        "u16", ("-", ("count", "types"), "primaries"), present=(">", ("count", "types"), "primaries"),
        verifies=["num_children"],
    )  # fmt: skip
    elements: list[int] | None = _rec.field(
        "u32[num_children]", "u32", count="num_children", smallest=4, present=(">", ("count", "types"), "primaries"),
        default=None,
    )  # fmt: skip
    slot_sizes: list[int] = _rec.field("u32[count(types)]", "u32", count=("count", "types"), smallest=4)
    """0 for columns without values, which have no block."""

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, types: list[_Any], primaries: int) -> tuple[Directory, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "num_children", None, pos
        obj.types, obj.primaries = types, primaries
        try:
            if len(obj.types) > obj.primaries:
                obj.num_children, pos = _in.number(buf, pos, "<H")
            else:
                obj.num_children = None
            if obj.num_children is not None and obj.num_children != len(obj.types) - obj.primaries:
                raise _in.refused("num_children must be count(types) - primaries", start)
            field, start = "elements", pos
            if len(obj.types) > obj.primaries:
                obj.elements, pos = _in.numbers(buf, pos, obj.num_children, "<", "I")
            else:
                obj.elements = None
            field, start = "slot_sizes", pos
            obj.slot_sizes, pos = _in.numbers(buf, pos, len(obj.types), "<", "I")
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, types: list[_Any], primaries: int) -> None:
        self.types, self.primaries = types, primaries
        data, field, index = out.data, "num_children", None
        try:
            self.num_children = len(self.types) - self.primaries if len(self.types) > self.primaries else None
            if len(self.types) > self.primaries:
                _out.put_number(data, self.num_children, "<H")
            field = "elements"
            if len(self.types) > self.primaries:
                _out.put_numbers(data, _out.exactly(self.elements, self.num_children), "<", "I")
            else:
                _out.absent(self.elements)
            field = "slot_sizes"
            _out.put_numbers(data, _out.exactly(self.slot_sizes, len(self.types)), "<", "I")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Pages(_rec.Record):
    """A block a column."""

    _body = {"verifies": [("==", ("pos",), ("end",))]}
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    directory: Directory = _rec.field("Directory", record="Directory", arguments=["types", "primaries"])
    slots: list[Slot | None] = _rec.field(
        "Slot[i < count(types)]", record="Slot",
        arguments=[
            ("item", "types", ("index",)),
            (
                "let",
                (
                    ("position", ("index",)), ("primaries", "primaries"), ("num_rows", "num_rows"),
                    ("elements", ("get", "directory", "elements")),
                ),
                (
                    "if", ("<", "position", "primaries"), "num_rows",
                    ("item", "elements", ("-", "position", "primaries")),
                ),
            ),
        ],
        dimension="index", count=("count", "types"),
        present=(">", ("item", ("get", "directory", "slot_sizes"), ("index",)), 0),
        size=("item", ("get", "directory", "slot_sizes"), ("index",)),
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, types: list[_Any], primaries: int, num_rows: int) -> tuple[Pages, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "directory", None, pos
        obj.types, obj.primaries, obj.num_rows = types, primaries, num_rows
        items: list[_Any]
        try:
            obj.directory, pos = Directory._read(span, pos, obj.types, obj.primaries)
            field, start = "slots", pos
            obj.slots = items = []
            for index in range(len(obj.types)):
                if not (obj.directory.slot_sizes[index] > 0):
                    span.took_nothing(pos, 1)
                    items.append(None)
                    continue
                start = pos
                outer, span = span, span.within(pos, obj.directory.slot_sizes[index])
                buf = span.buf
                item, pos = Slot._read(
                    span, pos, obj.types[index], rows_of(index, obj.primaries, obj.num_rows, obj.directory.elements)
                )
                span.finish(pos)
                span, buf = outer, outer.buf
                items.append(item)
                span.passed(start, pos)
            index = None
            field, start = "", pos
            if pos != len(buf):
                raise _in.refused("slots do not fill the bucket", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, types: list[_Any], primaries: int, num_rows: int) -> None:
        self.types, self.primaries, self.num_rows = types, primaries, num_rows
        data, field, index = out.data, "directory", None
        try:
            _out.instance(self.directory, Directory)._write(out, self.types, self.primaries)
            field = "slots"
            for index, item in enumerate(_out.exactly(self.slots, len(self.types))):
                if not (self.directory.slot_sizes[index] > 0):
                    _out.absent(item)
                    continue
                begun = len(data)
                _out.instance(item, Slot)._write(
                    out, self.types[index], rows_of(index, self.primaries, self.num_rows, self.directory.elements)
                )
                if len(data) - begun != self.directory.slot_sizes[index]:
                    raise _out.unfit("its size is not the one that its declaration gives")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Slot(_rec.Record):
    """One column's block."""

    type: _Any = _rec.parameter()
    rows: int = _rec.parameter()
    inflated: int = _rec.derived(
        "uvarint32", ("captured", "raw_size", "page"), before=[("raw", "page")],
        checks=[
            (
                "<=", "inflated",
                (
                    "let", (("bytes_stored", ("-", ("end",), ("pos",))),),
                    ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                ),
            )
        ],
    )  # fmt: skip
    page: Page = _rec.field(
        "Page", record="Page", arguments=["type", "rows"], size=("-", ("end",), ("pos",)),
        codecs=[(("call", "zstd", "inflated"),)], captures=["raw_size"], verifies=["inflated"],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _Any, rows: int) -> tuple[Slot, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "inflated", None, pos
        obj.type, obj.rows = type, rows
        try:
            obj.inflated, pos = _in.uvarint(buf, pos, 32)
            start_inflated = start
            if not (obj.inflated <= max_inflated(len(buf) - pos)):
                raise _in.refused("the declared size is over what the block can hold", start)
            field, start = "page", pos
            size = len(buf) - pos
            stop = pos + size
            outer, span = span, span.through([zstd(obj.inflated).make()], pos, size)
            buf, pos = span.buf, 0
            obj.page, pos = Page._read(span, pos, obj.type, obj.rows)
            span.finish(pos)
            raw_page = pos
            pos = stop
            span, buf = outer, outer.buf
            field = "inflated"
            if obj.inflated != raw_page:
                raise _in.refused("inflated must be raw_size(page)", start_inflated)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _Any, rows: int) -> None:
        self.type, self.rows = type, rows
        data, field, index = out.data, "page", None
        try:
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(self.page, Page)._write(out, self.type, self.rows)
            raw_page, out, data = data, outer, outer.data
            field = "inflated"
            self.inflated = len(raw_page)
            _out.put_uvarint(data, self.inflated, 32)
            field = "page"
            part_page = out.through([zstd(self.inflated)], raw_page)
            field = "inflated"
            if not (self.inflated <= max_inflated(len(part_page))):
                raise _out.unfit("the declared size is over what the block can hold")
            data += part_page
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Page_encoding = _rec.Layout("<", encoding="B", flags="B")


class Page(_rec.Record):
    """One column."""

    _body = {"verifies": [("==", ("pos",), ("end",))]}
    type: _Any = _rec.parameter()
    rows: int = _rec.parameter()
    encoding: int = _rec.derived("u8", ("get", "cells", "tag"))
    flags: int = _rec.derived(
        "u8", ("int", ("not", ("is", "nulls", None))),
        checks=[("!=", "encoding", PageEncoding.ALL_NULL), ("<=", "flags", 1)],
    )  # fmt: skip
    constant: _columns.Values | None = _rec.field(
        "Value", values="Value", arguments=["type"], present=("==", "encoding", PageEncoding.CONST), default=None
    )
    dict: Dict | None = _rec.field(
        "Dict", record="Dict", arguments=["type"], present=("==", "encoding", PageEncoding.DICT), default=None
    )
    nulls: Bitmap | None = _rec.field(
        "Bitmap", record="Bitmap", arguments=["rows"], present=("==", "flags", 1), verifies=["flags"], default=None
    )
    cells: Cells = _rec.field(
        "Cells", record="Cells",
        arguments=[
            "encoding", "type",
            (
                "let", (("rows", "rows"), ("nulls", "nulls")),
                ("if", ("not", ("is", "nulls", None)), ("-", "rows", ("sum", ("get", "nulls", "null_at"))), "rows"),
            ),
            "dict",
        ],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _Any, rows: int) -> tuple[Page, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type, obj.rows = type, rows
        try:
            obj.encoding, obj.flags = _Page_encoding.unpack(buf, pos)
            pos += 2
            field = "encoding"
            if obj.encoding == PageEncoding.ALL_NULL:
                raise _in.refused("column page: unsupported encoding", start)
            start_flags = start + 1
            field = "flags"
            if not (obj.flags <= 1):
                raise _in.refused("column page: unknown flags", start + 1)
            field, start = "constant", pos
            if obj.encoding == PageEncoding.CONST:
                obj.constant, pos = _col.read_encoded(buf, pos, 1, _col.layout_of(Value, obj.type))
            else:
                obj.constant = None
            field, start = "dict", pos
            if obj.encoding == PageEncoding.DICT:
                obj.dict, pos = Dict._read(span, pos, obj.type)
            else:
                obj.dict = None
            field, start = "nulls", pos
            if obj.flags == 1:
                obj.nulls, pos = Bitmap._read(span, pos, obj.rows)
            else:
                obj.nulls = None
            field = "flags"
            if obj.flags != int(obj.nulls is not None):
                raise _in.refused("flags must be present(nulls)", start_flags)
            field, start = "cells", pos
            obj.cells, pos = Cells._read(span, pos, obj.encoding, obj.type, live(obj.rows, obj.nulls), obj.dict)
            field, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in page", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _Any, rows: int) -> None:
        self.type, self.rows = type, rows
        data, field, index = out.data, "encoding", None
        try:
            self.encoding = self.cells.tag
            field = "flags"
            self.flags = int(self.nulls is not None)
            field = ""
            data += _Page_encoding.pack(self.encoding, self.flags)
            field = "encoding"
            if self.encoding == PageEncoding.ALL_NULL:
                raise _out.unfit("column page: unsupported encoding")
            field = "flags"
            if not (self.flags <= 1):
                raise _out.unfit("column page: unknown flags")
            field = "constant"
            if self.encoding == PageEncoding.CONST:
                data += _col.encoded(self.constant, _col.layout_of(Value, self.type), 1)
            else:
                _out.absent(self.constant)
            field = "dict"
            if self.encoding == PageEncoding.DICT:
                _out.instance(self.dict, Dict)._write(out, self.type)
            else:
                _out.absent(self.dict)
            field = "nulls"
            if self.flags == 1:
                _out.instance(self.nulls, Bitmap)._write(out, self.rows)
            else:
                _out.absent(self.nulls)
            field = "cells"
            _out.instance(self.cells, Cells)._write(
                out, self.encoding, self.type, live(self.rows, self.nulls), self.dict
            )
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


# Declarations are tables: one row a field, whatever its width.
# fmt: off

# One zstd frame of the declared content size.
zstd = _decl.Codec("zstd", ("inflated",), "bytes", "runtime.compress:Zstd")

# The bytes themselves, which must be as many as declared.
stored = _decl.Codec("stored", ("inflated",), "bytes", "runtime.compress:Stored")


def block(how: _Any, inflated: _Any) -> _decl.Use:
    """A block as the footer says."""
    return zstd(inflated) if how == Compression.ZSTD else stored(inflated)


def max_inflated(bytes_stored: _Any) -> _Any:
    """What a block of some stored bytes may claim to inflate to."""
    return max(SMALL_BLOCK, min(MAX_BLOCK, MAX_RATIO * bytes_stored))

# Tokens of pair rules; without rules, the bytes themselves.
bpe = _decl.Codec("bpe", ("rules",), "bytes", "mosaic.bpe:Bpe")

# A big-endian two's complement number of as few bytes as possible.
shortest = _decl.Codec("shortest", (), "bytes", "runtime.columns.integers:Shortest")


def Value() -> _decl.Encoding:
    """One value that is not null, the same in pages, constants, dictionaries and statistics."""
    return _decl.Encoding(
        "Value", "TypeParams", ("big",),
        [
            _decl.Case((("BOOLEAN", 0),), values=_decl.ValueLayout(_decl.Kind.BOOLEAN, 1)),
            _decl.Case((("TINYINT", 0),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 1, big=True, number="i")),
            _decl.Case((("SMALLINT", 0),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 2, big=True, number="i")),
            _decl.Case(
                (("INTEGER", 0), ("DATE", 0), ("TIME", 0), ("ARRAY", 0), ("MAP", 0)),
                values=_decl.ValueLayout(_decl.Kind.NUMBER, 4, big=True, number="i"),
            ),
            _decl.Case((("BIGINT", 0),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 8, big=True, number="i")),
            _decl.Case((("FLOAT", 0),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 4, big=True, number="f")),
            _decl.Case((("DOUBLE", 0),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 8, big=True, number="f")),
            _decl.Case(
                (("DECIMAL", 1),), values=_decl.ValueLayout(_decl.Kind.NUMBER, 8, big=True, number="i"),
                condition=lambda precision: precision <= 18,
            ),
            _decl.Case(
                (("DECIMAL", 0),),
                values=_decl.ValueLayout(
                    _decl.Kind.INTEGER, 0, big=True, least=1, most=16, rule="1 <= size_of_v <= 16 does not hold"
                ),
            ),
            _decl.Case(
                (("TIMESTAMP", 1), ("TIMESTAMP_LTZ", 1)),
                values=_decl.ValueLayout(_decl.Kind.NUMBER, 8, big=True, number="i"),
                condition=lambda precision: precision <= 6,
            ),
            _decl.Case(
                (("TIMESTAMP", 0), ("TIMESTAMP_LTZ", 0)),
                values=_decl.ValueLayout(
                    _decl.Kind.PAIR, 12, big=True, unit=1000000, rule="the remainder is outside its range"
                ),
            ),
            _decl.Case((("CHAR", 0), ("VARCHAR", 0), ("STRING", 0)), values=_decl.ValueLayout(_decl.Kind.TEXT, 0)),
            _decl.Case((("BINARY", 0), ("VARBINARY", 0), ("BYTES", 0)), values=_decl.ValueLayout(_decl.Kind.BYTES, 0)),
        ],
    )


def bucket_of(position: _Any, columns: _Any, buckets: _Any) -> _Any:
    """The bucket of a column; the file does not store it."""
    return position * buckets // columns


def first_position(bucket: _Any, columns: _Any, buckets: _Any) -> _Any:
    """The first position that `bucket_of` puts into a bucket; that of the next bucket is where it ends."""
    return (bucket * columns + buckets - 1) // buckets


def bit_width(entries: _Any) -> _Any:
    """Bits of an index into a dictionary."""
    return 0 if entries <= 1 else (entries - 1).bit_length()


def layout_of(size_stored: _Any, inflated: _Any) -> _Any:
    """How the two sizes of a bucket name its layout."""
    return BucketLayout.EMPTY if size_stored == 0 else (BucketLayout.MONOLITHIC if inflated > 0 else BucketLayout.PAGED)


def rows_of(position: _Any, primaries: _Any, num_rows: _Any, elements: _Any) -> _Any:
    """Rows of a stored column: those of the row group, or the elements of the children."""
    return num_rows if position < primaries else elements[position - primaries]


def live(rows: _Any, nulls: _Any) -> _Any:
    """Rows that are not null."""
    return rows - _fn.total(nulls.null_at) if nulls is not None else rows
# fmt: on


__spec__ = _fields.describe(globals(), "mosaic.idl", {
    "Compression": 25, "NameEncoding": 33, "PageEncoding": 41, "BucketLayout": 53, "File": 65, "Footer": 76,
    "SchemaBlock": 102, "Schema": 108, "BpeRule": 123, "Column": 129, "TypeDescriptor": 155, "NamedType": 163,
    "TypeParams": 170, "TypeParams_BOOLEAN": 171, "TypeParams_TINYINT": 172, "TypeParams_SMALLINT": 173,
    "TypeParams_INTEGER": 174, "TypeParams_BIGINT": 175, "TypeParams_FLOAT": 176, "TypeParams_DOUBLE": 177,
    "TypeParams_DATE": 178, "TypeParams_CHAR": 179, "TypeParams_VARCHAR": 180, "TypeParams_STRING": 181,
    "TypeParams_BINARY": 182, "TypeParams_VARBINARY": 183, "TypeParams_BYTES": 184, "TypeParams_DECIMAL": 185,
    "TypeParams_TIME": 190, "TypeParams_TIMESTAMP": 191, "TypeParams_TIMESTAMP_LTZ": 195, "TypeParams_ARRAY": 199,
    "TypeParams_MAP": 200, "Index": 239, "RowGroup": 244, "BucketRef": 255, "ColumnStats": 265,
    "StoredBucket": 284, "Bucket": 289, "Bucket_EMPTY": 291, "Bucket_MONOLITHIC": 292, "Bucket_PAGED": 293,
    "Columns": 303, "Dict": 316, "Bitmap": 322, "Cells": 327, "Cells_PLAIN": 328, "Cells_CONST": 329,
    "Cells_DICT": 330, "Cells_ALL_NULL": 331, "Directory": 335, "Pages": 343, "Slot": 350, "Page": 356,
})  # fmt: skip

buckets = _objects.ObjectTable(
    name="buckets",
    record=File,
    loops=(_objects.Loop("rg", "source.index.row_groups", "rg_index"), _objects.Loop("b", "rg.buckets")),
    columns=(
        _objects.ObjectColumn("row_group", "int32", "rg_index"),
        _objects.ObjectColumn("bucket", "int32", "b.bucket_id"),
        _objects.ObjectColumn("start", "int64", "b.start"),
        _objects.ObjectColumn("stored", "int64", "b.stored"),
        _objects.ObjectColumn("inflated", "int64", "b.inflated", "0 for buckets with a block a column."),
        _objects.ObjectColumn("num_rows", "int64", "rg.num_rows"),
    ),
)
"""One row a bucket of a row group."""

columns = _objects.ObjectTable(
    name="columns",
    record=File,
    loops=(_objects.Loop("c", "source.schema.body.columns", "i"),),
    columns=(
        _objects.ObjectColumn("position", "int32", "i"),
        _objects.ObjectColumn("name", "string", "c.name"),
        _objects.ObjectColumn("nullable", "bool", lambda source, i, c: bool(c.type.nullable)),
    ),
)
"""One row a column, in the order of the names."""
