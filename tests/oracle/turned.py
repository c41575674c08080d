"""What clauses.idl names as external."""

from __future__ import annotations

import xxhash

from lakecodec import extern_codec, extern_function
from lakecodec.runtime.errors import DecodeError


@extern_codec
class Reversed:
    """Bytes backwards."""

    def decode(self, data: bytes | memoryview) -> bytes:
        return bytes(data)[::-1]

    encode = decode


@extern_codec
class Doubled:
    """Every byte twice."""

    def decode(self, data: bytes | memoryview) -> bytes:
        if bytes(data[::2]) != bytes(data[1::2]):
            raise DecodeError("a byte stands once")
        return bytes(data[::2])

    def encode(self, value: bytes) -> bytes:
        return bytes(byte for byte in value for _ in range(2))


#: ``str.upper`` takes no attributes: it is wrapped.
upper = extern_function(str.upper)
xxh32 = extern_function(xxhash.xxh32_intdigest)
