"""The same formats of the gallery for Construct, as its documentation would declare them."""

from __future__ import annotations

from typing import Any

from construct import (
    Aligned,
    Array,
    Byte,
    Bytes,
    Computed,
    Const,
    CString,
    ExprAdapter,
    Float32b,
    Float32l,
    Float64b,
    Float64l,
    GreedyBytes,
    GreedyRange,
    If,
    IfThenElse,
    Int8sl,
    Int8ub,
    Int8ul,
    Int16sl,
    Int16ub,
    Int16ul,
    Int32sb,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64sl,
    Int64ul,
    LazyBound,
    PaddedString,
    PascalString,
    RepeatUntil,
    Struct,
    Switch,
    Tell,
    VarInt,
    ZigZag,
    this,
)

_PACKET = Struct(
    "seconds" / Int32ul,
    "fraction" / Int32ul,
    "captured" / Int32ul,
    "original_length" / Int32ul,
    "data" / Bytes(this.captured),
)
_PCAP = Struct(
    "magic" / Const(b"\xd4\xc3\xb2\xa1"),
    "major_version" / Int16ul,
    "minor_version" / Int16ul,
    "reserved" / Array(2, Int32ul),
    "snap_length" / Int32ul,
    "link_type" / Int32ul,
    "packets" / GreedyRange(_PACKET),
)

_TEXT = PascalString(Int64ul, "utf8")
_VALUES: dict[int, Any] = {
    0: Int8ul, 1: Int8sl, 2: Int16ul, 3: Int16sl, 4: Int32ul, 5: Int32sl, 6: Float32l, 7: Byte, 8: _TEXT,
    9: LazyBound(lambda: _ITEMS), 10: Int64ul, 11: Int64sl, 12: Float64l,
}  # fmt: skip
_ITEMS = Struct(
    "item_type" / Int32ul, "n" / Int64ul, "items" / Array(this.n, Switch(lambda context: context.item_type, _VALUES))
)
_TENSOR = Struct(
    "name" / _TEXT,
    "num_dimensions" / Int32ul,
    "dimensions" / Array(this.num_dimensions, Int64ul),
    "type" / Int32ul,
    "start" / Int64ul,
)
_GGUF = Struct(
    "magic" / Const(b"GGUF"),
    "version" / Int32ul,
    "num_tensors" / Int64ul,
    "num_pairs" / Int64ul,
    "pairs" / Array(this.num_pairs, Struct("key" / _TEXT, "type" / Int32ul, "content" / Switch(this.type, _VALUES))),
    "tensors" / Array(this.num_tensors, _TENSOR),
    "behind" / Tell,
    "padding" / Bytes(-this.behind % 32),
    "data" / GreedyBytes,
)

_TWO = Struct("first_index" / Int16ub, "second_index" / Int16ub)
_CONSTANTS: dict[int, Any] = {
    1: Struct("length" / Int16ub, "text" / Bytes(this.length)), 3: Int32sb, 4: Float32b, 5: Int64sb, 6: Float64b,
    7: Int16ub, 8: Int16ub, 9: _TWO, 10: _TWO, 11: _TWO, 12: _TWO, 15: Struct("how" / Byte, "member_index" / Int16ub),
    16: Int16ub, 17: _TWO, 18: _TWO, 19: Int16ub, 20: Int16ub,
}  # fmt: skip


def _constant(context: Any) -> bool:
    """Whether an entry of the pool is there; the kinds so far are kept beside it."""
    so_far = context._.setdefault("so_far", [])
    there = not so_far or so_far[-1] not in (5, 6)
    if not there:
        so_far.append(0)
    return there


