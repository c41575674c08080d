# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:8d772dfd8ad60ddc3f1cf2e5e53171cbccd01460ab02a0372ce2d04ca2a6d6b5
"""Pure Python readers and writers of record, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import record as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__
_Header = _m.Header


def _read_Header(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_Header)
    key = buf[pos]
    pos += 1
    while True:
        if key == 21:  # 1: rows
            byte = buf[pos]
            pos += 1
            if byte < 128:
                made.rows = ZIGZAG[byte]
            elif (more := buf[pos]) < 128:
                byte += (more << 7) - 128
                pos += 1
                made.rows = (byte >> 1) ^ -(byte & 1)
            else:
                made.rows, pos = tail_i32(buf, pos + 1, byte + (more << 7) - 16512)
            key = buf[pos] + 16
            pos += 1
        if not key & 15:
            break
        key, pos = odd_field(buf, pos, key, _KEYS_Header, room)
    # A required field that is missing left its slot empty: an AttributeError.
    made.rows
    return made, pos


def _write_Header(out: bytearray, made: Any) -> None:
    if type(made) is not _Header and not isinstance(made, _Header):
        raise TypeError
    put = out.append
    value: Any
    value = made.rows
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


_KEYS_Header = frozenset({21})

READERS = {
    "Header": _read_Header,
}
WRITERS = {
    "Header": _write_Header,
}
