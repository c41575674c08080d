# Generated from parquet_modular.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:1d9dd3308095fd048ae6965eb1848a2eb415b891ed724c373597931f91022d3b
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""A candidate for Parquet's next footer: modules for the schema, places and statistics, each an array a field,
column by column.

apache/parquet-format #622 and #623 (ModularFooter.thrift); the frame is that of apache/arrow-rs #11081. A
file is a Parquet file, and a modular footer behind it.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import compact as _rt
from ..runtime import fields as _fields
from ..runtime.records import lazy as _lazy
from ..runtime.records import record as _rec
from . import parquet as _parquet

# Stands for a number that is not there.
ABSENT: int = -1
# Stands for a field id that is not there.
NO_FIELD_ID: int = -2147483648


class ModuleKind(_enum.IntEnum):
    """Kinds of modules."""

    SCHEMA = 0
    """SchemaMatrix."""
    PLACEMENT = 1
    """ColumnChunkMatrix."""
    ROW_GROUP_STATS = 2
    """RowGroupStatsMatrix."""
    OFFSET_INDEX = 3
    """Places of pages; not declared here."""
    COLUMN_INDEX = 4
    """Bounds of pages; not declared here."""
    FILE_METADATA = 5
    """FileMetadataMatrix."""


class ColumnArrayEncoding(_enum.IntEnum):
    """How arrays of numbers are stored."""

    BITPACK = 0
    """Packed."""


class VarLenColumn(_rt.Struct):
    """Texts one behind the other."""

    offsets: bytes = _rt.field(1, _rt.BINARY)
    """Where each begins, and where the last one ends: Packed."""
    data: bytes = _rt.field(2, _rt.BINARY)
    """The texts."""


class Meaning(_rt.Struct):
    """What an element of the schema means: the fields are the members of parquet.LogicalType, one or none of which
    is set.
    """

    STRING: _parquet.StringType | None = _rt.field(1, "_parquet.StringType", default=None)
    """Text."""
    MAP: _parquet.MapType | None = _rt.field(2, "_parquet.MapType", default=None)
    """A map."""
    LIST: _parquet.ListType | None = _rt.field(3, "_parquet.ListType", default=None)
    """A list."""
    ENUM: _parquet.EnumType | None = _rt.field(4, "_parquet.EnumType", default=None)
    """A member of an enumeration."""
    DECIMAL: _parquet.DecimalType | None = _rt.field(5, "_parquet.DecimalType", default=None)
    """An exact decimal."""
    DATE: _parquet.DateType | None = _rt.field(6, "_parquet.DateType", default=None)
    """A date."""
    TIME: _parquet.TimeType | None = _rt.field(7, "_parquet.TimeType", default=None)
    """A time of day."""
    TIMESTAMP: _parquet.TimestampType | None = _rt.field(8, "_parquet.TimestampType", default=None)
    """A timestamp."""
    INTEGER: _parquet.IntType | None = _rt.field(10, "_parquet.IntType", default=None)
    """An integer with width and sign."""
    UNKNOWN: _parquet.NullType | None = _rt.field(11, "_parquet.NullType", default=None)
    """Only nulls."""
    JSON: _parquet.JsonType | None = _rt.field(12, "_parquet.JsonType", default=None)
    """A JSON document."""
    BSON: _parquet.BsonType | None = _rt.field(13, "_parquet.BsonType", default=None)
    """A BSON document."""
    UUID: _parquet.UUIDType | None = _rt.field(14, "_parquet.UUIDType", default=None)
    """A UUID."""
    FLOAT16: _parquet.Float16Type | None = _rt.field(15, "_parquet.Float16Type", default=None)
    """A half-precision number."""
    VARIANT: _parquet.VariantType | None = _rt.field(16, "_parquet.VariantType", default=None)
    """A semi-structured value."""
    GEOMETRY: _parquet.GeometryType | None = _rt.field(17, "_parquet.GeometryType", default=None)
    """A geometry in a plane."""
    GEOGRAPHY: _parquet.GeographyType | None = _rt.field(18, "_parquet.GeographyType", default=None)
    """A geometry on a globe."""
    FILE: _parquet.FileType | None = _rt.field(19, "_parquet.FileType", default=None)
    """A reference to bytes."""


class Order(_rt.Struct):
    """The order of a column's bounds: the fields are the members of parquet.ColumnOrder, one or none of which is
    set.
    """

    TYPE_ORDER: _parquet.TypeDefinedOrder | None = _rt.field(1, "_parquet.TypeDefinedOrder", default=None)
    """As the type defines it."""
    IEEE_754_TOTAL_ORDER: _parquet.IEEE754TotalOrder | None = _rt.field(2, "_parquet.IEEE754TotalOrder", default=None)
    """The total order of floating point numbers."""
    INT96_TIMESTAMP_ORDER: _parquet.Int96TimestampOrder | None = _rt.field(
        3, "_parquet.Int96TimestampOrder", default=None
    )
    """In order of time."""


