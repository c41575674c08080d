# Generated from mosaic.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:b7a98ac994da0c0c6d366333fc010ba29635e5042fdb2979bb80dcfec686033f
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
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
from ..runtime.records import record as _rec

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


_Compression_of = _rec.Members(Compression)
_NameEncoding_of = _rec.Members(NameEncoding)
_Footer_index_offset = _rec.Layout(
    ">", index_offset="Q", schema_offset="Q", num_buckets="I", num_row_groups="I", compression="B", version="B",
    reserved="H", magic="4s",
)  # fmt: skip
_TypeDescriptor_type_id = _rec.Layout("<", type_id="B", nullable="B")
_Page_encoding = _rec.Layout("<", encoding="B", flags="B")
_let_max_inflated = _rec.inlined(
    "bytes_stored", ("max", SMALL_BLOCK, ("min", MAX_BLOCK, ("*", MAX_RATIO, "bytes_stored")))
)
_let_bit_width = _rec.inlined("entries", ("if", ("<=", "entries", 1), 0, ("bit_length", ("-", "entries", 1))))
_let_layout_of = _rec.inlined(
    "size_stored inflated",
    (
        "if", ("==", "size_stored", 0), BucketLayout.EMPTY,
        ("if", (">", "inflated", 0), BucketLayout.MONOLITHIC, BucketLayout.PAGED),
    ),
)  # fmt: skip
_let_rows_of = _rec.inlined(
    "position primaries num_rows elements",
    ("if", ("<", "position", "primaries"), "num_rows", ("item", "elements", ("-", "position", "primaries"))),
)
_let_live = _rec.inlined(
    "rows nulls", ("if", ("not", ("is", "nulls", None)), ("-", "rows", ("sum", ("get", "nulls", "null_at"))), "rows")
)


