"""What generated pure readers and writers call for everything that is not the common case."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from . import encode as encoding
from . import interpret
from .base import Marker
from .interpret import Reading
from .values import fresh_default
from .wire import (
    FALSE,
    I16,
    I64,
    STRUCT,
    TRUE,
    UUID,
    ZIGZAG,
    Malformed,
    read_i64,
    read_length,
    read_list_header,
    skip_value,
    write_field_header,
    write_list_header,
    write_varint,
)

Reader = Callable[[Any, int, Reading, int], tuple[Any, int]]
Writer = Callable[[bytearray, Any], None]


def tail_i64(buf: Any, pos: int, value: int) -> tuple[int, int]:
    """The rest of a zigzag number whose first two bytes are in ``value``."""
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


def odd_field(buf: Any, pos: int, key: int, known: frozenset[int], room: int) -> tuple[int, int]:
    """Goes on behind a header that the ladder did not match, to the next key that it knows or to the stop byte.

    A key is ``field id << 4 | wire type``; before this call it is the last field's id plus the header byte at ``pos - 1``.
    """
    while key & 15:
        wire = key & 15
        if buf[pos - 1] > 15:
            field_id = key >> 4
        else:
            field_id, pos = read_i64(buf, pos)
            key = field_id << 4 | wire
        if not -32768 <= field_id <= 32767:
            raise Malformed("field id", pos)
        if key in known:
            break
        if wire > UUID:
            raise Malformed("wire", pos)
        pos = skip_value(buf, pos, wire, room)
        key = buf[pos] + (field_id << 4)
        pos += 1
    return key, pos


def list_size(buf: Any, pos: int, wire: int) -> tuple[int, int]:
    """The element count of a list header that is long, or whose element type is not ``wire`` itself."""
    count, found, end = read_list_header(buf, pos)
    if count and found != wire and not (I16 <= wire <= I64 and I16 <= found <= I64):
        raise Malformed("element", pos)
    return count, end


def read_value(type_: Any, buf: Any, pos: int, reading: Reading, room: int) -> tuple[Any, int]:
    """A value of an uncommon type, inside a struct that has ``room`` levels left."""
    return interpret.read_value(type_, buf, pos, reading, reading.max_depth - room + 1)


def interpreting_reader(cls: Any) -> Reader:
    """The reader of a struct that has no generated one."""
    empty = cls() if issubclass(cls, Marker) else None

    def read(buf: Any, pos: int, reading: Reading, room: int) -> tuple[Any, int]:
        if empty is not None and room >= 0 and not buf[pos]:
            return empty, pos + 1
        return interpret.read_struct(cls.__spec__, buf, pos, reading, reading.max_depth - room)

    return read


def union_reader(cls: Any, readers: Callable[[], dict[int, Reader]]) -> Reader:
    """The reader of a union; ``readers`` gives those of its member structs by field id, once all are defined."""
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


def interpreting_writer(cls: Any) -> Writer:
    """The writer of a union, or of a struct that has no generated one."""

    def write(out: bytearray, value: Any) -> None:
        encoding.write_struct(cls.__spec__, out, value, "strict", 1)

    return write


def write_value(type_: Any, out: bytearray, value: Any) -> None:
    """Writes a value of an uncommon type."""
    encoding.write_value(type_, out, value, "strict", 1)


def write_long(out: bytearray, zigzag: int, bits: int) -> None:
    """Writes a zigzag number that takes more than two bytes, if it fits ``bits``."""
    if zigzag >> bits:
        raise Malformed("range", 0)
    write_varint(out, zigzag)


def as_int(value: Any) -> int:
    """An int from what is not exactly an int: enum members, NumPy integers; never a bool."""
    if isinstance(value, bool):
        raise TypeError
    return int(operator.index(value))


def as_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        raise TypeError
    return bytes(memoryview(value))


def as_list(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise TypeError
    return value


def wire_bool(value: Any) -> int:
    """The wire type that says a boolean field's value."""
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    raise TypeError


def short_sizes(wire: int) -> tuple[int, ...]:
    """The element count by the byte of a short list header for elements of type ``wire``; -1 for all other bytes."""
    return tuple(header >> 4 if header & 15 == wire and header < 240 else -1 for header in range(256))


#: The element numbers of short lists.
RANGES = tuple(range(size) for size in range(15))


def enum_table(cls: Any) -> tuple[Any, ...]:
    """Enum members, or plain numbers, by the byte of a one-byte varint."""
    return tuple(cls._value2member_map_.get(number, number) for number in ZIGZAG)


__all__ = [
    "RANGES",
    "ZIGZAG",
    "Malformed",
    "as_bytes",
    "as_int",
    "as_list",
    "enum_table",
    "fresh_default",
    "interpreting_reader",
    "interpreting_writer",
    "list_size",
    "odd_field",
    "read_length",
    "read_value",
    "short_sizes",
    "tail_i16",
    "tail_i32",
    "tail_i64",
    "union_reader",
    "wire_bool",
    "write_field_header",
    "write_list_header",
    "write_long",
    "write_value",
    "write_varint",
]