class SchemaMatrix(_rt.Struct):
    """The schema: lists of one entry an element."""

    names: list[str] = _rt.field(1, _rt.list_(_rt.STRING))
    """Its name."""
    physical_types: list[int] = _rt.field(2, _rt.list_(_rt.I32))
    """parquet.Type of a leaf, ABSENT for a group."""
    repetition_types: list[int] = _rt.field(3, _rt.list_(_rt.I32))
    """parquet.FieldRepetitionType, or ABSENT."""
    num_children: list[int] = _rt.field(4, _rt.list_(_rt.I32))
    """Children of a group, ABSENT for a leaf."""
    type_lengths: list[int] = _rt.field(5, _rt.list_(_rt.I32))
    """Bytes of a value of a fixed length, or ABSENT."""
    field_ids: list[int] = _rt.field(6, _rt.list_(_rt.I32))
    """Its field id, or NO_FIELD_ID."""
    logical_types: list[Meaning] = _rt.field(7, _rt.list_("Meaning"))
    """What it means."""
    column_orders: list[Order] = _rt.field(8, _rt.list_("Order"))
    """The order of a leaf's bounds."""


class ColumnChunkMatrix(_rt.Struct):
    """Where column chunks are: arrays of one number a chunk, of all row groups of a column before those of the next
    one.
    """

    data_page_offsets: bytes = _rt.field(1, _rt.BINARY)
    """Where the first data page is."""
    first_dict_page: bytes = _rt.field(2, _rt.BINARY)
    """The first of each chunk's dictionary pages, and behind the last chunk their number."""
    dictionary_page_offsets: bytes = _rt.field(3, _rt.BINARY)
    """One number a dictionary page."""
    total_compressed_sizes: bytes = _rt.field(4, _rt.BINARY)
    """Bytes as they are stored."""
    total_uncompressed_sizes: bytes = _rt.field(5, _rt.BINARY)
    """Bytes once decompressed."""
    num_values: bytes = _rt.field(6, _rt.BINARY)
    """Values, nulls among them."""
    codecs: bytes = _rt.field(7, _rt.BINARY)
    """parquet.CompressionCodec."""
    physical_types: bytes = _rt.field(8, _rt.BINARY)
    """One number a column."""
    is_fully_dict_encoded: bytes = _rt.field(9, _rt.BINARY)
    """One bit a chunk."""


class RowGroupStatsMatrix(_rt.Struct):
    """Statistics of column chunks; whether there are any, and whether bounds are exact, is one bit a chunk."""

    has_null_count: bytes = _rt.field(1, _rt.BINARY)
    """Whether the number of nulls is known."""
    null_counts: bytes = _rt.field(2, _rt.BINARY)
    """The number of nulls."""
    has_minmax: bytes = _rt.field(3, _rt.BINARY)
    """Whether there are bounds."""
    minmax_prefixes: VarLenColumn = _rt.field(4, "VarLenColumn")
    """What both bounds begin with."""
    min_suffixes: VarLenColumn = _rt.field(5, "VarLenColumn")
    """The lower bound behind that."""
    max_suffixes: VarLenColumn = _rt.field(6, "VarLenColumn")
    """The upper bound behind that."""
    min_exact: bytes = _rt.field(7, _rt.BINARY)
    """Whether the lower bound is a value."""
    max_exact: bytes = _rt.field(8, _rt.BINARY)
    """Whether the upper bound is a value."""
    has_nan_count: bytes = _rt.field(9, _rt.BINARY)
    """Whether the number of NaNs is known."""
    nan_counts: bytes = _rt.field(10, _rt.BINARY)
    """The number of NaNs."""


class FileMetadataMatrix(_rt.Struct):
    """What readers need not know to find something."""

    created_by: str | None = _rt.field(1, _rt.STRING, default=None)
    """The application that wrote the file."""
    key_value_metadata: list[_parquet.KeyValue] | None = _rt.field(2, _rt.list_("_parquet.KeyValue"), default=None)
    """Entries that it stores."""


class ModularFooterDirectoryEntry(_rt.Struct):
    """Where a module is, from the start of the file."""

    kind: ModuleKind | int = _rt.field(1, "ModuleKind")
    """Which module it is."""
    offset: int = _rt.field(2, _rt.I64)
    """Where its bytes begin."""
    length: int = _rt.field(3, _rt.I64)
    """How many there are."""