class File(_lazy.LazyRecord):
    """A whole file, read from its end: the footer locates the schema and the index, the index the buckets."""

    schema: SchemaBlock = _rec.placed(
        "SchemaBlock", ("footer", "schema_offset"), record="SchemaBlock", arguments=[("get", "footer", "compression")],
        size=("-", ("get", "footer", "index_offset"), ("get", "footer", "schema_offset")),
        at=("get", "footer", "schema_offset"),
        checks=[("==", ("get", ("get", "schema", "body"), "num_buckets"), ("get", "footer", "num_buckets"))],
    )  # fmt: skip
    index: Index = _rec.placed(
        "Index", ("footer", "index_offset"), record="Index", arguments=["footer", ("get", "schema", "body")],
        size=("-", ("-", ("-", ("end",), ("begin",)), FOOTER_SIZE), ("get", "footer", "index_offset")),
        at=("get", "footer", "index_offset"),
    )  # fmt: skip
    footer: Footer = _rec.placed(
        "Footer", places=True, end=True, takes=FOOTER_SIZE, record="Footer", arguments=[("-", ("end",), ("begin",))],
        size=FOOTER_SIZE, at=("-", ("-", ("end",), ("begin",)), FOOTER_SIZE),
    )  # fmt: skip

    def _span_schema(self: _Any) -> tuple[int, int | None]:
        return self.footer.schema_offset, self.footer.index_offset - self.footer.schema_offset

    def _read_schema(self: _Any, r: _rec.Reader) -> _Any:
        value = r.decode_all("schema", SchemaBlock, self.footer.compression)
        if value.body.num_buckets != self.footer.num_buckets:
            r.refuse("schema", "footer num_buckets does not match schema", 0)
        return value

    def _write_schema(self: _Any, w: _rec.Writer) -> None:
        w.encode("schema", SchemaBlock, self.schema, self.footer.compression)
        if self.schema.body.num_buckets != self.footer.num_buckets:
            w.refuse("schema", "footer num_buckets does not match schema")

    def _span_index(self: _Any) -> tuple[int, int | None]:
        return self.footer.index_offset, self._size - FOOTER_SIZE - self.footer.index_offset

    def _read_index(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("index", Index, self.footer, self.schema.body)

    def _write_index(self: _Any, w: _rec.Writer) -> None:
        w.encode("index", Index, self.index, self.footer, self.schema.body)

    def _span_footer(self: _Any) -> tuple[int, int | None]:
        return self._size - FOOTER_SIZE, FOOTER_SIZE

    def _read_footer(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("footer", Footer, self._size)

    def _write_footer(self: _Any, w: _rec.Writer) -> None:
        w.encode("footer", Footer, self.footer, self._size)


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
        owners=["index_offset", "num_buckets", "compression"], verifies=["version", "magic"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        (
            self.index_offset, self.schema_offset, self.num_buckets, self.num_row_groups, self.compression,
            self._version_, self.reserved, self._magic_,
        ) = r.run(_Footer_index_offset)  # fmt: skip
        if not (self.schema_offset + 4 <= self.index_offset and self.index_offset + FOOTER_SIZE <= self.file_size):
            r.refuse("index_offset", "corrupted footer offsets")
        if not (self.num_buckets > 0):
            r.refuse("num_buckets", "footer num_buckets must be > 0")
        self.compression = _Compression_of[self.compression]
        if not (self.compression <= Compression.ZSTD):
            r.refuse("compression", "unsupported compression")
        if self._version_ != VERSION:
            r.refuse("version", "unsupported version")
        r.about("magic")
        if self._magic_ != MAGIC.encode():
            r.refuse("magic", "bad magic bytes")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._version_ = VERSION
        w.about("magic")
        self._magic_ = MAGIC.encode()
        w.run(
            _Footer_index_offset, self.index_offset, self.schema_offset, self.num_buckets, self.num_row_groups,
            self.compression, self._version_, self.reserved, self._magic_,
        )  # fmt: skip
        if not (self.schema_offset + 4 <= self.index_offset and self.index_offset + FOOTER_SIZE <= self.file_size):
            w.refuse("index_offset", "corrupted footer offsets")
        if not (self.num_buckets > 0):
            w.refuse("num_buckets", "footer num_buckets must be > 0")
        if not (self.compression <= Compression.ZSTD):
            w.refuse("compression", "unsupported compression")


class SchemaBlock(_rec.Record):
    """The schema, compressed as the buckets are."""

    how: Compression | int = _rec.parameter()
    inflated: int = _rec.derived(
        "u32", ("captured", "raw_size", "body"), big=True, before=[("raw", "body")],
        checks=[("<=", "inflated", _let_max_inflated(("-", ("end",), ("pos",))))],
    )  # fmt: skip
    body: Schema = _rec.field(
        "Schema", record="Schema", size=("-", ("end",), ("pos",)), codecs=[(("call", "block", "how", "inflated"),)],
        captures=["raw_size"], verifies=["inflated"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        inflated_at = r.tell()
        self._inflated_ = r.u32_be("inflated")
        if not (self._inflated_ <= max_inflated(r.left)):
            r.refuse("inflated", "the declared size is over what the block can hold")
        r.about("body")
        with r.through("body", r.left, block(self.how, self._inflated_)) as inner:
            self.body = inner.record("body", Schema)
        body_raw = inner.tell()
        if self._inflated_ != body_raw:
            r.refuse(
                "inflated", _rec.unequal("inflated must be raw_size(body)", self._inflated_, body_raw), inflated_at
            )

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.content("body") as body_raw:
            body_raw.record("body", Schema, self.body)
        self._inflated_ = len(body_raw)
        w.u32_be("inflated", self._inflated_)
        w.about("body")
        body_part = w.through("body", body_raw, block(self.how, self._inflated_))
        w.about("inflated")
        if not (self._inflated_ <= max_inflated(len(body_part))):
            w.refuse("inflated", "the declared size is over what the block can hold")
        w.put(body_part)


class Schema(_rec.Record, normalizes=True):
    """Columns in the order of their names, compared as bytes."""

    _body = _rec.body(verifies=[("==", ("pos",), ("end",))])
    num_columns: int = _rec.derived("uvarint32", ("count", "columns"), loose=True)
    num_buckets: int = _rec.field("uvarint32", loose=True, checks=[(">", "num_buckets", 0)])
    name_encoding: NameEncoding | int = _rec.field("u8", enum=NameEncoding)
    num_rules: int | None = _rec.derived(
        "uvarint32", ("count", "rules"), loose=True, present=("==", "name_encoding", NameEncoding.BPE_FRONT)
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

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._num_columns_ = r.uvarint("num_columns", 32, loose=True)
        self.num_buckets = r.uvarint("num_buckets", 32, loose=True)
        if not (self.num_buckets > 0):
            r.refuse("num_buckets", "schema: num_buckets must be > 0")
        self.name_encoding = _NameEncoding_of[r.u8("name_encoding")]
        self._num_rules_ = None
        if self.name_encoding == NameEncoding.BPE_FRONT:
            self._num_rules_ = r.uvarint("num_rules", 32, loose=True)
        self.rules = None
        if self.name_encoding == NameEncoding.BPE_FRONT:
            self.rules = r.records("rules", self._num_rules_, 2, BpeRule)
        self.columns = r.siblings("columns", self._num_columns_, 4, Column, self.rules)
        if not (_fn.unique([each.name for each in self.columns])):
            r.refuse("columns", "schema: duplicate column name")
        if not (_fn.ascending([each.name for each in self.columns])):
            r.refuse("columns", "schema: columns are not in the order of their names")
        self.order = None
        if not r.at_end:
            previous: _Any = 0
            self.order = [
                previous := r.coded(at, _ZigzagDelta, previous) for at in r.each("order", self._num_columns_, 1)
            ]
        r.about("order")
        if not (self.order is None or _fn.is_permutation(self.order)):
            r.refuse("order", "original_order is not a valid permutation")
        if not r.at_end:
            r.refuse("", "trailing bytes in schema")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._num_columns_ = w.count("columns", self.columns)
        w.uvarint("num_columns", self._num_columns_, 32)
        w.uvarint("num_buckets", self.num_buckets, 32)
        if not (self.num_buckets > 0):
            w.refuse("num_buckets", "schema: num_buckets must be > 0")
        w.u8("name_encoding", self.name_encoding)
        w.about("num_rules")
        self._num_rules_ = len(self.rules) if self.name_encoding == NameEncoding.BPE_FRONT else None
        if self.name_encoding == NameEncoding.BPE_FRONT:
            w.uvarint("num_rules", self._num_rules_, 32)
        if w.given("rules", self.rules, self.name_encoding == NameEncoding.BPE_FRONT):
            w.records("rules", BpeRule, self.rules)
        w.siblings("columns", Column, self.columns, None, self.rules)
        if not (_fn.unique([each.name for each in self.columns])):
            w.refuse("columns", "schema: duplicate column name")
        if not (_fn.ascending([each.name for each in self.columns])):
            w.refuse("columns", "schema: columns are not in the order of their names")
        if self.order is not None:
            previous: _Any = 0
            for at, item in w.each("order", self.order, self._num_columns_):
                previous = w.coded(at, _ZigzagDelta, item, previous)
        w.about("order")
        if not (self.order is None or _fn.is_permutation(self.order)):
            w.refuse("order", "original_order is not a valid permutation")


class BpeRule(_rec.Record):
    """Two tokens that one token stands for."""

    left: int = _rec.field("u8")
    right: int = _rec.field("u8")


class Column(_rec.Record, nests=True):
    """A top-level column."""

    _body = _rec.body(states=[b"", None])
    rules: list[BpeRule] = _rec.parameter()
    name: str = _rec.field(
        "utf8", coder="_FrontCoded", state=0, codecs=[(1, "bpe", "rules")], checks=[(">", ("count", "name"), 0)]
    )
    type: TypeDescriptor = _rec.field("TypeDescriptor", record="TypeDescriptor")

    @classmethod
    def _state(cls, w: _rec.Writer | None = None) -> list[_Any]:
        return [b"", _rec.CodecCache(bpe, w)]

    def _read(self: _Any, r: _rec.Reader, state: _Any = None) -> None:
        if state is None:
            state = self._state()
        r.about("name")
        state[0] = r.recalled("name", _FrontCoded, state[0])
        self.name = r.as_text(r.through_codecs(state[0], state[1].of(self.rules)))
        if not (len(self.name.encode()) > 0):
            r.refuse("name", "schema: empty column name")
        self.type = r.record("type", TypeDescriptor)

    def _write(self: _Any, w: _rec.Writer, state: _Any = None) -> None:
        if state is None:
            state = self._state(w)
        w.about("name")
        state[0] = w.coded(
            "name", _FrontCoded, w.through("name", w.utf8("name", self.name), state[1].of(self.rules)), state[0]
        )
        if not (len(self.name.encode()) > 0):
            w.refuse("name", "schema: empty column name")
        w.record("type", TypeDescriptor, self.type)


class _FrontCoded(_rec.FieldCodec, normalizes=True):
    """The fields of codec front_coded, and the value they stand for."""

    value: bytes
    _body = _rec.body(value=("+", ("slice", "prev", None, "shared"), "suffix"), shape="front_coded")
    prev: bytes = _rec.parameter()
    shared: int = _rec.derived(
        "uvarint32", ("call", _fn.common_prefix, "prev", "value"), loose=True,
        checks=[("<=", "shared", ("count", "prev"))],
    )  # fmt: skip
    added: int = _rec.derived("uvarint32", ("-", ("count", "value"), "shared"), loose=True)
    suffix: bytes = _rec.derived("bytes[added]", ("slice", "value", "shared", None), "bytes", length="added")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.shared = r.uvarint("shared", 32, loose=True)
        if not (self.shared <= len(self.prev)):
            r.refuse("shared", "schema: corrupted column name encoding")
        self.added = r.uvarint("added", 32, loose=True)
        self.suffix = r.bytes("suffix", self.added)
        r.about("")
        self.value = self.prev[: self.shared] + self.suffix

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("shared")
        self.shared = _fn.common_prefix(self.prev, self.value)
        w.uvarint("shared", self.shared, 32)
        if not (self.shared <= len(self.prev)):
            w.refuse("shared", "schema: corrupted column name encoding")
        w.about("added")
        self.added = len(self.value) - self.shared
        w.uvarint("added", self.added, 32)
        w.about("suffix")
        self.suffix = self.value[self.shared :]
        w.bytes("suffix", self.suffix, self.added)


class _ZigzagDelta(_rec.FieldCodec, normalizes=True):
    """The fields of codec zigzag_delta, and the value they stand for."""

    value: int
    _body = _rec.body(value=("in_range", ("+", "prev", "step"), -(1 << 63), (1 << 63) - 1), shape="difference")
    prev: int = _rec.parameter()
    step: int = _rec.derived("svarint64", ("-", "value", "prev"), loose=True)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.step = r.svarint("step", 64, loose=True)
        r.about("")
        self.value = _fn.in_range(self.prev + self.step, -(1 << 63), (1 << 63) - 1)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("step")
        self.step = self.value - self.prev
        w.svarint("step", self.step, 64)


class _Narrow(_rec.FieldCodec, normalizes=True):
    """The fields of codec narrow, and the value they stand for."""

    value: int
    _body = _rec.body(
        value=("in_range", ("-", ("^", ("&", "word", 255), 128), 128), -(1 << 31), (1 << 31) - 1),
        write_checks=[
            ("==", ("in_range", ("-", ("^", ("&", "word", 255), 128), 128), -(1 << 31), (1 << 31) - 1), "value")
        ],
    )
    word: int = _rec.derived("uvarint32", ("&", "value", 4294967295), loose=True)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.word = r.uvarint("word", 32, loose=True)
        r.about("")
        self.value = _fn.in_range((self.word & 255 ^ 128) - 128, -(1 << 31), (1 << 31) - 1)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("word")
        self.word = self.value & 4294967295
        w.uvarint("word", self.word, 32)
        w.about("")
        if _fn.in_range((self.word & 255 ^ 128) - 128, -(1 << 31), (1 << 31) - 1) != self.value:
            w.undecodable("narrow", self.value, _fn.in_range((self.word & 255 ^ 128) - 128, -(1 << 31), (1 << 31) - 1))


class TypeDescriptor(_rec.Record, nests=True):
    """A type, nested ones with those of their children."""

    type_id: int = _rec.derived("u8", ("get", "params", "tag"))
    nullable: int = _rec.field("u8")
    """0 for columns without nulls."""
    params: TypeParams = _rec.field("TypeParams", record="TypeParams", arguments=["type_id"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._type_id_, self.nullable = r.run(_TypeDescriptor_type_id)
        self.params = r.record("params", TypeParams, self._type_id_)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("type_id")
        self._type_id_ = self.params.tag
        w.run(_TypeDescriptor_type_id, self._type_id_, self.nullable)
        w.record("params", TypeParams, self.params, self._type_id_)


class NamedType(_rec.Record, nests=True, normalizes=True):
    """A child of a nested type."""

    size_of_name: int = _rec.derived("uvarint32", ("count", "name"), loose=True)
    name: str = _rec.field("utf8[size_of_name]", "utf8", length="size_of_name")
    type: TypeDescriptor = _rec.field("TypeDescriptor", record="TypeDescriptor")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._size_of_name_ = r.uvarint("size_of_name", 32, loose=True)
        self.name = r.text("name", self._size_of_name_)
        self.type = r.record("type", TypeDescriptor)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._size_of_name_ = len(w.utf8("name", self.name))
        w.uvarint("size_of_name", self._size_of_name_, 32)
        w.text("name", self.name)
        w.record("type", TypeDescriptor, self.type)


class TypeParams(_rec.Variant, on="type_id", normalizes=True):
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


class TypeParams_BOOLEAN(TypeParams, kind="BOOLEAN", tags=[0], arrow="bool"): ...


class TypeParams_TINYINT(TypeParams, kind="TINYINT", tags=[1], arrow="int8"): ...


class TypeParams_SMALLINT(TypeParams, kind="SMALLINT", tags=[2], arrow="int16"): ...


class TypeParams_INTEGER(TypeParams, kind="INTEGER", tags=[3], arrow="int32"): ...


class TypeParams_BIGINT(TypeParams, kind="BIGINT", tags=[4], arrow="int64"): ...


class TypeParams_FLOAT(TypeParams, kind="FLOAT", tags=[5], arrow="float32"): ...


class TypeParams_DOUBLE(TypeParams, kind="DOUBLE", tags=[6], arrow="float64"): ...


class TypeParams_DATE(TypeParams, kind="DATE", tags=[7], arrow="date32"): ...


class TypeParams_CHAR(TypeParams, kind="CHAR", tags=[8]):
    _arrow = _arrows.only(_arrows.Shape("utf8"))
    length: int = _rec.field("uvarint32", loose=True)


class TypeParams_VARCHAR(TypeParams, kind="VARCHAR", tags=[9]):
    _arrow = _arrows.only(_arrows.Shape("utf8"))
    length: int = _rec.field("uvarint32", loose=True)


class TypeParams_STRING(TypeParams, kind="STRING", tags=[10], arrow="utf8"): ...


class TypeParams_BINARY(TypeParams, kind="BINARY", tags=[11]):
    _arrow = _arrows.only(_arrows.Shape("binary"))
    length: int = _rec.field("uvarint32", loose=True)


class TypeParams_VARBINARY(TypeParams, kind="VARBINARY", tags=[12]):
    _arrow = _arrows.only(_arrows.Shape("binary"))
    length: int = _rec.field("uvarint32", loose=True)


class TypeParams_BYTES(TypeParams, kind="BYTES", tags=[13], arrow="binary"): ...


class TypeParams_DECIMAL(TypeParams, kind="DECIMAL", tags=[14]):
    _arrow = _arrows.only(
        _arrows.Shape("decimal128", _arrows.Hole(0), _arrows.Hole(1)), lambda self: (self.precision, self.scale),
        made=lambda bound: TypeParams_DECIMAL(precision=int(bound[0]), scale=int(bound[1])),
    )  # fmt: skip
    precision: int = _rec.field(
        "i32", coder="_Narrow", checks=[("and", ("<=", 1, "precision"), ("<=", "precision", 38))]
    )
    scale: int = _rec.field("i32", coder="_Narrow", checks=[("<=", "scale", "precision")])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.precision = r.coded("precision", _Narrow)
        if not (1 <= self.precision <= 38):
            r.refuse("precision", "decimal precision is not in 1..38")
        self.scale = r.coded("scale", _Narrow)
        if not (self.scale <= self.precision):
            r.refuse("scale", "decimal scale is over its precision")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.type_id)
        w.coded("precision", _Narrow, self.precision)
        if not (1 <= self.precision <= 38):
            w.refuse("precision", "decimal precision is not in 1..38")
        w.coded("scale", _Narrow, self.scale)
        if not (self.scale <= self.precision):
            w.refuse("scale", "decimal scale is over its precision")


class TypeParams_TIME(TypeParams, kind="TIME", tags=[15]):
    _arrow = _arrows.only(_arrows.Shape("time32", "ms"), made=lambda bound: TypeParams_TIME(precision=3))
    precision: int = _rec.field("uvarint32", loose=True)


class TypeParams_TIMESTAMP(TypeParams, kind="TIMESTAMP", tags=[16]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms"), made=lambda bound: TypeParams_TIMESTAMP(precision=3),
            condition=lambda self: self.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us"), made=lambda bound: TypeParams_TIMESTAMP(precision=6),
            condition=lambda self: self.precision <= 6,
        ),
        _arrows.ArrowMap(_arrows.Shape("timestamp", "ns"), made=lambda bound: TypeParams_TIMESTAMP(precision=9)),
    )  # fmt: skip
    precision: int = _rec.field("uvarint32", loose=True)


class TypeParams_TIMESTAMP_LTZ(TypeParams, kind="TIMESTAMP_LTZ", tags=[17]):
    _arrow = (
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ms", _arrows.Hole(0)), lambda self: (self.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=3, zone=bound[0]),
            condition=lambda self: self.precision <= 3,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "us", _arrows.Hole(0)), lambda self: (self.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=6, zone=bound[0]),
            condition=lambda self: self.precision <= 6,
        ),
        _arrows.ArrowMap(
            _arrows.Shape("timestamp", "ns", _arrows.Hole(0)), lambda self: (self.zone,),
            made=lambda bound: TypeParams_TIMESTAMP_LTZ(precision=9, zone=bound[0]),
        ),
    )  # fmt: skip
    precision: int = _rec.field("uvarint32", loose=True)
    size_of_zone: int = _rec.derived("uvarint32", ("count", "zone"), loose=True)
    zone: str = _rec.field("utf8[size_of_zone]", "utf8", length="size_of_zone")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.precision = r.uvarint("precision", 32, loose=True)
        self._size_of_zone_ = r.uvarint("size_of_zone", 32, loose=True)
        self.zone = r.text("zone", self._size_of_zone_)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.type_id)
        w.uvarint("precision", self.precision, 32)
        self._size_of_zone_ = len(w.utf8("zone", self.zone))
        w.uvarint("size_of_zone", self._size_of_zone_, 32)
        w.text("zone", self.zone)


class TypeParams_ARRAY(TypeParams, kind="ARRAY", tags=[18], nests=True):
    _arrow = _arrows.only(
        _arrows.Shape(
            "list", _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2))
        ),
        lambda self: (self.element.name, self.element.type.params, self.element.type.nullable),
        made=lambda bound: TypeParams_ARRAY(
            element=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1]))
        ),
    )
    element: NamedType = _rec.field("NamedType", record="NamedType")


