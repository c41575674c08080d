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
SHORT_5, HEADERS_5 = list_headers(5)


def _read_class_(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.class_)
    items: list[Any]
    made.from_ = made.None_ = made.read_ = made.to_bytes_ = made.type = made.id = made.self_ = None
    made.list = made.cls = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: from
            if (byte := buf[pos + 1]) < 128:
                made.from_ = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.from_ = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.from_, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: None
            if (byte := buf[pos + 1]) < 128:
                made.None_ = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.None_ = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.None_, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if key == 53:  # 3: read
            if (byte := buf[pos + 1]) < 128:
                made.read_ = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.read_ = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.read_, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 48
        if key == 69:  # 4: to_bytes
            if (byte := buf[pos + 1]) < 128:
                made.to_bytes_ = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.to_bytes_ = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.to_bytes_, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 64
        if key == 85:  # 5: type
            if (byte := buf[pos + 1]) < 128:
                made.type = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.type = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.type, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 80
        if key == 101:  # 6: id
            if (byte := buf[pos + 1]) < 128:
                made.id = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.id = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.id, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 96
        if key == 117:  # 7: self_
            if (byte := buf[pos + 1]) < 128:
                made.self_ = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.self_ = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.self_, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 112
        if key == 137:  # 8: list
            if (size := SHORT_5[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 5)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.list = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                if (byte := buf[pos]) < 128:
                    items.append(ZIGZAG[byte])
                    pos += 1
                elif (more := buf[pos + 1]) < 128:
                    items.append(ZIGZAG[byte + (more << 7)])
                    pos += 2
                else:
                    item, pos = tail_i32(buf, pos + 2, byte + (more << 7) - 16512)
                    items.append(item)
            key = buf[pos] + 128
        if key == 149:  # 9: cls
            if (byte := buf[pos + 1]) < 128:
                made.cls = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.cls = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.cls, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 144
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.class_, room)


def _write_class_(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.class_):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.from_) is not None:
        put(21)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 1
    if (value := made.None_) is not None:
        put((2 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 2
    if (value := made.read_) is not None:
        put((3 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 3
    if (value := made.to_bytes_) is not None:
        put((4 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 4
    if (value := made.type) is not None:
        put((5 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 5
    if (value := made.id) is not None:
        put((6 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 6
    if (value := made.self_) is not None:
        put((7 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
        last = 7
    if (value := made.list) is not None:
        put((8 - last) << 4 | 9)
        out += HEADERS_5[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 5)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 32)
        last = 8
    if (value := made.cls) is not None:
        put((9 - last) << 4 | 5)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    put(0)


_read_dict_: Any = union_reader(_m.dict_, dict)
_write_dict_ = interpreting_writer(_m.dict_)
READERS, WRITERS = functions(_m.__spec__, globals())
