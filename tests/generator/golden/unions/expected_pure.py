# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:d0d083ba96ae0e4d3447d874ad6bde736dc3a12426ef6368eaa2c9ec7b6bf4c5
"""Pure Python readers and writers of unions, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import unions as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
SHORT_12, HEADERS_12 = list_headers(12)


def _read_Pair(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Pair)
    key = buf[pos]
    while True:
        if key == 21:  # 1: left
            if (byte := buf[pos + 1]) < 128:
                made.left = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.left = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.left, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if key == 37:  # 2: right
            if (byte := buf[pos + 1]) < 128:
                made.right = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.right = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.right, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.left, made.right
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Pair, room)


def _write_Pair(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Pair):
        raise TypeError
    put = out.append
    value: Any
    value = made.left
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    value = made.right
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    put(0)


def _read_Holder(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Holder)
    items: list[Any]
    made.more = None
    key = buf[pos]
    while True:
        if key == 28:  # 1: choice
            made.choice, pos = _read_Choice(buf, pos + 1, reading, room - 1)
            key = buf[pos] + 16
        if key == 41:  # 2: more
            if (size := SHORT_12[buf[(pos := pos + 2) - 1]]) < 0:
                size, pos = list_size(buf, pos - 1, 12)
            if (left := reading.elements - size) < 0 or room < 1:
                raise Malformed("elements", pos)
            reading.elements = left
            made.more = items = []
            for _ in RANGES[size] if size < 15 else range(size):
                item, pos = _read_Choice(buf, pos, reading, room - 2)
                items.append(item)
            key = buf[pos] + 32
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.choice
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Holder, room)


def _write_Holder(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Holder):
        raise TypeError
    put = out.append
    value: Any
    value = made.choice
    put(28)
    _write_Choice(out, value)
    if (value := made.more) is not None:
        put(25)
        out += HEADERS_12[len(value)] if type(value) is list and len(value) < 15 else list_header(value, 12)
        for item in value:
            _write_Choice(out, item)
    put(0)


_read_Choice: Any = union_reader(_m.Choice, lambda: {2: _read_Pair})
_write_Choice = interpreting_writer(_m.Choice)
_read_Nothing, _write_Nothing = interpreting(_m.Nothing)
READERS, WRITERS = functions(_m.__spec__, globals())
