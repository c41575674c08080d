"""Fallbacks that the readers and writers of `methods` call outside of the common case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..memo import kept_with
from . import encode as encoding
from . import interpret
from .base import Marker
from .interpret import Reading
from .unknown import KeepsUnknown
from .values import fresh_default
from .wire import (
    FALSE,
    I16,
    I64,
    STRUCT,
    TRUE,
    UUID,
    WIRE_TYPES,
    Malformed,
    read_i64,
    read_length,
    read_list_header,
    skip_value,
    varint_bytes,
    write_field_header,
    write_list_header,
)

Reader = Callable[[Any, int, Reading, int], tuple[Any, int]]
Writer = Callable[[bytearray, Any], None]


def tail_i64(buf: Any, pos: int, value: int) -> tuple[int, int]:
    """Returns the rest of a zigzag number whose first two bytes are in ``value``."""
    shift = 14
    byte = buf[pos]
    while byte > 127:
        value += (byte - 128) << shift
        pos += 1
        byte = buf[pos]
        shift += 7
        if shift == 63:
            if byte > 1:
                raise Malformed("varint", pos)
            break
    value += byte << shift
    return (value >> 1) ^ -(value & 1), pos + 1


def tail_i32(buf: Any, pos: int, value: int) -> tuple[int, int]:
    number, end = tail_i64(buf, pos, value)
    if not -0x80000000 <= number <= 0x7FFFFFFF:
        raise Malformed("i32", pos)
    return number, end


def tail_i16(buf: Any, pos: int, value: int) -> tuple[int, int]:
    number, end = tail_i64(buf, pos, value)
    if not -0x8000 <= number <= 0x7FFF:
        raise Malformed("i16", pos)
    return number, end


def unmatched_field(buf: Any, pos: int, key: int, cls: Any, reading: Reading, room: int) -> tuple[int, int]:
    """Continues at a header that the reader of ``cls`` did not match, up to the next known header or the stop byte.

    A key is ``field id << 4 | wire type``; before this call it is the last field's id plus the header byte at ``pos``.
    What is returned with it is the position before the value: that of the header byte where the header is short.
    """
    while key & 15:
        wire = key & 15
        if buf[pos] > 15:
            field_id, end = key >> 4, pos + 1
        else:
            field_id, end = read_i64(buf, pos + 1)
            key = field_id << 4 | wire
        if not -32768 <= field_id <= 32767:
            raise Malformed("field id", end)
        if key in _keys(cls):
            return key, end - 1
        if wire > UUID:
            raise Malformed("wire", end)
        pos = skip_value(buf, end, wire, room)
        reading.has_passed = True
        key = buf[pos] + (field_id << 4)
    return key, pos


@kept_with
def _keys(cls: Any) -> frozenset[int]:
    """Returns the keys of a struct's fields."""
    wires = [(field.id, WIRE_TYPES[field.type.kind]) for field in cls.__spec__.fields]
    return frozenset(id_ << 4 | each for id_, wire in wires for each in ((TRUE, FALSE) if wire == TRUE else (wire,)))


def long_binary(buf: Any, pos: int) -> tuple[Any, int]:
    """Returns the bytes after the length at ``pos``, which takes two bytes or more, and the position after them."""
    length, start = read_length(buf, pos)
    return buf[start : start + length], start + length


def long_string(buf: Any, pos: int) -> tuple[str, int]:
    data, end = long_binary(buf, pos)
    return data.decode(), end


def list_size(buf: Any, pos: int, wire: int) -> tuple[int, int]:
    """Returns the element count of an uncommon list header: a long one, or one with another element type than ``wire``."""
    count, found, end = read_list_header(buf, pos)
    if count and found != wire and not (I16 <= wire <= I64 and I16 <= found <= I64):
        raise Malformed("element", pos)
    return count, end


def read_value(type_: Any, buf: Any, pos: int, reading: Reading, room: int) -> tuple[Any, int]:
    """Returns a value of an uncommon type, inside a struct that has ``room`` levels left."""
    return interpret.read_value(type_, buf, pos, reading, reading.max_depth - room + 1)


def interpreting_reader(cls: Any) -> Reader:
    """Returns the interpreting reader of a struct without a generated one."""
    empty = cls() if issubclass(cls, Marker) else None

    def read(buf: Any, pos: int, reading: Reading, room: int) -> tuple[Any, int]:
        if empty is not None and room >= 0 and not buf[pos]:
            return empty, pos + 1
        return interpret.read_struct(cls.__spec__, buf, pos, reading, reading.max_depth - room)

    return read


