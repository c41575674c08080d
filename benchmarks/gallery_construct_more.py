"""Further formats of the gallery for Construct, of messages, events and modules."""

from __future__ import annotations

from typing import Any

from construct import (
    Array,
    BitsInteger,
    BitStruct,
    Byte,
    Bytes,
    Computed,
    Const,
    Construct,
    Float32l,
    Float64l,
    GreedyBytes,
    GreedyRange,
    If,
    Int8sb,
    Int8ub,
    Int16sb,
    Int16sl,
    Int16ub,
    Int16ul,
    Int32sb,
    Int32sl,
    Int32ub,
    Int32ul,
    Int64sb,
    Int64ub,
    Int64ul,
    LazyBound,
    Pass,
    Peek,
    Pointer,
    Prefixed,
    PrefixedArray,
    RepeatUntil,
    Struct,
    Switch,
    VarInt,
    ZigZag,
    stream_read,
    stream_write,
    this,
)

# ---- Kafka: batches that are not compressed ----

_TEXT = Struct("size" / ZigZag, "text" / If(this.size >= 0, Bytes(this.size)))
_RECORD = Prefixed(
    ZigZag,
    Struct(
        "attributes" / Int8sb,
        "timestamp_delta" / ZigZag,
        "offset_delta" / ZigZag,
        "key" / _TEXT,
        "value" / _TEXT,
        "headers" / PrefixedArray(ZigZag, Struct("key" / _TEXT, "value" / _TEXT)),
    ),
)


_BODY = Struct(
    "leader_epoch" / Int32sb,
    "magic" / Const(b"\2"),
    "crc" / Int32ub,
    "attributes"
    / BitStruct(
        "unused" / BitsInteger(9),
        *(
            name / BitsInteger(1)
            for name in ("has_delete_horizon", "is_control", "is_transactional", "has_log_append_time")
        ),
        "compression" / BitsInteger(3),
    ),
    "last_offset_delta" / Int32sb,
    "base_timestamp" / Int64sb,
    "max_timestamp" / Int64sb,
    "producer_id" / Int64sb,
    "producer_epoch" / Int16sb,
    "base_sequence" / Int32sb,
    "num_records" / Int32sb,
    "records" / GreedyRange(_RECORD),
)
_KAFKA = GreedyRange(Struct("base_offset" / Int64sb, "body" / Prefixed(Int32sb, _BODY)))

# ---- CBOR ----

_CBOR_ITEM = LazyBound(lambda: _ITEM)
_CONTENTS: dict[int, Any] = {
    2: Bytes(this.number), 3: Bytes(this.number), 4: Array(this.number, _CBOR_ITEM),
    5: Array(this.number, Struct("key" / _CBOR_ITEM, "value" / _CBOR_ITEM)), 6: _CBOR_ITEM,
}  # fmt: skip
_ITEM = Struct(
    "head" / BitStruct("kind" / BitsInteger(3), "info" / BitsInteger(5)),
    "wide" / Switch(this.head.info, {24: Int8ub, 25: Int16ub, 26: Int32ub, 27: Int64ub}),
    "number" / Computed(lambda c: c.head.info if c.wide is None else c.wide),
    "content" / Switch(this.head.kind, _CONTENTS),
)
_CBOR = GreedyRange(_ITEM)

# ---- MIDI ----


