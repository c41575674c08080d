"""Methods that append numbers to a writer's bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import index as as_integer
from typing import Any

from ..errors import EncodeError
from .ahead import NotPlainValueError, is_plain
from .fits import NOT_PACKED, integer_error, mistyped, number_error, rounds, within_bits
from .nans import packed
from .trail import Cursor, Step


def _fixed(code: str) -> Callable[[Any, Any, Any], None]:
    """Returns the method that appends a number of fixed width; ``code`` is that of the struct module."""
    pack = struct.Struct(code).pack
    likely = float if code[-1] in "efd" else int

    def write(self: Any, field: Any, value: Any) -> None:
        self.field = field
        if type(value) is not likely:
            if likely is float:
                self.number(field, value, code)
                return
            self.look(value)
        try:
            self.data += pack(value)
        except NOT_PACKED:
            raise EncodeError(number_error(code[-1], value)) from None

    return write


def _float(code: str) -> Callable[[Any, Any, Any], None]:
    """Returns the method that appends a float of two or four bytes."""
    pack = struct.Struct(code).pack

    def write(self: Any, field: Any, value: Any) -> None:
        self.field = field
        if type(value) is not float or value != value:
            self.number(field, value, code)
            return
        try:
            self.data += pack(value)
        except NOT_PACKED:
            raise EncodeError(number_error(code[-1], value)) from None

    return write


class NumberWriter(Cursor):
    """Methods that append one number each.

    Raises:
        EncodeError: the value is not a number, or does not fit.
    """

    __slots__ = ("data", "field", "is_strict")
    data: bytearray
    field: Step
    #: Whether values that are not plain are refused.
    is_strict: bool

    def look(self, value: Any) -> None:
        """Refuses a value that is not plain if the writer requires plain ones."""
        if self.is_strict and not is_plain(value):
            raise NotPlainValueError

    u8, i8 = _fixed("<B"), _fixed("<b")
    u16, u32, u64 = _fixed("<H"), _fixed("<I"), _fixed("<Q")
    i16, i32, i64 = _fixed("<h"), _fixed("<i"), _fixed("<q")
    f16, f32, f64 = _float("<e"), _float("<f"), _fixed("<d")
    u16_be, u32_be, u64_be = _fixed(">H"), _fixed(">I"), _fixed(">Q")
    i16_be, i32_be, i64_be = _fixed(">h"), _fixed(">i"), _fixed(">q")
    f16_be, f32_be, f64_be = _float(">e"), _float(">f"), _fixed(">d")

    def bit_field(self, field: Any, value: Any, bits: int) -> None:
        """Refuses a value that is not a number of ``bits`` bits; it becomes a part of a number."""
        self.field = field
        if type(value) is int and not value >> bits:
            return
        self.look(value)
        try:
            is_within = 0 <= as_integer(value) < 1 << bits
        except TypeError:
            is_within = False
        if not is_within:
            raise EncodeError(integer_error(value, bits, False))

    def bool8(self, field: Any, value: Any) -> None:
        """Appends a byte, 0 or 1, for False or True."""
        self.field = field
        if value is not True and value is not False:
            raise mistyped("a bool is", value)
        self.data.append(value)

    def number(self, field: Any, value: Any, code: str) -> None:
        """Appends a number; ``code`` is byte order and format in terms of the struct module."""
        self.field = field
        self.look(value)
        try:
            data = packed(code, value)
            is_rounded = rounds(code[1], value)
        except NOT_PACKED:
            is_rounded = True
        if is_rounded:
            raise EncodeError(number_error(code[-1], value))
        self.data += data

    def integer(self, field: Any, value: Any, size: int, order: str, signed: bool) -> None:
        """Appends an integer of ``size`` bytes, for widths without a code of the struct module; ``order`` is its byte order."""
        self.field = field
        self.look(value)
        try:
            self.data += as_integer(value).to_bytes(size, "big" if order == ">" else "little", signed=signed)
        except (OverflowError, TypeError):
            raise EncodeError(integer_error(value, 8 * size, signed)) from None

    def uvarint(self, field: Any, value: Any, bits: int) -> None:
        """Appends an unsigned LEB128 varint of at most ``bits`` bits; a bool is refused."""
        self.field = field
        number = value if type(value) is int and not value >> bits else self._within(value, bits)
        # Repeats `_uvarint`, since calling it takes as long as the work.
        while number > 127:
            self.data.append(number & 127 | 128)
            number >>= 7
        self.data.append(number)

    def _within(self, value: Any, bits: int, low: int = 0) -> int:
        self.look(value)
        return within_bits(value, bits, low)

    def _uvarint(self, number: int) -> None:
        while number > 127:
            self.data.append(number & 127 | 128)
            number >>= 7
        self.data.append(number)

    def svarint(self, field: Any, value: Any, bits: int) -> None:
        """Appends a zigzag varint of at most ``bits`` bits."""
        self.field = field
        number = self._within(value, bits, -1 << (bits - 1))
        self._uvarint(number << 1 if number >= 0 else ~(number << 1))

    def ivarint(self, field: Any, value: Any, bits: int) -> None:
        """Appends a signed LEB128 number of at most ``bits`` bits."""
        self.field = field
        number = within_bits(value, bits, -1 << (bits - 1))
        while not -64 <= number < 64:
            self.data.append(number & 127 | 128)
            number >>= 7
        self.data.append(number & 127)

    def vlq(self, field: Any, value: Any, bits: int) -> None:
        """Appends an unsigned number in groups of seven bits, the highest first."""
        self.field = field
        self._vlq(self._within(value, bits))

    def _vlq(self, number: int) -> None:
        groups = [number & 127]
        while number := number >> 7:
            groups.append(number & 127 | 128)
        self.data += bytes(reversed(groups))

    def vlq9(self, field: Any, value: Any, bits: int) -> None:
        """Appends an unsigned number like `vlq`, in at most nine bytes; the ninth has eight bits."""
        self.field = field
        self._vlq9(self._within(value, bits))

    def _vlq9(self, number: int) -> None:
        if number >> 56 == 0:
            self._vlq(number)
            return
        self.data += bytes((number >> shift & 127 | 128) for shift in range(57, 7, -7))
        self.data.append(number & 255)

    def ivlq9(self, field: Any, value: Any, bits: int) -> None:
        """Appends a signed number of ``bits`` bits in two's complement, as `vlq9` does."""
        self.field = field
        self._vlq9(self._within(value, bits, -1 << (bits - 1)) & ((1 << bits) - 1))
