"""Formats of the gallery that are found from the end of the file, and elements within others, for Construct."""

from __future__ import annotations

import json
import zlib
from typing import Any

from construct import (
    Adapter,
    Array,
    BitsInteger,
    BitStruct,
    Byte,
    Bytes,
    BytesInteger,
    Computed,
    Const,
    FixedSized,
    Float32b,
    Float64b,
    Float64l,
    GreedyBytes,
    GreedyRange,
    GreedyString,
    If,
    Int16ub,
    Int16ul,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64sl,
    Int64ub,
    Int64ul,
    LazyBound,
    Pass,
    Peek,
    Pointer,
    Prefixed,
    Struct,
    Switch,
    Tunnel,
    VarInt,
    ZigZag,
    this,
)

from .gallery_construct_more import Vlq
from .gallery_construct_placed import Sized, each

_N = this.n

# ---- zip ----


class _Packed(Tunnel):  # type: ignore[misc]
    """A member's data: the stored bytes where they are those of the value."""

    def _decode(self, data: bytes, context: Any, path: str) -> bytes:
        return zlib.decompress(data, -15) if context.about.method else data

    def _encode(self, data: bytes, context: Any, path: str) -> bytes:
        if not context.about.method:
            return data
        if zlib.decompress(context.stored, -15) == data:
            return context.stored  # type: ignore[no-any-return]
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(data) + packer.flush()


_ABOUT = Struct(
    *(name / Int16ul for name in ("needs", "flags", "method", "time", "date")),
    *(name / Int32ul for name in ("crc", "stored", "inflated")),
)
_WIDE = 0xFFFFFFFF
_ZIP64 = Struct(
    "inflated" / If(lambda c: c._._._.about.inflated == _WIDE, Int64ul),
    "stored" / If(lambda c: c._._._.about.stored == _WIDE, Int64ul),
    "start" / If(lambda c: c._._._.get("header_at", 0) == _WIDE, Int64ul),
    "more" / GreedyBytes,
)
_EXTRA = GreedyRange(
    Struct("kind" / Int16ul, "content" / Prefixed(Int16ul, Switch(this.kind, {1: _ZIP64}, default=GreedyBytes)))
)
_ENTRY = Struct(
    "signature" / Const(b"PK\x01\x02"),
    "made_by" / Int16ul,
    "about" / _ABOUT,
    *(name / Int16ul for name in ("size_of_name", "size_of_extra", "size_of_comment", "disk", "internal_attributes")),
    "external_attributes" / Int32ul,
    "header_at" / Int32ul,
    "name" / FixedSized(this.size_of_name, GreedyString("utf8")),
    "extra" / FixedSized(this.size_of_extra, _EXTRA),
    "comment" / FixedSized(this.size_of_comment, GreedyString("utf8")),
)


def _entry(context: Any) -> Any:
    """Returns the entry of the member whose fields a context has."""
    return context._.directory[context._._index]


def _own(entry: Any, number: str, narrow: int) -> Any:
    return narrow if narrow != _WIDE else next(field for field in entry.extra if field.kind == 1).content[number]


_STORED = lambda c: _own(_entry(c), "stored", _entry(c).about.stored)  # noqa: E731
_IS_WIDE = lambda c: any(field.kind == 1 for field in c._.extra)  # noqa: E731
_DESCRIPTOR = Struct(
    "signature" / Const(b"PK\x07\x08"),
    "crc" / Int32ul,
    "wide" / Computed(_IS_WIDE),
    "stored" / If(lambda c: not c.wide, Int32ul),
    "inflated" / If(lambda c: not c.wide, Int32ul),
    "stored64" / If(this.wide, Int64ul),
    "inflated64" / If(this.wide, Int64ul),
)
_MEMBER = Struct(
    "signature" / Const(b"PK\x03\x04"),
    "about" / _ABOUT,
    "size_of_name" / Int16ul,
    "size_of_extra" / Int16ul,
    "name" / FixedSized(this.size_of_name, GreedyString("utf8")),
    "extra" / FixedSized(this.size_of_extra, _EXTRA),
    "stored" / Peek(Bytes(_STORED)),
    "content" / FixedSized(_STORED, _Packed(GreedyBytes)),
    "descriptor" / If(lambda c: c.about.flags & 8, _DESCRIPTOR),
)
_TAIL64 = Struct(
    "signature" / Const(b"PK\x06\x06"),
    "rest_size" / Int64ul,
    "made_by" / Int16ul,
    "needs" / Int16ul,
    "disk" / Int32ul,
    "directory_disk" / Int32ul,
    *(name / Int64ul for name in ("num_entries_here", "num_entries", "directory_size", "directory_at")),
    "others" / Bytes(this.rest_size - 44),
)
_LOCATOR = Struct("signature" / Const(b"PK\x06\x07"), "disk" / Int32ul, "tail64_at" / Int64ul, "num_disks" / Int32ul)
_TAIL = Struct(
    "signature" / Const(b"PK\x05\x06"),
    *(name / Int16ul for name in ("disk", "directory_disk", "num_entries_here", "num_entries")),
    "directory_size" / Int32ul,
    "directory_at" / Int32ul,
    "comment_size" / Const(0, Int16ul),
)
_LAST = lambda c: c.tail if c.tail64 is None else c.tail64  # noqa: E731
_ZIP = Struct(
    "tail" / Pointer(this._params.size - 22, _TAIL),
    "locator"
    / If(
        lambda c: c.tail.num_entries == 0xFFFF or _WIDE in (c.tail.directory_size, c.tail.directory_at),
        Pointer(this._params.size - 42, _LOCATOR),
    ),
    "tail64" / If(lambda c: c.locator is not None, Pointer(lambda c: c.locator.tail64_at, _TAIL64)),
    "directory"
    / Pointer(lambda c: _LAST(c).directory_at, FixedSized(lambda c: _LAST(c).directory_size, GreedyRange(_ENTRY))),
    "members"
    / each(
        lambda c: len(c.directory),
        lambda c: _own(c.directory[c._index], "start", c.directory[c._index].header_at),
        _MEMBER,
    ),
)

