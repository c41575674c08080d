# Generated from parquet_file.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:c314aa402045bfef04cea9b259c0a5569407e5ca1d72afdbecbf5a4d25c13220
"""The envelope of a Parquet file: magic numbers, the tail that locates the metadata, and a flat view of the
chunks.
"""

from __future__ import annotations

from ..runtime import compact as _rt
from ..runtime import record as _rec
from ..runtime import spec as _spec
from ..runtime import table as _table
from ..runtime.compact.program import Leaf as _Leaf
from . import parquet as _parquet

# Begins and ends every file whose footer is readable.
MAGIC: str = "PAR1"
# Begins and ends a file whose footer is encrypted.
ENCRYPTED_MAGIC: str = "PARE"


class Tail(_rec.Record):
    """The last bytes of a file.

    Attributes:
        meta_size: Bytes of encoded metadata in front of the tail; a signature may be among them.
        magic: bytes
    """

    __slots__ = ("meta_size", "magic")
    _given = ("meta_size", "magic")
    meta_size: int
    magic: bytes

    def __init__(
        self,
        *,
        meta_size: int = _rt.UNSET,
        magic: bytes = _rt.UNSET,
    ) -> None:
        self.meta_size = meta_size
        self.magic = magic

    @classmethod
    def _read(cls, at: _rec.Cursor) -> Tail:
        self = cls()
        at.step, start = "meta_size", at.pos
        self.meta_size = at.fixed(_rec.FIXED["u32_little"])
        at.done("meta_size", start)
        at.check("meta_size", self.meta_size > 0, "the footer is empty")
        at.step, start = "magic", at.pos
        self.magic = at.take(4)
        at.done("magic", start)
        at.check(
            "magic",
            (self.magic == MAGIC.encode()) or (self.magic == ENCRYPTED_MAGIC.encode()),
            "not a Parquet file: PAR1 is expected here",
        )
        return self

    def _write(self, out: _rec.Writer) -> bytes:
        out.put("meta_size", self.meta_size, lambda value: _rec.FIXED["u32_little"].pack(value))
        out.check("meta_size", lambda: self.meta_size > 0, "the footer is empty")
        out.put("magic", self.magic, lambda value: _rec.raw(value, 4))
        out.check(
            "magic",
            lambda: (self.magic == MAGIC.encode()) or (self.magic == ENCRYPTED_MAGIC.encode()),
            "not a Parquet file: PAR1 is expected here",
        )
        return out.join("meta_size", "magic")


class Footer(_rec.Record):
    """What a writer puts behind the last column chunk.

    Attributes:
        meta: _parquet.FileMetaData
        meta_size: int
        magic: bytes
    """

    __slots__ = ("meta", "meta_size", "magic")
    _given = ("meta",)
    meta: _parquet.FileMetaData
    meta_size: int
    magic: bytes

    def __init__(
        self,
        *,
        meta: _parquet.FileMetaData = _rt.UNSET,
    ) -> None:
        self.meta = meta
        self.meta_size = _rt.UNSET
        self.magic = _rt.UNSET

    @classmethod
    def _read(cls, at: _rec.Cursor) -> Footer:
        self = cls()
        at.step, start = "meta", at.pos
        self.meta = at.struct(_parquet.FileMetaData)
        at.done("meta", start)
        at.step, start = "meta_size", at.pos
        self.meta_size = at.fixed(_rec.FIXED["u32_little"])
        at.done("meta_size", start)
        at.check("meta_size", self.meta_size == at.size_of("meta"), "meta_size must be size(meta)")
        at.step, start = "magic", at.pos
        self.magic = at.take(4)
        at.done("magic", start)
        at.check("magic", self.magic == MAGIC.encode(), "magic must be MAGIC")
        return self

    def _write(self, out: _rec.Writer) -> bytes:
        out.put("meta", self.meta, lambda value: _rec.nested(value, _parquet.FileMetaData))
        meta_size = out.derive("meta_size", lambda: out.size("meta"))
        out.put("meta_size", meta_size, lambda value: _rec.FIXED["u32_little"].pack(value))
        magic = out.derive("magic", lambda: MAGIC.encode())
        out.put("magic", magic, lambda value: _rec.raw(value, 4))
        return out.join("meta", "meta_size", "magic")