def union_reader(cls: Any, readers: Callable[[], dict[int, Reader]]) -> Reader:
    """Returns the reader of a union; ``readers`` holds those of its member structs by field id, once all are defined."""
    names = {member.id: member.name for member in cls.__spec__.fields}
    shared = {id_ << 4 | STRUCT: instance for id_, instance in cls.__singletons__.items()}
    nested: dict[int, tuple[str, int, Reader]] | None = None
    anything = interpreting_reader(cls)

    def read(buf: Any, pos: int, reading: Reading, room: int) -> tuple[Any, int]:
        nonlocal nested
        if nested is None:
            nested = {id_ << 4 | STRUCT: (names[id_], id_, reader) for id_, reader in readers().items()}
        key = buf[pos]
        if room > 0 and key > 15:
            if key in shared and not buf[pos + 1] and not buf[pos + 2]:
                return shared[key], pos + 3
            if key in nested:
                name, id_, reader = nested[key]
                value, end = reader(buf, pos + 1, reading, room - 1)
                if buf[end] & 15:
                    raise Malformed("members", end)
                return cls._make(name, value, id_), end + 1
        return anything(buf, pos, reading, room)

    return read


def look_at_class(value: Any, cls: Any) -> None:
    """Raises TypeError for a value that is no instance of a class, or that keeps what only the interpreter writes."""
    if not isinstance(value, cls) or isinstance(value, KeepsUnknown):
        raise TypeError


def interpreting(cls: Any) -> tuple[Reader, Writer]:
    """Returns the reader and the writer of a struct that has no generated ones."""
    return interpreting_reader(cls), interpreting_writer(cls)


def interpreting_writer(cls: Any) -> Writer:
    """Returns the writer of a union, or of a struct that has no generated one."""

    def write(out: bytearray, value: Any) -> None:
        encoding.write_struct(cls.__spec__, out, value, "strict", 1)

    return write


def write_value(type_: Any, out: bytearray, value: Any) -> None:
    """Writes a value of an uncommon type."""
    encoding.write_value(type_, out, value, "strict", 1)


def varint(value: Any, bits: int) -> bytes:
    """Returns the zigzag varint of a number, which must fit ``bits`` bits."""
    if type(value) is not int:
        value = as_int(value)
    zigzag: int = value << 1 if value >= 0 else ~(value << 1)
    if zigzag >> bits:
        raise Malformed("range", 0)
    if zigzag < 0x4000:
        return VARINTS[zigzag]
    if zigzag < 0x200000:
        return bytes((zigzag & 127 | 128, zigzag >> 7 & 127 | 128, zigzag >> 14))
    if zigzag < 0x10000000:
        return bytes((zigzag & 127 | 128, zigzag >> 7 & 127 | 128, zigzag >> 14 & 127 | 128, zigzag >> 21))
    return varint_bytes(zigzag)


def sized(value: Any) -> bytes:
    """Returns a length prefix followed by the bytes, which may have any length and type."""
    data = as_bytes(value)
    return varint_bytes(len(data)) + data


def list_header(value: Any, wire: int) -> bytes:
    """Returns the header of a list with elements of type ``wire``."""
    if type(value) is not list and type(value) is not tuple:
        raise TypeError
    out = bytearray()
    write_list_header(out, len(value), wire)
    return bytes(out)


def as_int(value: Any) -> int:
    """Returns a plain int from an enum member or another int subclass except bool, without calling its methods."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return int.__index__(value)


def as_bytes(value: Any) -> bytes:
    if type(value) is bytes:
        return value
    if type(value) is not bytearray and type(value) is not memoryview:
        raise TypeError
    return bytes(value)


def wire_bool(value: Any) -> int:
    """Returns the wire type that encodes a boolean field's value."""
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    raise TypeError


def list_headers(wire: int) -> tuple[tuple[int, ...], tuple[bytes, ...]]:
    """Returns two tables of short headers of lists of ``wire``: counts by byte (-1 for other bytes), and headers by count."""
    sizes = tuple(header >> 4 if header & 15 == wire and header < 240 else -1 for header in range(256))
    return sizes, tuple(bytes((count << 4 | wire,)) for count in range(15))


#: A range per length of a short list, made once.
RANGES = tuple(range(size) for size in range(15))
#: Signed numbers by varint: the index is the single byte, or the first byte plus 128 times the second.
ZIGZAG = tuple((value >> 1) ^ -(value & 1) for value in (*range(128), *range(16384)))
#: The varints of at most two bytes, and the zigzag varints of the numbers from 0 to 8191.
VARINTS: tuple[bytes, ...] = tuple(map(varint_bytes, range(0x4000)))
INTS = VARINTS[::2]


def enum_table(cls: Any) -> tuple[Any, ...]:
    """Returns enum members, or plain numbers, by the byte of a one-byte varint."""
    return tuple(cls._value2member_map_.get(number, number) for number in ZIGZAG[:128])


__all__ = [
    "INTS",
    "RANGES",
    "VARINTS",
    "ZIGZAG",
    "Malformed",
    "enum_table",
    "fresh_default",
    "interpreting",
    "interpreting_writer",
    "list_header",
    "list_headers",
    "list_size",
    "long_binary",
    "long_string",
    "look_at_class",
    "read_value",
    "sized",
    "tail_i16",
    "tail_i32",
    "tail_i64",
    "union_reader",
    "unmatched_field",
    "varint",
    "wire_bool",
    "write_field_header",
    "write_value",
]