# ---- Puffin ----


class _Json(Adapter):  # type: ignore[misc]
    def _decode(self, data: bytes, context: Any, path: str) -> Any:
        return json.loads(data)

    def _encode(self, value: Any, context: Any, path: str) -> bytes:
        return json.dumps(value, separators=(",", ":")).encode()


_PUFFIN = Struct(
    "magic" / Const(b"PFA1"),
    "metadata_size" / Pointer(this._params.size - 12, Int32sl),
    "flags" / Pointer(this._params.size - 8, Int32ul),
    "end_magic" / Pointer(this._params.size - 4, Const(b"PFA1")),
    "footer"
    / Pointer(
        lambda c: c._params.size - 16 - c.metadata_size,
        Struct("magic" / Const(b"PFA1"), "metadata" / _Json(Bytes(this._.metadata_size))),
    ),
    "blobs"
    / each(
        lambda c: len(c.footer.metadata["blobs"]),
        lambda c: c.footer.metadata["blobs"][c._index]["offset"],
        Bytes(lambda c: c.footer.metadata["blobs"][c._index]["length"]),
    ),
)

# ---- property lists ----

_WIDTH_OF_REFS = lambda c: c._._.trailer.ref_size  # noqa: E731
_REF, _MORE = BytesInteger(_WIDTH_OF_REFS), BytesInteger(lambda c: 1 << (c.wide & 15))
_COUNT = lambda c: c.head.info if c.more is None else c.more  # noqa: E731


def _counted(**fields: Any) -> Any:
    """Returns an object with a count, which is in its first byte or behind it."""
    return Struct(
        "head" / BitStruct("kind" / BitsInteger(4), "info" / BitsInteger(4)),
        "wide" / If(this.head.info == 15, Byte),
        "more" / If(this.head.info == 15, _MORE),
        *(name / what for name, what in fields.items()),
    )


_INTEGER = Switch(this.marker, {0x10: Byte, 0x11: Int16ub, 0x12: Int32ub, 0x13: Int64sb, 0x14: Array(2, Int64ub)})
_OBJECTS: dict[int, Any] = {
    0x0: Struct("marker" / Byte),
    0x1: Struct("marker" / Byte, "number" / _INTEGER),
    0x2: Struct("marker" / Byte, "number" / Switch(this.marker, {0x22: Float32b, 0x23: Float64b})),
    0x3: Struct("marker" / Byte, "seconds" / Float64b),
    0x4: _counted(data=Bytes(_COUNT)),
    0x5: _counted(text=FixedSized(_COUNT, GreedyString("ascii"))),
    0x6: _counted(text=FixedSized(lambda c: 2 * _COUNT(c), GreedyString("utf-16-be"))),
    0x8: Struct("marker" / Byte, "value" / BytesInteger(lambda c: (c.marker & 15) + 1)),
    0xA: _counted(refs=Array(_COUNT, _REF)),
    0xD: _counted(keys=Array(_COUNT, _REF), values=Array(_COUNT, _REF)),
}
_OBJECT = Struct("kind" / Peek(Byte), "content" / Switch(lambda c: c.kind >> 4, _OBJECTS))
_TRAILER = Struct(
    "unused" / Bytes(5),
    *(name / Byte for name in ("sort_version", "offset_size", "ref_size")),
    *(name / Int64ub for name in ("num_objects", "top", "table_at")),
)
_PLIST = Struct(
    "magic" / Const(b"bplist00"),
    "trailer" / Pointer(this._params.size - 32, _TRAILER),
    "offsets"
    / Pointer(
        lambda c: c.trailer.table_at, Array(lambda c: c.trailer.num_objects, BytesInteger(this.trailer.offset_size))
    ),
    "objects" / each(lambda c: c.trailer.num_objects, lambda c: c.offsets[c._index], _OBJECT),
)