class TypeParams_MAP(TypeParams, kind="MAP", tags=[19], nests=True):
    _arrow = _arrows.only(
        _arrows.Shape(
            "map", _arrows.Shape("field", _arrows.Hole(0), _arrows.Hole(1, lambda: TypeParams), _arrows.Hole(2)),
            _arrows.Shape("field", _arrows.Hole(3), _arrows.Hole(4, lambda: TypeParams), _arrows.Hole(5)),
            _arrows.Hole(6),
        ),
        lambda self: (
            self.key.name, self.key.type.params, self.key.type.nullable, self.item.name, self.item.type.params,
            self.item.type.nullable, self.entries,
        ),
        made=lambda bound: TypeParams_MAP(
            entries=bound[6],
            key=NamedType(name=bound[0], type=TypeDescriptor(nullable=int(bound[2]), params=bound[1])),
            item=NamedType(name=bound[3], type=TypeDescriptor(nullable=int(bound[5]), params=bound[4])),
        ),
    )  # fmt: skip
    size_of_entries: int = _rec.derived("uvarint32", ("count", "entries"), loose=True)
    entries: str = _rec.field("utf8[size_of_entries]", "utf8", length="size_of_entries")
    key: NamedType = _rec.field("NamedType", record="NamedType")
    item: NamedType = _rec.field("NamedType", record="NamedType")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._size_of_entries_ = r.uvarint("size_of_entries", 32, loose=True)
        self.entries = r.text("entries", self._size_of_entries_)
        self.key = r.record("key", NamedType)
        self.item = r.record("item", NamedType)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.type_id)
        self._size_of_entries_ = len(w.utf8("entries", self.entries))
        w.uvarint("size_of_entries", self._size_of_entries_, 32)
        w.text("entries", self.entries)
        w.record("key", NamedType, self.key)
        w.record("item", NamedType, self.item)


