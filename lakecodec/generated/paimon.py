# Generated from paimon.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:54f3445af088d986d80ecd398bdb7c2d63aa45c409734741c92ba42029db9f1e
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Metadata of Paimon tables: rows in binary form, deletion vectors, and the Avro schemas of manifests.

Apache Paimon Specification 1.2, "Manifest", "Table Index" and "BinaryRow". Manifests are Avro container files
(gallery/avro.idl) whose objects are read by the schema in each file; the schemas here are those that are
written.
"""

from __future__ import annotations

from typing import Any as _Any

from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import record as _rec
from . import deletion_vector as _deletion_vector

# Bits of a row in front of the one of its first field: they hold the kind of the row.
HEADER_BITS: int = 8
# The kind of a manifest's entry that adds a file.
ADD: int = 0
# The kind of one that deletes it.
DELETE: int = 1
# The version of entries of manifests and of manifest lists.
MANIFEST_VERSION: int = 2
# The version of snapshots.
SNAPSHOT_VERSION: int = 3
# The version of schemas.
SCHEMA_VERSION: int = 3
# What stands in a path for a partition value that is null or blank.
DEFAULT_PARTITION: str = "__DEFAULT_PARTITION__"
# Begins a deletion vector of 32-bit numbers; those of 64-bit numbers are as Delta has them.
MAGIC_32: int = 1581511376
# Least and greatest values of columns as rows, and how many of each are null.
SIMPLE_STATS: dict[str, str] = {
    "_MIN_VALUES": '"bytes"', "_MAX_VALUES": '"bytes"',
    "_NULL_COUNTS": '["null", {"type": "array", "items": ["null", "long"]}]'
}  # fmt: skip
# An object of a manifest list: a manifest.
MANIFEST_FILE: dict[str, str] = {
    "_VERSION": '"int"', "_FILE_NAME": '"string"', "_FILE_SIZE": '"long"', "_NUM_ADDED_FILES": '"long"',
    "_NUM_DELETED_FILES": '"long"', "_PARTITION_STATS": '"SIMPLE_STATS"', "_SCHEMA_ID": '"long"',
    "_MIN_BUCKET": '["null", "int"]', "_MAX_BUCKET": '["null", "int"]', "_MIN_LEVEL": '["null", "int"]',
    "_MAX_LEVEL": '["null", "int"]', "_MIN_ROW_ID": '["null", "long"]', "_MAX_ROW_ID": '["null", "long"]'
}  # fmt: skip
# An object of a manifest: a data file that was added or deleted.
MANIFEST_ENTRY: dict[str, str] = {
    "_VERSION": '"int"', "_KIND": '"int"', "_PARTITION": '"bytes"', "_BUCKET": '"int"', "_TOTAL_BUCKETS": '"int"',
    "_FILE": '"DATA_FILE"'
}  # fmt: skip
# A data file.
DATA_FILE: dict[str, str] = {
    "_FILE_NAME": '"string"', "_FILE_SIZE": '"long"', "_ROW_COUNT": '"long"', "_MIN_KEY": '"bytes"',
    "_MAX_KEY": '"bytes"', "_KEY_STATS": '"SIMPLE_STATS"', "_VALUE_STATS": '"SIMPLE_STATS"',
    "_MIN_SEQUENCE_NUMBER": '"long"', "_MAX_SEQUENCE_NUMBER": '"long"', "_SCHEMA_ID": '"long"', "_LEVEL": '"int"',
    "_EXTRA_FILES": '{"type": "array", "items": "string"}',
    "_CREATION_TIME": '["null", {"type": "long", "logicalType": "timestamp-millis"}]',
    "_DELETE_ROW_COUNT": '["null", "long"]', "_EMBEDDED_FILE_INDEX": '["null", "bytes"]',
    "_FILE_SOURCE": '["null", "int"]', "_VALUE_STATS_COLS": '["null", {"type": "array", "items": "string"}]',
    "_EXTERNAL_PATH": '["null", "string"]', "_FIRST_ROW_ID": '["null", "long"]',
    "_WRITE_COLS": '["null", {"type": "array", "items": "string"}]'
}  # fmt: skip
# An object of an index manifest: an index file.
INDEX_ENTRY: dict[str, str] = {
    "_VERSION": '"int"', "_KIND": '"int"', "_PARTITION": '"bytes"', "_BUCKET": '"int"', "_INDEX_TYPE": '"string"',
    "_FILE_NAME": '"string"', "_FILE_SIZE": '"long"', "_ROW_COUNT": '"long"',
    "_DELETIONS_VECTORS_RANGES": '["null", {"type": "array", "items": "VECTOR_RANGE"}]',
    "_EXTERNAL_PATH": '["null", "string"]'
}  # fmt: skip
# The vector of a data file: its name, the place and the length of the vector, and how many rows it deletes.
VECTOR_RANGE: dict[str, str] = {
    "f0": '"string"', "f1": '"int"', "f2": '"int"', "_CARDINALITY": '["null", "long"]'
}  # fmt: skip


class SizedRow(_rec.Record):
    """A row behind the number of its fields."""

    arity: int = _rec.derived("i32", ("count", ("get", "row", "slots")), big=True, checks=[(">=", "arity", 0)])
    row: BinaryRow = _rec.field("BinaryRow", record="BinaryRow", arguments=["arity"], verifies=["arity"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        arity_at = r.tell()
        self._arity_ = r.i32_be("arity")
        if not (self._arity_ >= 0):
            r.refuse("arity", "the number of fields is negative")
        self.row = r.record("row", BinaryRow, self._arity_)
        r.about("arity")
        if self._arity_ != len(self.row.slots):
            r.refuse(
                "arity", _rec.unequal("arity must be count(row.slots)", self._arity_, len(self.row.slots)), arity_at
            )

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("arity")
        self._arity_ = len(self.row.slots)
        w.i32_be("arity", self._arity_)
        if not (self._arity_ >= 0):
            w.refuse("arity", "the number of fields is negative")
        w.record("row", BinaryRow, self.row, self._arity_)


class BinaryRow(_rec.Record):
    """A row: a bit per field whether it is null, eight bytes per field, then what does not fit into them."""

    arity: int = _rec.parameter()
    nulls: bytes = _rec.field(
        "bytes[(arity + HEADER_BITS + 63) / 64 * 8]", "bytes",
        length=("*", ("//", ("+", ("+", "arity", HEADER_BITS), 63), 64), 8),
    )  # fmt: skip
    slots: list[int] = _rec.field("u64[arity]", "u64", count="arity", smallest=8)
    """Numbers, or up to seven bytes and their count plus 128, or the place in the row (upper half) and the size."""
    outside: bytes = _rec.field("bytes[..]", "bytes")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.nulls = r.bytes("nulls", (self.arity + HEADER_BITS + 63) // 64 * 8)
        self.slots = r.numbers("slots", self.arity, "<Q")
        self.outside = r.bytes("outside", r.left)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bytes("nulls", self.nulls, (self.arity + HEADER_BITS + 63) // 64 * 8)
        w.numbers("slots", self.slots, "<Q", self.arity)
        w.bytes("outside", self.outside)


class PaimonVector(_rec.Record):
    """The deleted rows of one data file."""

    magic: int = _rec.derived("u32", MAGIC_32, big=True, verifies=["magic"])
    rows: _deletion_vector.Bitmap = _rec.field("deletion_vector.Bitmap", record=_deletion_vector.Bitmap)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._magic_ = r.u32_be("magic")
        if self._magic_ != MAGIC_32:
            r.refuse("magic", "not a deletion vector")
        self.rows = r.record("rows", _deletion_vector.Bitmap)

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._magic_ = MAGIC_32
        w.u32_be("magic", self._magic_)
        w.record("rows", _deletion_vector.Bitmap, self.rows)


class StoredBitmap(_rec.Record):
    """A vector in a file of vectors; the index manifest has its place and the length."""

    length: int = _rec.derived("u32", ("captured", "size", "vector"), big=True, before=[("aside", "vector")])
    vector: PaimonVector = _rec.field(
        "PaimonVector", record="PaimonVector", size="length", captures=["size", "start"], open=["size"]
    )
    checksum: int = _rec.derived(
        "u32", ("call", _fn.crc32, ("encoded", "vector")), big=True,
        verifies=[
            (
                "==", "checksum",
                (
                    "call", _fn.crc32,
                    (
                        "bytes", ("captured", "start", "vector"),
                        ("+", ("captured", "start", "vector"), ("captured", "size", "vector")),
                    ),
                ),
            )
        ],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._length_ = r.u32_be("length")
        vector_at = r.tell()
        with r.within("vector", self._length_) as inner:
            self.vector = inner.record("vector", PaimonVector)
        vector_size = r.tell() - vector_at
        self._checksum_ = r.u32_be("checksum")
        if self._checksum_ != _fn.crc32(r.between(vector_at, vector_at + vector_size)):
            r.refuse("checksum", "the checksum is another")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("vector") as vector_part:
            vector_part.record("vector", PaimonVector, self.vector)
        self._length_ = len(vector_part)
        w.u32_be("length", self._length_)
        w.put(vector_part)
        w.about("checksum")
        self._checksum_ = _fn.crc32(b"".join((bytes(vector_part),)))
        w.u32_be("checksum", self._checksum_)


class BitmapFile(_rec.Record):
    """A file of vectors."""

    version: int = _rec.derived("u8", 1, verifies=["version"])
    vectors: list[StoredBitmap] = _rec.field("StoredBitmap[..]", record="StoredBitmap", dimension="rest")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._version_ = r.u8("version")
        if self._version_ != 1:
            r.refuse("version", "version must be 1")
        self.vectors = [r.record(at, StoredBitmap) for at in r.rest("vectors")]

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._version_ = 1
        w.u8("version", self._version_)
        w.records("vectors", StoredBitmap, self.vectors)


__spec__ = _fields.describe(globals(), "paimon.idl", {
    "SizedRow": 30, "BinaryRow": 36, "PaimonVector": 44, "StoredBitmap": 50, "BitmapFile": 57,
})  # fmt: skip