# ---- elements of ASN.1 ----

_VLQ, _ELEMENTS = Vlq(), GreedyRange(LazyBound(lambda: _ELEMENT))


def _length(context: Any) -> int:
    return context.first if context.first < 128 else int.from_bytes(context.more, "big")  # type: ignore[no-any-return]


_CONTENTS: dict[int, Any] = {
    1: Byte, 3: Struct("unused" / Byte, "bits" / GreedyBytes), 5: Pass, 6: GreedyRange(_VLQ),
    **dict.fromkeys((0x0C, 0x12, 0x13, 0x16, 0x17, 0x18, 0x1A), GreedyString("utf8")), 0x14: GreedyString("latin-1"),
    0x1E: GreedyString("utf-16-be"), 0x30: _ELEMENTS, 0x31: _ELEMENTS, **dict.fromkeys(range(0xA0, 0xC0), _ELEMENTS),
}  # fmt: skip
_ELEMENT = Struct(
    "identifier" / Byte,
    "number" / If(this.identifier & 31 == 31, _VLQ),
    "first" / Byte,
    "more" / Bytes(lambda c: 0 if c.first < 128 else c.first - 128),
    "content" / FixedSized(_length, Switch(this.identifier, _CONTENTS, default=GreedyBytes)),
)

# ---- Ogg, whose checksums are not computed here ----

_PAGE = Struct(
    "capture" / Const(b"OggS"),
    "version" / Byte,
    "flags" / BitStruct("unused" / BitsInteger(5), *(name / BitsInteger(1) for name in ("last", "first", "continued"))),
    "position" / Int64sl,
    *(name / Int32ul for name in ("serial", "sequence", "checksum")),
    "n" / Byte,
    "sizes" / Array(_N, Byte),
    "segments" / Array(_N, Bytes(lambda c: c.sizes[c._index])),
)

# ---- ORC: its tail is in Protocol Buffers ----


def _message(**fields: Any) -> Any:
    """Returns the fields of a message in their order: those that are not named by number are kept as their form says."""
    forms = {0: VarInt, 1: Int64ul, 2: Prefixed(VarInt, GreedyBytes), 5: Int32ul}
    known = {int(number[1:]): what for number, what in fields.items()}
    content = Switch(lambda c: c.key >> 3, known, default=Switch(this.key & 7, forms))
    return GreedyRange(Struct("key" / VarInt, "content" / content))


def _inside(what: Any) -> Any:
    return Prefixed(VarInt, what)


_ORC_TEXT, _PACKED_NUMBERS = _inside(GreedyString("utf8")), _inside(GreedyRange(VarInt))
_STATISTICS = _inside(
    _message(
        _2=_inside(_message(_1=ZigZag, _2=ZigZag, _3=ZigZag)),
        _3=_inside(_message(_1=Float64l, _2=Float64l, _3=Float64l)),
        _4=_inside(_message(_1=_ORC_TEXT, _2=_ORC_TEXT, _3=ZigZag)),
    )
)
_ORC_FOOTER = _message(
    _3=_inside(_message()),
    _4=_inside(_message(_2=_PACKED_NUMBERS, _3=_ORC_TEXT)),
    _5=_inside(_message(_1=_ORC_TEXT)),
    _7=_STATISTICS,
    _12=_ORC_TEXT,
)


def _number(fields: Any, number: int) -> int:
    return next((each.content for each in fields if each.key >> 3 == number), 0)


_END = lambda c: c._params.size - 1 - c.last  # noqa: E731
_FOOTER_SIZE, _STATISTICS_SIZE = lambda c: _number(c.postscript, 1), lambda c: _number(c.postscript, 5)
_ORC = Struct(
    "magic" / Const(b"ORC"),
    "last" / Pointer(this._params.size - 1, Byte),
    "postscript" / Pointer(_END, FixedSized(this.last, _message(_4=_PACKED_NUMBERS, _8000=_ORC_TEXT))),
    "footer" / Pointer(lambda c: _END(c) - _FOOTER_SIZE(c), FixedSized(_FOOTER_SIZE, _ORC_FOOTER)),
    "metadata"
    / Pointer(
        lambda c: _END(c) - _FOOTER_SIZE(c) - _STATISTICS_SIZE(c),
        FixedSized(_STATISTICS_SIZE, _message(_1=_inside(_message(_1=_STATISTICS)))),
    ),
    "stripes" / Pointer(3, Bytes(lambda c: _END(c) - _FOOTER_SIZE(c) - _STATISTICS_SIZE(c) - 3)),
)

#: By the name of the declaration in the gallery.
TAILS: dict[str, Any] = {
    "zip": Sized(_ZIP), "puffin": Sized(_PUFFIN), "plist": Sized(_PLIST), "der": Struct("element" / _ELEMENT),
    "ogg": GreedyRange(_PAGE), "orc": Sized(_ORC),
}  # fmt: skip
