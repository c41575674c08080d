"""Decoding of messages in pure Python, driven by their tables."""

from __future__ import annotations

from struct import unpack_from
from typing import Any, ClassVar

from ..compact.interpret import Reading, enum_member, text_or_bytes
from ..compact.values import fresh_default, new_struct
from ..compact.wire import Malformed, read_varint
from ..errors import DecodeError
from ..limits import DEFAULT_LIMITS
from ..spec import TypeSpec
from .rules import RULES
from .table import (
    BYTES,
    END_GROUP,
    FIXED32,
    FIXED64,
    START_GROUP,
    VARINT,
    WIRE_TYPES,
    Entry,
    has_no_required,
    table_of,
    zero,
)

_FORMATS = {
    "fixed32": "<I", "sfixed32": "<i", "float": "<f", "fixed64": "<Q", "sfixed64": "<q", "double": "<d",
}  # fmt: skip
_SIZES = {FIXED32: 4, FIXED64: 8}
_HIGHEST = (1 << 29) - 1


class MessageReading(Reading):
    """The state of one decoding call, with protobuf's rules."""

    __slots__ = ()
    rules: ClassVar = RULES


def decode(cls: Any, buf: Any, pos: int, reading: Reading) -> tuple[Any, int]:
    """Returns the message from ``pos`` to the end of ``buf``, and that end.

    Raises:
        DecodeError: the bytes break a rule.
    """
    end = len(buf)
    try:
        made, _ = read_message(cls, buf, pos, end, reading, 1)
        if not has_no_required(cls):
            _check_required(cls, made, end)
    except Malformed as malformed:
        raise reading.error(malformed.key, malformed.offset) from None
    except DecodeError as error:
        error.format = error.format or reading.format
        raise
    return made, end


def read_message(
    cls: Any, buf: Any, pos: int, end: int, reading: Reading, depth: int, into: Any = None, group: int = 0
) -> tuple[Any, int]:
    """Returns a message, and the position after it.

    Args:
        end: where the message ends; one in a group ends before, with the group.
        into: a message into which the bytes are merged.
        group: the number of the group that the message is in.
    """
    if depth > reading.max_depth:
        raise Malformed("depth", pos)
    table = table_of(cls)
    made = _new_message(cls) if into is None else into
    while pos < end:
        start = pos
        number, wire, pos = read_tag(buf, pos, end)
        entry = table.by_number.get(number)
        if entry is not None and (wire == entry.wire or (wire == BYTES and entry.packable)):
            try:
                if entry.type.kind != "map":
                    pos = _read_entry(entry, made, buf, pos, end, wire, reading, depth)
                    continue
                pos, known = _read_pair(entry.type, getattr(made, entry.field.attr), buf, pos, end, reading, depth)
            except (Malformed, DecodeError) as error:
                raise reading.located(error, _step(entry, made), buf) from None
        elif wire == END_GROUP and number == group:
            return made, pos
        else:
            pos, known = skip_field(buf, pos, end, wire, start, reading.max_depth), False
        if not known:
            _keep(made, buf[start:pos])
    if group:
        raise Malformed("truncated", end)
    return made, pos


def _keep(made: Any, data: Any) -> None:
    """Adds a field to a message's unknown ones."""
    try:
        made._unknown += data
    except AttributeError:
        made._unknown = bytearray(data)


def _step(entry: Entry, made: Any) -> str:
    if entry.is_list or entry.type.kind == "map":
        return f"{entry.name}[{len(getattr(made, entry.field.attr))}]"
    return entry.name


def _new_message(cls: Any) -> Any:
    made: Any = new_struct(cls)
    for field in cls.__spec__.fields:
        setattr(made, field.attr, fresh_default(field) if field.requiredness == "default" else None)
    return made


