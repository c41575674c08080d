# Generated from parquet_jump_table.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:4c5ae8ea4f255b8566802dbaa80c36acdbb90eee0fbe5d45aadc9c6d31726786
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""A candidate for Parquet's next footer: today's, behind a pointer to a table of places.

apache/arrow-rs #8713, apache/parquet-format #563, and the drafts of the jump table that went round on
dev@parquet in 2026: field 10 of FileMetaData points to an index. Old readers skip the field, and read the
footer as they did.
"""

from __future__ import annotations

from typing import Any as _Any

from ..runtime import compact as _rt
from ..runtime import fields as _fields
from ..runtime.records import lazy as _lazy
from ..runtime.records import record as _rec
from ..runtime.records import write as _out
from . import parquet_file as _parquet_file


class NameHashTable(_rt.Struct):
    """From the hash of a path to the element of the schema; open addressing."""

    num_slots: int = _rt.field(1, _rt.I32)
    """Slots of the table; each has as many bytes as the table has for one."""
    discriminator_bits: int | None = _rt.field(2, _rt.I32, default=None)
    """Bits of the hash that stand at the top of a slot, for a first comparison."""
    table: bytes = _rt.field(3, _rt.BINARY)
    """Slots: 0, or the number of the element plus 1."""


class NoFieldIds(_rt.Marker):
    """No element has a field id."""


class FieldIdIsColumnOrdinal(_rt.Marker):
    """The field id of every leaf is its column's number."""


class FieldIdMapping(_rt.Union):
    """How field ids of leaves and numbers of columns go together."""

    none: _rt.Empty[NoFieldIds] = _rt.member(1, "NoFieldIds")
    """Nothing is to be looked up."""
    identity: _rt.Empty[FieldIdIsColumnOrdinal] = _rt.member(2, "FieldIdIsColumnOrdinal")
    """Nothing needs to be."""
    explicit: _rt.Member[dict[int, int]] = _rt.member(3, _rt.map_(_rt.I32, _rt.I32))
    """By field id."""


class SchemaLayout(_rt.Struct):
    """Places of the elements of the schema, in the order of FileMetaData. Numbers of an array take as many bytes as
    it has for one.
    """

    num_schema_elements: int = _rt.field(1, _rt.I32)
    """Elements, the root among them."""
    offsets: bytes = _rt.field(2, _rt.BINARY)
    """Where each begins, from the start of FileMetaData."""
    num_children: bytes | None = _rt.field(3, _rt.BINARY, default=None)
    """Children of each; left out where all are leaves below the root."""
    name_hash_table: NameHashTable | None = _rt.field(4, "NameHashTable", default=None)
    """For names."""
    field_id_mapping: FieldIdMapping | None = _rt.field(5, "FieldIdMapping", default=None)
    """For field ids."""
    has_non_ascii_names: bool | None = _rt.field(6, _rt.BOOL, default=None)
    """Whether a name has a character outside of ASCII."""


class FileMetadataFooterIndex(_rt.Struct):
    """What the pointer points to."""

    num_leaf_columns: int = _rt.field(1, _rt.I32)
    """Leaves of the schema."""
    num_row_groups: int = _rt.field(2, _rt.I32)
    """Row groups of the footer."""
    column_chunk_offsets: bytes = _rt.field(3, _rt.BINARY)
    """Of each row group, where each column chunk begins and where the last one ends, from the start of FileMetaData."""
    field_offsets: dict[int, int] | None = _rt.field(4, _rt.map_(_rt.I16, _rt.I64), default=None)
    """Where fields of FileMetaData begin, by their ids."""
    schema_layout: SchemaLayout | None = _rt.field(5, "SchemaLayout", default=None)
    """The schema at random access."""


_Pointer_field = _rec.Layout("<", field="B", length="B", version="B", place="q", index_size="q", metadata_size="q")
_Footer_footer_size = _rec.Layout("<", footer_size="I", magic="4s")


