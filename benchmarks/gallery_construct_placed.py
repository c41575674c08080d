"""Formats of the gallery whose fields have places, for Construct, which finds them with `Pointer`.

Bytes that no field has are written first, as `raw`; places that count from the end of a file use its size, which callers give.
"""

from __future__ import annotations

from typing import Any

from construct import (
    Array,
    Byte,
    Bytes,
    Computed,
    Const,
    CString,
    ExprAdapter,
    FixedSized,
    Flag,
    GreedyRange,
    If,
    IfThenElse,
    Int8ub,
    Int16sb,
    Int16sl,
    Int16ub,
    Int16ul,
    Int24sb,
    Int32sb,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64sl,
    Int64ub,
    Int64ul,
    Pass,
    Pointer,
    Struct,
    Switch,
    Tell,
    VarInt,
    stream_read,
    this,
)

from .gallery_construct_more import Vlq

_N = this.n


def each(count: Any, place: Any, what: Any) -> Any:
    """Returns elements at places of their own, which a function of the context gives."""
    return Array(count, Pointer(place, what))


class _Vlq9(Vlq):
    """SQLite's numbers of up to nine bytes, the ninth whole; those that are written here have fewer."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        number = 0
        for _ in range(8):
            byte = stream_read(stream, 1, path)[0]
            number = number << 7 | byte & 127
            if byte < 128:
                return number
        return number << 8 | stream_read(stream, 1, path)[0]


_VLQ9 = _Vlq9()

# ---- translations ----

_PLACE = Struct("length" / Int32ul, "start" / Int32ul)
_MO = Struct(
    "magic" / Const(b"\xde\x12\x04\x95"),
    "minor_revision" / Int16ul,
    "major_revision" / Int16ul,
    "n" / Int32ul,
    "originals_at" / Int32ul,
    "translations_at" / Int32ul,
    "hash_size" / Int32ul,
    "hash_at" / Int32ul,
    "original_places" / Pointer(this.originals_at, Array(_N, _PLACE)),
    "translation_places" / Pointer(this.translations_at, Array(_N, _PLACE)),
    "hash" / If(this.hash_size, Pointer(this.hash_at, Array(this.hash_size, Int32ul))),
    "originals"
    / each(_N, lambda c: c.original_places[c._index].start, Bytes(lambda c: c.original_places[c._index].length + 1)),
    "translations"
    / each(
        _N, lambda c: c.translation_places[c._index].start, Bytes(lambda c: c.translation_places[c._index].length + 1)
    ),
)

# ---- Arrow ----


def _slot(number: int) -> Any:
    return lambda c: c.start + c.vtable.slots[number]


def _there(number: int) -> Any:
    return lambda c: number < len(c.vtable.slots) and c.vtable.slots[number] != 0


_VTABLE = Struct("size" / Int16ul, "table" / Int16ul, "slots" / Array(lambda c: c.size // 2 - 2, Int16ul))
_TABLE = ("back" / Int32sl, "vtable" / Pointer(lambda c: c.start - c.back, _VTABLE))
_TEXT = Struct("length" / Int32ul, "text" / Bytes(this.length), "end" / Const(b"\0"))
_FIELD = Struct(
    "start" / Computed(lambda c: c._.start + 4 + 4 * c._._index + c._.distances[c._._index]),
    *_TABLE,
    "name_at" / Pointer(_slot(0), Int32ul),
    "name" / Pointer(lambda c: _slot(0)(c) + c.name_at, _TEXT),
    "nullable" / If(_there(1), Pointer(_slot(1), Flag)),
    "type" / If(_there(2), Pointer(_slot(2), Byte)),
)
_FIELDS = Struct(
    "start" / Computed(lambda c: _slot(1)(c._) + c._.fields_at),
    "n" / Int32ul,
    "distances" / Array(_N, Int32ul),
    "fields" / each(_N, lambda c: c.start + 4 + 4 * c._index + c.distances[c._index], _FIELD),
)
_SCHEMA = Struct(
    "start" / Computed(lambda c: _slot(1)(c._) + c._.schema_at),
    *_TABLE,
    "fields_at" / Pointer(_slot(1), Int32ul),
    "num_fields" / Pointer(lambda c: _slot(1)(c) + c.fields_at, Int32ul),
    "fields" / Pointer(lambda c: _slot(1)(c) + c.fields_at, _FIELDS),
)
_ARROW_BLOCK = Struct("start" / Int64sl, "metadata_size" / Int32sl, "padding" / Bytes(4), "body_size" / Int64sl)
_FOOTER = Struct(
    "start" / Computed(lambda c: c._.footer_start),
    *_TABLE,
    "version" / If(_there(0), Pointer(_slot(0), Int16sl)),
    "schema_at" / Pointer(_slot(1), Int32ul),
    "schema" / Pointer(lambda c: _slot(1)(c) + c.schema_at, _SCHEMA),
    "batches_at" / Pointer(_slot(3), Int32ul),
    "batches"
    / Pointer(lambda c: _slot(3)(c) + c.batches_at, Struct("n" / Int32ul, "blocks" / Array(_N, _ARROW_BLOCK))),
)
_BATCH = lambda c: c.footer.batches.blocks[c._index]  # noqa: E731
_ARROW = Struct(
    "raw" / Pointer(0, Bytes(this._params.size)),
    "magic" / Const(b"ARROW1"),
    "padding" / Const(bytes(2)),
    "footer_size" / Pointer(this._params.size - 10, Int32sl),
    "end_magic" / Pointer(this._params.size - 6, Const(b"ARROW1")),
    "root" / Pointer(this._params.size - 10 - this.footer_size, Int32ul),
    "footer_start" / Computed(this._params.size - 10 - this.footer_size + this.root),
    "footer" / Pointer(this.footer_start, _FOOTER),
    "batches"
    / each(
        lambda c: len(c.footer.batches.blocks),
        lambda c: _BATCH(c).start,
        Bytes(lambda c: _BATCH(c).metadata_size + _BATCH(c).body_size),
    ),
)

# ---- programs of Android ----

_SECTION = Struct("n" / Int32ul, "at" / Int32ul)
_TYPES = Struct("n" / Int32ul, "types" / Array(_N, Int16ul))
_PROTO = Struct(
    "shorty" / Int32ul,
    "returns" / Int32ul,
    "parameters_at" / Int32ul,
    "parameters" / If(this.parameters_at, Pointer(this.parameters_at, _TYPES)),
)
_DEX_MEMBER = Struct("class" / Int16ul, "type" / Int16ul, "name" / Int32ul)
_SIGNED = ExprAdapter(Byte, lambda byte, _: (byte ^ 64) - 64, lambda number, _: number & 127)
_CATCH = Struct("type" / VarInt, "at" / VarInt)
_HANDLER = Struct("n" / _SIGNED, "catches" / Array(lambda c: abs(c.n), _CATCH), "all_at" / If(this.n <= 0, VarInt))
_TRY = Struct("start" / Int32ul, "n" / Int16ul, "handler_at" / Int16ul)
_CODE = Struct(
    "num_registers" / Int16ul,
    "num_in" / Int16ul,
    "num_out" / Int16ul,
    "num_tries" / Int16ul,
    "debug_at" / Int32ul,
    "num_units" / Int32ul,
    "units" / Array(this.num_units, Int16ul),
    "pad" / If(lambda c: c.num_tries and c.num_units % 2, Int16ul),
    "tries" / Array(this.num_tries, _TRY),
    "handlers" / If(this.num_tries, Struct("n" / VarInt, "lists" / Array(_N, _HANDLER))),
)
_FIELD_OF = Struct("index" / VarInt, "access" / VarInt)
_METHOD_OF = Struct(
    "index" / VarInt,
    "access" / VarInt,
    "code_at" / VarInt,
    "code" / If(this.code_at, Pointer(this.code_at, _CODE)),
)
_CLASS_DATA = Struct(
    "num_static_fields" / VarInt,
    "num_instance_fields" / VarInt,
    "num_direct_methods" / VarInt,
    "num_virtual_methods" / VarInt,
    "static_fields" / Array(this.num_static_fields, _FIELD_OF),
    "instance_fields" / Array(this.num_instance_fields, _FIELD_OF),
    "direct_methods" / Array(this.num_direct_methods, _METHOD_OF),
    "virtual_methods" / Array(this.num_virtual_methods, _METHOD_OF),
)
_CLASS = Struct(
    *(
        name / Int32ul
        for name in ("type", "access", "super", "interfaces_at", "source", "annotations", "data_at", "values")
    ),
    "interfaces" / If(this.interfaces_at, Pointer(this.interfaces_at, _TYPES)),
    "data" / If(this.data_at, Pointer(this.data_at, _CLASS_DATA)),
)
_MAP_ITEM = Struct("type" / Int16ul, "unused" / Int16ul, "n" / Int32ul, "at" / Int32ul)
_DEX_STRING = Struct("utf16_size" / VarInt, "text" / CString("utf8"))


def _section(name: str, what: Any) -> Any:
    return If(this[name].n, Pointer(lambda c: c[name].at, Array(lambda c: c[name].n, what)))


_DEX = Struct(
    "raw" / Pointer(0, Bytes(this._params.size)),
    "magic" / Const(b"dex\n"),
    "version" / Bytes(3),
    "terminator" / Const(b"\0"),
    "checksum" / Int32ul,
    "signature" / Bytes(20),
    *(name / Int32ul for name in ("file_size", "header_size", "endian", "link_size", "link_at", "map_at")),
    *(name / _SECTION for name in ("string", "kind", "proto", "field", "method", "class", "data")),
    "string_places" / _section("string", Int32ul),
    "strings" / each(this.string.n, lambda c: c.string_places[c._index], _DEX_STRING),
    "types" / _section("kind", Int32ul),
    "protos" / _section("proto", _PROTO),
    "fields" / _section("field", _DEX_MEMBER),
    "methods" / _section("method", _DEX_MEMBER),
    "classes" / _section("class", _CLASS),
    "map" / Pointer(this.map_at, Struct("n" / Int32ul, "items" / Array(_N, _MAP_ITEM))),
)

# ---- SQLite ----

_COLUMNS: dict[int, Any] = {0: Pass, 1: Int8ub, 2: Int16ub, 3: Int24sb, 4: Int32sb, 6: Int64ub, 8: Pass, 9: Pass}
_HEAD_OF_ROW = lambda c: c.size_of_head - (1 if c.size_of_head < 128 else 2)  # noqa: E731
_ROW = Struct(
    "size_of_head" / _VLQ9,
    "types" / FixedSized(_HEAD_OF_ROW, GreedyRange(_VLQ9)),
    "values"
    / Array(
        lambda c: len(c.types),
        Switch(lambda c: c.types[c._index], _COLUMNS, default=Bytes(lambda c: (c.types[c._index] - 12) // 2)),
    ),
)
_CELL = Struct(
    "size_of_payload" / _VLQ9,
    "row_id" / If(lambda c: c._.kind == 13, _VLQ9),
    "row" / FixedSized(this.size_of_payload, _ROW),
)
_INNER_CELL = Struct("left" / Int32ub, "row_id" / If(lambda c: c._.kind == 5, _VLQ9))
_SQLITE_HEADER = Struct(
    "magic" / Bytes(16),
    "page_size" / Int16ub,
    "versions" / Array(2, Byte),
    "reserved" / Byte,
    "fractions" / Bytes(3),
    "numbers" / Array(12, Int32ub),
    "expansion" / Bytes(20),
    "valid_for" / Int32ub,
    "library_version" / Int32ub,
)
_IS_TREE = lambda c: c.kind in (2, 5, 10, 13)  # noqa: E731
_SQLITE_PAGE = Struct(
    "start" / Computed(lambda c: c._._index * c._.page_size),
    "raw" / Pointer(this.start, Bytes(this._.page_size)),
    "header" / If(lambda c: c.start == 0, _SQLITE_HEADER),
    "kind" / Byte,
    "free_at" / If(_IS_TREE, Int16ub),
    "num_cells" / If(_IS_TREE, Int16ub),
    "cells_from" / If(_IS_TREE, Int16ub),
    "num_fragments" / If(_IS_TREE, Byte),
    "right" / If(lambda c: c.kind in (2, 5), Int32ub),
    "pointers" / Array(lambda c: c.num_cells or 0, Int16ub),
    "cells"
    / each(
        lambda c: c.num_cells or 0,
        lambda c: c.start + c.pointers[c._index],
        Switch(this.kind, {5: _INNER_CELL}, default=_CELL),
    ),
)
_SQLITE = Struct(
    "magic" / Const(b"SQLite format 3\0"),
    "page_size" / Pointer(16, Int16ub),
    "num_pages" / Pointer(28, Int32ub),
    "reserved" / Pointer(20, Byte),
    "pages" / each(this.num_pages, lambda c: c._index * c.page_size, _SQLITE_PAGE),
)

# ---- ELF, of 64 bits and the lowest byte first ----

_SEGMENT = Struct("type" / Int32ul, "flags" / Int32ul, "numbers" / Array(6, Int64ul))
_SYMBOL = Struct(
    "name_at" / Int32ul, "info" / Byte, "other" / Byte, "section" / Int16ul, "address" / Int64ul, "length" / Int64ul
)
_SECTION_OF_ELF = Struct(
    "name_at" / Int32ul,
    "type" / Int32ul,
    "flags" / Int64ul,
    "address" / Int64ul,
    "start" / Int64ul,
    "length" / Int64ul,
    "link" / Int32ul,
    "info" / Int32ul,
    "alignment" / Int64ul,
    "entry_size" / Int64ul,
    "content"
    / If(
        lambda c: c.type not in (0, 8),
        Pointer(
            this.start,
            IfThenElse(lambda c: c.type in (2, 11), Array(this.length // 24, _SYMBOL), Bytes(this.length)),
        ),
    ),
)
_ELF = Struct(
    "raw" / Pointer(0, Bytes(this._params.size)),
    "magic" / Const(b"\x7fELF\2\1\1"),
    "abi" / Bytes(2),
    "padding" / Bytes(7),
    "type" / Int16ul,
    "machine" / Int16ul,
    "version" / Int32ul,
    "entry" / Int64ul,
    "segments_at" / Int64ul,
    "sections_at" / Int64ul,
    "flags" / Int32ul,
    "header_size" / Int16ul,
    "segment_size" / Int16ul,
    "num_segments" / Int16ul,
    "section_size" / Int16ul,
    "num_sections" / Int16ul,
    "names_index" / Int16ul,
    "segments" / Pointer(this.segments_at, Array(this.num_segments, _SEGMENT)),
    "sections" / Pointer(this.sections_at, Array(this.num_sections, _SECTION_OF_ELF)),
    "names"
    / each(
        this.num_sections,
        lambda c: c.sections[c.names_index].start + c.sections[c._index].name_at,
        CString("utf8"),
    ),
)

# ---- fonts ----

_FONT_HEAD = Struct(
    "versions" / Array(2, Int16ub),
    "revision" / Int32sb,
    "checksum_adjustment" / Int32ub,
    "magic" / Const(b"\x5f\x0f\x3c\xf5"),
    "flags" / Int16ub,
    "units_per_em" / Int16ub,
    "created" / Int64sb,
    "modified" / Int64sb,
    "box" / Array(4, Int16sb),
    "style" / Int16ub,
    "smallest_size" / Int16ub,
    "forms" / Array(3, Int16sb),
)
_NAME_OF_FONT = Struct(*(name / Int16ub for name in ("platform", "encoding", "language", "purpose", "length", "start")))
_NAMES_OF_FONT = Struct(
    "begin" / Tell,
    "version" / Int16ub,
    "n" / Int16ub,
    "texts_at" / Int16ub,
    "names" / Array(_N, _NAME_OF_FONT),
    "texts"
    / each(_N, lambda c: c.begin + c.texts_at + c.names[c._index].start, Bytes(lambda c: c.names[c._index].length)),
)
_MAXIMA = Struct(
    "version" / Int32ub, "num_glyphs" / Int16ub, "others" / Bytes(lambda c: c._.entries[c._index].length - 6)
)
_FONT = Struct(
    "version" / Bytes(4),
    "num_tables" / Int16ub,
    "search_range" / Int16ub,
    "entry_selector" / Int16ub,
    "range_shift" / Int16ub,
    "entries"
    / Array(this.num_tables, Struct("tag" / Bytes(4), "checksum" / Int32ub, "start" / Int32ub, "length" / Int32ub)),
    "tables"
    / each(
        this.num_tables,
        lambda c: c.entries[c._index].start,
        Switch(
            lambda c: c.entries[c._index].tag,
            {b"head": _FONT_HEAD, b"maxp": _MAXIMA, b"name": _NAMES_OF_FONT},
            default=Bytes(lambda c: c.entries[c._index].length),
        ),
    ),
    "last" / Pointer(this._params.size - 1, Byte),
)


class Sized:
    """A declaration that counts from the end of a file: its size is a parameter."""

    def __init__(self, declared: Any) -> None:
        self._declared = declared

    def parse(self, data: bytes) -> Any:
        return self._declared.parse(data, size=len(data)), len(data)

    def build(self, found: Any) -> bytes:
        value, size = found
        built: bytes = self._declared.build(value, size=size)
        return built


#: By the name of the declaration in the gallery.
PLACED: dict[str, Any] = {
    "mo": _MO, "arrow_ipc": Sized(_ARROW), "dex": Sized(_DEX), "sqlite": _SQLITE, "elf": Sized(_ELF),
    "truetype": Sized(_FONT),
}  # fmt: skip
