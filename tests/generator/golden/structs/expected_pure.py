# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:1326769ed1056be11836793b8d4ab27a4fa76b07d2b576cd19e078cad9bdbcd5
"""Pure Python readers and writers of structs, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import structs as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
_Point = _m.Point
_Message = _m.Message
_Level_of_byte = enum_table(_m.Level)
_TYPE_Point_weight = _m.Point.__spec__.fields[2].type


def _read_Point(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Point)
    made.weight = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: x
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.x = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.x = (byte >> 1) ^ -(byte & 1)
            else:
                made.x, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: y
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.y = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.y = (byte >> 1) ^ -(byte & 1)
            else:
                made.y, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 55:  # 3: weight
            made.weight = unpack_double(buf, pos)[0]
            pos += 8
            key = buf[pos] + 48
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Point, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.x, made.y
    return made, pos


def _write_Point(out: bytearray, made: Any) -> None:
    if type(made) is not _Point and not isinstance(made, _Point):
        raise TypeError
    put = out.append
    value: Any
    value = made.x
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.y
    put(21)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 32)
    value = made.weight
    if value is not None:
        put(23)
        write_value(_TYPE_Point_weight, out, value)
    put(0)


_KEYS_Point = frozenset({21, 37, 55})


def _read_Message(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Message)
    made.payload = None
    made.urgent = None
    made.count = 3
    made.level = None
    made.place = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: text
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.text = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 40:  # 2: payload
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.payload = buf[pos:end]
            pos = end
            key = buf[pos] + 32
            pos += 1
        if key == 49 or key == 50:  # 3: urgent
            made.urgent = key == 49
            key = buf[pos] + 48
            pos += 1
        if key == 70:  # 4: count
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.count = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.count = (byte >> 1) ^ -(byte & 1)
            else:
                made.count, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: level
            made.level = _Level_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 80
            pos += 1
        if key == 348:  # 21: place
            made.place, pos = _read_Point(buf, pos, reading, room - 1)
            key = buf[pos] + 336
            pos += 1
        if key == 644:  # 40: last
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.last = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.last = (byte >> 1) ^ -(byte & 1)
            else:
                made.last, pos = tail_i16(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 640
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Message, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.text, made.last
    return made, pos


def _write_Message(out: bytearray, made: Any) -> None:
    if type(made) is not _Message and not isinstance(made, _Message):
        raise TypeError
    put = out.append
    value: Any
    value = made.text
    put(24)
    data = value.encode()
    size = len(data)
    if size < 128:
        put(size)
    else:
        write_varint(out, size)
    out += data
    last = 1
    value = made.payload
    if value is not None:
        put(24)
        data = value if type(value) is bytes else as_bytes(value)
        size = len(data)
        if size < 128:
            put(size)
        else:
            write_varint(out, size)
        out += data
        last = 2
    value = made.urgent
    if value is not None:
        write_field_header(out, last, 3, wire_bool(value))
        last = 3
    value = made.count
    if value is not None:
        put((4 - last) << 4 | 6)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 64)
        last = 4
    value = made.level
    if value is not None:
        put((5 - last) << 4 | 5)
        if type(value) is not int:
            value = as_int(value)
        zigzag = value << 1 if value >= 0 else ~(value << 1)
        if zigzag < 128:
            put(zigzag)
        elif zigzag < 16384:
            put(zigzag & 127 | 128)
            put(zigzag >> 7)
        else:
            write_long(out, zigzag, 32)
        last = 5
    value = made.place
    if value is not None:
        write_field_header(out, last, 21, 12)
        _write_Point(out, value)
        last = 21
    value = made.last
    write_field_header(out, last, 40, 4)
    if type(value) is not int:
        value = as_int(value)
    zigzag = value << 1 if value >= 0 else ~(value << 1)
    if zigzag < 128:
        put(zigzag)
    elif zigzag < 16384:
        put(zigzag & 127 | 128)
        put(zigzag >> 7)
    else:
        write_long(out, zigzag, 16)
    put(0)


_KEYS_Message = frozenset({24, 40, 49, 50, 70, 85, 348, 644})

READERS = {
    "Point": _read_Point,
    "Message": _read_Message,
}
WRITERS = {
    "Point": _write_Point,
    "Message": _write_Message,
}