class Index(_rec.Record):
    """Where the buckets of each row group are."""

    _body = _rec.body(verifies=[("==", ("pos",), ("end",))])
    footer: Footer = _rec.parameter()
    schema: Schema = _rec.parameter()
    row_groups: list[RowGroup] = _rec.field(
        "RowGroup[footer.num_row_groups]", record="RowGroup", arguments=["footer", "schema"],
        count=("get", "footer", "num_row_groups"), smallest=3,
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.row_groups = r.records("row_groups", self.footer.num_row_groups, 3, RowGroup, self.footer, self.schema)
        if not r.at_end:
            r.refuse("", "trailing bytes in row group index")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("row_groups")
        w.records("row_groups", RowGroup, self.row_groups, self.footer.num_row_groups, self.footer, self.schema)


class RowGroup(_rec.Record, normalizes=True):
    """Rows that are stored together."""

    footer: Footer = _rec.parameter()
    schema: Schema = _rec.parameter()
    num_rows: int = _rec.field("uvarint32", loose=True)
    num_buckets: int = _rec.derived(
        "uvarint32", ("count", "buckets"), loose=True, checks=[("<=", "num_buckets", ("get", "footer", "num_buckets"))]
    )
    buckets: list[BucketRef] = _rec.field(
        "BucketRef[num_buckets]", record="BucketRef", arguments=["footer"], count="num_buckets", smallest=11,
        checks=[("unique", ("each", "buckets", "bucket_id"))],
    )  # fmt: skip
    num_stats: int = _rec.derived("uvarint32", ("count", "stats"), loose=True)
    stats: list[ColumnStats] = _rec.field(
        "ColumnStats[num_stats]", record="ColumnStats", arguments=["schema", "num_rows"], count="num_stats", smallest=2
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.num_rows = r.uvarint("num_rows", 32, loose=True)
        self._num_buckets_ = r.uvarint("num_buckets", 32, loose=True)
        if not (self._num_buckets_ <= self.footer.num_buckets):
            r.refuse("num_buckets", "non_empty count exceeds num_buckets")
        self.buckets = r.records("buckets", self._num_buckets_, 11, BucketRef, self.footer)
        if not (_fn.unique([each.bucket_id for each in self.buckets])):
            r.refuse("buckets", "duplicate bucket_id in row group index")
        self._num_stats_ = r.uvarint("num_stats", 32, loose=True)
        self.stats = r.records("stats", self._num_stats_, 2, ColumnStats, self.schema, self.num_rows)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.uvarint("num_rows", self.num_rows, 32)
        self._num_buckets_ = w.count("buckets", self.buckets)
        w.uvarint("num_buckets", self._num_buckets_, 32)
        if not (self._num_buckets_ <= self.footer.num_buckets):
            w.refuse("num_buckets", "non_empty count exceeds num_buckets")
        w.records("buckets", BucketRef, self.buckets, None, self.footer)
        if not (_fn.unique([each.bucket_id for each in self.buckets])):
            w.refuse("buckets", "duplicate bucket_id in row group index")
        self._num_stats_ = w.count("stats", self.stats)
        w.uvarint("num_stats", self._num_stats_, 32)
        w.records("stats", ColumnStats, self.stats, None, self.schema, self.num_rows)


class BucketRef(_rec.Record, normalizes=True):
    """Where a bucket is. What it inflates to is 0 where each column is a block of its own."""

    footer: Footer = _rec.parameter()
    bucket_id: int = _rec.field("uvarint32", loose=True, checks=[("<", "bucket_id", ("get", "footer", "num_buckets"))])
    start: int = _rec.field("u64", big=True)
    stored: int = _rec.field(
        "uvarint32", loose=True, checks=[("<=", ("+", "start", "stored"), ("get", "footer", "schema_offset"))]
    )
    inflated: int = _rec.field(
        "uvarint32", loose=True,
        checks=[
            ("or", (">", "stored", 0), ("==", "inflated", 0)),
            (
                "or", ("==", "stored", 0), (">", "inflated", 0),
                ("==", ("get", "footer", "compression"), Compression.ZSTD),
            ),
            (
                "or", ("!=", ("get", "footer", "compression"), Compression.ZSTD),
                ("<=", "inflated", _let_max_inflated("stored")),
            ),
        ],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.bucket_id = r.uvarint("bucket_id", 32, loose=True)
        if not (self.bucket_id < self.footer.num_buckets):
            r.refuse("bucket_id", "corrupted row group index")
        self.start = r.u64_be("start")
        self.stored = r.uvarint("stored", 32, loose=True)
        if not (self.start + self.stored <= self.footer.schema_offset):
            r.refuse("stored", "bucket data extends past schema block")
        self.inflated = r.uvarint("inflated", 32, loose=True)
        if not (self.stored > 0 or self.inflated == 0):
            r.refuse("inflated", "invalid bucket layout")
        if not (self.stored == 0 or self.inflated > 0 or self.footer.compression == Compression.ZSTD):
            r.refuse("inflated", "paged bucket requires ZSTD compression")
        if not (self.footer.compression != Compression.ZSTD or self.inflated <= max_inflated(self.stored)):
            r.refuse("inflated", "the declared size is over what the block can hold")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.uvarint("bucket_id", self.bucket_id, 32)
        if not (self.bucket_id < self.footer.num_buckets):
            w.refuse("bucket_id", "corrupted row group index")
        w.u64_be("start", self.start)
        w.uvarint("stored", self.stored, 32)
        if not (self.start + self.stored <= self.footer.schema_offset):
            w.refuse("stored", "bucket data extends past schema block")
        w.uvarint("inflated", self.inflated, 32)
        if not (self.stored > 0 or self.inflated == 0):
            w.refuse("inflated", "invalid bucket layout")
        if not (self.stored == 0 or self.inflated > 0 or self.footer.compression == Compression.ZSTD):
            w.refuse("inflated", "paged bucket requires ZSTD compression")
        if not (self.footer.compression != Compression.ZSTD or self.inflated <= max_inflated(self.stored)):
            w.refuse("inflated", "the declared size is over what the block can hold")


class ColumnStats(_rec.Record, normalizes=True):
    """Nulls and bounds of a column in a row group."""

    schema: Schema = _rec.parameter()
    num_rows: int = _rec.parameter()
    column: int = _rec.field("uvarint32", loose=True, checks=[("<", "column", ("count", ("get", "schema", "columns")))])
    null_count: int = _rec.field("uvarint32", loose=True, checks=[("<=", "null_count", "num_rows")])
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

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.column = r.uvarint("column", 32, loose=True)
        if not (self.column < len(self.schema.columns)):
            r.refuse("column", "stats: column_index out of range")
        self.null_count = r.uvarint("null_count", 32, loose=True)
        if not (self.null_count <= self.num_rows):
            r.refuse("null_count", "stats: null_count exceeds num_rows")
        self.low = None
        if self.null_count < self.num_rows:
            r.about("low")
            self.low = r.values("low", 1, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params))
        self.high = None
        if self.null_count < self.num_rows:
            r.about("high")
            self.high = r.values(
                "high", 1, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params)
            )

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.uvarint("column", self.column, 32)
        if not (self.column < len(self.schema.columns)):
            w.refuse("column", "stats: column_index out of range")
        w.uvarint("null_count", self.null_count, 32)
        if not (self.null_count <= self.num_rows):
            w.refuse("null_count", "stats: null_count exceeds num_rows")
        if w.given("low", self.low, self.null_count < self.num_rows):
            w.about("low")
            w.values("low", self.low, 1, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params))
        if w.given("high", self.high, self.null_count < self.num_rows):
            w.about("high")
            w.values(
                "high", self.high, 1, _col.layout_of(Value, _fn.item(self.schema.columns, self.column).type.params)
            )


