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
_Level_of_byte = enum_table(_m.Level)
_TYPE_Point_3 = _m.Point.__spec__.fields[2].type


def _read_Point(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Point)
    made.weight = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: x
            if (byte := buf[pos + 1]) < 128:
                made.x = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.x = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.x, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: y
            if (byte := buf[pos + 1]) < 128:
                made.y = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.y = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.y, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 55:  # 3: weight
            made.weight = unpack_double(buf, pos + 1)[0]
            pos += 9
            key = buf[pos] + 48
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.x, made.y
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Point, room)


def _write_Point(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Point):
        raise TypeError
    put = out.append
    value: Any
    value = made.x
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.y
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    if (value := made.weight) is not None:
        put(23)
        write_value(_TYPE_Point_3, out, value)
    put(0)


def _read_Message(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Message)
    made.payload = made.urgent = made.level = made.place = None
    made.count = 3
    key = buf[pos]
    while True:
        if key == 24:  # 1: text
            if (size := buf[pos + 1]) < 128:
                made.text = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.text, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if key == 40:  # 2: payload
            if (size := buf[pos + 1]) < 128:
                made.payload = buf[(start := pos + 2) : (pos := start + size)]
            else:
                made.payload, pos = long_binary(buf, pos + 1)
            key = buf[pos] + 32
        if key == 49 or key == 50:  # 3: urgent
            made.urgent = key == 49
            pos += 1
            key = buf[pos] + 48
        if key == 70:  # 4: count
            if (byte := buf[pos + 1]) < 128:
                made.count = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.count = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.count, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 64
        if key == 85:  # 5: level
            made.level = _Level_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 80
        if key == 348:  # 21: place
            made.place, pos = _read_Point(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 336
        if key == 644:  # 40: last
            if (byte := buf[pos + 1]) < 128:
                made.last = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.last = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.last, pos = tail_i16(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 640
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.text, made.last
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Message, room)


def _write_Message(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Message):
        raise TypeError
    put = out.append
    value: Any
    value = made.text
    put(24)
    value = str.encode(value)
    if type(value) is bytes and len(value) < 128:
        put(len(value))
        out += value
    else:
        out += sized(value)
    last = 1
    if (value := made.payload) is not None:
        put(24)
        if type(value) is bytes and len(value) < 128:
            put(len(value))
            out += value
        else:
            out += sized(value)
        last = 2
    if (value := made.urgent) is not None:
        write_field_header(out, last, 3, wire_bool(value))
        last = 3
    if (value := made.count) is not None:
        put((4 - last) << 4 | 6)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
        last = 4
    if (value := made.level) is not None:
        put((5 - last) << 4 | 5)
        known = isinstance(value, _m.Level) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
        last = 5
    if (value := made.place) is not None:
        write_field_header(out, last, 21, 12)
        _write_Point(out, value)
        last = 21
    value = made.last
    write_field_header(out, last, 40, 4)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 16)
    put(0)


READERS, WRITERS = functions(_m.__spec__, globals())
