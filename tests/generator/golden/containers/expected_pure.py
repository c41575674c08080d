# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:63c409ee2f6fc7a6f209016a81dca3204665588dc6247399f6f432756e598634
"""Pure Python readers and writers of containers, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import containers as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_5, HEADERS_5 = list_headers(5)
_Color_of_byte = enum_table(_m.Color)
_TYPE_Bag_2 = _m.Bag.__spec__.fields[1].type
_TYPE_Bag_3 = _m.Bag.__spec__.fields[2].type
_TYPE_Bag_4 = _m.Bag.__spec__.fields[3].type
_TYPE_Bag_6 = _m.Bag.__spec__.fields[5].type
_TYPE_Bag_7 = _m.Bag.__spec__.fields[6].type
_DEFAULT_Bag_5 = _m.Bag.__spec__.fields[4]


def _read_Bag(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Bag)
    items: list[Any]
    made.rows = made.colors = made.bags = made.key = None
    made.numbers = [1, 2]
    made.color = fresh_default(_DEFAULT_Bag_5)
    made.sizes = {"a": 1}
    key = buf[pos]
    while True:
        if key == 25:  # 1: numbers
            if (size := SHORT_5[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 5)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.numbers = items = []
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
            key = buf[pos] + 16
        if key == 41:  # 2: rows
            made.rows, pos = read_value(_TYPE_Bag_2, buf, pos + 1, reading, room)
            key = buf[pos] + 32
        if key == 58:  # 3: colors
            made.colors, pos = read_value(_TYPE_Bag_3, buf, pos + 1, reading, room)
            key = buf[pos] + 48
        if key == 75:  # 4: bags
            made.bags, pos = read_value(_TYPE_Bag_4, buf, pos + 1, reading, room)
            key = buf[pos] + 64
        if key == 85:  # 5: color
            made.color = _Color_of_byte[buf[pos + 1]]
            pos += 2
            key = buf[pos] + 80
        if key == 107:  # 6: sizes
            made.sizes, pos = read_value(_TYPE_Bag_6, buf, pos + 1, reading, room)
            key = buf[pos] + 96
        if key == 125:  # 7: key
            made.key, pos = read_value(_TYPE_Bag_7, buf, pos + 1, reading, room)
            key = buf[pos] + 112
        if not key & 15:
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Bag, room)


def _write_Bag(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Bag):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    if (value := made.numbers) is not None:
        put(25)
        out += HEADERS_5[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 5)
        for item in value:
            out += INTS[item] if type(item) is int and 0 <= item < 8192 else varint(item, 32)
        last = 1
    if (value := made.rows) is not None:
        put((2 - last) << 4 | 9)
        write_value(_TYPE_Bag_2, out, value)
        last = 2
    if (value := made.colors) is not None:
        put((3 - last) << 4 | 10)
        write_value(_TYPE_Bag_3, out, value)
        last = 3
    if (value := made.bags) is not None:
        put((4 - last) << 4 | 11)
        write_value(_TYPE_Bag_4, out, value)
        last = 4
    if (value := made.color) is not None:
        put((5 - last) << 4 | 5)
        known = isinstance(value, _m.Color) and 0 <= value < 8192
        out += INTS[value] if known else varint(value, 32)
        last = 5
    if (value := made.sizes) is not None:
        put((6 - last) << 4 | 11)
        write_value(_TYPE_Bag_6, out, value)
        last = 6
    if (value := made.key) is not None:
        put((7 - last) << 4 | 13)
        write_value(_TYPE_Bag_7, out, value)
    put(0)


READERS, WRITERS = functions(_m.__spec__, globals())
