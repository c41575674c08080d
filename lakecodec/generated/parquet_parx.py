# Generated from parquet_parx.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:b043ba44a8fb5e901d1c8bff0e3b29a30bdc205aa0ccc452f654f8809c7baa31
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""A candidate for Parquet's next footer: today's without the paths of column chunks, in a frame that says so.

apache/parquet-format #588 (ParxMagicNumber.md) and #563: flags that a reader must know, and a checksum.
"""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import fields as _fields
from ..runtime.records import functions as _fn
from ..runtime.records import lazy as _lazy
from ..runtime.records import record as _rec
from . import parquet as _parquet

# Begins and ends every file.
MAGIC: str = "PARX"


class Flag(_enum.IntEnum):
    """What a reader must know before it reads the footer."""

    ENCRYPTED_FOOTER = 1
    """FileMetaData is encrypted."""
    PATH_IN_SCHEMA_OMITTED = 2
    """Column chunks leave their paths to the schema."""


_Footer_metadata_size = _rec.Layout("<", metadata_size="I", flags="I", checksum="I", magic="4s")


class Footer(_rec.Record):
    """What a writer puts behind the last column chunk."""

    meta: _parquet.FileMetaData = _rec.field(
        "parquet.FileMetaData", struct=_parquet.FileMetaData, captures=["size", "start"]
    )
    metadata_size: int = _rec.derived("u32", ("captured", "size", "meta"), before=[("derive", "metadata_size")])
    flags: int = _rec.field("u32", captures=["start"])
    checksum: int = _rec.derived("u32", ("call", _fn.crc32, ("encoded", "meta", "metadata_size", "flags")))
    magic: bytes = _rec.derived(
        "bytes[4]", MAGIC.encode(), "bytes", length=4,
        checks=[("==", ("&", "flags", 3), "flags"), ("==", ("&", "flags", Flag.ENCRYPTED_FOOTER), 0)],
        verifies=[
            "metadata_size",
            (
                "==", "checksum",
                ("call", _fn.crc32, ("bytes", ("captured", "start", "meta"), ("+", ("captured", "start", "flags"), 4))),
            ),
            "magic",
        ],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        meta_at = r.tell()
        self.meta = r.struct("meta", _parquet.FileMetaData)
        meta_size = r.tell() - meta_at
        self.metadata_size, self.flags, self.checksum, self.magic = r.run(_Footer_metadata_size)
        if self.metadata_size != meta_size:
            r.refuse("metadata_size", "metadata_size must be size(meta)")
        flags_at = r.tell() - 12
        if self.flags & 3 != self.flags:
            r.refuse("flags", "an unknown flag")
        if self.flags & Flag.ENCRYPTED_FOOTER != 0:
            r.refuse("flags", "the footer is encrypted")
        r.about("checksum")
        if self.checksum != _fn.crc32(r.between(meta_at, flags_at + 4)):
            r.refuse("checksum", "the checksum is another")
        r.about("magic")
        if self.magic != MAGIC.encode():
            r.refuse("magic", "not a PARX file")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("meta", w.offset_if_known()) as meta_part:
            meta_part.struct("meta", _parquet.FileMetaData, self.meta)
        w.put(meta_part)
        self.metadata_size = len(meta_part)
        with w.part("metadata_size", w.offset_if_known()) as metadata_size_part:
            metadata_size_part.u32("metadata_size", self.metadata_size)
        w.put(metadata_size_part)
        with w.part("flags", w.offset_if_known()) as flags_part:
            flags_part.u32("flags", self.flags)
        w.put(flags_part)
        if self.flags & 3 != self.flags:
            w.refuse("flags", "an unknown flag")
        if self.flags & Flag.ENCRYPTED_FOOTER != 0:
            w.refuse("flags", "the footer is encrypted")
        w.about("checksum")
        self.checksum = _fn.crc32(b"".join((bytes(meta_part), bytes(metadata_size_part), bytes(flags_part))))
        w.about("magic")
        self.magic = MAGIC.encode()
        w.u32("checksum", self.checksum)
        w.bytes("magic", self.magic, 4)


class File(_lazy.LazyRecord):
    """A whole file; only the parts that are asked for are read."""

    _gaps = True
    _overlaps = True
    magic: bytes = _rec.placed("bytes[4]")
    metadata_size: int = _rec.placed("u32", places=True, end=True, takes=4)
    footer: Footer = _rec.placed("Footer")

    def _span_magic(self: _Any) -> tuple[int, int | None]:
        return 0, 4

    def _read_magic(self: _Any, r: _rec.Reader) -> _Any:
        value = r.bytes("magic", 4)
        r.finish("magic")
        if value != MAGIC.encode():
            r.refuse("magic", "not a PARX file", 0)
        return value

    def _write_magic(self: _Any, w: _rec.Writer) -> None:
        w.bytes("magic", self.magic, 4)
        if self.magic != MAGIC.encode():
            w.refuse("magic", "not a PARX file")

    def _span_metadata_size(self: _Any) -> tuple[int, int | None]:
        return self._size - 16, 4

    def _read_metadata_size(self: _Any, r: _rec.Reader) -> _Any:
        value = r.u32("metadata_size")
        r.finish("metadata_size")
        if not (value + 20 <= self._size):
            r.refuse("metadata_size", "the footer length is over the size of the file", 0)
        return value

    def _write_metadata_size(self: _Any, w: _rec.Writer) -> None:
        w.u32("metadata_size", self.metadata_size)

    def _span_footer(self: _Any) -> tuple[int, int | None]:
        return self._size - 16 - self.metadata_size, None

    def _read_footer(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode("footer", Footer)

    def _write_footer(self: _Any, w: _rec.Writer) -> None:
        w.encode("footer", Footer, self.footer)


__spec__ = _fields.describe(globals(), "parquet_parx.idl", {
    "Flag": 14, "Footer": 22, "File": 32,
})  # fmt: skip
