"""Encoding of messages in pure Python, driven by their tables, with every value checked."""

from __future__ import annotations

from struct import pack
from typing import Any

from ..compact.encode import (
    MAX_DEPTH,
    Unfit,
    checked_bool,
    checked_bytes,
    checked_int,
    checked_text,
    packed_float,
    pairs_of,
    plain_sequence,
    unchanging,
)
from ..compact.wire import varint_bytes, write_varint
from ..spec import TypeSpec
from .table import BYTES, END_GROUP, START_GROUP, WIRE_TYPES, Entry, table_of

#: The least value and the number of bits of integers, by kind.
_BOUNDS = {
    "i32": (-(2**31), 32), "sint32": (-(2**31), 32), "sfixed32": (-(2**31), 32), "enum": (-(2**31), 32),
    "i64": (-(2**63), 64), "sint64": (-(2**63), 64), "sfixed64": (-(2**63), 64),
    "uint32": (0, 32), "fixed32": (0, 32), "uint64": (0, 64), "fixed64": (0, 64),
}  # fmt: skip
_FORMATS = {"fixed32": "<I", "sfixed32": "<i", "fixed64": "<Q", "sfixed64": "<q"}
_FLOATS = {"float": "<f", "double": "<d"}
_ALL = (1 << 64) - 1


def write_message(cls: Any, value: Any, text: str, depth: int) -> bytes:
    """Returns the bytes of a message, without its length.

    Raises:
        Unfit: a value does not fit its type.
    """
    if depth > MAX_DEPTH:
        raise Unfit("depth")
    if not isinstance(value, cls):
        raise Unfit("type", f"{cls.__spec__.name}, not {type(value).__name__}")
    out = bytearray()
    table = table_of(cls)
    for field in table.required:
        if getattr(value, field.attr) is None:
            raise Unfit("required", path=field.name)
    for entry in table.entries:
        item = getattr(value, entry.field.attr)
        if item is None:
            continue
        if entry.oneof is not None:
            if not isinstance(item, entry.oneof):
                needed = f"{entry.oneof.__spec__.name}, not {type(item).__name__}"
                raise Unfit("type", needed, path=entry.field.name)
            if item.kind is None:
                raise Unfit("member", path=entry.field.name)
            if item.id != entry.number:
                continue
            item = item.value
        try:
            _write_entry(entry, out, item, text, depth)
        except Unfit as unfit:
            raise unfit.within(entry.name) from None
    out += checked_bytes(value.unknown_fields)
    return bytes(out)


def _write_entry(entry: Entry, out: bytearray, item: Any, text: str, depth: int) -> None:
    if entry.is_list:
        _write_list(entry, out, item, text, depth)
    elif entry.type.kind == "map":
        _write_map(entry, out, item, text, depth)
    else:
        payload = _payload(entry.type, item, text, depth)
        if not entry.implicit or (payload if entry.wire == BYTES else any(payload)):
            _put(out, entry.number, entry.wire, payload)


def _put(out: bytearray, number: int, wire: int, payload: bytes) -> None:
    write_varint(out, number << 3 | wire)
    if wire == BYTES:
        write_varint(out, len(payload))
    out += payload
    if wire == START_GROUP:
        write_varint(out, number << 3 | END_GROUP)


def _write_list(entry: Entry, out: bytearray, items: Any, text: str, depth: int) -> None:
    if not isinstance(items, list | tuple):
        raise Unfit("type", f"a list, not {type(items).__name__}")
    payloads = []
    for index, item in unchanging(plain_sequence(items)):
        try:
            payloads.append(_payload(entry.type, item, text, depth))
        except Unfit as unfit:
            raise unfit.within(f"[{index}]") from None
    if entry.packable and entry.field.type.packed:
        if payloads:
            _put(out, entry.number, BYTES, b"".join(payloads))
        return
    for payload in payloads:
        _put(out, entry.number, entry.wire, payload)


def _write_map(entry: Entry, out: bytearray, items: Any, text: str, depth: int) -> None:
    if not isinstance(items, dict):
        raise Unfit("type", f"a dict, not {type(items).__name__}")
    parts = (entry.type.key, entry.type.value)
    pairs = pairs_of(items)
    if pairs is None:
        raise Unfit("type", f"a dict, not {type(items).__name__}")
    for index, pair in enumerate(pairs):
        pair_bytes = bytearray()
        try:
            for number, (part, item) in enumerate(zip(parts, pair, strict=True), 1):
                assert part is not None
                _put(pair_bytes, number, WIRE_TYPES[part.kind], _payload(part, item, text, depth + 1))
        except Unfit as unfit:
            raise unfit.within(f"[{index}]") from None
        _put(out, entry.number, BYTES, bytes(pair_bytes))


def _payload(type_: TypeSpec, value: Any, text: str, depth: int) -> bytes:
    """Returns the bytes of one value without a length prefix."""
    kind = type_.kind
    if kind in _BOUNDS:
        low, bits = _BOUNDS[kind]
        number = checked_int(value, low, low + (1 << bits), "i32" if kind == "enum" else kind)
        if kind in _FORMATS:
            return pack(_FORMATS[kind], number)
        return varint_bytes(number << 1 ^ number >> (bits - 1) if kind in ("sint32", "sint64") else number & _ALL)
    if kind == "string":
        return checked_text(value, text)
    if kind == "binary":
        return checked_bytes(value)
    if kind == "struct":
        return write_message(type_.cls, value, text, depth + 1)
    if kind == "bool":
        return b"\x01" if checked_bool(value) else b"\x00"
    return packed_float(_FLOATS[kind], value, kind)
