"""Reading of numbers at a reader's position."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ..errors import DecodeError
from .nans import FLOATS, unpacked
from .span import Span
from .trail import Cursor, Step


def _fixed(code: str) -> Callable[[Any, Any], Any]:
    """Returns the method that reads a number of fixed width; ``code`` is that of the struct module."""
    layout = struct.Struct(code)
    unpack_from, size = layout.unpack_from, layout.size

    def read(self: Any, field: Any) -> Any:
        self.field, start = field, self.pos
        self.start, self.pos = start, start + size
        return unpack_from(self.buf, start)[0]

    return read


def _float(code: str) -> Callable[[Any, Any], Any]:
    """Returns the method that reads a float of two or four bytes."""
    layout = struct.Struct(code)
    unpack_from, size = layout.unpack_from, layout.size

    def read(self: Any, field: Any) -> Any:
        self.field, start = field, self.pos
        self.start, self.pos = start, start + size
        value = unpack_from(self.buf, start)[0]
        return value if value == value else unpacked(code, self.buf, start)

    return read


#: The rule broken by a number that would be written in another form.
_PADDED = "the number has more bytes than it needs, and would be written with fewer: only `: normalizes` allows that"


class NumberReader(Span, Cursor):
    """Methods that read one number each; ``field`` is what `Reader` says."""

    __slots__ = ("field", "pos", "start")
    pos: int
    start: int
    field: Step
    buf: Any

    i8 = _fixed("b")
    u16, u32, u64 = _fixed("<H"), _fixed("<I"), _fixed("<Q")
    i16, i32, i64 = _fixed("<h"), _fixed("<i"), _fixed("<q")
    f16, f32, f64 = _float("<e"), _float("<f"), _fixed("<d")
    u16_be, u32_be, u64_be = _fixed(">H"), _fixed(">I"), _fixed(">Q")
    i16_be, i32_be, i64_be = _fixed(">h"), _fixed(">i"), _fixed(">q")
    f16_be, f32_be, f64_be = _float(">e"), _float(">f"), _fixed(">d")

    def u8(self, field: Any) -> Any:
        """Returns a byte."""
        self.field, pos = field, self.pos
        self.start, self.pos = pos, pos + 1
        return self.buf[pos]

    def bool8(self, field: Any) -> bool:
        """Returns a boolean of one byte.

        Raises:
            DecodeError: the byte is neither 0 nor 1.
        """
        self.field, pos = field, self.pos
        self.start, self.pos = pos, pos + 1
        byte: int = self.buf[pos]
        if byte > 1:
            raise DecodeError("a boolean is neither 0 nor 1", offset=pos)
        return byte == 1

    def number(self, field: Any, code: str) -> Any:
        """Returns a number; ``code`` is byte order and format in terms of the struct module."""
        self.field, start = field, self.pos
        self.start, self.pos = start, start + struct.calcsize(code)
        return unpacked(code, self.buf, start) if code[1] in FLOATS else struct.unpack_from(code, self.buf, start)[0]

    def integer(self, field: Any, size: int, order: str, signed: bool) -> int:
        """Returns an integer of ``size`` bytes, for widths without a code of the struct module; ``order`` is its byte order."""
        self.field, start = field, self.pos
        self.start, self.pos = start, start + size
        if self.pos > len(self.buf):
            raise struct.error
        return int.from_bytes(self.buf[start : self.pos], "big" if order == ">" else "little", signed=signed)

    # ---- numbers of varying width ----

    def uvarint(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns an unsigned LEB128 varint of at most ``bits`` bits.

        Raises:
            DecodeError: the number needs more bits, or has superfluous bytes and ``loose`` is False.
        """
        buf, pos = self.buf, self.pos
        self.field, self.start = field, pos
        byte: int = buf[pos]
        if byte < 128:
            self.pos = pos + 1
            return byte
        value, shift = byte & 127, 7
        while True:
            pos += 1
            byte = buf[pos]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            if shift >= bits:
                raise DecodeError(f"a varint is longer than {bits} bits", offset=self.start)
        if value >> bits:
            raise DecodeError(f"a varint is longer than {bits} bits", offset=self.start)
        if not (byte or loose):
            raise DecodeError(_PADDED, offset=self.start)
        self.pos = pos + 1
        return value

    def svarint(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns a zigzag varint of at most ``bits`` bits; errors as of `uvarint`."""
        value = NumberReader.uvarint(self, field, bits, loose=loose)
        return (value >> 1) ^ -(value & 1)

    def ivarint(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns a signed LEB128 number of at most ``bits`` bits in two's complement; errors as of `uvarint`."""
        buf, pos, value, shift, before = self.buf, self.pos, 0, 0, 0
        self.field, self.start = field, pos
        while True:
            byte: int = buf[pos]
            pos += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            if shift >= bits:
                raise DecodeError(f"a varint is longer than {bits} bits", offset=self.start)
            before = byte
        value -= (byte >> 6) << shift
        if not -1 << (bits - 1) <= value < 1 << (bits - 1):
            raise DecodeError(f"a varint is longer than {bits} bits", offset=self.start)
        if shift > 7 and not loose and byte == (127 if before & 64 else 0):
            raise DecodeError(_PADDED, offset=self.start)
        self.pos = pos
        return value

    def vlq(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns an unsigned number of at most ``bits`` bits, stored in groups of seven bits, the highest first.

        Raises:
            DecodeError: the number needs more bits or groups than allowed, or has superfluous groups and ``loose`` is
                False.
        """
        value, start, most = 0, self.pos, -(-bits // 7)
        self.field, self.start = field, start
        pos = start
        while True:
            byte: int = self.buf[pos]
            pos += 1
            value = value << 7 | (byte & 127)
            if pos - start > most or value >> bits:
                raise DecodeError(f"a number in groups of seven bits is longer than {bits} bits", offset=start)
            if byte < 128:
                if self.buf[start] == 128 and not loose:
                    raise DecodeError(_PADDED, offset=start)
                self.pos = pos
                return value

    def vlq9(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns an unsigned number stored in groups of seven bits, the highest first; a ninth byte has eight bits.

        Raises:
            DecodeError: the number has superfluous groups and ``loose`` is False.
        """
        value, pos = 0, self.pos
        self.field, self.start = field, pos
        for place in range(pos, pos + 8):
            byte: int = self.buf[place]
            value = value << 7 | (byte & 127)
            if byte < 128:
                if self.buf[pos] == 128 and not loose:
                    raise DecodeError(_PADDED, offset=pos)
                self.pos = place + 1
                return value
        last: int = self.buf[pos + 8]
        if not (value >> 48 or loose):
            raise DecodeError(_PADDED, offset=pos)
        self.pos = pos + 9
        return value << 8 | last

    def ivlq9(self, field: Any, bits: int, *, loose: bool = False) -> int:
        """Returns the number of `vlq9` as a signed one of ``bits`` bits in two's complement."""
        value = NumberReader.vlq9(self, field, bits, loose=loose)
        return value - (value >> (bits - 1) << bits)
