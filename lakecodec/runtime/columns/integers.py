"""Integers in as few bytes as possible."""

from __future__ import annotations

from ..errors import DecodeError, EncodeError
from ..externs import extern_codec


@extern_codec
class Shortest:
    """The codec of big-endian two's complement integers without redundant leading bytes.

    Longer forms can be read; the written form is always the shortest.
    """

    def decode(self, data: bytes | memoryview) -> bytes:
        number = bytes(data)
        if not number:
            raise DecodeError("a number has no bytes")
        return number

    def encode(self, value: bytes) -> bytes:
        if not value:
            raise EncodeError("a number has no bytes")
        number = int.from_bytes(value, "big", signed=True)
        # The bits of the magnitude and one sign bit.
        bits = (number if number >= 0 else ~number).bit_length() + 1
        return bytes(value)[-((bits + 7) // 8) :]