class Vlq(Construct):  # type: ignore[misc]
    """Numbers of seven bits a byte, the highest first."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        number = 0
        while (byte := stream_read(stream, 1, path)[0]) > 127:
            number = (number | byte & 127) << 7
        return number | byte

    def _build(self, number: int, stream: Any, context: Any, path: str) -> int:
        data, left = [number & 127], number
        while left := left >> 7:
            data.insert(0, left & 127 | 128)
        stream_write(stream, bytes(data), len(data), path)
        return number


_VLQ = Vlq()
_TWO, _DATA = Struct("first" / Byte, "second" / Byte), Struct("n" / _VLQ, "data" / Bytes(this.n))
_MESSAGES: dict[int, Any] = {
    8: _TWO, 9: _TWO, 10: _TWO, 11: _TWO, 12: Struct("first" / Byte), 13: Struct("first" / Byte), 14: _TWO,
    0xF0: _DATA, 0xF7: _DATA, 0xFF: Struct("type" / Byte, "n" / _VLQ, "data" / Bytes(this.n)),
}  # fmt: skip


def _running(context: Any) -> int:
    """Returns the status of an event; the running one is kept beside the list."""
    status: int = context._.get("running", 0) if context.status is None else context.status
    context._["running"] = status if status < 0xF0 else 0
    return status


_EVENT = Struct(
    "delta" / _VLQ,
    "next" / Peek(Byte),
    "status" / If(lambda c: c.status is not None if "status" in c else c.next >= 0x80, Byte),
    "kind" / Computed(_running),
    "message" / Switch(lambda c: c.kind if c.kind >= 0xF0 else c.kind >> 4, _MESSAGES),
)
_TRACK = Struct("events" / GreedyRange(_EVENT))
_CHUNK = Struct(
    "name" / Bytes(4), "content" / Prefixed(Int32ub, Switch(this.name, {b"MTrk": _TRACK}, default=GreedyBytes))
)
_MIDI = Struct(
    "magic" / Const(b"MThd"),
    "header_size" / Int32ub,
    "format" / Int16ub,
    "num_tracks" / Int16ub,
    "division" / Int16ub,
    "more" / Bytes(this.header_size - 6),
    "chunks" / GreedyRange(_CHUNK),
)

# ---- Redis ----

_HEAD = BitStruct("form" / BitsInteger(2), "low" / BitsInteger(6))
_WIDE = Switch(
    lambda c: (c.head.form, c.head.low if c.head.form == 2 else 0), {(1, 0): Byte, (2, 0): Int32ub, (2, 1): Int64ub}
)


def _length(context: Any) -> int:
    low, form = context.head.low, context.head.form
    return low if form == 0 else low << 8 | context.wide if form == 1 else context.wide  # type: ignore[no-any-return]


_LENGTH = Struct("head" / _HEAD, "wide" / _WIDE, "value" / Computed(_length))
_PACKED = Struct("stored" / _LENGTH, "inflated" / _LENGTH, "text" / Bytes(this.stored.value))
_REDIS_TEXT = Struct(
    "head" / _HEAD,
    "wide" / If(this.head.form < 3, _WIDE),
    "text"
    / Switch(
        lambda c: c.head.low if c.head.form == 3 else 9,
        {0: Int8sb, 1: Int16sl, 2: Int32sl, 3: _PACKED, 9: Bytes(_length)},
    ),
)


def _all(what: Any) -> Any:
    return Struct("key" / _REDIS_TEXT, "n" / _LENGTH, "all" / Array(this.n.value, what))


_PAIR = Struct("name" / _REDIS_TEXT, "value" / _REDIS_TEXT)
_TEXTS = _all(_REDIS_TEXT)
_ENTRIES: dict[int, Any] = {
    0: _PAIR, 1: _TEXTS, 2: _TEXTS, 4: _all(_PAIR), 5: _all(Struct("name" / _REDIS_TEXT, "score" / Float64l)), 14: _TEXTS,
    18: _all(Struct("form" / _LENGTH, "content" / _REDIS_TEXT)), 0xFA: _PAIR,
    0xFB: Struct("keys" / _LENGTH, "expiring" / _LENGTH), 0xFC: Int64ul, 0xFD: Int32ul, 0xFE: _LENGTH, 0xFF: Pass,
    **dict.fromkeys((9, 10, 11, 12, 13, 16, 17, 20), _PAIR),
}  # fmt: skip
_REDIS = Struct(
    "magic" / Const(b"REDIS"),
    "version" / Bytes(4),
    "entries"
    / RepeatUntil(lambda each, *_: each.kind == 0xFF, Struct("kind" / Byte, "content" / Switch(this.kind, _ENTRIES))),
    "checksum" / Int64ul,
)

# ---- WebAssembly ----

_NAME = Prefixed(VarInt, GreedyBytes)
_LIMITS = Struct("has_most" / Byte, "least" / VarInt, "most" / If(this.has_most, VarInt))
_TABLE, _GLOBAL_TYPE = Struct("type" / Byte, "limits" / _LIMITS), Struct("type" / Byte, "is_mutable" / Byte)


def _bytes_of(number: int) -> bytes:
    found = bytearray()
    while not -64 <= number < 64:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number & 127])


class _Leb(Construct):  # type: ignore[misc]
    """Signed numbers of seven bits a byte."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        number = shift = 0
        while True:
            byte = stream_read(stream, 1, path)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number - (1 << shift if byte & 64 else 0)

    def _build(self, number: int, stream: Any, context: Any, path: str) -> int:
        data = _bytes_of(number)
        stream_write(stream, data, len(data), path)
        return number


