# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:47a5b6ee367b0155e1b4b8dfe348205c7c7ccde8b7b096099f1cd1971001e62f
"""Pure Python readers and writers of table, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import table as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_12 = short_sizes(12)
_Item = _m.Item
_Order = _m.Order
_Shop = _m.Shop


def _read_Item(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Item)
    made.price = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 24:  # 1: name
            size = buf[pos]
            pos += 1
            if size > 127:
                size, pos = read_length(buf, pos - 1)
            end = pos + size
            made.name = buf[pos:end].decode()
            pos = end
            key = buf[pos] + 16
            pos += 1
        if key == 38:  # 2: price
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.price = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.price = (byte >> 1) ^ -(byte & 1)
            else:
                made.price, pos = tail_i64(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Item, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.name
    return made, pos


def _write_Item(out: bytearray, made: Any) -> None:
    if type(made) is not _Item and not isinstance(made, _Item):
        raise TypeError
    put = out.append
    value: Any
    value = made.name
    put(24)
    data = value.encode()
    size = len(data)
    if size < 128:
        put(size)
    else:
        write_varint(out, size)
    out += data
    value = made.price
    if value is not None:
        put(22)
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
    put(0)


_KEYS_Item = frozenset({24, 38})


def _read_Order(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Order)
    items: list[Any]
    made.items = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: number
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.number = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.number = (byte >> 1) ^ -(byte & 1)
            else:
                made.number, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: items
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_Item(buf, pos, reading, room - 2)
                items.append(item)
            made.items = items
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Order, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.number
    return made, pos


def _write_Order(out: bytearray, made: Any) -> None:
    if type(made) is not _Order and not isinstance(made, _Order):
        raise TypeError
    put = out.append
    value: Any
    value = made.number
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
    value = made.items
    if value is not None:
        put(25)
        if type(value) is not list:
            value = as_list(value)
        size = len(value)
        if size < 15:
            put(size << 4 | 12)
        else:
            write_list_header(out, size, 12)
        for item in value:
            _write_Item(out, item)
    put(0)


_KEYS_Order = frozenset({21, 41})


def _read_Shop(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Shop)
    items: list[Any]
    key = buf[pos]
    pos += 1
    while True:
        if key == 25:  # 1: orders
            size = SHORT_12[buf[pos]]
            if size < 0:
                size, pos = list_size(buf, pos, 12)
            else:
                pos += 1
            left = reading.elements - size
            if left < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_Order(buf, pos, reading, room - 2)
                items.append(item)
            made.orders = items
            key = buf[pos] + 16
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Shop, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.orders
    return made, pos


def _write_Shop(out: bytearray, made: Any) -> None:
    if type(made) is not _Shop and not isinstance(made, _Shop):
        raise TypeError
    put = out.append
    value: Any
    value = made.orders
    put(25)
    if type(value) is not list:
        value = as_list(value)
    size = len(value)
    if size < 15:
        put(size << 4 | 12)
    else:
        write_list_header(out, size, 12)
    for item in value:
        _write_Order(out, item)
    put(0)


_KEYS_Shop = frozenset({25})

READERS = {
    "Item": _read_Item,
    "Order": _read_Order,
    "Shop": _read_Shop,
}
WRITERS = {
    "Item": _write_Item,
    "Order": _write_Order,
    "Shop": _write_Shop,
}
