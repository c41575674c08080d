# Generated from input.idl by `lakecodec generate`; do not edit.
# Source digest: sha256:02d62be2fe99ce36ae9b9769483375543f46a715337c42d2611386052b1ba853
"""Pure Python readers and writers of messages, used where no native accelerator runs."""

from __future__ import annotations

from struct import Struct
from typing import Any

from lakecodec.runtime.compact.field_dispatch import *

from . import messages as _m

unpack_double = Struct("<d").unpack_from
new = object.__new__


def _read_Old(buf: bytes, pos: int, reading: Any, room: int) -> tuple[Any, int]:
    if room < 0:
        raise Malformed("depth", pos)
    made: Any = new(_m.Old)
    key = buf[pos]
    while True:
        if key == 21:  # 1: id
            if (byte := buf[pos + 1]) < 128:
                made.id = ZIGZAG[byte]
                pos += 2
            elif (more := buf[pos + 2]) < 128:
                made.id = ZIGZAG[byte + (more << 7)]
                pos += 3
            else:
                made.id, pos = tail_i32(buf, pos + 3, byte + (more << 7) - 16512)
            key = buf[pos] + 16
        if not key & 15:
            # A required field that is missing left its slot empty: an AttributeError.
            made.id
            return made, pos + 1
        key, pos = odd_field(buf, pos, key, _m.Old, room)


def _write_Old(out: bytearray, made: Any) -> None:
    if not isinstance(made, _m.Old):
        raise TypeError
    put = out.append
    value: Any
    value = made.id
    put(21)
    out += INTS[value] if type(value) is int and 0 <= value < 8192 else varint(value, 32)
    put(0)


READERS, WRITERS = functions(_m.__spec__, globals())