_OPERANDS: dict[int, Any] = {
    0x23: VarInt, 0x41: _Leb(), 0x42: _Leb(), 0x43: Float32l, 0x44: Float64l, 0xD0: Byte, 0xD2: VarInt, 0x0B: Pass,
}  # fmt: skip
_INSTRUCTION = Struct("code" / Byte, "operand" / Switch(this.code, _OPERANDS))
_CONSTANT = RepeatUntil(lambda each, *_: each.code == 0x0B, _INSTRUCTION)
_DESCRIPTIONS = {0: VarInt, 1: _TABLE, 2: _LIMITS, 3: _GLOBAL_TYPE}
_IMPORT = Struct("module" / _NAME, "name" / _NAME, "kind" / Byte, "description" / Switch(this.kind, _DESCRIPTIONS))
_FUNCTION_TYPE = Struct(
    "form" / Const(b"\x60"), "parameters" / PrefixedArray(VarInt, Byte), "results" / PrefixedArray(VarInt, Byte)
)
_CODE = Struct("locals" / PrefixedArray(VarInt, Struct("n" / VarInt, "type" / Byte)), "instructions" / GreedyBytes)
_COUNTED = Struct("n" / VarInt, "data" / GreedyBytes)
_SECTIONS: dict[int, Any] = {
    0: Struct("name" / _NAME, "data" / GreedyBytes), 1: PrefixedArray(VarInt, _FUNCTION_TYPE), 2: PrefixedArray(VarInt, _IMPORT),
    3: PrefixedArray(VarInt, VarInt), 4: PrefixedArray(VarInt, _TABLE), 5: PrefixedArray(VarInt, _LIMITS),
    6: PrefixedArray(VarInt, Struct("type" / _GLOBAL_TYPE, "init" / _CONSTANT)),
    7: PrefixedArray(VarInt, Struct("name" / _NAME, "kind" / Byte, "index" / VarInt)), 8: VarInt, 9: _COUNTED,
    10: PrefixedArray(VarInt, Prefixed(VarInt, _CODE)), 11: _COUNTED, 12: VarInt,
}  # fmt: skip
_WASM = Struct(
    "magic" / Const(b"\0asm"),
    "version" / Int32ul,
    "sections" / GreedyRange(Struct("id" / Byte, "content" / Prefixed(VarInt, Switch(this.id, _SECTIONS)))),
)

# ---- bitmaps ----


_ROARING = Struct(
    "cookie" / Int32ul,
    "n" / Int32ul,
    "heads" / Array(this.n, Struct("key" / Int16ul, "more" / Int16ul)),
    "offsets" / Array(this.n, Int32ul),
    "containers" / Array(this.n, Array(lambda c: c.heads[c._index].more + 1, Int16ul)),
)

# ---- messages of the Domain Name System ----

_LABEL = Struct("length" / Byte, "text" / Bytes(lambda c: c.length if c.length < 64 else 0))
_POINTED = LazyBound(lambda: _DOMAIN)
_DOMAIN = Struct(
    "labels" / RepeatUntil(lambda each, *_: each.length == 0 or each.length >= 0xC0, _LABEL),
    "low" / If(lambda c: c.labels[-1].length >= 0xC0, Byte),
    "rest" / If(lambda c: c.low is not None, Pointer(lambda c: (c.labels[-1].length - 0xC0) << 8 | c.low, _POINTED)),
)
_ANSWERS: dict[int, Any] = {
    1: Bytes(4), 2: _DOMAIN, 5: _DOMAIN, 12: _DOMAIN,
    6: Struct("server" / _DOMAIN, "mailbox" / _DOMAIN, "numbers" / Array(5, Int32ub)),
    15: Struct("preference" / Int16ub, "server" / _DOMAIN), 28: Bytes(16),
}  # fmt: skip
_RESOURCE = Struct(
    "name" / _DOMAIN,
    "type" / Int16ub,
    "class" / Int16ub,
    "time_to_live" / Int32ub,
    "size" / Int16ub,
    "data" / Switch(this.type, _ANSWERS, default=Bytes(this.size)),
)
_DNS = Struct(
    "id" / Int16ub,
    "flags" / Int16ub,
    "num_questions" / Int16ub,
    "num_answers" / Int16ub,
    "num_authorities" / Int16ub,
    "num_additional" / Int16ub,
    "questions" / Array(this.num_questions, Struct("name" / _DOMAIN, "type" / Int16ub, "class" / Int16ub)),
    "answers" / Array(this.num_answers, _RESOURCE),
    "authorities" / Array(this.num_authorities, _RESOURCE),
    "additional" / Array(this.num_additional, _RESOURCE),
)

#: By the name of the declaration in the gallery.
MORE: dict[str, Any] = {
    "kafka": _KAFKA, "cbor": _CBOR, "midi": _MIDI, "redis_rdb": _REDIS, "wasm": _WASM, "dns": _DNS, "roaring": _ROARING,
}  # fmt: skip
