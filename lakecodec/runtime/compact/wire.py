"""Reading and writing the primitives of the compact protocol in pure Python.

Readers take ``(buf, pos)`` and return ``(value, pos)``. They raise ``Malformed`` with a key of RULES and the offset of the
item that breaks it; running off the end of ``buf`` is an IndexError, which callers take for "truncated".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Wire types of field headers and container elements.
STOP, TRUE, FALSE, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID = range(14)

WIRE_TYPES = {
    "bool": TRUE, "i8": I8, "i16": I16, "i32": I32, "enum": I32, "i64": I64, "double": DOUBLE, "binary": BINARY,
    "string": BINARY, "list": LIST, "set": SET, "map": MAP, "struct": STRUCT, "uuid": UUID,
}  # fmt: skip

MAX_SIZE = 2**31 - 1
INT_BOUNDS = {"i8": 2**7, "i16": 2**15, "i32": 2**31, "enum": 2**31, "i64": 2**63}


class Malformed(Exception):
    """Bytes that break the rule ``key`` at ``offset``; turned into a DecodeError where the path is known."""

    def __init__(self, key: str, offset: int) -> None:
        super().__init__(key, offset)
        self.key = key
        self.offset = offset


def read_varint(buf: Any, pos: int) -> tuple[int, int]:
    """Returns an unsigned LEB128 varint of at most 64 bits, and the position after it."""
    start = pos
    value = shift = 0
    while True:
        byte = buf[pos]
        pos += 1
        if byte < 128:
            if shift == 63 and byte > 1:
                raise Malformed("varint", start)
            return value | byte << shift, pos
        value |= (byte & 127) << shift
        shift += 7
        if shift > 63:
            raise Malformed("varint", start)


def read_i64(buf: Any, pos: int) -> tuple[int, int]:
    """Returns a zigzag varint of 64 bits, and the position after it."""
    value, pos = read_varint(buf, pos)
    return (value >> 1) ^ -(value & 1), pos


def read_i32(buf: Any, pos: int) -> tuple[int, int]:
    """Returns a zigzag varint of 32 bits, and the position after it."""
    value, end = read_varint(buf, pos)
    if value >> 32:
        raise Malformed("i32", pos)
    return (value >> 1) ^ -(value & 1), end


def read_i16(buf: Any, pos: int) -> tuple[int, int]:
    """Returns a zigzag varint of 16 bits, and the position after it."""
    value, end = read_varint(buf, pos)
    if value >> 16:
        raise Malformed("i16", pos)
    return (value >> 1) ^ -(value & 1), end


def read_length(buf: Any, pos: int) -> tuple[int, int]:
    """Returns a byte length that the bytes left can hold, and the position after it."""
    length, start = read_varint(buf, pos)
    if length > len(buf) - start:
        raise Malformed("length", pos)
    return length, start


def read_list_header(buf: Any, pos: int) -> tuple[int, int, int]:
    """Returns (element count, element wire type, position of the first element); the count fits the bytes left."""
    header = buf[pos]
    count, end = header >> 4, pos + 1
    if count == 15:
        count, end = read_varint(buf, end)
        if count > MAX_SIZE:
            raise Malformed("size", pos)
    if count > len(buf) - end:
        raise Malformed("count", pos)
    return count, header & 15, end


def read_map_header(buf: Any, pos: int) -> tuple[int, int, int, int]:
    """Returns (pair count, key wire type, value wire type, position of the first key)."""
    count, end = read_varint(buf, pos)
    if not count:
        return 0, STOP, STOP, end
    if count > MAX_SIZE:
        raise Malformed("size", pos)
    types = buf[end]
    end += 1
    if 2 * count > len(buf) - end:
        raise Malformed("count", pos)
    return count, types >> 4, types & 15, end


def read_field_header(buf: Any, pos: int, last: int) -> tuple[int, int, int]:
    """Returns (field id, wire type, position after the header); wire type STOP ends the struct."""
    header = buf[pos]
    wire = header & 15
    if wire == STOP:
        return last, STOP, pos + 1
    if header > 15:
        field_id, end = last + (header >> 4), pos + 1
    else:
        field_id, end = read_i64(buf, pos + 1)
    if not -32768 <= field_id <= 32767:
        raise Malformed("field id", pos)
    return field_id, wire, end


def skip_value(buf: Any, pos: int, wire: int, room: int) -> int:
    """Returns the position after a value; ``room`` is how many levels of nesting may still open."""
    if wire in (TRUE, FALSE):
        return pos  # the header of a boolean field holds its value
    if wire == I8:
        buf[pos]
        return pos + 1
    if I16 <= wire <= I64:
        return read_varint(buf, pos)[1]
    if wire == BINARY:
        length, pos = read_length(buf, pos)
        return pos + length
    if wire in (DOUBLE, UUID):
        end = pos + (8 if wire == DOUBLE else 16)
        buf[end - 1]
        return end
    if wire > UUID or wire == STOP:
        raise Malformed("wire", pos)
    if room < 1:
        raise Malformed("depth", pos)
    if wire == STRUCT:
        return skip_struct(buf, pos, room - 1)
    if wire == MAP:
        count, key, value, pos = read_map_header(buf, pos)
        for _ in range(count):
            pos = skip_element(buf, pos, key, room - 1)
            pos = skip_element(buf, pos, value, room - 1)
        return pos
    count, element, pos = read_list_header(buf, pos)
    for _ in range(count):
        pos = skip_element(buf, pos, element, room - 1)
    return pos


def skip_element(buf: Any, pos: int, wire: int, room: int) -> int:
    """Returns the position after an element of a container, where a boolean takes a byte; otherwise as `skip_value`."""
    return skip_value(buf, pos, I8 if wire in (TRUE, FALSE) else wire, room)


def skip_struct(buf: Any, pos: int, room: int) -> int:
    last = 0
    while True:
        start = pos
        last, wire, pos = read_field_header(buf, pos, last)
        if wire == STOP:
            return pos
        if wire > UUID:
            raise Malformed("wire", start)
        pos = skip_value(buf, pos, wire, room)


#: The rest of an incomplete value: the number of elements (-1 for a struct), and the wire types of the next two.
Open = tuple[int, int, int]


def scan(buf: Any, pos: int, state: Sequence[Open] | None, room: int) -> tuple[int, Sequence[Open], int] | None:
    """Returns the progress of a scan over a struct whose bytes may be incomplete. Each byte is passed once.

    Args:
        state: what was open at ``pos``; nothing at the start of the struct.
        room: how many levels of nesting may open.

    Returns:
        The position up to which it was passed, what is open there, nothing behind the struct, and how many bytes are
        missing at least; None if the bytes are wrong.
    """
    opened = list(state or ()) or [(-1, 0, 0)]
    while opened:
        left, wire, other = opened[-1]
        if not left:
            opened.pop()
            continue
        try:
            end = pos
            if left < 0:
                _, wire, end = read_field_header(buf, pos, 0)
                if wire == STOP:
                    opened.pop()
                    pos = end
                    continue
            below: Open | None = None
            if wire in (LIST, SET, MAP, STRUCT):
                if len(opened) > room:
                    return None
                below, end = _opened(buf, end, wire)
            else:
                end = skip_value(buf, end, wire, 0) if left < 0 else skip_element(buf, end, wire, 0)
        except (Malformed, IndexError) as error:
            if isinstance(error, Malformed) and error.key != "length":
                return None
            lacking = 1
        else:
            lacking = end - len(buf)
        if lacking > 0:
            behind = sum(1 if each[0] < 0 else each[0] for each in opened[:-1])
            return pos, opened, lacking + behind + max(0, left - 1)
        if left > 0:
            opened[-1] = (left - 1, other, wire)
        if below is not None:
            opened.append(below)
        pos = end
    return pos, (), 0


def _opened(buf: Any, pos: int, wire: int) -> tuple[Open, int]:
    """Returns the open level of a container value, and the position of its first element."""
    if wire == STRUCT:
        return (-1, 0, 0), pos
    if wire != MAP:
        header, end = buf[pos], pos + 1
        count, end = (header >> 4, end) if header >> 4 < 15 else read_varint(buf, end)
        both = (header & 15) * 17
    else:
        count, end = read_varint(buf, pos)
        both, end = (buf[end], end + 1) if count else (0, end)
        count *= 2
    if count > 2 * MAX_SIZE or (wire != MAP and count > MAX_SIZE):
        raise Malformed("size", pos)
    return (count, both >> 4, both & 15), end


def write_varint(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def varint_bytes(value: int) -> bytes:
    out = bytearray()
    write_varint(out, value)
    return bytes(out)


def write_zigzag(out: bytearray, value: int) -> None:
    write_varint(out, value << 1 if value >= 0 else ~(value << 1))


def write_field_header(out: bytearray, last: int, field_id: int, wire: int) -> int:
    """Writes a header in its shortest form and returns ``field_id``."""
    if 0 < field_id - last < 16:
        out.append((field_id - last) << 4 | wire)
    else:
        out.append(wire)
        write_zigzag(out, field_id)
    return field_id


def write_list_header(out: bytearray, count: int, wire: int) -> None:
    if count < 15:
        out.append(count << 4 | wire)
    else:
        out.append(0xF0 | wire)
        write_varint(out, count)
