# Generated from parquet_file.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:765b2a4396ee5cfa41acfe8bf4f6bf1bb41da0cb1ab177c700983797573bb450
"""The envelope of a Parquet file: magic numbers, the tail that locates the metadata, and a flat view of the
chunks.
"""

from __future__ import annotations

from typing import Any as _Any

from ..runtime import fields as _fields
from ..runtime import spec as _spec
from ..runtime import table as _table
from ..runtime.compact.program import Leaf as _Leaf
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import table as _tab
from ..runtime.records import write as _out
from . import parquet as _parquet

# Begins and ends every file whose footer is readable.
MAGIC: str = "PAR1"
# Begins and ends a file whose footer is encrypted.
ENCRYPTED_MAGIC: str = "PARE"


_Head_magic = _rec.Layout("<", magic="4s")


class Head(_rec.Record):
    """The first bytes of a file.

    Attributes:
        magic: bytes
    """

    __slots__ = ("magic",)
    _given = ("magic",)
    magic: bytes

    def __init__(
        self,
        *,
        magic: bytes = _rec.UNSET,
    ) -> None:
        self.magic = magic

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Head, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.magic,) = _Head_magic.unpack(buf, pos)
            pos += 4
            step = "magic"
            if made.magic == ENCRYPTED_MAGIC.encode():
                raise _in.refused("footer is encrypted", start)
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("not a Parquet file: PAR1 is expected here", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "magic",
                    "bytes",
                    length=4,
                    checks=[("!=", "magic", ENCRYPTED_MAGIC.encode()), ("==", "magic", MAGIC.encode())],
                ),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Head_magic.pack(made.magic)
            step = "magic"
            if made.magic == ENCRYPTED_MAGIC.encode():
                raise _out.unfit("footer is encrypted")
            if made.magic != MAGIC.encode():
                raise _out.unfit("not a Parquet file: PAR1 is expected here")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Tail_meta_size = _rec.Layout("<", meta_size="I", magic="4s")


