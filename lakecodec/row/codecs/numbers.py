"""Transforms of numbers: from their big-endian bytes to bytes that compare as the numbers do."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from ...runtime.externs import extern_codec
from ..order.cells import RANGE, TRUNCATED
from .base import Broken, Data, Framed, Transform, byte

if TYPE_CHECKING:
    from ..literal import Column

#: Bits of the fraction of an IEEE 754 number, by its width in bytes.
_FRACTION = {2: 10, 4: 23, 8: 52}
_TURN = bytes(range(255, -1, -1))


class _Number(Transform):
    """A transform that needs the most significant byte first."""

    def __init__(self, column: Column) -> None:
        super().__init__(column)
        if not column.is_big:
            raise ValueError(f"fields: {type(self).__name__} is a codec of big-endian numbers")


@extern_codec
class Invert(Transform):
    """Every byte XOR FF, when on: descending order."""

    def __init__(self, column: Column, on: bool) -> None:
        super().__init__(column)
        self.on = on

    def encode(self, value: bytes) -> bytes:
        return bytes(value).translate(_TURN) if self.on else value

    def decode(self, data: Data) -> bytes:
        return self.encode(bytes(data))


@extern_codec
class FlipSign(_Number):
    """The top bit flipped: two's complement to offset binary."""

    def encode(self, value: bytes) -> bytes:
        return bytes([value[0] ^ 0x80]) + value[1:]

    def decode(self, data: Data) -> bytes:
        return self.encode(bytes(data))


class _Float(_Number):
    def __init__(self, column: Column) -> None:
        super().__init__(column)
        if column.width not in _FRACTION:
            raise ValueError(f"fields: {type(self).__name__} is a codec of floats, not of {column.type}")

    def _is_nan(self, number: int) -> bool:
        bits = 8 * self.column.width
        fraction = _FRACTION[self.column.width]
        infinity = (1 << (bits - 1)) - (1 << fraction)
        return number & ((1 << (bits - 1)) - 1) > infinity

    def _one_zero(self, value: bytes) -> bytes:
        return bytes(len(value)) if value[0] == 0x80 and not any(value[1:]) else value


@extern_codec
class IeeeOrder(_Float):
    """IEEE 754 bits as two's complement in totalOrder: negative numbers have all bits but the sign flipped."""

    def encode(self, value: bytes) -> bytes:
        return bytes([value[0] ^ 0x7F]) + value[1:].translate(_TURN) if value[0] & 0x80 else value

    def decode(self, data: Data) -> bytes:
        return self.encode(bytes(data))


@extern_codec
class Canonical(_Float):
    """-0.0 as 0.0, and every NaN as the positive quiet one without a payload."""

    def encode(self, value: bytes) -> bytes:
        if not self._is_nan(int.from_bytes(value, "big")):
            return self._one_zero(value)
        bits, fraction = 8 * len(value), _FRACTION[len(value)]
        return ((1 << (bits - 1)) - (1 << (fraction - 1))).to_bytes(len(value), "big")

    def decode(self, data: Data) -> bytes:
        return bytes(data)


@extern_codec
class NanOutside(_Float):
    """-0.0 as 0.0, and every NaN outside all numbers: the ``greatest`` in totalOrder, or the least."""

    def __init__(self, column: Column, greatest: bool) -> None:
        super().__init__(column)
        self.greatest = greatest

    def encode(self, value: bytes) -> bytes:
        if not self._is_nan(int.from_bytes(value, "big")):
            return self._one_zero(value)
        return bytes([0x7F if self.greatest else 0xFF]) + b"\xff" * (len(value) - 1)

    def decode(self, data: Data) -> bytes:
        return bytes(data)


@extern_codec
class Plus(Transform):
    """A number added to every byte, modulo 256."""

    def __init__(self, column: Column, add: int) -> None:
        super().__init__(column)
        self.add = byte(add, "add")

    def encode(self, value: bytes) -> bytes:
        return bytes(each + self.add & 0xFF for each in value)

    def decode(self, data: Data) -> bytes:
        return bytes(each - self.add & 0xFF for each in data)


@extern_codec
class PackedDecimal(Framed):
    """A decimal in as few bytes as its ``bits`` of magnitude need.

    From the top: a bit ``first``, zeros, then ``bits`` + 1 bits of two's complement with the sign flipped, all of these
    inverted when ``descending``. Its value is the number's bytes as Arrow has them, little-endian.
    """

    def __init__(self, column: Column, bits: int, first: int, descending: bool) -> None:
        super().__init__(column)
        self.bits, self.first, self.descending = bits, first, descending
        self.width = (bits + 2 + 7) // 8
        if first not in (0, 1):
            raise ValueError(f"first: a bit is needed, not {first!r}")
        if not 0 < self.width <= column.width:
            raise ValueError(f"bits: {bits} are too many for {column.type}")

    def encode(self, value: bytes) -> bytes:
        number = int.from_bytes(value, "little", signed=True) + (1 << self.bits)
        # Values that do not fit the type are cut to its bits.
        number &= self._kept
        return (number ^ self._inverted_bits | self.first << 8 * self.width - 1).to_bytes(self.width, "big")

    def decode(self, data: Data) -> tuple[bytes, int]:
        if len(data) < self.width:
            raise Broken(0, TRUNCATED)
        number = int.from_bytes(data[: self.width], "big")
        if number & ~self._kept != self.first << 8 * self.width - 1:
            raise Broken(0, RANGE)
        number = (number & self._kept ^ self._inverted_bits) - (1 << self.bits)
        return number.to_bytes(self.column.width, "little", signed=True), self.width

    @property
    def first_bytes(self) -> Set[int]:
        return frozenset(range(256)) if self.width == 1 else frozenset(range(128 * self.first, 128 * self.first + 128))

    @property
    def _kept(self) -> int:
        return (1 << self.bits + 1) - 1

    @property
    def _inverted_bits(self) -> int:
        return self._kept if self.descending else 0