_ENTRY = Struct(
    "kind" / If(_constant, Byte),
    "kept" / Computed(lambda context: context._.so_far.append(context.kind) if context.kind is not None else None),
    "content" / If(lambda context: context.kind is not None, Switch(this.kind, _CONSTANTS)),
)
_ATTRIBUTE = Struct("name_index" / Int16ub, "length" / Int32ub, "content" / Bytes(this.length))
_MEMBER = Struct(
    "access" / Int16ub,
    "name_index" / Int16ub,
    "type_index" / Int16ub,
    "num_attributes" / Int16ub,
    "attributes" / Array(this.num_attributes, _ATTRIBUTE),
)
_JAVA_CLASS = Struct(
    "magic" / Const(b"\xca\xfe\xba\xbe"),
    "minor_version" / Int16ub,
    "major_version" / Int16ub,
    "pool_size" / Int16ub,
    "pool" / Array(this.pool_size - 1, _ENTRY),
    "access" / Int16ub,
    "this_class" / Int16ub,
    "super_class" / Int16ub,
    "num_interfaces" / Int16ub,
    "interfaces" / Array(this.num_interfaces, Int16ub),
    "num_fields" / Int16ub,
    "fields" / Array(this.num_fields, _MEMBER),
    "num_methods" / Int16ub,
    "methods" / Array(this.num_methods, _MEMBER),
    "num_attributes" / Int16ub,
    "attributes" / Array(this.num_attributes, _ATTRIBUTE),
)

_TIME = Struct("seconds" / Int32ub, "nanoseconds" / Int32ub)
_INDEX_ENTRY = Struct(
    "start" / Tell,
    "changed" / _TIME,
    "modified" / _TIME,
    "device" / Int32ub,
    "inode" / Int32ub,
    "mode" / Int32ub,
    "user_id" / Int32ub,
    "group_id" / Int32ub,
    "file_size" / Int32ub,
    "hash" / Bytes(20),
    "flags" / Int16ub,
    "more_flags" / If(this.flags & 0x4000, Int16ub),
    "path" / CString("utf8"),
    "behind" / Tell,
    "pad" / Bytes((this.start - this.behind) % 8),
)
_GIT_INDEX = Struct(
    "signature" / Const(b"DIRC"),
    "version" / Int32ub,
    "num_entries" / Int32ub,
    "entries" / Array(this.num_entries, _INDEX_ENTRY),
    "rest" / GreedyBytes,
)


def _zone_data(wide: bool) -> Any:
    number = Int64sb if wide else Int32sb
    return Struct(
        "magic" / Const(b"TZif"),
        "version" / Byte,
        "reserved" / Bytes(15),
        "num_utc" / Int32ub,
        "num_standard" / Int32ub,
        "num_leaps" / Int32ub,
        "num_times" / Int32ub,
        "num_types" / Int32ub,
        "num_letters" / Int32ub,
        "times" / Array(this.num_times, number),
        "kinds" / Array(this.num_times, Int8ub),
        "types" / Array(this.num_types, Struct("offset_seconds" / Int32sb, "is_summer" / Byte, "designation" / Byte)),
        "letters" / Bytes(this.num_letters),
        "leaps" / Array(this.num_leaps, Struct("when" / number, "correction" / Int32sb)),
        "is_standard" / Array(this.num_standard, Byte),
        "is_utc" / Array(this.num_utc, Byte),
    )


_TZIF = Struct(
    "narrow" / _zone_data(False),
    "wide" / If(this.narrow.version, _zone_data(True)),
    "footer" / If(this.narrow.version, GreedyBytes),
)

_TERMINFO = Struct(
    "magic" / Int16ul,
    "size_of_names" / Int16ul,
    "num_flags" / Int16ul,
    "num_numbers" / Int16ul,
    "num_strings" / Int16ul,
    "size_of_table" / Int16ul,
    "names" / Bytes(this.size_of_names),
    "flags" / Array(this.num_flags, Byte),
    "behind" / Tell,
    "pad" / Bytes(this.behind % 2),
    "numbers" / Array(this.num_numbers, IfThenElse(this.magic == 0x21E, Int32sl, Int16sl)),
    "offsets" / Array(this.num_strings, Int16sl),
    "table" / Bytes(this.size_of_table),
    "extended" / GreedyBytes,
)