class Pointer(_rec.Record):
    """Field 10 of FileMetaData, in front of all others: its header, its length and its bytes."""

    field: int = _rec.derived("u8", 168)
    length: int = _rec.derived("u8", 25)
    version: int = _rec.field("u8", default=1)
    """2 and 3 are indexes that are compressed with Zstandard and LZ4."""
    place: int = _rec.field("i64")
    """From the start of the file."""
    index_size: int = _rec.field("i64")
    metadata_size: int = _rec.field(
        "i64", checks=[("==", "version", 1), (">=", "metadata_size", 29)], verifies=["field", "length"]
    )
    """Bytes of FileMetaData with this pointer."""

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.field, self.length, self.version, self.place, self.index_size, self.metadata_size = r.run(_Pointer_field)
        if self.field != 168:
            r.refuse("field", "the footer has no jump table: field 10 would stand first")
        if self.length != 25:
            r.refuse("length", "a pointer of another size")
        if self.version != 1:
            r.refuse("version", "the index is compressed, or of an unknown version")
        if not (self.metadata_size >= 29):
            r.refuse("metadata_size", "FileMetaData is too short")

    def _write(self: _Any, w: _rec.Writer) -> None:
        self.field = 168
        self.length = 25
        w.run(_Pointer_field, self.field, self.length, self.version, self.place, self.index_size, self.metadata_size)
        if self.version != 1:
            w.refuse("version", "the index is compressed, or of an unknown version")
        if not (self.metadata_size >= 29):
            w.refuse("metadata_size", "FileMetaData is too short")


class Fields(_rec.Record):
    """The other fields of FileMetaData: the header of the first one is in its long form, as the field in front has a
    greater id.
    """

    wire: int = _rec.field("u8")
    id: int = _rec.field("svarint16")
    others: bytes = _rec.field("bytes[..]", "bytes")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.wire = r.u8("wire")
        self.id = r.svarint("id", 16)
        self.others = r.bytes("others", r.left)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.u8("wire", self.wire)
        w.svarint("id", self.id, 16)
        w.bytes("others", self.others)


