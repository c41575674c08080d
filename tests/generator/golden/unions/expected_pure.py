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
SHORT_12 = short_sizes(12)
_Pair = _m.Pair
_Holder = _m.Holder


def _read_Pair(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Pair)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: left
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.left = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.left = (byte >> 1) ^ -(byte & 1)
            else:
                made.left, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if key == 37:  # 2: right
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.right = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.right = (byte >> 1) ^ -(byte & 1)
            else:
                made.right, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Pair, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.left, made.right
    return made, pos


def _write_Pair(out: bytearray, made: Any) -> None:
    if type(made) is not _Pair and not isinstance(made, _Pair):
        raise TypeError
    put = out.append
    value: Any
    value = made.left
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
    value = made.right
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
    put(0)


_KEYS_Pair = frozenset({21, 37})


def _read_Holder(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Holder)
    items: list[Any]
    made.more = None
    key = buf[pos]
    pos += 1
    while True:
        if key == 28:  # 1: choice
            made.choice, pos = _read_Choice(buf, pos, reading, room - 1)
            key = buf[pos] + 16
            pos += 1
        if key == 41:  # 2: more
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
                item, pos = _read_Choice(buf, pos, reading, room - 2)
                items.append(item)
            made.more = items
            key = buf[pos] + 32
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Holder, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.choice
    return made, pos


def _write_Holder(out: bytearray, made: Any) -> None:
    if type(made) is not _Holder and not isinstance(made, _Holder):
        raise TypeError
    put = out.append
    value: Any
    value = made.choice
    put(28)
    _write_Choice(out, value)
    value = made.more
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
            _write_Choice(out, item)
    put(0)


_KEYS_Holder = frozenset({28, 41})

_read_Choice: Any = union_reader(
    _m.Choice,
    lambda: {
        2: _read_Pair,
    },
)
_write_Choice = interpreting_writer(_m.Choice)
_read_Nothing = interpreting_reader(_m.Nothing)
_write_Nothing = interpreting_writer(_m.Nothing)
READERS = {
    "Nothing": _read_Nothing,
    "Pair": _read_Pair,
    "Choice": _read_Choice,
    "Holder": _read_Holder,
}
WRITERS = {
    "Nothing": _write_Nothing,
    "Pair": _write_Pair,
    "Choice": _write_Choice,
    "Holder": _write_Holder,
}
