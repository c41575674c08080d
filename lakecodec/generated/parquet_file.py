# Generated from parquet_file.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:59e10dbd1b53949d4eb5c7fbc45044b3605ac16152edc8a7d882ba2c1ca8dea0
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
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
from ..runtime.records import record as _rec
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


_Tail_meta_size = _rec.Layout("<", meta_size="I", magic="4s")
_Footer_meta_size = _rec.Layout("<", meta_size="I", magic="4s")


class Head(_rec.Record):
    """The first bytes of a file."""

    magic: bytes = _rec.field(
        "bytes[4]", "bytes", length=4,
        checks=[("!=", "magic", ENCRYPTED_MAGIC.encode()), ("==", "magic", MAGIC.encode())],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.magic = r.bytes("magic", 4)
        if self.magic == ENCRYPTED_MAGIC.encode():
            r.refuse("magic", "footer is encrypted")
        if self.magic != MAGIC.encode():
            r.refuse("magic", "not a Parquet file: PAR1 is expected here")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bytes("magic", self.magic, 4)
        if self.magic == ENCRYPTED_MAGIC.encode():
            w.refuse("magic", "footer is encrypted")
        if self.magic != MAGIC.encode():
            w.refuse("magic", "not a Parquet file: PAR1 is expected here")


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
        owners=["meta_size", "magic", "magic", "magic"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.meta_size, self.magic = r.run(_Tail_meta_size)
        if not (self.meta_size > 0):
            r.refuse("meta_size", "the footer is empty")
        r.about("magic")
        if not (self.magic == MAGIC.encode() or self.magic == ENCRYPTED_MAGIC.encode()):
            r.refuse("magic", "not a Parquet file: PAR1 is expected here")
        if self.magic != MAGIC.encode():
            r.refuse("magic", "footer is encrypted")
        if not (self.meta_size + 12 <= self.file_size):
            r.refuse("magic", "the footer length is over the size of the file")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.run(_Tail_meta_size, self.meta_size, self.magic)
        if not (self.meta_size > 0):
            w.refuse("meta_size", "the footer is empty")
        w.about("magic")
        if not (self.magic == MAGIC.encode() or self.magic == ENCRYPTED_MAGIC.encode()):
            w.refuse("magic", "not a Parquet file: PAR1 is expected here")
        if self.magic != MAGIC.encode():
            w.refuse("magic", "footer is encrypted")
        if not (self.meta_size + 12 <= self.file_size):
            w.refuse("magic", "the footer length is over the size of the file")


class Footer(_rec.Record):
    """What a writer puts behind the last column chunk."""

    meta: _parquet.FileMetaData = _rec.field("parquet.FileMetaData", struct=_parquet.FileMetaData, captures=["size"])
    meta_size: int = _rec.derived("u32", ("captured", "size", "meta"))
    magic: bytes = _rec.derived("bytes[4]", MAGIC.encode(), "bytes", length=4, verifies=["meta_size", "magic"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        meta_at = r.tell()
        self.meta = r.struct("meta", _parquet.FileMetaData)
        meta_size = r.tell() - meta_at
        self._meta_size_, self._magic_ = r.run(_Footer_meta_size)
        if self._meta_size_ != meta_size:
            r.refuse("meta_size", _rec.unequal("meta_size must be size(meta)", self._meta_size_, meta_size))
        r.about("magic")
        if self._magic_ != MAGIC.encode():
            r.refuse("magic", "magic must be MAGIC")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("meta", w.offset_if_known()) as meta_part:
            meta_part.struct("meta", _parquet.FileMetaData, self.meta)
        w.put(meta_part)
        self._meta_size_ = len(meta_part)
        w.about("magic")
        self._magic_ = MAGIC.encode()
        w.run(_Footer_meta_size, self._meta_size_, self._magic_)


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    head: Head = _rec.placed("Head", record="Head", at=0, size=4)
    tail: Tail = _rec.placed(
        "Tail", places=True, end=True, takes=8, record="Tail", arguments=[("-", ("end",), ("begin",))],
        at=("-", ("-", ("end",), ("begin",)), 8), size=8,
    )  # fmt: skip
    meta: _parquet.FileMetaData = _rec.placed(
        "parquet.FileMetaData", struct=_parquet.FileMetaData, size=("get", "tail", "meta_size"),
        at=("-", ("-", ("-", ("end",), ("begin",)), 8), ("get", "tail", "meta_size")),
    )  # fmt: skip
    """A signature may follow the struct."""

    def _span_head(self: _Any) -> tuple[int, int | None]:
        return 0, 4

    def _read_head(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("head", Head)

    def _write_head(self: _Any, w: _rec.Writer) -> None:
        w.encode("head", Head, self.head)

    def _span_tail(self: _Any) -> tuple[int, int | None]:
        return self._size - 8, 8

    def _read_tail(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("tail", Tail, self._size)

    def _write_tail(self: _Any, w: _rec.Writer) -> None:
        w.encode("tail", Tail, self.tail, self._size)

    def _span_meta(self: _Any) -> tuple[int, int | None]:
        return self._size - 8 - self.tail.meta_size, self.tail.meta_size

    def _read_meta(self: _Any, r: _rec.Reader) -> _Any:
        return r.struct("meta", _parquet.FileMetaData, is_sized=True)

    def _write_meta(self: _Any, w: _rec.Writer) -> None:
        w.struct("meta", _parquet.FileMetaData, self.meta)


class Page(_rec.Record):
    """A page of a column chunk; its values stay encoded."""

    header: _parquet.PageHeader = _rec.field("parquet.PageHeader", struct=_parquet.PageHeader)
    body: bytes = _rec.field(
        "bytes[header.compressed_page_size]", "bytes", length=("get", "header", "compressed_page_size")
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.header = r.struct("header", _parquet.PageHeader)
        self.body = r.bytes("body", self.header.compressed_page_size)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.struct("header", _parquet.PageHeader, self.header)
        w.about("body")
        w.bytes("body", self.body, self.header.compressed_page_size)


class Int96(_rec.Record):
    """A timestamp of the deprecated physical type INT96, plainly encoded."""

    nanoseconds: int = _rec.field("i64")
    """Since midnight."""
    day: int = _rec.field("i32")
    """Julian day."""


class Plain(_rec.Variant, on="type"):
    """A value of a fixed width in plain encoding (Encodings.md): so bounds stand in statistics and column indexes."""

    BOOLEAN: _ClassVar[_rec.Class[Plain_BOOLEAN]]
    INT32: _ClassVar[_rec.Class[Plain_INT32]]
    INT64: _ClassVar[_rec.Class[Plain_INT64]]
    INT96: _ClassVar[_rec.Class[Plain_INT96]]
    FLOAT: _ClassVar[_rec.Class[Plain_FLOAT]]
    DOUBLE: _ClassVar[_rec.Class[Plain_DOUBLE]]
    type: _parquet.Type | int = _rec.parameter()


class Plain_BOOLEAN(Plain, kind="BOOLEAN", tags=[_parquet.Type.BOOLEAN]):
    value: bool = _rec.field("bool8")


class Plain_INT32(Plain, kind="INT32", tags=[_parquet.Type.INT32]):
    value: int = _rec.field("i32")


class Plain_INT64(Plain, kind="INT64", tags=[_parquet.Type.INT64]):
    value: int = _rec.field("i64")


class Plain_INT96(Plain, kind="INT96", tags=[_parquet.Type.INT96]):
    value: Int96 = _rec.field("Int96", record="Int96")


class Plain_FLOAT(Plain, kind="FLOAT", tags=[_parquet.Type.FLOAT]):
    value: float = _rec.field("f32")


class Plain_DOUBLE(Plain, kind="DOUBLE", tags=[_parquet.Type.DOUBLE]):
    value: float = _rec.field("f64")


class Float16(_rec.Record):
    """A half-precision number, as a fixed-length byte array holds it (LogicalTypes.md, "FLOAT16")."""

    value: float = _rec.field("f16")


class Chunk(_lazy.LazyRecord):
    """The pages of a column chunk, which lie behind each other."""

    start: int = _rec.parameter()
    stored: int = _rec.parameter()
    pages: list[Page] = _rec.placed("Page[..]", record="Page", dimension="rest", size="stored", at="start")

    def _span_pages(self: _Any) -> tuple[int, int | None]:
        return self.start, self.stored

    def _read_pages(self: _Any, r: _rec.Reader) -> _Any:
        value = [r.decode(at, Page) for at in r.rest("pages")]
        r.finish("pages")
        return value

    def _write_pages(self: _Any, w: _rec.Writer) -> None:
        for at, item in w.each("pages", self.pages):
            w.encode(at, Page, item)


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

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.header = r.struct("header", _parquet.BloomFilterHeader)
        self.bitset = r.bytes("bitset", self.header.numBytes)
        if not (self.header.numBytes > 0 and self.header.numBytes % BLOOM_BLOCK == 0):
            r.refuse("bitset", "no whole blocks")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.struct("header", _parquet.BloomFilterHeader, self.header)
        w.about("bitset")
        w.bytes("bitset", self.bitset, self.header.numBytes)
        if not (self.header.numBytes > 0 and self.header.numBytes % BLOOM_BLOCK == 0):
            w.refuse("bitset", "no whole blocks")


__spec__ = _fields.describe(globals(), "parquet_file.idl", {
    "Head": 13, "Tail": 19, "Footer": 28, "File": 35, "Page": 43, "Int96": 52, "Plain": [60, 61, 62, 63, 64, 65,
    66], "Float16": 70, "Chunk": 75, "BloomFilter": 80,
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