class StoredBucket(_lazy.LazyRecord):
    """A bucket where its reference says. `types` are its stored columns: `primaries` of the table, then children,
    depth first.
    """

    ref: BucketRef = _rec.parameter()
    how: Compression | int = _rec.parameter()
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    data: Bucket = _rec.placed(
        "Bucket", record="Bucket",
        arguments=["how", ("get", "ref", "stored"), ("get", "ref", "inflated"), "types", "primaries", "num_rows"],
        size=("get", "ref", "stored"), at=("get", "ref", "start"),
    )  # fmt: skip

    def _span_data(self: _Any) -> tuple[int, int | None]:
        return self.ref.start, self.ref.stored

    def _read_data(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all(
            "data", Bucket, self.how, self.ref.stored, self.ref.inflated, self.types, self.primaries, self.num_rows
        )

    def _write_data(self: _Any, w: _rec.Writer) -> None:
        w.encode(
            "data", Bucket, self.data, self.how, self.ref.stored, self.ref.inflated, self.types, self.primaries,
            self.num_rows,
        )  # fmt: skip


class Bucket(
    _rec.Variant, on=_let_layout_of("size_stored", "inflated"),
    tag=lambda how, size_stored, inflated, types, primaries, num_rows: layout_of(size_stored, inflated),
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


class Bucket_EMPTY(Bucket, kind="EMPTY", tags=[BucketLayout.EMPTY]): ...


class Bucket_MONOLITHIC(Bucket, kind="MONOLITHIC", tags=[BucketLayout.MONOLITHIC]):
    body: Columns = _rec.field(
        "Columns", record="Columns", arguments=["types", "primaries", "num_rows"], size="size_stored",
        codecs=[(("call", "block", "how", "inflated"),)],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        r.about("body")
        with r.through("body", self.size_stored, block(self.how, self.inflated)) as inner:
            self.body = inner.record("body", Columns, self.types, self.primaries, self.num_rows)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, layout_of(self.size_stored, self.inflated))
        with w.content("body") as body_raw:
            body_raw.record("body", Columns, self.body, self.types, self.primaries, self.num_rows)
        w.about("body")
        body_part = w.through("body", body_raw, block(self.how, self.inflated))
        w.put(body_part)
        w.takes("body", len(body_part), self.size_stored)


class Bucket_PAGED(Bucket, kind="PAGED", tags=[BucketLayout.PAGED]):
    body: Pages = _rec.field("Pages", record="Pages", arguments=["types", "primaries", "num_rows"], size="size_stored")

    def _read(self: _Any, r: _rec.Reader) -> None:
        with r.within("body", self.size_stored) as inner:
            self.body = inner.record("body", Pages, self.types, self.primaries, self.num_rows)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, layout_of(self.size_stored, self.inflated))
        with w.part("body", w.offset_if_known()) as body_part:
            body_part.record("body", Pages, self.body, self.types, self.primaries, self.num_rows)
        w.put(body_part)
        w.takes("body", len(body_part), self.size_stored)


class Columns(_rec.Record, normalizes=True):
    """All columns of a bucket, section by section."""

    _body = _rec.body(verifies=[("==", ("pos",), ("end",))])
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    num_primary: int | None = _rec.derived(
        "uvarint32", "primaries", loose=True, present=(">", ("count", "types"), "primaries"), verifies=["num_primary"]
    )
    num_children: int | None = _rec.derived(
        "uvarint32", ("-", ("count", "types"), "primaries"), loose=True, present=(">", ("count", "types"), "primaries"),
        verifies=["num_children"],
    )  # fmt: skip
    elements: list[int] | None = _rec.field(
        "uvarint32[num_children]", "uvarint32", loose=True, count="num_children", smallest=1,
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
        arguments=[_let_rows_of(("index",), "primaries", "num_rows", "elements")], dimension="index",
        count=("count", "types"), present=("==", ("item", "has_nulls", ("index",)), 1), verifies=["has_nulls"],
    )  # fmt: skip
    cells: list[Cells] = _rec.field(
        "Cells[i < count(types)]", record="Cells",
        arguments=[
            ("item", "encodings", ("index",)), ("item", "types", ("index",)),
            _let_live(_let_rows_of(("index",), "primaries", "num_rows", "elements"), ("item", "nulls", ("index",))),
            ("item", "dicts", ("index",)),
        ],
        dimension="index", count=("count", "types"), verifies=["encodings"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._num_primary_ = r.uvarint("num_primary", 32, loose=True) if len(self.types) > self.primaries else None
        if not (self._num_primary_ is None or self._num_primary_ == self.primaries):
            r.refuse("num_primary", "num_primary must be primaries")
        self._num_children_ = r.uvarint("num_children", 32, loose=True) if len(self.types) > self.primaries else None
        if not (self._num_children_ is None or self._num_children_ == len(self.types) - self.primaries):
            r.refuse(
                "num_children",
                _rec.unequal(
                    "num_children must be count(types) - primaries", self._num_children_,
                    len(self.types) - self.primaries,
                ),
            )  # fmt: skip
        self.elements = None
        if len(self.types) > self.primaries:
            self.elements = [r.uvarint(at, 32, loose=True) for at in r.each("elements", self._num_children_, 1)]
        encodings_at = r.tell()
        self._encodings_ = r.bits("encodings", len(self.types), 2)
        has_nulls_at = r.tell()
        self._has_nulls_ = r.bits("has_nulls", len(self.types), 1)
        self.consts = [
            r.values(at, 1, _col.layout_of(Value, self.types[at.index]))
            if self._encodings_[at.index] == PageEncoding.CONST
            else r.absent(at)
            for at in r.each("consts", len(self.types), None)
        ]
        self.dicts = [
            r.record(at, Dict, self.types[at.index])
            if self._encodings_[at.index] == PageEncoding.DICT
            else r.absent(at)
            for at in r.each("dicts", len(self.types), None)
        ]
        self.nulls = [
            r.record(at, Bitmap, rows_of(at.index, self.primaries, self.num_rows, self.elements))
            if self._has_nulls_[at.index] == 1
            else r.absent(at)
            for at in r.each("nulls", len(self.types), None)
        ]
        for at in r.places("has_nulls", len(self._has_nulls_)):
            if self._has_nulls_[at.index] != int(self.nulls[at.index] is not None):
                r.refuse(at, "has_nulls must be present(nulls[i])", has_nulls_at)
        self.cells = [
            r.record(
                at, Cells, self._encodings_[at.index], self.types[at.index],
                live(rows_of(at.index, self.primaries, self.num_rows, self.elements), self.nulls[at.index]),
                self.dicts[at.index],
            )
            for at in r.each("cells", len(self.types), None)
        ]  # fmt: skip
        for at in r.places("encodings", len(self._encodings_)):
            if self._encodings_[at.index] != self.cells[at.index].tag:
                r.refuse(at, "encodings must be tag(cells[i])", encodings_at)
        if not r.at_end:
            r.refuse("", "trailing bytes in bucket")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("num_primary")
        self._num_primary_ = self.primaries if len(self.types) > self.primaries else None
        if len(self.types) > self.primaries:
            w.uvarint("num_primary", self._num_primary_, 32)
        self._num_children_ = len(self.types) - self.primaries if len(self.types) > self.primaries else None
        if len(self.types) > self.primaries:
            w.uvarint("num_children", self._num_children_, 32)
        if w.given("elements", self.elements, len(self.types) > self.primaries):
            for at, item in w.each("elements", self.elements, self._num_children_):
                w.uvarint(at, item, 32)
        w.about("encodings")
        self._encodings_ = [self.cells[at.index].tag for at in w.indexes("encodings", len(self.types))]
        self._encodings_ = w.bits("encodings", self._encodings_, len(self.types), 2)
        w.about("has_nulls")
        self._has_nulls_ = [int(self.nulls[at.index] is not None) for at in w.indexes("has_nulls", len(self.types))]
        self._has_nulls_ = w.bits("has_nulls", self._has_nulls_, len(self.types), 1)
        for at, item in w.each("consts", self.consts, len(self.types)):
            if not w.given(at, item, self._encodings_[at.index] == PageEncoding.CONST):
                continue
            w.values(at, item, 1, _col.layout_of(Value, self.types[at.index]))
        for at, item in w.each("dicts", self.dicts, len(self.types)):
            if not w.given(at, item, self._encodings_[at.index] == PageEncoding.DICT):
                continue
            w.record(at, Dict, item, self.types[at.index])
        for at, item in w.each("nulls", self.nulls, len(self.types)):
            if not w.given(at, item, self._has_nulls_[at.index] == 1):
                continue
            w.record(at, Bitmap, item, rows_of(at.index, self.primaries, self.num_rows, self.elements))
        for at, item in w.each("cells", self.cells, len(self.types)):
            w.record(
                at, Cells, item, self._encodings_[at.index], self.types[at.index],
                live(rows_of(at.index, self.primaries, self.num_rows, self.elements), self.nulls[at.index]),
                self.dicts[at.index],
            )  # fmt: skip


class Dict(_rec.Record, normalizes=True):
    """Distinct values in the order in which they came."""

    type: _Any = _rec.parameter()
    size: int = _rec.derived("uvarint32", ("count", "entries"), loose=True)
    entries: _columns.Values = _rec.field("Value[size]", values="Value", arguments=["type"], length="size")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._size_ = r.uvarint("size", 32, loose=True)
        self.entries = r.values("entries", self._size_, _col.layout_of(Value, self.type))

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("size")
        self._size_ = len(self.entries)
        w.uvarint("size", self._size_, 32)
        w.values("entries", self.entries, len(self.entries), _col.layout_of(Value, self.type))


class Bitmap(_rec.Record):
    """A set bit marks a null."""

    rows: int = _rec.parameter()
    null_at: _columns.Bits = _rec.field("bits[rows]", "bits", width=1, length="rows")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.null_at = r.bits("null_at", self.rows, 1)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.null_at = w.bits("null_at", self.null_at, self.rows, 1)


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


class Cells_PLAIN(Cells, kind="PLAIN", tags=[PageEncoding.PLAIN]):
    values: _columns.Values = _rec.field("Value[rows]", values="Value", arguments=["type"], length="rows")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.values = r.values("values", self.rows, _col.layout_of(Value, self.type))

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.how)
        w.values("values", self.values, self.rows, _col.layout_of(Value, self.type))


class Cells_CONST(Cells, kind="CONST", tags=[PageEncoding.CONST]): ...


class Cells_DICT(Cells, kind="DICT", tags=[PageEncoding.DICT]):
    codes: _columns.Bits = _rec.field(
        "bits[rows]", "bits", width=_let_bit_width(("count", ("get", "dict", "entries"))), length="rows",
        checks=[("<", ("largest", "codes"), ("count", ("get", "dict", "entries")))],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        r.about("codes")
        self.codes = r.bits("codes", self.rows, bit_width(len(self.dict.entries)))
        if not (_fn.largest(self.codes) < len(self.dict.entries)):
            r.refuse("codes", "corrupt dict index")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, self.how)
        w.about("codes")
        self.codes = w.bits("codes", self.codes, self.rows, bit_width(len(self.dict.entries)))
        if not (_fn.largest(self.codes) < len(self.dict.entries)):
            w.refuse("codes", "corrupt dict index")


class Cells_ALL_NULL(Cells, kind="ALL_NULL", tags=[PageEncoding.ALL_NULL]): ...


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

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._num_children_ = r.u16("num_children") if len(self.types) > self.primaries else None
        if not (self._num_children_ is None or self._num_children_ == len(self.types) - self.primaries):
            r.refuse(
                "num_children",
                _rec.unequal(
                    "num_children must be count(types) - primaries", self._num_children_,
                    len(self.types) - self.primaries,
                ),
            )  # fmt: skip
        self.elements = r.numbers("elements", self._num_children_, "<I") if len(self.types) > self.primaries else None
        self.slot_sizes = r.numbers("slot_sizes", len(self.types), "<I")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("num_children")
        self._num_children_ = len(self.types) - self.primaries if len(self.types) > self.primaries else None
        if len(self.types) > self.primaries:
            w.u16("num_children", self._num_children_)
        if w.given("elements", self.elements, len(self.types) > self.primaries):
            w.numbers("elements", self.elements, "<I", self._num_children_)
        w.numbers("slot_sizes", self.slot_sizes, "<I", len(self.types))


class Pages(_rec.Record):
    """A block a column."""

    _body = _rec.body(verifies=[("==", ("pos",), ("end",))])
    types: list[_Any] = _rec.parameter()
    primaries: int = _rec.parameter()
    num_rows: int = _rec.parameter()
    directory: Directory = _rec.field("Directory", record="Directory", arguments=["types", "primaries"])
    slots: list[Slot | None] = _rec.field(
        "Slot[i < count(types)]", record="Slot",
        arguments=[
            ("item", "types", ("index",)),
            _let_rows_of(("index",), "primaries", "num_rows", ("get", "directory", "elements")),
        ],
        dimension="index", count=("count", "types"),
        present=(">", ("item", ("get", "directory", "slot_sizes"), ("index",)), 0),
        size=("item", ("get", "directory", "slot_sizes"), ("index",)),
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.directory = r.record("directory", Directory, self.types, self.primaries)
        self.slots = list[_Any]()
        for at in r.each("slots", len(self.types), None):
            if not (self.directory.slot_sizes[at.index] > 0):
                self.slots.append(r.absent(at))
                continue
            with r.within(at, self.directory.slot_sizes[at.index]) as inner:
                item = inner.record(
                    at, Slot, self.types[at.index],
                    rows_of(at.index, self.primaries, self.num_rows, self.directory.elements),
                )  # fmt: skip
            self.slots.append(item)
        if not r.at_end:
            r.refuse("", "slots do not fill the bucket")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.record("directory", Directory, self.directory, self.types, self.primaries)
        w.about("slots")
        for at, item in w.each("slots", self.slots, len(self.types)):
            if not w.given(at, item, self.directory.slot_sizes[at.index] > 0):
                continue
            begun = w.tell()
            w.record(
                at, Slot, item, self.types[at.index],
                rows_of(at.index, self.primaries, self.num_rows, self.directory.elements),
            )  # fmt: skip
            w.takes(at, w.tell() - begun, self.directory.slot_sizes[at.index])


class Slot(_rec.Record, normalizes=True):
    """One column's block."""

    type: _Any = _rec.parameter()
    rows: int = _rec.parameter()
    inflated: int = _rec.derived(
        "uvarint32", ("captured", "raw_size", "page"), loose=True, before=[("raw", "page")],
        checks=[("<=", "inflated", _let_max_inflated(("-", ("end",), ("pos",))))],
    )  # fmt: skip
    page: Page = _rec.field(
        "Page", record="Page", arguments=["type", "rows"], size=("-", ("end",), ("pos",)),
        codecs=[(("call", "zstd", "inflated"),)], captures=["raw_size"], verifies=["inflated"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        inflated_at = r.tell()
        self._inflated_ = r.uvarint("inflated", 32, loose=True)
        if not (self._inflated_ <= max_inflated(r.left)):
            r.refuse("inflated", "the declared size is over what the block can hold")
        r.about("page")
        with r.through("page", r.left, zstd(self._inflated_)) as inner:
            self.page = inner.record("page", Page, self.type, self.rows)
        page_raw = inner.tell()
        if self._inflated_ != page_raw:
            r.refuse(
                "inflated", _rec.unequal("inflated must be raw_size(page)", self._inflated_, page_raw), inflated_at
            )

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.content("page") as page_raw:
            page_raw.record("page", Page, self.page, self.type, self.rows)
        self._inflated_ = len(page_raw)
        w.uvarint("inflated", self._inflated_, 32)
        w.about("page")
        page_part = w.through("page", page_raw, zstd(self._inflated_))
        w.about("inflated")
        if not (self._inflated_ <= max_inflated(len(page_part))):
            w.refuse("inflated", "the declared size is over what the block can hold")
        w.put(page_part)


class Page(_rec.Record):
    """One column."""

    _body = _rec.body(verifies=[("==", ("pos",), ("end",))])
    type: _Any = _rec.parameter()
    rows: int = _rec.parameter()
    encoding: int = _rec.derived("u8", ("get", "cells", "tag"))
    flags: int = _rec.derived(
        "u8", ("int", ("not", ("is", "nulls", None))),
        checks=[("!=", "encoding", PageEncoding.ALL_NULL), ("<=", "flags", 1)], owners=["encoding", "flags"],
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
        "Cells", record="Cells", arguments=["encoding", "type", _let_live("rows", "nulls"), "dict"]
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._encoding_, self._flags_ = r.run(_Page_encoding)
        if self._encoding_ == PageEncoding.ALL_NULL:
            r.refuse("encoding", "column page: unsupported encoding")
        flags_at = r.tell() - 1
        if not (self._flags_ <= 1):
            r.refuse("flags", "column page: unknown flags")
        self.constant = None
        if self._encoding_ == PageEncoding.CONST:
            self.constant = r.values("constant", 1, _col.layout_of(Value, self.type))
        self.dict = r.record("dict", Dict, self.type) if self._encoding_ == PageEncoding.DICT else None
        self.nulls = r.record("nulls", Bitmap, self.rows) if self._flags_ == 1 else None
        r.about("flags")
        if self._flags_ != int(self.nulls is not None):
            r.refuse("flags", "flags must be present(nulls)", flags_at)
        r.about("cells")
        self.cells = r.record("cells", Cells, self._encoding_, self.type, live(self.rows, self.nulls), self.dict)
        if not r.at_end:
            r.refuse("", "trailing bytes in page")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("encoding")
        self._encoding_ = self.cells.tag
        w.about("flags")
        self._flags_ = int(self.nulls is not None)
        w.run(_Page_encoding, self._encoding_, self._flags_)
        if self._encoding_ == PageEncoding.ALL_NULL:
            w.refuse("encoding", "column page: unsupported encoding")
        if not (self._flags_ <= 1):
            w.refuse("flags", "column page: unknown flags")
        if w.given("constant", self.constant, self._encoding_ == PageEncoding.CONST):
            w.values("constant", self.constant, 1, _col.layout_of(Value, self.type))
        if w.given("dict", self.dict, self._encoding_ == PageEncoding.DICT):
            w.record("dict", Dict, self.dict, self.type)
        if w.given("nulls", self.nulls, self._flags_ == 1):
            w.record("nulls", Bitmap, self.nulls, self.rows)
        w.about("cells")
        w.record("cells", Cells, self.cells, self._encoding_, self.type, live(self.rows, self.nulls), self.dict)


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

def bucket_of(position: _Any, columns_: _Any, buckets_: _Any) -> _Any:
    """The bucket of a column; the file does not store it."""
    return position * buckets_ // columns_

def first_position(bucket: _Any, columns_: _Any, buckets_: _Any) -> _Any:
    """The first position that `bucket_of` puts into a bucket; that of the next bucket is where it ends."""
    return (bucket * columns_ + buckets_ - 1) // buckets_

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
    "TypeParams": [170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 189, 190, 194,
    198, 199], "Index": 238, "RowGroup": 243, "BucketRef": 254, "ColumnStats": 264, "StoredBucket": 283,
    "Bucket": [288, 290, 291, 292], "Columns": 302, "Dict": 315, "Bitmap": 321, "Cells": [326, 327, 328, 329,
    330], "Directory": 334, "Pages": 342, "Slot": 349, "Page": 355,
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
