"""What clauses.idl names as external."""

from __future__ import annotations

from lakecodec.runtime.errors import DecodeError


class Reversed:
    """Bytes backwards."""

    def decode(self, data: bytes | memoryview) -> bytes:
        return bytes(data)[::-1]

    encode = decode


class Doubled:
    """Every byte twice."""

    def decode(self, data: bytes | memoryview) -> bytes:
        if bytes(data[::2]) != bytes(data[1::2]):
            raise DecodeError("a byte stands once")
        return bytes(data[::2])

    def encode(self, value: bytes) -> bytes:
        return bytes(byte for byte in value for _ in range(2))
