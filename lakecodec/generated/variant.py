# Generated from variant.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:93f670a5ddcb8a1ae5de24abfba2e66f1018bf8474c47720dba3853055dd5bbc
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Variants: semi-structured values in two byte strings, the metadata with the names of fields, and the value.

"Variant Binary Encoding" of apache/parquet-format (VariantEncoding.md), version 1.
"""

from __future__ import annotations

from typing import Any as _Any
from typing import ClassVar as _ClassVar

from ..runtime import columns as _columns
from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import record as _rec

# The version of metadata.
VERSION: int = 1
# The longest string that stands behind its own length in the first byte.
MOST_IN_SHORT_STRING: int = 63
# Digits of the largest decimals, and their largest scale.
MOST_DIGITS: int = 38


_Body_DECIMAL4_scale = _rec.Layout("<", scale="B", v="i")
_Body_DECIMAL8_scale = _rec.Layout("<", scale="B", v="q")
_Body_DECIMAL16_scale = _rec.Layout("<", scale="B", low="Q", high="q")
_let_kind_of = _rec.inlined("basic header", ("if", ("==", "basic", 0), "header", ("+", 64, "basic")))


class Metadata(_rec.Record):
    """Names of fields. Those of one object are told by their numbers here."""

    _body = _rec.body(
        write_checks=[
            ("and", ("<=", 0, "size_less_one"), ("<=", "size_less_one", 3)),
            ("and", ("<=", 0, "reserved"), ("<=", "reserved", 1)), ("and", ("<=", 0, "sorted"), ("<=", "sorted", 1)),
            ("and", ("<=", 0, "version"), ("<=", "version", 15)),
        ],
    )  # fmt: skip
    head: int = _rec.derived(
        "u8", ("|", ("|", ("|", ("<<", "size_less_one", 6), ("<<", "reserved", 5)), ("<<", "sorted", 4)), "version"),
        before=[("derive", "version")],
    )  # fmt: skip
    size_less_one: int = _rec.field("2 bits of head", "part", arguments=[("&", (">>", "head", 6), 0x3)])
    reserved: int = _rec.field("1 bits of head", "part", arguments=[("&", (">>", "head", 5), 0x1)])
    sorted: int = _rec.field("1 bits of head", "part", arguments=[("&", (">>", "head", 4), 0x1)])
    version: int = _rec.derived(
        "4 bits of head", VERSION, "part", arguments=[("&", (">>", "head", 0), 0xF)], verifies=["version"]
    )
    num_names: _columns.Bits = _rec.field("bits[1]", "bits", width=("*", 8, ("+", "size_less_one", 1)), length=1)
    offsets: _columns.Bits = _rec.field(
        "bits[first(num_names) + 1]", "bits", width=("*", 8, ("+", "size_less_one", 1)),
        length=("+", ("item", "num_names", 0), 1), checks=[("==", ("item", "offsets", 0), 0)],
    )  # fmt: skip
    names: list[str] = _rec.field(
        "utf8[i < first(num_names)]", "utf8", dimension="index", count=("item", "num_names", 0), smallest=0,
        size=("-", ("item", "offsets", ("+", ("index",), 1)), ("item", "offsets", ("index",))),
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._head_ = r.u8("head")
        self.size_less_one = self.head >> 6 & 0x3
        self.reserved = self.head >> 5 & 0x1
        self.sorted = self.head >> 4 & 0x1
        self._version_ = self.head & 0xF
        if self._version_ != VERSION:
            r.refuse("version", "unknown version of variants", r.tell() - 1)
        self.num_names = r.bits("num_names", 1, 8 * (self.size_less_one + 1))
        r.about("offsets")
        self.offsets = r.bits("offsets", _fn.item(self.num_names, 0) + 1, 8 * (self.size_less_one + 1))
        if _fn.item(self.offsets, 0) != 0:
            r.refuse("offsets", "the first name must begin at 0")
        r.about("names")
        self.names = list[_Any]()
        for at in r.each("names", _fn.item(self.num_names, 0)):
            with r.within(at, _fn.item(self.offsets, at.index + 1) - self.offsets[at.index]) as inner:
                item = inner.text(at, inner.left)
            self.names.append(item)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._version_ = VERSION
        w.bit_field("size_less_one", self.size_less_one, 2)
        w.bit_field("reserved", self.reserved, 1)
        w.bit_field("sorted", self.sorted, 1)
        w.bit_field("version", self._version_, 4)
        w.about("head")
        self._head_ = self.size_less_one << 6 | self.reserved << 5 | self.sorted << 4 | self._version_
        w.u8("head", self._head_)
        w.about("num_names")
        self.num_names = w.bits("num_names", self.num_names, 1, 8 * (self.size_less_one + 1))
        w.about("offsets")
        self.offsets = w.bits("offsets", self.offsets, _fn.item(self.num_names, 0) + 1, 8 * (self.size_less_one + 1))
        if _fn.item(self.offsets, 0) != 0:
            w.refuse("offsets", "the first name must begin at 0")
        w.about("names")
        for at, item in w.each("names", self.names, _fn.item(self.num_names, 0)):
            begun = w.tell()
            w.text(at, item)
            w.takes(at, w.tell() - begun, _fn.item(self.offsets, at.index + 1) - self.offsets[at.index])


class Value(_rec.Record):
    """The first bytes of a value: all of it, but for what an object or an array holds, which follows."""

    _body = _rec.body(
        write_checks=[
            ("and", ("<=", 0, "basic"), ("<=", "basic", 3)), ("and", ("<=", 0, "header"), ("<=", "header", 63))
        ],
    )  # fmt: skip
    head: int = _rec.derived("u8", ("|", "basic", ("<<", "header", 2)))
    basic: int = _rec.field("2 bits of head", "part", arguments=[("&", (">>", "head", 0), 0x3)])
    header: int = _rec.field("6 bits of head", "part", arguments=[("&", (">>", "head", 2), 0x3F)])
    body: Body = _rec.field("Body", record="Body", arguments=["basic", "header"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._head_ = r.u8("head")
        self.basic = self.head & 0x3
        self.header = self.head >> 2 & 0x3F
        self.body = r.record("body", Body, self.basic, self.header)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bit_field("basic", self.basic, 2)
        w.bit_field("header", self.header, 6)
        w.about("head")
        self._head_ = self.basic | self.header << 2
        w.u8("head", self._head_)
        w.record("body", Body, self.body, self.basic, self.header)


class Body(_rec.Variant, on=_let_kind_of("basic", "header"), tag=lambda basic, header: kind_of(basic, header)):
    """A value by its kind: the primitive type, or 64 more than the basic type."""

    NULL: _ClassVar[_rec.Class[Body_NULL]]
    TRUE: _ClassVar[_rec.Class[Body_TRUE]]
    FALSE: _ClassVar[_rec.Class[Body_FALSE]]
    INT8: _ClassVar[_rec.Class[Body_INT8]]
    INT16: _ClassVar[_rec.Class[Body_INT16]]
    INT32: _ClassVar[_rec.Class[Body_INT32]]
    INT64: _ClassVar[_rec.Class[Body_INT64]]
    DOUBLE: _ClassVar[_rec.Class[Body_DOUBLE]]
    DECIMAL4: _ClassVar[_rec.Class[Body_DECIMAL4]]
    DECIMAL8: _ClassVar[_rec.Class[Body_DECIMAL8]]
    DECIMAL16: _ClassVar[_rec.Class[Body_DECIMAL16]]
    DATE: _ClassVar[_rec.Class[Body_DATE]]
    TIMESTAMP: _ClassVar[_rec.Class[Body_TIMESTAMP]]
    TIMESTAMP_NTZ: _ClassVar[_rec.Class[Body_TIMESTAMP_NTZ]]
    FLOAT: _ClassVar[_rec.Class[Body_FLOAT]]
    BINARY: _ClassVar[_rec.Class[Body_BINARY]]
    STRING: _ClassVar[_rec.Class[Body_STRING]]
    TIME: _ClassVar[_rec.Class[Body_TIME]]
    TIMESTAMP_NANOS: _ClassVar[_rec.Class[Body_TIMESTAMP_NANOS]]
    TIMESTAMP_NTZ_NANOS: _ClassVar[_rec.Class[Body_TIMESTAMP_NTZ_NANOS]]
    UUID: _ClassVar[_rec.Class[Body_UUID]]
    SHORT_STRING: _ClassVar[_rec.Class[Body_SHORT_STRING]]
    OBJECT: _ClassVar[_rec.Class[Body_OBJECT]]
    ARRAY: _ClassVar[_rec.Class[Body_ARRAY]]
    basic: int = _rec.parameter()
    header: int = _rec.parameter()


class Body_NULL(Body, kind="NULL", tags=[0]): ...


class Body_TRUE(Body, kind="TRUE", tags=[1]): ...


class Body_FALSE(Body, kind="FALSE", tags=[2]): ...


class Body_INT8(Body, kind="INT8", tags=[3]):
    v: int = _rec.field("i8")


class Body_INT16(Body, kind="INT16", tags=[4]):
    v: int = _rec.field("i16")


class Body_INT32(Body, kind="INT32", tags=[5]):
    v: int = _rec.field("i32")


class Body_INT64(Body, kind="INT64", tags=[6]):
    v: int = _rec.field("i64")


class Body_DOUBLE(Body, kind="DOUBLE", tags=[7]):
    v: float = _rec.field("f64")


class Body_DECIMAL4(Body, kind="DECIMAL4", tags=[8]):
    scale: int = _rec.field("u8")
    v: int = _rec.field("i32", checks=[("<=", "scale", MOST_DIGITS)], owners=["scale"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.scale, self.v = r.run(_Body_DECIMAL4_scale)
        if not (self.scale <= MOST_DIGITS):
            r.refuse("scale", "the scale is above 38")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        w.run(_Body_DECIMAL4_scale, self.scale, self.v)
        if not (self.scale <= MOST_DIGITS):
            w.refuse("scale", "the scale is above 38")


class Body_DECIMAL8(Body, kind="DECIMAL8", tags=[9]):
    scale: int = _rec.field("u8")
    v: int = _rec.field("i64", checks=[("<=", "scale", MOST_DIGITS)], owners=["scale"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.scale, self.v = r.run(_Body_DECIMAL8_scale)
        if not (self.scale <= MOST_DIGITS):
            r.refuse("scale", "the scale is above 38")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        w.run(_Body_DECIMAL8_scale, self.scale, self.v)
        if not (self.scale <= MOST_DIGITS):
            w.refuse("scale", "the scale is above 38")


class Body_DECIMAL16(Body, kind="DECIMAL16", tags=[10]):
    scale: int = _rec.field("u8")
    low: int = _rec.field("u64")
    high: int = _rec.field("i64", checks=[("<=", "scale", MOST_DIGITS)], owners=["scale"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.scale, self.low, self.high = r.run(_Body_DECIMAL16_scale)
        if not (self.scale <= MOST_DIGITS):
            r.refuse("scale", "the scale is above 38")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        w.run(_Body_DECIMAL16_scale, self.scale, self.low, self.high)
        if not (self.scale <= MOST_DIGITS):
            w.refuse("scale", "the scale is above 38")


class Body_DATE(Body, kind="DATE", tags=[11]):
    v: int = _rec.field("i32")


class Body_TIMESTAMP(Body, kind="TIMESTAMP", tags=[12]):
    v: int = _rec.field("i64")


class Body_TIMESTAMP_NTZ(Body, kind="TIMESTAMP_NTZ", tags=[13]):
    v: int = _rec.field("i64")


class Body_FLOAT(Body, kind="FLOAT", tags=[14]):
    v: float = _rec.field("f32")


class Body_BINARY(Body, kind="BINARY", tags=[15]):
    n: int = _rec.derived("u32", ("count", "v"))
    v: bytes = _rec.field("bytes[n]", "bytes", length="n")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._n_ = r.u32("n")
        self.v = r.bytes("v", self._n_)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        self._n_ = len(w.raw("v", self.v))
        w.u32("n", self._n_)
        w.bytes("v", self.v)


class Body_STRING(Body, kind="STRING", tags=[16]):
    n: int = _rec.derived("u32", ("captured", "size", "v"), before=[("aside", "v")])
    v: str = _rec.field("utf8[n]", "utf8", length="n", open=["length"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._n_ = r.u32("n")
        self.v = r.text("v", self._n_)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        v_part = w.utf8("v", self.v)
        self._n_ = len(v_part)
        w.u32("n", self._n_)
        w.put(v_part)


class Body_TIME(Body, kind="TIME", tags=[17]):
    v: int = _rec.field("i64")


class Body_TIMESTAMP_NANOS(Body, kind="TIMESTAMP_NANOS", tags=[18]):
    v: int = _rec.field("i64")


class Body_TIMESTAMP_NTZ_NANOS(Body, kind="TIMESTAMP_NTZ_NANOS", tags=[19]):
    v: int = _rec.field("i64")


class Body_UUID(Body, kind="UUID", tags=[20]):
    v: bytes = _rec.field("bytes[16]", "bytes", length=16)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.v = r.bytes("v", 16)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        w.bytes("v", self.v, 16)


class Body_SHORT_STRING(Body, kind="SHORT_STRING", tags=[65]):
    v: str = _rec.field("utf8[header]", "utf8", length="header")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.v = r.text("v", self.header)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        w.text("v", self.v, self.header)


class Body_OBJECT(Body, kind="OBJECT", tags=[66]):
    small: int | None = _rec.field("u8", present=("==", ("&", "header", 16), 0), default=None)
    large: int | None = _rec.field("u32", present=("!=", ("&", "header", 16), 0), default=None)
    ids: _columns.Bits = _rec.field(
        "bits[header & 16 == 0 ? small : large]", "bits", width=("*", 8, ("+", ("&", (">>", "header", 2), 3), 1)),
        length=("if", ("==", ("&", "header", 16), 0), "small", "large"),
    )  # fmt: skip
    offsets: _columns.Bits = _rec.field(
        "bits[count(ids) + 1]", "bits", width=("*", 8, ("+", ("&", "header", 3), 1)), length=("+", ("count", "ids"), 1)
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.small = r.u8("small") if self.header & 16 == 0 else None
        self.large = r.u32("large") if self.header & 16 != 0 else None
        self.ids = r.bits("ids", self.small if self.header & 16 == 0 else self.large, 8 * ((self.header >> 2 & 3) + 1))
        self.offsets = r.bits("offsets", len(self.ids) + 1, 8 * ((self.header & 3) + 1))

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        if w.given("small", self.small, self.header & 16 == 0):
            w.u8("small", self.small)
        if w.given("large", self.large, self.header & 16 != 0):
            w.u32("large", self.large)
        self.ids = w.bits(
            "ids", self.ids, self.small if self.header & 16 == 0 else self.large, 8 * ((self.header >> 2 & 3) + 1)
        )
        w.about("offsets")
        self.offsets = w.bits("offsets", self.offsets, len(self.ids) + 1, 8 * ((self.header & 3) + 1))


class Body_ARRAY(Body, kind="ARRAY", tags=[67]):
    small: int | None = _rec.field("u8", present=("==", ("&", "header", 4), 0), default=None)
    large: int | None = _rec.field("u32", present=("!=", ("&", "header", 4), 0), default=None)
    offsets: _columns.Bits = _rec.field(
        "bits[(header & 4 == 0 ? small : large) + 1]", "bits", width=("*", 8, ("+", ("&", "header", 3), 1)),
        length=("+", ("if", ("==", ("&", "header", 4), 0), "small", "large"), 1),
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.small = r.u8("small") if self.header & 4 == 0 else None
        self.large = r.u32("large") if self.header & 4 != 0 else None
        r.about("offsets")
        self.offsets = r.bits(
            "offsets", (self.small if self.header & 4 == 0 else self.large) + 1, 8 * ((self.header & 3) + 1)
        )

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.tag(self, kind_of(self.basic, self.header))
        if w.given("small", self.small, self.header & 4 == 0):
            w.u8("small", self.small)
        if w.given("large", self.large, self.header & 4 != 0):
            w.u32("large", self.large)
        w.about("offsets")
        self.offsets = w.bits(
            "offsets", self.offsets, (self.small if self.header & 4 == 0 else self.large) + 1,
            8 * ((self.header & 3) + 1),
        )  # fmt: skip


# Declarations are tables: one row a field, whatever its width.
# fmt: off

def kind_of(basic: _Any, header: _Any) -> _Any:
    """What the first byte says, as one number."""
    return header if basic == 0 else 64 + basic

def array_header(large: _Any, offset_size: _Any) -> _Any:
    """The header of an array."""
    return (4 if large else 0) + offset_size - 1

def object_header(large: _Any, id_size: _Any, offset_size: _Any) -> _Any:
    """The header of an object."""
    return (16 if large else 0) + (id_size - 1) * 4 + offset_size - 1
# fmt: on


__spec__ = _fields.describe(globals(), "variant.idl", {
    "Metadata": 16, "Value": 25, "Body": [38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55,
    56, 57, 58, 59, 60, 61, 67],
})  # fmt: skip
