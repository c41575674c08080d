# Generated from avro.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:d9cee77c85888479f64c6db622ae84cfe29fa3ba87c324ed1ec131176b8b2b71
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Avro container files: metadata by name, then blocks of objects with a marker behind each.

Apache Avro Specification 1.12, section "Object Container Files".
"""

from __future__ import annotations

from typing import Any as _Any

from ..runtime import declaration as _decl
from ..runtime import fields as _fields
from ..runtime.records import record as _rec


class File(_rec.Record):
    """A whole file."""

    magic: bytes = _rec.derived("bytes[4]", b"Obj\x01", "bytes", length=4, verifies=["magic"])
    metadata: list[Metadata] = _rec.field(
        "Metadata[until last(metadata).word == 0]", record="Metadata", dimension="until",
        count=("==", ("get", ("last", "metadata"), "word"), 0),
    )  # fmt: skip
    marker: bytes = _rec.field("bytes[16]", "bytes", length=16)
    blocks: list[Block] = _rec.field(
        "Block[..]", record="Block",
        arguments=[
            (
                "let", (("metadata", "metadata"), ("i", 0)),
                (
                    "if", ("==", "i", ("count", "metadata")), b"null",
                    (
                        "if",
                        (
                            ">",
                            (
                                "count",
                                (
                                    "let", (("entries", ("get", ("item", "metadata", "i"), "entries")), ("i", 0)),
                                    (
                                        "if", ("==", "i", ("count", "entries")), b"",
                                        (
                                            "if",
                                            ("==", ("get", ("item", "entries", "i"), "key"), ("text", "avro.codec")),
                                            ("get", ("item", "entries", "i"), "value_of_key"),
                                            ("call", "codec_in", "entries", ("+", "i", 1)),
                                        ),
                                    ),
                                ),
                            ),
                            0,
                        ),
                        (
                            "let", (("entries", ("get", ("item", "metadata", "i"), "entries")), ("i", 0)),
                            (
                                "if", ("==", "i", ("count", "entries")), b"",
                                (
                                    "if", ("==", ("get", ("item", "entries", "i"), "key"), ("text", "avro.codec")),
                                    ("get", ("item", "entries", "i"), "value_of_key"),
                                    ("call", "codec_in", "entries", ("+", "i", 1)),
                                ),
                            ),
                        ),
                        ("call", "codec_of", "metadata", ("+", "i", 1)),
                    ),
                ),
            ),
            "marker",
        ],
        dimension="rest",
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._magic_ = r.bytes("magic", 4)
        if self._magic_ != b"Obj\x01":
            r.refuse("magic", "not an Avro file")
        r.about("metadata")
        self.metadata = list[_Any]()
        for at in r.until("metadata", lambda: self.metadata[-1].word == 0):
            item = r.record(at, Metadata)
            self.metadata.append(item)
        self.marker = r.bytes("marker", 16)
        r.about("blocks")
        self.blocks = [r.record(at, Block, codec_of(self.metadata, 0), self.marker) for at in r.rest("blocks")]

    def _write(self: _Any, w: _rec.Writer) -> None:
        self._magic_ = b"Obj\x01"
        w.bytes("magic", self._magic_, 4)
        w.about("metadata")
        w.records("metadata", Metadata, self.metadata)
        w.bytes("marker", self.marker, 16)
        w.about("blocks")
        w.records("blocks", Block, self.blocks, None, codec_of(self.metadata, 0), self.marker)
        w.ends("metadata", self.metadata, lambda items: items[-1].word == 0)


class Metadata(_rec.Record):
    """Part of the metadata, a map; an empty one ends it."""

    word: int = _rec.field("svarint64")
    """How many entries; where it is negative, their size in bytes follows."""
    num_bytes: int | None = _rec.derived(
        "svarint64", ("captured", "size", "entries"), present=("<", "word", 0), before=[("aside", "entries")]
    )
    entries: list[Entry] = _rec.field(
        "Entry[word < 0 ? -word : word]", record="Entry", count=("if", ("<", "word", 0), ("-", 0, "word"), "word"),
        smallest=2, captures=["size"], verifies=["num_bytes"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.word = r.svarint("word", 64)
        num_bytes_at = r.tell()
        self._num_bytes_ = r.svarint("num_bytes", 64) if self.word < 0 else None
        entries_at = r.tell()
        self.entries = r.records("entries", -self.word if self.word < 0 else self.word, 2, Entry)
        entries_size = r.tell() - entries_at
        if not (self._num_bytes_ is None or self._num_bytes_ == entries_size):
            r.refuse(
                "num_bytes", _rec.unequal("num_bytes must be size(entries)", self._num_bytes_, entries_size),
                num_bytes_at,
            )  # fmt: skip

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.svarint("word", self.word, 64)
        with w.part("entries") as entries_part:
            entries_part.records("entries", Entry, self.entries, -self.word if self.word < 0 else self.word)
        self._num_bytes_ = len(entries_part) if self.word < 0 else None
        if self.word < 0:
            w.svarint("num_bytes", self._num_bytes_, 64)
        w.put(entries_part)


class Entry(_rec.Record):
    """One entry of the metadata."""

    size_of_key: int = _rec.derived("svarint64", ("captured", "size", "key"), before=[("aside", "key")])
    key: str = _rec.field("utf8[size_of_key]", "utf8", length="size_of_key", open=["length"])
    size_of_value: int = _rec.derived(
        "svarint64", ("captured", "size", "value_of_key"), before=[("aside", "value_of_key")]
    )
    value_of_key: bytes = _rec.field("bytes[size_of_value]", "bytes", length="size_of_value", open=["length"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._size_of_key_ = r.svarint("size_of_key", 64)
        self.key = r.text("key", self._size_of_key_)
        self._size_of_value_ = r.svarint("size_of_value", 64)
        self.value_of_key = r.bytes("value_of_key", self._size_of_value_)

    def _write(self: _Any, w: _rec.Writer) -> None:
        key_part = w.utf8("key", self.key)
        self._size_of_key_ = len(key_part)
        w.svarint("size_of_key", self._size_of_key_, 64)
        w.put(key_part)
        value_of_key_part = w.raw("value_of_key", self.value_of_key)
        self._size_of_value_ = len(value_of_key_part)
        w.svarint("size_of_value", self._size_of_value_, 64)
        w.put(value_of_key_part)


class Block(_rec.Record):
    """Objects of the schema in the metadata, one after the other."""

    how: bytes = _rec.parameter()
    marker: bytes = _rec.parameter()
    num_objects: int = _rec.field("svarint64", checks=[(">=", "num_objects", 0)])
    stored: int = _rec.derived(
        "svarint64", ("captured", "size", "objects"), before=[("raw", "objects"), ("aside", "objects")]
    )
    objects: bytes = _rec.field(
        "bytes", size="stored", codecs=[(("call", "packed", "how"),)], keeps=True, captures=["size"], open=["size"],
        verifies=["stored"],
    )  # fmt: skip
    end_mark: bytes = _rec.derived("bytes[16]", "marker", "bytes", length=16, verifies=["end_mark"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.num_objects = r.svarint("num_objects", 64)
        if not (self.num_objects >= 0):
            r.refuse("num_objects", "num_objects >= 0 does not hold")
        stored_at = r.tell()
        self._stored_ = r.svarint("stored", 64)
        objects_at = r.tell()
        r.about("objects")
        self.objects = bytes(r.decoded_bytes("objects", self._stored_, packed(self.how)))
        r.keep(self, 2)
        objects_size = r.tell() - objects_at
        if self._stored_ != objects_size:
            r.refuse("stored", _rec.unequal("stored must be size(objects)", self._stored_, objects_size), stored_at)
        self._end_mark_ = r.bytes("end_mark", 16)
        if self._end_mark_ != self.marker:
            r.refuse("end_mark", "another marker follows the block")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.svarint("num_objects", self.num_objects, 64)
        if not (self.num_objects >= 0):
            w.refuse("num_objects", "num_objects >= 0 does not hold")
        objects_raw = w.raw("objects", self.objects)
        w.about("objects")
        objects_part = w.through("objects", objects_raw, packed(self.how), kept=w.kept(self, 2))
        self._stored_ = len(objects_part)
        w.svarint("stored", self._stored_, 64)
        w.put(objects_part)
        self._end_mark_ = self.marker
        w.bytes("end_mark", self._end_mark_, 16)


# Declarations are tables: one row a field, whatever its width.
# fmt: off

def codec_of(metadata: _Any, i: _Any) -> _Any:
    """The codec that the metadata names."""
    return b"null" if i == len(metadata) else (codec_in(metadata[i].entries, 0) if len(codec_in(metadata[i].entries, 0)) > 0 else codec_of(metadata, i + 1))

def codec_in(entries: _Any, i: _Any) -> _Any:
    """The codec that one part names, no bytes where it names none."""
    return b"" if i == len(entries) else (entries[i].value_of_key if entries[i].key == "avro.codec" else codec_in(entries, i + 1))

# A raw deflate stream.
deflate = _decl.Codec("deflate", (), "bytes", "runtime.compress:Deflate")
# A zstd frame.
zstandard = _decl.Codec("zstandard", (), "bytes", "runtime.block_codecs:ZstdStream")
# A Snappy block with a checksum of its content.
snappy = _decl.Codec("snappy", (), "bytes", "runtime.block_codecs:SnappyChecked")

def packed(how: _Any) -> _decl.Use:
    """A block as the metadata says; those of codecs that are not declared here stay compressed."""
    return deflate() if how == b"deflate" else (zstandard() if how == b"zstandard" else (snappy() if how == b"snappy" else _decl.identity()))
# fmt: on


__spec__ = _fields.describe(globals(), "avro.idl", {
    "File": 9, "Metadata": 17, "Entry": 25, "Block": 51,
})  # fmt: skip
