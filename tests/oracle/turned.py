"""What clauses.idl names as external."""

from __future__ import annotations


class Reversed:
    """Bytes backwards."""

    def decode(self, data: bytes | memoryview) -> bytes:
        return bytes(data)[::-1]

    encode = decode