def _read_entry(entry: Entry, made: Any, buf: Any, pos: int, end: int, wire: int, reading: Reading, depth: int) -> int:
    attr = entry.field.attr
    if entry.is_list:
        return _read_elements(entry, getattr(made, attr), buf, pos, end, wire, reading, depth)
    before = getattr(made, attr)
    if entry.oneof is not None:
        before = before.value if before is not None and before.id == entry.number else None
    value, pos = read_value(entry.type, buf, pos, end, reading, depth, before, entry.number)
    if entry.oneof is not None:
        value = entry.oneof._make(entry.name.rpartition(".")[2], value, entry.number)
    setattr(made, attr, value)
    return pos


def _read_elements(
    entry: Entry, values: list[Any], buf: Any, pos: int, end: int, wire: int, reading: Reading, depth: int
) -> int:
    if wire == entry.wire:
        reading.take(1, pos)
        value, pos = read_value(entry.type, buf, pos, end, reading, depth, number=entry.number)
        values.append(value)
        return pos
    start = pos
    length, pos = read_length(buf, pos, end)
    stop = pos + length
    if entry.wire in _SIZES:
        if length % _SIZES[entry.wire]:
            raise Malformed("packed", start)
        reading.take(length // _SIZES[entry.wire], start)
    while pos < stop:
        if entry.wire == VARINT:
            reading.take(1, pos)
        value, pos = read_value(entry.type, buf, pos, stop, reading, depth)
        values.append(value)
    return pos


def _read_pair(
    type_: TypeSpec, pairs: dict[Any, Any], buf: Any, pos: int, end: int, reading: Reading, depth: int
) -> tuple[int, bool]:
    """Reads a map entry: a message with the key as field 1 and the value as field 2.

    Returns the position after it, and whether it has no other fields; an entry with others becomes an unknown field.
    """
    reading.take(1, pos)
    length, pos = read_length(buf, pos, end)
    if depth + 1 > reading.max_depth:
        raise Malformed("depth", pos)
    stop = pos + length
    found: list[Any] = [None, None]
    known = True
    parts = (type_.key, type_.value)
    while pos < stop:
        start = pos
        number, wire, pos = read_tag(buf, pos, stop)
        part = parts[number - 1] if number in (1, 2) else None
        if part is not None and wire == WIRE_TYPES[part.kind]:
            found[number - 1], pos = read_value(part, buf, pos, stop, reading, depth + 1, found[number - 1])
        else:
            pos, known = skip_field(buf, pos, stop, wire, start, reading.max_depth), False
    key, value = (zero(part) if each is None else each for each, part in zip(found, parts, strict=True) if part)
    if known:
        pairs[key] = value
    return pos, known


def read_value(
    type_: TypeSpec, buf: Any, pos: int, end: int, reading: Reading, depth: int, before: Any = None, number: int = 0
) -> tuple[Any, int]:
    """Returns one occurrence of a value that must not go beyond ``end``, and the position after it.

    Args:
        depth: the nesting level of the message that it is in.
        before: the message into which this occurrence is merged.
        number: that of the field, with which a group ends.
    """
    kind = type_.kind
    if type_.group:
        return read_message(type_.cls, buf, pos, end, reading, depth + 1, before, number)
    wire = WIRE_TYPES[kind]
    if wire == VARINT:
        found, pos = _varint(buf, pos, end)
        return _of_varint(found, type_), pos
    if wire == BYTES:
        start = pos
        length, pos = read_length(buf, pos, end)
        stop = pos + length
        if kind == "struct":
            return read_message(type_.cls, buf, pos, stop, reading, depth + 1, before)
        return text_or_bytes(kind, buf, start, pos, stop, reading), stop
    stop = pos + _SIZES[wire]
    if stop > end:
        raise Malformed("truncated", end)
    return unpack_from(_FORMATS[kind], buf, pos)[0], stop


def _of_varint(number: int, type_: TypeSpec) -> Any:
    """Returns the value of a 64-bit varint as ``type_``; types of 32 bits take its lower 32 bits."""
    kind = type_.kind
    if kind == "i64":
        return number - (1 << 64) if number >> 63 else number
    if kind == "uint64":
        return number
    if kind == "bool":
        return number != 0
    if kind == "sint64":
        return (number >> 1) ^ -(number & 1)
    number &= 0xFFFFFFFF
    if kind == "uint32":
        return number
    if kind == "sint32":
        return (number >> 1) ^ -(number & 1)
    signed = (number ^ 0x80000000) - 0x80000000
    return enum_member(type_.cls, signed) if kind == "enum" else signed


# ---- bytes ----


def _varint(buf: Any, pos: int, end: int) -> tuple[int, int]:
    """Returns an unsigned varint of at most 64 bits that ends before ``end``, and the position after it."""
    try:
        number, stop = read_varint(buf, pos)
    except IndexError:
        raise Malformed("truncated", end) from None
    if stop > end:
        raise Malformed("truncated", end)
    return number, stop


def read_tag(buf: Any, pos: int, end: int) -> tuple[int, int, int]:
    """Returns the number and wire type of a field, and the position after its tag of at most five bytes."""
    tag, stop = _varint(buf, pos, end)
    if not 1 <= tag >> 3 <= _HIGHEST or stop - pos > 5:
        raise Malformed("number", pos)
    return tag >> 3, tag & 7, stop


def read_length(buf: Any, pos: int, end: int) -> tuple[int, int]:
    length, start = _varint(buf, pos, end)
    if length > end - start:
        raise Malformed("length", pos)
    return length, start


def skip_field(buf: Any, pos: int, end: int, wire: int, start: int, room: int = DEFAULT_LIMITS.max_depth) -> int:
    """Returns the position after the value of an unknown field.

    Args:
        start: the position of the field's tag.
        room: groups that may be nested in each other.
    """
    if wire == VARINT:
        return _varint(buf, pos, end)[1]
    if wire == BYTES:
        length, pos = read_length(buf, pos, end)
        return pos + length
    if wire in _SIZES:
        if pos + _SIZES[wire] > end:
            raise Malformed("truncated", end)
        return pos + _SIZES[wire]
    if wire == START_GROUP:
        return _skip_group(buf, pos, end, start, room)
    raise Malformed("group" if wire == END_GROUP else "tag", start)


def check_fields(data: bytes) -> None:
    """Checks that bytes are whole fields, whatever their numbers.

    Raises:
        ValueError: they are not; the message says which rule they break, and where.
    """
    pos = 0
    try:
        while pos < len(data):
            start = pos
            _, wire, pos = read_tag(data, pos, len(data))
            pos = skip_field(data, pos, len(data), wire, start)
    except Malformed as error:
        raise ValueError(
            f"unknown_fields: whole fields, each with its tag, are needed: {RULES[error.key]} (at byte {error.offset} of "
            f"{len(data)})"
        ) from None


def _skip_group(buf: Any, pos: int, end: int, start: int, room: int) -> int:
    """Returns the position after the end of a group, whose tag has the same number as that at ``start``."""
    if room <= 0:
        raise Malformed("depth", start)
    group = read_tag(buf, start, end)[0]
    while pos < end:
        at = pos
        number, wire, pos = read_tag(buf, pos, end)
        if wire == END_GROUP and number == group:
            return pos
        pos = skip_field(buf, pos, end, wire, at, room - 1)
    raise Malformed("truncated", end)


# ---- required fields ----


def _check_required(cls: Any, made: Any, end: int) -> None:
    """Raises a DecodeError for a missing required field, once all parts of the message have been merged."""
    table = table_of(cls)
    for field in table.required:
        if getattr(made, field.attr) is None:
            raise DecodeError(RULES["required"], path=field.name, offset=end)
    for entry in table.entries:
        held = getattr(made, entry.field.attr)
        if entry.oneof is not None:
            held = held.value if held is not None and held.id == entry.number else None
        inner = entry.type.value if entry.type.kind == "map" else entry.type
        if held is None or inner is None or inner.kind != "struct" or has_no_required(inner.cls):
            continue
        several = entry.is_list or entry.type.kind == "map"
        messages = list(held.values()) if isinstance(held, dict) else held if several else [held]
        for index, message in enumerate(messages):
            try:
                _check_required(inner.cls, message, end)
            except DecodeError as error:
                error.path = f"{entry.name}{f'[{index}]' if several else ''}.{error.path}"
                raise
