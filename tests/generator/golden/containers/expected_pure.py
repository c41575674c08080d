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
SHORT_5 = short_sizes(5)
_Bag = _m.Bag
_Color_of_byte = enum_table(_m.Color)
_TYPE_Bag_rows = _m.Bag.__spec__.fields[1].type
_TYPE_Bag_colors = _m.Bag.__spec__.fields[2].type
_TYPE_Bag_bags = _m.Bag.__spec__.fields[3].type
_TYPE_Bag_sizes = _m.Bag.__spec__.fields[5].type
_TYPE_Bag_key = _m.Bag.__spec__.fields[6].type
_DEFAULT_Bag_color = _m.Bag.__spec__.fields[4]


def _read_Bag(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Bag)
    items: list[Any]
    made.numbers = [1, 2]
    made.rows = None
    made.colors = None
    made.bags = None
    made.color = fresh_default(_DEFAULT_Bag_color)
    made.sizes = {"a": 1}
    made.key = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: numbers
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
            made.numbers = items
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: rows
            made.rows, pos = read_value(_TYPE_Bag_rows, buf, pos, reading, room)
            key = buf[pos] + 32
            pos += 1
        if key == 58:  # 3: colors
            made.colors, pos = read_value(_TYPE_Bag_colors, buf, pos, reading, room)
            key = buf[pos] + 48
            pos += 1
        if key == 75:  # 4: bags
            made.bags, pos = read_value(_TYPE_Bag_bags, buf, pos, reading, room)
            key = buf[pos] + 64
            pos += 1
        if key == 85:  # 5: color
            made.color = _Color_of_byte[buf[pos]]
            pos += 1
            key = buf[pos] + 80
            pos += 1
        if key == 107:  # 6: sizes
            made.sizes, pos = read_value(_TYPE_Bag_sizes, buf, pos, reading, room)
            key = buf[pos] + 96
            pos += 1
        if key == 125:  # 7: key
            made.key, pos = read_value(_TYPE_Bag_key, buf, pos, reading, room)
            key = buf[pos] + 112
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Bag, room)
    return made, pos


def _write_Bag(out: bytearray, made: Any) -> None:
    if type(made) is not _Bag and not isinstance(made, _Bag):
        raise TypeError
    put = out.append
    value: Any
    last = 0
    value = made.numbers
    if value is not None:
        put(25)
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

        last = 1
    value = made.rows
    if value is not None:
        put((2 - last) << 4 | 9)
        write_value(_TYPE_Bag_rows, out, value)
        last = 2
    value = made.colors
    if value is not None:
        put((3 - last) << 4 | 10)
        write_value(_TYPE_Bag_colors, out, value)
        last = 3
    value = made.bags
    if value is not None:
        put((4 - last) << 4 | 11)
        write_value(_TYPE_Bag_bags, out, value)
        last = 4
    value = made.color
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
    value = made.sizes
    if value is not None:
        put((6 - last) << 4 | 11)
        write_value(_TYPE_Bag_sizes, out, value)
        last = 6
    value = made.key
    if value is not None:
        put((7 - last) << 4 | 13)
        write_value(_TYPE_Bag_key, out, value)
    put(0)


_KEYS_Bag = frozenset({25, 41, 58, 75, 85, 107, 125})

READERS = {
    "Bag": _read_Bag,
}
WRITERS = {
    "Bag": _write_Bag,
}