_COLOR = Struct("red" / Byte, "green" / Byte, "blue" / Byte)
_PARTS = RepeatUntil(lambda part, *_: part.n == 0, Struct("n" / Byte, "data" / Bytes(this.n)))
_IMAGE = Struct(
    "left" / Int16ul,
    "top" / Int16ul,
    "width" / Int16ul,
    "height" / Int16ul,
    "packed" / Byte,
    "colors" / If(this.packed & 0x80, Array(lambda context: 2 << (context.packed & 7), _COLOR)),
    "code_size" / Byte,
    "data" / _PARTS,
)
_BLOCKS: dict[int, Any] = {0x21: Struct("label" / Byte, "data" / _PARTS), 0x2C: _IMAGE, 0x3B: Struct()}
_GIF = Struct(
    "signature" / Const(b"GIF"),
    "version" / Bytes(3),
    "width" / Int16ul,
    "height" / Int16ul,
    "packed" / Byte,
    "background" / Byte,
    "aspect" / Byte,
    "colors" / If(this.packed & 0x80, Array(lambda context: 2 << (context.packed & 7), _COLOR)),
    "blocks"
    / RepeatUntil(lambda block, *_: block.kind == 0x3B, Struct("kind" / Byte, "content" / Switch(this.kind, _BLOCKS))),
)

_GIT_PACK_INDEX = Struct(
    "magic" / Const(b"\xfftOc"),
    "version" / Int32ub,
    "fan_out" / Array(256, Int32ub),
    "hashes" / Array(this.fan_out[255], Bytes(20)),
    "checksums" / Array(this.fan_out[255], Int32ub),
    "offsets" / Array(this.fan_out[255], Int32ub),
    "pack_checksum" / Bytes(20),
    "checksum" / Bytes(20),
)

_CHUNK = Struct("name" / Bytes(4), "size" / Int32ul, "content" / Bytes(this.size), "pad" / Bytes(this.size % 2))
_FORMAT = Struct(
    "name" / Const(b"fmt "),
    "size" / Int32ul,
    "encoding" / Int16ul,
    "channels" / Int16ul,
    "sample_rate" / Int32ul,
    "byte_rate" / Int32ul,
    "block_size" / Int16ul,
    "bits_per_sample" / Int16ul,
    "extension" / Bytes(this.size - 16),
)
_WAVE = Struct(
    "riff" / Const(b"RIFF"),
    "size" / Int32ul,
    "form" / Const(b"WAVE"),
    "format" / _FORMAT,
    "chunks" / GreedyRange(_CHUNK),
)

_HEADER = Struct(
    "width" / Int32ub,
    "height" / Int32ub,
    "bit_depth" / Byte,
    "color" / Byte,
    "compression" / Byte,
    "filter" / Byte,
    "interlace" / Byte,
)
_PNG_CHUNK = Struct(
    "size" / Int32ub,
    "name" / Bytes(4),
    "content" / IfThenElse(this.name == b"IHDR", _HEADER, Bytes(this.size)),
    "checksum" / Int32ub,
)
_PNG = Struct("signature" / Const(b"\x89PNG\r\n\x1a\n"), "chunks" / GreedyRange(_PNG_CHUNK))

_AVRO_TEXT = Struct("size" / ZigZag, "content" / Bytes(this.size))
_ENTRIES = Struct("n" / ZigZag, "entries" / Array(this.n, Struct("key" / _AVRO_TEXT, "value" / _AVRO_TEXT)))
_AVRO = Struct(
    "magic" / Const(b"Obj\x01"),
    "metadata" / RepeatUntil(lambda each, *_: each.n == 0, _ENTRIES),
    "marker" / Bytes(16),
    "blocks" / GreedyRange(Struct("n" / ZigZag, "size" / ZigZag, "objects" / Bytes(this.size), "end_mark" / Bytes(16))),
)

