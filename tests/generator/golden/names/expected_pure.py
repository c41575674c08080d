# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:3de4ae0ab33c6f06f423f5c5e8ccfd889a1c96c9e6fb463336efb3a9db166a4d
"""Pure Python readers and writers of names, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import names as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_5 = short_sizes(5)
_class_ = _m.class_


def _read_class_(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_class_)
    items: list[Any]
    made.from_ = None
    made.None_ = None
    made.read_ = None
    made.to_bytes_ = None
    made.type = None
    made.id = None
    made.self_ = None
    made.list = None
    made.cls = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: from
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.from_ = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.from_ = (byte >> 1) ^ -(byte & 1)
            else:
                made.from_, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: None
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.None_ = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.None_ = (byte >> 1) ^ -(byte & 1)
            else:
                made.None_, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if key == 53:  # 3: read
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.read_ = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.read_ = (byte >> 1) ^ -(byte & 1)
            else:
                made.read_, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 48
            pos += 1
        if key == 69:  # 4: to_bytes
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.to_bytes_ = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.to_bytes_ = (byte >> 1) ^ -(byte & 1)
            else:
                made.to_bytes_, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: type
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.type = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.type = (byte >> 1) ^ -(byte & 1)
            else:
                made.type, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 80
            pos += 1
        if key == 101:  # 6: id
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.id = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.id = (byte >> 1) ^ -(byte & 1)
            else:
                made.id, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 96
            pos += 1
        if key == 117:  # 7: self_
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.self_ = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.self_ = (byte >> 1) ^ -(byte & 1)
            else:
                made.self_, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 112
            pos += 1
        if key == 137:  # 8: list
            size = SHORT_5[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 5)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                byte = buf[pos]
                pos += 1
                if byte < 128:
                    items.append(ZIGZAG[byte])
                elif (more := buf[pos]) < 128:
                    byte += (more << 7) - 128
                    pos += 1
                    items.append((byte >> 1) ^ -(byte & 1))
                else:
                    byte, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
                    items.append(byte)
            made.list = items
            key = buf[pos] + 128
            pos += 1
        if key == 149:  # 9: cls
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.cls = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.cls = (byte >> 1) ^ -(byte & 1)
            else:
                made.cls, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 144
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_class_, room)
    return made, pos


def _write_class_(out: bytearray, made: Any) -> None:
    if type(made) is not _class_ and not isinstance(made, _class_):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.from_
    if value is not None:
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
        last = 1
    value = made.None_
    if value is not None:
        put((2 - last) << 4 | 5)
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
        last = 2
    value = made.read_
    if value is not None:
        put((3 - last) << 4 | 5)
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
        last = 3
    value = made.to_bytes_
    if value is not None:
        put((4 - last) << 4 | 5)
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
        last = 4
    value = made.type
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
    value = made.id
    if value is not None:
        put((6 - last) << 4 | 5)
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
        last = 6
    value = made.self_
    if value is not None:
        put((7 - last) << 4 | 5)
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
        last = 7
    value = made.list
    if value is not None:
        put((8 - last) << 4 | 9)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 5)
        else:
            write_list_header(out, size, 5)
        for item in value:
            if type(item) is not int:
                item = as_int(item)
            zigzag = item << 1 if item >= 0 else ~(item << 1)
            if zigzag < 128:
                put(zigzag)
            elif zigzag < 16384:
                put(zigzag & 127 | 128)
                put(zigzag >> 7)
            else:
                write_long(out, zigzag, 32)

        last = 8
    value = made.cls
    if value is not None:
        put((9 - last) << 4 | 5)
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
    put(0)


_KEYS_class_ = frozenset({21, 37, 53, 69, 85, 101, 117, 137, 149})

_read_dict_: Any = union_reader(_m.dict_, dict)
_write_dict_ = interpreting_writer(_m.dict_)
READERS = {
    "class": _read_class_,
    "dict": _read_dict_,
}
WRITERS = {
    "class": _write_class_,
    "dict": _write_dict_,
}
