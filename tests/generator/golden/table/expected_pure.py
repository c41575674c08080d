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
SHORT_12, HEADERS_12 = list_headers(12)


def _read_Item(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Item)
    made.price = None
    key = buf[pos]
    while True:
        if key == 24:  # 1: name
            if (size := buf[pos + 1]) < 128:
                made.name = buf[(start := pos + 2) : (pos := start + size)].decode()
            else:
                made.name, pos = long_string(buf, pos + 1)
            key = buf[pos] + 16
        if key == 38:  # 2: price
            if (byte := buf[pos + 1]) < 128:
                made.price = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.price = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.price, pos = tail_i64(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.name
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Item, room)


def _write_Item(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Item):
        raise TypeError
    put = out.append
    value: Any
    value = made.name
    put(24)
    value = str.encode(value)
    if type(value) is bytes and len(value) < 128:
        put(len(value))
        out += value
    else:
        out += sized(value)
    if (value := made.price) is not None:
        put(22)
        out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 64)
    put(0)


def _read_Order(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Order)
    items: list[Any]
    made.items = None
    key = buf[pos]
    while True:
        if key == 21:  # 1: number
            if (byte := buf[pos + 1]) < 128:
                made.number = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.number = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.number, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 41:  # 2: items
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.items = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_Item(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.number
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Order, room)


def _write_Order(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Order):
        raise TypeError
    put = out.append
    value: Any
    value = made.number
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    if (value := made.items) is not None:
        put(25)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_Item(out, item)
    put(0)


def _read_Shop(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Shop)
    items: list[Any]
    key = buf[pos]
    while True:
        if key == 25:  # 1: orders
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.orders = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_Order(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 16
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.orders
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Shop, room)


def _write_Shop(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Shop):
        raise TypeError
    put = out.append
    value: Any
    value = made.orders
    put(25)
    out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
    for item in value:
        _write_Order(out, item)
    put(0)


READERS, WRITERS = functions(_m.__spec__, globals())