class Footer(_rec.Record):
    """What a writer puts behind the last column chunk, `start` bytes from the start of the file."""

    _body = _rec.body(generated=True)
    start: int = _rec.parameter()
    pointer: Pointer = _rec.field(
        "Pointer", record="Pointer",
        before=[("aside", "fields"), ("derive", "pointer"), ("aside", "index"), ("derive", "pointer")],
    )  # fmt: skip
    fields: Fields = _rec.field(
        "Fields", record="Fields", size=("-", ("get", "pointer", "metadata_size"), 27), captures=["size"],
        open=["size"],
        verifies=[
            ("==", ("get", "pointer", "metadata_size"), ("+", 27, ("captured", "size", "fields"))),
            ("==", ("get", "pointer", "place"), ("+", ("+", "start", 27), ("captured", "size", "fields"))),
        ],
    )  # fmt: skip
    index: FileMetadataFooterIndex = _rec.field(
        "FileMetadataFooterIndex", struct="FileMetadataFooterIndex", size=("get", "pointer", "index_size"),
        captures=["size"], verifies=[("==", ("get", "pointer", "index_size"), ("captured", "size", "index"))],
    )  # fmt: skip
    footer_size: int = _rec.derived(
        "u32", ("+", ("+", 27, ("captured", "size", "fields")), ("captured", "size", "index"))
    )
    magic: bytes = _rec.derived(
        "bytes[4]", _parquet_file.MAGIC.encode(), "bytes", length=4, verifies=["footer_size", "magic"]
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        pointer_at = r.tell()
        self.pointer = r.record("pointer", Pointer)
        fields_at = r.tell()
        with r.within("fields", self.pointer.metadata_size - 27) as inner:
            self.fields = inner.record("fields", Fields)
        fields_size = r.tell() - fields_at
        if self.pointer.metadata_size != 27 + fields_size:
            r.refuse("pointer", "pointer.metadata_size must be size(pointer) + size(fields)", pointer_at)
        if self.pointer.place != self.start + 27 + fields_size:
            r.refuse("pointer", "pointer.place must be start + size(pointer) + size(fields)", pointer_at)
        index_at = r.tell()
        with r.within("index", self.pointer.index_size, loose=True) as inner:
            self.index = inner.struct("index", FileMetadataFooterIndex)
        index_size = r.tell() - index_at
        if self.pointer.index_size != index_size:
            r.refuse("pointer", "pointer.index_size must be size(index)", pointer_at)
        self.footer_size, self.magic = r.run(_Footer_footer_size)
        if self.footer_size != 27 + fields_size + index_size:
            r.refuse("footer_size", "footer_size must be size(pointer) + size(fields) + size(index)")
        r.about("magic")
        if self.magic != _parquet_file.MAGIC.encode():
            r.refuse("magic", "magic must be parquet_file.MAGIC")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("fields") as fields_part:
            fields_part.record("fields", Fields, self.fields)
        w.about("pointer")
        self.pointer = _out.assigned(self.pointer, ("metadata_size",), 27 + len(fields_part))
        with w.part("index") as index_part:
            index_part.struct("index", FileMetadataFooterIndex, self.index)
        w.about("pointer")
        self.pointer = _out.assigned(self.pointer, ("index_size",), len(index_part))
        self.pointer = _out.assigned(self.pointer, ("place",), self.start + 27 + len(fields_part))
        w.record("pointer", Pointer, self.pointer)
        w.put(fields_part)
        w.put(index_part)
        self.footer_size = 27 + len(fields_part) + len(index_part)
        w.about("magic")
        self.magic = _parquet_file.MAGIC.encode()
        w.run(_Footer_footer_size, self.footer_size, self.magic)


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    _gaps = True
    footer_size: int = _rec.placed("u32", places=True, end=True, takes=4)
    pointer: Pointer = _rec.placed("Pointer", places=True, takes=27)
    fields: Fields = _rec.placed("Fields")
    index: FileMetadataFooterIndex = _rec.placed("FileMetadataFooterIndex", ("pointer", "place"))

    def _span_footer_size(self: _Any) -> tuple[int, int | None]:
        return self._size - 8, 4

    def _read_footer_size(self: _Any, r: _rec.Reader) -> _Any:
        value = r.u32("footer_size")
        r.finish("footer_size")
        if not (value + 12 <= self._size):
            r.refuse("footer_size", "the footer length is over the size of the file", 0)
        return value

    def _write_footer_size(self: _Any, w: _rec.Writer) -> None:
        w.u32("footer_size", self.footer_size)

    def _span_pointer(self: _Any) -> tuple[int, int | None]:
        return self._size - 8 - self.footer_size, 27

    def _read_pointer(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("pointer", Pointer)

    def _write_pointer(self: _Any, w: _rec.Writer) -> None:
        w.encode("pointer", Pointer, self.pointer)

    def _span_fields(self: _Any) -> tuple[int, int | None]:
        return self._size - 8 - self.footer_size + 27, self.pointer.metadata_size - 27

    def _read_fields(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("fields", Fields)

    def _write_fields(self: _Any, w: _rec.Writer) -> None:
        w.encode("fields", Fields, self.fields)

    def _span_index(self: _Any) -> tuple[int, int | None]:
        return self.pointer.place, self.pointer.index_size

    def _read_index(self: _Any, r: _rec.Reader) -> _Any:
        return r.struct("index", FileMetadataFooterIndex)

    def _write_index(self: _Any, w: _rec.Writer) -> None:
        w.struct("index", FileMetadataFooterIndex, self.index)


__spec__ = _fields.describe(globals(), "parquet_jump_table.idl", {
    "NameHashTable": 12, "NoFieldIds": 22, "FieldIdIsColumnOrdinal": 24, "FieldIdMapping": 26, "SchemaLayout": 36,
    "FileMetadataFooterIndex": 52, "Pointer": 66, "Fields": 79, "Footer": 86, "File": 96,
})  # fmt: skip
_rt.register(__name__, __spec__)
