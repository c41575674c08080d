# Generated from parquet_encryption.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:936972d08af6b52234cc43f0d2fd46939ad09e7fa39b8df1ca5e89fd32c5f83d
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportOptionalMemberAccess=false, reportOptionalSubscript=false
# pyright: reportOptionalOperand=false, reportArgumentType=false
"""Encrypted parts of Parquet files: how they are framed, and what authenticates them (Encryption.md)."""

from __future__ import annotations

import enum as _enum
from typing import Any as _Any

from ..runtime import compact as _rt
from ..runtime import fields as _fields
from ..runtime.records import lazy as _lazy
from ..runtime.records import record as _rec
from . import parquet as _parquet
from . import parquet_file as _parquet_file

# Bytes of the number that no two parts with one key share.
NONCE: int = 12
# Bytes that tell whether a part was changed.
TAG: int = 16


class Part(_enum.IntEnum):
    """The kinds of parts."""

    FOOTER = 0
    """FileMetaData of an encrypted footer, or the signature of a readable one."""
    COLUMN_META_DATA = 1
    """ColumnMetaData with the key of the column."""
    DATA_PAGE = 2
    """The body of a data page."""
    DICTIONARY_PAGE = 3
    """The body of a dictionary page."""
    DATA_PAGE_HEADER = 4
    """PageHeader of a data page."""
    DICTIONARY_PAGE_HEADER = 5
    """PageHeader of a dictionary page."""
    COLUMN_INDEX = 6
    """ColumnIndex."""
    OFFSET_INDEX = 7
    """OffsetIndex."""
    BLOOM_FILTER_HEADER = 8
    """BloomFilterHeader."""
    BLOOM_FILTER_BITSET = 9
    """The bitset of a Bloom filter."""


class Padding(_rt.Struct):
    """Stands in for the bytes by which an encrypted page is longer; behind the last field of a PageHeader, readers
    skip it.
    """

    padding: bytes = _rt.field(15, _rt.BINARY)
    """Zeros."""


_EncryptedFooter_footer_size = _rec.Layout("<", footer_size="I", magic="4s")
_EncryptedTail_footer_size = _rec.Layout("<", footer_size="I", magic="4s")


class Sealed(_rec.Record):
    """What AES makes of a part, and the number it began with. A tag ends the text, but where it is a page body by
    AES-CTR.
    """

    nonce: bytes = _rec.field("bytes[NONCE]", "bytes", length=NONCE)
    text: bytes = _rec.field("bytes[..]", "bytes")

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.nonce = r.bytes("nonce", NONCE)
        self.text = r.bytes("text", r.left)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bytes("nonce", self.nonce, NONCE)
        w.bytes("text", self.text)


