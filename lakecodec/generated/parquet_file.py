# Generated from parquet_file.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:f372269465f14598217ec4d5bad15929231902bedb63eb18599fc2c3867aa4a7
"""The envelope of a Parquet file: magic numbers, the tail that locates the metadata, and a flat view of the
chunks.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import fields as _fields
from ..runtime import table as _table
from ..runtime.compact.program import Leaf as _Leaf
from ..runtime.records import lazy as _lazy
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import write as _out
from . import parquet as _parquet

# Begins and ends every file whose footer is readable.
MAGIC: str = "PAR1"
# Begins and ends a file whose footer is encrypted.
ENCRYPTED_MAGIC: str = "PARE"
# The Julian day of 1970-01-01, from which the days of an Int96 are counted.
JULIAN_EPOCH_DAY: int = 2440588
# Bytes of a block of a bloom filter: a 32-bit word for each multiplier.
BLOOM_BLOCK: int = 32
# Multipliers of the words of a block: the upper 5 bits of a product with a value's hash say which bit is set.
BLOOM_SALT: list[int] = [
    1203114875, 1150766481, 2284105051, 2729912477, 1884591559, 770785867, 2667333959, 1550580529
]  # fmt: skip


_Head_magic = _rec.Layout("<", magic="4s")


class Head(_rec.Record):
    """The first bytes of a file."""

    magic: bytes = _rec.field(
        "bytes[4]", "bytes", length=4,
        checks=[("!=", "magic", ENCRYPTED_MAGIC.encode()), ("==", "magic", MAGIC.encode())],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Head, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.magic,) = _Head_magic.unpack(buf, pos)
            pos += 4
            field = "magic"
            if obj.magic == ENCRYPTED_MAGIC.encode():
                raise _in.refused("footer is encrypted", start)
            if obj.magic != MAGIC.encode():
                raise _in.refused("not a Parquet file: PAR1 is expected here", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "magic", None
        try:
            data += _out.raw(self.magic, 4)
            if self.magic == ENCRYPTED_MAGIC.encode():
                raise _out.unfit("footer is encrypted")
            if self.magic != MAGIC.encode():
                raise _out.unfit("not a Parquet file: PAR1 is expected here")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Tail_meta_size = _rec.Layout("<", meta_size="I", magic="4s")


class Tail(_rec.Record):
    """The last bytes of a file."""

    file_size: int = _rec.parameter()
    meta_size: int = _rec.field("u32")
    """Bytes of encoded metadata in front of the tail; a signature may be among them."""
    magic: bytes = _rec.field(
        "bytes[4]", "bytes", length=4,
        checks=[
            (">", "meta_size", 0), ("or", ("==", "magic", MAGIC.encode()), ("==", "magic", ENCRYPTED_MAGIC.encode())),
            ("==", "magic", MAGIC.encode()), ("<=", ("+", "meta_size", 12), "file_size"),
        ],
    )  # fmt: skip

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, file_size: int) -> tuple[Tail, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.file_size = file_size
        try:
            obj.meta_size, obj.magic = _Tail_meta_size.unpack(buf, pos)
            pos += 8
            field = "meta_size"
            if not (obj.meta_size > 0):
                raise _in.refused("the footer is empty", start)
            field = "magic"
            if not (obj.magic == MAGIC.encode() or obj.magic == ENCRYPTED_MAGIC.encode()):
                raise _in.refused("not a Parquet file: PAR1 is expected here", start + 4)
            if obj.magic != MAGIC.encode():
                raise _in.refused("footer is encrypted", start + 4)
            if not (obj.meta_size + 12 <= obj.file_size):
                raise _in.refused("the footer length is over the size of the file", start + 4)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, file_size: int) -> None:
        self.file_size = file_size
        data, field, index = out.data, "", None
        try:
            data += _Tail_meta_size.pack(self.meta_size, self.magic)
            field = "meta_size"
            if not (self.meta_size > 0):
                raise _out.unfit("the footer is empty")
            field = "magic"
            if not (self.magic == MAGIC.encode() or self.magic == ENCRYPTED_MAGIC.encode()):
                raise _out.unfit("not a Parquet file: PAR1 is expected here")
            if self.magic != MAGIC.encode():
                raise _out.unfit("footer is encrypted")
            if not (self.meta_size + 12 <= self.file_size):
                raise _out.unfit("the footer length is over the size of the file")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Footer_meta_size = _rec.Layout("<", meta_size="I", magic="4s")


class Footer(_rec.Record):
    """What a writer puts behind the last column chunk."""

    meta: _parquet.FileMetaData = _rec.field("parquet.FileMetaData", struct=_parquet.FileMetaData, captures=["size"])
    meta_size: int = _rec.derived("u32", ("captured", "size", "meta"))
    magic: bytes = _rec.derived("bytes[4]", MAGIC.encode(), "bytes", length=4, verifies=["meta_size", "magic"])

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Footer, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "meta", None, pos
        try:
            obj.meta, pos = _in.read_struct(_parquet.FileMetaData, span, pos)
            size_meta = pos - start
            field, start = "", pos
            obj.meta_size, obj.magic = _Footer_meta_size.unpack(buf, pos)
            pos += 8
            field = "meta_size"
            if obj.meta_size != size_meta:
                raise _in.refused("meta_size must be size(meta)", start)
            field = "magic"
            if obj.magic != MAGIC.encode():
                raise _in.refused("magic must be MAGIC", start + 4)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            outer, out = out, out.part(out.offset_if_known())
            data = out.data
            field = "meta"
            data += _out.instance(self.meta, _parquet.FileMetaData).to_bytes()
            part_meta, out, data = data, outer, outer.data
            data += part_meta
            field = "meta_size"
            self.meta_size = len(part_meta)
            self.magic = MAGIC.encode()
            field = ""
            data += _Footer_meta_size.pack(self.meta_size, self.magic)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    head: Head = _rec.placed("Head")
    tail: Tail = _rec.placed("Tail", places=True, end=True, takes=8)
    meta: _parquet.FileMetaData = _rec.placed("parquet.FileMetaData")
    """A signature may follow the struct."""

    def _span_head(self) -> tuple[int, int | None]:
        return 0, 4

    def _read_head(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "head", None, 0, 0
        try:
            value, pos = Head._decode(span, pos)
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_head(self: _Any, out: _rec.Writer) -> None:
        field, index = "head", None
        try:
            _out.instance(self.head, Head)._encode(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_tail(self) -> tuple[int, int | None]:
        return self._size - 8, 8

    def _read_tail(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "tail", None, 0, 0
        try:
            value, pos = Tail._decode(span, pos, self._size)
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_tail(self: _Any, out: _rec.Writer) -> None:
        field, index = "tail", None
        try:
            _out.instance(self.tail, Tail)._encode(out, self._size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None

    def _span_meta(self) -> tuple[int, int | None]:
        return self._size - 8 - self.tail.meta_size, self.tail.meta_size

    def _read_meta(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        field, index, start, pos = "meta", None, 0, 0
        try:
            value, pos = _in.read_struct(_parquet.FileMetaData, span, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_meta(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "meta", None
        try:
            data += _out.instance(self.meta, _parquet.FileMetaData).to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Page(_rec.Record):
    """A page of a column chunk; its values stay encoded."""

    header: _parquet.PageHeader = _rec.field("parquet.PageHeader", struct=_parquet.PageHeader)
    body: bytes = _rec.field(
        "bytes[header.compressed_page_size]", "bytes", length=("get", "header", "compressed_page_size")
    )

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Page, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "header", None, pos
        try:
            obj.header, pos = _in.read_struct(_parquet.PageHeader, span, pos)
            field, start = "body", pos
            obj.body, pos = _in.take(buf, pos, obj.header.compressed_page_size)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "header", None
        try:
            data += _out.instance(self.header, _parquet.PageHeader).to_bytes()
            field = "body"
            data += _out.raw(self.body, self.header.compressed_page_size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Int96_nanoseconds = _rec.Layout("<", nanoseconds="q", day="i")


class Int96(_rec.Record):
    """A timestamp of the deprecated physical type INT96, plainly encoded."""

    nanoseconds: int = _rec.field("i64")
    """Since midnight."""
    day: int = _rec.field("i32")
    """Julian day."""

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Int96, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            obj.nanoseconds, obj.day = _Int96_nanoseconds.unpack(buf, pos)
            pos += 12
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "", None
        try:
            data += _Int96_nanoseconds.pack(self.nanoseconds, self.day)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Plain(_rec.Variant, on="type"):
    """A value of a fixed width in plain encoding (Encodings.md): so bounds stand in statistics and column indexes."""

    BOOLEAN: _ClassVar[_rec.Class[Plain_BOOLEAN]]
    INT32: _ClassVar[_rec.Class[Plain_INT32]]
    INT64: _ClassVar[_rec.Class[Plain_INT64]]
    INT96: _ClassVar[_rec.Class[Plain_INT96]]
    FLOAT: _ClassVar[_rec.Class[Plain_FLOAT]]
    DOUBLE: _ClassVar[_rec.Class[Plain_DOUBLE]]
    type: _parquet.Type | int = _rec.parameter()

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain, int]:
        tag: _Any = type
        found: _Any = cls._alternatives.get(tag, cls._otherwise)
        if found is None:
            raise _in.refused(f"Plain has no alternative for {tag!r}", pos)
        obj, pos = found._read(span, pos, type)
        return obj, pos


class Plain_BOOLEAN(Plain, kind="BOOLEAN", tags=[_parquet.Type.BOOLEAN]):
    value: bool = _rec.field("bool8")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_BOOLEAN, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "value", None, pos
        obj.type = type
        try:
            obj.value, pos = _in.boolean(buf, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.put_boolean(data, self.value)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Plain_INT32_value = _rec.Layout("<", value="i")


class Plain_INT32(Plain, kind="INT32", tags=[_parquet.Type.INT32]):
    value: int = _rec.field("i32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_INT32, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type = type
        try:
            (obj.value,) = _Plain_INT32_value.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.put_number(data, self.value, "<i")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Plain_INT64_value = _rec.Layout("<", value="q")


class Plain_INT64(Plain, kind="INT64", tags=[_parquet.Type.INT64]):
    value: int = _rec.field("i64")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_INT64, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type = type
        try:
            (obj.value,) = _Plain_INT64_value.unpack(buf, pos)
            pos += 8
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.put_number(data, self.value, "<q")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Plain_INT96(Plain, kind="INT96", tags=[_parquet.Type.INT96]):
    value: Int96 = _rec.field("Int96", record="Int96")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_INT96, int]:
        obj, field, index, start = _rec.new(cls), "value", None, pos
        obj.type = type
        try:
            obj.value, pos = Int96._read(span, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        field, index = "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.instance(self.value, Int96)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Plain_FLOAT_value = _rec.Layout("<", value="f")


class Plain_FLOAT(Plain, kind="FLOAT", tags=[_parquet.Type.FLOAT]):
    value: float = _rec.field("f32")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_FLOAT, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type = type
        try:
            (obj.value,) = _Plain_FLOAT_value.unpack(buf, pos)
            pos += 4
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.put_number(data, self.value, "<f")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Plain_DOUBLE_value = _rec.Layout("<", value="d")


class Plain_DOUBLE(Plain, kind="DOUBLE", tags=[_parquet.Type.DOUBLE]):
    value: float = _rec.field("f64")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int, type: _parquet.Type | int) -> tuple[Plain_DOUBLE, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        obj.type = type
        try:
            (obj.value,) = _Plain_DOUBLE_value.unpack(buf, pos)
            pos += 8
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer, type: _parquet.Type | int) -> None:
        self.type = type
        data, field, index = out.data, "", None
        try:
            _out.tagged(self, self.type)
            field = "value"
            _out.put_number(data, self.value, "<d")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


_Float16_value = _rec.Layout("<", value="e")


class Float16(_rec.Record):
    """A half-precision number, as a fixed-length byte array holds it (LogicalTypes.md, "FLOAT16")."""

    value: float = _rec.field("f16")

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[Float16, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "", None, pos
        try:
            (obj.value,) = _Float16_value.unpack(buf, pos)
            pos += 2
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "value", None
        try:
            _out.put_number(data, self.value, "<e")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class Chunk(_lazy.LazyRecord):
    """The pages of a column chunk, which lie behind each other."""

    start: int = _rec.parameter()
    stored: int = _rec.parameter()
    pages: list[Page] = _rec.placed("Page[..]")

    def _span_pages(self) -> tuple[int, int | None]:
        return self.start, self.stored

    def _read_pages(self: _Any, span: _rec.Span) -> tuple[_Any, int]:
        items: list[_Any]
        buf, field, index, start, pos = span.buf, "pages", None, 0, 0
        try:
            value = items = []
            begin = start
            while pos < len(buf):
                index = len(items)
                start = pos
                item, pos = Page._decode(span, pos)
                items.append(item)
            index, start = None, begin
            span.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return value, pos

    def _write_pages(self: _Any, out: _rec.Writer) -> None:
        field, index = "pages", None
        try:
            for index, item in enumerate(_out.exactly(self.pages)):
                _out.instance(item, Page)._encode(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


class BloomFilter(_rec.Record):
    """A bloom filter of a column chunk: split blocks, in each of which a value has one bit in each of eight words
    (BloomFilter.md).
    """

    header: _parquet.BloomFilterHeader = _rec.field("parquet.BloomFilterHeader", struct=_parquet.BloomFilterHeader)
    bitset: bytes = _rec.field(
        "bytes[header.numBytes]", "bytes", length=("get", "header", "numBytes"),
        checks=[
            (
                "and", (">", ("get", "header", "numBytes"), 0),
                ("==", ("%", ("get", "header", "numBytes"), BLOOM_BLOCK), 0),
            )
        ],
    )  # fmt: skip
    """Blocks of BLOOM_BLOCK bytes."""

    @classmethod
    def _read(cls, span: _rec.Span, pos: int) -> tuple[BloomFilter, int]:
        obj, buf, field, index, start = _rec.new(cls), span.buf, "header", None, pos
        try:
            obj.header, pos = _in.read_struct(_parquet.BloomFilterHeader, span, pos)
            field, start = "bitset", pos
            obj.bitset, pos = _in.take(buf, pos, obj.header.numBytes)
            if not (obj.header.numBytes > 0 and obj.header.numBytes % BLOOM_BLOCK == 0):
                raise _in.refused("no whole blocks", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, span, field, index, start) from None
        return obj, pos

    def _write(self: _Any, out: _rec.Writer) -> None:
        data, field, index = out.data, "header", None
        try:
            data += _out.instance(self.header, _parquet.BloomFilterHeader).to_bytes()
            field = "bitset"
            data += _out.raw(self.bitset, self.header.numBytes)
            if not (self.header.numBytes > 0 and self.header.numBytes % BLOOM_BLOCK == 0):
                raise _out.unfit("no whole blocks")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, field, index) from None


__spec__ = _fields.describe(globals(), "parquet_file.idl", {
    "Head": 13, "Tail": 19, "Footer": 28, "File": 35, "Page": 43, "Int96": 52, "Plain": 60, "Plain_BOOLEAN": 61,
    "Plain_INT32": 62, "Plain_INT64": 63, "Plain_INT96": 64, "Plain_FLOAT": 65, "Plain_DOUBLE": 66, "Float16": 70,
    "Chunk": 75, "BloomFilter": 80,
})  # fmt: skip

column_chunks = _table.TableCodec(
    name="column_chunks",
    root=_parquet.FileMetaData,
    levels=(
        ("row_groups",),
        ("columns",),
    ),
    leaves=(
        _Leaf(2, ("meta_data", "path_in_schema"), "join", "."),
        _Leaf(2, ("meta_data", "type"), "int"),
        _Leaf(2, ("meta_data", "codec"), "int"),
        _Leaf(2, ("meta_data", "encodings"), "ints"),
        _Leaf(2, ("meta_data", "num_values"), "int"),
        _Leaf(2, ("meta_data", "statistics", "null_count"), "int"),
        _Leaf(2, ("meta_data", "statistics", "distinct_count"), "int"),
        _Leaf(2, ("meta_data", "data_page_offset"), "int"),
        _Leaf(2, ("meta_data", "dictionary_page_offset"), "int"),
        _Leaf(2, ("meta_data", "total_compressed_size"), "int"),
        _Leaf(2, ("meta_data", "total_uncompressed_size"), "int"),
        _Leaf(2, ("meta_data", "statistics", "min_value"), "binary"),
        _Leaf(2, ("meta_data", "statistics", "max_value"), "binary"),
        _Leaf(2, ("meta_data", "bloom_filter_offset"), "int"),
        _Leaf(1, ("num_rows",), "int"),
    ),
    columns=(
        _table.TableColumn("source", "int32", (), lambda c: c.ordinal(0), "Number of the footer, in the order given."),
        _table.TableColumn("row_group", "int32", (), lambda c: c.ordinal(1)),
        _table.TableColumn("column", "int32", (), lambda c: c.ordinal(2)),
        _table.TableColumn("path", "string", (0,), lambda c: c.leaf(0), "Dotted path in the schema."),
        _table.TableColumn("physical_type", "string", (1,), lambda c: c.names(c.leaf(1), _parquet.Type)),
        _table.TableColumn("codec", "string", (2,), lambda c: c.names(c.leaf(2), _parquet.CompressionCodec)),
        _table.TableColumn("encodings", "list<string>", (3,), lambda c: c.names(c.leaf(3), _parquet.Encoding)),
        _table.TableColumn("num_values", "int64", (4,), lambda c: c.leaf(4)),
        _table.TableColumn("null_count", "int64", (5,), lambda c: c.leaf(5)),
        _table.TableColumn("distinct_count", "int64", (6,), lambda c: c.leaf(6)),
        _table.TableColumn("data_page_offset", "int64", (7,), lambda c: c.leaf(7)),
        _table.TableColumn("dictionary_page_offset", "int64", (8,), lambda c: c.leaf(8)),
        _table.TableColumn("total_compressed_size", "int64", (9,), lambda c: c.leaf(9)),
        _table.TableColumn("total_uncompressed_size", "int64", (10,), lambda c: c.leaf(10)),
        _table.TableColumn(
            "min",
            "binary",
            (11,),
            lambda c: c.leaf(11),
            "Lower bound of the values, plainly encoded; the deprecated field of undefined order is not used.",
        ),
        _table.TableColumn("max", "binary", (12,), lambda c: c.leaf(12)),
        _table.TableColumn("bloom_filter_offset", "int64", (13,), lambda c: c.leaf(13)),
        _table.TableColumn("num_rows", "int64", (14,), lambda c: c.leaf(14), "Rows of the row group."),
    ),
)
"""One row a column chunk. Only the fields named here are decoded."""

chunk_bounds = _table.TableCodec(
    name="chunk_bounds",
    root=_parquet.FileMetaData,
    levels=(
        ("row_groups",),
        ("columns",),
    ),
    leaves=(
        _Leaf(2, ("meta_data", "path_in_schema"), "join", "."),
        _Leaf(2, ("meta_data", "num_values"), "int"),
        _Leaf(2, ("meta_data", "statistics", "null_count"), "int"),
        _Leaf(2, ("meta_data", "statistics", "nan_count"), "int"),
        _Leaf(2, ("meta_data", "statistics", "min_value"), "binary"),
        _Leaf(2, ("meta_data", "statistics", "max_value"), "binary"),
        _Leaf(2, ("meta_data", "statistics", "min"), "binary"),
        _Leaf(2, ("meta_data", "statistics", "max"), "binary"),
        _Leaf(1, ("num_rows",), "int"),
        _Leaf(0, ("num_rows",), "int"),
    ),
    columns=(
        _table.TableColumn("source", "int32", (), lambda c: c.ordinal(0)),
        _table.TableColumn("row_group", "int32", (), lambda c: c.ordinal(1)),
        _table.TableColumn("column", "int32", (), lambda c: c.ordinal(2)),
        _table.TableColumn("path", "string", (0,), lambda c: c.leaf(0)),
        _table.TableColumn("num_values", "int64", (1,), lambda c: c.leaf(1)),
        _table.TableColumn("null_count", "int64", (2,), lambda c: c.leaf(2)),
        _table.TableColumn("nan_count", "int64", (3,), lambda c: c.leaf(3)),
        _table.TableColumn("min_value", "binary", (4,), lambda c: c.leaf(4)),
        _table.TableColumn("max_value", "binary", (5,), lambda c: c.leaf(5)),
        _table.TableColumn(
            "min",
            "binary",
            (6,),
            lambda c: c.leaf(6),
            "The deprecated bounds, compared as signed values whatever the type.",
        ),
        _table.TableColumn("max", "binary", (7,), lambda c: c.leaf(7)),
        _table.TableColumn("num_rows", "int64", (8,), lambda c: c.leaf(8), "Rows of the row group, and of the file."),
        _table.TableColumn("file_rows", "int64", (9,), lambda c: c.leaf(9)),
    ),
)
"""One row a column chunk: what its statistics rule out."""