_FORMS: dict[int, Any] = {
    0: VarInt, 1: Int64ul, 2: Struct("n" / VarInt, "v" / Bytes(this.n)), 5: Int32ul,
}  # fmt: skip
_PROTOBUF = Struct("fields" / GreedyRange(Struct("key" / VarInt, "content" / Switch(this.key & 7, _FORMS))))

_CPIO_NUMBERS = (
    "inode", "mode", "user", "group", "num_links", "modified", "file_size", "major", "minor", "device_major",
    "device_minor", "size_of_name", "checksum",
)  # fmt: skip
_HEX = ExprAdapter(Bytes(8), lambda digits, _: int(digits, 16), lambda number, _: b"%08X" % number)
_MEMBER_OF_CPIO = Struct(
    "magic" / Bytes(6),
    *[name / _HEX for name in _CPIO_NUMBERS],
    "name" / Bytes(this.size_of_name),
    "pad" / Bytes(lambda context: -(110 + context.size_of_name) % 4),
    "content" / Aligned(4, Bytes(this.file_size)),
)
_CPIO = Struct(
    "members" / RepeatUntil(lambda each, *_: each.name.startswith(b"TRAILER!!!"), _MEMBER_OF_CPIO), "pad" / GreedyBytes
)


def _octal(digits: int, end: bytes = b"\0") -> Any:
    def encoded(number: Any, _: Any) -> bytes:
        return bytes(digits + len(end)) if number is None else b"%0*o" % (digits, number) + end

    return ExprAdapter(Bytes(digits + len(end)), lambda data, _: int(data[:digits], 8) if any(data) else None, encoded)


_MEMBER_OF_TAR = Struct(
    "name" / PaddedString(100, "utf8"),
    "mode" / _octal(7),
    "user_id" / _octal(7),
    "group_id" / _octal(7),
    "data_size" / _octal(11),
    "modified" / _octal(11),
    "checksum" / _octal(6, b"\0 "),
    "kind" / Byte,
    "link_name" / PaddedString(100, "utf8"),
    "magic" / Bytes(6),
    "version" / Bytes(2),
    "user_name" / PaddedString(32, "utf8"),
    "group_name" / PaddedString(32, "utf8"),
    "device_major" / Bytes(8),
    "device_minor" / Bytes(8),
    "prefix" / PaddedString(155, "utf8"),
    "reserved" / Bytes(12),
    "data" / Bytes(lambda context: context.data_size or 0),
    "padding" / Bytes(lambda context: -(context.data_size or 0) % 512),
)
_TAR = Struct("members" / RepeatUntil(lambda each, *_: each.name == "", _MEMBER_OF_TAR), "padding" / GreedyBytes)

_FRAME = Struct(
    "page" / Int32ub,
    "num_pages" / Int32ub,
    "salt" / Array(2, Int32ub),
    "sums" / Int64sb,
    "content" / Bytes(this._.page_size),
)
_SQLITE_WAL = Struct(
    "magic" / Int32ub,
    "version" / Int32ub,
    "page_size" / Int32ub,
    "checkpoint" / Int32ub,
    "salt" / Array(2, Int32ub),
    "sums" / Int64sb,
    "frames" / GreedyRange(_FRAME),
)

#: Formats that are compared in writing alone.
WRITTEN: dict[str, Any] = {
    "terminfo": _TERMINFO, "gif": _GIF, "git_pack_index": _GIT_PACK_INDEX, "wave": _WAVE, "png": _PNG, "avro": _AVRO,
    "protobuf": _PROTOBUF, "cpio": _CPIO, "tar": _TAR, "sqlite_wal": _SQLITE_WAL,
}  # fmt: skip

#: By the name of the declaration in the gallery.
ROOTS: dict[str, Any] = {
    "pcap": _PCAP,
    "gguf": _GGUF,
    "java_class": _JAVA_CLASS,
    "git_index": _GIT_INDEX,
    "tzif": _TZIF,
}