class Tail(_rec.Record):
    """The last bytes of a file.

    Attributes:
        meta_size: Bytes of encoded metadata in front of the tail; a signature may be among them.
        magic: bytes
    """

    __slots__ = ("file_size", "meta_size", "magic")
    _given = ("meta_size", "magic")
    _parameters = ("file_size",)
    file_size: int
    meta_size: int
    magic: bytes

    def __init__(
        self,
        *,
        meta_size: int = _rec.UNSET,
        magic: bytes = _rec.UNSET,
    ) -> None:
        self.meta_size = meta_size
        self.magic = magic

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, file_size: int) -> tuple[Tail, int]:
        made: _Any = cls.__new__(cls)
        made.file_size = file_size
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.meta_size, made.magic = _Tail_meta_size.unpack(buf, pos)
            pos += 8
            step = "meta_size"
            if not (made.meta_size > 0):
                raise _in.refused("the footer is empty", start)
            step = "magic"
            if not (made.magic == MAGIC.encode() or made.magic == ENCRYPTED_MAGIC.encode()):
                raise _in.refused("not a Parquet file: PAR1 is expected here", start + 4)
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("footer is encrypted", start + 4)
            step = "magic"
            if not (made.meta_size + 12 <= made.file_size):
                raise _in.refused("the footer length is over the size of the file", start + 4)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("meta_size", "u32"),
                _tab.Step(
                    "magic",
                    "bytes",
                    length=4,
                    checks=[
                        (">", "meta_size", 0),
                        ("or", ("==", "magic", MAGIC.encode()), ("==", "magic", ENCRYPTED_MAGIC.encode())),
                        ("==", "magic", MAGIC.encode()),
                        ("<=", ("+", "meta_size", 12), "file_size"),
                    ],
                ),
            ],
            params=["file_size"],
        )

    def _write(self, out: _rec.Writer, file_size: int) -> None:
        made: _Any = self
        made.file_size = file_size
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _Tail_meta_size.pack(made.meta_size, made.magic)
            step = "meta_size"
            if not (made.meta_size > 0):
                raise _out.unfit("the footer is empty")
            step = "magic"
            if not (made.magic == MAGIC.encode() or made.magic == ENCRYPTED_MAGIC.encode()):
                raise _out.unfit("not a Parquet file: PAR1 is expected here")
            if made.magic != MAGIC.encode():
                raise _out.unfit("footer is encrypted")
            if not (made.meta_size + 12 <= made.file_size):
                raise _out.unfit("the footer length is over the size of the file")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Footer_meta_size = _rec.Layout("<", meta_size="I", magic="4s")


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
        meta: _parquet.FileMetaData = _rec.UNSET,
    ) -> None:
        self.meta = meta
        self.meta_size = _rec.UNSET
        self.magic = _rec.UNSET

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Footer, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "meta", pos
            made.meta, pos = _in.compact(_parquet.FileMetaData, at, pos)
            size_meta = pos - start
            step, start = "", pos
            made.meta_size, made.magic = _Footer_meta_size.unpack(buf, pos)
            pos += 8
            step = "meta_size"
            if made.meta_size != size_meta:
                raise _in.refused("meta_size must be size(meta)", start)
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("magic must be MAGIC", start + 4)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("meta", "struct", target=_parquet.FileMetaData, notes=["size"]),
                _tab.Step("meta_size", "u32", derived=("noted", "size", "meta")),
                _tab.Step(
                    "magic",
                    "bytes",
                    length=4,
                    derived=MAGIC.encode(),
                    checks=[("==", "meta_size", ("noted", "size", "meta")), ("==", "magic", MAGIC.encode())],
                ),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "meta"
            data += _out.instance(made.meta, _parquet.FileMetaData).to_bytes()
            outer, out = out, out.part()
            data = out.data
            data += _out.instance(made.meta, _parquet.FileMetaData).to_bytes()
            part_meta, out = data, outer
            data = out.data
            step = "meta_size"
            made.meta_size = len(part_meta)
            step = "magic"
            made.magic = MAGIC.encode()
            step = ""
            data += _Footer_meta_size.pack(made.meta_size, made.magic)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class File(_rec.Located):
    """A whole file; only the parts that are asked for are read.

    Attributes:
        head: Head
        tail: Tail
        meta: A signature may follow the struct.
    """

    __slots__ = ()
    _given = ("head", "tail", "meta")
    _sizes = {"head": 4, "tail": 8}

    def __init__(
        self,
        *,
        head: Head = _rec.UNSET,
        tail: Tail = _rec.UNSET,
        meta: _parquet.FileMetaData = _rec.UNSET,
    ) -> None:
        self._source = None
        self._size = 0
        self._found = {
            "head": head,
            "tail": tail,
            "meta": meta,
        }

    @property
    def head(self) -> Head:
        found: Head = self._get("head")
        return found

    def _span_head(self) -> tuple[int, int]:
        return 0, 4

    def _read_head(self, at: _rec.Span) -> _Any:
        step, index, start, pos = "head", None, 0, 0
        try:
            value, pos = Head._decode(at, pos)
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_head(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "head", None
        try:
            step = "head"
            _out.instance(made.head, Head)._encode(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None

    @property
    def tail(self) -> Tail:
        found: Tail = self._get("tail")
        return found

    def _span_tail(self) -> tuple[int, int]:
        made: _Any = self
        return made._size - 8, 8

    def _read_tail(self, at: _rec.Span) -> _Any:
        made: _Any = self
        step, index, start, pos = "tail", None, 0, 0
        try:
            value, pos = Tail._decode(at, pos, made._size)
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_tail(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "tail", None
        try:
            step = "tail"
            _out.instance(made.tail, Tail)._encode(out, made._size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None

    @property
    def meta(self) -> _parquet.FileMetaData:
        found: _parquet.FileMetaData = self._get("meta")
        return found

    def _span_meta(self) -> tuple[int, int]:
        made: _Any = self
        return made._size - 8 - made.tail.meta_size, made.tail.meta_size

    def _read_meta(self, at: _rec.Span) -> _Any:
        step, index, start, pos = "meta", None, 0, 0
        try:
            step, start = "meta", pos
            value, pos = _in.compact(_parquet.FileMetaData, at, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_meta(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "meta", None
        try:
            step = "meta"
            data += _out.instance(made.meta, _parquet.FileMetaData).to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


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
        header: _parquet.PageHeader = _rec.UNSET,
        body: bytes = _rec.UNSET,
    ) -> None:
        self.header = header
        self.body = body

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Page, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "header", pos
            made.header, pos = _in.compact(_parquet.PageHeader, at, pos)
            step, start = "body", pos
            made.body, pos = _in.take(buf, pos, made.header.compressed_page_size)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("header", "struct", target=_parquet.PageHeader),
                _tab.Step("body", "bytes", length=("get", "header", "compressed_page_size")),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "header"
            data += _out.instance(made.header, _parquet.PageHeader).to_bytes()
            step = "body"
            data += _out.raw(made.body, made.header.compressed_page_size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Chunk(_rec.Located):
    """The pages of a column chunk, which lie behind each other.

    Attributes:
        pages: list[Page]
    """

    __slots__ = ("start", "stored")
    _given = ("pages",)
    _parameters = ("start", "stored")
    start: int
    stored: int

    def __init__(
        self,
        *,
        pages: list[Page] = _rec.UNSET,
    ) -> None:
        self._source = None
        self._size = 0
        self._found = {
            "pages": pages,
        }

    @property
    def pages(self) -> list[Page]:
        found: list[Page] = self._get("pages")
        return found

    def _span_pages(self) -> tuple[int, int]:
        made: _Any = self
        return made.start, made.stored

    def _read_pages(self, at: _rec.Span) -> _Any:
        item: _Any
        items: list[_Any]
        buf, step, index, start, pos = at.buf, "pages", None, 0, 0
        try:
            step, start = "pages", pos
            value = items = []
            begin = pos
            while pos < len(buf):
                index = len(items)
                start = pos
                item, pos = Page._decode(at, pos)
                items.append(item)
                if pos == start:
                    raise _in.refused("an element takes no bytes", start)
            index, start = None, begin
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_pages(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "pages", None
        try:
            step = "pages"
            for index, item in enumerate(made.pages):
                _out.instance(item, Page)._encode(out)
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


__spec__ = _fields.describe(globals(), "parquet_file.idl", {})
__spec__.add(
    [
        _spec.Spec(
            "Head",
            "record",
            Head,
            [
                _spec.FieldSpec("magic", 1, "bytes[4]", "required", None, ""),
            ],
            ("parquet_file.idl", 13),
            "The first bytes of a file.",
        ),
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
            ("parquet_file.idl", 19),
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
            ("parquet_file.idl", 28),
            "What a writer puts behind the last column chunk.",
        ),
        _spec.Spec(
            "File",
            "record",
            File,
            [
                _spec.FieldSpec("head", 1, "Head", "required", None, ""),
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
            ("parquet_file.idl", 35),
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
            ("parquet_file.idl", 43),
            "A page of a column chunk; its values stay encoded.",
        ),
        _spec.Spec(
            "Chunk",
            "record",
            Chunk,
            [
                _spec.FieldSpec("pages", 1, "Page[..]", "required", None, ""),
            ],
            ("parquet_file.idl", 49),
            "The pages of a column chunk, which lie behind each other.",
        ),
    ]
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
