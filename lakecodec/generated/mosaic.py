# Generated from mosaic.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:fd0794babb19a85158bb5299a12f0b8c072dc170599a932b17b6aca87ce24a18
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
from ..runtime import spec as _spec
from ..runtime.records import functions as _fn
from ..runtime.records import packed as _col
from ..runtime.records import read as _in
from ..runtime.records import record as _rec
from ..runtime.records import table as _tab
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


class File(_rec.Located):
    """A whole file, read from its end: the footer locates the schema and the index, the index the buckets.

    Attributes:
        schema: SchemaBlock
        index: Index
        footer: Footer
    """

    __slots__ = ()
    _given = ("schema", "index", "footer")
    _offsets = {"schema": ("footer", "schema_offset"), "index": ("footer", "index_offset")}
    _sizes = {"footer": FOOTER_SIZE}

    def __init__(
        self,
        *,
        schema: SchemaBlock = _rec.UNSET,
        index: Index = _rec.UNSET,
        footer: Footer = _rec.UNSET,
    ) -> None:
        self._source = None
        self._size = 0
        self._found = {
            "schema": schema,
            "index": index,
            "footer": footer,
        }

    @property
    def schema(self) -> SchemaBlock:
        found: SchemaBlock = self._get("schema")
        return found

    def _span_schema(self) -> tuple[int, int]:
        made: _Any = self
        return made.footer.schema_offset, made.footer.index_offset - made.footer.schema_offset

    def _read_schema(self, at: _rec.Span) -> _Any:
        made: _Any = self
        step, index, start, pos = "schema", None, 0, 0
        try:
            step, start = "schema", pos
            value, pos = SchemaBlock._decode(at, pos, made.footer.compression)
            at.finish(pos)
            if value.body.num_buckets != made.footer.num_buckets:
                raise _in.refused("footer num_buckets does not match schema", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_schema(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "schema", None
        try:
            step = "schema"
            _out.instance(made.schema, SchemaBlock)._encode(out, made.footer.compression)
            if made.schema.body.num_buckets != made.footer.num_buckets:
                raise _out.unfit("footer num_buckets does not match schema")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None

    @property
    def index(self) -> Index:
        found: Index = self._get("index")
        return found

    def _span_index(self) -> tuple[int, int]:
        made: _Any = self
        return made.footer.index_offset, made._size - FOOTER_SIZE - made.footer.index_offset

    def _read_index(self, at: _rec.Span) -> _Any:
        made: _Any = self
        step, index, start, pos = "index", None, 0, 0
        try:
            step, start = "index", pos
            value, pos = Index._decode(at, pos, made.footer, made.schema.body)
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_index(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "index", None
        try:
            step = "index"
            _out.instance(made.index, Index)._encode(out, made.footer, made.schema.body)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None

    @property
    def footer(self) -> Footer:
        found: Footer = self._get("footer")
        return found

    def _span_footer(self) -> tuple[int, int]:
        made: _Any = self
        return made._size - FOOTER_SIZE, FOOTER_SIZE

    def _read_footer(self, at: _rec.Span) -> _Any:
        made: _Any = self
        step, index, start, pos = "footer", None, 0, 0
        try:
            step, start = "footer", pos
            value, pos = Footer._decode(at, pos, made._size)
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_footer(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "footer", None
        try:
            step = "footer"
            _out.instance(made.footer, Footer)._encode(out, made._size)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Footer_index_offset = _rec.Layout(
    ">",
    index_offset="Q",
    schema_offset="Q",
    num_buckets="I",
    num_row_groups="I",
    compression="B",
    version="B",
    reserved="H",
    magic="4s",
)


class Footer(_rec.Record):
    """The last bytes of a file.

    Attributes:
        index_offset: int
        schema_offset: int
        num_buckets: int
        num_row_groups: int
        compression: Compression | int
        version: int
        reserved: int
        magic: bytes
    """

    __slots__ = (
        "file_size",
        "index_offset",
        "schema_offset",
        "num_buckets",
        "num_row_groups",
        "compression",
        "version",
        "reserved",
        "magic",
    )
    _given = ("index_offset", "schema_offset", "num_buckets", "num_row_groups", "compression", "reserved")
    _parameters = ("file_size",)
    file_size: int
    index_offset: int
    schema_offset: int
    num_buckets: int
    num_row_groups: int
    compression: Compression | int
    version: int
    reserved: int
    magic: bytes

    def __init__(
        self,
        *,
        index_offset: int = _rec.UNSET,
        schema_offset: int = _rec.UNSET,
        num_buckets: int = _rec.UNSET,
        num_row_groups: int = _rec.UNSET,
        compression: Compression | int = _rec.UNSET,
        reserved: int = _rec.UNSET,
    ) -> None:
        self.index_offset = index_offset
        self.schema_offset = schema_offset
        self.num_buckets = num_buckets
        self.num_row_groups = num_row_groups
        self.compression = compression
        self.version = _rec.UNSET
        self.reserved = reserved
        self.magic = _rec.UNSET

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, file_size: int) -> tuple[Footer, int]:
        made: _Any = cls.__new__(cls)
        made.file_size = file_size
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (
                made.index_offset,
                made.schema_offset,
                made.num_buckets,
                made.num_row_groups,
                made.compression,
                made.version,
                made.reserved,
                made.magic,
            ) = _Footer_index_offset.unpack(buf, pos)
            pos += 32
            start_index_offset = start
            step = "index_offset"
            if not (made.schema_offset + 4 <= made.index_offset and made.index_offset + FOOTER_SIZE <= made.file_size):
                raise _in.refused("corrupted footer offsets", start_index_offset)
            step = "num_buckets"
            if not (made.num_buckets > 0):
                raise _in.refused("footer num_buckets must be > 0", start + 16)
            made.compression = _Compression_of(made.compression, made.compression)
            step = "compression"
            if not (made.compression <= Compression.ZSTD):
                raise _in.refused("unsupported compression", start + 24)
            step = "version"
            if made.version != VERSION:
                raise _in.refused("unsupported version", start + 25)
            step = "magic"
            if made.magic != MAGIC.encode():
                raise _in.refused("bad magic bytes", start + 28)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("index_offset", "u64", big=True),
                _tab.Step("schema_offset", "u64", big=True),
                _tab.Step("num_buckets", "u32", big=True),
                _tab.Step("num_row_groups", "u32", big=True),
                _tab.Step("compression", "u8", enum=Compression),
                _tab.Step("version", "u8", derived=VERSION),
                _tab.Step("reserved", "u16", big=True),
                _tab.Step(
                    "magic",
                    "bytes",
                    length=4,
                    derived=MAGIC.encode(),
                    checks=[
                        (
                            "and",
                            ("<=", ("+", "schema_offset", 4), "index_offset"),
                            ("<=", ("+", "index_offset", FOOTER_SIZE), "file_size"),
                        ),
                        (">", "num_buckets", 0),
                        ("<=", "compression", Compression.ZSTD),
                        ("==", "version", VERSION),
                        ("==", "magic", MAGIC.encode()),
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
            step = "version"
            made.version = VERSION
            step = "magic"
            made.magic = MAGIC.encode()
            step = ""
            data += _Footer_index_offset.pack(
                made.index_offset,
                made.schema_offset,
                made.num_buckets,
                made.num_row_groups,
                made.compression,
                made.version,
                made.reserved,
                made.magic,
            )
            step = "index_offset"
            if not (made.schema_offset + 4 <= made.index_offset and made.index_offset + FOOTER_SIZE <= made.file_size):
                raise _out.unfit("corrupted footer offsets")
            step = "num_buckets"
            if not (made.num_buckets > 0):
                raise _out.unfit("footer num_buckets must be > 0")
            step = "compression"
            if not (made.compression <= Compression.ZSTD):
                raise _out.unfit("unsupported compression")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_SchemaBlock_inflated = _rec.Layout(">", inflated="I")


class SchemaBlock(_rec.Record):
    """The schema, compressed as the buckets are.

    Attributes:
        inflated: int
        body: Schema
    """

    __slots__ = ("how", "inflated", "body")
    _given = ("body",)
    _parameters = ("how",)
    how: Compression | int
    inflated: int
    body: Schema

    def __init__(
        self,
        *,
        body: Schema = _rec.UNSET,
    ) -> None:
        self.inflated = _rec.UNSET
        self.body = body

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, how: Compression | int) -> tuple[SchemaBlock, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            (made.inflated,) = _SchemaBlock_inflated.unpack(buf, pos)
            pos += 4
            start_inflated = start
            step = "inflated"
            if not (made.inflated <= max_inflated(len(buf) - pos)):
                raise _in.refused("the declared size is over what the block can hold", start)
            step, start = "body", pos
            size = len(buf) - pos
            stop = pos + size
            outer, at = at, at.through([block(made.how, made.inflated).make()], pos, size)
            buf, pos = at.buf, 0
            made.body, pos = Schema._read(at, pos)
            at.finish(pos)
            raw_body = pos
            pos = stop
            at = outer
            buf = at.buf
            step = "inflated"
            if made.inflated != raw_body:
                raise _in.refused("inflated must be raw_size(body)", start_inflated)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "inflated",
                    "u32",
                    big=True,
                    derived=("noted", "raw_size", "body"),
                    checks=[
                        (
                            "<=",
                            "inflated",
                            (
                                "let",
                                (("bytes_stored", ("-", ("end",), ("pos",))),),
                                ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                            ),
                        )
                    ],
                ),
                _tab.Step(
                    "body",
                    "record",
                    target=Schema,
                    size=("-", ("end",), ("pos",)),
                    codecs=[(("call", block, "how", "inflated"),)],
                    notes=["raw_size"],
                    checks=[("==", "inflated", ("noted", "raw_size", "body"))],
                ),
            ],
            params=["how"],
        )

    def _write(self, out: _rec.Writer, how: Compression | int) -> None:
        made: _Any = self
        made.how = how
        data, step, index = out.data, "", None
        try:
            step = "body"
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(made.body, Schema)._write(out)
            raw_body, out = data, outer
            data = out.data
            step = "inflated"
            made.inflated = len(raw_body)
            step = ""
            data += _SchemaBlock_inflated.pack(made.inflated)
            step = "body"
            part_body = out.through([block(made.how, made.inflated)], raw_body)
            step = "inflated"
            if not (made.inflated <= max_inflated(len(part_body))):
                raise _out.unfit("the declared size is over what the block can hold")
            data += part_body
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Schema(_rec.Record):
    """Columns in the order of their names, compared as bytes.

    Attributes:
        num_columns: int
        num_buckets: int
        name_encoding: NameEncoding | int
        num_rules: int | None
        rules: list[BpeRule] | None
        columns: list[Column]
        order: Sorted position of each column in the user's order; the oldest files end before it.
    """

    __slots__ = ("num_columns", "num_buckets", "name_encoding", "num_rules", "rules", "columns", "order")
    _given = ("num_buckets", "name_encoding", "rules", "columns", "order")
    num_columns: int
    num_buckets: int
    name_encoding: NameEncoding | int
    num_rules: int | None
    rules: list[BpeRule] | None
    columns: list[Column]
    order: list[int] | None

    def __init__(
        self,
        *,
        num_buckets: int = _rec.UNSET,
        name_encoding: NameEncoding | int = _rec.UNSET,
        rules: list[BpeRule] | None = _rec.UNSET,
        columns: list[Column] = _rec.UNSET,
        order: list[int] | None = _rec.UNSET,
    ) -> None:
        self.num_columns = _rec.UNSET
        self.num_buckets = num_buckets
        self.name_encoding = name_encoding
        self.num_rules = _rec.UNSET
        self.rules = rules
        self.columns = columns
        self.order = order

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[Schema, int]:
        made: _Any = cls.__new__(cls)
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "num_columns", pos
            made.num_columns, pos = _in.uvarint(buf, pos, 32)
            start_num_columns = start
            step, start = "num_buckets", pos
            made.num_buckets, pos = _in.uvarint(buf, pos, 32)
            if not (made.num_buckets > 0):
                raise _in.refused("schema: num_buckets must be > 0", start)
            step, start = "name_encoding", pos
            made.name_encoding = buf[pos]
            pos += 1
            made.name_encoding = _NameEncoding_of(made.name_encoding, made.name_encoding)
            step, start = "num_rules", pos
            if made.name_encoding == NameEncoding.BPE_FRONT:
                made.num_rules, pos = _in.uvarint(buf, pos, 32)
            else:
                made.num_rules = None
            start_num_rules = start
            step, start = "rules", pos
            if made.name_encoding == NameEncoding.BPE_FRONT:
                made.rules = items = []
                begin = pos
                for index in range(_in.bounded(made.num_rules, 2, buf, pos)):
                    start = pos
                    item, pos = BpeRule._read(at, pos)
                    items.append(item)
                index, start = None, begin
            else:
                made.rules = None
            step = "num_rules"
            if made.num_rules is not None and made.num_rules != len(made.rules):
                raise _in.refused("num_rules must be count(rules)", start_num_rules)
            step, start = "columns", pos
            state = Column._state()
            made.columns = items = []
            begin = pos
            for index in range(_in.bounded(made.num_columns, 4, buf, pos)):
                start = pos
                item, pos = Column._read(at, pos, made.rules, state=state)
                items.append(item)
            index, start = None, begin
            step = "num_columns"
            if made.num_columns != len(made.columns):
                raise _in.refused("num_columns must be count(columns)", start_num_columns)
            if not (_fn.unique([each.name for each in made.columns])):
                raise _in.refused("schema: duplicate column name", start)
            if not (_fn.ascending([each.name for each in made.columns])):
                raise _in.refused("schema: columns are not in the order of their names", start)
            step, start = "order", pos
            if pos != len(buf):
                previous: _Any = 0
                made.order = items = []
                begin = pos
                for index in range(_in.bounded(made.num_columns, 1, buf, pos)):
                    start = pos
                    coded, pos = _ZigzagDelta._read(at, pos, previous)
                    item = previous = coded.value
                    items.append(item)
                index, start = None, begin
            else:
                made.order = None
            if not (made.order is None or _fn.is_permutation(made.order)):
                raise _in.refused("original_order is not a valid permutation", start)
            step, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in schema", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("num_columns", "uvarint32", derived=("count", "columns")),
                _tab.Step("num_buckets", "uvarint32", checks=[(">", "num_buckets", 0)]),
                _tab.Step("name_encoding", "u8", enum=NameEncoding),
                _tab.Step(
                    "num_rules",
                    "uvarint32",
                    present=("==", "name_encoding", NameEncoding.BPE_FRONT),
                    derived=("count", "rules"),
                ),
                _tab.Step(
                    "rules",
                    "record",
                    target=BpeRule,
                    dimension="count",
                    count="num_rules",
                    smallest=2,
                    present=("==", "name_encoding", NameEncoding.BPE_FRONT),
                    checks=[("or", ("is", "num_rules", None), ("==", "num_rules", ("count", "rules")))],
                ),
                _tab.Step(
                    "columns",
                    "record",
                    target=Column,
                    arguments=["rules"],
                    siblings=True,
                    dimension="count",
                    count="num_columns",
                    smallest=4,
                    checks=[
                        ("==", "num_columns", ("count", "columns")),
                        ("unique", ("each", "columns", "name")),
                        ("ascending", ("each", "columns", "name")),
                    ],
                ),
                _tab.Step(
                    "order",
                    "i64",
                    target=_ZigzagDelta,
                    coded=True,
                    state=-1,
                    initial=0,
                    dimension="count",
                    count="num_columns",
                    smallest=1,
                    present=("!=", ("pos",), ("end",)),
                    checks=[("or", ("is", "order", None), ("is_permutation", "order"))],
                ),
            ],
            checks=[("==", ("pos",), ("end",))],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "num_columns"
            made.num_columns = len(made.columns)
            _out.put_uvarint(data, made.num_columns, 32)
            step = "num_buckets"
            _out.put_uvarint(data, made.num_buckets, 32)
            if not (made.num_buckets > 0):
                raise _out.unfit("schema: num_buckets must be > 0")
            step = "name_encoding"
            data.append(made.name_encoding)
            step = "num_rules"
            if made.name_encoding == NameEncoding.BPE_FRONT:
                made.num_rules = len(made.rules)
            else:
                made.num_rules = None
            if made.name_encoding == NameEncoding.BPE_FRONT:
                _out.put_uvarint(data, made.num_rules, 32)
            step = "rules"
            if made.name_encoding == NameEncoding.BPE_FRONT:
                for index, item in enumerate(made.rules):
                    _out.instance(item, BpeRule)._write(out)
                index = None
            else:
                _out.absent(made.rules)
            step = "columns"
            state = Column._state(out)
            for index, item in enumerate(made.columns):
                _out.instance(item, Column)._write(out, made.rules, state=state)
            index = None
            if not (_fn.unique([each.name for each in made.columns])):
                raise _out.unfit("schema: duplicate column name")
            if not (_fn.ascending([each.name for each in made.columns])):
                raise _out.unfit("schema: columns are not in the order of their names")
            step = "order"
            if made.order is not None:
                previous: _Any = 0
                for index, item in enumerate(_out.exactly(made.order, made.num_columns)):
                    coded = _ZigzagDelta(item)
                    coded._write(out, previous)
                    previous = coded.value
                index = None
            if not (made.order is None or _fn.is_permutation(made.order)):
                raise _out.unfit("original_order is not a valid permutation")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_BpeRule_left = _rec.Layout("<", left="B", right="B")


class BpeRule(_rec.Record):
    """Two tokens that one token stands for.

    Attributes:
        left: int
        right: int
    """

    __slots__ = ("left", "right")
    _given = ("left", "right")
    left: int
    right: int

    def __init__(
        self,
        *,
        left: int = _rec.UNSET,
        right: int = _rec.UNSET,
    ) -> None:
        self.left = left
        self.right = right

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[BpeRule, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.left, made.right = _BpeRule_left.unpack(buf, pos)
            pos += 2
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("left", "u8"),
                _tab.Step("right", "u8"),
            ],
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = ""
            data += _BpeRule_left.pack(made.left, made.right)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Column(_rec.Record):
    """A top-level column.

    Attributes:
        name: str
        type: TypeDescriptor
    """

    __slots__ = ("rules", "name", "type")
    _given = ("name", "type")
    _parameters = ("rules",)
    rules: list[BpeRule]
    name: str
    type: TypeDescriptor

    def __init__(
        self,
        *,
        name: str = _rec.UNSET,
        type: TypeDescriptor = _rec.UNSET,
    ) -> None:
        self.name = name
        self.type = type

    @classmethod
    def _state(cls, out: _rec.Writer | None = None) -> list[_Any]:
        return [b"", _rec.Reused(bpe, out)]

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, rules: list[BpeRule], state: list[_Any] | None = None
    ) -> tuple[Column, int]:
        made: _Any = cls.__new__(cls)
        made.rules = rules
        if state is None:
            state = cls._state()
        step, index, start = "", None, pos
        try:
            step, start = "name", pos
            coded, pos = _FrontCoded._read(at, pos, state[0])
            made.name = state[0] = coded.value
            made.name = _in.decoded([state[1].of(made.rules)], made.name, start)
            made.name = _in.as_text(made.name, start)
            if not (len(made.name.encode()) > 0):
                raise _in.refused("schema: empty column name", start)
            step, start = "type", pos
            made.type, pos = TypeDescriptor._read(at, pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "name",
                    "utf8",
                    target=_FrontCoded,
                    coded=True,
                    state=0,
                    codecs=[(1, bpe, "rules")],
                    checks=[(">", ("count", "name"), 0)],
                ),
                _tab.Step("type", "record", target=TypeDescriptor),
            ],
            params=["rules"],
            states=[b"", None],
        )

    def _write(self, out: _rec.Writer, rules: list[BpeRule], state: list[_Any] | None = None) -> None:
        made: _Any = self
        made.rules = rules
        if state is None:
            state = self._state(out)
        step, index = "", None
        try:
            step = "name"
            coded = _FrontCoded(state[1].of(made.rules).encode(_out.utf8(made.name)))
            coded._write(out, state[0])
            state[0] = coded.value
            if not (len(made.name.encode()) > 0):
                raise _out.unfit("schema: empty column name")
            step = "type"
            _out.instance(made.type, TypeDescriptor)._write(out)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class _FrontCoded(_rec.Record):
    """The fields of codec front_coded, and the value they stand for.

    Attributes:
        shared: int
        added: int
        suffix: bytes
    """

    __slots__ = ("value", "prev", "shared", "added", "suffix")
    _given = ("value",)
    _parameters = ("prev",)
    prev: bytes
    shared: int
    added: int
    suffix: bytes
    value: bytes

    def __init__(self, value: bytes) -> None:
        self.value = value

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, prev: bytes) -> tuple[_FrontCoded, int]:
        made: _Any = cls.__new__(cls)
        made.prev = prev
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "shared", pos
            made.shared, pos = _in.uvarint(buf, pos, 32)
            if not (made.shared <= len(made.prev)):
                raise _in.refused("schema: corrupted column name encoding", start)
            step, start = "added", pos
            made.added, pos = _in.uvarint(buf, pos, 32)
            step, start = "suffix", pos
            made.suffix, pos = _in.take(buf, pos, made.added)
            step = ""
            made.value = made.prev[: made.shared] + made.suffix
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "shared",
                    "uvarint32",
                    derived=("call", _fn.common_prefix, "prev", "value"),
                    checks=[("<=", "shared", ("count", "prev"))],
                ),
                _tab.Step("added", "uvarint32", derived=("-", ("count", "value"), "shared")),
                _tab.Step("suffix", "bytes", length="added", derived=("slice", "value", "shared", None)),
            ],
            params=["prev"],
            value=("+", ("slice", "prev", None, "shared"), "suffix"),
        )

    def _write(self, out: _rec.Writer, prev: bytes) -> None:
        made: _Any = self
        made.prev = prev
        data, step, index = out.data, "", None
        try:
            step = "shared"
            made.shared = _fn.common_prefix(made.prev, made.value)
            _out.put_uvarint(data, made.shared, 32)
            if not (made.shared <= len(made.prev)):
                raise _out.unfit("schema: corrupted column name encoding")
            step = "added"
            made.added = len(made.value) - made.shared
            _out.put_uvarint(data, made.added, 32)
            step = "suffix"
            made.suffix = made.value[made.shared :]
            data += _out.raw(made.suffix, made.added)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class _ZigzagDelta(_rec.Record):
    """The fields of codec zigzag_delta, and the value they stand for.

    Attributes:
        step: int
    """

    __slots__ = ("value", "prev", "step")
    _given = ("value",)
    _parameters = ("prev",)
    prev: int
    step: int
    value: int

    def __init__(self, value: int) -> None:
        self.value = value

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, prev: int) -> tuple[_ZigzagDelta, int]:
        made: _Any = cls.__new__(cls)
        made.prev = prev
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "step", pos
            made.step, pos = _in.svarint(buf, pos, 64)
            step = ""
            made.value = _fn.in_range(made.prev + made.step, -(1 << 63), (1 << 63) - 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("step", "svarint64", derived=("-", "value", "prev")),
            ],
            params=["prev"],
            value=("in_range", ("+", "prev", "step"), -(1 << 63), (1 << 63) - 1),
        )

    def _write(self, out: _rec.Writer, prev: int) -> None:
        made: _Any = self
        made.prev = prev
        data, step, index = out.data, "", None
        try:
            step = "step"
            made.step = made.value - made.prev
            _out.put_svarint(data, made.step, 64)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class _Narrow(_rec.Record):
    """The fields of codec narrow, and the value they stand for.

    Attributes:
        word: int
    """

    __slots__ = ("value", "word")
    _given = ("value",)
    word: int
    value: int

    def __init__(self, value: int) -> None:
        self.value = value

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[_Narrow, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "word", pos
            made.word, pos = _in.uvarint(buf, pos, 32)
            step = ""
            made.value = _fn.in_range((made.word & 255 ^ 128) - 128, -(1 << 31), (1 << 31) - 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("word", "uvarint32", derived=("&", "value", 4294967295)),
            ],
            value=("in_range", ("-", ("^", ("&", "word", 255), 128), 128), -(1 << 31), (1 << 31) - 1),
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            step = "word"
            made.word = made.value & 4294967295
            _out.put_uvarint(data, made.word, 32)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_TypeDescriptor_type_id = _rec.Layout("<", type_id="B", nullable="B")


class TypeDescriptor(_rec.Record):
    """A type, nested ones with those of their children.

    Attributes:
        type_id: int
        nullable: 0 for columns without nulls.
        params: TypeParams
    """

    __slots__ = ("type_id", "nullable", "params")
    _given = ("nullable", "params")
    type_id: int
    nullable: int
    params: TypeParams

    def __init__(
        self,
        *,
        nullable: int = _rec.UNSET,
        params: TypeParams = _rec.UNSET,
    ) -> None:
        self.type_id = _rec.UNSET
        self.nullable = nullable
        self.params = params

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[TypeDescriptor, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "", pos
            made.type_id, made.nullable = _TypeDescriptor_type_id.unpack(buf, pos)
            pos += 2
            start_type_id = start
            step, start = "params", pos
            made.params, pos = TypeParams._read(at, pos, made.type_id)
            step = "type_id"
            if made.type_id != made.params.tag:
                raise _in.refused("type_id must be tag(params)", start_type_id)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("type_id", "u8", derived=("get", "params", "tag")),
                _tab.Step("nullable", "u8"),
                _tab.Step(
                    "params",
                    "record",
                    target=TypeParams,
                    arguments=["type_id"],
                    checks=[("==", "type_id", ("get", "params", "tag"))],
                ),
            ],
            nests=True,
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            out.enter()
            step = "type_id"
            made.type_id = made.params.tag
            step = ""
            data += _TypeDescriptor_type_id.pack(made.type_id, made.nullable)
            step = "params"
            _out.instance(made.params, TypeParams)._write(out, made.type_id)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class NamedType(_rec.Record):
    """A child of a nested type.

    Attributes:
        size_of_name: int
        name: str
        type: TypeDescriptor
    """

    __slots__ = ("size_of_name", "name", "type")
    _given = ("name", "type")
    size_of_name: int
    name: str
    type: TypeDescriptor

    def __init__(
        self,
        *,
        name: str = _rec.UNSET,
        type: TypeDescriptor = _rec.UNSET,
    ) -> None:
        self.size_of_name = _rec.UNSET
        self.name = name
        self.type = type

    @classmethod
    def _read(cls, at: _rec.Span, pos: int) -> tuple[NamedType, int]:
        made: _Any = cls.__new__(cls)
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "size_of_name", pos
            made.size_of_name, pos = _in.uvarint(buf, pos, 32)
            start_size_of_name = start
            step, start = "name", pos
            made.name, pos = _in.text(buf, pos, made.size_of_name)
            step = "size_of_name"
            if made.size_of_name != len(made.name.encode()):
                raise _in.refused("size_of_name must be count(name)", start_size_of_name)
            step, start = "type", pos
            made.type, pos = TypeDescriptor._read(at, pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("size_of_name", "uvarint32", derived=("count", "name")),
                _tab.Step("name", "utf8", length="size_of_name", checks=[("==", "size_of_name", ("count", "name"))]),
                _tab.Step("type", "record", target=TypeDescriptor),
            ],
            nests=True,
        )

    def _write(self, out: _rec.Writer) -> None:
        made: _Any = self
        data, step, index = out.data, "", None
        try:
            out.enter()
            step = "size_of_name"
            made.size_of_name = len(made.name.encode())
            _out.put_uvarint(data, made.size_of_name, 32)
            step = "name"
            data += _out.utf8(made.name)
            step = "type"
            _out.instance(made.type, TypeDescriptor)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams(_rec.Variant):
    """What a type takes, and the Arrow type it is read as."""

    __slots__ = ("type_id",)
    type_id: int
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

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams, int]:
        tag: _Any = type_id
        found: _Any = _TypeParams_alternatives.get(tag)
        if found is None:
            raise _in.refused(f"TypeParams has no alternative for {tag!r}", pos)
        made, pos = found._read(at, pos, type_id)
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Choice("type_id", params=["type_id"], table=_TypeParams_alternatives)