class ModularFooter(_rt.Struct):
    """The root, which every reader reads."""

    version: int = _rt.field(1, _rt.I32)
    """Version of the layout."""
    num_row_groups: int = _rt.field(2, _rt.I32)
    """Row groups of the file."""
    num_columns: int = _rt.field(3, _rt.I32)
    """Leaves of the schema."""
    num_rows: int = _rt.field(4, _rt.I64)
    """Rows of the file."""
    row_group_num_rows: list[int] = _rt.field(5, _rt.list_(_rt.I64))
    """Rows of each row group."""
    array_encoding: ColumnArrayEncoding | int = _rt.field(6, "ColumnArrayEncoding")
    """How all arrays are stored."""
    directory: list[ModularFooterDirectoryEntry] = _rt.field(7, _rt.list_("ModularFooterDirectoryEntry"))
    """Where the modules are."""


_Tail_base = _rec.Layout("<", base="q", length="q", magic="4s")


class Packed(_rec.Record):
    """The array of numbers BITPACK, in a `binary` of a module: from the lowest bit of the first byte on."""

    bit_width: int = _rec.field("u8", checks=[("<=", "bit_width", 64)])
    n: int = _rec.field("uvarint32")
    values: bytes = _rec.field(
        "bytes[(n * bit_width + 7) / 8]", "bytes", length=("//", ("+", ("*", "n", "bit_width"), 7), 8)
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.bit_width = r.u8("bit_width")
        if not (self.bit_width <= 64):
            r.refuse("bit_width", "numbers of more than 64 bits")
        self.n = r.uvarint("n", 32)
        self.values = r.bytes("values", (self.n * self.bit_width + 7) // 8)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.u8("bit_width", self.bit_width)
        if not (self.bit_width <= 64):
            w.refuse("bit_width", "numbers of more than 64 bits")
        w.uvarint("n", self.n, 32)
        w.bytes("values", self.values, (self.n * self.bit_width + 7) // 8)


class Tail(_rec.Record):
    """The end of the file: where the modules begin, and how far behind that the root does."""

    base: int = _rec.field("i64")
    length: int = _rec.field("i64")
    magic: bytes = _rec.derived("bytes[4]", b"MFP1", "bytes", length=4, verifies=["magic"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.base, self.length, self.magic = r.run(_Tail_base)
        if self.magic != b"MFP1":
            r.refuse("magic", "no modular footer")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.magic = b"MFP1"
        w.run(_Tail_base, self.base, self.length, self.magic)


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    _gaps = True
    root: ModularFooter = _rec.placed("ModularFooter", ("tail", "base"), places=True)
    modules: list[bytes] = _rec.placed(
        "bytes[i < count(root.directory)]", ("root", "directory", None, "offset"), each=True
    )
    """In the order of the directory, each encoded as one of the structs above."""
    tail: Tail = _rec.placed("Tail", places=True, takes=20)

    def _span_root(self: _Any) -> tuple[int, int | None]:
        return self.tail.base + self.tail.length, self._size - 20 - self.tail.base - self.tail.length

    def _pointer_root(self: _Any, place: int) -> _Any:
        return place - self.tail.length

    def _read_root(self: _Any, r: _rec.Reader) -> _Any:
        return r.struct("root", ModularFooter)

    def _write_root(self: _Any, w: _rec.Writer) -> None:
        w.struct("root", ModularFooter, self.root)

    def _span_modules(self: _Any, index: int) -> tuple[int, int | None]:
        return self.root.directory[index].offset, self.root.directory[index].length

    def _count_modules(self: _Any) -> int:
        return len(self.root.directory)

    def _read_modules(self: _Any, r: _rec.Reader, at: _rec.Place) -> _Any:
        value = r.bytes(at, r.left)
        r.finish(at)
        return value

    def _write_modules(self: _Any, w: _rec.Writer, at: _rec.Place) -> None:
        item = self.modules[at.index]
        w.bytes(at, item)

    def _span_tail(self: _Any) -> tuple[int, int | None]:
        return self._size - 20, 20

    def _read_tail(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("tail", Tail)

    def _write_tail(self: _Any, w: _rec.Writer) -> None:
        w.encode("tail", Tail, self.tail)


__spec__ = _fields.describe(globals(), "parquet_modular.idl", {
    "ModuleKind": 12, "ColumnArrayEncoding": 28, "VarLenColumn": 41, "Meaning": 49, "Order": 89,
    "SchemaMatrix": 105, "ColumnChunkMatrix": 125, "RowGroupStatsMatrix": 147, "FileMetadataMatrix": 171,
    "ModularFooterDirectoryEntry": 179, "ModularFooter": 189, "Packed": 34, "Tail": 207, "File": 214,
})  # fmt: skip
_rt.register(__name__, __spec__)