class Module(_rec.Record):
    """An encrypted part."""

    size: int = _rec.derived("u32", ("captured", "size", "sealed"), before=[("aside", "sealed")])
    sealed: Sealed = _rec.field("Sealed", record="Sealed", size="size", open=["size"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self._size_ = r.u32("size")
        with r.within("sealed", self._size_) as inner:
            self.sealed = inner.record("sealed", Sealed)

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("sealed") as sealed_part:
            sealed_part.record("sealed", Sealed, self.sealed)
        self._size_ = len(sealed_part)
        w.u32("size", self._size_)
        w.put(sealed_part)


class Signature(_rec.Record):
    """What follows a footer that anyone can read."""

    nonce: bytes = _rec.field("bytes[NONCE]", "bytes", length=NONCE)
    tag: bytes = _rec.field("bytes[TAG]", "bytes", length=TAG)

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.nonce = r.bytes("nonce", NONCE)
        self.tag = r.bytes("tag", TAG)

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bytes("nonce", self.nonce, NONCE)
        w.bytes("tag", self.tag, TAG)


class Counter(_rec.Record):
    """The first block of the counter of AES-CTR."""

    nonce: bytes = _rec.field("bytes[NONCE]", "bytes", length=NONCE)
    block: int = _rec.derived("u32", 1, big=True, verifies=["block"])

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.nonce = r.bytes("nonce", NONCE)
        self._block_ = r.u32_be("block")
        if self._block_ != 1:
            r.refuse("block", "block must be 1")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.bytes("nonce", self.nonce, NONCE)
        self._block_ = 1
        w.u32_be("block", self._block_)


class Place(_rec.Record):
    """What authenticates a part behind the prefix and the bytes that make the file unique: its kind, and its place."""

    part: int = _rec.field("u8")
    row_group: int | None = _rec.field("i16", present=("!=", "part", Part.FOOTER), default=None)
    column: int | None = _rec.field("i16", present=("!=", "part", Part.FOOTER), default=None)
    page: int | None = _rec.field(
        "i16", present=("or", ("==", "part", Part.DATA_PAGE), ("==", "part", Part.DATA_PAGE_HEADER)), default=None
    )
    """Position among the data pages."""

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.part = r.u8("part")
        self.row_group = r.i16("row_group") if self.part != Part.FOOTER else None
        self.column = r.i16("column") if self.part != Part.FOOTER else None
        self.page = r.i16("page") if self.part == Part.DATA_PAGE or self.part == Part.DATA_PAGE_HEADER else None

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.u8("part", self.part)
        if w.given("row_group", self.row_group, self.part != Part.FOOTER):
            w.i16("row_group", self.row_group)
        if w.given("column", self.column, self.part != Part.FOOTER):
            w.i16("column", self.column)
        if w.given("page", self.page, self.part == Part.DATA_PAGE or self.part == Part.DATA_PAGE_HEADER):
            w.i16("page", self.page)


class EncryptedFooter(_rec.Record):
    """The end of a file whose footer is encrypted."""

    crypto: _parquet.FileCryptoMetaData = _rec.field(
        "parquet.FileCryptoMetaData", struct=_parquet.FileCryptoMetaData, captures=["size"]
    )
    footer: Module = _rec.field("Module", record="Module", captures=["size"])
    """The FileMetaData."""
    footer_size: int = _rec.derived("u32", ("+", ("captured", "size", "crypto"), ("captured", "size", "footer")))
    magic: bytes = _rec.derived(
        "bytes[4]", _parquet_file.ENCRYPTED_MAGIC.encode(), "bytes", length=4, verifies=["footer_size", "magic"]
    )

    def _read(self: _Any, r: _rec.Reader) -> None:
        crypto_at = r.tell()
        self.crypto = r.struct("crypto", _parquet.FileCryptoMetaData)
        crypto_size = r.tell() - crypto_at
        footer_at = r.tell()
        self.footer = r.record("footer", Module)
        footer_size = r.tell() - footer_at
        self._footer_size_, self._magic_ = r.run(_EncryptedFooter_footer_size)
        if self._footer_size_ != crypto_size + footer_size:
            r.refuse(
                "footer_size",
                _rec.unequal(
                    "footer_size must be size(crypto) + size(footer)", self._footer_size_, crypto_size + footer_size
                ),
            )
        r.about("magic")
        if self._magic_ != _parquet_file.ENCRYPTED_MAGIC.encode():
            r.refuse("magic", "magic must be parquet_file.ENCRYPTED_MAGIC")

    def _write(self: _Any, w: _rec.Writer) -> None:
        with w.part("crypto", w.offset_if_known()) as crypto_part:
            crypto_part.struct("crypto", _parquet.FileCryptoMetaData, self.crypto)
        w.put(crypto_part)
        with w.part("footer", w.offset_if_known()) as footer_part:
            footer_part.record("footer", Module, self.footer)
        w.put(footer_part)
        self._footer_size_ = len(crypto_part) + len(footer_part)
        w.about("magic")
        self._magic_ = _parquet_file.ENCRYPTED_MAGIC.encode()
        w.run(_EncryptedFooter_footer_size, self._footer_size_, self._magic_)


class EncryptedTail(_rec.Record):
    """The last bytes of a file whose footer is encrypted."""

    file_size: int = _rec.parameter()
    footer_size: int = _rec.field("u32")
    magic: bytes = _rec.derived(
        "bytes[4]", _parquet_file.ENCRYPTED_MAGIC.encode(), "bytes", length=4,
        checks=[("<=", ("+", "footer_size", 12), "file_size")], owners=["footer_size"], verifies=["magic"],
    )  # fmt: skip

    def _read(self: _Any, r: _rec.Reader) -> None:
        self.footer_size, self._magic_ = r.run(_EncryptedTail_footer_size)
        if not (self.footer_size + 12 <= self.file_size):
            r.refuse("footer_size", "the footer length is over the size of the file")
        r.about("magic")
        if self._magic_ != _parquet_file.ENCRYPTED_MAGIC.encode():
            r.refuse("magic", "magic must be parquet_file.ENCRYPTED_MAGIC")

    def _write(self: _Any, w: _rec.Writer) -> None:
        w.about("magic")
        self._magic_ = _parquet_file.ENCRYPTED_MAGIC.encode()
        w.run(_EncryptedTail_footer_size, self.footer_size, self._magic_)
        if not (self.footer_size + 12 <= self.file_size):
            w.refuse("footer_size", "the footer length is over the size of the file")


class EncryptedFile(_lazy.LazyRecord):
    """A whole file whose footer is encrypted; only the parts that are asked for are read."""

    magic: bytes = _rec.placed("bytes[4]", wire="bytes", length=4, at=0, size=4)
    tail: EncryptedTail = _rec.placed(
        "EncryptedTail", places=True, end=True, takes=8, record="EncryptedTail",
        arguments=[("-", ("end",), ("begin",))], at=("-", ("-", ("end",), ("begin",)), 8), size=8,
    )  # fmt: skip
    footer: EncryptedFooter = _rec.placed(
        "EncryptedFooter", record="EncryptedFooter", size=("+", ("get", "tail", "footer_size"), 8),
        at=("-", ("-", ("-", ("end",), ("begin",)), 8), ("get", "tail", "footer_size")),
    )  # fmt: skip

    def _span_magic(self: _Any) -> tuple[int, int | None]:
        return 0, 4

    def _read_magic(self: _Any, r: _rec.Reader) -> _Any:
        value = r.bytes("magic", 4)
        r.finish("magic")
        return value

    def _write_magic(self: _Any, w: _rec.Writer) -> None:
        w.bytes("magic", self.magic, 4)

    def _span_tail(self: _Any) -> tuple[int, int | None]:
        return self._size - 8, 8

    def _read_tail(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("tail", EncryptedTail, self._size)

    def _write_tail(self: _Any, w: _rec.Writer) -> None:
        w.encode("tail", EncryptedTail, self.tail, self._size)

    def _span_footer(self: _Any) -> tuple[int, int | None]:
        return self._size - 8 - self.tail.footer_size, self.tail.footer_size + 8

    def _read_footer(self: _Any, r: _rec.Reader) -> _Any:
        return r.decode_all("footer", EncryptedFooter)

    def _write_footer(self: _Any, w: _rec.Writer) -> None:
        w.encode("footer", EncryptedFooter, self.footer)


__spec__ = _fields.describe(globals(), "parquet_encryption.idl", {
    "Part": 14, "Padding": 50, "Sealed": 38, "Module": 44, "Signature": 56, "Counter": 62, "Place": 68,
    "EncryptedFooter": 77, "EncryptedTail": 86, "EncryptedFile": 92,
})  # fmt: skip
_rt.register(__name__, __spec__)