class File(_rec.Located):
    """A whole file; only the parts that are asked for are read.

    Attributes:
        head: bytes
        tail: Tail
        meta: A signature may follow the struct.
    """

    __slots__ = ()
    _given = ("head", "tail", "meta")

    @property
    def head(self) -> bytes:
        found: bytes = self._field("head", self._read_head)
        return found

    def _span_head(self) -> tuple[int, int]:
        return 0, 4

    def _read_head(self, at: _rec.Cursor) -> bytes:
        value: bytes = at.take(4)
        at.check("head", value != ENCRYPTED_MAGIC.encode(), "footer is encrypted")
        at.check("head", value == MAGIC.encode(), "not a Parquet file: PAR1 is expected here")
        return value

    @property
    def tail(self) -> Tail:
        found: Tail = self._field("tail", self._read_tail)
        return found

    def _span_tail(self) -> tuple[int, int]:
        return self._source.size - 8, 8

    def _read_tail(self, at: _rec.Cursor) -> Tail:
        value: Tail = at.record(Tail)
        at.check("tail", value.magic == MAGIC.encode(), "footer is encrypted")
        at.check("tail", (value.meta_size + 12) <= self._source.size, "the footer length is over the size of the file")
        return value

    @property
    def meta(self) -> _parquet.FileMetaData:
        found: _parquet.FileMetaData = self._field("meta", self._read_meta)
        return found

    def _span_meta(self) -> tuple[int, int]:
        return (self._source.size - 8) - self.tail.meta_size, self.tail.meta_size

    def _read_meta(self, at: _rec.Cursor) -> _parquet.FileMetaData:
        value: _parquet.FileMetaData = at.struct(_parquet.FileMetaData)
        return value


class Page(_rec.Record):
    """A page of a column chunk; its values stay encoded.

    Attributes:
        header: _parquet.PageHeader
        body: bytes
    """

    __slots__ = ("header", "body")
    _given = ("header", "body")
    header: _parquet.PageHeader
    body: bytes

    def __init__(
        self,
        *,
        header: _parquet.PageHeader = _rt.UNSET,
        body: bytes = _rt.UNSET,
    ) -> None:
        self.header = header
        self.body = body

    @classmethod
    def _read(cls, at: _rec.Cursor) -> Page:
        self = cls()
        at.step, start = "header", at.pos
        self.header = at.struct(_parquet.PageHeader)
        at.done("header", start)
        at.step, start = "body", at.pos
        self.body = at.take(self.header.compressed_page_size)
        at.done("body", start)
        return self

    def _write(self, out: _rec.Writer) -> bytes:
        out.put("header", self.header, lambda value: _rec.nested(value, _parquet.PageHeader))
        out.put("body", self.body, lambda value: _rec.raw(value, self.header.compressed_page_size))
        return out.join("header", "body")


class Chunk(_rec.Located):
    """The pages of a column chunk, which lie behind each other.

    Attributes:
        pages: list[Page]
    """

    __slots__ = ("start", "stored")
    _given = ("pages",)
    start: int
    stored: int

    @property
    def pages(self) -> list[Page]:
        found: list[Page] = self._field("pages", self._read_pages)
        return found

    def _span_pages(self) -> tuple[int, int]:
        return self.start, self.stored

    def _read_pages(self, at: _rec.Cursor) -> list[Page]:
        value: list[Page] = at.items_to_end(lambda: at.record(Page))
        return value


__spec__ = _spec.SpecTable(
    globals().get("__spec__"),
    __name__,
    [
        _spec.Spec(
            "Tail",
            "record",
            Tail,
            [
                _spec.FieldSpec(
                    "meta_size",
                    1,
                    "u32",
                    "required",
                    None,
                    "Bytes of encoded metadata in front of the tail; a signature may be among them.",
                ),
                _spec.FieldSpec("magic", 2, "bytes[4]", "required", None, ""),
            ],
            ("parquet_file.idl", 13),
            "The last bytes of a file.",
        ),
        _spec.Spec(
            "Footer",
            "record",
            Footer,
            [
                _spec.FieldSpec("meta", 1, "parquet.FileMetaData", "required", None, ""),
                _spec.FieldSpec("meta_size", 2, "u32", "required", None, ""),
                _spec.FieldSpec("magic", 3, "bytes[4]", "required", None, ""),
            ],
            ("parquet_file.idl", 20),
            "What a writer puts behind the last column chunk.",
        ),
        _spec.Spec(
            "File",
            "record",
            File,
            [
                _spec.FieldSpec("head", 1, "bytes[4]", "required", None, ""),
                _spec.FieldSpec("tail", 2, "Tail", "required", None, ""),
                _spec.FieldSpec(
                    "meta",
                    3,
                    "parquet.FileMetaData",
                    "required",
                    None,
                    "A signature may follow the struct.",
                ),
            ],
            ("parquet_file.idl", 27),
            "A whole file; only the parts that are asked for are read.",
        ),
        _spec.Spec(
            "Page",
            "record",
            Page,
            [
                _spec.FieldSpec("header", 1, "parquet.PageHeader", "required", None, ""),
                _spec.FieldSpec("body", 2, "bytes[header.compressed_page_size]", "required", None, ""),
            ],
            ("parquet_file.idl", 39),
            "A page of a column chunk; its values stay encoded.",
        ),
        _spec.Spec(
            "Chunk",
            "record",
            Chunk,
            [
                _spec.FieldSpec("pages", 1, "Page[..]", "required", None, ""),
            ],
            ("parquet_file.idl", 45),
            "The pages of a column chunk, which lie behind each other.",
        ),
    ],
)

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