class TypeParams_BOOLEAN(TypeParams):
    """TypeParams.BOOLEAN."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "BOOLEAN"
    tag = 0
    _arrow = (_arrows.ArrowMap(_arrows.Shape("bool"), lambda made: (), made=lambda bound: TypeParams_BOOLEAN()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_BOOLEAN, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_TINYINT(TypeParams):
    """TypeParams.TINYINT."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "TINYINT"
    tag = 1
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int8"), lambda made: (), made=lambda bound: TypeParams_TINYINT()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TINYINT, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_SMALLINT(TypeParams):
    """TypeParams.SMALLINT."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "SMALLINT"
    tag = 2
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int16"), lambda made: (), made=lambda bound: TypeParams_SMALLINT()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_SMALLINT, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_INTEGER(TypeParams):
    """TypeParams.INTEGER."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "INTEGER"
    tag = 3
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int32"), lambda made: (), made=lambda bound: TypeParams_INTEGER()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_INTEGER, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_BIGINT(TypeParams):
    """TypeParams.BIGINT."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "BIGINT"
    tag = 4
    _arrow = (_arrows.ArrowMap(_arrows.Shape("int64"), lambda made: (), made=lambda bound: TypeParams_BIGINT()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_BIGINT, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_FLOAT(TypeParams):
    """TypeParams.FLOAT."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "FLOAT"
    tag = 5
    _arrow = (_arrows.ArrowMap(_arrows.Shape("float32"), lambda made: (), made=lambda bound: TypeParams_FLOAT()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_FLOAT, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_DOUBLE(TypeParams):
    """TypeParams.DOUBLE."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "DOUBLE"
    tag = 6
    _arrow = (_arrows.ArrowMap(_arrows.Shape("float64"), lambda made: (), made=lambda bound: TypeParams_DOUBLE()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_DOUBLE, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_DATE(TypeParams):
    """TypeParams.DATE."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "DATE"
    tag = 7
    _arrow = (_arrows.ArrowMap(_arrows.Shape("date32"), lambda made: (), made=lambda bound: TypeParams_DATE()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_DATE, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_CHAR(TypeParams):
    """TypeParams.CHAR.

    Attributes:
        length: int
    """

    __slots__ = ("length",)
    _given = ("length",)
    _parameters = ("type_id",)
    kind = "CHAR"
    tag = 8
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda made: ()),)
    type_id: int
    length: int

    def __init__(
        self,
        *,
        length: int = _rec.UNSET,
    ) -> None:
        self.length = length

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_CHAR, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "length", pos
            made.length, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("length", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "length"
            _out.put_uvarint(data, made.length, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_VARCHAR(TypeParams):
    """TypeParams.VARCHAR.

    Attributes:
        length: int
    """

    __slots__ = ("length",)
    _given = ("length",)
    _parameters = ("type_id",)
    kind = "VARCHAR"
    tag = 9
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda made: ()),)
    type_id: int
    length: int

    def __init__(
        self,
        *,
        length: int = _rec.UNSET,
    ) -> None:
        self.length = length

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_VARCHAR, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "length", pos
            made.length, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("length", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "length"
            _out.put_uvarint(data, made.length, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_STRING(TypeParams):
    """TypeParams.STRING."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "STRING"
    tag = 10
    _arrow = (_arrows.ArrowMap(_arrows.Shape("utf8"), lambda made: (), made=lambda bound: TypeParams_STRING()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_STRING, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_BINARY(TypeParams):
    """TypeParams.BINARY.

    Attributes:
        length: int
    """

    __slots__ = ("length",)
    _given = ("length",)
    _parameters = ("type_id",)
    kind = "BINARY"
    tag = 11
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda made: ()),)
    type_id: int
    length: int

    def __init__(
        self,
        *,
        length: int = _rec.UNSET,
    ) -> None:
        self.length = length

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_BINARY, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "length", pos
            made.length, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("length", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "length"
            _out.put_uvarint(data, made.length, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_VARBINARY(TypeParams):
    """TypeParams.VARBINARY.

    Attributes:
        length: int
    """

    __slots__ = ("length",)
    _given = ("length",)
    _parameters = ("type_id",)
    kind = "VARBINARY"
    tag = 12
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda made: ()),)
    type_id: int
    length: int

    def __init__(
        self,
        *,
        length: int = _rec.UNSET,
    ) -> None:
        self.length = length

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_VARBINARY, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "length", pos
            made.length, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("length", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "length"
            _out.put_uvarint(data, made.length, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_BYTES(TypeParams):
    """TypeParams.BYTES."""

    __slots__ = ()
    _given = ()
    _parameters = ("type_id",)
    kind = "BYTES"
    tag = 13
    _arrow = (_arrows.ArrowMap(_arrows.Shape("binary"), lambda made: (), made=lambda bound: TypeParams_BYTES()),)
    type_id: int

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_BYTES, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["type_id"], nests=True)

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_DECIMAL(TypeParams):
    """TypeParams.DECIMAL.

    Attributes:
        precision: int
        scale: int
    """

    __slots__ = ("precision", "scale")
    _given = ("precision", "scale")
    _parameters = ("type_id",)
    kind = "DECIMAL"
    tag = 14
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("decimal128", _arrows.Hole(0), _arrows.Hole(1)),
            lambda made: (made.precision, made.scale),
            made=lambda bound: TypeParams_DECIMAL(precision=int(bound[0]), scale=int(bound[1])),
        ),
    )
    type_id: int
    precision: int
    scale: int

    def __init__(
        self,
        *,
        precision: int = _rec.UNSET,
        scale: int = _rec.UNSET,
    ) -> None:
        self.precision = precision
        self.scale = scale

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_DECIMAL, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            step, start = "precision", pos
            coded, pos = _Narrow._read(at, pos)
            made.precision = coded.value
            if not (1 <= made.precision <= 38):
                raise _in.refused("decimal precision is not in 1..38", start)
            step, start = "scale", pos
            coded, pos = _Narrow._read(at, pos)
            made.scale = coded.value
            if not (made.scale <= made.precision):
                raise _in.refused("decimal scale is over its precision", start)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "precision",
                    "i32",
                    target=_Narrow,
                    coded=True,
                    checks=[("and", ("<=", 1, "precision"), ("<=", "precision", 38))],
                ),
                _tab.Step("scale", "i32", target=_Narrow, coded=True, checks=[("<=", "scale", "precision")]),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "precision"
            coded = _Narrow(made.precision)
            coded._write(out)
            if not (1 <= made.precision <= 38):
                raise _out.unfit("decimal precision is not in 1..38")
            step = "scale"
            coded = _Narrow(made.scale)
            coded._write(out)
            if not (made.scale <= made.precision):
                raise _out.unfit("decimal scale is over its precision")
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_TIME(TypeParams):
    """TypeParams.TIME.

    Attributes:
        precision: int
    """

    __slots__ = ("precision",)
    _given = ("precision",)
    _parameters = ("type_id",)
    kind = "TIME"
    tag = 15
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("time32", "ms"), lambda made: (), made=lambda bound: TypeParams_TIME(precision=3)
        ),
    )
    type_id: int
    precision: int

    def __init__(
        self,
        *,
        precision: int = _rec.UNSET,
    ) -> None:
        self.precision = precision

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIME, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "precision", pos
            made.precision, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("precision", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "precision"
            _out.put_uvarint(data, made.precision, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_TIMESTAMP(TypeParams):
    """TypeParams.TIMESTAMP.

    Attributes:
        precision: int
    """

    __slots__ = ("precision",)
    _given = ("precision",)
    _parameters = ("type_id",)
    kind = "TIMESTAMP"
    tag = 16
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms"),
            lambda made: (),
            made=lambda bound: TypeParams_TIMESTAMP(precision=3),
            condition=lambda made: made.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us"),
            lambda made: (),
            made=lambda bound: TypeParams_TIMESTAMP(precision=6),
            condition=lambda made: made.precision <= 6,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ns"), lambda made: (), made=lambda bound: TypeParams_TIMESTAMP(precision=9)
        ),
    )
    type_id: int
    precision: int

    def __init__(
        self,
        *,
        precision: int = _rec.UNSET,
    ) -> None:
        self.precision = precision

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIMESTAMP, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "precision", pos
            made.precision, pos = _in.uvarint(buf, pos, 32)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("precision", "uvarint32"),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "precision"
            _out.put_uvarint(data, made.precision, 32)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_TIMESTAMP_LTZ(TypeParams):
    """TypeParams.TIMESTAMP_LTZ.

    Attributes:
        precision: int
        size_of_zone: int
        zone: str
    """

    __slots__ = ("precision", "size_of_zone", "zone")
    _given = ("precision", "zone")
    _parameters = ("type_id",)
    kind = "TIMESTAMP_LTZ"
    tag = 17
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms", _arrows.Hole(0)),
            lambda made: (made.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=3, zone=bound[0]),
            condition=lambda made: made.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us", _arrows.Hole(0)),
            lambda made: (made.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=6, zone=bound[0]),
            condition=lambda made: made.precision <= 6,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ns", _arrows.Hole(0)),
            lambda made: (made.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=9, zone=bound[0]),
        ),
    )
    type_id: int
    precision: int
    size_of_zone: int
    zone: str

    def __init__(
        self,
        *,
        precision: int = _rec.UNSET,
        zone: str = _rec.UNSET,
    ) -> None:
        self.precision = precision
        self.size_of_zone = _rec.UNSET
        self.zone = zone

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_TIMESTAMP_LTZ, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "precision", pos
            made.precision, pos = _in.uvarint(buf, pos, 32)
            step, start = "size_of_zone", pos
            made.size_of_zone, pos = _in.uvarint(buf, pos, 32)
            start_size_of_zone = start
            step, start = "zone", pos
            made.zone, pos = _in.text(buf, pos, made.size_of_zone)
            step = "size_of_zone"
            if made.size_of_zone != len(made.zone.encode()):
                raise _in.refused("size_of_zone must be count(zone)", start_size_of_zone)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("precision", "uvarint32"),
                _tab.Step("size_of_zone", "uvarint32", derived=("count", "zone")),
                _tab.Step("zone", "utf8", length="size_of_zone", checks=[("==", "size_of_zone", ("count", "zone"))]),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "precision"
            _out.put_uvarint(data, made.precision, 32)
            step = "size_of_zone"
            made.size_of_zone = len(made.zone.encode())
            _out.put_uvarint(data, made.size_of_zone, 32)
            step = "zone"
            data += _out.utf8(made.zone)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_ARRAY(TypeParams):
    """TypeParams.ARRAY.

    Attributes:
        element: NamedType
    """

    __slots__ = ("element",)
    _given = ("element",)
    _parameters = ("type_id",)
    kind = "ARRAY"
    tag = 18
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape(
                "list", _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2))
            ),
            lambda made: (made.element.name, made.element.type.params, made.element.type.nullable),
            made=lambda bound: TypeParams_ARRAY(
                element=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1]))
            ),
        ),
    )
    type_id: int
    element: NamedType

    def __init__(
        self,
        *,
        element: NamedType = _rec.UNSET,
    ) -> None:
        self.element = element

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_ARRAY, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        step, index, start = "", None, pos
        try:
            at.enter(pos)
            step, start = "element", pos
            made.element, pos = NamedType._read(at, pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("element", "record", target=NamedType),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        step, index = "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "element"
            _out.instance(made.element, NamedType)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class TypeParams_MAP(TypeParams):
    """TypeParams.MAP.

    Attributes:
        size_of_entries: int
        entries: str
        key: NamedType
        item: NamedType
    """

    __slots__ = ("size_of_entries", "entries", "key", "item")
    _given = ("entries", "key", "item")
    _parameters = ("type_id",)
    kind = "MAP"
    tag = 19
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape(
                "map",
                _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2)),
                _arrows.Shape("field", _arrows.Hole(3), _arrows.Hole(4, lambda: TypeParams), _arrows.Hole(5)),
                _arrows.Hole(6),
            ),
            lambda made: (
                made.key.name,
                made.key.type.params,
                made.key.type.nullable,
                made.item.name,
                made.item.type.params,
                made.item.type.nullable,
                made.entries,
            ),
            made=lambda bound: TypeParams_MAP(
                entries=bound[6],
                key=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1])),
                item=NamedType(name=bound[3], type=TypeDescriptor(nullable=int(bound[5]), params=bound[4])),
            ),
        ),
    )
    type_id: int
    size_of_entries: int
    entries: str
    key: NamedType
    item: NamedType

    def __init__(
        self,
        *,
        entries: str = _rec.UNSET,
        key: NamedType = _rec.UNSET,
        item: NamedType = _rec.UNSET,
    ) -> None:
        self.size_of_entries = _rec.UNSET
        self.entries = entries
        self.key = key
        self.item = item

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type_id: int) -> tuple[TypeParams_MAP, int]:
        made: _Any = cls.__new__(cls)
        made.type_id = type_id
        buf, step, index, start = at.buf, "", None, pos
        try:
            at.enter(pos)
            step, start = "size_of_entries", pos
            made.size_of_entries, pos = _in.uvarint(buf, pos, 32)
            start_size_of_entries = start
            step, start = "entries", pos
            made.entries, pos = _in.text(buf, pos, made.size_of_entries)
            step = "size_of_entries"
            if made.size_of_entries != len(made.entries.encode()):
                raise _in.refused("size_of_entries must be count(entries)", start_size_of_entries)
            step, start = "key", pos
            made.key, pos = NamedType._read(at, pos)
            step, start = "item", pos
            made.item, pos = NamedType._read(at, pos)
            at.depth += 1
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("size_of_entries", "uvarint32", derived=("count", "entries")),
                _tab.Step(
                    "entries",
                    "utf8",
                    length="size_of_entries",
                    checks=[("==", "size_of_entries", ("count", "entries"))],
                ),
                _tab.Step("key", "record", target=NamedType),
                _tab.Step("item", "record", target=NamedType),
            ],
            params=["type_id"],
            nests=True,
        )

    def _write(self, out: _rec.Writer, type_id: int) -> None:
        made: _Any = self
        made.type_id = type_id
        data, step, index = out.data, "", None
        try:
            if made.type_id != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.type_id!r}")
            out.enter()
            step = "size_of_entries"
            made.size_of_entries = len(made.entries.encode())
            _out.put_uvarint(data, made.size_of_entries, 32)
            step = "entries"
            data += _out.utf8(made.entries)
            step = "key"
            _out.instance(made.key, NamedType)._write(out)
            step = "item"
            _out.instance(made.item, NamedType)._write(out)
            out.depth += 1
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


TypeParams.BOOLEAN = TypeParams_BOOLEAN
TypeParams.TINYINT = TypeParams_TINYINT
TypeParams.SMALLINT = TypeParams_SMALLINT
TypeParams.INTEGER = TypeParams_INTEGER
TypeParams.BIGINT = TypeParams_BIGINT
TypeParams.FLOAT = TypeParams_FLOAT
TypeParams.DOUBLE = TypeParams_DOUBLE
TypeParams.DATE = TypeParams_DATE
TypeParams.CHAR = TypeParams_CHAR
TypeParams.VARCHAR = TypeParams_VARCHAR
TypeParams.STRING = TypeParams_STRING
TypeParams.BINARY = TypeParams_BINARY
TypeParams.VARBINARY = TypeParams_VARBINARY
TypeParams.BYTES = TypeParams_BYTES
TypeParams.DECIMAL = TypeParams_DECIMAL
TypeParams.TIME = TypeParams_TIME
TypeParams.TIMESTAMP = TypeParams_TIMESTAMP
TypeParams.TIMESTAMP_LTZ = TypeParams_TIMESTAMP_LTZ
TypeParams.ARRAY = TypeParams_ARRAY
TypeParams.MAP = TypeParams_MAP
_TypeParams_alternatives: dict[_Any, _Any] = {
    0: TypeParams_BOOLEAN,
    1: TypeParams_TINYINT,
    2: TypeParams_SMALLINT,
    3: TypeParams_INTEGER,
    4: TypeParams_BIGINT,
    5: TypeParams_FLOAT,
    6: TypeParams_DOUBLE,
    7: TypeParams_DATE,
    8: TypeParams_CHAR,
    9: TypeParams_VARCHAR,
    10: TypeParams_STRING,
    11: TypeParams_BINARY,
    12: TypeParams_VARBINARY,
    13: TypeParams_BYTES,
    14: TypeParams_DECIMAL,
    15: TypeParams_TIME,
    16: TypeParams_TIMESTAMP,
    17: TypeParams_TIMESTAMP_LTZ,
    18: TypeParams_ARRAY,
    19: TypeParams_MAP,
}


class Index(_rec.Record):
    """Where the buckets of each row group are.

    Attributes:
        row_groups: list[RowGroup]
    """

    __slots__ = ("footer", "schema", "row_groups")
    _given = ("row_groups",)
    _parameters = ("footer", "schema")
    footer: Footer
    schema: Schema
    row_groups: list[RowGroup]

    def __init__(
        self,
        *,
        row_groups: list[RowGroup] = _rec.UNSET,
    ) -> None:
        self.row_groups = row_groups

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, footer: Footer, schema: Schema) -> tuple[Index, int]:
        made: _Any = cls.__new__(cls)
        made.footer = footer
        made.schema = schema
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "row_groups", pos
            made.row_groups = items = []
            begin = pos
            for index in range(_in.bounded(made.footer.num_row_groups, 3, buf, pos)):
                start = pos
                item, pos = RowGroup._read(at, pos, made.footer, made.schema)
                items.append(item)
            index, start = None, begin
            step, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in row group index", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "row_groups",
                    "record",
                    target=RowGroup,
                    arguments=["footer", "schema"],
                    dimension="count",
                    count=("get", "footer", "num_row_groups"),
                    smallest=3,
                ),
            ],
            params=["footer", "schema"],
            checks=[("==", ("pos",), ("end",))],
        )

    def _write(self, out: _rec.Writer, footer: Footer, schema: Schema) -> None:
        made: _Any = self
        made.footer = footer
        made.schema = schema
        step, index = "", None
        try:
            step = "row_groups"
            for index, item in enumerate(_out.exactly(made.row_groups, made.footer.num_row_groups)):
                _out.instance(item, RowGroup)._write(out, made.footer, made.schema)
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class RowGroup(_rec.Record):
    """Rows that are stored together.

    Attributes:
        num_rows: int
        num_buckets: int
        buckets: list[BucketRef]
        num_stats: int
        stats: list[ColumnStats]
    """

    __slots__ = ("footer", "schema", "num_rows", "num_buckets", "buckets", "num_stats", "stats")
    _given = ("num_rows", "buckets", "stats")
    _parameters = ("footer", "schema")
    footer: Footer
    schema: Schema
    num_rows: int
    num_buckets: int
    buckets: list[BucketRef]
    num_stats: int
    stats: list[ColumnStats]

    def __init__(
        self,
        *,
        num_rows: int = _rec.UNSET,
        buckets: list[BucketRef] = _rec.UNSET,
        stats: list[ColumnStats] = _rec.UNSET,
    ) -> None:
        self.num_rows = num_rows
        self.num_buckets = _rec.UNSET
        self.buckets = buckets
        self.num_stats = _rec.UNSET
        self.stats = stats

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, footer: Footer, schema: Schema) -> tuple[RowGroup, int]:
        made: _Any = cls.__new__(cls)
        made.footer = footer
        made.schema = schema
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "num_rows", pos
            made.num_rows, pos = _in.uvarint(buf, pos, 32)
            step, start = "num_buckets", pos
            made.num_buckets, pos = _in.uvarint(buf, pos, 32)
            start_num_buckets = start
            if not (made.num_buckets <= made.footer.num_buckets):
                raise _in.refused("non_empty count exceeds num_buckets", start)
            step, start = "buckets", pos
            made.buckets = items = []
            begin = pos
            for index in range(_in.bounded(made.num_buckets, 11, buf, pos)):
                start = pos
                item, pos = BucketRef._read(at, pos, made.footer)
                items.append(item)
            index, start = None, begin
            step = "num_buckets"
            if made.num_buckets != len(made.buckets):
                raise _in.refused("num_buckets must be count(buckets)", start_num_buckets)
            if not (_fn.unique([each.bucket_id for each in made.buckets])):
                raise _in.refused("duplicate bucket_id in row group index", start)
            step, start = "num_stats", pos
            made.num_stats, pos = _in.uvarint(buf, pos, 32)
            start_num_stats = start
            step, start = "stats", pos
            made.stats = items = []
            begin = pos
            for index in range(_in.bounded(made.num_stats, 2, buf, pos)):
                start = pos
                item, pos = ColumnStats._read(at, pos, made.schema, made.num_rows)
                items.append(item)
            index, start = None, begin
            step = "num_stats"
            if made.num_stats != len(made.stats):
                raise _in.refused("num_stats must be count(stats)", start_num_stats)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("num_rows", "uvarint32"),
                _tab.Step(
                    "num_buckets",
                    "uvarint32",
                    derived=("count", "buckets"),
                    checks=[("<=", "num_buckets", ("get", "footer", "num_buckets"))],
                ),
                _tab.Step(
                    "buckets",
                    "record",
                    target=BucketRef,
                    arguments=["footer"],
                    dimension="count",
                    count="num_buckets",
                    smallest=11,
                    checks=[("==", "num_buckets", ("count", "buckets")), ("unique", ("each", "buckets", "bucket_id"))],
                ),
                _tab.Step("num_stats", "uvarint32", derived=("count", "stats")),
                _tab.Step(
                    "stats",
                    "record",
                    target=ColumnStats,
                    arguments=["schema", "num_rows"],
                    dimension="count",
                    count="num_stats",
                    smallest=2,
                    checks=[("==", "num_stats", ("count", "stats"))],
                ),
            ],
            params=["footer", "schema"],
        )

    def _write(self, out: _rec.Writer, footer: Footer, schema: Schema) -> None:
        made: _Any = self
        made.footer = footer
        made.schema = schema
        data, step, index = out.data, "", None
        try:
            step = "num_rows"
            _out.put_uvarint(data, made.num_rows, 32)
            step = "num_buckets"
            made.num_buckets = len(made.buckets)
            _out.put_uvarint(data, made.num_buckets, 32)
            if not (made.num_buckets <= made.footer.num_buckets):
                raise _out.unfit("non_empty count exceeds num_buckets")
            step = "buckets"
            for index, item in enumerate(made.buckets):
                _out.instance(item, BucketRef)._write(out, made.footer)
            index = None
            if not (_fn.unique([each.bucket_id for each in made.buckets])):
                raise _out.unfit("duplicate bucket_id in row group index")
            step = "num_stats"
            made.num_stats = len(made.stats)
            _out.put_uvarint(data, made.num_stats, 32)
            step = "stats"
            for index, item in enumerate(made.stats):
                _out.instance(item, ColumnStats)._write(out, made.schema, made.num_rows)
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_BucketRef_start = _rec.Layout(">", start="Q")


class BucketRef(_rec.Record):
    """Where a bucket is. What it inflates to is 0 where each column is a block of its own.

    Attributes:
        bucket_id: int
        start: int
        stored: int
        inflated: int
    """

    __slots__ = ("footer", "bucket_id", "start", "stored", "inflated")
    _given = ("bucket_id", "start", "stored", "inflated")
    _parameters = ("footer",)
    footer: Footer
    bucket_id: int
    start: int
    stored: int
    inflated: int

    def __init__(
        self,
        *,
        bucket_id: int = _rec.UNSET,
        start: int = _rec.UNSET,
        stored: int = _rec.UNSET,
        inflated: int = _rec.UNSET,
    ) -> None:
        self.bucket_id = bucket_id
        self.start = start
        self.stored = stored
        self.inflated = inflated

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, footer: Footer) -> tuple[BucketRef, int]:
        made: _Any = cls.__new__(cls)
        made.footer = footer
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "bucket_id", pos
            made.bucket_id, pos = _in.uvarint(buf, pos, 32)
            if not (made.bucket_id < made.footer.num_buckets):
                raise _in.refused("corrupted row group index", start)
            step, start = "", pos
            (made.start,) = _BucketRef_start.unpack(buf, pos)
            pos += 8
            step, start = "stored", pos
            made.stored, pos = _in.uvarint(buf, pos, 32)
            if not (made.start + made.stored <= made.footer.schema_offset):
                raise _in.refused("bucket data extends past schema block", start)
            step, start = "inflated", pos
            made.inflated, pos = _in.uvarint(buf, pos, 32)
            if not (made.stored > 0 or made.inflated == 0):
                raise _in.refused("invalid bucket layout", start)
            if not (made.stored == 0 or made.inflated > 0 or made.footer.compression == Compression.ZSTD):
                raise _in.refused("paged bucket requires ZSTD compression", start)
            if not (made.footer.compression != Compression.ZSTD or made.inflated <= max_inflated(made.stored)):
                raise _in.refused("the declared size is over what the block can hold", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("bucket_id", "uvarint32", checks=[("<", "bucket_id", ("get", "footer", "num_buckets"))]),
                _tab.Step("start", "u64", big=True),
                _tab.Step(
                    "stored", "uvarint32", checks=[("<=", ("+", "start", "stored"), ("get", "footer", "schema_offset"))]
                ),
                _tab.Step(
                    "inflated",
                    "uvarint32",
                    checks=[
                        ("or", (">", "stored", 0), ("==", "inflated", 0)),
                        (
                            "or",
                            ("==", "stored", 0),
                            (">", "inflated", 0),
                            ("==", ("get", "footer", "compression"), Compression.ZSTD),
                        ),
                        (
                            "or",
                            ("!=", ("get", "footer", "compression"), Compression.ZSTD),
                            (
                                "<=",
                                "inflated",
                                (
                                    "let",
                                    (("bytes_stored", "stored"),),
                                    ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                                ),
                            ),
                        ),
                    ],
                ),
            ],
            params=["footer"],
        )

    def _write(self, out: _rec.Writer, footer: Footer) -> None:
        made: _Any = self
        made.footer = footer
        data, step, index = out.data, "", None
        try:
            step = "bucket_id"
            _out.put_uvarint(data, made.bucket_id, 32)
            if not (made.bucket_id < made.footer.num_buckets):
                raise _out.unfit("corrupted row group index")
            step = ""
            data += _BucketRef_start.pack(made.start)
            step = "stored"
            _out.put_uvarint(data, made.stored, 32)
            if not (made.start + made.stored <= made.footer.schema_offset):
                raise _out.unfit("bucket data extends past schema block")
            step = "inflated"
            _out.put_uvarint(data, made.inflated, 32)
            if not (made.stored > 0 or made.inflated == 0):
                raise _out.unfit("invalid bucket layout")
            if not (made.stored == 0 or made.inflated > 0 or made.footer.compression == Compression.ZSTD):
                raise _out.unfit("paged bucket requires ZSTD compression")
            if not (made.footer.compression != Compression.ZSTD or made.inflated <= max_inflated(made.stored)):
                raise _out.unfit("the declared size is over what the block can hold")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class ColumnStats(_rec.Record):
    """Nulls and bounds of a column in a row group.

    Attributes:
        column: int
        null_count: int
        low: _columns.Values | None
        high: _columns.Values | None
    """

    __slots__ = ("schema", "num_rows", "column", "null_count", "low", "high")
    _given = ("column", "null_count", "low", "high")
    _parameters = ("schema", "num_rows")
    schema: Schema
    num_rows: int
    column: int
    null_count: int
    low: _columns.Values | None
    high: _columns.Values | None

    def __init__(
        self,
        *,
        column: int = _rec.UNSET,
        null_count: int = _rec.UNSET,
        low: _columns.Values | None = _rec.UNSET,
        high: _columns.Values | None = _rec.UNSET,
    ) -> None:
        self.column = column
        self.null_count = null_count
        self.low = low
        self.high = high

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, schema: Schema, num_rows: int) -> tuple[ColumnStats, int]:
        made: _Any = cls.__new__(cls)
        made.schema = schema
        made.num_rows = num_rows
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "column", pos
            made.column, pos = _in.uvarint(buf, pos, 32)
            if not (made.column < len(made.schema.columns)):
                raise _in.refused("stats: column_index out of range", start)
            step, start = "null_count", pos
            made.null_count, pos = _in.uvarint(buf, pos, 32)
            if not (made.null_count <= made.num_rows):
                raise _in.refused("stats: null_count exceeds num_rows", start)
            step, start = "low", pos
            if made.null_count < made.num_rows:
                made.low, pos = _col.read_encoded(
                    buf, pos, 1, _col.layout_of(Value, _fn.item(made.schema.columns, made.column).type.params)
                )
            else:
                made.low = None
            step, start = "high", pos
            if made.null_count < made.num_rows:
                made.high, pos = _col.read_encoded(
                    buf, pos, 1, _col.layout_of(Value, _fn.item(made.schema.columns, made.column).type.params)
                )
            else:
                made.high = None
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("column", "uvarint32", checks=[("<", "column", ("count", ("get", "schema", "columns")))]),
                _tab.Step("null_count", "uvarint32", checks=[("<=", "null_count", "num_rows")]),
                _tab.Step(
                    "low",
                    "values",
                    target=Value,
                    arguments=[("get", ("get", ("item", ("get", "schema", "columns"), "column"), "type"), "params")],
                    present=("<", "null_count", "num_rows"),
                ),
                _tab.Step(
                    "high",
                    "values",
                    target=Value,
                    arguments=[("get", ("get", ("item", ("get", "schema", "columns"), "column"), "type"), "params")],
                    present=("<", "null_count", "num_rows"),
                ),
            ],
            params=["schema", "num_rows"],
        )

    def _write(self, out: _rec.Writer, schema: Schema, num_rows: int) -> None:
        made: _Any = self
        made.schema = schema
        made.num_rows = num_rows
        data, step, index = out.data, "", None
        try:
            step = "column"
            _out.put_uvarint(data, made.column, 32)
            if not (made.column < len(made.schema.columns)):
                raise _out.unfit("stats: column_index out of range")
            step = "null_count"
            _out.put_uvarint(data, made.null_count, 32)
            if not (made.null_count <= made.num_rows):
                raise _out.unfit("stats: null_count exceeds num_rows")
            step = "low"
            if made.null_count < made.num_rows:
                data += _col.encoded(
                    made.low, _col.layout_of(Value, _fn.item(made.schema.columns, made.column).type.params), 1
                )
            else:
                _out.absent(made.low)
            step = "high"
            if made.null_count < made.num_rows:
                data += _col.encoded(
                    made.high, _col.layout_of(Value, _fn.item(made.schema.columns, made.column).type.params), 1
                )
            else:
                _out.absent(made.high)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class StoredBucket(_rec.Located):
    """A bucket where its reference says. `types` are its stored columns: `primaries` of the table, then children,
    depth first.

    Attributes:
        data: Bucket
    """

    __slots__ = ("ref", "how", "types", "primaries", "num_rows")
    _given = ("data",)
    _parameters = ("ref", "how", "types", "primaries", "num_rows")
    ref: BucketRef
    how: Compression | int
    types: list[_Any]
    primaries: int
    num_rows: int

    def __init__(
        self,
        *,
        data: Bucket = _rec.UNSET,
    ) -> None:
        self._source = None
        self._size = 0
        self._found = {
            "data": data,
        }

    @property
    def data(self) -> Bucket:
        found: Bucket = self._get("data")
        return found

    def _span_data(self) -> tuple[int, int]:
        made: _Any = self
        return made.ref.start, made.ref.stored

    def _read_data(self, at: _rec.Span) -> _Any:
        made: _Any = self
        step, index, start, pos = "data", None, 0, 0
        try:
            step, start = "data", pos
            value, pos = Bucket._decode(
                at, pos, made.how, made.ref.stored, made.ref.inflated, made.types, made.primaries, made.num_rows
            )
            at.finish(pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return value

    def _write_data(self, out: _rec.Writer) -> None:
        made: _Any = self
        step, index = "data", None
        try:
            step = "data"
            _out.instance(made.data, Bucket)._encode(
                out, made.how, made.ref.stored, made.ref.inflated, made.types, made.primaries, made.num_rows
            )
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Bucket(_rec.Variant):
    """The bytes of a bucket, by its layout."""

    __slots__ = ("how", "size_stored", "inflated", "types", "primaries", "num_rows")
    how: Compression | int
    size_stored: int
    inflated: int
    types: list[_Any]
    primaries: int
    num_rows: int
    EMPTY: _ClassVar[_rec.Class[Bucket_EMPTY]]
    MONOLITHIC: _ClassVar[_rec.Class[Bucket_MONOLITHIC]]
    PAGED: _ClassVar[_rec.Class[Bucket_PAGED]]

    @classmethod
    def _read(
        cls,
        at: _rec.Span,
        pos: int,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> tuple[Bucket, int]:
        tag: _Any = layout_of(size_stored, inflated)
        found: _Any = _Bucket_alternatives.get(tag)
        if found is None:
            raise _in.refused(f"Bucket has no alternative for {tag!r}", pos)
        made, pos = found._read(at, pos, how, size_stored, inflated, types, primaries, num_rows)
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Choice(
            (
                "let",
                (("size_stored", "size_stored"), ("inflated", "inflated")),
                (
                    "if",
                    ("==", "size_stored", 0),
                    BucketLayout.EMPTY,
                    ("if", (">", "inflated", 0), BucketLayout.MONOLITHIC, BucketLayout.PAGED),
                ),
            ),
            params=["how", "size_stored", "inflated", "types", "primaries", "num_rows"],
            table=_Bucket_alternatives,
        )


class Bucket_EMPTY(Bucket):
    """Bucket.EMPTY."""

    __slots__ = ()
    _given = ()
    _parameters = ("how", "size_stored", "inflated", "types", "primaries", "num_rows")
    kind = "EMPTY"
    tag = BucketLayout.EMPTY
    how: Compression | int
    size_stored: int
    inflated: int
    types: list[_Any]
    primaries: int
    num_rows: int

    @classmethod
    def _read(
        cls,
        at: _rec.Span,
        pos: int,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> tuple[Bucket_EMPTY, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["how", "size_stored", "inflated", "types", "primaries", "num_rows"])

    def _write(
        self,
        out: _rec.Writer,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> None:
        made: _Any = self
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        step, index = "", None
        try:
            if layout_of(made.size_stored, made.inflated) != made.tag:
                raise _out.unfit(
                    f"the alternative {made.kind} has the tag {made.tag!r}, not {layout_of(made.size_stored, made.inflated)!r}",
                )
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Bucket_MONOLITHIC(Bucket):
    """Bucket.MONOLITHIC.

    Attributes:
        body: Columns
    """

    __slots__ = ("body",)
    _given = ("body",)
    _parameters = ("how", "size_stored", "inflated", "types", "primaries", "num_rows")
    kind = "MONOLITHIC"
    tag = BucketLayout.MONOLITHIC
    how: Compression | int
    size_stored: int
    inflated: int
    types: list[_Any]
    primaries: int
    num_rows: int
    body: Columns

    def __init__(
        self,
        *,
        body: Columns = _rec.UNSET,
    ) -> None:
        self.body = body

    @classmethod
    def _read(
        cls,
        at: _rec.Span,
        pos: int,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> tuple[Bucket_MONOLITHIC, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        step, index, start = "", None, pos
        try:
            step, start = "body", pos
            size = made.size_stored
            stop = pos + size
            outer, at = at, at.through([block(made.how, made.inflated).make()], pos, size)
            pos = 0
            made.body, pos = Columns._read(at, pos, made.types, made.primaries, made.num_rows)
            at.finish(pos)
            pos = stop
            at = outer
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "body",
                    "record",
                    target=Columns,
                    arguments=["types", "primaries", "num_rows"],
                    size="size_stored",
                    codecs=[(("call", block, "how", "inflated"),)],
                ),
            ],
            params=["how", "size_stored", "inflated", "types", "primaries", "num_rows"],
        )

    def _write(
        self,
        out: _rec.Writer,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> None:
        made: _Any = self
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        data, step, index = out.data, "", None
        try:
            if layout_of(made.size_stored, made.inflated) != made.tag:
                raise _out.unfit(
                    f"the alternative {made.kind} has the tag {made.tag!r}, not {layout_of(made.size_stored, made.inflated)!r}",
                )
            step = "body"
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(made.body, Columns)._write(out, made.types, made.primaries, made.num_rows)
            raw_body, out = data, outer
            data = out.data
            part_body = out.through([block(made.how, made.inflated)], raw_body)
            data += part_body
            if len(part_body) != made.size_stored:
                raise _out.unfit("its size is not the one that its declaration gives")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Bucket_PAGED(Bucket):
    """Bucket.PAGED.

    Attributes:
        body: Pages
    """

    __slots__ = ("body",)
    _given = ("body",)
    _parameters = ("how", "size_stored", "inflated", "types", "primaries", "num_rows")
    kind = "PAGED"
    tag = BucketLayout.PAGED
    how: Compression | int
    size_stored: int
    inflated: int
    types: list[_Any]
    primaries: int
    num_rows: int
    body: Pages

    def __init__(
        self,
        *,
        body: Pages = _rec.UNSET,
    ) -> None:
        self.body = body

    @classmethod
    def _read(
        cls,
        at: _rec.Span,
        pos: int,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> tuple[Bucket_PAGED, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        step, index, start = "", None, pos
        try:
            step, start = "body", pos
            outer, at = at, at.within(pos, made.size_stored)
            made.body, pos = Pages._read(at, pos, made.types, made.primaries, made.num_rows)
            at.finish(pos)
            at = outer
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "body", "record", target=Pages, arguments=["types", "primaries", "num_rows"], size="size_stored"
                ),
            ],
            params=["how", "size_stored", "inflated", "types", "primaries", "num_rows"],
        )

    def _write(
        self,
        out: _rec.Writer,
        how: Compression | int,
        size_stored: int,
        inflated: int,
        types: list[_Any],
        primaries: int,
        num_rows: int,
    ) -> None:
        made: _Any = self
        made.how = how
        made.size_stored = size_stored
        made.inflated = inflated
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        data, step, index = out.data, "", None
        try:
            if layout_of(made.size_stored, made.inflated) != made.tag:
                raise _out.unfit(
                    f"the alternative {made.kind} has the tag {made.tag!r}, not {layout_of(made.size_stored, made.inflated)!r}",
                )
            outer, out = out, out.part(out.offset_if_known())
            data = out.data
            step = "body"
            _out.instance(made.body, Pages)._write(out, made.types, made.primaries, made.num_rows)
            part_body, out = data, outer
            data = out.data
            data += part_body
            if len(part_body) != made.size_stored:
                raise _out.unfit("its size is not the one that its declaration gives")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


Bucket.EMPTY = Bucket_EMPTY
Bucket.MONOLITHIC = Bucket_MONOLITHIC
Bucket.PAGED = Bucket_PAGED
_Bucket_alternatives: dict[_Any, _Any] = {
    BucketLayout.EMPTY: Bucket_EMPTY,
    BucketLayout.MONOLITHIC: Bucket_MONOLITHIC,
    BucketLayout.PAGED: Bucket_PAGED,
}


class Columns(_rec.Record):
    """All columns of a bucket, section by section.

    Attributes:
        num_primary: int | None
        num_children: int | None
        elements: list[int] | None
        encodings: _columns.Bits
        has_nulls: _columns.Bits
        consts: list[_columns.Values | None]
        dicts: list[Dict | None]
        nulls: list[Bitmap | None]
        cells: list[Cells]
    """

    __slots__ = (
        "types",
        "primaries",
        "num_rows",
        "num_primary",
        "num_children",
        "elements",
        "encodings",
        "has_nulls",
        "consts",
        "dicts",
        "nulls",
        "cells",
    )
    _given = ("elements", "consts", "dicts", "nulls", "cells")
    _parameters = ("types", "primaries", "num_rows")
    types: list[_Any]
    primaries: int
    num_rows: int
    num_primary: int | None
    num_children: int | None
    elements: list[int] | None
    encodings: _columns.Bits
    has_nulls: _columns.Bits
    consts: list[_columns.Values | None]
    dicts: list[Dict | None]
    nulls: list[Bitmap | None]
    cells: list[Cells]

    def __init__(
        self,
        *,
        elements: list[int] | None = _rec.UNSET,
        consts: list[_columns.Values | None] = _rec.UNSET,
        dicts: list[Dict | None] = _rec.UNSET,
        nulls: list[Bitmap | None] = _rec.UNSET,
        cells: list[Cells] = _rec.UNSET,
    ) -> None:
        self.num_primary = _rec.UNSET
        self.num_children = _rec.UNSET
        self.elements = elements
        self.encodings = _rec.UNSET
        self.has_nulls = _rec.UNSET
        self.consts = consts
        self.dicts = dicts
        self.nulls = nulls
        self.cells = cells

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, types: list[_Any], primaries: int, num_rows: int) -> tuple[Columns, int]:
        made: _Any = cls.__new__(cls)
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "num_primary", pos
            if len(made.types) > made.primaries:
                made.num_primary, pos = _in.uvarint(buf, pos, 32)
            else:
                made.num_primary = None
            if made.num_primary is not None and made.num_primary != made.primaries:
                raise _in.refused("num_primary must be primaries", start)
            step, start = "num_children", pos
            if len(made.types) > made.primaries:
                made.num_children, pos = _in.uvarint(buf, pos, 32)
            else:
                made.num_children = None
            if made.num_children is not None and made.num_children != len(made.types) - made.primaries:
                raise _in.refused("num_children must be count(types) - primaries", start)
            step, start = "elements", pos
            if len(made.types) > made.primaries:
                made.elements = items = []
                begin = pos
                for index in range(_in.bounded(made.num_children, 1, buf, pos)):
                    start = pos
                    item, pos = _in.uvarint(buf, pos, 32)
                    items.append(item)
                index, start = None, begin
            else:
                made.elements = None
            step, start = "encodings", pos
            made.encodings, pos = _col.read_bits(buf, pos, len(made.types), 2)
            start_encodings = start
            step, start = "has_nulls", pos
            made.has_nulls, pos = _col.read_bits(buf, pos, len(made.types), 1)
            start_has_nulls = start
            step, start = "consts", pos
            made.consts = items = []
            begin = pos
            for index in range(len(made.types)):
                if made.encodings[index] != PageEncoding.CONST:
                    items.append(None)
                    continue
                start = pos
                item, pos = _col.read_encoded(buf, pos, 1, _col.layout_of(Value, made.types[index]))
                items.append(item)
            index, start = None, begin
            step, start = "dicts", pos
            made.dicts = items = []
            begin = pos
            for index in range(len(made.types)):
                if made.encodings[index] != PageEncoding.DICT:
                    items.append(None)
                    continue
                start = pos
                item, pos = Dict._read(at, pos, made.types[index])
                items.append(item)
            index, start = None, begin
            step, start = "nulls", pos
            made.nulls = items = []
            begin = pos
            for index in range(len(made.types)):
                if made.has_nulls[index] != 1:
                    items.append(None)
                    continue
                start = pos
                item, pos = Bitmap._read(at, pos, rows_of(index, made.primaries, made.num_rows, made.elements))
                items.append(item)
            index, start = None, begin
            step = "has_nulls"
            for index in range(len(made.has_nulls)):
                if made.has_nulls[index] != int(made.nulls[index] is not None):
                    raise _in.refused("has_nulls must be present(nulls[i])", start_has_nulls)
            index = None
            step, start = "cells", pos
            made.cells = items = []
            begin = pos
            for index in range(len(made.types)):
                start = pos
                item, pos = Cells._read(
                    at,
                    pos,
                    made.encodings[index],
                    made.types[index],
                    live(rows_of(index, made.primaries, made.num_rows, made.elements), made.nulls[index]),
                    made.dicts[index],
                )
                items.append(item)
            index, start = None, begin
            step = "encodings"
            for index in range(len(made.encodings)):
                if made.encodings[index] != made.cells[index].tag:
                    raise _in.refused("encodings must be tag(cells[i])", start_encodings)
            index = None
            step, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in bucket", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "num_primary",
                    "uvarint32",
                    present=(">", ("count", "types"), "primaries"),
                    derived="primaries",
                    checks=[("or", ("is", "num_primary", None), ("==", "num_primary", "primaries"))],
                ),
                _tab.Step(
                    "num_children",
                    "uvarint32",
                    present=(">", ("count", "types"), "primaries"),
                    derived=("-", ("count", "types"), "primaries"),
                    checks=[
                        (
                            "or",
                            ("is", "num_children", None),
                            ("==", "num_children", ("-", ("count", "types"), "primaries")),
                        )
                    ],
                ),
                _tab.Step(
                    "elements",
                    "uvarint32",
                    dimension="count",
                    count="num_children",
                    smallest=1,
                    present=(">", ("count", "types"), "primaries"),
                ),
                _tab.Step(
                    "encodings",
                    "bits",
                    width=2,
                    length=("count", "types"),
                    derived=("get", ("item", "cells", ("index",)), "tag"),
                ),
                _tab.Step(
                    "has_nulls",
                    "bits",
                    width=1,
                    length=("count", "types"),
                    derived=("int", ("not", ("is", ("item", "nulls", ("index",)), None))),
                ),
                _tab.Step(
                    "consts",
                    "values",
                    target=Value,
                    arguments=[("item", "types", ("index",))],
                    dimension="index",
                    count=("count", "types"),
                    present=("==", ("item", "encodings", ("index",)), PageEncoding.CONST),
                ),
                _tab.Step(
                    "dicts",
                    "record",
                    target=Dict,
                    arguments=[("item", "types", ("index",))],
                    dimension="index",
                    count=("count", "types"),
                    present=("==", ("item", "encodings", ("index",)), PageEncoding.DICT),
                ),
                _tab.Step(
                    "nulls",
                    "record",
                    target=Bitmap,
                    arguments=[
                        (
                            "let",
                            (
                                ("position", ("index",)),
                                ("primaries", "primaries"),
                                ("num_rows", "num_rows"),
                                ("elements", "elements"),
                            ),
                            (
                                "if",
                                ("<", "position", "primaries"),
                                "num_rows",
                                ("item", "elements", ("-", "position", "primaries")),
                            ),
                        )
                    ],
                    dimension="index",
                    count=("count", "types"),
                    present=("==", ("item", "has_nulls", ("index",)), 1),
                    checks=[
                        (
                            "every",
                            "has_nulls",
                            (
                                "==",
                                ("item", "has_nulls", ("index",)),
                                ("int", ("not", ("is", ("item", "nulls", ("index",)), None))),
                            ),
                        )
                    ],
                ),
                _tab.Step(
                    "cells",
                    "record",
                    target=Cells,
                    arguments=[
                        ("item", "encodings", ("index",)),
                        ("item", "types", ("index",)),
                        (
                            "let",
                            (
                                (
                                    "rows",
                                    (
                                        "let",
                                        (
                                            ("position", ("index",)),
                                            ("primaries", "primaries"),
                                            ("num_rows", "num_rows"),
                                            ("elements", "elements"),
                                        ),
                                        (
                                            "if",
                                            ("<", "position", "primaries"),
                                            "num_rows",
                                            ("item", "elements", ("-", "position", "primaries")),
                                        ),
                                    ),
                                ),
                                ("nulls", ("item", "nulls", ("index",))),
                            ),
                            (
                                "if",
                                ("not", ("is", "nulls", None)),
                                ("-", "rows", ("sum", ("get", "nulls", "null_at"))),
                                "rows",
                            ),
                        ),
                        ("item", "dicts", ("index",)),
                    ],
                    dimension="index",
                    count=("count", "types"),
                    checks=[
                        (
                            "every",
                            "encodings",
                            ("==", ("item", "encodings", ("index",)), ("get", ("item", "cells", ("index",)), "tag")),
                        )
                    ],
                ),
            ],
            params=["types", "primaries", "num_rows"],
            checks=[("==", ("pos",), ("end",))],
        )

    def _write(self, out: _rec.Writer, types: list[_Any], primaries: int, num_rows: int) -> None:
        made: _Any = self
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        data, step, index = out.data, "", None
        try:
            step = "num_primary"
            if len(made.types) > made.primaries:
                made.num_primary = made.primaries
            else:
                made.num_primary = None
            if len(made.types) > made.primaries:
                _out.put_uvarint(data, made.num_primary, 32)
            step = "num_children"
            if len(made.types) > made.primaries:
                made.num_children = len(made.types) - made.primaries
            else:
                made.num_children = None
            if len(made.types) > made.primaries:
                _out.put_uvarint(data, made.num_children, 32)
            step = "elements"
            if len(made.types) > made.primaries:
                for index, item in enumerate(_out.exactly(made.elements, made.num_children)):
                    _out.put_uvarint(data, item, 32)
                index = None
            else:
                _out.absent(made.elements)
            step = "encodings"
            made.encodings = [made.cells[index].tag for index in range(len(made.types))]
            made.encodings = _col.packed(made.encodings, len(made.types), 2)
            data += made.encodings.to_bytes()
            step = "has_nulls"
            made.has_nulls = [int(made.nulls[index] is not None) for index in range(len(made.types))]
            made.has_nulls = _col.packed(made.has_nulls, len(made.types), 1)
            data += made.has_nulls.to_bytes()
            step = "consts"
            for index, item in enumerate(_out.exactly(made.consts, len(made.types))):
                if made.encodings[index] != PageEncoding.CONST:
                    _out.absent(item)
                    continue
                data += _col.encoded(item, _col.layout_of(Value, made.types[index]), 1)
            index = None
            step = "dicts"
            for index, item in enumerate(_out.exactly(made.dicts, len(made.types))):
                if made.encodings[index] != PageEncoding.DICT:
                    _out.absent(item)
                    continue
                _out.instance(item, Dict)._write(out, made.types[index])
            index = None
            step = "nulls"
            for index, item in enumerate(_out.exactly(made.nulls, len(made.types))):
                if made.has_nulls[index] != 1:
                    _out.absent(item)
                    continue
                _out.instance(item, Bitmap)._write(out, rows_of(index, made.primaries, made.num_rows, made.elements))
            index = None
            step = "cells"
            for index, item in enumerate(_out.exactly(made.cells, len(made.types))):
                _out.instance(item, Cells)._write(
                    out,
                    made.encodings[index],
                    made.types[index],
                    live(rows_of(index, made.primaries, made.num_rows, made.elements), made.nulls[index]),
                    made.dicts[index],
                )
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Dict(_rec.Record):
    """Distinct values in the order in which they came.

    Attributes:
        size: int
        entries: _columns.Values
    """

    __slots__ = ("type", "size", "entries")
    _given = ("entries",)
    _parameters = ("type",)
    type: _Any
    size: int
    entries: _columns.Values

    def __init__(
        self,
        *,
        entries: _columns.Values = _rec.UNSET,
    ) -> None:
        self.size = _rec.UNSET
        self.entries = entries

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type: _Any) -> tuple[Dict, int]:
        made: _Any = cls.__new__(cls)
        made.type = type
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "size", pos
            made.size, pos = _in.uvarint(buf, pos, 32)
            start_size = start
            step, start = "entries", pos
            made.entries, pos = _col.read_encoded(buf, pos, made.size, _col.layout_of(Value, made.type))
            step = "size"
            if made.size != len(made.entries):
                raise _in.refused("size must be count(entries)", start_size)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("size", "uvarint32", derived=("count", "entries")),
                _tab.Step(
                    "entries",
                    "values",
                    target=Value,
                    arguments=["type"],
                    length="size",
                    checks=[("==", "size", ("count", "entries"))],
                ),
            ],
            params=["type"],
        )

    def _write(self, out: _rec.Writer, type: _Any) -> None:
        made: _Any = self
        made.type = type
        data, step, index = out.data, "", None
        try:
            step = "size"
            made.size = len(made.entries)
            _out.put_uvarint(data, made.size, 32)
            step = "entries"
            data += _col.encoded(made.entries, _col.layout_of(Value, made.type), len(made.entries))
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Bitmap(_rec.Record):
    """A set bit marks a null.

    Attributes:
        null_at: _columns.Bits
    """

    __slots__ = ("rows", "null_at")
    _given = ("null_at",)
    _parameters = ("rows",)
    rows: int
    null_at: _columns.Bits

    def __init__(
        self,
        *,
        null_at: _columns.Bits = _rec.UNSET,
    ) -> None:
        self.null_at = null_at

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, rows: int) -> tuple[Bitmap, int]:
        made: _Any = cls.__new__(cls)
        made.rows = rows
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "null_at", pos
            made.null_at, pos = _col.read_bits(buf, pos, made.rows, 1)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("null_at", "bits", width=1, length="rows"),
            ],
            params=["rows"],
        )

    def _write(self, out: _rec.Writer, rows: int) -> None:
        made: _Any = self
        made.rows = rows
        data, step, index = out.data, "", None
        try:
            step = "null_at"
            made.null_at = _col.packed(made.null_at, made.rows, 1)
            data += made.null_at.to_bytes()
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Cells(_rec.Variant):
    """The values of the rows that are not null."""

    __slots__ = ("how", "type", "rows", "dict")
    how: PageEncoding | int
    type: _Any
    rows: int
    dict: Dict
    PLAIN: _ClassVar[_rec.Class[Cells_PLAIN]]
    CONST: _ClassVar[_rec.Class[Cells_CONST]]
    DICT: _ClassVar[_rec.Class[Cells_DICT]]
    ALL_NULL: _ClassVar[_rec.Class[Cells_ALL_NULL]]

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells, int]:
        tag: _Any = how
        found: _Any = _Cells_alternatives.get(tag)
        if found is None:
            raise _in.refused(f"Cells has no alternative for {tag!r}", pos)
        made, pos = found._read(at, pos, how, type, rows, dict)
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Choice("how", params=["how", "type", "rows", "dict"], table=_Cells_alternatives)


class Cells_PLAIN(Cells):
    """Cells.PLAIN.

    Attributes:
        values: _columns.Values
    """

    __slots__ = ("values",)
    _given = ("values",)
    _parameters = ("how", "type", "rows", "dict")
    kind = "PLAIN"
    tag = PageEncoding.PLAIN
    how: PageEncoding | int
    type: _Any
    rows: int
    dict: Dict
    values: _columns.Values

    def __init__(
        self,
        *,
        values: _columns.Values = _rec.UNSET,
    ) -> None:
        self.values = values

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_PLAIN, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "values", pos
            made.values, pos = _col.read_encoded(buf, pos, made.rows, _col.layout_of(Value, made.type))
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("values", "values", target=Value, arguments=["type"], length="rows"),
            ],
            params=["how", "type", "rows", "dict"],
        )

    def _write(self, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        made: _Any = self
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        data, step, index = out.data, "", None
        try:
            if made.how != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.how!r}")
            step = "values"
            data += _col.encoded(made.values, _col.layout_of(Value, made.type), made.rows)
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Cells_CONST(Cells):
    """Cells.CONST."""

    __slots__ = ()
    _given = ()
    _parameters = ("how", "type", "rows", "dict")
    kind = "CONST"
    tag = PageEncoding.CONST
    how: PageEncoding | int
    type: _Any
    rows: int
    dict: Dict

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_CONST, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["how", "type", "rows", "dict"])

    def _write(self, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        made: _Any = self
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        step, index = "", None
        try:
            if made.how != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.how!r}")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Cells_DICT(Cells):
    """Cells.DICT.

    Attributes:
        codes: _columns.Bits
    """

    __slots__ = ("codes",)
    _given = ("codes",)
    _parameters = ("how", "type", "rows", "dict")
    kind = "DICT"
    tag = PageEncoding.DICT
    how: PageEncoding | int
    type: _Any
    rows: int
    dict: Dict
    codes: _columns.Bits

    def __init__(
        self,
        *,
        codes: _columns.Bits = _rec.UNSET,
    ) -> None:
        self.codes = codes

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_DICT, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "codes", pos
            made.codes, pos = _col.read_bits(buf, pos, made.rows, bit_width(len(made.dict.entries)))
            if not (_fn.largest(made.codes) < len(made.dict.entries)):
                raise _in.refused("corrupt dict index", start)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "codes",
                    "bits",
                    width=(
                        "let",
                        (("entries", ("count", ("get", "dict", "entries"))),),
                        ("if", ("<=", "entries", 1), 0, ("bit_length", ("-", "entries", 1))),
                    ),
                    length="rows",
                    checks=[("<", ("largest", "codes"), ("count", ("get", "dict", "entries")))],
                ),
            ],
            params=["how", "type", "rows", "dict"],
        )

    def _write(self, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        made: _Any = self
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        data, step, index = out.data, "", None
        try:
            if made.how != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.how!r}")
            step = "codes"
            made.codes = _col.packed(made.codes, made.rows, bit_width(len(made.dict.entries)))
            data += made.codes.to_bytes()
            if not (_fn.largest(made.codes) < len(made.dict.entries)):
                raise _out.unfit("corrupt dict index")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Cells_ALL_NULL(Cells):
    """Cells.ALL_NULL."""

    __slots__ = ()
    _given = ()
    _parameters = ("how", "type", "rows", "dict")
    kind = "ALL_NULL"
    tag = PageEncoding.ALL_NULL
    how: PageEncoding | int
    type: _Any
    rows: int
    dict: Dict

    @classmethod
    def _read(
        cls, at: _rec.Span, pos: int, how: PageEncoding | int, type: _Any, rows: int, dict: Dict
    ) -> tuple[Cells_ALL_NULL, int]:
        made: _Any = cls.__new__(cls)
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body([], params=["how", "type", "rows", "dict"])

    def _write(self, out: _rec.Writer, how: PageEncoding | int, type: _Any, rows: int, dict: Dict) -> None:
        made: _Any = self
        made.how = how
        made.type = type
        made.rows = rows
        made.dict = dict
        step, index = "", None
        try:
            if made.how != made.tag:
                raise _out.unfit(f"the alternative {made.kind} has the tag {made.tag!r}, not {made.how!r}")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


Cells.PLAIN = Cells_PLAIN
Cells.CONST = Cells_CONST
Cells.DICT = Cells_DICT
Cells.ALL_NULL = Cells_ALL_NULL
_Cells_alternatives: dict[_Any, _Any] = {
    PageEncoding.PLAIN: Cells_PLAIN,
    PageEncoding.CONST: Cells_CONST,
    PageEncoding.DICT: Cells_DICT,
    PageEncoding.ALL_NULL: Cells_ALL_NULL,
}


class Directory(_rec.Record):
    """The front of a bucket with a block a column: enough to find each block.

    Attributes:
        num_children: int | None
        elements: list[int] | None
        slot_sizes: 0 for columns without values, which have no block.
    """

    __slots__ = ("types", "primaries", "num_children", "elements", "slot_sizes")
    _given = ("elements", "slot_sizes")
    _parameters = ("types", "primaries")
    types: list[_Any]
    primaries: int
    num_children: int | None
    elements: list[int] | None
    slot_sizes: list[int]

    def __init__(
        self,
        *,
        elements: list[int] | None = _rec.UNSET,
        slot_sizes: list[int] = _rec.UNSET,
    ) -> None:
        self.num_children = _rec.UNSET
        self.elements = elements
        self.slot_sizes = slot_sizes

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, types: list[_Any], primaries: int) -> tuple[Directory, int]:
        made: _Any = cls.__new__(cls)
        made.types = types
        made.primaries = primaries
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "num_children", pos
            if len(made.types) > made.primaries:
                made.num_children, pos = _in.number(buf, pos, "<H")
            else:
                made.num_children = None
            if made.num_children is not None and made.num_children != len(made.types) - made.primaries:
                raise _in.refused("num_children must be count(types) - primaries", start)
            step, start = "elements", pos
            if len(made.types) > made.primaries:
                made.elements, pos = _in.numbers(buf, pos, made.num_children, "<", "I")
            else:
                made.elements = None
            step, start = "slot_sizes", pos
            made.slot_sizes, pos = _in.numbers(buf, pos, len(made.types), "<", "I")
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "num_children",
                    "u16",
                    present=(">", ("count", "types"), "primaries"),
                    derived=("-", ("count", "types"), "primaries"),
                    checks=[
                        (
                            "or",
                            ("is", "num_children", None),
                            ("==", "num_children", ("-", ("count", "types"), "primaries")),
                        )
                    ],
                ),
                _tab.Step(
                    "elements",
                    "u32",
                    dimension="count",
                    count="num_children",
                    smallest=4,
                    present=(">", ("count", "types"), "primaries"),
                ),
                _tab.Step("slot_sizes", "u32", dimension="count", count=("count", "types"), smallest=4),
            ],
            params=["types", "primaries"],
        )

    def _write(self, out: _rec.Writer, types: list[_Any], primaries: int) -> None:
        made: _Any = self
        made.types = types
        made.primaries = primaries
        data, step, index = out.data, "", None
        try:
            step = "num_children"
            if len(made.types) > made.primaries:
                made.num_children = len(made.types) - made.primaries
            else:
                made.num_children = None
            if len(made.types) > made.primaries:
                data += _out.pack("<H", made.num_children)
            step = "elements"
            if len(made.types) > made.primaries:
                _out.put_numbers(data, _out.exactly(made.elements, made.num_children), "<", "I")
            else:
                _out.absent(made.elements)
            step = "slot_sizes"
            _out.put_numbers(data, _out.exactly(made.slot_sizes, len(made.types)), "<", "I")
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Pages(_rec.Record):
    """A block a column.

    Attributes:
        directory: Directory
        slots: list[Slot | None]
    """

    __slots__ = ("types", "primaries", "num_rows", "directory", "slots")
    _given = ("directory", "slots")
    _parameters = ("types", "primaries", "num_rows")
    types: list[_Any]
    primaries: int
    num_rows: int
    directory: Directory
    slots: list[Slot | None]

    def __init__(
        self,
        *,
        directory: Directory = _rec.UNSET,
        slots: list[Slot | None] = _rec.UNSET,
    ) -> None:
        self.directory = directory
        self.slots = slots

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, types: list[_Any], primaries: int, num_rows: int) -> tuple[Pages, int]:
        made: _Any = cls.__new__(cls)
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        item: _Any
        items: list[_Any]
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "directory", pos
            made.directory, pos = Directory._read(at, pos, made.types, made.primaries)
            step, start = "slots", pos
            made.slots = items = []
            begin = pos
            for index in range(len(made.types)):
                if not (made.directory.slot_sizes[index] > 0):
                    items.append(None)
                    continue
                start = pos
                outer, at = at, at.within(pos, made.directory.slot_sizes[index])
                buf = at.buf
                item, pos = Slot._read(
                    at, pos, made.types[index], rows_of(index, made.primaries, made.num_rows, made.directory.elements)
                )
                at.finish(pos)
                at = outer
                buf = at.buf
                items.append(item)
            index, start = None, begin
            step, start = "", pos
            if pos != len(buf):
                raise _in.refused("slots do not fill the bucket", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("directory", "record", target=Directory, arguments=["types", "primaries"]),
                _tab.Step(
                    "slots",
                    "record",
                    target=Slot,
                    arguments=[
                        ("item", "types", ("index",)),
                        (
                            "let",
                            (
                                ("position", ("index",)),
                                ("primaries", "primaries"),
                                ("num_rows", "num_rows"),
                                ("elements", ("get", "directory", "elements")),
                            ),
                            (
                                "if",
                                ("<", "position", "primaries"),
                                "num_rows",
                                ("item", "elements", ("-", "position", "primaries")),
                            ),
                        ),
                    ],
                    dimension="index",
                    count=("count", "types"),
                    present=(">", ("item", ("get", "directory", "slot_sizes"), ("index",)), 0),
                    size=("item", ("get", "directory", "slot_sizes"), ("index",)),
                ),
            ],
            params=["types", "primaries", "num_rows"],
            checks=[("==", ("pos",), ("end",))],
        )

    def _write(self, out: _rec.Writer, types: list[_Any], primaries: int, num_rows: int) -> None:
        made: _Any = self
        made.types = types
        made.primaries = primaries
        made.num_rows = num_rows
        data, step, index = out.data, "", None
        try:
            step = "directory"
            _out.instance(made.directory, Directory)._write(out, made.types, made.primaries)
            step = "slots"
            for index, item in enumerate(_out.exactly(made.slots, len(made.types))):
                if not (made.directory.slot_sizes[index] > 0):
                    _out.absent(item)
                    continue
                begun = len(data)
                _out.instance(item, Slot)._write(
                    out, made.types[index], rows_of(index, made.primaries, made.num_rows, made.directory.elements)
                )
                if len(data) - begun != made.directory.slot_sizes[index]:
                    raise _out.unfit("its size is not the one that its declaration gives")
            index = None
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


class Slot(_rec.Record):
    """One column's block.

    Attributes:
        inflated: int
        page: Page
    """

    __slots__ = ("type", "rows", "inflated", "page")
    _given = ("page",)
    _parameters = ("type", "rows")
    type: _Any
    rows: int
    inflated: int
    page: Page

    def __init__(
        self,
        *,
        page: Page = _rec.UNSET,
    ) -> None:
        self.inflated = _rec.UNSET
        self.page = page

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type: _Any, rows: int) -> tuple[Slot, int]:
        made: _Any = cls.__new__(cls)
        made.type = type
        made.rows = rows
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "inflated", pos
            made.inflated, pos = _in.uvarint(buf, pos, 32)
            start_inflated = start
            if not (made.inflated <= max_inflated(len(buf) - pos)):
                raise _in.refused("the declared size is over what the block can hold", start)
            step, start = "page", pos
            size = len(buf) - pos
            stop = pos + size
            outer, at = at, at.through([zstd(made.inflated).make()], pos, size)
            buf, pos = at.buf, 0
            made.page, pos = Page._read(at, pos, made.type, made.rows)
            at.finish(pos)
            raw_page = pos
            pos = stop
            at = outer
            buf = at.buf
            step = "inflated"
            if made.inflated != raw_page:
                raise _in.refused("inflated must be raw_size(page)", start_inflated)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step(
                    "inflated",
                    "uvarint32",
                    derived=("noted", "raw_size", "page"),
                    checks=[
                        (
                            "<=",
                            "inflated",
                            (
                                "let",
                                (("bytes_stored", ("-", ("end",), ("pos",))),),
                                ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored"))),
                            ),
                        )
                    ],
                ),
                _tab.Step(
                    "page",
                    "record",
                    target=Page,
                    arguments=["type", "rows"],
                    size=("-", ("end",), ("pos",)),
                    codecs=[(("call", zstd, "inflated"),)],
                    notes=["raw_size"],
                    checks=[("==", "inflated", ("noted", "raw_size", "page"))],
                ),
            ],
            params=["type", "rows"],
        )

    def _write(self, out: _rec.Writer, type: _Any, rows: int) -> None:
        made: _Any = self
        made.type = type
        made.rows = rows
        data, step, index = out.data, "", None
        try:
            step = "page"
            outer, out = out, out.part(0)
            data = out.data
            _out.instance(made.page, Page)._write(out, made.type, made.rows)
            raw_page, out = data, outer
            data = out.data
            step = "inflated"
            made.inflated = len(raw_page)
            _out.put_uvarint(data, made.inflated, 32)
            step = "page"
            part_page = out.through([zstd(made.inflated)], raw_page)
            step = "inflated"
            if not (made.inflated <= max_inflated(len(part_page))):
                raise _out.unfit("the declared size is over what the block can hold")
            data += part_page
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


_Page_encoding = _rec.Layout("<", encoding="B", flags="B")


class Page(_rec.Record):
    """One column.

    Attributes:
        encoding: int
        flags: int
        constant: _columns.Values | None
        dict: Dict | None
        nulls: Bitmap | None
        cells: Cells
    """

    __slots__ = ("type", "rows", "encoding", "flags", "constant", "dict", "nulls", "cells")
    _given = ("constant", "dict", "nulls", "cells")
    _parameters = ("type", "rows")
    type: _Any
    rows: int
    encoding: int
    flags: int
    constant: _columns.Values | None
    dict: Dict | None
    nulls: Bitmap | None
    cells: Cells

    def __init__(
        self,
        *,
        constant: _columns.Values | None = _rec.UNSET,
        dict: Dict | None = _rec.UNSET,
        nulls: Bitmap | None = _rec.UNSET,
        cells: Cells = _rec.UNSET,
    ) -> None:
        self.encoding = _rec.UNSET
        self.flags = _rec.UNSET
        self.constant = constant
        self.dict = dict
        self.nulls = nulls
        self.cells = cells

    @classmethod
    def _read(cls, at: _rec.Span, pos: int, type: _Any, rows: int) -> tuple[Page, int]:
        made: _Any = cls.__new__(cls)
        made.type = type
        made.rows = rows
        buf, step, index, start = at.buf, "", None, pos
        try:
            step, start = "", pos
            made.encoding, made.flags = _Page_encoding.unpack(buf, pos)
            pos += 2
            start_encoding = start
            step = "encoding"
            if made.encoding == PageEncoding.ALL_NULL:
                raise _in.refused("column page: unsupported encoding", start)
            start_flags = start + 1
            step = "flags"
            if not (made.flags <= 1):
                raise _in.refused("column page: unknown flags", start + 1)
            step, start = "constant", pos
            if made.encoding == PageEncoding.CONST:
                made.constant, pos = _col.read_encoded(buf, pos, 1, _col.layout_of(Value, made.type))
            else:
                made.constant = None
            step, start = "dict", pos
            if made.encoding == PageEncoding.DICT:
                made.dict, pos = Dict._read(at, pos, made.type)
            else:
                made.dict = None
            step, start = "nulls", pos
            if made.flags == 1:
                made.nulls, pos = Bitmap._read(at, pos, made.rows)
            else:
                made.nulls = None
            step = "flags"
            if made.flags != int(made.nulls is not None):
                raise _in.refused("flags must be present(nulls)", start_flags)
            step, start = "cells", pos
            made.cells, pos = Cells._read(at, pos, made.encoding, made.type, live(made.rows, made.nulls), made.dict)
            step = "encoding"
            if made.encoding != made.cells.tag:
                raise _in.refused("encoding must be tag(cells)", start_encoding)
            step, start = "", pos
            if pos != len(buf):
                raise _in.refused("trailing bytes in page", pos)
        except _in.UNREADABLE as error:
            raise _in.unread(error, at, step, index, start) from None
        return made, pos

    @staticmethod
    def _table() -> _rec.Table:
        return _tab.Body(
            [
                _tab.Step("encoding", "u8", derived=("get", "cells", "tag")),
                _tab.Step(
                    "flags",
                    "u8",
                    derived=("int", ("not", ("is", "nulls", None))),
                    checks=[("!=", "encoding", PageEncoding.ALL_NULL), ("<=", "flags", 1)],
                ),
                _tab.Step(
                    "constant",
                    "values",
                    target=Value,
                    arguments=["type"],
                    present=("==", "encoding", PageEncoding.CONST),
                ),
                _tab.Step(
                    "dict", "record", target=Dict, arguments=["type"], present=("==", "encoding", PageEncoding.DICT)
                ),
                _tab.Step(
                    "nulls",
                    "record",
                    target=Bitmap,
                    arguments=["rows"],
                    present=("==", "flags", 1),
                    checks=[("==", "flags", ("int", ("not", ("is", "nulls", None))))],
                ),
                _tab.Step(
                    "cells",
                    "record",
                    target=Cells,
                    arguments=[
                        "encoding",
                        "type",
                        (
                            "let",
                            (("rows", "rows"), ("nulls", "nulls")),
                            (
                                "if",
                                ("not", ("is", "nulls", None)),
                                ("-", "rows", ("sum", ("get", "nulls", "null_at"))),
                                "rows",
                            ),
                        ),
                        "dict",
                    ],
                    checks=[("==", "encoding", ("get", "cells", "tag"))],
                ),
            ],
            params=["type", "rows"],
            checks=[("==", ("pos",), ("end",))],
        )

    def _write(self, out: _rec.Writer, type: _Any, rows: int) -> None:
        made: _Any = self
        made.type = type
        made.rows = rows
        data, step, index = out.data, "", None
        try:
            step = "encoding"
            made.encoding = made.cells.tag
            step = "flags"
            made.flags = int(made.nulls is not None)
            step = ""
            data += _Page_encoding.pack(made.encoding, made.flags)
            step = "encoding"
            if made.encoding == PageEncoding.ALL_NULL:
                raise _out.unfit("column page: unsupported encoding")
            step = "flags"
            if not (made.flags <= 1):
                raise _out.unfit("column page: unknown flags")
            step = "constant"
            if made.encoding == PageEncoding.CONST:
                data += _col.encoded(made.constant, _col.layout_of(Value, made.type), 1)
            else:
                _out.absent(made.constant)
            step = "dict"
            if made.encoding == PageEncoding.DICT:
                _out.instance(made.dict, Dict)._write(out, made.type)
            else:
                _out.absent(made.dict)
            step = "nulls"
            if made.flags == 1:
                _out.instance(made.nulls, Bitmap)._write(out, made.rows)
            else:
                _out.absent(made.nulls)
            step = "cells"
            _out.instance(made.cells, Cells)._write(
                out, made.encoding, made.type, live(made.rows, made.nulls), made.dict
            )
        except _out.UNWRITABLE as error:
            raise _out.unwritten(error, step, index) from None


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

# A value is the length it shares with its predecessor, then its new suffix.
front_coded = _decl.Codec(
    "front_coded",
    (),
    "bytes",
    fields=lambda: [
        _decl.Field(
            "shared",
            "uvarint32",
            derived=lambda value, prev: _fn.common_prefix(prev, value),
            conditions=[(lambda shared, prev: shared <= _fn.count(prev), "schema: corrupted column name encoding")],
        ),
        _decl.Field("added", "uvarint32", derived=lambda value, shared: _fn.count(value) - shared),
        _decl.Field(
            "suffix",
            "bytes",
            count=_decl.Symbol("added"),
            derived=lambda value, shared: value[shared:],
        ),
    ],
    value=lambda: lambda shared, added, suffix, prev: prev[:shared] + suffix,
)

# The difference from its predecessor.
zigzag_delta = _decl.Codec(
    "zigzag_delta",
    (),
    "i64",
    fields=lambda: [
        _decl.Field("step", "svarint64", derived=lambda value, prev: value - prev),
    ],
    value=lambda: lambda step, prev: prev + step,
)

# Tokens of pair rules; without rules, the bytes themselves.
bpe = _decl.Codec("bpe", ("rules",), "bytes", "mosaic.bpe:Bpe")

# The low eight bits of a varint that holds a sign-extended number.
narrow = _decl.Codec(
    "narrow",
    (),
    "i32",
    fields=lambda: [
        _decl.Field("word", "uvarint32", derived=lambda value: value & 4294967295),
    ],
    value=lambda: lambda word: (word & 255 ^ 128) - 128,
)

# A number as its quotient, rounded down, and its remainder.
divided = _decl.Codec(
    "divided",
    ("unit",),
    "i64",
    fields=lambda unit: [
        _decl.Field("whole", "i64", derived=lambda value: value // unit),
        _decl.Field(
            "part",
            "i32",
            derived=lambda value: value % unit,
            conditions=[(lambda part: 0 <= part < unit, "the remainder is outside its range")],
        ),
    ],
    value=lambda unit: lambda whole, part: whole * unit + part,
)

# A big-endian two's complement number of as few bytes as possible.
shortest = _decl.Codec("shortest", (), "bytes", "runtime.columns.integers:Shortest")


def Value() -> _decl.Encoding:
    """One value that is not null, the same in pages, constants, dictionaries and statistics."""
    return _decl.Encoding(
        "Value",
        "TypeParams",
        ("big",),
        [
            _decl.Case(
                (("BOOLEAN", 0),),
                lambda: [
                    _decl.Field("v", "bool8"),
                ],
            ),
            _decl.Case(
                (("TINYINT", 0),),
                lambda: [
                    _decl.Field("v", "i8"),
                ],
            ),
            _decl.Case(
                (("SMALLINT", 0),),
                lambda: [
                    _decl.Field("v", "i16"),
                ],
            ),
            _decl.Case(
                (("INTEGER", 0), ("DATE", 0), ("TIME", 0), ("ARRAY", 0), ("MAP", 0)),
                lambda: [
                    _decl.Field("v", "i32"),
                ],
            ),
            _decl.Case(
                (("BIGINT", 0),),
                lambda: [
                    _decl.Field("v", "i64"),
                ],
            ),
            _decl.Case(
                (("FLOAT", 0),),
                lambda: [
                    _decl.Field("v", "f32"),
                ],
            ),
            _decl.Case(
                (("DOUBLE", 0),),
                lambda: [
                    _decl.Field("v", "f64"),
                ],
            ),
            _decl.Case(
                (("DECIMAL", 1),),
                lambda precision: [
                    _decl.Field("v", "i64"),
                ],
                condition=lambda precision: precision <= 18,
            ),
            _decl.Case(
                (("DECIMAL", 0),),
                lambda: [
                    _decl.Field(
                        "size_of_v",
                        "uvarint32",
                        derived=lambda v: _fn.count(v),
                        conditions=[(lambda size_of_v: 1 <= size_of_v <= 16, "1 <= size_of_v <= 16 does not hold")],
                    ),
                    _decl.Field("v", "bytes", count=_decl.Symbol("size_of_v"), via=[shortest()]),
                ],
            ),
            _decl.Case(
                (("TIMESTAMP", 1), ("TIMESTAMP_LTZ", 1)),
                lambda precision: [
                    _decl.Field("v", "i64"),
                ],
                condition=lambda precision: precision <= 6,
            ),
            _decl.Case(
                (("TIMESTAMP", 0), ("TIMESTAMP_LTZ", 0)),
                lambda: [
                    _decl.Field("v", "i64", via=[divided(NANOS_PER_MILLI)]),
                ],
            ),
            _decl.Case(
                (("CHAR", 0), ("VARCHAR", 0), ("STRING", 0)),
                lambda: [
                    _decl.Field("size_of_v", "uvarint32", derived=lambda v: _fn.count(v)),
                    _decl.Field("v", "utf8", count=_decl.Symbol("size_of_v")),
                ],
            ),
            _decl.Case(
                (("BINARY", 0), ("VARBINARY", 0), ("BYTES", 0)),
                lambda: [
                    _decl.Field("size_of_v", "uvarint32", derived=lambda v: _fn.count(v)),
                    _decl.Field("v", "bytes", count=_decl.Symbol("size_of_v")),
                ],
            ),
        ],
    )


def bucket_of(position: _Any, columns: _Any, buckets: _Any) -> _Any:
    """The bucket of a column; the file does not store it."""
    return position * buckets // columns


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
    "Compression": 25, "NameEncoding": 33, "PageEncoding": 41, "BucketLayout": 53,
})  # fmt: skip
__spec__.add(
    [
        _spec.Spec(
            "File",
            "record",
            File,
            [
                _spec.FieldSpec("schema", 1, "SchemaBlock", "required", None, ""),
                _spec.FieldSpec("index", 2, "Index", "required", None, ""),
                _spec.FieldSpec("footer", 3, "Footer", "required", None, ""),
            ],
            ("mosaic.idl", 65),
            "A whole file, read from its end: the footer locates the schema and the index, the index the buckets.",
        ),
        _spec.Spec(
            "Footer",
            "record",
            Footer,
            [
                _spec.FieldSpec("index_offset", 1, "u64", "required", None, ""),
                _spec.FieldSpec("schema_offset", 2, "u64", "required", None, ""),
                _spec.FieldSpec("num_buckets", 3, "u32", "required", None, ""),
                _spec.FieldSpec("num_row_groups", 4, "u32", "required", None, ""),
                _spec.FieldSpec("compression", 5, "u8", "required", None, ""),
                _spec.FieldSpec("version", 6, "u8", "required", None, ""),
                _spec.FieldSpec("reserved", 7, "u16", "required", None, ""),
                _spec.FieldSpec("magic", 8, "bytes[4]", "required", None, ""),
            ],
            ("mosaic.idl", 76),
            "The last bytes of a file.",
        ),
        _spec.Spec(
            "SchemaBlock",
            "record",
            SchemaBlock,
            [
                _spec.FieldSpec("inflated", 1, "u32", "required", None, ""),
                _spec.FieldSpec("body", 2, "Schema", "required", None, ""),
            ],
            ("mosaic.idl", 102),
            "The schema, compressed as the buckets are.",
        ),
        _spec.Spec(
            "Schema",
            "record",
            Schema,
            [
                _spec.FieldSpec("num_columns", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("num_buckets", 2, "uvarint32", "required", None, ""),
                _spec.FieldSpec("name_encoding", 3, "u8", "required", None, ""),
                _spec.FieldSpec("num_rules", 4, "uvarint32", "required", None, ""),
                _spec.FieldSpec("rules", 5, "BpeRule[num_rules]", "required", None, ""),
                _spec.FieldSpec("columns", 6, "Column[num_columns]", "required", None, ""),
                _spec.FieldSpec(
                    "order",
                    7,
                    "i64[num_columns]",
                    "required",
                    None,
                    "Sorted position of each column in the user's order; the oldest files end before it.",
                ),
            ],
            ("mosaic.idl", 108),
            "Columns in the order of their names, compared as bytes.",
        ),
        _spec.Spec(
            "BpeRule",
            "record",
            BpeRule,
            [
                _spec.FieldSpec("left", 1, "u8", "required", None, ""),
                _spec.FieldSpec("right", 2, "u8", "required", None, ""),
            ],
            ("mosaic.idl", 123),
            "Two tokens that one token stands for.",
        ),
        _spec.Spec(
            "Column",
            "record",
            Column,
            [
                _spec.FieldSpec("name", 1, "utf8", "required", None, ""),
                _spec.FieldSpec("type", 2, "TypeDescriptor", "required", None, ""),
            ],
            ("mosaic.idl", 129),
            "A top-level column.",
        ),
        _spec.Spec(
            "TypeDescriptor",
            "record",
            TypeDescriptor,
            [
                _spec.FieldSpec("type_id", 1, "u8", "required", None, ""),
                _spec.FieldSpec("nullable", 2, "u8", "required", None, "0 for columns without nulls."),
                _spec.FieldSpec("params", 3, "TypeParams", "required", None, ""),
            ],
            ("mosaic.idl", 155),
            "A type, nested ones with those of their children.",
        ),
        _spec.Spec(
            "NamedType",
            "record",
            NamedType,
            [
                _spec.FieldSpec("size_of_name", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("name", 2, "utf8[size_of_name]", "required", None, ""),
                _spec.FieldSpec("type", 3, "TypeDescriptor", "required", None, ""),
            ],
            ("mosaic.idl", 163),
            "A child of a nested type.",
        ),
        _spec.Spec(
            "TypeParams",
            "variant",
            TypeParams,
            [
                _spec.FieldSpec("BOOLEAN", 1, TypeParams_BOOLEAN, "optional", None, "TypeParams.BOOLEAN."),
                _spec.FieldSpec("TINYINT", 2, TypeParams_TINYINT, "optional", None, "TypeParams.TINYINT."),
                _spec.FieldSpec("SMALLINT", 3, TypeParams_SMALLINT, "optional", None, "TypeParams.SMALLINT."),
                _spec.FieldSpec("INTEGER", 4, TypeParams_INTEGER, "optional", None, "TypeParams.INTEGER."),
                _spec.FieldSpec("BIGINT", 5, TypeParams_BIGINT, "optional", None, "TypeParams.BIGINT."),
                _spec.FieldSpec("FLOAT", 6, TypeParams_FLOAT, "optional", None, "TypeParams.FLOAT."),
                _spec.FieldSpec("DOUBLE", 7, TypeParams_DOUBLE, "optional", None, "TypeParams.DOUBLE."),
                _spec.FieldSpec("DATE", 8, TypeParams_DATE, "optional", None, "TypeParams.DATE."),
                _spec.FieldSpec("CHAR", 9, TypeParams_CHAR, "optional", None, "TypeParams.CHAR."),
                _spec.FieldSpec("VARCHAR", 10, TypeParams_VARCHAR, "optional", None, "TypeParams.VARCHAR."),
                _spec.FieldSpec("STRING", 11, TypeParams_STRING, "optional", None, "TypeParams.STRING."),
                _spec.FieldSpec("BINARY", 12, TypeParams_BINARY, "optional", None, "TypeParams.BINARY."),
                _spec.FieldSpec("VARBINARY", 13, TypeParams_VARBINARY, "optional", None, "TypeParams.VARBINARY."),
                _spec.FieldSpec("BYTES", 14, TypeParams_BYTES, "optional", None, "TypeParams.BYTES."),
                _spec.FieldSpec("DECIMAL", 15, TypeParams_DECIMAL, "optional", None, "TypeParams.DECIMAL."),
                _spec.FieldSpec("TIME", 16, TypeParams_TIME, "optional", None, "TypeParams.TIME."),
                _spec.FieldSpec("TIMESTAMP", 17, TypeParams_TIMESTAMP, "optional", None, "TypeParams.TIMESTAMP."),
                _spec.FieldSpec(
                    "TIMESTAMP_LTZ",
                    18,
                    TypeParams_TIMESTAMP_LTZ,
                    "optional",
                    None,
                    "TypeParams.TIMESTAMP_LTZ.",
                ),
                _spec.FieldSpec("ARRAY", 19, TypeParams_ARRAY, "optional", None, "TypeParams.ARRAY."),
                _spec.FieldSpec("MAP", 20, TypeParams_MAP, "optional", None, "TypeParams.MAP."),
            ],
            ("mosaic.idl", 170),
            "What a type takes, and the Arrow type it is read as.",
        ),
        _spec.Spec(
            "TypeParams.BOOLEAN",
            "variant",
            TypeParams_BOOLEAN,
            [],
            ("mosaic.idl", 171),
            "TypeParams.BOOLEAN.",
        ),
        _spec.Spec(
            "TypeParams.TINYINT",
            "variant",
            TypeParams_TINYINT,
            [],
            ("mosaic.idl", 172),
            "TypeParams.TINYINT.",
        ),
        _spec.Spec(
            "TypeParams.SMALLINT",
            "variant",
            TypeParams_SMALLINT,
            [],
            ("mosaic.idl", 173),
            "TypeParams.SMALLINT.",
        ),
        _spec.Spec(
            "TypeParams.INTEGER",
            "variant",
            TypeParams_INTEGER,
            [],
            ("mosaic.idl", 174),
            "TypeParams.INTEGER.",
        ),
        _spec.Spec(
            "TypeParams.BIGINT",
            "variant",
            TypeParams_BIGINT,
            [],
            ("mosaic.idl", 175),
            "TypeParams.BIGINT.",
        ),
        _spec.Spec(
            "TypeParams.FLOAT",
            "variant",
            TypeParams_FLOAT,
            [],
            ("mosaic.idl", 176),
            "TypeParams.FLOAT.",
        ),
        _spec.Spec(
            "TypeParams.DOUBLE",
            "variant",
            TypeParams_DOUBLE,
            [],
            ("mosaic.idl", 177),
            "TypeParams.DOUBLE.",
        ),
        _spec.Spec(
            "TypeParams.DATE",
            "variant",
            TypeParams_DATE,
            [],
            ("mosaic.idl", 178),
            "TypeParams.DATE.",
        ),
        _spec.Spec(
            "TypeParams.CHAR",
            "variant",
            TypeParams_CHAR,
            [
                _spec.FieldSpec("length", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 179),
            "TypeParams.CHAR.",
        ),
        _spec.Spec(
            "TypeParams.VARCHAR",
            "variant",
            TypeParams_VARCHAR,
            [
                _spec.FieldSpec("length", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 180),
            "TypeParams.VARCHAR.",
        ),
        _spec.Spec(
            "TypeParams.STRING",
            "variant",
            TypeParams_STRING,
            [],
            ("mosaic.idl", 181),
            "TypeParams.STRING.",
        ),
        _spec.Spec(
            "TypeParams.BINARY",
            "variant",
            TypeParams_BINARY,
            [
                _spec.FieldSpec("length", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 182),
            "TypeParams.BINARY.",
        ),
        _spec.Spec(
            "TypeParams.VARBINARY",
            "variant",
            TypeParams_VARBINARY,
            [
                _spec.FieldSpec("length", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 183),
            "TypeParams.VARBINARY.",
        ),
        _spec.Spec(
            "TypeParams.BYTES",
            "variant",
            TypeParams_BYTES,
            [],
            ("mosaic.idl", 184),
            "TypeParams.BYTES.",
        ),
        _spec.Spec(
            "TypeParams.DECIMAL",
            "variant",
            TypeParams_DECIMAL,
            [
                _spec.FieldSpec("precision", 1, "i32", "required", None, ""),
                _spec.FieldSpec("scale", 2, "i32", "required", None, ""),
            ],
            ("mosaic.idl", 185),
            "TypeParams.DECIMAL.",
        ),
        _spec.Spec(
            "TypeParams.TIME",
            "variant",
            TypeParams_TIME,
            [
                _spec.FieldSpec("precision", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 189),
            "TypeParams.TIME.",
        ),
        _spec.Spec(
            "TypeParams.TIMESTAMP",
            "variant",
            TypeParams_TIMESTAMP,
            [
                _spec.FieldSpec("precision", 1, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 190),
            "TypeParams.TIMESTAMP.",
        ),
        _spec.Spec(
            "TypeParams.TIMESTAMP_LTZ",
            "variant",
            TypeParams_TIMESTAMP_LTZ,
            [
                _spec.FieldSpec("precision", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("size_of_zone", 2, "uvarint32", "required", None, ""),
                _spec.FieldSpec("zone", 3, "utf8[size_of_zone]", "required", None, ""),
            ],
            ("mosaic.idl", 194),
            "TypeParams.TIMESTAMP_LTZ.",
        ),
        _spec.Spec(
            "TypeParams.ARRAY",
            "variant",
            TypeParams_ARRAY,
            [
                _spec.FieldSpec("element", 1, "NamedType", "required", None, ""),
            ],
            ("mosaic.idl", 198),
            "TypeParams.ARRAY.",
        ),
        _spec.Spec(
            "TypeParams.MAP",
            "variant",
            TypeParams_MAP,
            [
                _spec.FieldSpec("size_of_entries", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("entries", 2, "utf8[size_of_entries]", "required", None, ""),
                _spec.FieldSpec("key", 3, "NamedType", "required", None, ""),
                _spec.FieldSpec("item", 4, "NamedType", "required", None, ""),
            ],
            ("mosaic.idl", 199),
            "TypeParams.MAP.",
        ),
        _spec.Spec(
            "Index",
            "record",
            Index,
            [
                _spec.FieldSpec("row_groups", 1, "RowGroup[footer.num_row_groups]", "required", None, ""),
            ],
            ("mosaic.idl", 238),
            "Where the buckets of each row group are.",
        ),
        _spec.Spec(
            "RowGroup",
            "record",
            RowGroup,
            [
                _spec.FieldSpec("num_rows", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("num_buckets", 2, "uvarint32", "required", None, ""),
                _spec.FieldSpec("buckets", 3, "BucketRef[num_buckets]", "required", None, ""),
                _spec.FieldSpec("num_stats", 4, "uvarint32", "required", None, ""),
                _spec.FieldSpec("stats", 5, "ColumnStats[num_stats]", "required", None, ""),
            ],
            ("mosaic.idl", 243),
            "Rows that are stored together.",
        ),
        _spec.Spec(
            "BucketRef",
            "record",
            BucketRef,
            [
                _spec.FieldSpec("bucket_id", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("start", 2, "u64", "required", None, ""),
                _spec.FieldSpec("stored", 3, "uvarint32", "required", None, ""),
                _spec.FieldSpec("inflated", 4, "uvarint32", "required", None, ""),
            ],
            ("mosaic.idl", 254),
            "Where a bucket is. What it inflates to is 0 where each column is a block of its own.",
        ),
        _spec.Spec(
            "ColumnStats",
            "record",
            ColumnStats,
            [
                _spec.FieldSpec("column", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("null_count", 2, "uvarint32", "required", None, ""),
                _spec.FieldSpec("low", 3, "Value", "required", None, ""),
                _spec.FieldSpec("high", 4, "Value", "required", None, ""),
            ],
            ("mosaic.idl", 264),
            "Nulls and bounds of a column in a row group.",
        ),
        _spec.Spec(
            "StoredBucket",
            "record",
            StoredBucket,
            [
                _spec.FieldSpec("data", 1, "Bucket", "required", None, ""),
            ],
            ("mosaic.idl", 281),
            "A bucket where its reference says. `types` are its stored columns: `primaries` of the table, then children, depth first.",
        ),
        _spec.Spec(
            "Bucket",
            "variant",
            Bucket,
            [
                _spec.FieldSpec("EMPTY", 1, Bucket_EMPTY, "optional", None, "Bucket.EMPTY."),
                _spec.FieldSpec("MONOLITHIC", 2, Bucket_MONOLITHIC, "optional", None, "Bucket.MONOLITHIC."),
                _spec.FieldSpec("PAGED", 3, Bucket_PAGED, "optional", None, "Bucket.PAGED."),
            ],
            ("mosaic.idl", 286),
            "The bytes of a bucket, by its layout.",
        ),
        _spec.Spec(
            "Bucket.EMPTY",
            "variant",
            Bucket_EMPTY,
            [],
            ("mosaic.idl", 288),
            "Bucket.EMPTY.",
        ),
        _spec.Spec(
            "Bucket.MONOLITHIC",
            "variant",
            Bucket_MONOLITHIC,
            [
                _spec.FieldSpec("body", 1, "Columns", "required", None, ""),
            ],
            ("mosaic.idl", 289),
            "Bucket.MONOLITHIC.",
        ),
        _spec.Spec(
            "Bucket.PAGED",
            "variant",
            Bucket_PAGED,
            [
                _spec.FieldSpec("body", 1, "Pages", "required", None, ""),
            ],
            ("mosaic.idl", 290),
            "Bucket.PAGED.",
        ),
        _spec.Spec(
            "Columns",
            "record",
            Columns,
            [
                _spec.FieldSpec("num_primary", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("num_children", 2, "uvarint32", "required", None, ""),
                _spec.FieldSpec("elements", 3, "uvarint32[num_children]", "required", None, ""),
                _spec.FieldSpec("encodings", 4, "bits[i < count(types)]", "required", None, ""),
                _spec.FieldSpec("has_nulls", 5, "bits[i < count(types)]", "required", None, ""),
                _spec.FieldSpec("consts", 6, "Value[i < count(types)]", "required", None, ""),
                _spec.FieldSpec("dicts", 7, "Dict[i < count(types)]", "required", None, ""),
                _spec.FieldSpec("nulls", 8, "Bitmap[i < count(types)]", "required", None, ""),
                _spec.FieldSpec("cells", 9, "Cells[i < count(types)]", "required", None, ""),
            ],
            ("mosaic.idl", 300),
            "All columns of a bucket, section by section.",
        ),
        _spec.Spec(
            "Dict",
            "record",
            Dict,
            [
                _spec.FieldSpec("size", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("entries", 2, "Value[size]", "required", None, ""),
            ],
            ("mosaic.idl", 313),
            "Distinct values in the order in which they came.",
        ),
        _spec.Spec(
            "Bitmap",
            "record",
            Bitmap,
            [
                _spec.FieldSpec("null_at", 1, "bits[rows]", "required", None, ""),
            ],
            ("mosaic.idl", 319),
            "A set bit marks a null.",
        ),
        _spec.Spec(
            "Cells",
            "variant",
            Cells,
            [
                _spec.FieldSpec("PLAIN", 1, Cells_PLAIN, "optional", None, "Cells.PLAIN."),
                _spec.FieldSpec("CONST", 2, Cells_CONST, "optional", None, "Cells.CONST."),
                _spec.FieldSpec("DICT", 3, Cells_DICT, "optional", None, "Cells.DICT."),
                _spec.FieldSpec("ALL_NULL", 4, Cells_ALL_NULL, "optional", None, "Cells.ALL_NULL."),
            ],
            ("mosaic.idl", 324),
            "The values of the rows that are not null.",
        ),
        _spec.Spec(
            "Cells.PLAIN",
            "variant",
            Cells_PLAIN,
            [
                _spec.FieldSpec("values", 1, "Value[rows]", "required", None, ""),
            ],
            ("mosaic.idl", 325),
            "Cells.PLAIN.",
        ),
        _spec.Spec(
            "Cells.CONST",
            "variant",
            Cells_CONST,
            [],
            ("mosaic.idl", 326),
            "Cells.CONST.",
        ),
        _spec.Spec(
            "Cells.DICT",
            "variant",
            Cells_DICT,
            [
                _spec.FieldSpec("codes", 1, "bits[rows]", "required", None, ""),
            ],
            ("mosaic.idl", 327),
            "Cells.DICT.",
        ),
        _spec.Spec(
            "Cells.ALL_NULL",
            "variant",
            Cells_ALL_NULL,
            [],
            ("mosaic.idl", 328),
            "Cells.ALL_NULL.",
        ),
        _spec.Spec(
            "Directory",
            "record",
            Directory,
            [
                _spec.FieldSpec("num_children", 1, "u16", "required", None, ""),
                _spec.FieldSpec("elements", 2, "u32[num_children]", "required", None, ""),
                _spec.FieldSpec(
                    "slot_sizes",
                    3,
                    "u32[count(types)]",
                    "required",
                    None,
                    "0 for columns without values, which have no block.",
                ),
            ],
            ("mosaic.idl", 332),
            "The front of a bucket with a block a column: enough to find each block.",
        ),
        _spec.Spec(
            "Pages",
            "record",
            Pages,
            [
                _spec.FieldSpec("directory", 1, "Directory", "required", None, ""),
                _spec.FieldSpec("slots", 2, "Slot[i < count(types)]", "required", None, ""),
            ],
            ("mosaic.idl", 340),
            "A block a column.",
        ),
        _spec.Spec(
            "Slot",
            "record",
            Slot,
            [
                _spec.FieldSpec("inflated", 1, "uvarint32", "required", None, ""),
                _spec.FieldSpec("page", 2, "Page", "required", None, ""),
            ],
            ("mosaic.idl", 347),
            "One column's block.",
        ),
        _spec.Spec(
            "Page",
            "record",
            Page,
            [
                _spec.FieldSpec("encoding", 1, "u8", "required", None, ""),
                _spec.FieldSpec("flags", 2, "u8", "required", None, ""),
                _spec.FieldSpec("constant", 3, "Value", "required", None, ""),
                _spec.FieldSpec("dict", 4, "Dict", "required", None, ""),
                _spec.FieldSpec("nulls", 5, "Bitmap", "required", None, ""),
                _spec.FieldSpec("cells", 6, "Cells", "required", None, ""),
            ],
            ("mosaic.idl", 353),
            "One column.",
        ),
    ]
)

buckets = _objects.ObjectTable(
    name="buckets",
    rows=lambda source: ((rg_index, rg, b) for rg_index, rg in enumerate(source.index.row_groups) for b in rg.buckets),
    columns=(
        _objects.ObjectColumn("row_group", "int32", lambda source, rg_index, rg, b: rg_index),
        _objects.ObjectColumn("bucket", "int32", lambda source, rg_index, rg, b: b.bucket_id),
        _objects.ObjectColumn("start", "int64", lambda source, rg_index, rg, b: b.start),
        _objects.ObjectColumn("stored", "int64", lambda source, rg_index, rg, b: b.stored),
        _objects.ObjectColumn(
            "inflated",
            "int64",
            lambda source, rg_index, rg, b: b.inflated,
            "0 for buckets with a block a column.",
        ),
        _objects.ObjectColumn("num_rows", "int64", lambda source, rg_index, rg, b: rg.num_rows),
    ),
)
"""One row a bucket of a row group."""

columns = _objects.ObjectTable(
    name="columns",
    rows=lambda source: ((i, c) for i, c in enumerate(source.schema.body.columns)),
    columns=(
        _objects.ObjectColumn("position", "int32", lambda source, i, c: i),
        _objects.ObjectColumn("name", "string", lambda source, i, c: c.name),
        _objects.ObjectColumn("nullable", "bool", lambda source, i, c: bool(c.type.nullable)),
    ),
)
"""One row a column, in the order of the names."""
